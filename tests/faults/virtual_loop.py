"""An event loop without time or chance of its own: its clock jumps to the next timer, a seed says what runs next.

Everything that runs belongs to a process, named by a context variable. When a process dies, nothing of it runs any
more: no handler, no ``finally``, as if it had been killed.
"""

from __future__ import annotations

import asyncio
import heapq
from asyncio.events import TimerHandle
from collections import deque
from collections.abc import Callable, Coroutine
from contextlib import suppress
from contextvars import Context, ContextVar, copy_context
from dataclasses import dataclass
from itertools import count
from random import Random
from typing import Any, TypeVarTuple

Work = Coroutine[Any, Any, Any]
Args = TypeVarTuple("Args")


@dataclass(slots=True, eq=False)
class Process:
    """What a killed server takes with it."""

    name: str
    alive: bool = True

    def context(self) -> Context:
        """Return a context whose work belongs to this process."""
        context = copy_context()
        context.run(PROCESS.set, self)
        return context


PROCESS: ContextVar[Process | None] = ContextVar("PROCESS", default=None)


class StandsStill(Exception):
    """Nothing is left to run, and something is still waited for."""


class VirtualLoop(asyncio.BaseEventLoop):
    """Runs tasks that are ready in an order drawn by a seed; callbacks of one process stay in their order."""

    _ready: deque[Any]

    def __init__(self, dice: Random) -> None:
        super().__init__()
        self._dice, self._now = dice, 0.0
        self._timers: list[tuple[float, int, Any]] = []
        """By time and then in the order they were set, so that those for one moment never change places."""
        self._orders = count()
        self._born: list[asyncio.Task[Any]] = []
        """All tasks, kept so that those of dead processes are not cleaned up in their midst."""
        self.work_takes: Callable[[], float] = lambda: 0.0
        """Seconds that work in another thread takes, before and after it is done."""
        self.set_task_factory(self._bear)  # type: ignore[arg-type]

    def time(self) -> float:
        return self._now

    def call_at(
        self, when: float, callback: Callable[[*Args], object], *args: *Args, context: Context | None = None
    ) -> TimerHandle:
        timer = TimerHandle(when, callback, args, self, context)
        heapq.heappush(self._timers, (when, next(self._orders), timer))
        return timer

    def _bear(self, _: asyncio.AbstractEventLoop, work: Work, context: Context | None = None) -> asyncio.Task[Any]:
        task: asyncio.Task[Any] = asyncio.Task(work, loop=self, context=context)
        self._born.append(task)
        return task

    def run_in_executor(self, _: Any, work: Callable[..., Any], *args: Any) -> asyncio.Future[Any]:  # type: ignore[override]
        """Do what another thread would do, all at once at some moment; its result comes at a later one."""
        done = self.create_future()

        def tell(give: Callable[[Any], None], result: Any) -> None:
            if not done.done():
                give(result)

        def do() -> None:
            try:
                self.call_later(self.work_takes(), tell, done.set_result, work(*args))
            except Exception as error:
                self.call_later(self.work_takes(), tell, done.set_exception, error)

        self.call_later(self.work_takes(), do)
        return done

    # --- one step --------------------------------------------------------------------------------------------------

    def _run_once(self) -> None:
        self._move_timers()
        handle = self._next()
        if not handle._cancelled and _is_alive(handle):
            handle._run()

    def _move_timers(self) -> None:
        """Put timers that are due among what is ready; if nothing is, let time jump to the next."""
        timers, ready = self._timers, self._ready
        while timers and (timers[0][0] <= self._now or not ready):
            when, _, timer = heapq.heappop(timers)
            if not timer._cancelled and _is_alive(timer):
                self._now = max(self._now, when)
                ready.append(timer)
        if not ready:
            raise StandsStill

    def _next(self) -> Any:
        """Take a task's step by chance, or the first callback of a process drawn by chance."""
        ready = self._ready
        if len(ready) == 1:
            return ready.popleft()
        at = self._dice.randrange(len(ready))
        handle = ready[at]
        if not _is_step(handle):
            process = handle._context.get(PROCESS)
            at = next(
                index
                for index, each in enumerate(ready)
                if each._context.get(PROCESS) is process and not _is_step(each)
            )
            handle = ready[at]
        del ready[at]
        return handle

    def _write_to_self(self) -> None:
        """Do nothing: no other thread waits."""

    def _process_events(self, event_list: Any) -> None:
        """Do nothing: there are no files to watch."""

    def bury(self) -> None:
        """Close what is left of tasks that never ended, dead ones included; nothing they still ask for is done."""
        for task in self._born:
            task._log_destroy_pending = False  # type: ignore[attr-defined]
            with suppress(Exception):
                task.get_coro().close()
        self._born.clear()
        self._ready.clear()
        self._timers.clear()
        self.close()


def _is_step(handle: Any) -> bool:
    return isinstance(getattr(handle._callback, "__self__", None), asyncio.Task)


def _is_alive(handle: Any) -> bool:
    process = handle._context.get(PROCESS)
    return process is None or process.alive
