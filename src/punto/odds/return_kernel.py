"""The loops that count deals and add up what every wager returns, compiled by numba. The rules come in as tables.

Counts of endings are kept in 64-bit floating point, whose whole numbers are exact up to 2^53: a processor multiplies
several of them at a time. No number of deals that is added here reaches that limit with at most MOST_CARDS cards.

How many ordered deals begin with two-card totals P and B is counted as in ``punto.rules.ending_counts``. What changes
when a third card is gone is not counted again: from the ordered pairs A(P), the partners r(P, v) of a card v that make
P with it, and S(P, B), the sum over all cards of r(P, v) r(B, v), taking out a card x leaves

    r'(P, v) = r(P, v) - [v + x makes P],   A'(P) = A(P) - 2 r(P, x),
    S'(P, B) = S(P, B) - r(P, x) r(B, x) - r(P, x) r(B, P - x) - r(B, x) r(P, B - x) + [P = B] r(P, x)

so the deals for each second third card y follow from those without it in a few multiplications, ten y in a row.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

MOST_CARDS = 458
"""Up to this many cards all ordered deals of six together are fewer than 2^53, whatever the cards are."""
ROW = 20
"""The length of rows in which ten numbers begin at any of ten places."""

_U = np.uint64
_9, _10, _ROW = _U(9), _U(10), _U(ROW)
_PART: dict[str, Any] = {"inline": "always"}
_WHOLE: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    "fastmath": {"contract", "nsz", "reassoc"},
    "_nrt": False,
}


def compiled(function: Any) -> Any:
    """Return the function compiled lazily, cached on disk where possible."""
    try:
        return njit(**_WHOLE, cache=True)(function)
    except RuntimeError:
        return njit(**_WHOLE)(function)


@njit(**_PART)
def _pair_up(cards, partners, turned, pairs):  # type: ignore[no-untyped-def]
    """Fill in, by total and value, the partners of a card; the same from nine down, twice over; and all pairs."""
    for total in range(_10):
        ordered = 0.0
        for value in range(_10):
            other = total - value if total >= value else total + _10 - value
            count = cards[other] - (1.0 if other == value else 0.0)
            partners[total * _10 + value] = count
            turned[total * _ROW + _9 - value] = count
            turned[total * _ROW + _9 + _10 - value] = count
            ordered += cards[value] * count
        pairs[total] = ordered


@njit(**_PART)
def _without(value, partners, turned, one, other, beside, beneath, deals, banker_pairs, player_pairs):  # type: ignore[no-untyped-def]
    """Return the deals that are left without a card of this value."""
    by_player = banker_pairs - 8.0 * partners[other + value] - 4.0 * turned[beside + value]
    by_banker = player_pairs - 4.0 * turned[beneath + value]
    return deals - partners[one + value] * by_player - partners[other + value] * by_banker


@njit(**_PART)
def _add_thirds(into, at, weights, partners, turned, pairs, player, banker, deals):  # type: ignore[no-untyped-def]
    """Add the deals with each third card of Banker to the totals it leads to.

    Written out, because the compiler then reads all ten before it writes, and works on several at a time.
    """
    one, other = player * _10, banker * _10
    beside, beneath = banker * _ROW + _9 - player, player * _ROW + _9 - banker
    b = 2.0 * pairs[banker] + (8.0 if player == banker else 0.0)
    p = 2.0 * pairs[player]
    n0 = weights[0] * _without(_U(0), partners, turned, one, other, beside, beneath, deals, b, p)
    n1 = weights[1] * _without(_U(1), partners, turned, one, other, beside, beneath, deals, b, p)
    n2 = weights[2] * _without(_U(2), partners, turned, one, other, beside, beneath, deals, b, p)
    n3 = weights[3] * _without(_U(3), partners, turned, one, other, beside, beneath, deals, b, p)
    n4 = weights[4] * _without(_U(4), partners, turned, one, other, beside, beneath, deals, b, p)
    n5 = weights[5] * _without(_U(5), partners, turned, one, other, beside, beneath, deals, b, p)
    n6 = weights[6] * _without(_U(6), partners, turned, one, other, beside, beneath, deals, b, p)
    n7 = weights[7] * _without(_U(7), partners, turned, one, other, beside, beneath, deals, b, p)
    n8 = weights[8] * _without(_U(8), partners, turned, one, other, beside, beneath, deals, b, p)
    n9 = weights[9] * _without(_U(9), partners, turned, one, other, beside, beneath, deals, b, p)
    into[at + _U(0)] += n0
    into[at + _U(1)] += n1
    into[at + _U(2)] += n2
    into[at + _U(3)] += n3
    into[at + _U(4)] += n4
    into[at + _U(5)] += n5
    into[at + _U(6)] += n6
    into[at + _U(7)] += n7
    into[at + _U(8)] += n8
    into[at + _U(9)] += n9


@njit(**_PART)
def _count_shared(cards, partners, weights, shared):  # type: ignore[no-untyped-def]
    """Fill in, by both totals, in how many ways two hands share a card."""
    for player in range(_10):
        for value in range(_10):
            weights[value] = cards[value] * partners[player * _10 + value]
        w0, w1, w2, w3, w4 = weights[0], weights[1], weights[2], weights[3], weights[4]
        w5, w6, w7, w8, w9 = weights[5], weights[6], weights[7], weights[8], weights[9]
        for banker in range(player, _10):
            at = banker * _10
            low = w0 * partners[at] + w1 * partners[at + _U(1)] + w2 * partners[at + _U(2)]
            low += w3 * partners[at + _U(3)] + w4 * partners[at + _U(4)]
            high = w5 * partners[at + _U(5)] + w6 * partners[at + _U(6)] + w7 * partners[at + _U(7)]
            high += w8 * partners[at + _U(8)] + w9 * partners[at + _9]
            shared[player * _10 + banker] = low + high
            shared[banker * _10 + player] = low + high


@njit(**_PART)
def _count_standing(rest, plan, weights, space, found):  # type: ignore[no-untyped-def]
    """Count the coups in which Player takes no third card."""
    standing, partners, turned, pairs, shared = plan[0], space[0], space[1], space[2], space[3]
    for number in range(len(standing)):
        player, banker, banker_draws = standing[number, 0], standing[number, 1], standing[number, 2]
        at = standing[number, 3]
        deals = pairs[player] * pairs[banker] - 4.0 * shared[player * _10 + banker]
        if player == banker:
            deals += 2.0 * pairs[player]
        if banker_draws:
            _add_thirds(found, at, weights, partners, turned, pairs, player, banker, deals)
        else:
            found[at] = deals * (rest - 4.0) * (rest - 5.0)


@njit(**_PART)
def _take_out(third, partners, pairs, left, turned, left_pairs):  # type: ignore[no-untyped-def]
    """Take one card out of the partners and pairs: for each total it is the partner of one value."""
    for total in range(_10):
        value = total - third if total >= third else total + _10 - third
        left[total * _10 + value] -= 1.0
        turned[total * _ROW + _9 - value] -= 1.0
        turned[total * _ROW + _9 + _10 - value] -= 1.0
        left_pairs[total] = pairs[total] - 2.0 * partners[total * _10 + third]


@njit(**_PART)
def _put_back(third, left, turned):  # type: ignore[no-untyped-def]
    for total in range(_10):
        value = total - third if total >= third else total + _10 - third
        left[total * _10 + value] += 1.0
        turned[total * _ROW + _9 - value] += 1.0
        turned[total * _ROW + _9 + _10 - value] += 1.0


@njit(**_PART)
def _count_drawing(third, alone, plan, weights, space, found):  # type: ignore[no-untyped-def]
    """Count the coups in which Player's third card has this value; it is taken out of the cards left."""
    begins, drawing = plan[1], plan[2]
    partners, turned, shared, left, left_turned, left_pairs = space[0], space[1], space[3], space[4], space[5], space[6]
    for number in range(begins[third], begins[third + _U(1)]):
        player, banker, banker_draws = drawing[number, 0], drawing[number, 1], drawing[number, 2]
        at = drawing[number, 3]
        same = 1.0 if player == banker else 0.0
        own, other = partners[player * _10 + third], partners[banker * _10 + third]
        both = shared[player * _10 + banker] - own * (other + turned[banker * _ROW + _9 - player + third] - same)
        both -= other * turned[player * _ROW + _9 - banker + third]
        deals = left_pairs[player] * (left_pairs[banker] + 2.0 * same) - 4.0 * both
        if banker_draws:
            _add_thirds(found, at, weights, left, left_turned, left_pairs, player, banker, deals)
        else:
            found[at] += deals * alone


