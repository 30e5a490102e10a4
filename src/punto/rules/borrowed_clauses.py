"""Which clauses a game takes unchanged from Punto's file of an approved game."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from punto.rules.game_library import APPROVED, load
from punto.rules.rulebook import Clause, Rulebook

Origins = Mapping[str, Clause]
"""By the number of a borrowed clause: the clause of the approved game."""


@lru_cache(maxsize=16)
def origins_of(book: Rulebook) -> tuple[Rulebook | None, Origins]:
    """Return the approved game that a game borrows most clauses from, and which; none for an approved game."""
    if book.key in APPROVED or book.variant_of:
        return None, {}
    found = [(base, _shared(book, base)) for base in map(load, APPROVED)]
    base, shared = max(found, key=lambda each: len(each[1]))
    return (base, shared) if shared else (None, {})


def _shared(book: Rulebook, base: Rulebook) -> Origins:
    """Return the clauses that say the same and make the same provision, one of the same number where there are two."""
    there = {(clause.text, clause.provision): clause for clause in base.clauses.values()}
    shared = {}
    for clause in book.clauses.values():
        same = base.clauses.get(clause.number)
        said = clause.text, clause.provision
        if same and (same.text, same.provision) == said:
            shared[clause.number] = same
        elif said in there:
            shared[clause.number] = there[said]
    return shared
