"""The store on SQLite: one file, one writer thread, many appends to a commit.

Appends wait in a queue. The writer takes all that are there, writes them in one transaction, and answers them when it
is on disk: while one commit waits for the disk, the appends for the next one gather.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import IO, Any

import apsw

from punto.store.records import FIRST_HASH, Answer, Append, Conflict, Recorded, Repeated, Snapshot, Written, hash_of

MIGRATIONS = Path(__file__).with_name("migrations") / "sqlite"
MOST_IN_A_COMMIT = 1000

_INSERT = "insert into event values (?, ?, ?, ?, ?, ?, ?, ?, ?)"
_SELECT = "select number, name, version, body, at, by, position, hash from event where stream = ?"


class StoreError(Exception):
    """The store cannot be opened or used; the sentence says why."""


@dataclass(slots=True)
class _Job:
    """An append on its way to the writer, and where its result goes."""

    appends: Sequence[Append]
    answer: Answer | None
    snapshot: Snapshot | None
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[list[Recorded]]
    recorded: list[Recorded] = field(default_factory=list)
    error: Exception | None = None

    def deliver(self) -> None:
        if self.future.cancelled():
            return
        if self.error:
            self.future.set_exception(self.error)
        else:
            self.future.set_result(self.recorded)


class SqliteReader:
    """A store that is only read, whether somebody serves it or not."""

    def __init__(self, reading: apsw.Connection) -> None:
        self._reading, self._read_lock = reading, Lock()

    @classmethod
    def open(cls, file: Path) -> SqliteReader:
        if not file.exists():
            raise StoreError(f"{file}: there is no such database")
        return cls(_connected(file, reading=True))

    async def read(self, stream: str, after: int = 0, most: int = 1000) -> list[Recorded]:
        rows = await self._ask(f"{_SELECT} and number > ? order by number limit ?", (stream, after, most))
        return [Recorded(stream, number, Written(*about), hash_) for number, *about, hash_ in rows]

    async def head(self, stream: str) -> tuple[int, bytes]:
        return await asyncio.to_thread(self._alone, lambda: _head(self._reading, stream))

    async def streams(self) -> list[str]:
        return [name for (name,) in await self._ask("select distinct stream from event order by stream", ())]

    async def answer(self, actor: str, key: str) -> Answer | None:
        return await asyncio.to_thread(self._alone, lambda: _answer(self._reading, actor, key))

    async def snapshot(self, stream: str) -> Snapshot | None:
        rows = await self._ask("select * from snapshot where stream = ?", (stream,))
        return Snapshot(*rows[0]) if rows else None

    async def _ask(self, query: str, values: tuple[object, ...]) -> list[Any]:
        return await asyncio.to_thread(self._alone, lambda: list(self._reading.execute(query, values)))

    def _alone(self, work: Callable[[], Any]) -> Any:
        with self._read_lock:
            return work()

    async def close(self) -> None:
        self._reading.close()


class SqliteStore(SqliteReader):
    """A store in one file, served by one process."""

    def __init__(self, file: Path) -> None:
        with ExitStack() as opened:
            opened.enter_context(_locked(file))
            self._writing = _connected(file)
            opened.callback(self._writing.close)
            _migrate(self._writing)
            super().__init__(_connected(file))
            opened.callback(self._reading.close)
            self._opened = opened.pop_all()
        self._heads: dict[str, tuple[int, bytes]] = {}
        self._queue: SimpleQueue[_Job | None] = SimpleQueue()
        self._writer = Thread(target=self._write_on, name="punto-writer", daemon=True)
        self._writer.start()

    # --- writing ---------------------------------------------------------------------------------------------------

    async def append(self, appends: Sequence[Append], answer: Answer | None = None) -> list[Recorded]:
        return await self._hand_over(appends, answer, None)

    async def keep(self, snapshot: Snapshot) -> None:
        await self._hand_over((), None, snapshot)

    async def _hand_over(
        self, appends: Sequence[Append], answer: Answer | None, snapshot: Snapshot | None
    ) -> list[Recorded]:
        loop = asyncio.get_running_loop()
        job = _Job(appends, answer, snapshot, loop, loop.create_future())
        self._queue.put(job)
        return await job.future

    def _write_on(self) -> None:
        """The writer's life: take all jobs there are, commit, answer."""
        while job := self._queue.get():
            jobs, going_on = [job], True
            while going_on and len(jobs) < MOST_IN_A_COMMIT:
                try:
                    following = self._queue.get_nowait()
                except Empty:
                    break
                going_on = following is not None
                jobs += [following] if following else []
            self._commit(jobs)
            for loop in {job.loop for job in jobs}:
                _deliver(loop, [job for job in jobs if job.loop is loop])
            if not going_on:
                break

    def _commit(self, jobs: Sequence[_Job]) -> None:
        try:
            self._writing.execute("begin immediate")
            for job in jobs:
                try:
                    job.recorded = self._take_in(job)
                except (Conflict, Repeated) as error:
                    job.error = error
            self._writing.execute("commit")
        except Exception as error:
            self._heads.clear()
            if self._writing.in_transaction:
                self._writing.execute("rollback")
            for job in jobs:
                job.error = job.error or StoreError(f"nothing was stored: {error}")

    def _take_in(self, job: _Job) -> list[Recorded]:
        """Check everything first; after that nothing of the job can be refused."""
        if job.answer and (known := _answer(self._writing, job.answer.actor, job.answer.key)):
            raise Repeated(known)
        for append in job.appends:
            found, _ = self._head(append.stream)
            if found != append.expected:
                raise Conflict(append.stream, append.expected, found)
        recorded = [each for append in job.appends for each in self._write(append)]
        if job.answer:
            one = job.answer
            row = (one.actor, one.key, one.digest, one.stream, one.first, one.last)
            self._writing.execute("insert into answer values (?, ?, ?, ?, ?, ?)", row)
        if job.snapshot:
            one_ = job.snapshot
            kept = (one_.stream, one_.number, one_.hash, one_.code, one_.body)
            self._writing.execute("insert or replace into snapshot values (?, ?, ?, ?, ?)", kept)
        return recorded

    def _write(self, append: Append) -> list[Recorded]:
        number, before = self._head(append.stream)
        recorded, rows = [], []
        for each in append.events:
            number += 1
            before = hash_of(before, append.stream, number, each)
            recorded.append(Recorded(append.stream, number, each, before))
            about = (each.name, each.version, each.at, each.by, each.position)
            rows.append((append.stream, number, *about, each.body, before))
        self._writing.executemany(_INSERT, rows)
        self._heads[append.stream] = number, before
        return recorded

    def _head(self, stream: str) -> tuple[int, bytes]:
        if stream not in self._heads:
            self._heads[stream] = _head(self._writing, stream)
        return self._heads[stream]

    async def close(self) -> None:
        self._queue.put(None)
        await asyncio.to_thread(self._writer.join)
        self._opened.close()


