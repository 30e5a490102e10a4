"""Fisher-Yates with rejection over an HMAC-SHA256 counter stream: every order of n cards is equally likely."""

from __future__ import annotations

import hmac
import struct
from collections.abc import Iterator
from itertools import count

from punto.shoe.encoding import ShoeError

WORDS = 1 << 16
"""The number of values of a word of the stream.

Two bytes and not four, on purpose: with so small a word about every second shoe of eight decks meets a word that must
be rejected, so that a program which forgets the rejection soon disagrees instead of passing by luck.
"""

_BLOCK = struct.Struct(">16H")


def words(key: bytes) -> Iterator[int]:
    """Yield the stream of a key: HMAC-SHA256 of 0, 1, 2, ... as eight bytes each, cut into big-endian words of two."""
    for counter in count():
        yield from _BLOCK.unpack(hmac.digest(key, counter.to_bytes(8, "big"), "sha256"))


def draw(bound: int, stream: Iterator[int]) -> int:
    """Return a uniform whole number from 0 up to but not including ``bound``.

    A word in the incomplete last run of ``bound`` values is skipped, or low numbers would be favoured.
    """
    if not 1 <= bound <= WORDS:
        raise ShoeError(f"a word of the stream decides among 1 to {WORDS}, not {bound}")
    usable = WORDS - WORDS % bound
    return next(word for word in stream if word < usable) % bound


def shuffle(n: int, stream: Iterator[int]) -> list[int]:
    """Return the numbers 0 to n - 1 in random order. From the last place to the second, each swaps with one not after
    it.
    """
    order = list(range(n))
    for last in range(n - 1, 0, -1):
        chosen = draw(last + 1, stream)
        order[last], order[chosen] = order[chosen], order[last]
    return order
