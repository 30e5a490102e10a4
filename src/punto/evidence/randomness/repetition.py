"""Does a stretch of cards or words come twice? It does when a seed is used again, wherever the shoe was cut."""

from __future__ import annotations

import numpy as np

from punto.evidence.randomness.card_sample import KINDS, CardSample
from punto.evidence.randomness.probabilities import RandomnessResult, rare
from punto.evidence.randomness.shoe_source import Words

CARDS = 11
"""The most cards whose kinds fit into a number of 64 bits."""
WORDS = 4


def repeated_cards(sample: CardSample) -> RandomnessResult:
    """Count how many stretches of eleven cards were met before."""
    cards, width = sample.packed, sample.packed.shape[1] - CARDS + 1
    code = np.zeros((sample.shoes, max(width, 0)), np.uint64)
    known = np.ones(code.shape, bool)
    for at in range(CARDS):
        part = cards[:, at : at + width]
        known &= part >= 0
        code = code * np.uint64(KINDS) + part.astype(np.uint64)
    return _repeated("cards.duplicates", code[known], float(KINDS) ** CARDS)


def repeated_words(words: Words) -> RandomnessResult:
    """Count how many stretches of four words were met before."""
    width = words.shape[1] - WORDS + 1
    code = np.zeros((len(words), width), np.uint64)
    for at in range(WORDS):
        code = (code << np.uint64(16)) | words[:, at : at + width].astype(np.uint64)
    return _repeated("words.duplicates", code.ravel(), 2.0**64)


def _repeated(code: str, stretches: np.ndarray[tuple[int], np.dtype[np.uint64]], possible: float) -> RandomnessResult:
    ordered = np.sort(stretches)
    found = int(np.count_nonzero(ordered[1:] == ordered[:-1]))
    return rare(code, found, len(ordered) * (len(ordered) - 1) / 2 / possible, len(ordered))
