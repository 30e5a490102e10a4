"""What a stream that is no table's has led to, as bytes and back: the house's journal, the cage's books, the shoes.

These streams grow as long as a house plays, so their states are kept as snapshots, like those of tables: signed with
their place in the chain and a digest of the code. One that does not fit is not used, and the log is read.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from typing import TypeVar

import msgspec
from msgspec import Struct

from punto.store.protocol import Reader
from punto.store.records import Snapshot, StoreError
from punto.store.trust.chain import Chain
from punto.store.trust.snapshots import code_version, digest_of_code, is_in_the_log, signed_snapshot

STATE_CODE = ("shoe", "store", "server/cash", "server/tables")
"""Where the types live that such a state holds, and what follows the streams; with the code of a table's state."""
S = TypeVar("S", bound=Struct)


@cache
def state_code() -> str:
    """Return a digest of all code that makes up such a state."""
    return sha256((code_version() + digest_of_code(STATE_CODE)).encode()).hexdigest()


def take_state(chain: Chain, state: Struct) -> Snapshot:
    """Return the state after the last event that was verified."""
    body = msgspec.msgpack.encode((chain.at, state))
    return Snapshot(chain.stream, chain.number, chain.hash, state_code(), body)


def from_state(snapshot: Snapshot, kind: type[S]) -> tuple[int, S] | None:
    """Return the latest time of an event and the state, or None if other code made it.

    Raises ``StoreError`` if it cannot be read.
    """
    if snapshot.code != state_code():
        return None
    try:
        return msgspec.msgpack.decode(snapshot.body, type=tuple[int, kind])  # type: ignore[valid-type]
    except Exception as error:  # whatever the bytes hold: a cache that cannot be read must stop nobody
        raise StoreError(f"the snapshot of {snapshot.stream} cannot be read: {error}") from None


async def state_of(store: Reader, stream: str, kind: type[S], public_key: str) -> S | None:
    """Return the state at a stream's snapshot; None if there is none, or the least doubt about it."""
    snapshot = await signed_snapshot(store, stream, public_key)
    try:
        restored = from_state(snapshot, kind) if snapshot and await is_in_the_log(store, snapshot) else None
    except StoreError:
        return None
    return restored[1] if restored else None
