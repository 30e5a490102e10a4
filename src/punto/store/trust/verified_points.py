"""Verified points: how far the house has verified each stream, signed, one row for each stream.

A point is a claim of a process that has computed every hash up to it. A head says only what was stored, so that the
one cannot stand for the other: the bytes that are signed differ.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import astuple

from punto.shoe.encoding import pack
from punto.store.protocol import Store
from punto.store.trust.keys import Keys, is_signed

ROWS_AT_ONCE = 200
FORGET = "delete from verified_point where stream = $1"
_KEEP = """
    insert into verified_point values {places} on conflict (stream) do update set number = excluded.number,
    hash = excluded.hash, signature = excluded.signature where excluded.number >= verified_point.number
"""


class VerifiedPoint(Struct, frozen=True):
    """A stream was verified up to the event with this number, which has this hash."""

    stream: str
    number: int
    hash: bytes
    signature: str

    def is_signed_with(self, public_key: str) -> bool:
        """Whether the house has signed it."""
        return is_signed(public_key, point_message(self.stream, self.number, self.hash), self.signature)


def sign_point(keys: Keys, stream: str, number: int, hash_: bytes) -> VerifiedPoint:
    """Return the signed point of a stream that this process has verified."""
    return VerifiedPoint(stream, number, hash_, keys.sign(point_message(stream, number, hash_)))


def point_message(stream: str, number: int, hash_: bytes) -> bytes:
    return pack("punto-verified-1", stream, str(number), hash_.hex())


async def keep_points(store: Store, points: Iterable[VerifiedPoint]) -> None:
    """Keep points; one never replaces a later one of its stream."""
    waiting = list(points)
    for begin in range(0, len(waiting), ROWS_AT_ONCE):
        some = waiting[begin : begin + ROWS_AT_ONCE]
        places = ", ".join(f"(${4 * n + 1}, ${4 * n + 2}, ${4 * n + 3}, ${4 * n + 4})" for n in range(len(some)))
        await store.ask(_KEEP.format(places=places), *(value for point in some for value in astuple(point)))
