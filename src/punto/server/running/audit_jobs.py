"""Audits on a running server: search and replay rounds, check shoes, verify whole logs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, TypeVar

from punto.audit.finding import Finding
from punto.audit.log_audit import StoreAudit
from punto.audit.table_recomputed import Game
from punto.books.round_log import RoundFound
from punto.report.replay import RoundReplayed, replay
from punto.report.round_index import Chronicle, Sought
from punto.report.shoe_check import ShoeChecked, ShoeListed, check_shoe, shoes_of
from punto.server.running.background import BackgroundJobs
from punto.server.running.server_log import log
from punto.store.protocol import Reader
from punto.texts import Language

READ_AT_ONCE = 20_000
"""Events of a log read for one request, before it is answered that there are more."""
MOST_CHRONICLES = 32
MOST_KEPT_OF_A_LOG = 50_000
"""Events of a log since its last checkpoint, as it was when it was first read; then a newer one is looked for."""

T = TypeVar("T")


class NotRead(Exception):
    """Raised while a log has not been read to its end: how far it has been, and how far it goes."""

    def __init__(self, read: int, of: int) -> None:
        super().__init__(f"{read} of {of} events are read")
        self.read, self.of = read, of


class Verification:
    """The verification of a table's whole log: its progress, and its findings."""

    def __init__(self, table: str, began: int) -> None:
        self.table, self.began = table, began
        self.ended: int | None = None
        self.failed = False
        self.audit: StoreAudit | None = None
        self.findings: list[Finding] = []

    @property
    def read(self) -> int:
        return self.audit.events if self.audit else 0

    @property
    def of(self) -> int:
        return sum(self.audit.ends.values()) if self.audit else 0


class AuditJobs:
    """Audits of all tables, with a cache of what has been read of each log."""

    def __init__(self, store: Reader, games: Mapping[str, Game], clock: Callable[[], int]) -> None:
        self._store, self._games, self._clock = store, games, clock
        self.jobs = BackgroundJobs(store)
        self.verifications: dict[str, Verification] = {}
        self._chronicles: dict[str, tuple[Chronicle, asyncio.Lock]] = {}

    # --- rounds ----------------------------------------------------------------------------------------------------

    async def find(
        self, table: str, sought: Sought, before: int | None, most: int
    ) -> tuple[Chronicle, list[RoundFound]]:
        """Return the last rounds that fit, before a given round if one is named."""

        async def work(store: Reader, chronicle: Chronicle) -> tuple[Chronicle, list[RoundFound]]:
            return chronicle, await chronicle.find(store, sought, before, most)

        return await self._with(table, work)

    async def replay(self, table: str, round_: int, language: Language, after: int) -> RoundReplayed | None:
        """Return a round as it happened; None if there is no such round."""

        async def work(store: Reader, chronicle: Chronicle) -> RoundReplayed | None:
            found = await chronicle.round(store, round_)
            return await replay(store, chronicle, found, language, after) if found else None

        return await self._with(table, work)

    async def shoes(self, table: str) -> list[ShoeListed]:
        """Return the shoes of a table, newest first."""

        async def work(store: Reader, chronicle: Chronicle) -> list[ShoeListed]:
            return await shoes_of(store, chronicle)

        return await self._with(table, work)

    async def check_shoe(self, table: str, shoe: str) -> ShoeChecked | None:
        """Check a shoe; return None if there is no such shoe."""

        async def work(store: Reader, chronicle: Chronicle) -> ShoeChecked | None:
            return await check_shoe(store, chronicle, shoe)

        return await self._with(table, work)

    async def look(self, table: str, work: Callable[[Reader, Chronicle], Coroutine[Any, Any, T]]) -> T:
        """Look at a table as it was, with what has been read of its log."""
        return await self._with(table, work)

    async def _with(self, table: str, work: Callable[[Reader, Chronicle], Coroutine[Any, Any, T]]) -> T:
        """Do something with the chronicle of a table, one caller at a time.

        Raises ``NotRead`` if the log is longer than what one request reads: each request gets further.
        """
        if table not in self._chronicles or self._chronicles[table][0].kept > MOST_KEPT_OF_A_LOG:
            self._chronicles[table] = Chronicle(table, self._games), asyncio.Lock()
        chronicle, alone = self._chronicles[table] = self._chronicles.pop(table)  # the most recently used last
        while len(self._chronicles) > MOST_CHRONICLES:
            del self._chronicles[next(iter(self._chronicles))]

        async def read_and_work(store: Reader) -> T:
            if not await chronicle.follow(store, READ_AT_ONCE):
                raise NotRead(chronicle.number, (await store.head(table))[0])
            return await work(store, chronicle)

        async with alone:
            return await self.jobs.run(read_and_work)

    # --- the whole log ---------------------------------------------------------------------------------------------

    def begin(self, table: str, spawn: Callable[[Coroutine[Any, Any, None]], None]) -> Verification:
        """Start to verify a table's log, unless that is under way."""
        known = self.verifications.get(table)
        if known and known.ended is None:
            return known
        made = self.verifications[table] = Verification(table, self._clock())
        spawn(self._verify(made))
        return made

    async def _verify(self, made: Verification) -> None:
        async def work(store: Reader) -> list[Finding]:
            made.audit = StoreAudit(store, self._games)
            return await made.audit.run(made.table)

        try:
            made.findings = await self.jobs.run(work)
        except Exception as error:
            made.failed = True
            log.error("not verified", table=made.table, error=type(error).__name__)
        finally:
            made.ended = self._clock()
