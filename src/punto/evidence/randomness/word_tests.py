"""The raw stream: words of 16 bits that should be independent, every value equally likely."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import comb, factorial

import numpy as np

from punto.evidence.randomness.card_sample import Floats
from punto.evidence.randomness.card_sequences import PATTERN, pattern_counts
from punto.evidence.randomness.probabilities import RandomnessResult, chi_square, frequencies, largest, too_few
from punto.evidence.randomness.repetition import repeated_words
from punto.evidence.randomness.shoe_source import Words

BITS, BYTE, NIBBLE = 16, 256, 16
RUN_BLOCK, GAP_SHARE, LONGEST_GAP = 8, 8, 48
COUPON_KINDS, COUPON_BLOCK = 8, 64
COUPONS = (8, 12, 14, 16, 18, 20, 23, 27, 33, COUPON_BLOCK + 1)
LAGS = 64
POSITIONS = 256
LEAST_WORDS = 30_000
LEAST_SHOES = 200


def word_tests(words: Words) -> list[RandomnessResult]:
    """Ask the raw stream everything."""
    stream, shoes = words.ravel(), len(words)
    tests = (
        bits,
        values,
        serial_words,
        runs_up,
        word_gaps,
        word_coupons,
        word_patterns,
        overlapping_nibbles,
        word_lags,
    )
    if stream.size < LEAST_WORDS:
        needs = -(-LEAST_WORDS // words.shape[1])
        codes = ("bits", "values", "serial", "runs", "gap", "coupon", "permutation", "overlaps", "interplay_lags")
        asked = [too_few(f"words.{code}", shoes, needs) for code in codes]
    else:
        asked = [test(stream) for test in tests]
    return [*asked, *_word_interplay(words), repeated_words(words)]


def secret_tests(words: Words) -> list[RandomnessResult]:
    """Ask the words of secrets the same, before a cut is combined with them: it would hide any fault of theirs."""
    return [replace(each, code=each.code.replace("words.", "secret.", 1)) for each in word_tests(words)]


def bits(stream: Words) -> RandomnessResult:
    """Is each of the sixteen bits set half of the time?"""
    ones = np.array([np.count_nonzero(stream & np.uint16(1 << bit)) for bit in range(BITS)])
    return chi_square("words.bits", float((4 * (ones - stream.size / 2) ** 2 / stream.size).sum()), BITS, stream.size)


def values(stream: Words) -> RandomnessResult:
    """Is every value of a word equally likely; with few words, every value of a byte?"""
    whole = stream.size >= 5 << BITS
    parts, kinds = (stream, 1 << BITS) if whole else (stream.view(np.uint8), BYTE)
    return frequencies("words.values", np.bincount(parts, minlength=kinds), 1 / kinds)


def serial_words(stream: Words) -> RandomnessResult:
    """Does a word tell the next? Pairs that do not overlap, by their upper four and lower four bits."""
    pairs = stream[: stream.size // 2 * 2].reshape(-1, 2).astype(np.int64)
    parts = (pairs >> 12) * NIBBLE + pairs % NIBBLE
    if len(parts) >= 5 * BYTE**2:
        return frequencies("words.serial", np.bincount(parts[:, 0] * BYTE + parts[:, 1], minlength=BYTE**2), BYTE**-2)
    upper = parts // NIBBLE
    return frequencies("words.serial", np.bincount(upper[:, 0] * NIBBLE + upper[:, 1], minlength=BYTE), 1 / BYTE)


def runs_up(stream: Words) -> RandomnessResult:
    """How long do words rise? From every eighth word on, so that runs are independent."""
    blocks = stream[: stream.size // RUN_BLOCK * RUN_BLOCK].reshape(-1, RUN_BLOCK)
    rises = blocks[:, 1:] > blocks[:, :-1]
    length = np.where(rises.all(axis=1), RUN_BLOCK, rises.argmin(axis=1) + 1)
    longest = 6
    at_least = [1 / factorial(run) for run in range(1, longest + 1)] + [0.0]
    counts = np.bincount(np.minimum(length, longest), minlength=longest + 1)[1:]
    return frequencies("words.runs", counts, [more - fewer for more, fewer in pairwise(at_least)])


def word_gaps(stream: Words) -> RandomnessResult:
    """How far apart are words in the lowest eighth?"""
    gaps = np.minimum(np.diff(np.flatnonzero(stream < (1 << BITS) // GAP_SHARE)), LONGEST_GAP)
    others = 1 - 1 / GAP_SHARE
    chances = [others ** (gap - 1) / GAP_SHARE for gap in range(1, LONGEST_GAP)] + [others ** (LONGEST_GAP - 1)]
    return frequencies("words.gap", np.bincount(gaps, minlength=LONGEST_GAP + 1)[1:], chances)


def word_coupons(stream: Words) -> RandomnessResult:
    """How many words does it take until their upper three bits have had all eight values?"""
    blocks = (stream[: stream.size // COUPON_BLOCK * COUPON_BLOCK] >> 13).reshape(-1, COUPON_BLOCK)
    there = [blocks == kind for kind in range(COUPON_KINDS)]
    first = [np.where(each.any(axis=1), each.argmax(axis=1) + 1, COUPON_BLOCK) for each in there]
    counts = np.histogram(np.maximum.reduce(first), COUPONS)[0]
    return frequencies("words.coupon", counts, word_coupon_chances())


def word_coupon_chances() -> Floats:
    """Return the exact chance of each class of waiting times."""

    def within(words: int) -> float:
        ways = sum((-1) ** out * comb(COUPON_KINDS, out) * (COUPON_KINDS - out) ** words for out in range(COUPON_KINDS))
        return float(ways / COUPON_KINDS**words)

    done = [within(bound - 1) for bound in COUPONS[:-1]] + [1.0]
    return np.array([high - low for low, high in pairwise(done)])


def word_patterns(stream: Words) -> RandomnessResult:
    """Is every order of four words equally likely?"""
    counts = pattern_counts(stream[: stream.size // PATTERN * PATTERN].reshape(-1, PATTERN))
    return frequencies("words.permutation", counts, 1 / len(counts))


def overlapping_nibbles(stream: Words) -> RandomnessResult:
    """Do three groups of four bits in a row tell more than two do? Good's difference of overlapping tuples."""
    octets = stream.astype(">u2").view(np.uint8)
    nibbles = np.stack([octets >> 4, octets & 15], axis=1).ravel().astype(np.int64)
    misfits = []
    for width in (3, 2):
        code = np.zeros_like(nibbles)
        for at in range(width):
            code = code * NIBBLE + np.roll(nibbles, -at)
        expected = nibbles.size / NIBBLE**width
        misfits.append(float(((np.bincount(code, minlength=NIBBLE**width) - expected) ** 2 / expected).sum()))
    return chi_square("words.overlaps", misfits[0] - misfits[1], NIBBLE**3 - NIBBLE**2, nibbles.size)


