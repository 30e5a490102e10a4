"""Every sentence shown to people, by code: one flat catalogue per language and subject, with ``{name}`` for values.

Commands, reports and pages read the same files, such as ``texts/en/refusals.json``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from pathlib import Path

_HERE = Path(__file__).parent


class Language(StrEnum):
    """A language that every text exists in."""

    ENGLISH = "en"
    CHINESE = "zh"


@cache
def catalogue(subject: str, language: Language = Language.ENGLISH) -> Mapping[str, str]:
    """Return all texts of a subject by their code."""
    texts: dict[str, str] = json.loads((_HERE / language.value / f"{subject}.json").read_text("utf-8"))
    return texts
