"""Makes the checkpoints of all tables in the background, in one process of the house.

A table's log is read on from its last checkpoint by what checks it. A database from before there were checkpoints, or
whose checkpoints other code made, gets them in the same way, at a pace that leaves the server most of its time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from time import process_time

from punto.audit.table_followed import TableFollowed
from punto.audit.table_recomputed import Game
from punto.server.running.background import BackgroundJobs
from punto.server.running.server_log import log
from punto.store.protocol import Reader, Store
from punto.store.trust import checkpoints
from punto.store.trust.checkpoints import Checkpoints, MadeCheckpoint
from punto.store.trust.keys import Keys

LOOKED_EACH = 30
"""Seconds between looks at how far the logs have come."""
READ_AT_ONCE = 2_000
"""Events of a log read before others have their turn."""
SHARE = 0.1
"""The most of a core's time that it takes while it has much to read."""
MOST_FOLLOWED = 64
"""Tables kept in memory between two looks; others are followed from their last checkpoints again."""
WORTH_A_LOOK = 500
"""New events before a table is followed further: a shoe has more."""


class CheckpointKeeper:
    """The checkpoints of a house."""

    def __init__(self, store: Store, keys: Keys, games: Mapping[str, Game], jobs: BackgroundJobs) -> None:
        self._store, self._keys, self._games, self._jobs = store, keys, games, jobs
        self._followed: dict[str, TableFollowed] = {}
        self._faulty: set[str] = set()
        """Tables whose logs are at fault: no checkpoint is made of them."""

    async def keep_up(self, tables: Callable[[], Iterable[str]]) -> None:
        """Read on from time to time, as long as the server runs."""
        while True:
            await asyncio.sleep(LOOKED_EACH)
            try:
                if await self._store.lead("checkpoints"):
                    await self.catch_up(tables(), SHARE)
            except self._store.away as error:
                log.warning("the database is away", error=type(error).__name__)
            except Exception:
                log.exception("no checkpoints")  # nothing but speed depends on them
                self._followed.clear()

    async def catch_up(self, tables: Iterable[str], share: float = 1.0) -> None:
        """Make all checkpoints that are due at these tables, in a share of a core's time."""
        heads = await self._store.heads([table for table in tables if table not in self._faulty])
        for table, head in heads.items():
            followed = self._followed.pop(table, None)
            if followed and head - followed.number < WORTH_A_LOOK:
                self._followed[table] = followed
                continue
            await self._follow(table, head, followed, share)
        while len(self._followed) > MOST_FOLLOWED:
            del self._followed[next(iter(self._followed))]

    async def _follow(self, table: str, head: int, followed: TableFollowed | None, share: float) -> None:
        """Read a table's log to its end."""
        followed = followed or await self._begin(table)
        while followed.number < head and not followed.found.findings:
            began = process_time()
            made = await self._jobs.run(partial(_read_on, followed))
            for each in made:
                await checkpoints.keep(self._store, each._replace(checkpoint=each.checkpoint.signed(self._keys)))
            await asyncio.sleep((process_time() - began) * (1 / share - 1))
        if followed.found.findings:
            self._faulty.add(table)
            log.warning("no checkpoints of a log at fault", table=table, number=followed.found.findings[0].number)
        else:
            self._followed[table] = followed

    async def _begin(self, table: str) -> TableFollowed:
        last = await Checkpoints(self._store, table, self._keys.public_key).last()
        return (TableFollowed.at(last, self._games) if last else None) or TableFollowed(table, self._games)


async def _read_on(followed: TableFollowed, store: Reader) -> list[MadeCheckpoint]:
    """Follow the next events of a table; return the checkpoints that are due."""
    page = await store.read(followed.stream, followed.number, READ_AT_ONCE)
    return [made for recorded in page if (made := followed.take_in(recorded))]
