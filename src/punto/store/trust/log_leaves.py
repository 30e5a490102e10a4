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
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CTR
from msgspec import msgpack

from punto.store.protocol import Reader
from punto.store.receipts.round_course import ENDING, course_bytes, course_events
from punto.store.receipts.settled_wagers import receipts_of
from punto.store.receipts.wager_receipt import receipt_bytes
from punto.store.trust.log_rows import LogRange
from punto.tlog.tree import leaf_hash

EVENT, RECEIPT, COURSE = b"\1", b"\2", b"\3"
SALT_BYTES = 16
_WITH_ANSWERS = """
    select event.number, event.hash, event.name, answer.actor, answer.key, answer.digest, answer.first
    from event left join answer on answer.stream = event.stream and answer.last = event.number
    where event.stream = $1 and event.number between $2 and $3 order by event.number, answer.actor, answer.key
"""
_encode = msgpack.Encoder().encode


class EventLeaf(NamedTuple):
    """What the leaf of an event covers."""

    number: int
    name: str
    content: bytes
    """The event's hash, and the digest of an answer."""


def salts(secret: bytes, first: int, leaves: int) -> bytes:
    """Return the salts of consecutive leaves, 16 bytes each: what AES makes of the number of the leaf."""
    if not leaves:
        return b""
    keystream = Cipher(AES(secret), CTR(first.to_bytes(SALT_BYTES, "big"))).encryptor()
    return keystream.update(bytes(SALT_BYTES * leaves))


def salt_of(secret: bytes, leaf: int) -> bytes:
    """Return the salt of one leaf."""
    return salts(secret, leaf, 1)


async def event_leaves(store: Reader, stream: str, first: int, last: int) -> list[EventLeaf]:
    """Return what the leaves of events cover, from one number to another."""
    rows = await store.look_up(_WITH_ANSWERS, stream, first, last)
    leaves: list[EventLeaf] = []
    for number, hash_, name, actor, key, digest, begin in rows:
        content = bytes(hash_)
        if actor is not None:
            content += sha256(_encode((actor, key, bytes(digest), begin))).digest()
        leaves.append(EventLeaf(number, name, content))
    if len({each.number for each in leaves}) != len(leaves):
        return [_together(list(some)) for _, some in groupby(leaves, itemgetter(0))]
    return leaves


def _together(leaves: Sequence[EventLeaf]) -> EventLeaf:
    """Return the leaf of an event that ended several commands: the digests of all answers follow its hash."""
    first = leaves[0]
    more = b"".join(each.content[len(each.content) // 2 :] for each in leaves[1:])
    return EventLeaf(first.number, first.name, first.content + more)


async def receipt_contents(store: Reader, stream: str, number: int) -> list[bytes]:
    """Return what the leaves of an event's receipts cover."""
    return [RECEIPT + receipt_bytes(each) for each in await receipts_of(store, stream, number)]


async def course_content(store: Reader, secret: bytes, stream: str, number: int) -> bytes:
    """Return what the leaf of a round's course covers, by the event that ended it."""
    return COURSE + course_bytes(secret, stream, await course_events(store, stream, number))


async def contents_of(store: Reader, secret: bytes, each: LogRange) -> list[bytes]:
    """Return what the leaves of a range cover, each without its salt."""
    events = await event_leaves(store, each.stream, each.number, each.last)
    paid = await receipt_contents(store, each.stream, each.last) if each.receipts else []
    if each.receipts == len(paid) + 1 and events and events[-1].name in ENDING:
        paid.append(await course_content(store, secret, each.stream, each.last))
    return [*(EVENT + leaf.content for leaf in events), *paid]


def leaf_hashes(secret: bytes, first: int, contents: Sequence[bytes]) -> list[bytes]:
    """Return the hashes of consecutive leaves."""
    salted = salts(secret, first, len(contents))
    return [
        leaf_hash(salted[at : at + SALT_BYTES] + content)
        for at, content in zip(range(0, len(salted), SALT_BYTES), contents, strict=True)
    ]