@njit(**_PART)
def _weigh(cards, by, weights):  # type: ignore[no-untyped-def]
    for value in range(_10):
        weights[value] = cards[value] * by


@njit(**_PART)
def _count_endings(cards, plan, space, found):  # type: ignore[no-untyped-def]
    """Count the ordered deals of six cards by ending: by who has a third card, Player's total and Banker's."""
    rest = 0.0
    for value in range(_10):
        rest += cards[value]
    for at in range(len(found)):
        found[at] = 0.0
    partners, turned, pairs, shared, left, left_turned, left_pairs, weights = space
    _pair_up(cards, partners, turned, pairs)
    for at in range(len(partners)):
        left[at] = partners[at]
    for at in range(len(turned)):
        left_turned[at] = turned[at]
    _count_shared(cards, partners, weights, shared)
    _weigh(cards, rest - 5.0, weights)
    _count_standing(rest, plan, weights, space, found)
    for third in range(_10):
        count = cards[third]
        if count > 0.0:
            cards[third] = count - 1.0
            _take_out(third, partners, pairs, left, left_turned, left_pairs)
            _weigh(cards, count, weights)
            _count_drawing(third, count * (rest - 5.0), plan, weights, space, found)
            _put_back(third, left, left_turned)
            cards[third] = count


@njit(**_PART)
def _add_endings(found, reached, begins, classes):  # type: ignore[no-untyped-def]
    """Add up the deals of all endings that settle alike; a total of Banker from ten on is its last digit."""
    for number in range(len(classes)):
        deals = 0.0
        for place in range(begins[number], begins[number + 1]):
            at = reached[place]
            deals += found[at] + found[at + _10]
        classes[number] = np.int64(deals)


