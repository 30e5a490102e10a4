"""Group commit: while one transaction waits for the disk, the work that arrives is collected for the next."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, Protocol, TypeVar

from punto.store.records import StoreError

MOST_IN_A_COMMIT = 1000


class Committable(Protocol):
    """A piece of work that holds its own result, or the error that kept it from being stored."""

    error: Exception | None


T = TypeVar("T", bound=Committable)


class GroupCommit(Generic[T]):
    """A queue of work before one task, which carries out everything that waits together, as in one transaction.

    ``commit`` puts the result or the error on each piece of work. Should it raise instead, nothing is known about its
    batch: each piece gets an error that says so, and the queue goes on with the next batch.
    """

    def __init__(
        self,
        commit: Callable[[Sequence[T]], Awaitable[None]],
        in_doubt: str = "it is not known whether it was stored",
        not_begun: str = "nothing was stored",
    ) -> None:
        """Begin an empty queue; the sentences are for errors: of a batch that raised, and of one that never began."""
        self._commit, self._in_doubt, self._not_begun = commit, in_doubt, not_begun
        self._queue: list[tuple[Sequence[T], asyncio.Future[None]]] = []
        self._writer: asyncio.Task[None] | None = None

    def begin(self, work: Sequence[T]) -> asyncio.Future[None]:
        """Carry out the work together with everything else that waits; the future is done when that is."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if not work:
            done.set_result(None)
            return done
        self._queue.append((work, done))
        if self._writer is None:
            self._writer = asyncio.create_task(self._write())
        return done

    async def carry_out(self, work: Sequence[T]) -> None:
        """Carry out the work together with everything else that waits, and return when that is done."""
        await self.begin(work)

    async def _write(self) -> None:
        try:
            while self._queue:
                batch, self._queue = self._queue[:MOST_IN_A_COMMIT], self._queue[MOST_IN_A_COMMIT:]
                try:
                    await self._commit_batch([each for work, _ in batch for each in work])
                finally:
                    _finish(batch)
        except BaseException as error:  # the task was cancelled: nothing that waits will be carried out
            _fail([each for work, _ in self._queue for each in work], f"{self._not_begun}: {type(error).__name__}")
            _finish(self._queue)
            self._queue = []
            raise
        finally:
            self._writer = None

    async def _commit_batch(self, work: Sequence[T]) -> None:
        try:
            await self._commit(work)
        except BaseException as error:
            _fail(work, f"{self._in_doubt}: {type(error).__name__}")
            if not isinstance(error, Exception):
                raise

    async def finish(self) -> None:
        """Return when nothing waits any more."""
        if self._writer:
            await self._writer


def _fail(work: Sequence[T], sentence: str) -> None:
    for each in work:
        each.error = each.error or StoreError(sentence)


def _finish(batch: Sequence[tuple[Sequence[T], asyncio.Future[None]]]) -> None:
    for _, done in batch:
        if not done.done():
            done.set_result(None)
