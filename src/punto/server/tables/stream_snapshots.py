"""Snapshots of the streams that are no table's: the house's, the cage's, and those of the tables' shoes.

Such a stream grows as long as the house plays. It is followed from its last snapshot, so that a start costs the same
after years. A snapshot is a cache: with the least doubt about one it is dropped, and the whole log is read instead.
"""

from __future__ import annotations

from typing import Protocol, TypeVar

from msgspec import Struct

from punto.server.running.server_log import log
from punto.store.trust.chain import Chain
from punto.store.trust.house_trust import HouseTrust

EVENTS_BETWEEN = 100
"""Between two snapshots of a stream; or, of a long one ..."""
SHARE = 50
"""... this part of its events, so that what is written grows no faster than the log."""
S = TypeVar("S", bound=Struct)


class KeepsState(Protocol[S]):
    """Follows a stream, and can begin with the state that was kept of it."""

    chain: Chain
    snapshot_at: int
    """The event after which the last snapshot was taken that is known here; 0 if there is none."""
    state_kind: type[S]
    """Its state; without arguments, that before the first event."""

    def state(self) -> S:
        """Return what the events up to the last that was verified have led to."""
        ...

    def begin(self, state: S, chain: Chain) -> None:
        """Begin with a state and the place in the chain that belongs to it."""
        ...


async def restore(trust: HouseTrust, stream: str, follower: KeepsState[S]) -> None:
    """Begin a stream with its snapshot, if the house has signed it and it is of this code and this log."""
    try:
        restored = await trust.restored_state(stream, follower.state_kind)
    except Exception:
        log.exception("snapshot dropped", stream=stream)
        restored = None
    if restored is None:
        drop(trust, stream, follower)
        return
    follower.begin(*restored)
    follower.snapshot_at = follower.chain.number


def drop(trust: HouseTrust, stream: str, follower: KeepsState[S]) -> None:
    """Begin a stream before its first event."""
    follower.begin(follower.state_kind(), trust.chain(stream))
    follower.snapshot_at = 0


async def keep(trust: HouseTrust, follower: KeepsState[S]) -> None:
    """Keep the state of a stream that has grown by enough since its last snapshot."""
    number = follower.chain.number
    if number - follower.snapshot_at < max(EVENTS_BETWEEN, number // SHARE):
        return
    follower.snapshot_at = number
    try:
        await trust.keep_state(follower.chain, follower.state())
    except Exception:
        log.exception("no snapshot", stream=follower.chain.stream)  # nothing but speed depends on it
