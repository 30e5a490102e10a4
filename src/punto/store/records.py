"""What a store keeps: events in numbered streams, each with who, when, and a hash over it and all before it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from hashlib import sha256
from typing import Any

from msgspec import Struct

from punto.shoe.encoding import length, pack
from punto.store.codec import decode, encode
from punto.table.event import Event

FIRST_HASH = bytes(32)
"""Stands for the hash before the first event of a stream."""


class EventRecord(Struct, frozen=True, array_like=True):
    """An event in the form it is stored in: encoded, with who gave it and when.

    The store adds where it stands and the hash; until then these are empty.
    """

    name: str
    version: int
    body: bytes
    at: int
    """In milliseconds since 1970."""
    by: str
    position: str
    stream: str = ""
    number: int = 0
    """From 1, without gaps."""
    hash: bytes = b""

    @classmethod
    def of(cls, event: Event, at: int, by: str, position: str) -> EventRecord:
        """Encode an event that is to be stored."""
        return cls(*encode(event), at, by, position)

    def stored(self, stream: str, number: int, hash_: bytes) -> EventRecord:
        """Return the record as it is stored in a stream."""
        return EventRecord(
            self.name, self.version, self.body, self.at, self.by, self.position, stream, number, hash_
        )  # fmt: skip

    @property
    def event(self) -> Event:
        """Decode the event."""
        return decode(self.name, self.version, self.body)


class Change(Struct, frozen=True, array_like=True):
    """A statement that is carried out with events: unless it returns a row, nothing of them is stored."""

    text: str
    values: Sequence[Any] = ()


class Append(Struct, frozen=True, array_like=True):
    """Events for the end of a stream that is expected to have this many already."""

    stream: str
    expected: int
    events: Sequence[EventRecord]


class Answer(Struct, frozen=True, array_like=True):
    """The answer to a command, kept so that a retry gets the same: one for each actor and idempotency key."""

    actor: str
    key: str
    digest: bytes
    """Of the command: the same key with another command is refused."""
    stream: str = ""
    first: int = 0
    last: int = 0
    """The numbers of its events."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A cached state after an event, to open a table quickly."""

    stream: str
    number: int
    hash: bytes
    code: str
    """A digest of the code that made it: no other code uses it."""
    body: bytes
    game: str = ""
    """The digest of the file of the table's game."""
    signature: str = ""
    """The house's, over everything above; a snapshot without one is not used."""


class StoreError(Exception):
    """The store cannot be opened or used; the message says why."""


class ClosedBy(StrEnum):
    """Why a store takes nothing more but what the house says of itself; the codes of the refusals."""

    BEHIND = "house-behind"
    """The database lacks what was acknowledged, and a person has to accept that."""
    PROGRAM = "program-altered"
    """The program's files are not those of the build that the house has signed."""


class HouseBehind(StoreError):
    """The house is closed, so nothing is stored: usually its database lacks what was acknowledged."""

    def __init__(self, by: ClosedBy = ClosedBy.BEHIND) -> None:
        super().__init__(f"the house is closed: {_CLOSED_BY[by]}")
        self.by = by


_CLOSED_BY = {
    ClosedBy.BEHIND: "its database seems to have gone back in time",
    ClosedBy.PROGRAM: "the program's files are not those that were approved",
}


class Damaged(StoreError):
    """The database's own file is damaged there: what was asked for cannot be read."""


class Unchanged(StoreError):
    """A change found nothing to change, such as a name that is taken: nothing of its transaction was stored."""


class Conflict(Exception):
    """The stream has another number of events than expected: another writer appended first."""

    def __init__(self, stream: str, expected: int, found: int) -> None:
        super().__init__(f"{stream} has {found} events, not {expected}")
        self.stream, self.expected, self.found = stream, expected, found


class Repeated(Exception):
    """The key has been used: ``answer`` is what the first command with it was answered."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(f"{answer.actor} has used the key {answer.key!r} before")
        self.answer = answer


def hash_of(before: bytes, stream: str, number: int, record: EventRecord) -> bytes:
    """Return the hash of an event: over the hash before it and everything stored about it."""
    body, digits, time = record.body, b"%d" % number, b"%d" % record.at
    parts = (
        _FORMAT, length(len(before)), before, _packed(stream), length(len(digits)), digits,
        _packed(record.name, record.version), length(len(time)), time, _packed(record.by, record.position),
        length(len(body)), body,
    )  # fmt: skip
    return sha256(b"".join(parts)).digest()


_FORMAT = pack("punto-event-1")


@lru_cache(maxsize=10_000)
def _packed(*words: str | int) -> bytes:
    """Pack words, cached because few of them occur: who, what, where."""
    return pack(*map(str, words))
