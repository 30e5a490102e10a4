"""Whole coups counted in the quickest way at hand.

The interpreted code answers in milliseconds, and numpy in a fraction of that, but takes longer to import than a few
answers are worth. So the first shoes are counted by the interpreter, and numpy takes over in a program that keeps
counting, or has imported it. Compiled loops are ten times as quick again; programs that count thousands use them
(``punto.odds.batch_odds``), because compiling takes seconds.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache

from punto.rules.ending_counts import Ending, count_endings, third_card_plan

MOST_CARDS = 1448
"""Up to this many cards the number of ordered deals of six, and every intermediate result, stays below 2^63."""

SHOES_COUNTED_PLAINLY = 20

_counted_plainly = 0


def whole_coups(values: Sequence[int]) -> Mapping[Ending, int]:
    """Return how many ordered deals of six cards end in each way, counted in the faster way."""
    global _counted_plainly
    if sum(values) <= MOST_CARDS and ("numpy" in sys.modules or _counted_plainly >= SHOES_COUNTED_PLAINLY):
        from punto.odds.vector_counts import count_endings as count_vectors

        return count_vectors(values)
    _counted_plainly += 1
    return count_endings(values)


@cache
def compiled() -> Callable[[Sequence[int]], dict[Ending, int]]:
    """Return the compiled form, for as many cards as ``punto.odds.return_kernel`` allows."""
    import numpy as np

    from punto.odds.batch_odds import vectorised
    from punto.odds.return_kernel import count_by_ending
    from punto.odds.return_tables import counting_space, place_of, plan_of_play

    endings, plan = third_card_plan().endings, plan_of_play()
    space, found = counting_space()
    places = [place_of(ending) for ending in endings]

    def run(values: Sequence[int]) -> dict[Ending, int]:
        with vectorised():
            count_by_ending(np.array(values, np.float64), plan, space, found)
        counts = found.tolist()
        told = {ending: counts[at] + counts[at + 10] for ending, at in zip(endings, places, strict=True)}
        return {ending: int(ways) for ending, ways in told.items() if ways}

    return run
