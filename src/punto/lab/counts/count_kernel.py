"""The loops that count cards through recorded rounds, compiled by numba. Tags and triggers come in as tables."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

SUMMED = ("rounds", "wagered", "staked", "squared_stakes", "won", "won_by_unit")
"""What is summed for each shoe, so that sums of products over shoes tell the errors."""
ALSO_SUMMED = ("squares_of_wagers", "squares_of_rounds")
"""What is only summed over all rounds."""
PAIRS = tuple((one, other) for one in range(len(SUMMED)) for other in range(one + 1))
"""The products that are summed over shoes, in this order."""
DECILES = 10
DECK_SIZE = 52

_KINDS = len(SUMMED)
_WHOLE: dict[str, Any] = {"nogil": True, "error_model": "numpy"}


def _compiled(function: Any) -> Any:
    """Return the function compiled lazily, cached on disk where possible."""
    try:
        return njit(**_WHOLE, cache=True)(function)
    except RuntimeError:
        return njit(**_WHOLE)(function)


@njit(inline="always")
def _units(running, unseen, levels, others):  # type: ignore[no-untyped-def]
    """Return how many units the counts call for: none unless every condition holds."""
    for each in range(1, running.shape[0]):
        if running[each] * DECK_SIZE < others[each - 1, unseen]:
            return 0
    units, count = 0, running[0] * DECK_SIZE
    while units < levels.shape[0] and count >= levels[units, unseen]:
        units += 1
    return units


@_compiled
def follow(rows, cards, taken, paid, together, tag, begin, shoe, levels, others, made):  # type: ignore[no-untyped-def]
    """Count through the rounds of a block; say for each its count, its decile of the shoe, the stake and the gain.

    ``tag`` has a row for each condition, ``begin`` the running count a shoe begins with. ``levels`` has, by cards
    unseen, 52 times the running count from which on one unit, two units and so on are staked; ``others`` the same for
    further conditions. ``shoe`` holds the number of cards, 1 if the first one is seen, and what the count is divided
    by: first whether by the cards unseen, then a number.
    """
    size, exposed, by_unseen, scale = shoe[0], shoe[1], shoe[2], shoe[3]
    counts = begin.shape[0]
    running = np.empty(counts, np.int64)
    last, seen_from = -1, np.int64(0)
    for row in range(rows.shape[0]):
        place = np.int64(rows[row, 1])
        if rows[row, 0] != last:
            last = rows[row, 0]
            first = rows[row, 4]
            for each in range(counts):
                running[each] = begin[each] + (tag[each, first] if exposed else 0)
            seen_from = place - exposed  # no other burnt card is seen
        unseen = size - (place - seen_from)
        ending = rows[row, 2] // together if rows[row, 2] >= 0 else taken.shape[0] - 1
        made[row, 0] = running[0] * DECK_SIZE // (unseen * scale) if by_unseen else running[0] // scale
        made[row, 1] = place * DECILES // size
        made[row, 2] = _units(running, unseen, levels, others)
        made[row, 3] = paid[ending, rows[row, 3]]
        for card in range(taken[ending]):
            for each in range(counts):
                running[each] += tag[each, cards[row, card]]


@_compiled
def fold(rows, made, group, held, sums, products):  # type: ignore[no-untyped-def]
    """Add the rounds of a block to the sums of their groups, and the products of each shoe's sums.

    ``held`` is working space for the sums of one shoe, and left as it was found: all 0.
    """
    row = 0
    while row < rows.shape[0]:
        end = row
        while end < rows.shape[0] and rows[end, 0] == rows[row, 0]:
            at, units, gain = group[end], made[end, 2], made[end, 3]
            held[at, 0] += 1
            held[at, 1] += 1 if units else 0
            held[at, 2] += units
            held[at, 3] += units * units
            held[at, 4] += units * gain
            held[at, 5] += gain
            sums[at, _KINDS] += units * gain * units * gain
            sums[at, _KINDS + 1] += gain * gain
            end += 1
        for each in range(row, end):
            at = group[each]
            if held[at, 0]:
                pair = 0
                for one in range(_KINDS):
                    sums[at, one] += held[at, one]
                    for other in range(one + 1):
                        products[at, pair] += held[at, one] * held[at, other]
                        pair += 1
                for one in range(_KINDS):
                    held[at, one] = 0
        row = end
