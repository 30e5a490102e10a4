"""Rate limits: token buckets, one for each sender."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from math import inf

MOST_KNOWN = 10_000
"""Senders that are remembered; the one not heard of for longest is forgotten first."""


@dataclass(slots=True)
class TokenBucket:
    """A token bucket: burst size, and refill rate per second."""

    burst: float
    refill: float
    tokens: float = inf
    since: float = 0.0

    def take(self, now: float) -> bool:
        """Take one token, if there is one; ``now`` is in seconds."""
        tokens = self.tokens + (now - self.since) * self.refill
        if tokens > self.burst:
            tokens = self.burst
        self.since, allowed = now, tokens >= 1
        self.tokens = tokens - 1 if allowed else tokens
        return allowed


class TokenBuckets:
    """A token bucket for each sender."""

    def __init__(self, burst: float, refill: float) -> None:
        self._burst, self._refill = burst, refill
        self._known: OrderedDict[str, TokenBucket] = OrderedDict()

    def take(self, sender: str, now: float) -> bool:
        """Take one token of a sender, if there is one."""
        return self.of(sender).take(now)

    def of(self, sender: str) -> TokenBucket:
        """Return the bucket of a sender, for one that is asked for often."""
        bucket = self._known.get(sender)
        if bucket is None:
            bucket = self._known[sender] = TokenBucket(self._burst, self._refill)
            if len(self._known) > MOST_KNOWN:
                self._known.popitem(last=False)
        self._known.move_to_end(sender)
        return bucket
