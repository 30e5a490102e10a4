"""What a house was to win on a turnover by the exact odds of the game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache

from punto.books.shift_totals import Play
from punto.odds.exact import odds
from punto.rules.rulebook import Rulebook

Expected = Mapping[str, Fraction]
"""By wager, in cents."""


def expected_win(book: Rulebook | None, decks: int, play: Play) -> Expected:
    """Return what the house was to win on each wager, from a full shoe; nothing where the game is not known."""
    if book is None or not play.turnover:
        return {}
    edges = _edges(book, decks)
    return {wager: edges[wager] * turnover for wager, turnover in play.turnover.items() if wager in edges}


@lru_cache(maxsize=64)
def _edges(book: Rulebook, decks: int) -> dict[str, Fraction]:
    return {each.wager.name: each.house_edge for each in odds(book, decks).wagers}


def summed(several: Iterable[Expected]) -> Expected:
    """Return what was to be won on each wager in all of several openings or tables."""
    total: dict[str, Fraction] = {}
    for each in several:
        for wager, amount in each.items():
            total[wager] = total.get(wager, Fraction()) + amount
    return total
