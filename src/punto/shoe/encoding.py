"""How what goes into a digest is written as bytes, so exactly that a program in any language makes the same digest."""

from __future__ import annotations

import re
from hashlib import sha256
from struct import Struct

FORMAT = "punto-shoe-1"
"""The version of the scheme. It stands in every digest and every record: a change to the scheme is a new version."""

SIZE = 32
"""Bytes in a secret, a nonce, a commitment, and every other digest."""

MOST_DECKS = 100

NAME = r"[ -~]{1,100}"
"""What a shoe or a patron may be called: printable ASCII, which is the same bytes everywhere."""


class ShoeError(ValueError):
    """What cannot be done with a shoe or a cut. The sentence never holds a secret."""


length = Struct(">I").pack
"""A length as it is written: in four bytes, highest first."""


def pack(*fields: str | bytes) -> bytes:
    """The fields one after the other, each as its length and its bytes; texts in UTF-8.

    With its length before it, no field can be taken for a part of its neighbour.
    """
    packed = b""
    for field in fields:
        raw = field.encode() if isinstance(field, str) else field
        packed += length(len(raw)) + raw
    return packed


def digest(purpose: str, *fields: str | bytes) -> bytes:
    """The SHA-256 of the fields. The purpose stands first, so that no digest can serve as another kind of digest."""
    return sha256(pack(f"{FORMAT} {purpose}", *fields)).digest()


def check_name(what: str, text: str) -> None:
    """Refuse a name for a shoe or a patron that is not printable ASCII."""
    if not re.fullmatch(NAME, text):
        raise ShoeError(f"{what} {text!r}: expected 1 to 100 printable ASCII characters")


def check_decks(decks: int) -> None:
    """Refuse a number of decks that is no shoe. How many a game allows is for its rulebook to say."""
    if type(decks) is not int or not 1 <= decks <= MOST_DECKS:
        raise ShoeError(f"a shoe holds 1 to {MOST_DECKS} decks, not {decks!r}")
