"""What a table made in a span of time, from its events: floats, rounds, turnover and win.

What lies in a table's tray, its float and the commission put aside, is known at every event from the postings. So a
span may begin and end at any time, in the midst of a day or of a round: patrons' chips and wagers not yet settled are
theirs, and count for neither side.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from punto.books.ledger import COMMISSION, FLOAT, Ledger
from punto.books.table_results import Results, Tally
from punto.table.event import Event
from punto.table.irregularities.correction import RoundCorrected
from punto.table.irregularities.late_wagers import OverlookedWagerSettled
from punto.table.irregularities.void import RoundVoided
from punto.table.money import Pieces
from punto.table.play.debts import DebtCollected, DebtPaid
from punto.table.play.settlement import RoundSettled
from punto.table.play.table_management import TableClosed, TableOpened
from punto.table.play.wrong_payout import PayoutCorrected, PayoutStands


@dataclass(frozen=True, slots=True)
class Span:
    """From one time up to another, in milliseconds; the end is not in it."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Opening:
    """A table from its opening to its closing, or as much of that as falls in a span."""

    opened: int | None
    """When; None if it was open when the span began."""
    closed: int | None
    """When; None if it was still open when the span ended."""
    results: Results
    play: Play
    decks: int
    """In use when it was opened."""
    pieces: tuple[Pieces, ...] = ()
    """The chips counted at closing, where they were counted by denomination."""
    opening_pieces: tuple[Pieces, ...] = ()
    """The chips counted at opening."""


class Play:
    """What was played: rounds, and on each wager how often, for how much, and what the house won on it."""

    def __init__(self) -> None:
        self.rounds = self.void = self.corrected = 0
        self.wagers: Counter[str] = Counter()
        self.turnover: Counter[str] = Counter()
        self.won: Counter[str] = Counter()
        self.claims = 0
        """What patrons were left owing after corrections, less what was paid in chips: won, but not in the tray."""
        self.count_difference = 0
        """What counts at closing found above what the books say is there."""

    def take_in(self, event: Event) -> None:
        match event:
            case RoundSettled():
                self._settled(event)
            case RoundVoided():
                self.void += 1
            case RoundCorrected() | OverlookedWagerSettled():
                self._corrected(event)
            case PayoutCorrected():
                self.claims += event.owed
            case PayoutStands():
                self.won[event.wager] -= event.amount - event.due
            case DebtPaid(amount=amount, paid_at="") | DebtCollected(amount=amount):
                self.claims -= amount  # chips of a patron are in the tray now
            case TableClosed():
                self.count_difference += event.difference

    def _settled(self, event: RoundSettled) -> None:
        self.rounds += 1
        for each in event.wagers:
            self.wagers[each.wager] += 1
            self.turnover[each.wager] += each.settled
            self.won[each.wager] += each.stake - each.returned

    def _corrected(self, event: RoundCorrected | OverlookedWagerSettled) -> None:
        is_void = isinstance(event, RoundCorrected) and event.coup is None
        self.void += is_void
        self.corrected += not is_void
        for each in event.corrections:
            self.wagers[each.after.wager] += not each.before.stake
            self.turnover[each.after.wager] += each.after.settled - each.before.settled
            self.won[each.after.wager] -= each.change
            self.claims += each.owed


class TableShift:
    """Follows one table through a span of time. It needs every event from the table's first one on, or its books."""

    def __init__(self, span: Span, ledger: Ledger, is_open: bool, decks: int) -> None:
        """``ledger`` has what was posted before the first event that is taken in; whether the table was open then."""
        self._span = span
        self._ledger = ledger
        self._tally: Tally | None = None
        self._opened: int | None = None
        self._open, self._begun = is_open, False
        self._decks = decks
        self._at_opening: tuple[Pieces, ...] = ()
        self._of_opening = Play()
        self.openings: list[Opening] = []
        self.play = Play()

    @property
    def _there(self) -> int:
        """What the table holds for the house."""
        return self._ledger.balances[FLOAT] + self._ledger.balances[COMMISSION]

    def take_in(self, at: int, event: Event) -> None:
        """Follow one more event, which must be before the end of the span."""
        assert at < self._span.end
        if at >= self._span.start:
            self._begin()
            self._count(at, event)
        self._ledger.post(event)
        if isinstance(event, TableOpened | TableClosed):
            self._open = isinstance(event, TableOpened)
        if isinstance(event, TableOpened):
            self._decks = event.setting.decks

    def _begin(self) -> None:
        if not self._begun and self._open:
            self._tally, self._of_opening = Tally(opening=self._there), Play()
        self._begun = True

    def _count(self, at: int, event: Event) -> None:
        if isinstance(event, TableOpened):
            self._tally, self._opened, self._of_opening = Tally(), at, Play()
            self._decks, self._at_opening = event.setting.decks, event.pieces
        if self._tally is None:
            return
        self._tally.take_in(event)
        self.play.take_in(event)
        self._of_opening.take_in(event)
        if isinstance(event, TableClosed):
            self._end(at, None, event.pieces)

    def _end(self, at: int | None, there: int | None, pieces: tuple[Pieces, ...] = ()) -> None:
        assert self._tally is not None
        results = self._tally.results(there)
        self.openings.append(
            Opening(self._opened, at, results, self._of_opening, self._decks, pieces, self._at_opening)
        )
        self._tally, self._opened, self._at_opening = None, None, ()

    def finish(self) -> None:
        """End the span; a table still open is counted as it stands."""
        self._begin()
        if self._tally is not None:
            self._end(None, self._there)
