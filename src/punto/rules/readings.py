"""The readings Punto takes where a document is unclear, numbered, each with its reason."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from punto.rules.rulebook import Rulebook

_CLAUSE = re.compile(r"(?<![R\d.])[1-7](?:\.\d+)+")


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
    """Return the readings that bear on this game, with the clauses they name under the game's own numbers."""
    return tuple(renumbered(reading, book) for reading in readings() if reading.clauses(book))


def renumbered(reading: Reading, book: Rulebook) -> Reading:
    """Return a reading that names this game's clauses; it is written down with those of Baccarat.

    One that is limited to certain games names theirs.
    """
    if reading.games:
        return reading
    words = (_with_clauses_of(book, text) for text in (reading.unclear, reading.reading, reading.why))
    unclear, read, why = words
    return replace(reading, unclear=unclear, reading=read, why=why)


def _with_clauses_of(book: Rulebook, text: str) -> str:
    return _CLAUSE.sub(lambda named: _clause_in(book, named[0]), text)


def _clause_in(book: Rulebook, number: str) -> str:
    """Return the number that a clause of Baccarat has in a game; it is called Baccarat's where the game lacks it."""
    from punto.rules.game_library import load  # which imports this module's neighbours

    baccarat = load("baccarat")
    provision = baccarat.clauses[number].provision
    there = [each.number for each in baccarat.clauses_of(provision)]
    here = [each.number for each in book.clauses_of(provision)]
    if number in here and here == there:
        return number
    if not here:
        return f"Baccarat's {number}"
    return here[there.index(number)] if len(here) == len(there) else here[0]
