"""What a store keeps: events in numbered streams, each with who and when and a hash over it and all before it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256

from msgspec import Struct

from punto.shoe.encoding import length, pack
from punto.store.codec import decode, encode
from punto.table.event import Event

FIRST_HASH = bytes(32)
"""What the first event of a stream has for the hash before it."""


class Written(Struct, frozen=True, array_like=True):
    """An event to be stored: encoded, with who brought it about and when."""

    name: str
    version: int
    body: bytes
    at: int
    """In milliseconds since 1970."""
    by: str
    position: str

    @classmethod
    def of(cls, event: Event, at: int, by: str, position: str) -> Written:
        return cls(*encode(event), at, by, position)


class Recorded(Struct, frozen=True):
    """An event as it is stored."""

    stream: str
    number: int
    """From 1, without gaps."""
    written: Written
    hash: bytes

    @property
    def event(self) -> Event:
        return decode(self.written.name, self.written.version, self.written.body)


class Append(Struct, frozen=True, array_like=True):
    """Events for the end of a stream, which is expected to have so many already."""

    stream: str
    expected: int
    events: Sequence[Written]


class Answer(Struct, frozen=True, array_like=True):
    """What a command was answered with, kept so that a retry gets the same: one for each actor and key."""

    actor: str
    key: str
    digest: bytes
    """Of the command's body: the same key with another body is refused."""
    stream: str = ""
    first: int = 0
    last: int = 0
    """The numbers of the events it brought about."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A state at a number, kept to open a table quickly; a cache that no audit looks at."""

    stream: str
    number: int
    hash: bytes
    code: str
    """Which code made it: another does not use it."""
    body: bytes


class StoreError(Exception):
    """The store cannot be opened or used; the sentence says why."""


class Conflict(Exception):
    """The stream has not as many events as was expected: somebody was quicker."""

    def __init__(self, stream: str, expected: int, found: int) -> None:
        super().__init__(f"{stream} has {found} events, not {expected}")
        self.stream, self.expected, self.found = stream, expected, found


class Repeated(Exception):
    """The key has been used: here is what was answered then."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(f"{answer.actor} has used the key {answer.key!r} before")
        self.answer = answer


def hash_of(before: bytes, stream: str, number: int, written: Written) -> bytes:
    """The hash of an event: over the hash before it and everything stored about it."""
    body = written.body
    parts = (
        _FORMAT, pack(before), _packed(stream), pack(str(number)), _packed(written.name, written.version),
        _packed_time(written.at), _packed(written.by, written.position), length(len(body)), body,
    )  # fmt: skip
    return sha256(b"".join(parts)).digest()


_FORMAT = pack("punto-event-1")


@lru_cache(maxsize=10_000)
def _packed(*words: str | int) -> bytes:
    """Words that come again and again: who, what, where."""
    return pack(*map(str, words))


@lru_cache(maxsize=64)
def _packed_time(at: int) -> bytes:
    """Many events are stored at one time."""
    return pack(str(at))
