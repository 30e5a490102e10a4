"""Refused sign-ins, counted and recorded as one event for all of them: a flood of guesses does not fill the log."""

from __future__ import annotations

import asyncio
from collections import Counter

from punto.server.running.server_log import log
from punto.server.tables.stream_follower import Clock
from punto.store.events.people_events import RefusedAt, SignInsRefused
from punto.store.house import record
from punto.store.protocol import Store

RECORDED_EACH = 60.0
"""Seconds between two events."""
MOST_COUNTED = 1_000
"""People, and addresses, that are told apart until the next event."""
MOST_NAMED = 20
"""People that an event names."""


class RefusedSignIns:
    """Counts refused sign-ins until they are recorded."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store, self._clock = store, clock
        self._since, self._count = 0, 0
        self._people: Counter[str] = Counter()
        self._addresses: set[str] = set()

    def count(self, person: str, address: str) -> None:
        """Count a refused sign-in; ``person`` is empty if nobody has the name."""
        if not self._count:
            self._since = self._clock()
        self._count += 1
        if person and (person in self._people or len(self._people) < MOST_COUNTED):
            self._people[person] += 1
        if len(self._addresses) < MOST_COUNTED:
            self._addresses.add(address)

    async def record(self) -> None:
        """Record what was counted since the last time, if anything was."""
        if not self._count:
            return
        people = tuple(RefusedAt(*each) for each in self._people.most_common(MOST_NAMED))
        event = SignInsRefused(self._since, self._count, len(self._addresses), people)
        self._count, self._people, self._addresses = 0, Counter(), set()
        await record(self._store, [event], self._clock())

    async def keep_up(self) -> None:
        """Record what was counted, once a minute."""
        while True:
            await asyncio.sleep(RECORDED_EACH)
            try:
                await self.record()
            except self._store.away:
                log.error("refused sign-ins not recorded")
