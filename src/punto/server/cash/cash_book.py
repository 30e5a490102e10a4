"""Cash of patrons by gaming day, and whether it came to what the house flags.

A flag is not stored: it follows from the cash in the log and the settings of the house. That a person has seen it is.
"""

from __future__ import annotations

from collections import Counter
from datetime import date

from msgspec import Struct

from punto.store.events.cage_events import (
    CAGE,
    CashDirection,
    CashFlagSeen,
    CashTaken,
    ChipsCarried,
    DebtSettled,
    Deposited,
    PaidOut,
)
from punto.store.house_settings import HouseSettings
from punto.store.records import EventRecord
from punto.table.event import Event

_Day = tuple[str, CashDirection, int]
"""A patron, a direction, and when a gaming day began."""


class CashMove(Struct, frozen=True, array_like=True):
    """Cash that a patron brought or was given."""

    at: int
    patron: str
    direction: CashDirection
    amount: int


class CashFlag(Struct, frozen=True):
    """A patron whose cash of one gaming day came to the threshold."""

    patron: str
    direction: CashDirection
    day: date
    day_began: int
    amount: int
    """All cash of that day in this direction."""
    transactions: int
    seen: bool
    """Whether a person has seen it since it last grew."""
    seen_by: str | None = None
    seen_at: int | None = None


def cash_of(event: Event) -> tuple[str, CashDirection, int] | None:
    """Return the patron, the direction and the amount of an event that moves cash."""
    match event:
        case Deposited(patron=patron, amount=amount) | CashTaken(patron=patron, amount=amount):
            return patron, CashDirection.IN, amount
        case DebtSettled(patron=patron, amount=amount, paid_at=paid_at, from_account=False) if paid_at == CAGE:
            return patron, CashDirection.IN, amount
        case PaidOut(patron=patron, amount=amount) | ChipsCarried(patron=patron, amount=amount):
            return patron, CashDirection.OUT, amount
        case _:
            return None


Seen = dict[_Day, tuple[int, str, int]]
"""By day what it had come to, who saw it, and when."""


class CashBook:
    """All cash moves of the house, and which of their sums have been seen."""

    def __init__(self, moves: list[CashMove] | None = None, seen: Seen | None = None) -> None:
        """Begin with what is known already; both are added to."""
        self.moves: list[CashMove] = [] if moves is None else moves
        self.seen: Seen = {} if seen is None else seen
        self._clock: tuple[str, int] | None = None
        """The time zone and the hour by which the sums were made."""
        self._summed = 0
        self._sums: Counter[_Day] = Counter()
        self._numbers: Counter[_Day] = Counter()

    def take_in(self, recorded: EventRecord) -> None:
        event = recorded.event
        if isinstance(event, CashFlagSeen):
            self.seen[event.patron, event.direction, event.day] = event.amount, recorded.by, recorded.at
        elif cash := cash_of(event):
            self.moves.append(CashMove(recorded.at, *cash))

    def flags(self, settings: HouseSettings) -> list[CashFlag]:
        """Return every sum that came to the threshold, the newest day first."""
        if not settings.cash_threshold:
            return []
        self._sum_up(settings)
        flagged = [day for day, amount in self._sums.items() if amount >= settings.cash_threshold]
        return [self._flag(day, settings) for day in sorted(flagged, key=lambda each: (-each[2], each[:2]))]

    def _flag(self, key: _Day, settings: HouseSettings) -> CashFlag:
        patron, direction, began = key
        amount, (seen, by, at) = self._sums[key], self.seen.get(key, (0, None, None))
        day, number = settings.day_of(began), self._numbers[key]
        return CashFlag(patron, direction, day, began, amount, number, seen >= amount, by, at)

    def _sum_up(self, settings: HouseSettings) -> None:
        """Add the moves that came since the last time, or all of them if the house has another clock now."""
        clock = settings.time_zone, settings.day_begins
        if clock != self._clock:
            self._clock, self._summed = clock, 0
            self._sums.clear()
            self._numbers.clear()
        for move in self.moves[self._summed :]:
            day = move.patron, move.direction, settings.day_start(settings.day_of(move.at))
            self._sums[day] += move.amount
            self._numbers[day] += 1
        self._summed = len(self.moves)
