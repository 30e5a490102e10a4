"""Where card orders under test come from. All that depends on the construction of a shoe is in this file."""

from __future__ import annotations

import hmac
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice

import numpy as np
import numpy.typing as npt

from punto.cards import DECK
from punto.shoe.cut import Cut
from punto.shoe.encoding import FORMAT, pack
from punto.shoe.hidden_shoe import PRACTICE
from punto.shoe.seal import seal
from punto.shoe.secret import Secret, new_secret
from punto.shoe.shuffle import shuffle, words

Orders = npt.NDArray[np.int16]
"""One shoe in each row: the number of the card at each position, from 0 up to but not including the number of cards.

Card number i is ``DECK[i % 52]``.
"""
Words = npt.NDArray[np.uint16]
"""One shoe in each row: the words of 16 bits that its shuffle reads, in order."""


@dataclass(frozen=True)
class Drawn:
    """Shoes drawn for a test: their orders, and the words that decided them."""

    orders: Orders
    words: Words


def draw_shoes(shoes: int, decks: int, seed: int | None = None) -> Drawn:
    """Shuffle shoes exactly as a table does: each from a fresh secret of the operating system and an empty cut.

    With a seed they are practice shoes of that seed: the same in every run.
    """
    cards = len(DECK) * decks
    orders = np.empty((shoes, cards), np.int16)
    raw = np.empty((shoes, 2 * (cards - 1)), np.uint16)
    for at in range(shoes):
        key = fresh_key(decks) if seed is None else practice_key(seed, decks, at + 1)
        orders[at] = order_of(key, cards)
        raw[at] = list(islice(stream_of(key), raw.shape[1]))
    return Drawn(orders, raw)


def fresh_key(decks: int) -> bytes:
    """Return the key of a new sealed shoe that no patron cut."""
    secret = new_secret()
    return sealed_key(secret, Cut(seal(secret, "rng-evidence", decks)).close_list())


def sealed_key(secret: Secret, cut: Cut) -> bytes:
    """Return the key from which a sealed shoe is shuffled."""
    return hmac.digest(secret.disclose(), pack(f"{FORMAT} key", cut.value), "sha256")


def practice_key(seed: int, decks: int, number: int) -> bytes:
    """Return the key from which a practice shoe is shuffled."""
    return sha256(pack(f"{PRACTICE} key", str(seed), str(number), str(decks))).digest()


def stream_of(key: bytes) -> Iterator[int]:
    """Return the words that a shuffle reads."""
    return words(key)


def order_of(key: bytes, cards: int) -> list[int]:
    """Return the order that a key gives, by the shuffle that tables use."""
    return shuffle(cards, stream_of(key))
