"""The loop that walks through shoes with the exact return of every wager before each round, compiled by numba."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from punto.odds.return_kernel import add_returns, compiled

_PART: dict[str, Any] = {"inline": "always"}
_WRAP = 2.0**64
"""What is lost where a whole number of 64 bits overflows."""


@njit(**_PART)
def _end_shoe(of_shoe, hands_of_shoe, sums, hands, spread, width):  # type: ignore[no-untyped-def]
    """Add what one shoe gained, up to each depth, to the sums from which errors follow, and clear it."""
    squares, with_hands = sums[2], sums[3]
    played = 0.0
    for depth in range(len(hands_of_shoe)):
        played += hands_of_shoe[depth]
        hands[1, depth] += played * played
    for wager in range(len(of_shoe)):
        gained, played = 0.0, 0.0
        for depth in range(len(hands_of_shoe)):
            gained += of_shoe[wager, depth]
            played += hands_of_shoe[depth]
            squares[wager, depth] += gained * gained
            with_hands[wager, depth] += gained * played
            of_shoe[wager, depth] = 0.0
        place = np.int64(gained / width)
        spread[wager, place if place < spread.shape[1] else spread.shape[1] - 1] += 1
    for depth in range(len(hands_of_shoe)):
        hands_of_shoe[depth] = 0.0


@njit(**_PART)
def _begin_shoe(full, exposed, unseen):  # type: ignore[no-untyped-def]
    for card in range(len(full)):
        unseen[card] = full[card]
    if exposed >= 0:
        unseen[exposed] -= 1


@njit(**_PART)
def _overflown(wager, returned, rest, rules, space):  # type: ignore[no-untyped-def]
    """Return how many times 2^64 is missing from what a wager returns: its sum in floating point tells."""
    pays, initial_pays, classes, initials = rules[6], rules[7], space[5], space[6]
    total, by_initial = 0.0, 0.0
    for number in range(len(classes)):
        total += np.float64(classes[number]) * np.float64(pays[wager, number])
    for number in range(len(initials)):
        by_initial += np.float64(initials[number]) * np.float64(initial_pays[wager, number])
    total += by_initial * np.float64((rest - 4) * (rest - 5))
    return np.floor((total - np.float64(returned)) / _WRAP + 0.5)


@njit(**_PART)
def _look(unseen, depth, rules, space, units, wide, returns, of_shoe, sums, favourable):  # type: ignore[no-untyped-def]
    """Add up what every wager returns before a round; fewer than six cards are never wagered on."""
    rest = 0
    for card in range(len(unseen)):
        rest += unseen[card]
    if rest < 6:
        return
    add_returns(unseen, rules, space, returns)
    deals = np.float64(rest * (rest - 1) * (rest - 2)) * np.float64((rest - 3) * (rest - 4) * (rest - 5))
    for wager in range(len(returns)):
        missing = _overflown(wager, returns[wager], rest, rules, space) if wide[wager] else 0.0
        edge = (np.float64(returns[wager]) + missing * _WRAP) / (deals * units[wager])
        sums[0, wager, depth] += edge
        if missing > 0.0 or (missing == 0.0 and returns[wager] > 0):
            favourable[wager, depth] += 1
            sums[1, wager, depth] += edge
            of_shoe[wager, depth] += edge


@compiled
def walk(rows, dealt, taken, full, shows_first, rules, space, units, wide, step, width, found):  # type: ignore[no-untyped-def]
    """Walk through rounds in order, and add up how often and how much each wager is in the patron's favour.

    A row has the shoe, the place of its first card, its ending and, last, the first card of its shoe, which everyone
    sees where it says how many are burnt. ``units`` are the parts of a unit of each wager, ``wide`` whether its returns
    may not fit 64 bits; ``step`` the cards of a depth.
    """
    unseen, returns, of_shoe, hands_of_shoe, sums, hands, favourable, spread = found
    shoe = -1
    for row in range(len(rows)):
        if rows[row, 0] != shoe:
            if shoe >= 0:
                _end_shoe(of_shoe, hands_of_shoe, sums, hands, spread, width)
            shoe = rows[row, 0]
            _begin_shoe(full, rows[row, 4] if shows_first else -1, unseen)
        # A round that begins right behind the last card of a depth belongs to it: a cutting card there shows with it.
        depth = max(rows[row, 1] - 1, 0) // step
        hands_of_shoe[depth] += 1.0
        hands[0, depth] += 1.0
        _look(unseen, depth, rules, space, units, wide, returns, of_shoe, sums, favourable)
        for card in range(taken[rows[row, 2]]):
            unseen[dealt[row, card]] -= 1
    if shoe >= 0:
        _end_shoe(of_shoe, hands_of_shoe, sums, hands, spread, width)
