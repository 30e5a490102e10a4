"""The store on SQLite: one file, one writer, many appends to a commit.

Appends wait in a queue. The writer takes all that are there, writes them in one transaction, and they are answered when
it is on disk: while one commit waits for the disk, in a thread or a process of its own, those for the next one gather.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import astuple
from pathlib import Path
from threading import Lock
from typing import Any, Protocol, TypeVar

import apsw

from punto.store.batch import Job
from punto.store.group_commit import GroupCommit
from punto.store.protocol import Heard
from punto.store.records import Answer, Append, Recorded, Snapshot, StoreError, Written
from punto.store.sqlite.writer import Statement, Work, Writer, connected, head, kept_answer
from punto.store.sqlite.writer_process import Apart

T = TypeVar("T")
_SELECT = "select number, name, version, body, at, by, position, hash from event where stream = ?"


class SqliteReader:
    """A store that is only read, whether somebody serves it or not."""

    def __init__(self, reading: apsw.Connection) -> None:
        self._reading, self._read_lock = reading, Lock()
        self._closed = False

    @classmethod
    def open(cls, file: Path) -> SqliteReader:
        if not file.exists():
            raise StoreError(f"{file}: there is no such database")
        return cls(connected(file, reading=True))

    async def read(self, stream: str, after: int = 0, most: int = 1000) -> list[Recorded]:
        rows = await self._ask(f"{_SELECT} and number > ? order by number limit ?", (stream, after, most))
        return [Recorded(stream, number, Written(*about), hash_) for number, *about, hash_ in rows]

    async def head(self, stream: str) -> tuple[int, bytes]:
        return await asyncio.to_thread(self._alone, lambda: head(self._reading, stream))

    async def heads(self, streams: Sequence[str]) -> dict[str, int]:
        return await asyncio.to_thread(self._alone, lambda: self._heads_together(streams))

    def _heads_together(self, streams: Sequence[str]) -> dict[str, int]:
        """All of one moment: what is stored together is told together."""
        heads: dict[str, int] = {}
        with self._reading:
            heads.update((stream, head(self._reading, stream)[0]) for stream in streams)
        return heads

    async def streams(self) -> list[str]:
        return [name for (name,) in await self._ask("select distinct stream from event order by stream", ())]

    async def answer(self, actor: str, key: str) -> Answer | None:
        return await asyncio.to_thread(self._alone, lambda: kept_answer(self._reading, actor, key))

    async def snapshot(self, stream: str) -> Snapshot | None:
        rows = await self._ask("select * from snapshot where stream = ?", (stream,))
        return Snapshot(*rows[0]) if rows else None

    async def _ask(self, query: str, values: tuple[object, ...]) -> list[Any]:
        return await asyncio.to_thread(self._alone, lambda: list(self._reading.execute(query, values)))

    def _alone(self, work: Callable[[], T]) -> T:
        """Use the connection in one thread at a time: SQLite allows no other way, closing included."""
        with self._read_lock:
            if self._closed:
                raise StoreError("the store is closed")
            return work()

    async def close(self) -> None:
        """Close the connection once the read that is under way has ended; later reads raise ``StoreError``."""
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        with self._read_lock:
            self._closed = True
            self._reading.close()


class Writing(Protocol):
    """Somebody who writes to the file, beside everything else that is done."""

    async def commit(self, together: Work) -> None: ...
    async def close(self) -> None: ...


class InThread:
    """A writer in a thread of this process: enough for all but a busy server."""

    def __init__(self, file: Path) -> None:
        self.writer = Writer(file, os.getpid())
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="punto-writer")

    async def commit(self, together: Work) -> None:
        await asyncio.get_running_loop().run_in_executor(self._thread, self.writer.commit, together)

    async def close(self) -> None:
        await asyncio.to_thread(self._thread.shutdown)  # a commit may be under way, even if nothing waits for it
        self.writer.close()


class SqliteStore(SqliteReader):
    """A store in one file, served by one process."""

    shared = False

    def __init__(self, file: Path, apart: bool = False) -> None:
        """``apart``: write to it in a process of its own."""
        self.writing: Writing = Apart(file) if apart else InThread(file)
        super().__init__(connected(file, reading=True))  # there is something to read now
        self._group: GroupCommit[Job | Statement] = GroupCommit(self.writing.commit)

    # --- writing ---------------------------------------------------------------------------------------------------

    async def append(self, appends: Sequence[Append], answer: Answer | None = None) -> list[Recorded]:
        await self.append_all([job := Job(appends, answer)])
        return job.stored()

    async def append_all(self, jobs: Sequence[Job]) -> None:
        await self._group.carry_out(jobs)

    def listen(self, heard: Heard) -> None:
        """Nobody else serves the file."""

    async def lead(self, what: str) -> bool:  # noqa: ARG002
        return True

    async def keep(self, snapshot: Snapshot) -> None:
        await self.ask("insert or replace into snapshot values ($1, $2, $3, $4, $5)", *astuple(snapshot))

    async def ask(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        asked = Statement(statement, values)
        await self._group.carry_out([asked])
        if asked.error:
            raise asked.error
        return asked.rows

    async def close(self) -> None:
        await self._group.finish()
        await super().close()
        await self.writing.close()
