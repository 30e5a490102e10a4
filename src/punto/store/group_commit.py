"""Work that goes to disk together: while one commit is under way, what comes meanwhile gathers for the next."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")

MOST_IN_A_COMMIT = 1000


class Gathering(Generic[T]):
    """Those who wait for a commit. ``commit`` raises nothing: each piece of work has what came of it, or its error."""

    def __init__(self, commit: Callable[[Sequence[T]], Awaitable[None]]) -> None:
        self._commit = commit
        self._waiting: list[tuple[Sequence[T], asyncio.Future[None]]] = []
        self._writer: asyncio.Task[None] | None = None

    async def carry_out(self, work: Sequence[T]) -> None:
        """Have it committed with whatever else waits, and wait for that."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((work, done))
        if self._writer is None:
            self._writer = asyncio.create_task(self._write_on())
        await done

    async def _write_on(self) -> None:
        while self._waiting:
            together, self._waiting = self._waiting[:MOST_IN_A_COMMIT], self._waiting[MOST_IN_A_COMMIT:]
            await self._commit([each for work, _ in together for each in work])
            for _, done in together:
                if not done.cancelled():
                    done.set_result(None)
        self._writer = None

    async def finish(self) -> None:
        """Wait until nothing waits any more."""
        if self._writer:
            await self._writer
