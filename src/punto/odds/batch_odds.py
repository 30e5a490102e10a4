"""Exact returns of every wager from many compositions at once: an array of cards in, arrays of whole numbers out.

>>> import numpy as np
>>> from punto import load
>>> from punto.odds.batch_odds import batch_odds
>>> found = batch_odds(load("tiger"), np.full((1, 52), 8))
>>> found.expected_return(0, "Banker")
Fraction(-114753351728, 10847218479825)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import perm
from typing import TYPE_CHECKING, Any

import numba
import numpy as np

from punto.cards import DECK, Composition
from punto.data_frames import data_frame, exact, provenance, same_fields
from punto.odds.exact import wager_odds
from punto.odds.return_kernel import MOST_CARDS, count_returns
from punto.odds.return_tables import ReturnTables, fits_64_bits
from punto.rules.caller_input import Game, game_of
from punto.rules.deal_counts import LONGEST_COUP
from punto.rules.hands.hand_states import mixes
from punto.rules.rulebook import Rulebook, Wager

if TYPE_CHECKING:
    import polars

Array = Any
_MOST_OF_A_CARD = 10**9


@dataclass(frozen=True, eq=False)
class BatchOdds:
    """What every wager of a game returns from each of many compositions.

    The return of wager ``w`` from composition ``i`` is ``gains[i, w] / (deals[i] * parts[w])``, exactly. Arrays hold
    64-bit integers or, where those would not do, Python's own.
    """

    book: Rulebook
    gains: Array
    """By composition and wager: the net gain over all equally likely deals, in parts of a unit."""
    deals: Array
    """By composition: the number of those deals."""
    parts: Array
    """By wager: how many parts make a unit."""

    @property
    def returns(self) -> Array:
        """The expected net gain of a unit by composition and wager, rounded to floating point."""
        units = self.deals.astype(np.float64)[:, None] * self.parts
        return self.gains.astype(np.float64) / units

    def expected_return(self, composition: int, wager: str) -> Fraction:
        """Return the exact expected net gain of a unit on a wager from one of the compositions."""
        at = [each.name for each in self.book.wagers].index(self.book.wager(wager).name)
        return Fraction(int(self.gains[composition, at]), int(self.deals[composition]) * int(self.parts[at]))

    def to_dict(self) -> dict[str, object]:
        """Return the exact return of every wager from each composition, by its place, ready for JSON."""
        return provenance(self.book) | {
            "compositions": [
                [
                    {"wager": wager.name, **exact(expected_return=returned)}
                    for wager, returned in zip(self.book.wagers, row, strict=True)
                ]
                for row in _as_fractions(self.book.wagers, self.gains, self.deals)
            ]
        }

    def to_frame(self) -> polars.DataFrame:
        """Return one row for each composition, by its place, and wager: the exact return as text, and rounded."""
        return data_frame(
            [
                {"game": self.book.key, "composition": at, "wager": wager.name, **exact(expected_return=returned)}
                for at, row in enumerate(_as_fractions(self.book.wagers, self.gains, self.deals))
                for wager, returned in zip(self.book.wagers, row, strict=True)
            ]
        )

    def __len__(self) -> int:
        return len(self.deals)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BatchOdds):
            return NotImplemented
        return self.book == other.book and same_fields(self, other, ("gains", "deals", "parts"))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<BatchOdds of {self.book.key!r}: {len(self.book.wagers)} wagers, {len(self)} compositions>"


def batch_odds(game: Game, counts: Array | Sequence[Composition]) -> BatchOdds:
    """Return the exact returns of every wager from each row of ``counts``.

    A row has the number of unseen cards of each kind, in the order of ``punto.cards.DECK``: spades, hearts, clubs,
    diamonds, each from ace to king; or it is a composition. Raises ``ValueError`` for rows of another form or below
    four cards.
    """
    book = game_of(game)
    gains, deals = _gains(book.wagers, _checked(counts))
    return BatchOdds(book, gains, deals, np.array([wager.parts for wager in book.wagers], np.int64))


def exact_returns(wagers: Sequence[Wager], counts: Array) -> list[tuple[Fraction, ...]]:
    """Return the exact expected net gain of a unit on each wager from each row of ``counts``, as in ``batch_odds``."""
    return list(_as_fractions(wagers, *_gains(wagers, _checked(counts))))


def _as_fractions(wagers: Sequence[Wager], gains: Array, deals: Array) -> Iterator[tuple[Fraction, ...]]:
    """Yield the returns of all wagers from each composition."""
    for row, total in zip(gains.tolist(), deals.tolist(), strict=True):
        yield tuple(Fraction(gain, total * wager.parts) for gain, wager in zip(row, wagers, strict=True))


def _gains(wagers: Sequence[Wager], rows: Array) -> tuple[Array, Array]:
    """Return the gains by row and wager over all deals, in parts, and the number of deals by row."""
    sizes = rows.sum(axis=1)
    quick = _quick_wagers(wagers, int(sizes.max(initial=0)))
    whole = sizes >= LONGEST_COUP
    deals = np.array([perm(size, min(size, LONGEST_COUP)) for size in sizes.tolist()], object)
    fits = bool(len(quick) == len(wagers) and whole.all())
    gains: Array = np.zeros((len(rows), len(wagers)), np.int64 if fits else object)
    if quick:
        places = [wagers.index(wager) for wager in quick]
        gains[np.ix_(whole, places)] = whole_gains(quick, rows[whole])
    for row, wager in _left_over(wagers, whole, quick):
        gains[row, wager] = _slow_gain(wagers[wager], rows[row], deals[row])
    return gains, deals.astype(np.int64) if fits else deals


def batch_returns(game: Game, counts: Array | Sequence[Composition]) -> Array:
    """Return the expected net gain of a unit by composition and wager, rounded to floating point."""
    return batch_odds(game, counts).returns


def whole_gains(wagers: Sequence[Wager], rows: Array) -> Array:
    """Return the gains of wagers from compositions of at least six cards, in 64-bit integers."""
    tables = tables_for(tuple(wagers))
    gains = np.zeros((len(rows), len(wagers)), np.int64)
    with vectorised():
        count_returns(np.ascontiguousarray(rows, np.int64), tables.rules, tables.space(), gains)
    return gains


@lru_cache(maxsize=16)
def tables_for(wagers: tuple[Wager, ...]) -> ReturnTables:
    """Return the tables of some wagers, made once."""
    return ReturnTables(wagers)


@contextmanager
def vectorised() -> Iterator[None]:
    """Have loops that are compiled meanwhile work on several numbers at a time, also outside of loops."""
    config: Any = numba.config
    before, config.SLP_VECTORIZE = config.SLP_VECTORIZE, 1
    try:
        yield
    finally:
        config.SLP_VECTORIZE = before


def _checked(counts: Array | Sequence[Composition]) -> Array:
    rows = _as_array(counts)
    if rows.ndim != 2 or rows.shape[1] != len(DECK) or not np.issubdtype(rows.dtype, np.integer):
        found = f"an array of {rows.dtype} of the shape {rows.shape}"
        raise ValueError(f"expected rows of {len(DECK)} whole numbers, one for each card of a deck, not {found}")
    if rows.size and rows.min() < 0:
        raise ValueError("expected numbers of cards, and found one below zero")
    if rows.size and rows.max() > _MOST_OF_A_CARD:
        raise ValueError(f"expected at most {_MOST_OF_A_CARD:,} of each card, not {rows.max():,}")
    if len(rows) and rows.sum(axis=1).min() < 4:
        raise ValueError("expected at least four cards in every row: a coup cannot begin with fewer")
    return rows.astype(np.int64)


def _as_array(counts: Array | Sequence[Composition]) -> Array:
    """Return counts as an array, also of compositions or rows of several lengths, which do not make one."""
    if isinstance(counts, list | tuple) and all(isinstance(each, Composition) for each in counts):
        return np.array([each.to_array() for each in counts]).reshape(-1, len(DECK)).astype(np.int64)
    try:
        return np.asarray(counts)
    except ValueError:
        return np.zeros(0)


def _quick_wagers(wagers: Sequence[Wager], cards: int) -> list[Wager]:
    """Return the wagers whose gains fit the compiled loops."""
    if cards > MOST_CARDS:
        return []
    return [wager for wager in wagers if not mixes(wager) and fits_64_bits(wager, cards)]


def _left_over(wagers: Sequence[Wager], whole: Array, quick: Sequence[Wager]) -> Iterator[tuple[int, int]]:
    """Yield the rows and wagers that are counted one by one."""
    for row, enough in enumerate(whole.tolist()):
        for number, wager in enumerate(wagers):
            if not enough or wager not in quick:
                yield row, number


def _slow_gain(wager: Wager, row: Array, deals: int) -> int:
    found = wager_odds(
        wager, Composition(card for card, count in zip(DECK, row.tolist(), strict=True) for _ in range(count))
    )
    gain = found.expected_return * deals * wager.parts
    assert gain.denominator == 1
    return gain.numerator
