"""Every sentence shown to people, by code: one flat catalogue per language and subject.

Commands, reports and pages read the same files, such as ``texts/en/refusals.json``. A blank is ``{name}``, or
``{name:kind}`` where the value has to be put into words: ``{amount:money}`` is an amount in cents, ``{place:place}`` a
place counted from 0, ``{index:nth}`` a number counted from 0 that people count from 1, ``{patron:quoted}`` any text as
it was given, and ``{wager:wager}`` a name that is itself a text, under ``wager.Tie``. The pages fill blanks in the same
way (``web/src/i18n/catalogue.ts``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from pathlib import Path

from punto.formatting import money

_HERE = Path(__file__).parent
_BLANK = re.compile(r"\{(\w+)(?::(\w+))?\}")
_NAMES = ("names", "irregularities")
"""The subjects that hold names of things, as ``kind.name``."""


class Language(StrEnum):
    """A language that every text exists in."""

    ENGLISH = "en"
    CHINESE = "zh"


@cache
def catalogue(subject: str, language: Language = Language.ENGLISH) -> Mapping[str, str]:
    """Return all texts of a subject by their code."""
    texts: dict[str, str] = json.loads((_HERE / language.value / f"{subject}.json").read_text("utf-8"))
    return texts


def text(subject: str, key: str, language: Language = Language.ENGLISH, /, **values: object) -> str:
    """Return the text under a key of a subject, with its blanks filled."""
    return fill(catalogue(subject, language)[key], values, language)


def texts_under(subject: str, prefix: str, language: Language = Language.ENGLISH) -> dict[str, str]:
    """Return all texts whose keys begin with ``prefix.``, by the rest of their keys."""
    start = f"{prefix}."
    return {key[len(start) :]: each for key, each in catalogue(subject, language).items() if key.startswith(start)}


def name_of(kind: str, name: str, language: Language = Language.ENGLISH, otherwise: str | None = None) -> str:
    """Return what something is called in a language; ``otherwise``, or its own name, if the catalogues lack it."""
    for subject in _NAMES:
        if (found := catalogue(subject, language).get(f"{kind}.{name}")) is not None:
            return found
    return otherwise or name


def fill(template: str, values: Mapping[str, object], language: Language = Language.ENGLISH) -> str:
    """Fill the blanks of a text; raise ``KeyError`` if a value is missing."""
    return _BLANK.sub(lambda blank: _in_words(blank[2], values[blank[1]], language), template)


def _in_words(kind: str | None, value: object, language: Language) -> str:
    if isinstance(value, tuple | list):
        names = catalogue("names", language)
        return names["list.separator"].join(_in_words(kind, each, language) for each in value) or names["list.none"]
    if kind == "quoted":
        return repr(value)
    if kind == "money" and isinstance(value, int):
        return money(value, grouped=True)
    if kind == "nth" and isinstance(value, int):
        return str(value + 1)
    if kind == "place" and isinstance(value, int):
        names = catalogue("names", language)
        return names.get(f"place.{value}") or fill(names["place.later"], {"number": value + 1}, language)
    return name_of(kind, str(value), language) if kind else str(value)