@njit(**_PART)
def _pair_kinds(counts, rest, partners, kinds_with, of_kind, with_kind):  # type: ignore[no-untyped-def]
    """Fill in the pairs of each kind, and by type of card the partners that make each kind with it.

    Most partners make one kind with a card, the first in its list; only the others are gone through.
    """
    for kind in range(len(of_kind)):
        of_kind[kind] = 0
    for one in range(len(counts)):
        for slot in range(1, kinds_with.shape[1]):
            with_kind[one, slot] = 0
        with_kind[one, 0] = rest - 1
    for number in range(len(partners)):
        one, other, slot = partners[number, 0], partners[number, 1], partners[number, 2]
        count = counts[other] - (1 if one == other else 0)
        with_kind[one, slot] += count
        with_kind[one, 0] -= count
    for one in range(len(counts)):
        for slot in range(kinds_with.shape[1]):
            if kinds_with[one, slot] >= 0:
                of_kind[kinds_with[one, slot]] += counts[one] * with_kind[one, slot]


@njit(**_PART)
def _add_initials(counts, rest, initial, space, classes):  # type: ignore[no-untyped-def]
    """Add up the initial deals of each class, from the kinds of first two cards of both hands.

    As with totals: the pairs of both kinds, less the deals in which the hands share a card. What is of no other class
    is of class 0.
    """
    partners, kinds_with, kinds, class_of = initial[0], initial[1], initial[2], initial[3]
    of_kind, with_kind = space[0], space[1]
    _pair_kinds(counts, rest, partners, kinds_with, of_kind, with_kind)
    for number in range(len(kinds)):
        player, banker = kinds[number, 0], kinds[number, 1]
        both = of_kind[player] * of_kind[banker] + (2 * of_kind[player] if player == banker else 0)
        classes[class_of[player, banker]] += both
    for one in range(len(counts)):
        for first in range(kinds_with.shape[1]):
            player = kinds_with[one, first]
            for second in range(kinds_with.shape[1]):
                banker = kinds_with[one, second]
                if player >= 0 and banker >= 0 and class_of[player, banker]:
                    shared = counts[one] * with_kind[one, first] * with_kind[one, second]
                    classes[class_of[player, banker]] -= 4 * shared
    classes[0] = rest * (rest - 1) * (rest - 2) * (rest - 3)
    for number in range(1, len(classes)):
        classes[0] -= classes[number]


@njit(**_PART)
def _sort_cards(unseen, value_of, type_of, cards, types):  # type: ignore[no-untyped-def]
    """Count the unseen cards by point value and by type; return their number."""
    for value in range(_10):
        cards[value] = 0.0
    for kind in range(len(types)):
        types[kind] = 0
    rest = 0
    for card in range(len(value_of)):
        cards[value_of[card]] += np.float64(unseen[card])
        types[type_of[card]] += unseen[card]
        rest += unseen[card]
    return rest


@compiled
def add_returns(unseen, rules, space, returns):  # type: ignore[no-untyped-def]
    """Put into ``returns`` what every wager returns in all deals together, in parts, from the unseen cards.

    ``rules`` are the arrays of ``ReturnTables``; ``space`` is its working space, one for each thread.
    """
    value_of, type_of, plan, reached, begins, initial, pays, initial_pays = rules
    cards, types, counting, found, kinds, classes, initials = space
    rest = _sort_cards(unseen, value_of, type_of, cards, types)
    initials[:] = 0
    _count_endings(cards, plan, counting, found)
    _add_endings(found, reached, begins, classes)
    if len(types) > 1:
        _add_initials(types, rest, initial, kinds, initials)
    for wager in range(len(returns)):
        total = 0
        for number in range(len(classes)):
            total += classes[number] * pays[wager, number]
        by_initial = 0
        for number in range(len(initials)):
            by_initial += initials[number] * initial_pays[wager, number]
        returns[wager] = total + by_initial * (rest - 4) * (rest - 5)


@compiled
def count_by_ending(cards, plan, space, found):  # type: ignore[no-untyped-def]
    """Count the ordered deals of six cards by ending, from the number of cards of each value."""
    _count_endings(cards, plan, space, found)


@compiled
def count_returns(unseen, rules, space, returns):  # type: ignore[no-untyped-def]
    """Put into each row of ``returns`` what every wager returns from the unseen cards of the same row of ``unseen``."""
    for row in range(len(unseen)):
        add_returns(unseen[row], rules, space, returns[row])
