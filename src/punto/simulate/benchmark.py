"""A fixed workload for ``punto bench simulate``."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

from punto.rules.outcome_classes import classes_for
from punto.rules.rulebook import Rulebook
from punto.simulate.lookup_tables import Tables
from punto.simulate.shoe_makeup import Shoes
from punto.simulate.simulation import CHUNK, CountTotals, Workload, on_threads

_CHUNKS_FOR_EACH = 5
_TIMES = 5


class Dealing:
    """Deals the same shoes repeatedly, and counts what settles every wager of several games."""

    def __init__(self, books: Sequence[Rulebook], workers: int) -> None:
        classes = classes_for(wager for book in books for wager in book.wagers)
        shoes = Shoes.of(books[0])
        self.workers = workers
        self.workload = Workload(Tables(classes, shoes), 0, CHUNK * _CHUNKS_FOR_EACH * workers)
        self.work = (
            f"whole shoes of {len(shoes.cards)} cards shuffled without bias and dealt to the cutting card, "
            f"{shoes.cut} from the end; in every round how it ended ({len(classes.endings)} endings) and the class of "
            f"its initial deal ({len(classes.examples)} classes), which settle all wagers of {len(books)} games"
        )
        self.counted = "totals and first two cards together" if classes.joint else "two marginal counts"
        self.workload.tables.count(0, 0, 0)  # compiles

    def rounds_per_second(self, workers: int | None = None) -> float:
        """Return the best of five: rounds per second of all workers together."""

        def once() -> float:
            totals, start = CountTotals(self.workload.tables), perf_counter()
            on_threads(self.workload, workers or self.workers, totals, lambda _shoes, _rounds: None)
            if totals.interrupted:
                raise KeyboardInterrupt
            return float(totals.counts.rounds / (perf_counter() - start))

        return max(once() for _ in range(_TIMES))

    def figures(self, times: int) -> dict[str, object]:
        """Return the best of ``times`` runs; with several workers, alternate with runs of one and add the ratio."""
        if self.workers == 1:
            return {"rounds_per_second": max(self.rounds_per_second() for _ in range(times))}
        rates = [(self.rounds_per_second(), self.rounds_per_second(1)) for _ in range(times)]
        several, one = (max(column) for column in zip(*rates, strict=True))
        speedups = sorted(many / single for many, single in rates)
        return {
            "rounds_per_second": several,
            "one_worker_rounds_per_second": one,
            "speedup": speedups[len(speedups) // 2],
        }
