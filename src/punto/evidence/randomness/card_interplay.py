"""Does a card tell of another: at another position of its shoe, or in the shoe that comes next?"""

from __future__ import annotations

import numpy as np

from punto.evidence.randomness.card_sample import KINDS, CardSample, Floats, Known, ranks
from punto.evidence.randomness.probabilities import RandomnessResult, largest, mean_of_shoes, too_few

LAGS = (1, 2, 3, 4, 5, 6, 8, 12, 13, 16, 26, 32, 52, 104, 208)
"""Distances at which positions are compared: the next cards, rounds, suits, and decks."""
WINDOWS = ((1, 2), (3, 8), (9, 32), (33, 128))
"""How far apart, in the next shoe, two cards are looked for that lay together in this one."""
LEAST_SHOES = 200
"""Fewer shoes leave the correlation of two positions too far from normal in the tails."""


def _values(sample: CardSample) -> Floats:
    """Return ranks with mean 0 and variance 1 over a full shoe, 0 where a card was not seen."""
    rank = ranks(sample.cards).astype(float)
    return np.where(sample.seen, (rank - 6) / np.sqrt(14), 0.0)


def lags(sample: CardSample) -> RandomnessResult:
    """Do ranks at fixed distances go together? Exactly, their product is -1 / (cards - 1) on average."""
    values, seen = _values(sample), sample.seen.astype(float)
    differences = []
    for lag in (lag for lag in LAGS if lag < sample.size // 2 + 1):
        products = (values[:, lag:] * values[:, :-lag]).sum(axis=1)
        pairs = (seen[:, lag:] * seen[:, :-lag]).sum(axis=1)
        differences.append(products + pairs / (sample.size - 1))
    return mean_of_shoes("cards.interplay_lags", np.array(differences).T)


def pair_correlations(sample: CardSample) -> Floats:
    """Return for every two positions how far their ranks go together, in standard deviations."""
    return _standardised(_values(sample), _values(sample), sample.seen, sample.seen, -1 / (sample.size - 1))


def next_shoe_correlations(sample: CardSample) -> Floats:
    """Return the same for a position of a shoe (rows) and one of the next shoe (columns)."""
    values, seen = _values(sample), sample.seen
    return _standardised(values[:-1], values[1:], seen[:-1], seen[1:], 0.0)


def _standardised(one: Floats, other: Floats, seen: Known, seen_too: Known, expected: float) -> Floats:
    both = seen.astype(np.float32).T @ seen_too.astype(np.float32)
    sums = one.astype(np.float32).T @ other.astype(np.float32)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(both >= LEAST_SHOES, (sums - expected * both) / np.sqrt(both), 0.0)


def pairs(sample: CardSample) -> RandomnessResult:
    """The largest correlation of two positions of a shoe."""
    if sample.shoes < LEAST_SHOES:
        return too_few("cards.interplay_pairs", sample.shoes, LEAST_SHOES)
    found = pair_correlations(sample)[np.triu_indices(sample.cards.shape[1], 1)]
    return largest("cards.interplay_pairs", float(np.abs(found).max()), len(found), sample.shoes)


def next_shoe(sample: CardSample) -> RandomnessResult:
    """The largest correlation of a position of a shoe and a position of the next."""
    if sample.shoes <= LEAST_SHOES:
        return too_few("cards.interplay_next_shoe", sample.shoes, LEAST_SHOES + 1)
    found = next_shoe_correlations(sample)
    return largest("cards.interplay_next_shoe", float(np.abs(found).max()), found.size, sample.shoes - 1)


def neighbour_surplus(sample: CardSample) -> Floats:
    """Return, for each shoe but the first, how many neighbours of the shoe before were met, above what is expected.

    Two kinds of cards that lay side by side are looked for at each distance of ``WINDOWS``, in the same order and in
    reverse. Expectations are exact for a random order, whatever the shoe before was.
    """
    found = np.zeros((sample.shoes - 1, 2 * len(WINDOWS)))
    share = sample.decks / (sample.size * (sample.size - 1))
    for at in range(1, sample.shoes):
        before, cards = sample.cards[at - 1].astype(np.int64), sample.cards[at].astype(np.int64)
        together = np.zeros((KINDS + 1, KINDS + 1))
        np.add.at(together, (before[:-1], before[1:]), 1)
        together[-1] = together[:, -1] = 0  # not seen
        chance = share * (sample.decks * together.sum() - np.trace(together))
        found[at - 1] = _surplus(cards, together, chance)
    return found


def _surplus(cards: np.ndarray[tuple[int], np.dtype[np.int64]], together: Floats, chance: float) -> list[float]:
    kept, reverse = [], []
    flat, width = together.ravel(), len(together)
    seen = cards >= 0
    rows = np.where(seen, cards, width - 1)
    for low, high in WINDOWS:
        one = two = 0.0
        for distance in range(low, min(high, len(cards) - 1) + 1):
            first, second = rows[:-distance], rows[distance:]
            expected = chance * np.count_nonzero(seen[:-distance] & seen[distance:])
            one += flat[first * width + second].sum() - expected
            two += flat[second * width + first].sum() - expected
        kept.append(one)
        reverse.append(two)
    return kept + reverse


def neighbours(sample: CardSample) -> list[RandomnessResult]:
    """Do cards that lay side by side in a shoe lie near each other in the next, as after too few riffles?"""
    names = [f"{low}_{high}" for low, high in WINDOWS]
    codes = [f"cards.neighbours_{name}" for name in names] + [f"cards.neighbours_reversed_{name}" for name in names]
    if sample.shoes < 2:
        return [too_few(code, sample.shoes, 21) for code in codes]
    surplus = neighbour_surplus(sample)
    return [mean_of_shoes(code, surplus[:, at]) for at, code in enumerate(codes)]
