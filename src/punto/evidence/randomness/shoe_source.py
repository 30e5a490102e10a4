"""Where card orders under test come from. All that depends on the construction of a shoe is in this file."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from itertools import islice

import numpy as np
import numpy.typing as npt

from punto.cards import DECK
from punto.shoe.cut import Cut
from punto.shoe.encoding import NEWEST, pack, secret_size
from punto.shoe.hidden_shoe import PRACTICE
from punto.shoe.seal import seal
from punto.shoe.secret import Secret, new_secret
from punto.shoe.shuffle import shuffle, words, words_of

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
    secrets: Words | None = None
    """Of sealed shoes the words of their secrets, as the operating system gave them."""


def draw_shoes(shoes: int, decks: int, seed: int | None = None) -> Drawn:
    """Shuffle shoes exactly as a table does: each from a fresh secret of the operating system and an empty cut.

    With a seed they are practice shoes of that seed: the same in every run.
    """
    cards = len(DECK) * decks
    orders = np.empty((shoes, cards), np.int16)
    raw = np.empty((shoes, words_in(decks)), np.uint16)
    secrets = np.empty_like(raw)
    for at in range(shoes):
        if seed is not None:
            raw[at] = practice_words(seed, decks, at + 1)
        else:
            secret = new_secret(decks)
            secrets[at] = np.frombuffer(secret.disclose(), ">u2")
            raw[at] = sealed_words(secret, uncut(secret, decks))
        orders[at] = shuffle(cards, iter(raw[at].tolist()))
    return Drawn(orders, raw, secrets if seed is None else None)


def words_in(decks: int) -> int:
    """Return how many words a sealed shoe has."""
    return secret_size(NEWEST, decks) // 2


def uncut(secret: Secret, decks: int) -> Cut:
    """Return the cut of a new shoe that no patron cut."""
    return Cut(seal(secret, "rng-evidence", decks)).close_list()


def sealed_words(secret: Secret, cut: Cut) -> list[int]:
    """Return the words from which a sealed shoe is shuffled."""
    return list(words_of(NEWEST, secret.disclose(), cut.value))


def practice_words(seed: int, decks: int, number: int) -> list[int]:
    """Return the first words of a practice shoe's stream, as many as a sealed shoe has."""
    return list(islice(words(practice_key(seed, decks, number)), words_in(decks)))


def practice_key(seed: int, decks: int, number: int) -> bytes:
    """Return the key from which a practice shoe is shuffled."""
    return sha256(pack(f"{PRACTICE} key", str(seed), str(number), str(decks))).digest()
