"""The loops that begin shoes and play rounds in many environments, compiled by numba. All rules come in as tables.

Every environment is a row: a shoe with random numbers that belong to it alone, so what one deals does not depend on the
others. The loops take arrays in plain tuples, in the order of the classes here: numba keeps what it compiled by the
types of the arguments, and could not read it again if a class among them were renamed.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from punto.rules.deal_counts import LONGEST_COUP
from punto.simulate.kernel import TAKEN_BITS, compiled, look, shuffle

Array = Any

_U = np.uint64
_0, _1 = _U(0), _U(1)
_TAKEN, _LOW_TAKEN = _U(TAKEN_BITS), _U((1 << TAKEN_BITS) - 1)


class DealTables(NamedTuple):
    """How a shoe is made up and dealt, as ``punto.simulate.lookup_tables`` lays it out."""

    in_order: Array
    shoe: Array
    burnt: Array
    first_exposed: bool
    """Whether the first card of a shoe is exposed, to say how many are burnt."""
    value: Array
    hand: Array
    ended: Array
    class_at: Array


class PayTables(NamedTuple):
    """How rounds settle wagers."""

    lines: Array
    """By ending and class of the initial deal, and by wager: the number of the line; the last row is of void rounds."""
    classes: int
    """How many classes of initial deals there are."""
    gains: Array
    """In the same rows, by wager: the net gain of a unit, in parts."""
    unit: int
    """How many parts make a unit."""


class BatchState(NamedTuple):
    """What changes from round to round, a row for each environment."""

    cards: Array
    """All shoes in one row of cards, each as wide as the tables say."""
    places: Array
    """How many cards have left the shoe."""
    rounds_left: Array
    """How many rounds may still begin after the cutting card."""
    unexposed: Array
    """The number of unexposed cards of each kind, in the order of the deck."""
    rounds: Array
    bankroll: Array
    """In parts of a unit."""


class RoundResult(NamedTuple):
    """What a round came to, a row for each environment."""

    gain: Array
    """In units."""
    terminated: Array
    truncated: Array
    refused: Array
    """By wager: whether the bankroll did not cover the stake."""
    outcomes: Array
    """By wager: the number of the line that settled it."""
    cards: Array
    """The cards in dealing order; -1 where the round took no more."""
    taken: Array
    """How many cards the round took."""
    settled: Array
    """The row of ``PayTables.lines`` that settled it."""
    parts: Array
    """The gain in parts of a unit."""


@compiled
def are_choices(actions, choices):  # type: ignore[no-untyped-def]
    """Return whether all actions are from 0 to below ``choices``."""
    wrong = 0
    for at in range(actions.shape[0]):
        wrong += 1 if _U(actions[at]) >= _U(choices) else 0  # a number below zero becomes a large one
    return wrong == 0


@compiled
def begin(waiting, words, used, full, start, state, tables):  # type: ignore[no-untyped-def]
    """Begin a shoe in every row that waits, and mark it as no longer waiting; return how many still wait.

    Each shoe takes four random words. A row waits on if its words are used up, and if no round can be dealt from the
    shoe: the first card can set aside so many that the cutting card is among them.
    """
    cards, places, rounds_left, unexposed, rounds, bankroll = state
    in_order, shoe, burnt, first_exposed, _, _, _, _ = tables
    size, shuffled, cut, after, width = shoe[0], shoe[1], shoe[2], shoe[3], shoe[5]
    still = 0
    for row in range(waiting.shape[0]):
        if not waiting[row]:
            continue
        if used[row] == words.shape[1]:
            still += 1
            continue
        first, word = _U(row) * width, used[row]
        used[row] += 1
        for card in range(size):
            cards[first + card] = in_order[card]
        s0, s1, s2, s3 = words[row, word, 0], words[row, word, 1], words[row, word, 2], words[row, word, 3]
        shuffle(cards, first, first + size, first + shuffled, s0, s1, s2, s3)
        place = burnt[cards[first]]
        if place >= size or (place > cut and after == _0):
            still += 1
            continue
        places[row], rounds_left[row], rounds[row], bankroll[row] = place, after, 0, start
        for kind in range(full.shape[0]):
            unexposed[row, kind] = full[kind]
        if first_exposed:
            unexposed[row, cards[first]] -= 1
        waiting[row] = False
    return still


@compiled
def count_values(unexposed, value, by_value):  # type: ignore[no-untyped-def]
    """Add up the unexposed cards by point value."""
    for row in range(unexposed.shape[0]):
        for kind in range(unexposed.shape[1]):
            by_value[row, value[kind]] += unexposed[row, kind]


@compiled
def play(resting, actions, stakes, state, tables, pays, result):  # type: ignore[no-untyped-def]
    """Play a round in every row that does not rest. An action is an index into ``stakes``, or an amount if there are
    none. Stakes are placed in the order of the wagers, as far as the bankroll covers them.

    Four short loops take less time than a long one: a processor works on several rows of each at once.
    """
    cards, places, rounds_left, unexposed, rounds, bankroll = state
    _, shoe, _, _, value, hand, ended, class_at = tables
    lines, classes, gains, unit = pays
    gain, terminated, truncated, refused, outcomes, dealt, taken, settled, parts = result
    void = _U(lines.shape[0] - 1)
    _look_up(resting, cards, places, shoe, value, hand, ended, class_at, _U(classes), void, taken, settled)
    _expose(cards, places, shoe, taken, unexposed, dealt)
    _settle(actions, stakes, bankroll, settled, lines, gains, unit, outcomes, refused, parts)
    _conclude(resting, shoe, taken, parts, places, rounds_left, rounds, bankroll, terminated, truncated)
    for row in range(resting.shape[0]):
        gain[row] = parts[row] / unit


@compiled
def _look_up(resting, cards, places, shoe, value, hand, ended, class_at, classes, void, taken, settled):  # type: ignore[no-untyped-def]
    """Find how each round ends; a row that rests takes no card, and is settled as a void round."""
    size, kinds, width = shoe[0], shoe[4], shoe[5]
    for row in range(resting.shape[0]):
        at, left = _U(row) * width + places[row], _0 if resting[row] else size - places[row]
        end, initial = look(cards, at, value, hand, ended, class_at, kinds)
        takes = end & _LOW_TAKEN
        runs_out = takes > left
        taken[row] = left if runs_out else takes
        settled[row] = void if runs_out else (end >> _TAKEN) * classes + initial


@compiled
def _expose(cards, places, shoe, taken, unexposed, dealt):  # type: ignore[no-untyped-def]
    """Take the cards of each round from those unexposed."""
    width = shoe[5]
    for row in range(taken.shape[0]):
        at, takes = _U(row) * width + places[row], taken[row]
        for number in range(LONGEST_COUP):  # always as many: a loop that ends early costs more
            card, is_dealt = cards[at + _U(number)], _U(number) < takes
            dealt[row, number] = card if is_dealt else -1
            unexposed[row, card] -= is_dealt


@compiled
def _settle(actions, stakes, bankroll, settled, lines, gains, unit, outcomes, refused, parts):  # type: ignore[no-untyped-def]
    """Add up what the stakes of each row gain, as if the bankroll covered them all; it mostly does."""
    wagers, listed = actions.shape[1], stakes.shape[0] > 0
    for row in range(actions.shape[0]):
        staked, gain, at = 0, 0, settled[row]
        for wager in range(wagers):
            outcomes[row, wager] = lines[at, wager]
        for wager in range(wagers):
            action = actions[row, wager]
            stake = stakes[_U(action)] if listed else action
            staked += stake
            gain += stake * gains[at, wager]
        parts[row] = gain
        if staked * unit > bankroll[row]:
            parts[row] = _settle_in_part(row, actions, stakes, bankroll[row], at, gains, unit, refused)


@compiled
def _settle_in_part(row, actions, stakes, left, at, gains, unit, refused):  # type: ignore[no-untyped-def]
    """Place the stakes of a row in the order of the wagers, refuse those that are not covered; return what the others
    gain.
    """
    gain = 0
    for wager in range(actions.shape[1]):
        action = actions[row, wager]
        cost = (stakes[_U(action)] if stakes.shape[0] > 0 else action) * unit
        refused[row, wager] = cost > left
        if cost <= left:
            left -= cost
            gain += cost // unit * gains[at, wager]
    return gain


@compiled
def _conclude(resting, shoe, taken, parts, places, rounds_left, rounds, bankroll, terminated, truncated):  # type: ignore[no-untyped-def]
    """Pay each row, and see whether another round can be dealt."""
    size, cut = shoe[0], shoe[2]
    for row in range(resting.shape[0]):
        place, held = places[row] + taken[row], bankroll[row] + parts[row]
        left = rounds_left[row] - _U(places[row] > cut)
        places[row], rounds_left[row], bankroll[row] = place, left, held
        rounds[row] += not resting[row]
        terminated[row] = held <= 0
        truncated[row] = (held > 0) & ((place >= size) | ((place > cut) & (left == _0)))
