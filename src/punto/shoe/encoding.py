"""The exact bytes that go into a digest, so that a program in any language computes the same one."""

from __future__ import annotations

import re
from enum import StrEnum
from hashlib import sha256
from struct import Struct


class Format(StrEnum):
    """The version of the scheme. It is part of every digest and every record: a change to the scheme is a new version.

    A shoe keeps the format it was sealed with, and its record verifies by that format for good.
    """

    ONE = "punto-shoe-1"
    """The secret is a key of 32 bytes, which is stretched to the words of the shuffle."""
    TWO = "punto-shoe-2"
    """The secret holds every word of the shuffle, so that every order of the cards can come."""


NEWEST = Format.TWO
"""The format of every shoe that is sealed now."""

SIZE = 32
"""Bytes in a nonce, a commitment, and every other digest."""

MOST_DECKS = 100
CARDS_IN_A_DECK = 52
_BYTES_IN_A_WORD = 2
_WORDS_FOR_A_SWAP = 2
"""One to be used and one to spare. A word is skipped at most once in 157 times with eight decks."""

NAME = r"[ -~]{1,100}"
"""Allowed names of shoes and patrons: printable ASCII, which is the same bytes everywhere."""


class ShoeError(ValueError):
    """An invalid step with a shoe or a cut. The message never contains a secret."""


length = Struct(">I").pack
"""Return a length as four bytes, big-endian."""


def pack(*fields: str | bytes) -> bytes:
    """Return the fields in order, each as its length and its bytes; text as UTF-8.

    The length prefix keeps a field from being taken for a part of its neighbour.
    """
    packed = b""
    for field in fields:
        raw = field.encode() if isinstance(field, str) else field
        packed += length(len(raw)) + raw
    return packed


def digest(version: Format, purpose: str, *fields: str | bytes) -> bytes:
    """Return the SHA-256 of the fields. The format and the purpose come first, so that no digest can serve as another
    kind of digest.
    """
    return sha256(pack(f"{version} {purpose}", *fields)).digest()


def secret_size(version: Format, decks: int) -> int:
    """Return how many bytes the secret of a shoe has."""
    if version is Format.ONE:
        return SIZE
    return (CARDS_IN_A_DECK * decks - 1) * _WORDS_FOR_A_SWAP * _BYTES_IN_A_WORD


def check_name(what: str, text: str) -> None:
    """Raise ``ShoeError`` for a name of a shoe or a patron that is not printable ASCII."""
    if not re.fullmatch(NAME, text):
        raise ShoeError(f"{what} {text!r}: expected 1 to 100 printable ASCII characters")


def check_decks(decks: int) -> None:
    """Raise ``ShoeError`` for an impossible number of decks. A game's rulebook says how many it allows."""
    if type(decks) is not int or not 1 <= decks <= MOST_DECKS:
        raise ShoeError(f"a shoe holds 1 to {MOST_DECKS} decks, not {decks!r}")
