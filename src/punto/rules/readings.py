"""The readings Punto takes where a document is unclear, numbered, each with its reason."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from punto.rules.rulebook import Rulebook


@dataclass(frozen=True, slots=True)
class Reading:
    """An unclear point, how it is read, and why."""

    number: int
    unclear: str
    reading: str
    why: str
    concerns: tuple[str, ...]
    """The provisions it bears on."""
    games: tuple[str, ...]
    """The games it is limited to; empty for every game that has such a provision."""

    def clauses(self, book: Rulebook) -> tuple[str, ...]:
        """Return the clauses of this game that the reading bears on; empty if the game does not need it."""
        # A variant is read as the game it was made from: only its pays differ.
        if self.games and (book.variant_of or book).key not in self.games:
            return ()
        return tuple(clause.number for clause in book.clauses.values() if clause.provision in self.concerns)


@cache
def readings() -> tuple[Reading, ...]:
    """Return all readings, in order."""
    content = tomllib.loads(Path(__file__).with_name("readings.toml").read_text("utf-8"))
    return tuple(
        Reading(
            number=entry["number"],
            unclear=entry["unclear"],
            reading=entry["reading"],
            why=entry["why"],
            concerns=tuple(entry["concerns"]),
            games=tuple(entry.get("games", ())),
        )
        for entry in content["reading"]
    )


def readings_in_force(book: Rulebook) -> tuple[Reading, ...]:
    """Return the readings that bear on this game."""
    return tuple(reading for reading in readings() if reading.clauses(book))
