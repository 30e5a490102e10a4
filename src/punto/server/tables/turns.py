"""Turns of several processes at one table: each gives way to the other after it has stored something.

The process that stored last knows the newest state, so it would be the quickest again and again, while everything the
other decides comes too late. So it waits a moment for the other's events: as long as it takes to be told of a commit,
to decide by it and to commit, which is measured by its own commits and by how long the other took before. It waits only
where another process was active just before.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from time import monotonic

TURN = 4.0
"""Multiple of the time of its last commit for which a process gives way, or half of it of the time the other took."""
LONGEST = 0.3
"""Seconds that a process gives way at most; another that takes longer has nothing to store."""
ACTIVE = 3
"""Turns within which another process must have stored something to be expected to store more."""


class Turns:
    """Whose turn it is at one table, as this process knows."""

    def __init__(self) -> None:
        self._others_at = self._own_at = self._others_took = self._turn = 0.0
        self._others_came = asyncio.Event()

    def note_others(self) -> None:
        """Note that events of another process were taken in."""
        if self._own_at > self._others_at:
            took = monotonic() - self._own_at
            self._others_took = took if took < LONGEST else 0.0
        self._others_at = monotonic()
        self._others_came.set()

    def note_own(self, began: float) -> None:
        """Note that this process has stored events, and when it began to."""
        if self._others_at:
            self._own_at = monotonic()
            self._turn = min(LONGEST, max(TURN * (self._own_at - began), TURN / 2 * self._others_took))
            self._others_came.clear()

    @property
    def must_give_way(self) -> bool:
        """Whether it is another process's turn: right after this one has stored between others' events."""
        return 0 < self._own_at - self._others_at < ACTIVE * self._turn

    async def give_way(self) -> None:
        """Return when it is this process's turn."""
        if not self.must_give_way:
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(self._own_at + self._turn - monotonic()):
                await self._others_came.wait()
