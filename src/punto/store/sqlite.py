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
from dataclasses import astuple, dataclass, field
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import IO, Any

import apsw
import msgspec

from punto.store.batch import Job, answer_row, event_row, take_in
from punto.store.contract import Heard, refused
from punto.store.records import FIRST_HASH, Answer, Append, Recorded, Snapshot, StoreError, Written

MIGRATIONS = Path(__file__).with_name("migrations") / "sqlite"
MOST_IN_A_COMMIT = 1000

# Many rows come in as one value: the interpreter is asked for once in a commit and not once for every row, while the
# process has other things to do.
_INSERT = """
    insert into event select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6,
    cast(value ->> 7 as blob), unhex(value ->> 8) from json_each(?)
"""
_INSERT_ANSWERS = """
    insert into answer select value ->> 0, value ->> 1, unhex(value ->> 2), value ->> 3, value ->> 4, value ->> 5
    from json_each(?)
"""
_KNOWN_ANSWERS = """
    select answer.* from json_each(?) join answer on answer.actor = value ->> 0 and answer.key = value ->> 1
"""
_SELECT = "select number, name, version, body, at, by, position, hash from event where stream = ?"


@dataclass(slots=True)
class _Statement:
    """A statement about what is not an event, and what came of it."""

    text: str
    values: tuple[object, ...] = field(repr=False)
    rows: list[tuple[Any, ...]] = field(default_factory=list, repr=False)
    error: Exception | None = None


@dataclass(slots=True)
class _Waiting:
    """Jobs or statements on their way to the writer, and who is told when they are done."""

    work: Sequence[Job | _Statement]
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[None]

    def deliver(self) -> None:
        if not self.future.cancelled():
            self.future.set_result(None)


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
        return {stream: (await self.head(stream))[0] for stream in streams}

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
        self._queue: SimpleQueue[_Waiting | None] = SimpleQueue()
        self._writer = Thread(target=self._write_on, name="punto-writer", daemon=True)
        self._writer.start()

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

    async def _hand_over(self, work: Sequence[Job | _Statement]) -> None:
        loop = asyncio.get_running_loop()
        waiting = _Waiting(work, loop, loop.create_future())
        self._queue.put(waiting)
        await waiting.future

    def _write_on(self) -> None:
        """The writer's life: take all that waits, commit, answer."""
        going_on = True
        while going_on and (first := self._queue.get()):
            together = [first]
            while len(together) < MOST_IN_A_COMMIT:
                try:
                    following = self._queue.get_nowait()
                except Empty:
                    break
                if following is None:
                    going_on = False
                    break
                together.append(following)
            self._commit([work for each in together for work in each.work])
            for loop in {each.loop for each in together}:
                _deliver(loop, [each for each in together if each.loop is loop])

    def _commit(self, together: Sequence[Job | _Statement]) -> None:
        try:
            self._writing.execute("begin immediate")
            self._write([each for each in together if isinstance(each, Job)])
            for each in together:
                if isinstance(each, _Statement):
                    self._carry_out(each)
            self._writing.execute("commit")
        except Exception as error:
            self._heads.clear()
            if self._writing.in_transaction:
                self._writing.execute("rollback")
            for each in together:
                each.error = each.error or StoreError(f"nothing was stored: {error}")

    def _write(self, jobs: Sequence[Job]) -> None:
        for stream in {append.stream for job in jobs for append in job.appends} - set(self._heads):
            self._heads[stream] = _head(self._writing, stream)
        keys = [(job.answer.actor, job.answer.key) for job in jobs if job.answer]
        found = [Answer(*row) for row in self._writing.execute(_KNOWN_ANSWERS, (_as_json(keys),))] if keys else []
        taken = take_in(jobs, self._heads, {(each.actor, each.key): each for each in found})
        if rows := [event_row(each) for job in taken for each in job.recorded]:
            self._writing.execute(_INSERT, (_as_json([(*row[:7], row[7].decode(), row[8].hex()) for row in rows]),))
        if answers := [answer_row(job.answer) for job in taken if job.answer]:
            plain = [(actor, key, digest.hex(), *rest) for actor, key, digest, *rest in answers]
            self._writing.execute(_INSERT_ANSWERS, (_as_json(plain),))

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
        self._queue.put(None)
        await asyncio.to_thread(self._writer.join)
        self._opened.close()


def _as_json(rows: Sequence[object]) -> str:
    return msgspec.json.encode(rows).decode()


def _deliver(loop: asyncio.AbstractEventLoop, together: Sequence[_Waiting]) -> None:
    def deliver() -> None:
        for each in together:
            each.deliver()

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
