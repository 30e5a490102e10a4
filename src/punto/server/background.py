"""Work that takes long, such as going through a whole log: done beside everything else, so that the tables go on.

It runs in a thread with a loop of its own, and reads the store through the server's loop, a little at a time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from threading import Thread
from typing import Any, TypeVar

from punto.store.protocol import Reader
from punto.store.records import Answer, Recorded, Snapshot

AT_A_TIME = 2
"""So much of such work is done at once; more of it waits."""
READ_AT_ONCE = 500
"""Events: while they are handed over nothing else happens."""

T = TypeVar("T")
Work = Callable[[Reader], Coroutine[Any, Any, T]]


class Over(Exception):
    """Nobody waits for the work any more."""


class _FromAThread:
    """The store as another thread reads it."""

    def __init__(self, store: Reader, loop: asyncio.AbstractEventLoop) -> None:
        self._store, self._loop = store, loop
        self.over = False

    async def _asked(self, question: Callable[[], Coroutine[Any, Any, T]]) -> T:
        if self.over:
            raise Over
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(question(), self._loop))

    async def read(self, stream: str, after: int = 0, most: int = 1000) -> list[Recorded]:
        return await self._asked(lambda: self._store.read(stream, after, min(most, READ_AT_ONCE)))

    async def head(self, stream: str) -> tuple[int, bytes]:
        return await self._asked(lambda: self._store.head(stream))

    async def heads(self, streams: Sequence[str]) -> dict[str, int]:
        return await self._asked(lambda: self._store.heads(streams))

    async def streams(self) -> list[str]:
        return await self._asked(lambda: self._store.streams())

    async def answer(self, actor: str, key: str) -> Answer | None:
        return await self._asked(lambda: self._store.answer(actor, key))

    async def snapshot(self, stream: str) -> Snapshot | None:
        return await self._asked(lambda: self._store.snapshot(stream))

    async def close(self) -> None:
        """The store stays open: it is the server's."""


class Aside:
    """Where such work is done."""

    def __init__(self, store: Reader) -> None:
        self._store, self._places = store, asyncio.Semaphore(AT_A_TIME)

    async def do(self, work: Work[T]) -> T:
        """Have it done; what came of it."""
        async with self._places:
            loop = asyncio.get_running_loop()
            reader = _FromAThread(self._store, loop)
            answer: asyncio.Future[T] = loop.create_future()
            # A thread of its own that nobody has to wait for: the server can stop at any moment.
            Thread(target=_run, args=(work, reader, loop, answer), name="punto-aside", daemon=True).start()
            try:
                return await answer
            finally:
                reader.over = True


def _run(work: Work[T], reader: _FromAThread, loop: asyncio.AbstractEventLoop, answer: asyncio.Future[T]) -> None:
    def tell(give: Callable[[], None]) -> None:
        with suppress(RuntimeError):  # the server has stopped meanwhile
            loop.call_soon_threadsafe(lambda: None if answer.done() else give())

    try:
        result = asyncio.run(work(reader))
    except BaseException as error:
        failed = error if isinstance(error, Exception) else Over()
        tell(lambda: answer.set_exception(failed))
    else:
        tell(lambda: answer.set_result(result))
