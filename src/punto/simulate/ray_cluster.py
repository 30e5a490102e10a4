"""A simulation on a Ray cluster: the one that RAY_ADDRESS names, or a local one started for it."""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING, Any

from punto.simulate.simulation import CountTotals, Progress, Workload

if TYPE_CHECKING:
    from punto.simulate.lookup_tables import Counts

CHUNKS_IN_A_TASK = 64
"""About a second of work with shoes of eight decks: a task costs some milliseconds of overhead."""
_USUAL_CARDS = 416


class NoRay(ImportError):
    """Ray is not installed, or its cluster cannot be reached."""


def on_ray(workload: Workload, workers: int, totals: CountTotals, progress: Progress) -> None:
    """Run tasks of many chunks each, adding their counts as they finish."""
    ray, ours = _connected(workers)
    shared, count = ray.put(workload), ray.remote(_count)
    together = max(1, CHUNKS_IN_A_TASK * _USUAL_CARDS // workload.tables.cards)
    waiting = [
        count.remote(shared, first, min(first + together, workload.chunks))
        for first in range(0, workload.chunks, together)
    ]
    try:
        while waiting:
            done, waiting = ray.wait(waiting, timeout=0.5)
            for each in done:
                totals.add(*ray.get(each))
            progress(totals.counts.shoes, totals.counts.rounds)
    except KeyboardInterrupt:
        totals.interrupted = True
        for each in waiting:
            ray.cancel(each)
    finally:
        if ours:
            ray.shutdown()


def _connected(workers: int) -> tuple[Any, bool]:
    """Return Ray, and whether its cluster is ours to shut down."""
    try:
        import ray
    except ImportError:
        raise NoRay("simulating on a cluster needs Ray: pip install 'punto[ray]'") from None
    if ray.is_initialized():
        return ray, False
    named = "RAY_ADDRESS" in os.environ
    own: dict[str, Any] = {} if named else {"num_cpus": workers, "include_dashboard": False}
    try:
        ray.init(log_to_driver=False, logging_level=logging.ERROR, **own)
    except (ValueError, ConnectionError, RuntimeError, OSError) as error:
        raise NoRay(f"the cluster cannot be reached (RAY_ADDRESS): {error}") from None
    return ray, True


def _count(workload: Workload, first: int, end: int) -> tuple[Counts, float]:
    workload.tables.count(workload.seed, 0, 0)
    totals = CountTotals(workload.tables)
    for chunk in range(first, end):
        totals.add(*workload.count(chunk))
    return totals.counts, totals.seconds
