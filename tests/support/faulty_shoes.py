"""Faults planted into shoes, each as a programmer or a machine makes it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from punto.evidence.randomness.riffles import riffled_shoes
from punto.evidence.randomness.shoe_source import Drawn, draw_shoes, practice_words
from punto.shoe.shuffle import shuffle

CARDS = 416


def from_words(shoes: int, seed: int, mask: int = 0xFFFF, pool: int | None = None) -> Drawn:
    """Shoes whose words lack bits, or whose seeds come from a small pool."""
    orders, raw = [], []
    for at in range(shoes):
        words = [word & mask for word in practice_words(seed, 8, at % (pool or shoes))]
        orders.append(shuffle(CARDS, iter(words)))
        raw.append(words)
    return Drawn(np.array(orders, np.int16), np.array(raw, np.uint16))


def with_modulo_bias(shoes: int, seed: int, bits: int = 16) -> Drawn:
    """Shoes from words that are reduced by a remainder, and never rejected."""

    def order(stream: Iterator[int]) -> list[int]:
        cards = list(range(CARDS))
        for last in range(CARDS - 1, 0, -1):
            chosen = (next(stream) >> (16 - bits)) % (last + 1)
            cards[last], cards[chosen] = cards[chosen], cards[last]
        return cards

    raw = [practice_words(seed, 8, at) for at in range(shoes)]
    return Drawn(np.array([order(iter(words)) for words in raw], np.int16), np.array(raw, np.uint16))


def riffled(shoes: int, seed: int, passes: int = 5) -> Drawn:
    """Shoes of a machine that riffles; the words are honest, and nothing comes of them."""
    return Drawn(riffled_shoes(shoes, 8, passes, seed), draw_shoes(shoes, 8, seed).words)


def without_a_card(shoes: int, seed: int) -> Drawn:
    """Shoes in which one card was replaced by a copy of another."""
    drawn = draw_shoes(shoes, 8, seed)
    return Drawn(np.where(drawn.orders == 17, 18, drawn.orders).astype(np.int16), drawn.words)
