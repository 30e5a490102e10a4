"""What a table has made: opener, fills, credits, drop, closer, win and hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, fields
from fractions import Fraction

from punto.table.event import Event
from punto.table.irregularities.correction import RoundCorrected
from punto.table.irregularities.late_wagers import OverlookedWagerSettled
from punto.table.play.chips import BoughtIn, CashedOut, Credited, Filled
from punto.table.play.settlement import RoundSettled
from punto.table.play.table_management import TableClosed, TableOpened


@dataclass(frozen=True, slots=True)
class Results:
    """The figures of a table from opening to closing, in cents."""

    opening: int = 0
    fills: int = 0
    credits: int = 0
    drop: int = 0
    taken_away: int = 0
    """Chips that patrons took to the cage."""
    closing: int = 0
    commission: int = 0

    @property
    def win(self) -> int:
        """What the table won, or lost if it is below zero."""
        return self.closing + self.drop + self.credits - self.opening - self.fills

    @property
    def hold(self) -> Fraction | None:
        """Win by drop; None where nothing was dropped."""
        return Fraction(self.win, self.drop) if self.drop else None


class Tally:
    """Counts the figures of one opening of a table, event by event."""

    def __init__(self, opening: int = 0) -> None:
        """``opening`` is what the table held where the counting begins while it is open already."""
        self._moved: Counter[type[Event]] = Counter({TableOpened: opening})
        self._commission = 0

    def take_in(self, event: Event) -> None:
        self._moved[type(event)] += _amount(event)
        if isinstance(event, RoundSettled):
            self._commission += sum(each.commission for each in event.wagers)
        elif isinstance(event, RoundCorrected | OverlookedWagerSettled):
            self._commission += sum(each.withheld for each in event.corrections)

    def results(self, there: int | None = None) -> Results:
        """Return the figures so far; ``there`` is what the table holds now, as long as it is not closed."""
        moved = self._moved
        return Results(
            opening=moved[TableOpened],
            fills=moved[Filled],
            credits=moved[Credited],
            drop=moved[BoughtIn],
            taken_away=moved[CashedOut],
            closing=moved[TableClosed] if there is None else there,
            commission=self._commission,
        )


def results(log: Iterable[Event]) -> Results:
    """Return the figures of one opening of a table, from its events."""
    tally = Tally()
    for event in log:
        tally.take_in(event)
    return tally.results()


def together(several: Iterable[Results]) -> Results:
    """Return the figures of several openings, or of several tables, in one."""
    listed = list(several)
    return Results(**{each.name: sum(getattr(one, each.name) for one in listed) for each in fields(Results)})


def _amount(event: Event) -> int:
    """Return what an event brings to the table or takes from it."""
    match event:
        case TableOpened():
            return event.float_
        case TableClosed():
            return event.counted
        case Filled() | Credited() | BoughtIn() | CashedOut():
            return event.amount
        case _:
            return 0
