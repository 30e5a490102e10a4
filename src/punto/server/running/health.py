"""Health: whether commands can be stored now, found out by storing something."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from enum import StrEnum
from time import monotonic

from punto.server.running.server_log import log
from punto.store.protocol import Store

FRESH_FOR = 1.0
"""Seconds an answer of the database is believed, so that asking for health cannot load the disk."""
ANSWERS_WITHIN = 2.0
"""Seconds in which something must be stored."""
_PROBE = "insert into probe (id, number) values (1, $1) on conflict (id) do update set number = excluded.number"


class Trouble(StrEnum):
    """Why a server does not serve."""

    STOPPING = "stopping"
    OPENING = "opening"
    """Tables are still being opened; commands at others are stored."""
    HOUSE_BEHIND = "house-behind"
    """It went back in time, and nobody has accepted that yet."""
    PROGRAM_ALTERED = "program-altered"
    """The program's files are not those of the build that the house has signed."""
    DATABASE = "database"
    """It refuses what is to be stored, or is away."""
    DATABASE_HANGS = "database-hangs"
    """It has not stored something in time."""


Check = Callable[[], Trouble | None]
"""Names a trouble if there is one, at once and without asking the database."""


class Health:
    """What keeps the server from serving, by checks that each part of it adds."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._checks: list[Check] = []
        self._readiness: list[Check] = []
        self._probe: asyncio.Task[None] | None = None
        self._number = 0
        self._checked, self._trouble = float("-inf"), None

    _checked: float
    _trouble: Trouble | None

    def add(self, check: Check, only_readiness: bool = False) -> None:
        """Add a check; ``only_readiness`` for what passes by itself, and is no reason to restart anything."""
        (self._readiness if only_readiness else self._checks).append(check)

    async def troubles(self, readiness: bool = False) -> tuple[Trouble, ...]:
        """Return what is wrong now; nothing if commands can be stored."""
        found = [trouble for check in self._checks if (trouble := check())]
        if not found and (trouble := await self._can_store()):
            found.append(trouble)
        if readiness:
            found += [trouble for check in self._readiness if (trouble := check())]
        return tuple(found)

    async def _can_store(self) -> Trouble | None:
        """Store something, one probe at a time for all who ask, and tell what comes of it within the time for it."""
        if self._probe is None:
            if monotonic() - self._checked < FRESH_FOR:
                return self._trouble
            self._probe = asyncio.create_task(self._store_something())
        elif monotonic() - self._checked < FRESH_FOR:
            return self._trouble  # it hangs, as it did a moment ago
        probe = self._probe
        await asyncio.wait([probe], timeout=ANSWERS_WITHIN)
        if not probe.done():
            self._note(Trouble.DATABASE_HANGS, "")
        return self._trouble

    async def _store_something(self) -> None:
        self._number += 1
        try:
            await self._store.ask(_PROBE, self._number)
        except Exception as error:
            self._note(Trouble.DATABASE, type(error).__name__)
        else:
            self._note(None, "")
        finally:
            self._probe = None

    def _note(self, trouble: Trouble | None, error: str) -> None:
        if trouble is not self._trouble:
            log.error("health", trouble=trouble and trouble.value, error=error)
        self._checked, self._trouble = monotonic(), trouble