def word_lags(stream: Words) -> RandomnessResult:
    """Do words at distances up to 64 go together?"""
    centred = _centred(stream)
    squares = [float((centred[lag:] @ centred[:-lag]) ** 2 / (stream.size - lag)) for lag in range(1, LAGS + 1)]
    return chi_square("words.interplay_lags", sum(squares), LAGS, stream.size)


def _centred(words: Words) -> Floats:
    mean, spread = ((1 << BITS) - 1) / 2, np.sqrt(((1 << 2 * BITS) - 1) / 12)
    return np.divide(words.astype(np.float64) - mean, spread)


def _word_interplay(words: Words) -> list[RandomnessResult]:
    """Does a word of a shoe tell another of the same shoe, or one of the next shoe?"""
    codes = ("words.interplay_pairs", "words.interplay_next_shoe")
    if len(words) <= LEAST_SHOES:
        return [too_few(code, len(words), LEAST_SHOES + 1) for code in codes]
    centred = _centred(words[:, :POSITIONS])
    within = np.triu(centred.T @ centred, 1) / np.sqrt(len(words))
    across = centred[:-1].T @ centred[1:] / np.sqrt(len(words) - 1)
    among = POSITIONS * (POSITIONS - 1) // 2
    return [
        largest(codes[0], float(np.abs(within).max()), among, len(words)),
        largest(codes[1], float(np.abs(across).max()), across.size, len(words) - 1),
    ]
