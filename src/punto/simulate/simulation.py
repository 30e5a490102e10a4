"""Run a simulation: chunks of shoes distributed to threads or to a Ray cluster, and their counts added up.

What a chunk deals depends only on the seed and the chunk's number, and counts are whole numbers, so the sum does not
depend on which worker counted which chunk, or in what order.
"""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event, Lock
from time import perf_counter
from typing import TYPE_CHECKING

from punto.rules.rulebook import Rulebook
from punto.simulate.outcome_classes import classes_for
from punto.simulate.result import Simulation, results
from punto.simulate.shoe_makeup import Shoes

if TYPE_CHECKING:
    from concurrent.futures import Future

    from punto.simulate.lookup_tables import Counts, Tables

CHUNK = 16_384
"""Shoes in a chunk: some milliseconds of work."""

Progress = Callable[[int, int], None]
"""Callback that receives the shoes and rounds done so far."""


@dataclass(frozen=True, slots=True)
class Workload:
    """What to deal."""

    tables: Tables
    seed: int
    shoes: int

    @property
    def chunks(self) -> int:
        return -(-self.shoes // CHUNK)

    def count(self, chunk: int) -> tuple[Counts, float]:
        """Return the counts of a chunk, and the seconds it took."""
        start = perf_counter()
        counts = self.tables.count(self.seed, chunk, min(CHUNK, self.shoes - chunk * CHUNK))
        return counts, perf_counter() - start


class CountTotals:
    """Thread-safe sum of counts and seconds."""

    def __init__(self, tables: Tables) -> None:
        self.counts, self.seconds = tables.nothing(), 0.0
        self.interrupted = False
        self._lock = Lock()

    def add(self, counts: Counts, seconds: float) -> None:
        with self._lock:
            self.counts, self.seconds = self.counts + counts, self.seconds + seconds


Runner = Callable[[Workload, int, CountTotals, Progress], None]


def simulate(
    book: Rulebook,
    shoes: int,
    seed: int = 0,
    dealt: Shoes | None = None,
    workers: int | None = None,
    on: str = "threads",
    progress: Progress | None = None,
) -> Simulation:
    """Deal ``shoes`` shoes, one unit on every wager in every round, and count the results.

    ``dealt`` says how the shoes are made up and dealt, ``workers`` how many threads run (by default one per processor),
    and ``on`` is ``threads`` or ``ray``. An interrupt returns the finished part, marked partial.

    >>> from punto import load
    >>> simulate(load("baccarat"), shoes=1000, seed=7)
    <Simulation of 'baccarat': 1000 shoes, 82038 rounds, seed 7>
    """
    if shoes < 1:
        raise ValueError(f"expected a number of shoes above zero, not {shoes}")
    if not isinstance(seed, int):
        raise ValueError(f"expected a whole number as the seed, not {seed!r}")
    if workers is not None and workers < 1:
        raise ValueError(f"expected a number of workers above zero, not {workers}")
    if on not in ("threads", "ray"):
        raise ValueError(f"expected threads or ray, not {on}")
    classes = classes_for(book.wagers)
    with _without_collecting(), _uninterrupted():
        from punto.simulate.lookup_tables import Tables

        tables = Tables(classes, dealt or Shoes.of(book))
        tables.count(seed, 0, 0)  # compiles the loops, once and before timing starts
    totals, workload = CountTotals(tables), Workload(tables, seed, shoes)
    run: Runner = on_threads
    if on == "ray":
        from punto.simulate.ray_cluster import on_ray as run
    run(workload, workers or processors(), totals, progress or (lambda _shoes, _rounds: None))
    counts = totals.counts
    wagers = results(book.wagers, classes, counts)
    return Simulation(
        book, seed, counts.shoes, counts.rounds, totals.interrupted, classes.joint, totals.seconds, wagers
    )


@contextmanager
def _without_collecting() -> Iterator[None]:
    """Pause garbage collection: loading and compiling make many objects and little garbage."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Defer an interrupt: in the middle of compiling it would be lost."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def processors() -> int:
    """Return how many processors this program may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def on_threads(workload: Workload, workers: int, totals: CountTotals, progress: Progress) -> None:
    """Let each thread take the next chunk until there are none; the loops release the interpreter lock."""
    from concurrent.futures import ThreadPoolExecutor, wait  # lazily: looking up odds does not need it

    chunks, lock, stop = iter(range(workload.chunks)), Lock(), Event()

    def work() -> None:
        while not stop.is_set():
            with lock:
                chunk = next(chunks, None)
            if chunk is None:
                return
            totals.add(*workload.count(chunk))

    working: list[Future[None]] = []
    with ThreadPoolExecutor(min(workers, workload.chunks)) as pool:
        try:
            working += [pool.submit(work) for _ in range(min(workers, workload.chunks))]
            while wait(working, timeout=0.1).not_done:
                progress(totals.counts.shoes, totals.counts.rounds)
        except KeyboardInterrupt:
            totals.interrupted = True
        finally:
            stop.set()
    for each in working:
        each.result()
