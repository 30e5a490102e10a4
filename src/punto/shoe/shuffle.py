"""Fisher-Yates with rejection over an HMAC-SHA256 counter stream: every order of n cards is as likely as any other."""

from __future__ import annotations

import hmac
import struct
from collections.abc import Iterator
from itertools import count

from punto.shoe.encoding import ShoeError

WORDS = 1 << 16
"""How many values a word of the stream has.

Two bytes and not four, on purpose: with so small a word about every second shoe of eight decks meets a word that must
be rejected, so that a program which forgets the rejection soon disagrees instead of passing by luck.
"""

_BLOCK = struct.Struct(">16H")


def words(key: bytes) -> Iterator[int]:
    """The stream of a key: HMAC-SHA256 of 0, 1, 2, ... as eight bytes each, cut into words of two, highest first."""
    for counter in count():
        yield from _BLOCK.unpack(hmac.digest(key, counter.to_bytes(8, "big"), "sha256"))


def draw(bound: int, stream: Iterator[int]) -> int:
    """A whole number from 0 up to but not including ``bound``, each as likely as any other.

    A word that falls into the incomplete last run of ``bound`` values is passed over, or low numbers would be favoured.
    """
    if not 1 <= bound <= WORDS:
        raise ShoeError(f"a word of the stream decides among 1 to {WORDS}, not {bound}")
    usable = WORDS - WORDS % bound
    return next(word for word in stream if word < usable) % bound


def shuffle(n: int, stream: Iterator[int]) -> list[int]:
    """The numbers 0 to n - 1 in a random order. From the last place to the second, each swaps with one not after it."""
    order = list(range(n))
    for last in range(n - 1, 0, -1):
        chosen = draw(last + 1, stream)
        order[last], order[chosen] = order[chosen], order[last]
    return order
