"""Refusals: what a table answers to a command it does not carry out. Codes are stable; sentences are a catalogue."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from punto.rules.provisions import PROVISIONS
from punto.rules.rulebook import Rulebook


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a command is not carried out: a stable code with its values, and the provision it rests on, if any."""

    code: str
    provision: str | None = None
    values: Mapping[str, object] = field(default_factory=dict)

    def clause(self, book: Rulebook) -> str | None:
        """The clause of this game it rests on."""
        return book.clause_of(self.provision) if self.provision else None

    def sentence(self, book: Rulebook | None = None) -> str:
        """The refusal in words, with its clause where there is one."""
        words = {
            "game": book.title if book else "",
            "subject": PROVISIONS[self.provision].subject if self.provision else "",
        }
        values = {name: _shown(name, value) for name, value in self.values.items()}
        sentence = catalogue()[self.code].sentence.format(**words, **values)
        clause = self.clause(book) if book else None
        return f"{sentence} ({book.title} {clause})" if book and clause else sentence


_AMOUNTS = {"amount", "minimum", "maximum", "chips", "float_", "step"}


def _shown(name: str, value: object) -> object:
    """A value as people read it: cents as an amount with two places."""
    if name not in _AMOUNTS or not isinstance(value, int):
        return value
    return f"{'-' if value < 0 else ''}{abs(value) // 100}.{abs(value) % 100:02d}"


@dataclass(frozen=True, slots=True)
class Entry:
    """What the catalogue says of a code."""

    sentence: str
    about: str


@cache
def catalogue() -> dict[str, Entry]:
    """All codes there are, with their sentences and what they are about."""
    content = tomllib.loads(Path(__file__).with_name("refusals.toml").read_text("utf-8"))
    return {code: Entry(entry["sentence"], entry["about"]) for code, entry in content.items()}


def refuse(code: str, provision: str | None = None, **values: object) -> Refusal:
    """A refusal by its code, which must be in the catalogue."""
    assert code in catalogue(), code
    return Refusal(code, provision, values)
