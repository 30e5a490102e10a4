"""Golden answers: what commands answer in JSON only grows; see ``golden_answers``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.golden_answers import ANSWERS, answer, cases, differences
from support.long import some_long

CASES = cases()
LONG = {"bench-odds"}


@pytest.mark.parametrize("name", some_long(CASES, LONG))
def test_the_answer_has_all_it_had(name: str, tmp_path: Path) -> None:
    then = _recorded(name)
    now = answer(CASES[name], tmp_path)
    assert list(differences(CASES[name], now, then)) == []


def _recorded(name: str) -> Any:
    content = json.loads((ANSWERS / f"{name}.json").read_text("utf-8"))
    assert content["command"] == list(CASES[name]), "a recording is of one command for good: give the new one a name"
    return content["answer"]


def test_no_recording_is_left_over() -> None:
    assert {file.stem for file in ANSWERS.glob("*.json")} == set(CASES)


@pytest.mark.parametrize(
    ("now", "told"),
    [
        ({"clause": "4.3", "text": "reworded", "more": 1}, []),
        ({"clause": "4.4", "text": "said"}, ["/clause is '4.4', not '4.3'"]),
        ({"text": "said"}, ["/clause is missing"]),
        ({"clause": "4.3", "text": None}, ["/text is of type null, not text"]),
        ({"clause": 4.3, "text": "said"}, ["/clause is 4.3, not '4.3'"]),
    ],
)
def test_an_answer_that_lost_something_is_told(now: object, told: list[str]) -> None:
    assert list(differences(("rules",), now, {"clause": "4.3", "text": "text"})) == told


def test_the_key_of_a_variant_may_follow_the_wording_of_its_game() -> None:
    then = {"game": "tiger-variant-0123abcd"}
    assert list(differences(("pays",), {"game": "tiger-variant-89abcdef"}, then)) == []
    assert list(differences(("pays",), {"game": "baccarat-variant-89abcdef"}, then)) != []
