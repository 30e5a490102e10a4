"""What the school says, as data: a key and its values, put into words only when it is known in which language."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from punto.cards import Card
from punto.report.event_text import card_sign, catalogue, in_words
from punto.report.rendering import money, ratio
from punto.rules.rulebook import Line
from punto.table.event import Event
from punto.table.procedures import Words
from punto.texts import Language


@dataclass(frozen=True, slots=True)
class Named:
    """Something that the documents name: a hand, a wager, a position."""

    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class Money:
    """An amount, in cents."""

    cents: int


@dataclass(frozen=True, slots=True)
class Saying:
    """Something to be said: its key in the school's catalogue, and what fills its blanks."""

    key: str
    values: Mapping[str, object] = field(default_factory=dict)

    def text(self, language: Language = Language.ENGLISH) -> str:
        """In words."""
        shown = {name: _shown(value, language) for name, value in self.values.items()}
        return _sayings()[self.key][language.value].format(**shown)


def say(key: str, **values: object) -> Saying:
    """Something to be said, which must be in the catalogue."""
    assert key in _sayings(), key
    return Saying(key, values)


@cache
def _sayings() -> dict[str, dict[str, str]]:
    said: dict[str, dict[str, str]] = tomllib.loads(Path(__file__).with_name("school.toml").read_text("utf-8"))
    return said


def _shown(value: object, language: Language) -> str:
    """A value as people write it."""
    if isinstance(value, Card):
        return card_sign(value)
    if isinstance(value, tuple):
        return catalogue(language)["form"]["between"].join(_shown(each, language) for each in value)
    for kind, write in _WRITTEN:
        if isinstance(value, kind):
            return write(value, language)
    return str(value)


def _ratio(line: Line) -> Saying:
    """What a line pays, in the reader's own order: 12 to 1, 1 赔 12."""
    above, _, below = ratio(line.pays).partition(" to ")
    return say("pays", above=above, below=below)


_WRITTEN: tuple[tuple[type[Any], Callable[[Any, Language], str]], ...] = (
    (Saying, lambda saying, language: saying.text(language)),
    (Words, lambda words, language: words.en if language is Language.ENGLISH else words.zh),
    (Named, lambda named, language: catalogue(language).get(named.kind, {}).get(named.name, named.name)),
    (Money, lambda amount, _: money(amount.cents)),
    (Line, lambda line, language: _ratio(line).text(language)),
    (Event, in_words),
)
