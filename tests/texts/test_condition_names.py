"""Every condition that a line may ask has a name on the design page, in both languages, and no two share one."""

from __future__ import annotations

import pytest

from punto.rules.hands.questions import QUESTIONS
from punto.texts import Language, text


@pytest.mark.parametrize("language", list(Language))
def test_every_condition_has_a_name_of_its_own(language: Language) -> None:
    names = [
        text("pages", f"design.condition.{key}", language) for key in (*QUESTIONS, "any", "all", "not", "number_of")
    ]
    assert len(set(names)) == len(names), sorted(name for name in names if names.count(name) > 1)
    if language is Language.CHINESE:
        assert all(any("\u4e00" <= sign <= "\u9fff" for sign in name) for name in names)
