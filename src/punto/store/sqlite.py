"""The store on SQLite: one file, one writer, many appends to a commit.

Appends wait in a queue. The writer takes all that are there, writes them in one transaction, and answers them when it
is on disk: while one commit waits for the disk, in a thread of its own, the appends for the next one gather.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import astuple, dataclass, field
from functools import cache
from itertools import chain
from pathlib import Path
from threading import Lock
from typing import IO, Any

import apsw

from punto.store.batch import Answers, Job, answer_row, event_row, take_in
from punto.store.contract import Heard, refused
from punto.store.records import FIRST_HASH, Answer, Append, Recorded, Snapshot, StoreError, Written

MIGRATIONS = Path(__file__).with_name("migrations") / "sqlite"
MOST_IN_A_COMMIT = 1000
ROWS_AT_ONCE = 250

_SELECT = "select number, name, version, body, at, by, position, hash from event where stream = ?"


@dataclass(slots=True)
class _Statement:
    """A statement about what is not an event, and what came of it."""

    text: str
    values: tuple[object, ...] = field(repr=False)
    rows: list[tuple[Any, ...]] = field(default_factory=list, repr=False)
    error: Exception | None = None


_Work = Sequence[Job | _Statement]


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

    async def heads(self, streams: Sequence[str]) -> dict[str, int]:
        return await asyncio.to_thread(self._alone, lambda: self._heads_together(streams))

    def _heads_together(self, streams: Sequence[str]) -> dict[str, int]:
        """All of one moment: what is stored together is told together."""
        heads: dict[str, int] = {}
        with self._reading:
            heads.update((stream, _head(self._reading, stream)[0]) for stream in streams)
        return heads

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

    shared = False

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
        self._waiting: list[tuple[_Work, asyncio.Future[None]]] = []
        self._writing_on: asyncio.Task[None] | None = None
        self._disk = ThreadPoolExecutor(1, thread_name_prefix="punto-writer")

    # --- writing ---------------------------------------------------------------------------------------------------

    async def append(self, appends: Sequence[Append], answer: Answer | None = None) -> list[Recorded]:
        job = Job(appends, answer)
        await self._hand_over([job])
        if job.error:
            raise job.error
        return job.recorded

    async def append_all(self, jobs: Sequence[Job]) -> None:
        await self._hand_over(jobs)

    def listen(self, heard: Heard) -> None:
        """Nobody else serves the file."""

    async def lead(self, what: str) -> bool:  # noqa: ARG002
        return True

    async def keep(self, snapshot: Snapshot) -> None:
        await self.ask("insert or replace into snapshot values ($1, $2, $3, $4, $5)", *astuple(snapshot))

    async def ask(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        asked = _Statement(statement, values)
        await self._hand_over([asked])
        if asked.error:
            raise asked.error
        return asked.rows

    async def _hand_over(self, work: _Work) -> None:
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((work, done))
        if self._writing_on is None:
            self._writing_on = asyncio.create_task(self._write_on())
        await done

    async def _write_on(self) -> None:
        """Commit what waits, as long as something does: while one commit waits for the disk, the next gathers."""
        while self._waiting:
            together, self._waiting = self._waiting[:MOST_IN_A_COMMIT], self._waiting[MOST_IN_A_COMMIT:]
            await self._commit([each for work, _ in together for each in work])
            for _, done in together:
                if not done.cancelled():
                    done.set_result(None)
        self._writing_on = None

    async def _commit(self, together: _Work) -> None:
        jobs = [each for each in together if isinstance(each, Job)]
        others = [each for each in together if isinstance(each, _Statement)]
        try:
            try:
                await self._on_disk(self._take_in(jobs, {}), others)
            except apsw.ConstraintError:
                # One of the keys has been used. That is rare, so that one looks for it only now.
                self._roll_back()
                await self._on_disk(self._take_in(jobs, self._known_answers(jobs)), others)
        except Exception as error:
            self._roll_back()
            for each in together:
                each.error = each.error or StoreError(f"nothing was stored: {error}")

    def _take_in(self, jobs: Sequence[Job], known: Answers) -> list[Job]:
        for stream in {append.stream for job in jobs for append in job.appends} - self._heads.keys():
            self._heads[stream] = _head(self._writing, stream)
        for job in jobs:
            job.recorded, job.error = [], None
        return take_in(jobs, self._heads, known)

    async def _on_disk(self, taken: Sequence[Job], others: Sequence[_Statement]) -> None:
        """What is inserted stays in memory and takes no time; to be on disk it has to wait, in a thread of its own."""
        self._writing.execute("begin immediate")
        self._write(taken)
        for each in others:
            self._carry_out(each)
        await asyncio.get_running_loop().run_in_executor(self._disk, self._writing.execute, "commit")

    def _write(self, taken: Sequence[Job]) -> None:
        self._insert("event", [event_row(each) for job in taken for each in job.recorded])
        self._insert("answer", [answer_row(job.answer) for job in taken if job.answer])

    def _insert(self, into: str, rows: Sequence[tuple[Any, ...]]) -> None:
        for begin in range(0, len(rows), ROWS_AT_ONCE):
            some = rows[begin : begin + ROWS_AT_ONCE]
            self._writing.execute(_inserting(into, len(some), len(some[0])), tuple(chain.from_iterable(some)))

    def _roll_back(self) -> None:
        self._heads.clear()
        if self._writing.in_transaction:
            self._writing.execute("rollback")

    def _known_answers(self, jobs: Sequence[Job]) -> Answers:
        keys = {(job.answer.actor, job.answer.key) for job in jobs if job.answer}
        return {key: found for key in keys if (found := _answer(self._writing, *key))}

    def _carry_out(self, statement: _Statement) -> None:
        """One that fails is taken back alone, and the rest of the commit goes on."""
        try:
            with self._writing:
                statement.rows = list(self._writing.execute(statement.text, statement.values))
        except Exception as error:
            if not self._writing.in_transaction:  # the disk is full, say: SQLite has taken everything back
                raise
            statement.error = refused(statement.text, error)

    async def close(self) -> None:
        if self._writing_on:
            await self._writing_on
        self._disk.shutdown()
        self._opened.close()


@cache
def _inserting(into: str, rows: int, columns: int) -> str:
    row = f"({', '.join('?' * columns)})"
    return f"insert into {into} values {', '.join([row] * rows)}"


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
