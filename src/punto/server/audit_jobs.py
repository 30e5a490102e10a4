"""What an auditor asks of a server: rounds that are found and told, shoes that are checked, logs gone through whole."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, TypeVar

from punto.audit.finding import Finding
from punto.audit.log_audit import Game, StoreAudit
from punto.report.replay import RoundReplayed, replay
from punto.report.round_index import Chronicle, RoundFound, Sought
from punto.report.shoe_check import ShoeChecked, ShoeListed, check_shoe, shoes_of
from punto.server.background import Aside
from punto.server.server_log import log
from punto.store.protocol import Reader
from punto.texts import Language

READ_AT_ONCE = 20_000
"""Events of a log that are taken in before somebody who asks is answered, be it that there are more."""
MOST_CHRONICLES = 32

T = TypeVar("T")


class NotRead(Exception):
    """A log has not been gone through yet: how far one has come, and how far it goes."""

    def __init__(self, read: int, of: int) -> None:
        super().__init__(f"{read} of {of} events are read")
        self.read, self.of = read, of


class Verification:
    """A table's log gone through whole, from the first event to the last: how far it has come, and what was found."""

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


class Auditing:
    """An auditor's desk: what it has read of each table, so that it need not be read again."""

    def __init__(self, store: Reader, games: Mapping[str, Game], clock: Callable[[], int]) -> None:
        self._store, self._games, self._clock = store, games, clock
        self.aside = Aside(store)
        self.verifications: dict[str, Verification] = {}
        self._chronicles: dict[str, tuple[Chronicle, asyncio.Lock]] = {}

    # --- rounds ----------------------------------------------------------------------------------------------------

    async def find(
        self, table: str, sought: Sought, before: int | None, most: int
    ) -> tuple[Chronicle, list[RoundFound]]:
        """The last rounds that fit, of those before a round if one is named."""

        async def work(_: Reader, chronicle: Chronicle) -> tuple[Chronicle, list[RoundFound]]:
            return chronicle, chronicle.find(sought, before, most)

        return await self._with(table, work)

    async def replay(self, table: str, round_: int, language: Language, after: int) -> RoundReplayed | None:
        """A round as it happened; None if there is no such round."""

        async def work(store: Reader, chronicle: Chronicle) -> RoundReplayed | None:
            found = chronicle.round(round_)
            return await replay(store, chronicle, found, language, after) if found else None

        return await self._with(table, work)

    async def shoes(self, table: str) -> list[ShoeListed]:
        """The shoes of a table, the newest first."""

        async def work(store: Reader, chronicle: Chronicle) -> list[ShoeListed]:
            return await shoes_of(store, chronicle)

        return await self._with(table, work)

    async def check_shoe(self, table: str, shoe: str) -> ShoeChecked | None:
        """Check a shoe; None if there is no such shoe."""

        async def work(store: Reader, chronicle: Chronicle) -> ShoeChecked | None:
            return await check_shoe(store, chronicle, shoe)

        return await self._with(table, work)

    async def _with(self, table: str, work: Callable[[Reader, Chronicle], Coroutine[Any, Any, T]]) -> T:
        """Do something with all that is known of a table, one after the other.

        Raises ``NotRead`` if its log goes on after what is read at once: whoever asks again is further then.
        """
        if table not in self._chronicles:
            self._chronicles[table] = Chronicle(table, self._games), asyncio.Lock()
        chronicle, alone = self._chronicles[table] = self._chronicles.pop(table)  # the one that was asked for last
        while len(self._chronicles) > MOST_CHRONICLES:
            del self._chronicles[next(iter(self._chronicles))]

        async def read_and_work(store: Reader) -> T:
            if not await chronicle.follow(store, READ_AT_ONCE):
                raise NotRead(chronicle.number, (await store.head(table))[0])
            return await work(store, chronicle)

        async with alone:
            return await self.aside.do(read_and_work)

    # --- the whole log ---------------------------------------------------------------------------------------------

    def begin(self, table: str, spawn: Callable[[Coroutine[Any, Any, None]], None]) -> Verification:
        """Go through a table's log from its beginning, unless somebody has it done already."""
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
            made.findings = await self.aside.do(work)
        except Exception as error:
            made.failed = True
            log.error("not verified", table=made.table, why=type(error).__name__)
        finally:
            made.ended = self._clock()
