"""Is every card equally likely at every position, and is every card there?"""

from __future__ import annotations

import numpy as np

from punto.evidence.randomness.card_sample import KINDS, CardSample, Whole
from punto.evidence.randomness.probabilities import RandomnessResult, chi_square, too_few

LEAST_SHOES = 5


def position_counts(sample: CardSample) -> Whole:
    """Return how often each kind of card was at each position: kinds in rows, positions in columns."""
    positions = np.arange(sample.cards.shape[1])
    counts = [np.bincount(sample.cards[sample.seen[:, at], at].astype(np.int64), minlength=KINDS) for at in positions]
    return np.array(counts).T


def positions(sample: CardSample) -> RandomnessResult:
    """Chi-square of all kinds of cards at all positions.

    Mean and variance are exact for shoes without replacement; with them the statistic is scaled to a chi-square.
    """
    counts = position_counts(sample)
    counts = counts[:, counts.sum(axis=0) >= LEAST_SHOES]
    columns = counts.shape[1]
    if not columns:
        return too_few("cards.position", sample.shoes, LEAST_SHOES)
    shoes = counts.sum(axis=0)
    statistic = float(((counts - shoes / KINDS) ** 2 / (shoes / KINDS)).sum())
    mean = (KINDS - 1) * columns
    between = 1 + (columns - 1) / (sample.size - 1) ** 2
    variance = 2 * (KINDS - 1) * float((1 - 1 / shoes).sum()) * between
    scale = variance / (2 * mean)
    return chi_square("cards.position", statistic / scale, mean / scale, int(shoes.sum()))


def composition(sample: CardSample) -> RandomnessResult:
    """Is each kind of card there as often as it should be?

    In a shoe that is seen whole, and for a kind seen more often than the decks hold it, there is no chance about it.
    """
    counts = np.array([np.bincount(row[row >= 0].astype(np.int64), minlength=KINDS) for row in sample.cards])
    code, seen, size = "cards.composition", sample.lengths, sample.size
    whole = seen == size
    if (counts > sample.decks).any() or (counts[whole] != sample.decks).any():
        return RandomnessResult(code, None, None, 0.0, int(seen.sum()))
    variance = float((seen * (size - seen) / (size - 1)).sum()) / KINDS
    if not variance:
        return RandomnessResult(code, 0.0, None, 1.0, int(seen.sum()))
    if sample.shoes < LEAST_SHOES:
        return too_few(code, sample.shoes, LEAST_SHOES)
    statistic = float(((counts.sum(axis=0) - seen.sum() / KINDS) ** 2).sum()) / variance
    return chi_square(code, statistic, KINDS - 1, int(seen.sum()))
