"""Who dealt at a table in a span of time, and what patrons owed from it, from the table's events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from msgspec import Struct

from punto.books.shift_totals import Span
from punto.table.event import Event
from punto.table.irregularities.correction import RoundCorrected
from punto.table.irregularities.late_wagers import OverlookedWagerSettled
from punto.table.play.debts import DebtPaid
from punto.table.play.duty import DealerSignedOff, DealerSignedOn
from punto.table.play.table_management import TableClosed
from punto.table.play.wrong_payout import PayoutCorrected

LEAVES_DEBTS = (RoundCorrected, OverlookedWagerSettled, PayoutCorrected)
"""The events that may leave a patron owing the house, or take off what they owed."""


class DutyTold(Struct, frozen=True):
    """A Dealer on duty at a table; None stands where it began before the span, or had not ended after it."""

    table: str
    dealer: str
    name: str | None
    since: int | None
    until: int | None


class DebtTold(Struct, frozen=True):
    """What a patron owed from a table: left by corrections and paid in the span, and owed at its end."""

    table: str
    patron: str
    left: int
    """Below zero where corrections in the patron's favour went against a debt."""
    paid: int
    owed: int
    name: str | None = None
    """Of the patron, where it is known."""


class DutiesFollowed:
    """Follows who is on duty at a table, from its first event or from a Dealer on duty on."""

    def __init__(self, table: str, span: Span, names: Mapping[str, str], dealer: str | None = None) -> None:
        self._table, self._span, self._names = table, span, names
        self._dealer = dealer
        self._since: int | None = None
        self.told: list[DutyTold] = []

    def take_in(self, at: int, event: Event) -> None:
        if isinstance(event, DealerSignedOff | DealerSignedOn | TableClosed):
            self._end(at)
        if isinstance(event, DealerSignedOn):
            self._dealer, self._since = event.dealer, at

    def _end(self, at: int | None) -> None:
        dealer, since = self._dealer, self._since
        self._dealer = None
        if dealer is None or (at is not None and at < self._span.start):
            return
        began = since if since is not None and since >= self._span.start else None
        self.told.append(DutyTold(self._table, dealer, self._names.get(dealer), began, at))

    def finish(self) -> None:
        """End the span; a Dealer still on duty is told without an end."""
        self._end(None)


def _owing(event: RoundCorrected | OverlookedWagerSettled | PayoutCorrected) -> list[tuple[str, int]]:
    if isinstance(event, PayoutCorrected):
        return [(event.patron, event.owed)]
    return [(each.after.patron, each.owed) for each in event.corrections]


class DebtsFollowed:
    """Follows what patrons owe from a table, from its first event or from what they owed on."""

    def __init__(self, table: str, span: Span, names: Mapping[str, str], owed: Mapping[str, int] | None = None) -> None:
        self._table, self._span, self._names = table, span, names
        self._owed = Counter(owed or {})
        self._left: Counter[str] = Counter()
        self._paid: Counter[str] = Counter()

    def take_in(self, at: int, event: Event) -> None:
        within = at >= self._span.start
        if isinstance(event, LEAVES_DEBTS):
            for patron, owed in _owing(event):
                self._owed[patron] += owed
                self._left[patron] += owed if within else 0
        elif isinstance(event, DebtPaid):
            self._owed[event.patron] -= event.amount
            self._paid[event.patron] += event.amount if within else 0

    def told(self) -> Iterator[DebtTold]:
        for patron in sorted(self._owed):
            left, paid, owed = self._left[patron], self._paid[patron], self._owed[patron]
            if left or paid or owed:
                yield DebtTold(self._table, patron, left, paid, owed, self._names.get(patron))
