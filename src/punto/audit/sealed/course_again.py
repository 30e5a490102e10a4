"""The course of a round made again from its events, by the form in docs/receipts.md and nothing else."""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterator, Sequence
from hashlib import sha256

from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import ECB

from punto.store.records import EventRecord


def course_again(secret: bytes, events: Sequence[EventRecord]) -> bytes:
    """Return what the leaf of a course has to say, as JSON."""
    ended = events[-1]
    salts = _salts(hmac.digest(secret, _fields("punto-course-1", ended.stream, str(ended.number)), sha256))
    hashes = []
    for each in events:
        salt, salt_of_hidden = next(salts), next(salts)
        hidden = sha256(salt_of_hidden + _fields(each.by, each.body)).digest()
        about = (str(each.number), each.name, str(each.version), str(each.at), each.position)
        hashes.append(sha256(b"\0" + salt + _fields(*about, hidden)).digest())
    told = {
        "format": "punto-course-1",
        "table": ended.stream,
        "event": ended.number,
        "kind": ended.name,
        "first": events[0].number,
        "root": _root(hashes).hex(),
    }
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()


def _fields(*values: str | bytes) -> bytes:
    raw = [value if isinstance(value, bytes) else value.encode() for value in values]
    return b"".join(len(value).to_bytes(4, "big") + value for value in raw)


def _salts(key: bytes) -> Iterator[bytes]:
    """Yield the blocks of AES in counter mode, from 0."""
    cipher = Cipher(AES(key), ECB()).encryptor()  # of counters, each once: a keystream
    number = 0
    while True:
        yield cipher.update(number.to_bytes(16, "big"))
        number += 1


def _root(hashes: Sequence[bytes]) -> bytes:
    """Return the hash of a tree as RFC 6962 defines it."""
    if len(hashes) == 1:
        return hashes[0]
    left = 1
    while 2 * left < len(hashes):
        left *= 2
    return sha256(b"\1" + _root(hashes[:left]) + _root(hashes[left:])).digest()
