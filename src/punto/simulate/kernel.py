"""The loops that shuffle and deal, compiled by numba. Everything about the rules comes in as tables.

Several shoes are dealt side by side, a round of each in turn: a processor then works on one round while it waits for
the cards of another. Whether a lane has ended is a 0 or 1 that is added, not a branch.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

LANES = 4
"""The number of shoes dealt side by side."""
CARD_BITS, TOTAL_BITS, TAKEN_BITS = 6, 4, 3
"""In the tables two cards share one number, as do a kind of first two cards and its total, and an ending and the number
of cards taken; the first of each is in the higher bits.
"""

_U = np.uint64
_0, _1, _2, _3, _4, _5, _10, _100, _1000 = (_U(n) for n in (0, 1, 2, 3, 4, 5, 10, 100, 1000))
_HALF, _LOW_HALF, _WORD = _U(32), _U(0xFFFFFFFF), _U(1 << 32)
_CARD = _U(CARD_BITS)
_TOTAL, _LOW_TOTAL = _U(TOTAL_BITS), _U((1 << TOTAL_BITS) - 1)
_TAKEN, _LOW_TAKEN = _U(TAKEN_BITS), _U((1 << TAKEN_BITS) - 1)

# Helpers are inlined into the loops that use them, without reference counts for arrays they do not make: that saves a
# third of the compile time.
_PART: dict[str, Any] = {"inline": "always"}
_WHOLE: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False}


@njit(**_PART)
def shuffle(cards, start, end, stop, s0, s1, s2, s3):  # type: ignore[no-untyped-def]
    """Shuffle the places from ``start`` on, at least up to ``stop``, out of all up to ``end``; four in each step.

    The random numbers are xoshiro256++. Each half of one gives two places: it is multiplied by the number of places to
    choose from, the overflow is the choice, and the remainder is multiplied by the next number. A half is redrawn in
    the rare case that would favour some places, so every order is equally likely.
    """
    at = start
    while at < stop:
        word = s0 + s3
        word = ((word << _U(23)) | (word >> _U(41))) + s0
        shifted = s1 << _U(17)
        s2 ^= s0
        s3 ^= s1
        s1 ^= s2
        s0 ^= s3
        s2 ^= shifted
        s3 = (s3 << _U(45)) | (s3 >> _U(19))
        places = end - at
        first = (word & _LOW_HALF) * places
        second = (first & _LOW_HALF) * (places - _1)
        third = (word >> _HALF) * (places - _2)
        fourth = (third & _LOW_HALF) * (places - _3)
        one, other = places * (places - _1), (places - _2) * (places - _3)
        left, left_of_other = second & _LOW_HALF, fourth & _LOW_HALF
        biased = left < one and left < (_WORD - one) % one
        if biased or (left_of_other < other and left_of_other < (_WORD - other) % other):
            continue
        to = at + (first >> _HALF)
        cards[at], cards[to] = cards[to], cards[at]
        at += _1
        to = at + (second >> _HALF)
        cards[at], cards[to] = cards[to], cards[at]
        at += _1
        to = at + (third >> _HALF)
        cards[at], cards[to] = cards[to], cards[at]
        at += _1
        to = at + (fourth >> _HALF)
        cards[at], cards[to] = cards[to], cards[at]
        at += _1
    return s0, s1, s2, s3


@njit(**_PART)
def look(cards, at, value, hand, ended, class_at, kinds):  # type: ignore[no-untyped-def]
    """Return how the coup at a place ends, above the number of cards it takes, and its class of initial deal."""
    player = _U(hand[(_U(cards[at]) << _CARD) | cards[at + _2]])
    banker = _U(hand[(_U(cards[at + _1]) << _CARD) | cards[at + _3]])
    totals = (player & _LOW_TOTAL) * _1000 + (banker & _LOW_TOTAL) * _100
    end = _U(ended[totals + value[cards[at + _4]] * _10 + value[cards[at + _5]]])
    return end, _U(class_at[(player >> _TOTAL) * kinds + (banker >> _TOTAL)])


@njit(**_PART)
def _shuffle_lanes(shoes, cards, shoe, burnt, at, s0, s1, s2, s3):  # type: ignore[no-untyped-def]
    """Shuffle a shoe in as many lanes as there are shoes left to deal, and set where each begins."""
    size, shuffled, width = shoe[0], shoe[1], shoe[5]
    for lane in range(LANES):
        start = _U(lane) * width
        at[lane] = start + size  # the end of a shoe, for lanes that are no longer needed
        if lane < shoes:
            s0, s1, s2, s3 = shuffle(cards, start, start + size, start + shuffled, s0, s1, s2, s3)
            at[lane] = start + burnt[cards[start]]
    return s0, s1, s2, s3


def compiled(function: Any) -> Any:
    """Return the function compiled lazily, cached on disk where possible."""
    try:
        return njit(**_WHOLE, cache=True)(function)
    except RuntimeError:
        return njit(**_WHOLE)(function)


@compiled
def count(shoes, state, cards, at, shoe, burnt, value, hand, ended, class_at, mask, endings, initials):  # type: ignore[no-untyped-def]
    """Deal ``shoes`` shoes and add to the counts of endings and of initial deals, lane by lane; return the rounds.

    ``shoe`` holds the size, how far to shuffle, the place of the cutting card, how many rounds follow the one in which
    it shows, and the widths of the other arrays; ``at`` is working space for the place each lane has reached. Only for
    shoes that end with the round in which the cutting card shows, and never run out of cards before.
    """
    cut, kinds, width, of_endings, of_initials = shoe[2], shoe[4], shoe[5], shoe[6], shoe[7]
    s0, s1, s2, s3 = state[0], state[1], state[2], state[3]
    rounds = _0
    while shoes > 0:
        s0, s1, s2, s3 = _shuffle_lanes(shoes, cards, shoe, burnt, at, s0, s1, s2, s3)
        any_lane = _1
        while any_lane:
            any_lane = _0
            for lane in range(LANES):
                place = at[lane]
                goes_on = _U(place <= _U(lane) * width + cut)
                end, initial = look(cards, place, value, hand, ended, class_at, kinds)
                at[lane] = place + ((end & _LOW_TAKEN) & (_0 - goes_on))
                endings[_U(lane) * of_endings + (end >> _TAKEN) + (initial & mask)] += np.uint32(goes_on)
                initials[_U(lane) * of_initials + initial] += np.uint32(goes_on)
                any_lane |= goes_on
                rounds += goes_on
        shoes -= LANES
    return rounds


@compiled
def record(shoes, state, cards, at, shoe, burnt, value, hand, ended, class_at, rows, dealt):  # type: ignore[no-untyped-def]
    """Deal ``shoes`` shoes and record every round, including void ones, for which the cards run out; return the rounds.

    A row holds the shoe, the place of the first card, the ending, the class of the initial deal, and the first card of
    the shoe; the ending is -1 for a void round. ``dealt`` has the six cards from there on, whether the round took them
    or not. The state is kept, so that the next call continues where this one ended.
    """
    size, cut, after, kinds, width = shoe[0], shoe[2], shoe[3], shoe[4], shoe[5]
    s0, s1, s2, s3 = state[0], state[1], state[2], state[3]
    row, number = 0, 0
    while shoes > 0:
        s0, s1, s2, s3 = _shuffle_lanes(shoes, cards, shoe, burnt, at, s0, s1, s2, s3)
        for lane in range(LANES):
            start, more = _U(lane) * width, after
            place = at[lane]
            while place < start + size and (place <= start + cut or more > _0):
                more -= _U(place > start + cut)
                end, initial = look(cards, place, value, hand, ended, class_at, kinds)
                for card in range(6):
                    dealt[row, card] = cards[place + _U(card)]
                rows[row, 0] = number
                rows[row, 1] = place - start
                place += end & _LOW_TAKEN
                rows[row, 2] = end >> _TAKEN
                if place > start + size:
                    rows[row, 2] = -1
                rows[row, 3] = initial
                rows[row, 4] = cards[start]
                row += 1
            number += 1
        shoes -= LANES
    state[0], state[1], state[2], state[3] = s0, s1, s2, s3
    return row
