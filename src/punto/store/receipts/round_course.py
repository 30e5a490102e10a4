"""The course of a round as one leaf of the log: a root over all its events, each of which can be shown by itself.

Any of the events can be shown with its salts, and every other stays a hash that nobody can guess. docs/receipts.md
describes the form for programs that share no code with this one.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from hashlib import sha256
from typing import Literal, NamedTuple

from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CTR
from msgspec import Struct
from msgspec.json import Encoder

from punto.shoe.encoding import pack
from punto.store.records import EventRecord
from punto.table.irregularities.void import RoundVoided
from punto.table.play.settlement import RoundSettled
from punto.tlog.tree import Edge

COURSE_FORMAT: Literal["punto-course-1"] = "punto-course-1"
ENDING = frozenset({RoundSettled.__name__, RoundVoided.__name__})
"""The names of the events that end a round: its course is sealed with them."""
_SALT_BYTES = 16
_encode = Encoder().encode


class RoundCourse(Struct, frozen=True, kw_only=True):
    """What the leaf says; the names and their order are part of the form."""

    format: Literal["punto-course-1"]
    table: str
    event: int
    """The number of the event that ended the round."""
    kind: str
    """The name of that event."""
    first: int
    """The number of the event that opened it."""
    root: str
    """Of the tree over its events, in hexadecimal digits."""


class EntrySalts(NamedTuple):
    """The salts of one event: of its entry, and of what is hidden in it."""

    entry: bytes
    hidden: bytes


def hidden_digest(salt: bytes, by: str, stored: bytes) -> bytes:
    """Return the digest of who gave an event, and of its body."""
    return sha256(salt + pack(by, stored)).digest()


def entry_hash(salt: bytes, number: int, name: str, version: int, at: int, position: str, hidden: bytes) -> bytes:
    """Return the hash that stands for an event in the course of its round."""
    return sha256(b"\0" + salt + pack(str(number), name, str(version), str(at), position, hidden)).digest()


def course_root(hashes: Sequence[bytes]) -> bytes:
    """Return the root of the tree (RFC 6962) over the entries of a course."""
    edge = Edge()
    edge.append(hashes)
    return edge.root


def entry_salts(secret: bytes, table: str, last: int, events: int) -> list[EntrySalts]:
    """Return the salts of a course's entries, by the secret of the log: none of them tells of another."""
    key = hmac.digest(secret, pack(COURSE_FORMAT, table, str(last)), "sha256")
    made = Cipher(AES(key), CTR(bytes(_SALT_BYTES))).encryptor().update(bytes(2 * _SALT_BYTES * events))
    parts = [made[at : at + _SALT_BYTES] for at in range(0, len(made), _SALT_BYTES)]
    return [EntrySalts(*pair) for pair in zip(parts[::2], parts[1::2], strict=True)]


def entry_hashes(secret: bytes, table: str, events: Sequence[EventRecord]) -> list[bytes]:
    """Return the entries of a course."""
    found = []
    for each, salts in zip(events, entry_salts(secret, table, events[-1].number, len(events)), strict=True):
        hidden = hidden_digest(salts.hidden, each.by, each.body)
        found.append(entry_hash(salts.entry, each.number, each.name, each.version, each.at, each.position, hidden))
    return found


def course_bytes(secret: bytes, table: str, events: Sequence[EventRecord]) -> bytes:
    """Return the course of a round as it stands in its leaf: JSON without spaces, names in the order of the form."""
    last = events[-1]
    root = course_root(entry_hashes(secret, table, events)).hex()
    course = RoundCourse(
        format=COURSE_FORMAT, table=table, event=last.number, kind=last.name, first=events[0].number, root=root
    )
    return _encode(course)
