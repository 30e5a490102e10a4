"""The exact bytes that go into a digest, so that a program in any language computes the same one."""

from __future__ import annotations

import re
from hashlib import sha256
from struct import Struct

FORMAT = "punto-shoe-1"
"""The version of the scheme. It is part of every digest and every record: a change to the scheme is a new version."""

SIZE = 32
"""Bytes in a secret, a nonce, a commitment, and every other digest."""

MOST_DECKS = 100

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


def digest(purpose: str, *fields: str | bytes) -> bytes:
    """Return the SHA-256 of the fields. The purpose comes first, so that no digest can serve as another kind of
    digest.
    """
    return sha256(pack(f"{FORMAT} {purpose}", *fields)).digest()


def check_name(what: str, text: str) -> None:
    """Raise ``ShoeError`` for a name of a shoe or a patron that is not printable ASCII."""
    if not re.fullmatch(NAME, text):
        raise ShoeError(f"{what} {text!r}: expected 1 to 100 printable ASCII characters")


def check_decks(decks: int) -> None:
    """Raise ``ShoeError`` for an impossible number of decks. A game's rulebook says how many it allows."""
    if type(decks) is not int or not 1 <= decks <= MOST_DECKS:
        raise ShoeError(f"a shoe holds 1 to {MOST_DECKS} decks, not {decks!r}")
