"""The play of every patron, looked up in the logs of all tables once and kept by patron.

A log is read on from where it was left. What is found follows from the events alone, so that it does not matter which
process finds it, or whether it is found twice. Long logs take more than one request.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable

from punto.books.patron_play import PLAY_EVENTS, PatronPlay, PlayKind, patron_play
from punto.server.running.audit_jobs import NotRead
from punto.server.running.server_log import log
from punto.store import play_rows
from punto.store.codec import UnknownEvent
from punto.store.house_settings import HouseSettings
from punto.store.play_rows import PlayLine, PlayMark, PlaySession
from punto.store.protocol import Store
from punto.store.records import EventRecord
from punto.store.trust.chain import ChainBroken, verified_page
from punto.table.play.wagers import BetsOpened

BREAK = 60 * 60_000
"""Milliseconds after which play that goes on is another session."""
READ_AT_ONCE = 20_000
"""Events read for one request, before it is answered that there are more."""
PAGE = 2_000
MOST_REMEMBERED = 10_000
"""Patrons whose last session at a table is kept in memory."""
KEPT_UP_EACH = 60
"""Seconds after which the logs are read on, even if no patron asks."""

_ENDS = (PlayKind.ROUND, PlayKind.VOID)


class PlayBook:
    """The sessions and lines of all patrons."""

    def __init__(self, store: Store, settings_at: Callable[[int], HouseSettings]) -> None:
        self._store, self._settings_at = store, settings_at
        self._marks: dict[str, PlayMark] | None = None
        self._last: dict[tuple[str, str], PlaySession | None] = {}
        """The last session of a patron at a table."""
        self._alone = asyncio.Lock()

    async def keep_up(self, tables: Callable[[], Iterable[str]]) -> None:
        """Read on from time to time, in one process of the house, so that no request has much to read."""
        while True:
            await asyncio.sleep(KEPT_UP_EACH)
            try:
                if await self._store.lead("history"):
                    await self.catch_up(tables())
            except NotRead:
                continue
            except Exception as error:  # the database is away, say, or a table cannot be followed
                log.warning("history not kept up", error=type(error).__name__)

    async def catch_up(self, tables: Iterable[str]) -> None:
        """Read the logs of tables to their ends; raise ``NotRead`` if that is too long for one request."""
        async with self._alone:
            try:
                await self._catch_up(list(tables))
            except BaseException as error:
                if not isinstance(error, NotRead):
                    self._marks, self._last = None, {}  # what is in memory may be ahead of what was kept
                raise

    async def _catch_up(self, tables: list[str]) -> None:
        if self._marks is None:
            self._marks = {row[0]: PlayMark(*row) for row in await self._store.ask(play_rows.MARKS)}
        heads, left = await self._store.heads(tables), READ_AT_ONCE
        for table, head in heads.items():
            mark = self._marks.setdefault(table, PlayMark(table))
            while mark.number < head and left > 0 and (read := await self._read_on(mark, min(PAGE, left))):
                left -= read
        if left <= 0:
            raise NotRead(sum(self._marks[table].number for table in tables), sum(heads.values()))

    async def _read_on(self, mark: PlayMark, most: int) -> int:
        """Take in the next events of a table; return how many, 0 where there is one that cannot be read."""
        lines, changed = list[PlayLine](), dict[tuple[str, int], PlaySession]()
        before = mark.number
        for recorded in await self._verified(mark.stream, before, most):
            if recorded.name == BetsOpened.__name__:
                mark.opened, mark.opened_at = recorded.number, recorded.at
            elif recorded.name in PLAY_EVENTS:
                try:
                    found = list(patron_play(recorded.event))
                except UnknownEvent:
                    break
                for play in found:
                    await self._take_in(mark, recorded, play, lines, changed)
            mark.number = recorded.number
        if mark.number > before:
            await play_rows.keep(self._store, lines, changed.values(), mark)
        if len(self._last) > MOST_REMEMBERED:
            self._last.clear()
        return mark.number - before

    async def _verified(self, stream: str, after: int, most: int) -> list[EventRecord]:
        """Return the next events of a table; none where one is not as it was stored."""
        try:
            return await verified_page(self._store, stream, after, most)
        except ChainBroken as broken:
            log.error("history stops", stream=stream, number=broken.number, reason=broken.code)
            return []

    async def _take_in(
        self,
        mark: PlayMark,
        recorded: EventRecord,
        play: PatronPlay,
        lines: list[PlayLine],
        changed: dict[tuple[str, int], PlaySession],
    ) -> None:
        session = await self._last_session(play.patron, mark.stream)
        if session and session.last >= recorded.number:
            return  # another process has found it
        if session is None or not self._goes_on(session, recorded.at):
            session = self._begin(session, mark, recorded, play)
            self._last[play.patron, mark.stream] = session
        _count(session, recorded, play)
        changed[play.patron, session.first] = session
        first = mark.opened if play.kind in _ENDS else 0
        about = (play.patron, mark.stream, recorded.number, recorded.at, play.kind.value, play.round, first)
        lines.append(PlayLine(*about, play.staked, play.net, session.balance, play.change))

    async def _last_session(self, patron: str, table: str) -> PlaySession | None:
        if (patron, table) not in self._last:
            rows = await self._store.ask(play_rows.LAST_SESSION, patron, table)
            self._last[patron, table] = PlaySession(*rows[0]) if rows else None
        return self._last[patron, table]

    def _goes_on(self, session: PlaySession, at: int) -> bool:
        return not session.over and at - session.ended <= BREAK and self._day(at) <= session.ended

    def _begin(
        self, before: PlaySession | None, mark: PlayMark, recorded: EventRecord, play: PatronPlay
    ) -> PlaySession:
        """Begin a session: with a buy-in, or when the round was opened whose end is its first line."""
        at = recorded.at
        began = max(mark.opened_at, self._day(at)) if play.kind in _ENDS else at
        had = before.balance if before else 0
        return PlaySession(play.patron, min(began, at), mark.stream, recorded.number, 0, at, balance=had)

    def _day(self, at: int) -> int:
        """Return when the gaming day began that a time is in."""
        settings = self._settings_at(at)
        return settings.day_start(settings.day_of(at))


def _count(session: PlaySession, recorded: EventRecord, play: PatronPlay) -> None:
    session.last, session.ended = recorded.number, recorded.at
    session.rounds += play.kind is PlayKind.ROUND
    session.staked += play.staked
    session.net += play.net
    session.bought += play.change if play.kind is PlayKind.BUY_IN else 0
    session.cashed -= play.change if play.kind is PlayKind.CASH_OUT else 0
    session.balance += play.change
    session.over = int(play.kind is PlayKind.CASH_OUT and not session.balance)
