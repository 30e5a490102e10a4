"""What a house has signed of its streams, and what it signs: verified points, noted heads, snapshots.

At start it says what each stream must look like. What is not signed, or signed by another key, says nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

from msgspec import Struct

from punto.rules.rulebook import Rulebook
from punto.store.events.house_events import HeadNoted
from punto.store.protocol import Store
from punto.store.records import Damaged, Snapshot
from punto.store.trust.chain import Chain
from punto.store.trust.keys import Keys, is_signed
from punto.store.trust.signed_heads import head_message
from punto.store.trust.snapshots import from_snapshot, is_in_the_log, sign_snapshot, signed_snapshot, take_snapshot
from punto.store.trust.stream_states import from_state, take_state
from punto.store.trust.verified_points import FORGET, keep_points, sign_point
from punto.table.table import Table

S = TypeVar("S", bound=Struct)


class HouseTrust:
    """The signatures of one house."""

    def __init__(self, store: Store, keys: Keys) -> None:
        self._store, self._keys = store, keys
        self._points: dict[str, dict[int, bytes]] = {}
        """By stream the hashes of events that the house has verified."""
        self.noted: Mapping[str, HeadNoted] = {}
        """The last head of each stream that the house's own stream has."""
        self._kept: dict[str, int] = {}
        """By stream the number of the point that was kept last."""

    async def load(self) -> None:
        """Read the verified points; forget one that the house has not signed, so that another can take its place."""
        try:
            points = await self._store.points()
        except Damaged:
            points = []
        for point in points:
            if point.is_signed_with(self._keys.public_key):
                self._points[point.stream] = {point.number: point.hash}
            else:
                await self._store.ask(FORGET, point.stream)

    def noted_number(self, stream: str) -> int:
        """Return the number of the last head noted of a stream."""
        head = self.noted.get(stream)
        return head.number if head else 0

    def signed(self, stream: str) -> dict[int, bytes]:
        """Return the hashes that events of a stream must have, by their numbers."""
        known = dict(self._points.get(stream, {}))
        head = self.noted.get(stream)
        if head and is_signed(self._keys.public_key, head_message(stream, head.number, head.hash), head.signature):
            known.setdefault(head.number, bytes.fromhex(head.hash))
        return known

    def chain(self, stream: str) -> Chain:
        """Return the chain of a stream that is read from its first event."""
        return Chain(stream, signed=self.signed(stream))

    async def restored(self, stream: str, book: Rulebook) -> tuple[Table, Chain] | None:
        """Return the state of a table from its snapshot; None if there is none, or the least doubt about it."""
        snapshot = await self._snapshot(stream)
        if snapshot is None or snapshot.game != book.digest:
            return None
        table = from_snapshot(snapshot, book)
        return (table, Chain(stream, snapshot.number, snapshot.hash, self.signed(stream))) if table else None

    async def restored_state(self, stream: str, kind: type[S]) -> tuple[S, Chain] | None:
        """Like ``restored``, for a stream that is no table's."""
        snapshot = await self._snapshot(stream)
        restored = from_state(snapshot, kind) if snapshot else None
        if snapshot is None or restored is None:
            return None
        at, state = restored
        return state, Chain(stream, snapshot.number, snapshot.hash, self.signed(stream), at)

    async def _snapshot(self, stream: str) -> Snapshot | None:
        """Return the snapshot of a stream, if the house has signed it and the log has its event.

        A signed snapshot that is not in the log still says which event the log must have where it was taken.
        """
        snapshot = await signed_snapshot(self._store, stream, self._keys.public_key)
        if snapshot is None:
            return None
        self._points.setdefault(stream, {})[snapshot.number] = snapshot.hash
        return snapshot if await is_in_the_log(self._store, snapshot) else None

    async def keep_snapshot(self, chain: Chain, table: Table) -> None:
        """Keep the state of a table as it is after the last event that was verified."""
        taken = take_snapshot(chain.stream, chain.number, chain.hash, table)
        await self._store.keep(sign_snapshot(self._keys, taken))
        await self.keep([chain])

    async def keep_state(self, chain: Chain, state: Struct) -> None:
        """Keep what a stream that is no table's has led to after the last event that was verified."""
        await self._store.keep(sign_snapshot(self._keys, take_state(chain, state)))

    async def keep(self, chains: Iterable[Chain]) -> None:
        """Keep how far streams have been verified, as far as that has changed."""
        moved = [chain for chain in chains if chain.number > self._kept.get(chain.stream, 0)]
        await keep_points(self._store, [sign_point(self._keys, each.stream, each.number, each.hash) for each in moved])
        self._kept |= {each.stream: each.number for each in moved}

    def head(self, chain: Chain) -> HeadNoted:
        """Return the signed head of a stream, as far as this process has verified it."""
        hash_ = chain.hash.hex()
        signature = self._keys.sign(head_message(chain.stream, chain.number, hash_))
        return HeadNoted(chain.stream, chain.number, hash_, signature)
