"""A lock for what changes the state of a table, which callbacks can take too, if it is free."""

from __future__ import annotations

import asyncio
from collections import deque


class Alone:
    """A lock with a queue: it is handed over in the order in which it was asked for."""

    def __init__(self) -> None:
        self._taken = False
        self._waiting: deque[asyncio.Future[None]] = deque()

    def take(self) -> bool:
        """Take the lock if it is free, without waiting; return whether it was."""
        if self._taken:
            return False
        self._taken = True
        return True

    def release(self) -> None:
        """Hand the lock over to the next that waits, or leave it free."""
        while self._waiting:
            following = self._waiting.popleft()
            if not following.done():
                following.set_result(None)
                return
        self._taken = False

    async def __aenter__(self) -> None:
        if self.take():
            return
        handed = asyncio.get_running_loop().create_future()
        self._waiting.append(handed)
        try:
            await handed
        except asyncio.CancelledError:
            if handed.done() and not handed.cancelled():
                self.release()  # it was handed over just as the wait was cancelled
            raise

    async def __aexit__(self, *_: object) -> None:
        self.release()
