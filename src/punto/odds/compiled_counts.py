"""Count whole coups in machine integers: ``punto.rules.ending_counts.count``, compiled.

Compiling takes longer than one answer is worth, while the interpreted code answers in milliseconds. So the first shoes
are counted by the interpreter, and the compiled form takes over in a program that keeps counting.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from punto.rules.ending_counts import Ending, count, count_endings, third_card_plan

MOST_CARDS = 1448
"""Up to this many cards the number of ordered deals of six, and every intermediate result, stays below 2^63."""

SHOES_COUNTED_PLAINLY = 100

_counted_plainly = 0


def whole_coups(values: Sequence[int]) -> Mapping[Ending, int]:
    """Return how many ordered deals of six cards end in each way, counted in the faster way."""
    global _counted_plainly
    if sum(values) <= MOST_CARDS and (_counted_plainly >= SHOES_COUNTED_PLAINLY or compiled.cache_info().currsize):
        return compiled()(values)
    _counted_plainly += 1
    return count_endings(values)


@cache
def compiled() -> Callable[[Sequence[int]], dict[Ending, int]]:
    """Return the compiled form, for at most MOST_CARDS cards; compiled lazily and cached on disk by numba."""
    import numba
    import numpy as np

    endings = third_card_plan().endings
    lists = [np.array(each, np.int64) for each in third_card_plan().lists]
    kernel: Any = numba.njit(cache=True)(count)
    pairs, partners = np.zeros(10, np.int64), np.zeros(100, np.int64)

    def run(values: Sequence[int]) -> dict[Ending, int]:
        found = np.zeros(len(endings), np.int64)
        kernel(np.array(values, np.int64), *lists, pairs, partners, found)
        return {ending: ways for ending, ways in zip(endings, found.tolist(), strict=True) if ways}

    return run
