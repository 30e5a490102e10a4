"""Signed notes of how far the logs have come: heads in the house's stream, and verified points beside the streams.

Heads only grow in number, so they are recorded when a shoe is loaded or ends, and after many events. Points are one row
for each stream, and move on every minute and when the server stops.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from punto.server.tables.stream_snapshots import KeepsState, keep
from punto.store.events.house_events import HOUSE
from punto.store.house import record
from punto.store.trust.chain import Chain

if TYPE_CHECKING:
    from punto.server.tables.floor import Floor
from punto.server.tables.served_table import ServedTable

KEPT_EACH = 60.0
"""Seconds between two points of a stream that is in use."""
EVENTS_BETWEEN_HEADS = 1_000


class SignedNotes:
    """Notes on the streams that a floor follows."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor
        self._timer: asyncio.TimerHandle | None = None

    async def _chains(self) -> list[Chain]:
        """Return the chains of all streams that can be followed."""
        floor = self._floor
        await floor.house_stream.follow()
        await floor.catch_up(floor.cage)
        tables = [chain for each in floor.tables.values() for chain in (each.actor.chain, each.keeper.chain)]
        return [
            each for each in (floor.house_stream.chain, floor.cage.chain, *tables) if each.stream not in floor.closed
        ]

    async def note_heads(self, served: ServedTable) -> None:
        """Record signed heads of a table's logs: a log dropped or cut off before here is noticed from now on."""
        for stream in (served.keeper, self._floor.cage):
            await self._floor.catch_up(stream)
        await self._note([served.actor.chain, served.keeper.chain, self._floor.cage.chain])

    async def _note(self, chains: Iterable[Chain]) -> None:
        """Record the heads of these streams, all in one append, and keep them as points."""
        floor = self._floor
        fit = [each for each in chains if each.number and each.stream not in floor.closed]
        if fit:
            await record(floor.store, [floor.trust.head(each) for each in fit], floor.clock())
            await floor.trust.keep(fit)

    def keep_on(self) -> None:
        """Keep points each minute from now on, and record heads of streams that have grown by many events."""
        self._timer = asyncio.get_running_loop().call_later(KEPT_EACH, self._keep_now)

    def _keep_now(self) -> None:
        self._floor.spawn(self._keep_and_go_on())

    async def _keep_and_go_on(self) -> None:
        await self._floor.done_at_last(self.keep)
        self.keep_on()

    async def keep(self) -> None:
        """Keep how far streams are verified, as far as they were followed here, and record the heads that are due."""
        if self._floor.store.closed:
            return
        chains = await self._chains()
        await self._note([each for each in chains if each.stream != HOUSE and self._is_due(each)])
        await self._floor.trust.keep(chains)
        await self._keep_states()

    async def _keep_states(self) -> None:
        """Keep snapshots of the streams that are no table's."""
        floor = self._floor
        followers: list[KeepsState[Any]] = [floor.house_stream, floor.cage]
        followers += [each.keeper for each in floor.tables.values()]
        for each in followers:
            if each.chain.stream not in floor.closed:
                await keep(floor.trust, each)

    def _is_due(self, chain: Chain) -> bool:
        return chain.number - self._floor.trust.noted_number(chain.stream) >= EVENTS_BETWEEN_HEADS

    async def finish(self) -> None:
        """Keep how far every stream is verified when the server stops."""
        if self._timer:
            self._timer.cancel()
        if not self._floor.store.closed:
            await self._floor.trust.keep(await self._chains())
            await self._keep_states()
