"""The store on SQLite: one file, one writer, many appends to a commit.

Appends wait in a queue. A writer in another thread or process commits everything that waits at once; while a commit
waits for the disk, the queue fills for the next one.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import astuple
from pathlib import Path
from threading import Lock
from typing import Any, Protocol, TypeVar

import apsw

from punto.store.batch import Transaction
from punto.store.group_commit import GroupCommit
from punto.store.people import LIVE_SESSIONS, RIGHTS, LiveSession, PersonRow
from punto.store.protocol import ODD_ANSWERS, StreamListener
from punto.store.records import Answer, Append, Change, Damaged, EventRecord, Snapshot, StoreError
from punto.store.sqlite.writer import ROWS_AT_ONCE, SCRUB, Statement, Work, Writer, connected, head, kept_answer
from punto.store.sqlite.writer_process import WriterProcess
from punto.store.trust.mark import Marking
from punto.store.trust.verified_points import VerifiedPoint
from punto.store.words import KeptWords, name_kept

T = TypeVar("T")
DAMAGED = (apsw.CorruptError, apsw.NotADBError, UnicodeDecodeError)
"""What reading a damaged file raises, text that is no text included."""
MOST_FAULTS = 20
_SELECT = "select number, name, version, body, at, by, position, hash from event where stream = ?"

_STREAMS = """
    with recursive found (stream) as (
        select min(stream) from event
        union all
        select (select min(stream) from event where event.stream > found.stream) from found where stream is not null
    ) select stream from found where stream is not null
"""
"""Goes from one stream to the next in the index, and does not look at every event."""


class SqliteReader:
    """A store that is only read, whether a server has it open or not."""

    def __init__(self, reading: apsw.Connection) -> None:
        self._reading, self._read_lock = reading, Lock()
        self._closed = False

    @classmethod
    def open(cls, file: Path) -> SqliteReader:
        if not file.exists():
            raise StoreError(f"{file}: there is no such database")
        return cls(connected(file, reading=True))

    async def read(self, stream: str, after: int = 0, most: int = 1000) -> list[EventRecord]:
        rows = await self._ask(f"{_SELECT} and number > ? order by number limit ?", (stream, after, most))
        return [_record(stream, *row) for row in rows]

    async def last_named(self, stream: str, name: str, most: int) -> list[EventRecord]:
        rows = await self._ask(f"{_SELECT} and name = ? order by number desc limit ?", (stream, name, most))
        return [_record(stream, *row) for row in rows]

    async def with_later(self, name: str, known: Mapping[str, int]) -> list[str]:
        query = "select 1 from event where stream = ? and number > ? and name = ? limit 1"
        return [stream for stream, number in known.items() if await self._ask(query, (stream, number, name))]

    async def head(self, stream: str) -> tuple[int, bytes]:
        return await asyncio.to_thread(self._alone, lambda: head(self._reading, stream))

    async def heads(self, streams: Sequence[str]) -> dict[str, int]:
        return await asyncio.to_thread(self._alone, lambda: self._heads_together(streams))

    def _heads_together(self, streams: Sequence[str]) -> dict[str, int]:
        """Read all heads in one transaction, so that they belong to one moment."""
        heads: dict[str, int] = {}
        with self._reading:
            heads.update((stream, head(self._reading, stream)[0]) for stream in streams)
        return heads

    async def streams(self) -> list[str]:
        return [name for (name,) in await self._ask(_STREAMS, ())]

    async def answer(self, actor: str, key: str) -> Answer | None:
        return await asyncio.to_thread(self._alone, lambda: kept_answer(self._reading, actor, key))

    async def snapshot(self, stream: str) -> Snapshot | None:
        rows = await self._ask("select * from snapshot where stream = ?", (stream,))
        return Snapshot(*rows[0]) if rows else None

    async def odd_answers(self) -> list[Answer]:
        return [Answer(*row) for row in await self._ask(ODD_ANSWERS, ())]

    async def faults(self) -> list[str]:
        """Return what SQLite's own check finds wrong with the file, at most a few."""
        try:
            rows = await self._ask(f"pragma integrity_check({MOST_FAULTS})", ())
        except (Damaged, apsw.Error) as error:
            return [type(error).__name__]
        return [str(text) for (text,) in rows if text != "ok"]

    async def points(self) -> list[VerifiedPoint]:
        query = "select stream, number, hash, signature from verified_point"
        try:
            return [VerifiedPoint(*row) for row in await self._ask(query, ())]
        except apsw.SQLError:
            return []  # a database from before there were any

    async def words(self, digests: Collection[str]) -> dict[str, KeptWords]:
        rows = await self._look_up("select digest, salt, words from words where digest in", digests)
        return {digest: KeptWords(digest, salt, words) for digest, salt, words in rows}

    async def names(self, people: Collection[str]) -> dict[str, KeptWords]:
        rows = await self._look_up("select id, salt, nullif(name, '') from person where id in", people)
        return {person: name_kept(salt, name) for person, salt, name in rows}

    async def people(self) -> list[PersonRow]:
        with suppress(apsw.SQLError):
            rows = await self._ask(RIGHTS, ())
            return [PersonRow(person, duty, bool(active), *more) for person, duty, active, *more in rows]
        return []

    async def live_sessions(self, tokens: Collection[str], now: int) -> list[LiveSession]:
        known, found = list(tokens), list[LiveSession]()
        for begin in range(0, len(known), ROWS_AT_ONCE):
            some = known[begin : begin + ROWS_AT_ONCE]
            query = LIVE_SESSIONS.format(now="?", among=f"in ({', '.join('?' * len(some))})")
            found += [LiveSession(*row) for row in await self._ask(query, (now, *some))]
        return found

    async def look_up(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        try:
            return await self._ask(query, values)
        except apsw.SQLError:
            return []

    async def _look_up(self, query: str, wanted: Collection[str]) -> list[Any]:
        """Ask for rows by their keys; a database from before the columns were added has none of them."""
        keys, rows = sorted(wanted), list[Any]()
        for begin in range(0, len(keys), ROWS_AT_ONCE):
            some = keys[begin : begin + ROWS_AT_ONCE]
            with suppress(apsw.SQLError):
                rows += await self._ask(f"{query} ({', '.join('?' * len(some))})", tuple(some))
        return rows

    async def _ask(self, query: str, values: tuple[object, ...]) -> list[Any]:
        return await asyncio.to_thread(self._alone, lambda: list(self._reading.execute(query, values)))

    def _alone(self, work: Callable[[], T]) -> T:
        """Use the connection in one thread at a time: SQLite allows no other way, closing included."""
        with self._read_lock:
            if self._closed:
                raise StoreError("the store is closed")
            try:
                return work()
            except DAMAGED as error:
                raise Damaged(f"the database is damaged ({type(error).__name__}); punto audit says more") from None

    async def close(self) -> None:
        """Close the connection once the read that is under way has ended; later reads raise ``StoreError``."""
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        with self._read_lock:
            self._closed = True
            self._reading.close()


class BatchWriter(Protocol):
    """Commits work to the file outside the event loop."""

    async def commit(self, together: Work) -> None: ...
    async def close(self) -> None: ...


class WriterThread:
    """A writer in a thread of this process: enough for all but a busy server."""

    def __init__(self, file: Path) -> None:
        self.writer = Writer(file, os.getpid())
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="punto-writer")

    async def commit(self, together: Work) -> None:
        await asyncio.get_running_loop().run_in_executor(self._thread, self.writer.commit, together)

    async def close(self) -> None:
        await asyncio.to_thread(self._thread.shutdown)  # a commit may be under way, even if nothing waits for it
        self.writer.close()


