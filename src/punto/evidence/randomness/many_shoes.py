"""Is every single card equally likely at every position? Asked of a million shoes, by a compiled shuffle.

The shuffle here is the one of ``punto.shoe.shuffle``, word for word; a test compares their orders.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numba import njit

from punto.cards import DECK
from punto.evidence.randomness.card_sample import Whole
from punto.evidence.randomness.probabilities import RandomnessResult, chi_square
from punto.evidence.randomness.shoe_source import Orders, Words, uncut, words_in
from punto.shoe.secret import new_secret
from punto.shoe.shuffle import WORDS

BATCH = 2_000
"""Shoes in memory at a time."""
_WORDS_IN_A_BLOCK = 16


@dataclass(frozen=True)
class CardsAtPositions:
    """How often each card was at each position: cards in rows, positions in columns."""

    counts: Whole
    shoes: int
    skipped: int
    """Words that would have favoured a draw."""
    spoiled: int
    """Shoes whose words ran out; they are not counted."""


def count_positions(shoes: int, decks: int, progress: Callable[[int], object] = lambda _: None) -> CardsAtPositions:
    """Shuffle new sealed shoes and count where their cards come to lie. The cards of all decks are told apart."""
    cards = len(DECK) * decks
    counts = np.zeros((cards, cards), np.int64)
    skipped = spoiled = 0
    for first in range(0, shoes, BATCH):
        batch = fresh_batch(min(BATCH, shoes - first), decks)
        orders = np.empty((len(batch), cards), np.int16)
        used = shuffle_rows(batch, orders)
        whole = used > 0
        _count(orders[whole], counts)
        skipped += int((used[whole] - (cards - 1)).sum())
        spoiled += int((~whole).sum())
        progress(len(batch))
    return CardsAtPositions(counts, shoes, skipped, spoiled)


def fresh_batch(shoes: int, decks: int) -> Words:
    """Return the words of new sealed shoes that no patron cut."""
    size = words_in(decks)
    blocks = [number.to_bytes(8, "big") for number in range(-(-size // _WORDS_IN_A_BLOCK))]
    batch = np.empty((shoes, size), np.uint16)
    for row in batch:
        secret = new_secret(decks)
        value = uncut(secret, decks).value
        mask = b"".join([hmac.digest(value, block, "sha256") for block in blocks])
        row[:] = np.frombuffer(secret.disclose(), ">u2") ^ np.frombuffer(mask, ">u2")[:size]
    return batch


@njit(cache=True)  # type: ignore[misc,unused-ignore]
def shuffle_rows(words: Words, orders: Orders) -> Whole:
    """Shuffle one shoe for each row of words; return how many words each used, or 0 for one whose words ran out."""
    shoes, cards = orders.shape
    used = np.zeros(shoes, np.int64)
    for shoe in range(shoes):
        order = orders[shoe]
        for place in range(cards):
            order[place] = place
        at = 0
        for last in range(cards - 1, 0, -1):
            usable = WORDS - WORDS % (last + 1)
            while at < words.shape[1] and words[shoe, at] >= usable:
                at += 1
            if at == words.shape[1]:
                at = 0
                break
            chosen = words[shoe, at] % (last + 1)
            at += 1
            order[last], order[chosen] = order[chosen], order[last]
        used[shoe] = at
    return used


@njit(cache=True)  # type: ignore[misc,unused-ignore]
def _count(orders: Orders, counts: Whole) -> None:
    shoes, cards = orders.shape
    for shoe in range(shoes):
        for place in range(cards):
            counts[orders[shoe, place], place] += 1


def judge_positions(found: CardsAtPositions) -> RandomnessResult:
    """Chi-square of all cards at all positions, at (cards - 1) squared degrees.

    Each shoe has each card once and each position once. So a cell varies by less than one of independent counts would,
    by one part in the number of cards, and the statistic is scaled by that.
    """
    cards = len(found.counts)
    expected = found.counts.sum() / cards**2
    statistic = float(((found.counts - expected) ** 2 / expected).sum()) * (cards - 1) / cards
    return chi_square("cards.each-position", statistic, (cards - 1) ** 2, int(found.counts.sum()))
