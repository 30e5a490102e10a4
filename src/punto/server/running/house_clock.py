"""The house's clock: it starts at the machine's time and then goes on steadily, whatever the machine's is set to.

Deadlines, sessions and links are stored as times, so a clock that jumps would move them all. This one counts on a clock
that cannot be set. If the machine's is set, that is an event of the house, and the two approach each other by one part
in a hundred: a betting window of ten seconds is then a tenth of a second longer or shorter.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

from punto.server.running.server_log import log

CHECKED_EACH = 0.5
"""Seconds between checks of the machine's clock."""
TOLERANCE = 2_000
"""Milliseconds: less is no event, as a machine's clock is corrected now and then."""
APPROACH = 100
"""One part in so many."""
_MS = 1_000_000


_STEADY = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
"""It counts while the machine sleeps, where there is such a clock."""


def _steady() -> int:
    """Return nanoseconds on a clock that cannot be set."""
    return time.clock_gettime_ns(_STEADY)


class HouseClock:
    """The time in milliseconds since 1970; it never goes back."""

    def __init__(self, machine: Callable[[], int] = time.time_ns, steady: Callable[[], int] = _steady) -> None:
        self._machine, self._steady = machine, steady
        self._checked = steady()
        self._ahead = machine() - self._checked
        """The house's time less the steady clock's."""
        self._difference = 0
        """The machine's time less the house's, when that was last checked."""
        self._last = 0

    def __call__(self) -> int:
        now = (self._ahead + self._steady()) // _MS
        if now > self._last:
            self._last = now
        return self._last

    def not_before(self, at: int) -> None:
        """Go on from this time if it is later: the log holds something of then."""
        if (missing := at - self()) > 0:
            self._ahead += missing * _MS

    def check(self) -> int | None:
        """Approach the machine's time; if that was set since the last check, return by how many milliseconds."""
        now = self._steady()
        elapsed, self._checked = now - self._checked, now
        difference = self._machine() - (self._ahead + now)
        jumped = (difference - self._difference) // _MS
        most = elapsed // APPROACH
        step = max(-most, min(most, difference))
        self._ahead += step
        self._difference = difference - step
        return jumped if abs(jumped) > TOLERANCE else None


async def watch_clock(clock: HouseClock, record: Callable[[int], Awaitable[None]]) -> None:
    """Record every time the machine's clock is set, for as long as the server runs."""
    unrecorded: list[int] = []
    while True:
        if (jumped := clock.check()) is not None:
            log.error("the machine's clock was set", milliseconds=jumped)
            unrecorded.append(jumped)
        try:
            while unrecorded:
                await record(unrecorded[0])
                unrecorded.pop(0)
        except Exception as error:
            log.error("the set clock is not recorded yet", error=type(error).__name__)
        await asyncio.sleep(CHECKED_EACH)
