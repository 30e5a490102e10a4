"""How often an address may try to sign in.

A name cannot be locked by strangers: failures count for an address and a name together, and for an address alone, so
that another address does not wait for them. The same holds for the codes of a second factor, with a limit over all
addresses that is reached only from many of them. Time is that of a monotonic clock.

A try counts as a failure from its beginning, and is taken back if it succeeds: many that are sent together would
otherwise all be allowed before the first has failed.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
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
CODES_AT_ONCE, CODES_A_SECOND = 100, 1 / 600
"""Wrong codes of one person from all addresses together: 244 on the first day and 144 on each one after it.

Of a million codes three are right at any moment, so that a day of guesses finds one with a chance of 1 in 2,300 (1 in
1,300 on the first). One address alone, which comes to try four times an hour, does not reach this limit.
"""


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
    _at_code: OrderedDict[Hashable, _Failures] = field(default_factory=OrderedDict)
    _of_codes: OrderedDict[Hashable, _Failures] = field(default_factory=OrderedDict)

    @contextmanager
    def trying(self, address: str, name: str | None, wrong: type[Exception]) -> Iterator[None]:
        """Count what is done in this context as a try at a name, which failed if it raises this exception."""
        self.check(address, name)
        self.failed(address, name)
        with _taken_back_unless(wrong, self._of_address.get(address), self._at_name.get((address, folded(name or "")))):
            yield
        self.succeeded(address, name)

    @contextmanager
    def trying_code(self, address: str, person: str, recovery: bool, wrong: type[Exception]) -> Iterator[None]:
        """Count what is done in this context as a try at a code, which was wrong if it raises this exception."""
        self.check_code(address, person, recovery)
        self.failed_code(address, person, recovery)
        of_all = None if recovery else self._of_codes.get(person)
        with _taken_back_unless(wrong, self._at_code.get((address, person, recovery)), of_all):
            yield
        self.succeeded_code(address, person, recovery)

    def check(self, address: str, name: str | None) -> None:
        """Raise ``Refused`` if the address has to wait before it tries this name, known here or not.

        A link has no name: only the failures of the address count, since nobody finds a link by trying.
        """
        if name is not None:
            self._check_pair(self._at_name.get((address, folded(name))))
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
        """Forget the failures of the address at this name, and this try of the address."""
        _take_back(self._of_address.get(address))
        if name is not None:
            self._at_name.pop((address, folded(name)), None)

    def check_code(self, address: str, person: str, recovery: bool) -> None:
        """Raise ``Refused`` if the address has to wait before it tries a code of a person, or too many were tried.

        A recovery code is too long to be found by trying, so it waits for wrong recovery codes of its address alone.
        """
        self._check_pair(self._at_code.get((address, person, recovery)))
        if not recovery:
            self._check_bucket(self._of_codes.get(person), CODES_AT_ONCE, CODES_A_SECOND)

    def failed_code(self, address: str, person: str, recovery: bool) -> None:
        """Count a wrong code: after a few, each doubles the wait of this address."""
        self._failed_at(_remembered(self._at_code, (address, person, recovery)))
        if not recovery:
            self._fill(_remembered(self._of_codes, person), CODES_A_SECOND)

    def succeeded_code(self, address: str, person: str, recovery: bool) -> None:
        """Forget the wrong codes of a person from this address, and this try among those from all addresses."""
        _take_back(None if recovery else self._of_codes.get(person))
        for kind in (False, True):
            self._at_code.pop((address, person, kind), None)

    def _check_pair(self, pair: _Failures | None) -> None:
        if pair is not None and self.now() < pair.free_from:
            raise Refused("too-many")

    def _check_bucket(self, bucket: _Failures | None, most: float, drained: float) -> None:
        if bucket is not None and bucket.count - (self.now() - bucket.since) * drained > most - 1:
            raise Refused("too-many")

    def _fill(self, bucket: _Failures, drained: float) -> None:
        now = self.now()
        bucket.count = max(bucket.count - (now - bucket.since) * drained, 0) + 1
        bucket.since = now


@contextmanager
def _taken_back_unless(wrong: type[Exception], *counted: _Failures | None) -> Iterator[None]:
    """Take a try back that ends by another exception: the store was away, say, and nothing was tried."""
    try:
        yield
    except Exception as error:
        if not isinstance(error, wrong):
            for each in counted:
                _take_back(each)
        raise


def _take_back(failures: _Failures | None) -> None:
    """Count one try less; a wait that has begun is not ended, or tries that end otherwise would end it."""
    if failures is not None:
        failures.count = max(failures.count - 1, 0)


def _remembered(known: OrderedDict[Hashable, _Failures], key: Hashable) -> _Failures:
    found = known.setdefault(key, _Failures())
    known.move_to_end(key)
    if len(known) > MOST_REMEMBERED:
        known.popitem(last=False)
    return found
