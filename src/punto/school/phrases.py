"""What the school says, as data: a key and its values, put into words once the language is known."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from punto.cards import Card
from punto.report.event_text import card_sign, event_text
from punto.report.rendering import money, ratio_parts
from punto.rules.rulebook import Line
from punto.table.event import Event
from punto.table.procedures import Words
from punto.texts import Language, catalogue, name_of, text


@dataclass(frozen=True, slots=True)
class Named:
    """Something that has a name in the catalogues: a hand, a wager, a position."""

    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class Money:
    """An amount, in cents."""

    cents: int


@dataclass(frozen=True, slots=True)
class Phrase:
    """A text of the school: its key in the catalogue, and the values for its blanks."""

    key: str
    values: Mapping[str, object] = field(default_factory=dict)

    def text(self, language: Language = Language.ENGLISH) -> str:
        """Return it in words."""
        shown = {name: _shown(value, language) for name, value in self.values.items()}
        return text("school", self.key, language, **shown)


def phrase(key: str, **values: object) -> Phrase:
    """Make a phrase of the school by its key, which must be in the catalogue."""
    assert key in catalogue("school"), key
    return Phrase(key, values)


def _shown(value: object, language: Language) -> object:
    """Return a value in a form that a text can take."""
    if isinstance(value, Card):  # before tuple: a card is one too
        return card_sign(value)
    if isinstance(value, tuple):
        return tuple(_shown(each, language) for each in value)
    for kind, write in _WRITTEN:
        if isinstance(value, kind):
            return write(value, language)
    return value


def _ratio(line: Line) -> Phrase:
    """Return what a line pays, in the order in which the reader's language names the two numbers."""
    above, below = ratio_parts(line.pays)
    return phrase("pays", above=above, below=below)


_WRITTEN: tuple[tuple[type[Any], Callable[[Any, Language], str]], ...] = (
    (Phrase, lambda each, language: each.text(language)),
    (Words, lambda words, language: words.en if language is Language.ENGLISH else words.zh),
    (Named, lambda named, language: name_of(named.kind, named.name, language)),
    (Money, lambda amount, _: money(amount.cents)),
    (Line, lambda line, language: _ratio(line).text(language)),
    (Event, event_text),
)
