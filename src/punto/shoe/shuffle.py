"""Fisher-Yates with rejection over a stream of words: every order of n cards is equally likely.

The words of a sealed shoe are those of its secret, each combined by exclusive or with a word that the patrons' cut
gives. So a secret left to chance gives an even order whatever the cut is, and a house that chose its secret could not
choose the order.
"""

from __future__ import annotations

import hmac
import struct
from collections.abc import Iterator
from itertools import count
from operator import xor

from punto.shoe.encoding import Format, ShoeError, pack

WORDS = 1 << 16
"""The number of values of a word of the stream.

Two bytes and not four, on purpose: with so small a word about every second shoe of eight decks meets a word that must
be rejected, so that a program which forgets the rejection soon disagrees instead of passing by luck.
"""

_BLOCK = struct.Struct(">16H")


class OutOfWords(ShoeError):
    """The words of a shoe did not suffice for a shuffle: it has no order, and is spoiled."""

    def __init__(self) -> None:
        super().__init__("the words of this shoe ran out before its cards were shuffled: it has no order")


def words(key: bytes) -> Iterator[int]:
    """Yield the stream of a key: HMAC-SHA256 of 0, 1, 2, ... as eight bytes each, cut into big-endian words of two."""
    for counter in count():
        yield from _BLOCK.unpack(hmac.digest(key, counter.to_bytes(8, "big"), "sha256"))


def words_of(version: Format, secret: bytes, cut: bytes) -> Iterator[int]:
    """Yield the words from which a sealed shoe is shuffled, by its secret and the digest of the cut that counts."""
    if version is Format.ONE:
        return words(hmac.digest(secret, pack(f"{version} key", cut), "sha256"))
    own = struct.unpack(f">{len(secret) // 2}H", secret)
    return map(xor, own, words(cut))


def draw(bound: int, stream: Iterator[int]) -> int:
    """Return a uniform whole number from 0 up to but not including ``bound``.

    A word in the incomplete last run of ``bound`` values is skipped, or low numbers would be favoured. Raise
    ``OutOfWords`` if no word is left.
    """
    if not 1 <= bound <= WORDS:
        raise ShoeError(f"a word of the stream decides among 1 to {WORDS}, not {bound}")
    usable = WORDS - WORDS % bound
    for word in stream:
        if word < usable:
            return word % bound
    raise OutOfWords


def shuffle(n: int, stream: Iterator[int]) -> list[int]:
    """Return the numbers 0 to n - 1 in random order. From the last place to the second, each swaps with one not after
    it.
    """
    order = list(range(n))
    for last in range(n - 1, 0, -1):
        chosen = draw(last + 1, stream)
        order[last], order[chosen] = order[chosen], order[last]
    return order
