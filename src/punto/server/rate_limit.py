"""How much anybody may send in a short time."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from math import inf

MOST_KNOWN = 10_000
"""So many senders are remembered; the one not heard of for longest is forgotten first."""


@dataclass(slots=True)
class Allowance:
    """So many at once, and so many a second after that."""

    at_once: float
    a_second: float
    left: float = inf
    since: float = 0.0

    def take(self, now: float) -> bool:
        """Whether one more is within it; ``now`` is in seconds."""
        left = self.left + (now - self.since) * self.a_second
        if left > self.at_once:
            left = self.at_once
        self.since, allowed = now, left >= 1
        self.left = left - 1 if allowed else left
        return allowed


class Allowances:
    """One for each sender."""

    def __init__(self, at_once: float, a_second: float) -> None:
        self._at_once, self._a_second = at_once, a_second
        self._known: OrderedDict[str, Allowance] = OrderedDict()

    def take(self, sender: str, now: float) -> bool:
        """Whether one more of this sender is within his."""
        allowance = self._known.get(sender)
        if allowance is None:
            allowance = self._known[sender] = Allowance(self._at_once, self._a_second)
            if len(self._known) > MOST_KNOWN:
                self._known.popitem(last=False)
        self._known.move_to_end(sender)
        return allowance.take(now)
