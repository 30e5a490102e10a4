"""The leaves of a log: what each of them says, as hashes that reveal nothing.

The entry of a leaf begins with a salt of 16 bytes, which nobody can guess: without it a leaf does not tell whether a
guess at the event is right. A reader who is to check one leaf is given its entry, and learns nothing of any other.

- An event: salt, 1, the event's hash, and the digest of the answer to the command that it ended, if there is one.
- A receipt of a wager: salt, 2, and the receipt as JSON (``store/receipts``).
- The course of a round, after the receipts of the event that ended it: salt, 3, and JSON (``round_course.py`` there).
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from itertools import chain
from typing import NamedTuple

from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CTR
from msgspec import msgpack

from punto.store.protocol import Reader
from punto.store.receipts.round_course import ENDING, course_bytes
from punto.store.receipts.settled_wagers import course_events, receipts_of
from punto.store.receipts.wager_receipt import receipt_bytes
from punto.store.trust.log_rows import LogRange
from punto.tlog.tree import leaf_hash

EVENT, RECEIPT, COURSE = b"\1", b"\2", b"\3"
SALT_BYTES = 16
SPANS_AT_ONCE = 50
_WITH_ANSWERS = """
    with span (place, stream, first, last) as (values {places})
    select event.stream, event.number, event.hash, event.name, answer.actor, answer.key, answer.digest, answer.first
    from span cross join event left join answer on answer.stream = event.stream and answer.last = event.number
    where event.stream = span.stream and event.number between span.first and span.last
    order by span.place, event.number, answer.actor, answer.key
"""
_SPAN = "({}, cast(${} as text), cast(${} as bigint), cast(${} as bigint))"
_encode = msgpack.Encoder().encode


class EventLeaf(NamedTuple):
    """What the leaf of an event covers."""

    stream: str
    number: int
    name: str
    content: bytes
    """The event's hash, and the digests of answers."""


def salts(secret: bytes, first: int, leaves: int) -> bytes:
    """Return the salts of consecutive leaves, 16 bytes each: what AES makes of the number of the leaf."""
    if not leaves:
        return b""
    keystream = Cipher(AES(secret), CTR(first.to_bytes(SALT_BYTES, "big"))).encryptor()
    return keystream.update(bytes(SALT_BYTES * leaves))


def salt_of(secret: bytes, leaf: int) -> bytes:
    """Return the salt of one leaf."""
    return salts(secret, leaf, 1)


async def event_leaves(store: Reader, spans: Sequence[tuple[str, int, int]]) -> list[EventLeaf]:
    """Return what the leaves of events cover: of streams, each from one number to another, in this order."""
    leaves: list[EventLeaf] = []
    for begin in range(0, len(spans), SPANS_AT_ONCE):
        some = spans[begin : begin + SPANS_AT_ONCE]
        places = ", ".join(_SPAN.format(at, *range(3 * at + 1, 3 * at + 4)) for at in range(len(some)))
        rows = await store.look_up(_WITH_ANSWERS.format(places=places), *chain.from_iterable(some))
        for stream, number, hash_, name, actor, key, digest, first in rows:
            content = bytes(hash_)
            if actor is not None:
                content += sha256(_encode((actor, key, bytes(digest), first))).digest()
            if leaves and (leaves[-1].stream, leaves[-1].number) == (stream, number):
                content = leaves.pop().content + content[len(hash_) :]  # it ended several commands
            leaves.append(EventLeaf(stream, number, name, content))
    return leaves


async def settled_contents(store: Reader, secret: bytes, stream: str, number: int, name: str) -> list[bytes]:
    """Return what the leaves of an event's receipts cover, and that of the course of the round it ended."""
    course = await course_events(store, stream, number) if name in ENDING else None
    made = [RECEIPT + receipt_bytes(each) for each in await receipts_of(store, stream, number, course)]
    return [*made, COURSE + course_bytes(secret, stream, course)] if course else made


async def contents_of(store: Reader, secret: bytes, each: LogRange) -> list[bytes]:
    """Return what the leaves of a range cover, each without its salt.

    A log of an earlier version has no courses: then one leaf fewer follows the events.
    """
    events = await event_leaves(store, [(each.stream, each.number, each.last)])
    if not each.receipts or not events:
        return [EVENT + leaf.content for leaf in events]
    after = await settled_contents(store, secret, each.stream, each.last, events[-1].name)
    if len(after) == each.receipts + 1 and after[-1][:1] == COURSE:
        after.pop()
    return [*(EVENT + leaf.content for leaf in events), *after]


def leaf_hashes(secret: bytes, first: int, contents: Sequence[bytes]) -> list[bytes]:
    """Return the hashes of consecutive leaves."""
    salted = salts(secret, first, len(contents))
    return [
        leaf_hash(salted[at : at + SALT_BYTES] + content)
        for at, content in zip(range(0, len(salted), SALT_BYTES), contents, strict=True)
    ]
