"""Signed heads: the number and hash of a stream's last event. The house records them, and others keep copies."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from punto.shoe.encoding import pack
from punto.store.trust.keys import is_signed


@dataclass(frozen=True, slots=True)
class Head:
    """The number and the hash of a stream's last event, signed by the house."""

    stream: str
    number: int
    hash: str
    signature: str
    public_key: str

    @property
    def is_signed(self) -> bool:
        return is_signed(self.public_key, head_message(self.stream, self.number, self.hash), self.signature)

    def as_dict(self) -> dict[str, object]:
        return asdict(self)


class BadHead(ValueError):
    """A text that is no head; the message says why."""


def head_message(stream: str, number: int, hash_: str) -> bytes:
    """Return the bytes that are signed."""
    return pack("punto-head-1", stream, str(number), hash_)


def read_heads(text: str) -> list[Head]:
    """Read the heads from a file that ``punto heads`` has written."""
    try:
        content: Any = json.loads(text)
        heads = [Head(**each) for each in content["heads"]]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise BadHead("expected heads as punto heads writes them") from None
    for head in heads:
        right = all(isinstance(each, str) for each in (head.stream, head.hash, head.signature, head.public_key))
        if not right or type(head.number) is not int:
            raise BadHead("expected heads as punto heads writes them")
    return heads
