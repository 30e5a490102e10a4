"""Cards that follow each other within a shoe: pairs, triples, runs, gaps, coupons and order patterns.

All expectations are exact for cards dealt without replacement. Where cards were not seen, those that were seen are
taken as they followed each other: any part of a random order, chosen without looking, is a random order.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from math import comb

import numpy as np
import numpy.typing as npt

from punto.evidence.randomness.card_sample import RANKS, SUITS, CardSample, Floats, Whole, ranks, suits
from punto.evidence.randomness.probabilities import (
    RandomnessResult,
    chi_square,
    frequencies,
    mean_of_shoes,
    too_few,
)

LONGEST_RUN = 6
GAPS = (1, 2, 4, 7, 11, 16, 24)
"""The shortest gap of each class; those beyond the last class follow from the others."""
COUPON_BLOCK = 32
COUPONS = (5, 6, 7, 8, 10, 13)
"""The shortest wait for all suits of each class but the first, which follows from the others."""
PATTERN = 4
LEAST_EXPECTED = 5


def falling(number: int, factors: int) -> float:
    """Return number · (number − 1) · ... with so many factors."""
    product = 1.0
    for step in range(factors):
        product *= max(number - step, 0)
    return product


def _tuples(values: npt.NDArray[np.int8], width: int, kinds: int) -> Whole:
    """Return how often each overlapping tuple of known values occurs."""
    parts = [values[:, at : values.shape[1] - width + 1 + at].astype(np.int64) for at in range(width)]
    known = np.logical_and.reduce([part >= 0 for part in parts])
    code = np.zeros_like(parts[0])
    for part in parts:
        code = code * kinds + part
    return np.bincount(code[known], minlength=kinds**width)


def tuple_chances(width: int, kinds: int, size: int) -> Floats:
    """Return the chance of each tuple of kinds among cards that follow each other in a full shoe."""
    each = size // kinds
    chances = np.empty(kinds**width)
    for code in range(kinds**width):
        digits = [code // kinds**at % kinds for at in range(width)]
        ways = np.prod([falling(each, digits.count(kind)) for kind in set(digits)])
        chances[code] = ways / falling(size, width)
    return chances


def _misfit(values: npt.NDArray[np.int8], width: int, kinds: int, size: int) -> tuple[float, int]:
    """Return the sum of squared misfits of overlapping tuples, and how many tuples there are."""
    counts = _tuples(values, width, kinds)
    expected = counts.sum() * tuple_chances(width, kinds, size)
    return float(((counts - expected) ** 2 / expected).sum()), int(counts.sum())


def serial(sample: CardSample) -> RandomnessResult:
    """Does the rank of a card tell the rank of the next?"""
    statistic, pairs = _misfit(ranks(sample.packed), 2, RANKS, sample.size)
    if pairs < LEAST_EXPECTED * RANKS**2:
        return too_few("cards.serial", sample.shoes, -(-LEAST_EXPECTED * RANKS**2 // sample.size) + 1)
    return chi_square("cards.serial", statistic, (RANKS - 1) ** 2, pairs)


def overlaps(sample: CardSample) -> RandomnessResult:
    """Do three suits in a row tell more than two in a row do? Good's difference of overlapping tuples."""
    triples, count = _misfit(suits(sample.packed), 3, SUITS, sample.size)
    pairs, _ = _misfit(suits(sample.packed), 2, SUITS, sample.size)
    if count < LEAST_EXPECTED * SUITS**3:
        return too_few("cards.overlaps", sample.shoes, -(-LEAST_EXPECTED * SUITS**3 // sample.size) + 1)
    return chi_square("cards.overlaps", triples - pairs, SUITS**3 - SUITS**2 - SUITS + 1, count)


def runs(sample: CardSample) -> RandomnessResult:
    """Are runs of one colour as long as they should be?"""
    suit = suits(sample.packed)
    red = np.where(suit < 0, -1, suit % 2)  # spades, hearts, clubs, diamonds
    counts = run_counts(red, sample.in_use())
    expected = np.array([run_expectation(int(length), sample.size) for length in sample.lengths])
    return mean_of_shoes("cards.runs", counts - expected)


def run_counts(colour: npt.NDArray[np.signedinteger], in_use: npt.NDArray[np.bool_]) -> Floats:
    """Return for each shoe how many runs have each length from 1 to one below the longest that is told apart."""
    shoes, places = colour.shape
    follows = np.zeros((shoes, places), bool)
    follows[:, 1:] = (colour[:, 1:] == colour[:, :-1]) & in_use[:, 1:]
    starts = np.argwhere(in_use & ~follows)
    ends = np.append(starts[1:, 0] * places + starts[1:, 1], 0)
    lasts = np.append(starts[1:, 0] != starts[:-1, 0], True)
    flat = starts[:, 0] * places + starts[:, 1]
    stop = np.where(lasts, starts[:, 0] * places + in_use.sum(axis=1)[starts[:, 0]], ends)
    return _per_shoe(starts[:, 0], stop - flat, shoes, range(1, LONGEST_RUN))


def run_expectation(length: int, size: int) -> Floats:
    """Return the exact expectation of ``run_counts`` for a shoe of ``size`` cards of which ``length`` are seen."""
    half, found = size // 2, []
    for run in range(1, LONGEST_RUN):
        inside = (length - run - 1) * falling(half, run) * falling(half, 2) / falling(size, run + 2)
        edges = 2 * falling(half, run) * half / falling(size, run + 1)
        found.append(2 * (inside + edges) if length > run else 0.0)
    return np.array(found)


def _per_shoe(shoe: Whole, value: Whole, shoes: int, values: range) -> Floats:
    counts = np.zeros((shoes, len(values)))
    inside = (value >= values.start) & (value < values.stop)
    np.add.at(counts, (shoe[inside], value[inside] - values.start), 1)
    return counts


def gaps(sample: CardSample) -> RandomnessResult:
    """Are cards of one rank as far apart as they should be?"""
    rank = ranks(sample.packed)
    counts = gap_counts(rank)
    expected = np.array([gap_expectation(int(length), sample.size) for length in sample.lengths])
    return mean_of_shoes("cards.gap", counts - expected)


def gap_counts(rank: npt.NDArray[np.int8]) -> Floats:
    """Return for each shoe how many gaps between cards of one rank fall into each class."""
    shoes = len(rank)
    counts = np.zeros((shoes, len(GAPS) - 1))
    for kind in range(RANKS):
        at = np.argwhere(rank == kind)
        same = at[1:, 0] == at[:-1, 0]
        shoe, gap = at[1:, 0][same], (at[1:, 1] - at[:-1, 1])[same]
        counts += _classes(_per_shoe(shoe, gap, shoes, range(1, GAPS[-1])), GAPS)
    return counts


def _classes(counts: Floats, bounds: tuple[int, ...]) -> Floats:
    """Add up columns, of values from the first bound on, into classes."""
    first = bounds[0]
    return np.stack([counts[..., low - first : high - first].sum(axis=-1) for low, high in pairwise(bounds)], axis=-1)


def gap_expectation(length: int, size: int) -> Floats:
    """Return the exact expectation of ``gap_counts``."""
    each, found = size // RANKS, []
    for gap in range(1, GAPS[-1]):
        between = falling(size - each, gap - 1)
        found.append(RANKS * max(length - gap, 0) * falling(each, 2) * between / falling(size, gap + 1))
    return _classes(np.array(found), GAPS)


def coupons(sample: CardSample) -> RandomnessResult:
    """Does it take as many cards as it should until all four suits have come?"""
    counts = coupon_counts(suits(sample.packed), sample.in_use())
    blocks = sample.lengths // COUPON_BLOCK
    return mean_of_shoes("cards.coupon", counts - blocks[:, None] * coupon_chances(sample.size))


def coupon_counts(suit: npt.NDArray[np.int8], in_use: npt.NDArray[np.bool_]) -> Floats:
    """Return for each shoe how many of its blocks wait for the last suit as long as each class."""
    shoes, blocks = len(suit), suit.shape[1] // COUPON_BLOCK
    cards = suit[:, : blocks * COUPON_BLOCK].reshape(shoes, blocks, COUPON_BLOCK)
    whole = in_use[:, : blocks * COUPON_BLOCK].reshape(shoes, blocks, COUPON_BLOCK).all(axis=2)
    there = [cards == kind for kind in range(SUITS)]
    first = [np.where(each.any(axis=2), each.argmax(axis=2) + 1, COUPON_BLOCK + 1) for each in there]
    wait = np.maximum.reduce(first)
    bounds = (*COUPONS, COUPON_BLOCK + 2)
    return np.stack([((wait >= low) & (wait < high) & whole).sum(axis=1) for low, high in pairwise(bounds)], axis=1)


def coupon_chances(size: int) -> Floats:
    """Return the exact chance of each class of waiting times, by inclusion and exclusion."""

    def within(cards: int) -> float:
        ways = sum((-1) ** out * comb(SUITS, out) * comb(size - out * size // SUITS, cards) for out in range(SUITS))
        return float(ways / comb(size, cards))

    done = [within(low - 1) for low in COUPONS]
    return np.array([high - low for low, high in pairwise([*done, 1.0])])


def patterns(sample: CardSample) -> RandomnessResult:
    """Is every order of four cards of different ranks equally likely? Each group of four is independent of the rest."""
    groups = sample.packed.shape[1] // PATTERN
    cards = ranks(sample.packed)[:, : groups * PATTERN].reshape(-1, PATTERN)
    counts = pattern_counts(cards[(cards >= 0).all(axis=1)])
    if counts.sum() < LEAST_EXPECTED * len(counts):
        return too_few("cards.permutation", sample.shoes, sample.shoes + 1)
    return frequencies("cards.permutation", counts, 1 / len(counts))


def pattern_counts(groups: npt.NDArray[np.integer]) -> Whole:
    """Return how often each order pattern occurs among groups of four different values; other groups are left out."""
    rank = np.zeros(groups.shape, np.int64)
    tied = np.zeros(len(groups), bool)
    for one in range(PATTERN):
        for other in range(PATTERN):
            rank[:, one] += groups[:, one] > groups[:, other]
            tied |= (groups[:, one] == groups[:, other]) & (one != other)
    code = rank[~tied] @ (PATTERN ** np.arange(PATTERN))
    found = np.unique(code, return_counts=True)[1]
    every = 24
    return np.concatenate([found, np.zeros(every - len(found), np.int64)])


CARD_SEQUENCES: tuple[Callable[[CardSample], RandomnessResult], ...] = (
    serial,
    overlaps,
    runs,
    gaps,
    coupons,
    patterns,
)