class SqliteStore(Marking, SqliteReader):
    """A store in one file, served by one process."""

    shared = False
    away: tuple[type[Exception], ...] = (StoreError, OSError)

    def __init__(self, file: Path, apart: bool = False) -> None:
        """Open the file, or make it; ``apart`` writes to it in another process."""
        self.writing: BatchWriter = WriterProcess(file) if apart else WriterThread(file)
        super().__init__(connected(file, reading=True))  # the writer has made the file by now
        self._group: GroupCommit[Transaction | Statement] = GroupCommit(self._commit)

    def _alone(self, work: Callable[[], T]) -> T:
        """Use the connection alone; raise ``StoreError`` if the file cannot be read."""
        try:
            return super()._alone(work)
        except apsw.SQLError:
            raise  # a statement that does not fit this database: callers know which may
        except apsw.Error as error:
            raise StoreError(f"the database cannot be read ({type(error).__name__})") from None

    # --- writing ---------------------------------------------------------------------------------------------------

    async def append(
        self,
        appends: Sequence[Append],
        answer: Answer | None = None,
        words: Sequence[KeptWords] = (),
        changes: Sequence[Change] = (),
    ) -> list[EventRecord]:
        await self.append_all([transaction := Transaction(appends, answer, words, changes)])
        return transaction.result()

    def append_all(self, transactions: Sequence[Transaction]) -> Awaitable[None]:
        return self._group.begin(() if self._refuses(transactions) else transactions)

    async def _commit(self, together: Work) -> None:
        await self.writing.commit(together)
        self._note(together)

    def listen(self, listener: StreamListener) -> None:
        """No other process serves the file, so there is nothing to hear."""

    async def lead(self, what: str) -> bool:  # noqa: ARG002
        return True

    async def keep(self, snapshot: Snapshot) -> None:
        await self.ask("insert or replace into snapshot values ($1, $2, $3, $4, $5, $6, $7)", *astuple(snapshot))

    async def ask(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        asked = Statement(statement, values)
        await self._group.carry_out([asked])
        if asked.error:
            raise asked.error
        return asked.rows

    async def scrub(self) -> None:
        await self.ask(SCRUB)

    async def close(self) -> None:
        await self._group.finish()
        await super().close()
        await self.writing.close()
        if self.mark:
            self.mark.close()


def _record(
    stream: str, number: int, name: str, version: int, body: bytes, at: int, by: str, position: str, hash_: bytes
) -> EventRecord:
    return EventRecord(name, version, body, at, by, position, stream, number, hash_)
