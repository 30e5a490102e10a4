"""The draws behind an order: is a word scaled to a number below a bound without favouring any?

A shuffle of Fisher and Yates can be run backwards, so its draws follow from the order alone.
"""

from __future__ import annotations

import numpy as np

from punto.evidence.randomness.card_sample import Floats, Whole
from punto.evidence.randomness.probabilities import RandomnessResult, frequencies, normal
from punto.evidence.randomness.shoe_source import Orders

WORD = 1 << 16
PARTS = 16


def draws_of(orders: Orders) -> Whole:
    """Return the number drawn for each place, from the last to the second: column i was drawn below cards - i."""
    shoes, cards = orders.shape
    order = np.tile(np.arange(cards), (shoes, 1))
    place = order.copy()  # where each card lies
    rows, draws = np.arange(shoes), np.empty((shoes, cards - 1), np.int64)
    for last in range(cards - 1, 0, -1):
        card = orders[:, last].astype(np.int64)
        drawn = place[rows, card]
        draws[:, cards - 1 - last] = drawn
        moved = order[:, last].copy()
        order[rows, drawn], place[rows, moved] = moved, drawn
    return draws


def scaling(draws: Whole) -> RandomnessResult:
    """Are numbers favoured that a remainder without rejection would favour: those below 65,536 modulo the bound?

    Each draw counts by how much such a fault would change it, which finds it with the fewest shoes.
    """
    shoes, steps = draws.shape
    bounds = np.arange(steps + 1, 1, -1)
    favoured = WORD % bounds
    chance = favoured / bounds
    low = (draws < favoured).mean(axis=0)
    weight: Floats = np.where(favoured > 0, bounds / WORD, 0.0)
    spread = np.sqrt((weight**2 * chance * (1 - chance)).sum() / shoes)
    return normal("draws.scaling", float((weight * (low - chance)).sum() / spread), draws.size)


def uniform(draws: Whole) -> RandomnessResult:
    """Are draws spread evenly below their bounds? For bounds that sixteen divides, in sixteenths."""
    bounds = np.arange(draws.shape[1] + 1, 1, -1)
    even = bounds % PARTS == 0
    parts = draws[:, even] * PARTS // bounds[even]
    return frequencies("draws.uniform", np.bincount(parts.ravel(), minlength=PARTS), 1 / PARTS)
