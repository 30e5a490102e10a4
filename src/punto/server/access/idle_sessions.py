"""Sessions of staff in which nothing is given for some minutes are locked, until a password or a code opens them.

What a page asks by itself is no input. Each process knows when something was last given in its sessions, and stores it
every few seconds for the others. A session that was locked is opened by nothing but its person.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from punto.server.tables.stream_follower import Clock
from punto.store import people as sql
from punto.store.protocol import Store

MINUTE = 60_000
STORED_EACH = 5.0
"""Seconds between two times that input is stored."""


class IdleSessions:
    """When something was last given in each session of staff."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store, self._clock = store, clock
        self.minutes: Callable[[], int] = lambda: 0
        """After how many minutes without input a session is locked; 0 locks none."""
        self._given: dict[str, int] = {}
        """By the digest of a session's token, as this process knows."""
        self._to_store: set[str] = set()
        self._stored_at = 0.0

    def is_locked(self, token: str, active_at: int) -> bool:
        """Tell whether a session of staff is locked, in which something was last stored to have been given then."""
        allowed = self.minutes() * MINUTE
        return bool(allowed) and self._clock() - max(active_at, self._given.get(token, 0)) >= allowed

    def note(self, token: str) -> None:
        """Note that something was given in a session, which was not locked."""
        self._given[token] = self._clock()
        self._to_store.add(token)

    async def store_noted(self) -> None:
        """Store what was given since the last time, for the other processes; drop what is too old to matter."""
        if not self._to_store or monotonic() - self._stored_at < STORED_EACH:
            return
        self._stored_at, noted, self._to_store = monotonic(), self._to_store, set()
        for token in noted:
            await self._store.ask(sql.ACTIVE, self._given[token], token)
        since = self._clock() - 24 * 60 * MINUTE
        self._given = {token: at for token, at in self._given.items() if at > since}
