"""The endings of whole coups counted with numpy, all pairs of third cards at once.

The counts without a card follow from those with it as ``punto.odds.return_kernel`` explains. Nothing is compiled, so
that no answer waits; a shoe takes some tenths of a millisecond.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from punto.rules.ending_counts import NO_CARD, Ending, third_card_plan

Array = Any
_DIGITS = np.arange(10)
_REST = (_DIGITS[:, None] - _DIGITS) % 10
"""By total and value: the value that makes the total with it."""
_SAME = np.eye(10, dtype=np.int64)
_DOUBLE = (_REST == _DIGITS).astype(np.int64)
_OUT = (_REST[None] == _DIGITS[:, None, None]).astype(np.int64)
"""By card gone, total and value: whether the card that is gone was a partner of the value."""


def count_endings(values: Sequence[int]) -> Mapping[Ending, int]:
    """Return how many ordered deals of six cards end in each way; for at most as many cards as fit 64 bits."""
    cards = np.array(values, np.int64)
    rest = int(cards.sum())
    # Without a third card, without one, and without two: an eleventh value stands for a card that is not drawn.
    partners = cards[_REST] - _DOUBLE
    ways = np.zeros((NO_CARD + 1, NO_CARD + 1, 10, 10), np.int64)
    pairs = partners @ cards
    shared = (partners * cards) @ partners.T
    none = pairs[:, None] * pairs - 4 * shared + 2 * _SAME * pairs
    ways[NO_CARD, NO_CARD] = none * (rest - 4) * (rest - 5)
    own = partners.T[:, :, None]
    other = partners.T[:, None, :]
    beside = partners[_DIGITS[None, None, :], _REST.T[:, :, None]]
    beneath = partners[_DIGITS[None, :, None], _REST.T[:, None, :]]
    one_pairs = pairs - 2 * partners.T
    both = shared - own * other - own * beside - other * beneath + _SAME * own
    one = one_pairs[:, :, None] * one_pairs[:, None, :] - 4 * both + 2 * _SAME * one_pairs[:, :, None]
    alone = one * (cards * (rest - 5))[:, None, None]
    ways[:NO_CARD, NO_CARD], ways[NO_CARD, :NO_CARD] = alone, alone
    ways[:NO_CARD, :NO_CARD] = _without_two(cards, partners, one_pairs, one)
    plan = _plan()
    found = np.zeros(len(third_card_plan().endings), np.int64)
    np.add.at(found, plan[4], ways[plan[0], plan[1], plan[2], plan[3]])
    return {ending: n for ending, n in zip(third_card_plan().endings, found.tolist(), strict=True) if n}


def _without_two(cards: Array, partners: Array, pairs: Array, one: Array) -> Array:
    """Return the deals by both third cards and both totals, from those without the first of them."""
    left = partners[None] - _OUT
    own, other = left.transpose(0, 2, 1)[:, :, :, None], left.transpose(0, 2, 1)[:, :, None, :]
    third = np.arange(10)[:, None, None, None]
    beside = left[third, _DIGITS[None, None, None, :], _REST.T[None, :, :, None]]
    beneath = left[third, _DIGITS[None, None, :, None], _REST.T[None, :, None, :]]
    lost = own * (pairs[:, None, None, :] - 4 * other - 2 * beside + 4 * _SAME)
    lost += other * (pairs[:, None, :, None] - 2 * beneath)
    drawn = cards[:, None] * (cards - _SAME)
    return drawn[:, :, None, None] * (one[:, None] - 2 * lost)


@cache
def _plan() -> tuple[Array, ...]:
    """Return third cards, totals and endings of all that the Table of Play allows, each as one array."""
    first, second, starts, player, banker, ending = third_card_plan().lists
    lengths = np.diff(starts)
    return np.repeat(first, lengths), np.repeat(second, lengths), np.array(player), np.array(banker), np.array(ending)