def _deliver(loop: asyncio.AbstractEventLoop, jobs: Sequence[_Job]) -> None:
    def deliver() -> None:
        for job in jobs:
            job.deliver()

    if not loop.is_closed():
        loop.call_soon_threadsafe(deliver)


def _locked(file: Path) -> IO[str]:
    """One process serves a file: two would each believe to know its ends."""
    try:
        lock = file.with_name(f"{file.name}.lock").open("w")
    except OSError as error:
        raise StoreError(f"{file}: cannot be opened: {error.strerror}") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        raise StoreError(f"{file}: another process serves it") from None
    lock.write(f"{os.getpid()}\n")
    lock.flush()
    return lock


def _connected(file: Path, reading: bool = False) -> apsw.Connection:
    try:
        flags = apsw.SQLITE_OPEN_READONLY if reading else apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
        connection = apsw.Connection(str(file), flags=flags)
        connection.set_busy_timeout(10_000)
        if reading:
            list(connection.execute("select 1 from event limit 1"))
        else:
            connection.execute("pragma journal_mode = wal")
            connection.execute("pragma synchronous = full")
    except apsw.Error as error:
        raise StoreError(f"{file}: cannot be opened: {error}") from None
    return connection


def _migrate(connection: apsw.Connection) -> None:
    """Bring the file up to date, one numbered step after the other."""
    scripts = sorted(MIGRATIONS.glob("*.sql"))
    ((done,),) = connection.execute("pragma user_version")
    if done > len(scripts):
        raise StoreError(f"the database is of a later version ({done}) than this program knows ({len(scripts)})")
    for number, script in enumerate(scripts[done:], start=done + 1):
        with connection:
            connection.execute(script.read_text("utf-8"))
            connection.execute(f"pragma user_version = {number}")


def _head(connection: apsw.Connection, stream: str) -> tuple[int, bytes]:
    query = "select number, hash from event where stream = ? order by number desc limit 1"
    for number, hash_ in connection.execute(query, (stream,)):
        return number, hash_
    return 0, FIRST_HASH


def _answer(connection: apsw.Connection, actor: str, key: str) -> Answer | None:
    for row in connection.execute("select * from answer where actor = ? and key = ?", (actor, key)):
        return Answer(*row)
    return None
