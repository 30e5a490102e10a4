"""How often an address may try to sign in.

A name cannot be locked by strangers: failures count for an address and a name together, and for an address alone, so
that the right password from another address is always taken at once. Time is that of a monotonic clock.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from time import monotonic

from punto.server.access.person_name import folded
from punto.server.refused import Refused

FREE_FAILURES = 4
"""Failures of an address at one name that cost no wait."""
LONGEST_WAIT = 900.0
"""Seconds that an address waits at most between two tries at one name."""
FAILURES_AT_ONCE, FAILURES_A_SECOND = 40, 0.2
"""Failures that an address may have at all names together: at once, and over time."""
MOST_REMEMBERED = 10_000
"""Pairs, and addresses, that are remembered; those not heard of for longest are forgotten first."""
CODES_AT_ONCE, CODES_A_SECOND = 8, 1 / 60
"""Wrong second factors of one person, wherever they come from: who tries one has the password already."""


@dataclass(slots=True)
class _Failures:
    """Failures at one place, and from when on the next try is allowed."""

    count: float = 0
    since: float = 0.0
    free_from: float = 0.0


@dataclass(slots=True)
class SignInLimits:
    """Failed sign-ins of addresses, and who has to wait."""

    now: Callable[[], float] = monotonic
    _at_name: OrderedDict[Hashable, _Failures] = field(default_factory=OrderedDict)
    _of_address: OrderedDict[Hashable, _Failures] = field(default_factory=OrderedDict)
    _of_codes: OrderedDict[Hashable, _Failures] = field(default_factory=OrderedDict)

    def check(self, address: str, name: str | None) -> None:
        """Raise ``Refused`` if the address has to wait before it tries this name, known here or not.

        A link has no name: only the failures of the address count, since nobody finds a link by trying.
        """
        pair = self._at_name.get((address, folded(name))) if name is not None else None
        if pair is not None and self.now() < pair.free_from:
            raise Refused("too-many")
        self._check_bucket(self._of_address.get(address), FAILURES_AT_ONCE, FAILURES_A_SECOND)

    def failed(self, address: str, name: str | None) -> None:
        """Count a failure: after a few, each doubles the wait of this address at this name."""
        self._fill(_remembered(self._of_address, address), FAILURES_A_SECOND)
        if name is not None:
            self._failed_at(_remembered(self._at_name, (address, folded(name))))

    def _failed_at(self, pair: _Failures) -> None:
        now = self.now()
        if now - pair.since > 2 * LONGEST_WAIT:
            pair.count = 0
        pair.count, pair.since = pair.count + 1, now
        doubled = pair.count - FREE_FAILURES - 1
        if doubled >= 0:
            pair.free_from = now + min(2.0 ** min(doubled, 20), LONGEST_WAIT)

    def succeeded(self, address: str, name: str | None) -> None:
        """Forget the failures of the address at this name."""
        if name is not None:
            self._at_name.pop((address, folded(name)), None)

    def check_code(self, person: str) -> None:
        """Raise ``Refused`` if too many wrong second factors of a person were tried."""
        self._check_bucket(self._of_codes.get(person), CODES_AT_ONCE, CODES_A_SECOND)

    def failed_code(self, person: str) -> None:
        """Count a wrong second factor."""
        self._fill(_remembered(self._of_codes, person), CODES_A_SECOND)

    def _check_bucket(self, bucket: _Failures | None, most: float, drained: float) -> None:
        if bucket is not None and bucket.count - (self.now() - bucket.since) * drained > most - 1:
            raise Refused("too-many")

    def _fill(self, bucket: _Failures, drained: float) -> None:
        now = self.now()
        bucket.count = max(bucket.count - (now - bucket.since) * drained, 0) + 1
        bucket.since = now


def _remembered(known: OrderedDict[Hashable, _Failures], key: Hashable) -> _Failures:
    found = known.setdefault(key, _Failures())
    known.move_to_end(key)
    if len(known) > MOST_REMEMBERED:
        known.popitem(last=False)
    return found
