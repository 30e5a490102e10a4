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
from typing import TYPE_CHECKING, Any, Protocol

from punto.given_values import as_whole, callback
from punto.rules.caller_input import Game, game_of
from punto.rules.outcome_classes import classes_for
from punto.rules.rulebook import Rulebook
from punto.simulate.result import Simulation, results
from punto.simulate.shoe_makeup import Shoes

if TYPE_CHECKING:
    from concurrent.futures import Future


CHUNK = 16_384
"""Shoes in a chunk: some milliseconds of work."""

Progress = Callable[[int, int], None]
"""Callback that receives the shoes and rounds done so far."""


class Countable(Protocol):
    """Counts chunks of shoes; what it counts can be added up, and knows its ``shoes`` and ``rounds``."""

    @property
    def cards(self) -> int:
        """The number of cards of a shoe."""
        ...

    def count(self, seed: int, chunk: int, shoes: int) -> Any: ...

    def nothing(self) -> Any:
        """Return empty counts."""
        ...


@dataclass(frozen=True, slots=True)
class Workload:
    """What to deal."""

    tables: Countable
    seed: int
    shoes: int
    size: int = CHUNK
    """Shoes in a chunk."""

    @property
    def chunks(self) -> int:
        return -(-self.shoes // self.size)

    def count(self, chunk: int) -> tuple[Any, float]:
        """Return the counts of a chunk, and the seconds it took."""
        start = perf_counter()
        counts = self.tables.count(self.seed, chunk, min(self.size, self.shoes - chunk * self.size))
        return counts, perf_counter() - start


class CountTotals:
    """Thread-safe sum of counts and seconds."""

    def __init__(self, tables: Countable) -> None:
        self.counts, self.seconds = tables.nothing(), 0.0
        self.interrupted = False
        self._lock = Lock()

    def add(self, counts: Any, seconds: float) -> None:
        with self._lock:
            self.counts, self.seconds = self.counts + counts, self.seconds + seconds


Runner = Callable[[Workload, int, CountTotals, Progress], None]


def simulate(
    game: Game,
    shoes: int,
    seed: int = 0,
    shoe: Shoes | None = None,
    workers: int | None = None,
    on: str = "threads",
    progress: Progress | None = None,
    *,
    decks: int | None = None,
    cut: int | None = None,
    burn: int | str | None = None,
    rounds_after: int | None = None,
) -> Simulation:
    """Deal ``shoes`` shoes, one unit on every wager in every round, and count the results.

    ``shoe`` says how each is made up and dealt; for full shoes, give ``decks``, ``cut``, ``burn`` and ``rounds_after``
    instead. ``workers`` is how many threads run (by default one per processor), and ``on`` is ``threads`` or ``ray``.
    An interrupt returns the finished part, marked partial.

    >>> simulate("baccarat", shoes=1000, seed=7)
    <Simulation of 'baccarat': 1000 shoes, 82038 rounds, seed 7>
    >>> simulate("baccarat", shoes=1000, seed=7, decks=6, cut=30).shoe.cut
    30
    """
    book = game_of(game)
    shoe = shoes_dealt(book, shoe, decks=decks, cut=cut, burn=burn, rounds_after=rounds_after)
    shoes, seed, workers = dealing_numbers(shoes, seed, workers)
    callback(progress, "progress")
    if on not in ("threads", "ray"):
        raise ValueError(f"expected threads or ray, not {on}")
    classes = classes_for(book.wagers)
    with without_collecting(), uninterrupted():
        from punto.simulate.lookup_tables import Tables

        tables = Tables(classes, shoe)
        tables.count(seed, 0, 0)  # compiles the loops, once and before timing starts
    totals, workload = CountTotals(tables), Workload(tables, seed, shoes)
    run: Runner = on_threads
    if on == "ray":
        from punto.simulate.ray_cluster import on_ray as run
    run(workload, workers or processors(), totals, progress or (lambda _shoes, _rounds: None))
    counts = totals.counts
    wagers = results(book.wagers, classes, counts)
    return Simulation(
        book, shoe, seed, counts.shoes, counts.rounds, totals.interrupted, classes.joint, totals.seconds, wagers
    )


def shoes_dealt(book: Rulebook, shoe: Shoes | None, **full: Any) -> Shoes:
    """Return how shoes are made up and dealt: as given, or full ones of the game by the settings that are not None."""
    if shoe is None:
        return Shoes.of(book, **full)
    if not isinstance(shoe, Shoes):
        raise TypeError(f"expected Shoes, such as Shoes.of({book.key!r}, decks=8), found {shoe!r}")
    if given := [name for name, value in full.items() if value is not None]:
        raise TypeError(f"{' and '.join(given)}: already said by the shoe; give one or the other")
    return shoe


def dealing_numbers(shoes: object, seed: object, workers: object = None) -> tuple[int, int, int | None]:
    """Return numbers of shoes and workers and a seed; raise for numbers below one, and for what is no whole number."""
    return (
        _number("number of shoes", shoes),
        _number("seed", seed, above_zero=False),
        None if workers is None else _number("number of workers", workers),
    )


def _number(name: str, value: object, above_zero: bool = True) -> int:
    found = as_whole(value)
    if found is None:
        raise TypeError(f"expected a whole number as the {name}, not {value!r}")
    if above_zero and found < 1:
        raise ValueError(f"expected a {name} above zero, not {found}")
    return found


@contextmanager
def without_collecting() -> Iterator[None]:
    """Pause garbage collection: loading and compiling make many objects and little garbage."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


@contextmanager
def uninterrupted() -> Iterator[None]:
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
