"""The loops that evaluate a count over many rounds, compiled by numba."""

from __future__ import annotations

import numpy as np

from punto.odds.return_kernel import compiled


@compiled
def fill_unseen(rows, dealt, taken, full, unseen):  # type: ignore[no-untyped-def]
    """Fill in, by round and card, the cards unseen before the round. A row has the shoe, a place and the ending."""
    for row in range(len(rows)):
        if row == 0 or rows[row, 0] != rows[row - 1, 0]:
            for card in range(len(full)):
                unseen[row, card] = full[card]
        else:
            for card in range(len(full)):
                unseen[row, card] = unseen[row - 1, card]
            for place in range(taken[rows[row - 1, 2]]):
                unseen[row, dealt[row - 1, place]] -= 1


@compiled
def fill_steps(seen, unseen, tags, initial, parts, steps):  # type: ignore[no-untyped-def]
    """Fill in each round's count in whole steps, rounded down; return the lowest and the highest.

    ``seen`` has the cards seen by round and kind, ``tags`` a tag for each kind. A count is the running count, which
    begins at ``initial``, times ``parts`` over the cards unseen; the running count itself if ``parts`` is 0. Floating
    point is exact here: a quotient that is not whole is further from a whole number than rounding reaches.
    """
    lowest, highest = np.int64(0), np.int64(0)
    for row in range(len(seen)):
        running = initial
        for kind in range(len(tags)):
            running += tags[kind] * seen[row, kind]
        step = np.int64(running)
        if parts:
            step = np.int64(np.floor(np.float64(running * parts) / np.float64(unseen[row])))
        steps[row] = step
        lowest, highest = min(lowest, step), max(highest, step)
    return lowest, highest


@compiled
def best_step(steps, returns, lowest, sums):  # type: ignore[no-untyped-def]
    """Return the most that is gained by wagering from some step on, and that step; 0.0 if nothing is ever gained.

    ``sums`` is working space, as long as there are steps. Of equal gains the one with the fewest wagers is taken.
    """
    for at in range(len(sums)):
        sums[at] = 0.0
    for row in range(len(steps)):
        sums[steps[row] - lowest] += returns[row]
    gain, most, best = 0.0, 0.0, lowest + len(sums)
    for at in range(len(sums) - 1, -1, -1):
        gain += sums[at]
        if gain > most:
            most, best = gain, lowest + at
    return most, best
