"""What wagers come to, what patrons hold, and the caps on what a table pays in a round, shared with separate code.

Part of the auditor: it shares nothing with the engine, which keeps back the same amounts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from punto.audit.open_matters import Area

Limits = dict[str, tuple[int, int]]
"""The least and the most of each wager."""
Caps = tuple[tuple[int, tuple[str, ...]], ...]
"""What each pays at most, and on which wagers together."""


class WagerSettled(NamedTuple):
    """What a wager came to, in cents."""

    stake: int
    returned: int
    commission: int
    played: int
    """What of it was won or lost; nothing if it was handed back whatever the outcome."""
    limited: bool
    """Whether it lay outside the limits."""


class Holdings(Counter[str]):
    """What each patron has, with those who would have less than nothing: only a change can bring that about."""

    def __init__(self) -> None:
        super().__init__()
        self.below_zero: dict[str, None] = {}

    def __setitem__(self, patron: str, amount: int) -> None:
        dict.__setitem__(self, patron, amount)
        if amount < 0:
            self.below_zero[patron] = None
        elif self.below_zero:
            self.below_zero.pop(patron, None)


def caps_of(setting: Any) -> Caps:
    """Return the caps that a table was opened with."""
    return tuple((each.amount, tuple(each.wagers)) for each in setting.payout_caps)


def kept_back(caps: Caps, won: Mapping[Area, int], fixed: Mapping[Area, int]) -> dict[Area, int]:
    """Return what is kept back of each winning by the caps.

    ``won`` is what the lines pay; ``fixed`` is what other wagers of the round have won, which stays as it is.
    """
    kept: dict[Area, int] = {}
    for amount, wagers in caps:
        under = {area: cents for area, cents in won.items() if area[2] in wagers}
        left = max(0, amount - sum(cents for area, cents in fixed.items() if area[2] in wagers))
        if sum(under.values()) > left:
            part = Fraction(left, sum(under.values()))
            whole = {area: int(cents * part) for area, cents in under.items()}
            rest = {area: cents * part - whole[area] for area, cents in under.items()}
            first = sorted(under, key=lambda area: (-rest[area], area[1], area[2], area[0]))
            for area in first[: left - sum(whole.values())]:
                whole[area] += 1
            kept |= {area: cents - whole[area] for area, cents in under.items()}
    return kept


def left_for(caps: Caps, wager: str, others: Mapping[Area, int], won: int) -> int:
    """Return what a cap leaves of the winnings of one more wager, after what the others were paid."""
    for amount, wagers in caps:
        if wager in wagers:
            return min(won, max(0, amount - sum(cents for area, cents in others.items() if area[2] in wagers)))
    return won
