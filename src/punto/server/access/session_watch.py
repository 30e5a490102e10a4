"""Ends connections whose sessions have ended, whichever process ended them.

Everything that ends a session is an event of the house's stream. So one look at its end tells whether anything may
have changed, and one query then checks all sessions of this process, outside the queue of commits.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from time import monotonic
from typing import Protocol

from punto.server.access.identity import HOUR, Duty, People
from punto.server.running.server_log import log
from punto.server.tables.stream_follower import Clock
from punto.store.events.house_events import HOUSE
from punto.store.people import LiveSession
from punto.store.protocol import Store

LOOKED_EACH = 0.5
"""Seconds between looks at the end of the house's stream."""
CHECKED_EACH = 10.0
"""Seconds after which sessions are checked in any case: they also end by time."""
EXTENDED_EACH = HOUR
"""Milliseconds after which a session that only a connection uses is extended."""


class SessionBound(Protocol):
    """A connection that ends when its session does."""

    session: str | None
    """The digest of its session's token; None for a guest."""
    is_device: bool
    """Whether a device is signed in on it, whose tokens stand apart."""
    active_at: int | None
    """When something was last stored to have been given in its session; None where sessions are not locked."""

    def end(self) -> None:
        """Close it, since its session has ended."""
        ...

    def lock(self) -> None:
        """Close it, since its session is locked: the client connects again as a guest, or once it is unlocked."""
        ...

    async def extend(self) -> bool:
        """Extend its session, which is in use; return whether it is still valid."""
        ...


class SessionWatch:
    """Watches the sessions of all connections of a process."""

    def __init__(
        self, store: Store, people: People, clock: Clock, connections: Callable[[], Collection[SessionBound]]
    ) -> None:
        self._store, self._people, self._clock, self._connections = store, people, clock, connections
        self._seen, self._checked_at = -1, 0.0

    async def watch(self) -> None:
        """Check again and again, until cancelled."""
        while True:
            await asyncio.sleep(LOOKED_EACH)
            try:
                await self._people.idle.store_noted()
                await self.look()
            except Exception as error:
                log.error("sessions not checked", error=type(error).__name__)  # the next check may succeed

    async def look(self) -> None:
        """Check all sessions if one may have ended."""
        if not any(each.session for each in self._connections()):
            return
        number, _ = await self._store.head(HOUSE)
        is_idle = any(self._is_locked(each, each.active_at) for each in self._connections())
        if is_idle or number != self._seen or monotonic() - self._checked_at >= CHECKED_EACH:
            await self.check()
            self._seen, self._checked_at = number, monotonic()

    async def check(self, *some: SessionBound) -> None:
        """Check sessions in one query, all if none are named, and end the connections of those that are over."""
        bound = [each for each in some or self._connections() if each.session]
        now = self._clock()
        rows = await self._store.live_sessions({each.session for each in bound if each.session}, now)
        live = {each.token: each for each in rows if self._is_complete(each)}
        for each in bound:
            found = live.get(each.session or "")
            if found and each.active_at is not None:
                each.active_at = max(each.active_at, found.active_at)
            if found and self._is_locked(each, each.active_at):  # before it is extended, which a locked one cannot be
                each.lock()
            elif not await self._is_live(each, found, now):
                each.end()

    async def _is_live(self, connection: SessionBound, found: LiveSession | None, now: int) -> bool:
        if connection.is_device or (found and now - found.last_seen >= EXTENDED_EACH):
            return await connection.extend()
        return found is not None

    def _is_locked(self, connection: SessionBound, active_at: int | None) -> bool:
        return active_at is not None and self._people.idle.is_locked(connection.session or "", active_at)

    def _is_complete(self, session: LiveSession) -> bool:
        return self._people.is_complete(Duty(session.duty), bool(session.has_factor), bool(session.passed))
