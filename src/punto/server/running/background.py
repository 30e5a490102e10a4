"""Run long jobs, such as an audit of a whole log, in a background thread, so that the tables go on.

A job has its own event loop in its thread, and reads the store through the server's loop, a page at a time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Coroutine, Sequence
from contextlib import suppress
from threading import Thread
from typing import Any, TypeVar

from punto.store.people import PersonRow
from punto.store.protocol import Reader
from punto.store.records import Answer, EventRecord, Snapshot
from punto.store.trust.verified_points import VerifiedPoint
from punto.store.words import KeptWords

AT_A_TIME = 2
"""Jobs that run at once; more of them wait."""
READ_AT_ONCE = 500
"""Events in a page: while one is handed over the server's loop does nothing else."""

T = TypeVar("T")
BackgroundJob = Callable[[Reader], Coroutine[Any, Any, T]]


class Abandoned(Exception):
    """Raised in a job whose result nobody waits for any more."""


class _ThreadReader:
    """A reader that another thread may use: it hands every call to the server's loop."""

    def __init__(self, store: Reader, loop: asyncio.AbstractEventLoop) -> None:
        self._store, self._loop = store, loop
        self.abandoned = False

    async def _call(self, question: Callable[[], Coroutine[Any, Any, T]]) -> T:
        if self.abandoned:
            raise Abandoned
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(question(), self._loop))

    async def read(self, stream: str, after: int = 0, most: int = 1000) -> list[EventRecord]:
        return await self._call(lambda: self._store.read(stream, after, min(most, READ_AT_ONCE)))

    async def head(self, stream: str) -> tuple[int, bytes]:
        return await self._call(lambda: self._store.head(stream))

    async def heads(self, streams: Sequence[str]) -> dict[str, int]:
        return await self._call(lambda: self._store.heads(streams))

    async def streams(self) -> list[str]:
        return await self._call(lambda: self._store.streams())

    async def answer(self, actor: str, key: str) -> Answer | None:
        return await self._call(lambda: self._store.answer(actor, key))

    async def snapshot(self, stream: str) -> Snapshot | None:
        return await self._call(lambda: self._store.snapshot(stream))

    async def odd_answers(self) -> list[Answer]:
        return await self._call(lambda: self._store.odd_answers())

    async def faults(self) -> list[str]:
        return await self._call(lambda: self._store.faults())

    async def points(self) -> list[VerifiedPoint]:
        return await self._call(lambda: self._store.points())

    async def words(self, digests: Collection[str]) -> dict[str, KeptWords]:
        return await self._call(lambda: self._store.words(digests))

    async def names(self, people: Collection[str]) -> dict[str, KeptWords]:
        return await self._call(lambda: self._store.names(people))

    async def people(self) -> list[PersonRow]:
        return await self._call(self._store.people)

    async def look_up(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        return await self._call(lambda: self._store.look_up(query, *values))

    async def close(self) -> None:
        """Do nothing: the store belongs to the server."""


class BackgroundJobs:
    """Runs jobs in background threads, a few at a time."""

    def __init__(self, store: Reader) -> None:
        self._store, self._places = store, asyncio.Semaphore(AT_A_TIME)

    async def run(self, work: BackgroundJob[T]) -> T:
        """Run a job and return its result."""
        async with self._places:
            loop = asyncio.get_running_loop()
            reader = _ThreadReader(self._store, loop)
            answer: asyncio.Future[T] = loop.create_future()
            # A daemon thread: the server can stop at any moment without waiting for it.
            Thread(target=_run, args=(work, reader, loop, answer), name="punto-job", daemon=True).start()
            try:
                return await answer
            finally:
                reader.abandoned = True


def _run(
    work: BackgroundJob[T], reader: _ThreadReader, loop: asyncio.AbstractEventLoop, answer: asyncio.Future[T]
) -> None:
    def tell(give: Callable[[], None]) -> None:
        with suppress(RuntimeError):  # the server has stopped meanwhile
            loop.call_soon_threadsafe(lambda: None if answer.done() else give())

    try:
        result = asyncio.run(work(reader))
    except BaseException as error:
        failed = error if isinstance(error, Exception) else Abandoned()
        tell(lambda: answer.set_exception(failed))
    else:
        tell(lambda: answer.set_result(result))
