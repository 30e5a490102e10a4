"""Shoes under test as arrays: from computed orders, where every card is known, or from a log, where some are not."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from punto.cards import DECK
from punto.evidence.randomness.shoe_source import Orders

Whole = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Known = npt.NDArray[np.bool_]

UNSEEN = -1
KINDS = len(DECK)
RANKS, SUITS = 13, 4
LAST_ROUNDS = 12
"""Cards of two rounds: how many are dealt after the cutting card depends on what they are, so they are left out."""


@dataclass(frozen=True)
class CardSample:
    """Shoes in the order in which they came. A card is its number in ``DECK``, or ``UNSEEN``."""

    cards: npt.NDArray[np.int8]
    decks: int

    @cached_property
    def shoes(self) -> int:
        """How many shoes there are."""
        return len(self.cards)

    @property
    def size(self) -> int:
        """How many cards a full shoe has."""
        return KINDS * self.decks

    @cached_property
    def seen(self) -> Known:
        """Which cards are known."""
        return np.not_equal(self.cards, UNSEEN)

    @cached_property
    def lengths(self) -> Whole:
        """How many cards of each shoe are known."""
        return np.asarray(np.count_nonzero(self.seen, axis=1), np.int64)

    @cached_property
    def packed(self) -> npt.NDArray[np.int8]:
        """The known cards of each shoe moved to its front: unseen cards between them leave a random order random."""
        if self.seen.all():
            return self.cards
        order = np.argsort(~self.seen, axis=1, kind="stable")
        return np.take_along_axis(self.cards, order, axis=1)[:, : int(self.lengths.max(initial=0))]

    def in_use(self) -> Known:
        """Return which places of ``packed`` hold a card."""
        return np.arange(self.packed.shape[1]) < self.lengths[:, None]


def sample_of(orders: Orders, decks: int) -> CardSample:
    """Return computed orders as a sample."""
    return CardSample((orders % KINDS).astype(np.int8), decks)


def logged_sample(cards: npt.NDArray[np.int8], decks: int) -> CardSample:
    """Return logged shoes as a sample, without the positions at the end that not every shoe comes to."""
    kept = cards.copy()
    seen = kept != UNSEEN
    if seen.any():
        furthest = int(np.flatnonzero(seen.any(axis=0))[-1]) + 1
        kept[:, max(furthest - LAST_ROUNDS, 0) :] = UNSEEN
    return CardSample(kept, decks)


def ranks(cards: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
    """Return ranks 0 (ace) to 12 (king), and ``UNSEEN``."""
    return np.where(cards == UNSEEN, UNSEEN, cards % RANKS).astype(np.int8)


def suits(cards: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
    """Return suits 0 to 3 in the order of ``Suit``, and ``UNSEEN``."""
    return np.where(cards == UNSEEN, UNSEEN, cards // RANKS).astype(np.int8)
