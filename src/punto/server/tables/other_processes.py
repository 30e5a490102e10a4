"""What other processes store: remembered for every table, and taken in where it is needed.

A process follows the log of a table all the time only while the table has subscribers here or is driven here. Of the
others it knows how far they have come, and they take in the rest when a command, a subscription or a page needs them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING

from punto.server.running.server_log import log
from punto.server.tables.served_table import ServedTable
from punto.server.tables.shoe_keeper import ShoeKeeper
from punto.server.tables.stream_follower import StreamClosed
from punto.server.tables.table_actor import TableActor
from punto.store.events.house_events import HOUSE
from punto.store.events.shoe_events import SHOES
from punto.table.play.shoes import ShoeEnded

if TYPE_CHECKING:
    from punto.server.tables.floor import Floor

POLLED_EACH = 1.0
"""Seconds between checks for what other processes stored, should their notice be lost, at tables that are needed."""
ALL_POLLED_EACH = 60.0
"""Seconds between the same checks at all tables."""
OVERVIEW_LASTS = 1.0
"""Seconds after all tables were brought up to date in which they need not be again."""
AT_ONCE = 8
"""Tables that are brought up to date at one time."""


class OtherProcesses:
    """What the other processes of a house have stored, as far as this one knows."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor
        self._refreshing, self._refreshed_at = asyncio.Lock(), 0.0

    def hear(self, ends: Mapping[str, int]) -> None:
        """Hear what another process has stored; without a word of where, look everywhere."""
        if self._floor.stopping:
            return
        if ends:
            self._note_ends(ends)
        else:
            self._floor.spawn(self._floor.done_at_last(self._look_at_all))

    def _note_ends(self, ends: Mapping[str, int]) -> None:
        """Remember which tables are behind; let those that are needed here take in at once what was stored."""
        if ends.get(HOUSE, 0) > self._floor.house_stream.chain.number:
            self._floor.spawn(self._floor.done_at_last(self._floor.follow_house))
        for stream, end in ends.items():
            served = self._floor.tables.get(stream)
            follower: TableActor | ShoeKeeper
            if served:
                follower = served.actor
            elif stream.endswith(SHOES) and (served := self._floor.tables.get(stream.removesuffix(SHOES))):
                follower = served.keeper
            else:
                continue
            was_behind = follower.is_behind  # then it is being taken in, up to the last event known by then
            follower.told = max(follower.told, end)
            if served.is_needed and follower.is_behind and not was_behind:
                self.take_in(served)

    def take_in(self, served: ServedTable) -> None:
        """Have a table take in soon what other processes have stored, if there is anything."""
        if served.is_behind:
            self._floor.spawn(self._floor.done_at_last(partial(self.refresh, served)))

    async def refresh(self, served: ServedTable) -> None:
        """Have a table take in what other processes are known to have stored, unless it has."""
        try:
            for follower in (served.keeper, served.actor):
                if follower.is_behind:
                    await follower.refresh()
        except StreamClosed as closed:
            self._floor.close(closed)

    async def refresh_all(self, lasts: float = OVERVIEW_LASTS) -> None:
        """Have all tables take in what other processes are known to have stored, unless they did a moment ago."""
        if not self._floor.store.shared:
            return
        async with self._refreshing:
            if monotonic() - self._refreshed_at < lasts:
                return
            behind = [each for each in self._floor.tables.values() if each.is_behind]
            for first in range(0, len(behind), AT_ONCE):
                await asyncio.gather(*map(self.refresh, behind[first : first + AT_ONCE]))
            self._refreshed_at = monotonic()

    async def poll(self) -> None:
        """Check each second what other processes stored at tables that are needed here; now and then at all tables."""
        led, all_at = False, 0.0
        while True:
            await asyncio.sleep(POLLED_EACH)
            try:
                had_led, led = led, await self._floor.store.lead(SHOES)
                if led and not had_led:
                    for served in self._floor.tables.values():  # what the process before this one has left
                        self._floor.end_shoes(served)
                if monotonic() - all_at < ALL_POLLED_EACH and not self._floor.watch.is_in_doubt:
                    await self._look_where_needed()
                    continue
                all_at = monotonic()
                await self._look_at_all()
                if led:
                    await self._end_shoes_elsewhere()
            except Exception as error:
                log.warning("not polled", error=type(error).__name__)

    async def _look_where_needed(self) -> None:
        needed = [each for each in self._floor.tables.values() if each.is_needed]
        await self._look(needed)
        for each in needed:
            self.take_in(each)  # also what could not be taken in when it was told

    async def _look_at_all(self) -> None:
        await self._look(list(self._floor.tables.values()))

    async def _look(self, tables: Collection[ServedTable]) -> None:
        """Look how far the house and tables have come."""
        known = {each.name: each.actor.number for each in tables} | {HOUSE: self._floor.house_stream.chain.number}
        heads = await self._floor.store.heads(list(known))
        await self._floor.watch.look(known, heads)
        self._note_ends({name: end for name, end in heads.items() if end > known[name]})

    async def _end_shoes_elsewhere(self) -> None:
        """Publish shoes that have ended at tables not followed here, should the process that ended them have died."""
        behind = {each.name: each.actor.number for each in self._floor.tables.values() if each.actor.is_behind}
        for name in await self._floor.store.with_later(ShoeEnded.__name__, behind):
            if served := self._floor.tables.get(name):
                await self.refresh(served)
