"""The exact expected return of every wager, for many shoes at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from punto.cards import DECK, Composition
from punto.odds.exact import wager_odds
from punto.rules.rulebook import Rulebook
from punto.rules.table_of_play import INITIAL_DEAL

Array = Any
BatchReturns = Callable[[Rulebook, Array], Array]
"""From a rulebook and a row of 52 counts for each shoe to a row of returns, one for each wager."""


def expected_returns(book: Rulebook, counts: Array) -> Array:
    """Return the expected net gain of a unit on each wager, as floats: a row for each row of unexposed cards.

    >>> from punto import load
    >>> expected_returns(load("baccarat"), np.full((1, 52), 8)).round(6).tolist()[0][:3]
    [-0.012351, -0.010579, -0.143596]
    """
    enough = counts.sum(axis=1) >= len(INITIAL_DEAL)  # a round that cannot even begin is void, and returns nothing
    returns = np.zeros((len(counts), len(book.wagers)))
    if enough.any():
        returns[enough] = batch_function()(book, counts[enough])
    return returns


@cache
def batch_function() -> BatchReturns:
    """Return the compiled batch where Punto has it, else the exact odds row by row."""
    try:
        found: BatchReturns = import_module("punto.odds.batch_odds").batch_returns
    except (ImportError, AttributeError):
        return returns_by_row
    return found


def returns_by_row(book: Rulebook, counts: Array) -> Array:
    """Return the same from ``punto.odds``, one shoe after the other; shoes that are alike are counted once."""
    kinds, which = np.unique(counts, axis=0, return_inverse=True)
    return np.array([_returns(book, row) for row in kinds], np.float64)[which.reshape(-1)]


def _returns(book: Rulebook, row: Array) -> list[float]:
    cards = Composition(card for card, count in zip(DECK, row.tolist(), strict=True) for _ in range(count))
    return [float(wager_odds(wager, cards).expected_return) for wager in book.wagers]
