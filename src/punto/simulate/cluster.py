"""A simulation on a Ray cluster: the one that RAY_ADDRESS names, or one of our own on this machine."""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING, Any

from punto.simulate.run import Job, Progress, Tally

if TYPE_CHECKING:
    from punto.simulate.tables import Counts

CHUNKS_IN_A_TASK = 64
"""A second or so of work: a task costs some milliseconds of its own."""


class NoRay(ImportError):
    """Ray is not installed."""


def on_ray(job: Job, workers: int, tally: Tally, progress: Progress) -> None:
    """Tasks of many chunks each, their counts taken in as they come."""
    try:
        import ray
    except ImportError:
        raise NoRay("simulating on a cluster needs Ray: pip install 'punto[ray]'") from None
    ours = not ray.is_initialized()
    if ours:
        named = "RAY_ADDRESS" in os.environ
        own: dict[str, Any] = {} if named else {"num_cpus": workers, "include_dashboard": False}
        ray.init(log_to_driver=False, logging_level=logging.ERROR, **own)
    shared, count = ray.put(job), ray.remote(_count)
    waiting = [
        count.remote(shared, first, min(first + CHUNKS_IN_A_TASK, job.chunks))
        for first in range(0, job.chunks, CHUNKS_IN_A_TASK)
    ]
    try:
        while waiting:
            done, waiting = ray.wait(waiting, timeout=0.5)
            for each in done:
                tally.add(*ray.get(each))
            progress(tally.counts.shoes, tally.counts.rounds)
    except KeyboardInterrupt:
        tally.interrupted = True
        for each in waiting:
            ray.cancel(each)
    finally:
        if ours:
            ray.shutdown()


def _count(job: Job, first: int, end: int) -> tuple[Counts, float]:
    job.tables.count(job.seed, 0, 0)
    tally = Tally(job.tables)
    for chunk in range(first, end):
        tally.add(*job.count(chunk))
    return tally.counts, tally.seconds
