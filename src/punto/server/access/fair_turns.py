"""Turns for work that takes the processor: one thread for all, and senders served fairly."""

from __future__ import annotations

import asyncio
import os
import sys
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from threading import get_native_id
from typing import Any, TypeVar

from punto.server.refused import Refused

GIVES_WAY = 10
"""How much nicer than the server the thread is."""
MOST_OF_SENDER, MOST_IN_ALL = 20, 200
"""How much may wait: of one sender, as many as may sign in at once from one address, and of all."""
MOST_REMEMBERED = 10_000
"""Senders whose last turn is remembered; the one whose was longest ago is forgotten first."""

T = TypeVar("T")


@dataclass(slots=True, eq=False)
class _Waiting:
    work: Callable[[], Any]
    done: asyncio.Future[Any]


class FairTurns:
    """Runs work one piece after the other in a thread, next that of the sender whose last turn was longest ago.

    A sender who had no turn yet comes before all who had one: many guesses from many places keep nobody else waiting
    for more than the first guess of each.
    """

    def __init__(self, name: str) -> None:
        # A thread, not a lock: work that has begun goes on when its client has gone away, and still counts.
        self._thread = ThreadPoolExecutor(1, name, _give_way)
        self._waiting: dict[str, deque[_Waiting]] = {}
        self._last_turn: OrderedDict[str, int] = OrderedDict()
        self._turns = 0
        self._is_busy = False

    async def run(self, sender: str, work: Callable[[], T]) -> T:
        """Run work in its turn and return its result; raise ``Refused`` at once if too much waits."""
        self._make_room(sender)
        waiting = _Waiting(work, asyncio.get_running_loop().create_future())
        self._waiting.setdefault(sender, deque()).append(waiting)
        self._begin_next()
        try:
            result: T = await waiting.done
        finally:
            self._forget(sender, waiting)
        return result

    def _make_room(self, sender: str) -> None:
        """Refuse what is too much of one sender; where it is too much in all, that of who has most waiting."""
        own = len(self._waiting.get(sender, ()))
        if own >= MOST_OF_SENDER:
            raise Refused("too-many")
        if sum(map(len, self._waiting.values())) < MOST_IN_ALL:
            return
        crowd = max(self._waiting.values(), key=len)
        if len(crowd) <= own + 1:
            raise Refused("too-many")
        last = crowd.pop()
        if not last.done.done():  # its client may have gone away
            last.done.set_exception(Refused("too-many"))

    def _begin_next(self) -> None:
        if self._is_busy or not self._waiting:
            return
        sender = min(self._waiting, key=lambda each: self._last_turn.get(each, 0))
        waiting = self._waiting[sender].popleft()
        if not self._waiting[sender]:
            del self._waiting[sender]
        if waiting.done.done():  # its client has gone away
            self._begin_next()
            return
        self._is_busy = True
        self._note_turn(sender)
        running = asyncio.get_running_loop().run_in_executor(self._thread, waiting.work)
        running.add_done_callback(partial(self._finish, waiting))

    def _note_turn(self, sender: str) -> None:
        self._turns += 1
        self._last_turn[sender] = self._turns
        self._last_turn.move_to_end(sender)
        if len(self._last_turn) > MOST_REMEMBERED:
            self._last_turn.popitem(last=False)

    def _finish(self, waiting: _Waiting, running: asyncio.Future[Any]) -> None:
        self._is_busy = False
        error = None if running.cancelled() else running.exception()
        if not waiting.done.done():  # its client may have gone away
            if running.cancelled():
                waiting.done.cancel()
            elif error:
                waiting.done.set_exception(error)
            else:
                waiting.done.set_result(running.result())
        self._begin_next()

    def _forget(self, sender: str, waiting: _Waiting) -> None:
        """Take out what waits no longer, if it had no turn."""
        queue = self._waiting.get(sender)
        if queue is None:
            return
        with suppress(ValueError):
            queue.remove(waiting)
        if not queue:
            del self._waiting[sender]


def _give_way() -> None:
    """Have the system prefer every other thread to this one: a guess may wait, a wager may not."""
    if sys.platform == "linux":  # elsewhere a priority is the whole process's
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, get_native_id(), os.getpriority(os.PRIO_PROCESS, 0) + GIVES_WAY)
