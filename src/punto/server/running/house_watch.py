"""Watch whether the house's database went back in time, and close the house for every process if it did.

A closed house refuses every command, and can still be read and audited. A process that saw it closed serves it again
only after a restart: what it holds in memory may be ahead of the database too.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from punto.server.running.server_log import log
from punto.store.events.house_events import HOUSE, ClosedWhy, HouseClosed, LostTail, MarkBegun
from punto.store.events.shoe_events import SHOES
from punto.store.house import record
from punto.store.protocol import Store
from punto.store.records import ClosedBy, EventRecord
from punto.store.trust.custody import Custody, custody_of, doubt
from punto.store.trust.keys import Keys
from punto.store.trust.mark import BadMark, HouseMark, mark_files


def check_no_mark(place: Path) -> None:
    """Raise ``BadMark`` if there is a mark where a house is to be made: its database may have been lost."""
    if left := mark_files(place):
        raise BadMark(f"{left[0]}: is the mark of a house whose database is not here; move it away to make a new house")


class HouseWatch:
    """The mark of one process, and whether the house is closed."""

    def __init__(self, store: Store, keys: Keys, clock: Callable[[], int], place: Path | None = None) -> None:
        """Watch a house; without a place for the mark nothing is compared or marked."""
        self._store, self._keys, self._clock, self._place = store, keys, clock, place
        self.closed: HouseClosed | None = None
        """Why the house is closed, if it is."""
        self.since = 0
        """When it was closed, in milliseconds since 1970."""
        self._custody = Custody(b"")
        self._number = 0
        """Everything up to this event of the house is taken into account."""
        self._losses = 0
        self._noticed: set[asyncio.Task[None]] = set()
        self._when_closed: Callable[[], None] = lambda: None

    async def begin(self, when_closed: Callable[[], None]) -> None:
        """Compare the database with the marks of this machine; begin to mark it, or close the house."""
        self._when_closed = when_closed
        if self._place is None:
            return
        found = await custody_of(self._store, self._keys)
        assert found is not None, "the house is made first"
        self._custody = found
        if found.closed is None:
            await self._compare()
        if found := await custody_of(self._store, self._keys):
            self._custody = found
        self._number, _ = await self._store.head(HOUSE)
        if self._custody.closed:
            self._close(self._custody.closed)
            return
        mark = self._store.mark = HouseMark.begin(self._place, self._keys, self._custody.house, self._custody.epoch)
        mark.failed = lambda error: log.error("the mark cannot be written", file=str(mark.path), error=error.strerror)
        self._store.went_back = self._went_back
        if not self._custody.marked:
            await record(self._store, [MarkBegun(self._custody.epoch)], self._clock())

    async def _compare(self) -> None:
        """Record that the house is closed if the marks of this machine give a reason."""
        assert self._place is not None
        alone = not self._store.shared or await self._store.lead(SHOES)
        if closed := await doubt(self._store, self._keys, self._place, self._custody, alone):
            self._store.closed = True
            await record(self._store, [closed], self._clock())

    def take_in(self, recorded: EventRecord) -> None:
        """Follow an event of the house that another process, or this one, has stored."""
        if self._place and recorded.number > self._number and isinstance(recorded.event, HouseClosed):
            self._close(recorded)

    def _close(self, recorded: EventRecord) -> None:
        assert isinstance(recorded.event, HouseClosed)
        if self.closed:
            return
        self._store.closed, self.closed, self.since = True, recorded.event, recorded.at
        self._store.closed_by = ClosedBy.BEHIND
        lost = {each.stream: [each.acknowledged, each.found] for each in self.closed.lost}
        log.error("the house is closed", why=self.closed.why.value, lost=lost)
        self._when_closed()

    @property
    def is_in_doubt(self) -> bool:
        """Whether a connection was lost since the last look, so that the database may be another than it was."""
        return self._place is not None and self.closed is None and self._losses != self._store.losses

    async def look(self, known: Mapping[str, int], heads: Mapping[str, int]) -> None:
        """Close the house if a stream is shorter than known here; compare the mark after a lost connection."""
        if self.closed or self._place is None:
            return
        behind = [LostTail(name, number, heads[name]) for name, number in known.items() if heads[name] < number]
        if behind:
            await self._record(behind)
        elif self._losses != (losses := self._store.losses):
            await self._compare()
            found = await custody_of(self._store, self._keys)
            if found and found.closed:
                self._close(found.closed)
            self._losses = losses

    def _went_back(self, stream: str, expected: int, found: int) -> None:
        """Record what a commit has noticed."""
        task = asyncio.create_task(self._record([LostTail(stream, expected, found)]))
        self._noticed.add(task)
        task.add_done_callback(self._noticed.discard)

    async def _record(self, lost: Sequence[LostTail]) -> None:
        """Record that the house is closed, with what the mark tells as well."""
        assert self._place is not None
        self._store.closed = True
        closed = await doubt(self._store, self._keys, self._place, self._custody, alone=False)
        known = {each.stream: each for each in (*lost, *(closed.lost if closed else ()))}
        event = HouseClosed(self._custody.epoch, ClosedWhy.BEHIND, tuple(known.values()))
        await record(self._store, [event], self._clock())
        self._close(EventRecord.of(event, self._clock(), "punto", "system"))
