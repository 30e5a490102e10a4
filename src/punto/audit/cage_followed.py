"""The cage followed by its events: accounts, what patrons have at tables and owe, and slips, all recomputed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from punto.store.events.cage_events import (
    CashFlagSeen,
    CashTaken,
    DebtBooked,
    DebtMove,
    DebtSettled,
    Deposited,
    LimitsBegun,
    MovedFromTable,
    MovedToTable,
    PaidOut,
    SlipAsked,
    SlipConfirmed,
    SlipKind,
    SlipMove,
    TableMove,
)
from punto.table.event import Event

if TYPE_CHECKING:
    from punto.audit.table_recomputed import StreamFound

SlipSum = tuple[str, SlipKind, int]
"""The table of a slip, which way its chips went, and how much."""


class CageFollowed:
    """The cage's accounts, recomputed."""

    def __init__(self, found: StreamFound) -> None:
        self._found = found
        self._holds: dict[str, int] = {}
        self._slips: dict[int, SlipAsked] = {}
        """Those that wait to be confirmed or cancelled."""
        self._numbered = 0

    def look_at(self, number: int, event: Event) -> None:
        if isinstance(event, SlipMove):
            self._follow_slip(number, event)
        elif isinstance(event, LimitsBegun):
            self._found.limited.add(event.patron)
        elif not isinstance(event, CashFlagSeen):
            self._follow_money(number, event)

    def _follow_money(self, number: int, event: Event) -> None:
        match event:
            case Deposited(patron=patron, amount=amount):
                self._move(number, patron, amount)
            case PaidOut(patron=patron, amount=amount):
                self._move(number, patron, -amount)
            case TableMove(patron=patron, table=table, amount=amount):
                there = amount if isinstance(event, MovedToTable | CashTaken) else -amount
                self._found.at_cage[table, patron] = self._found.at_cage.get((table, patron), 0) + there
                if isinstance(event, MovedToTable | MovedFromTable):
                    self._move(number, patron, -there)
            case DebtMove(patron=patron, table=table, amount=amount):
                self._owe(number, (table, patron), amount if isinstance(event, DebtBooked) else -amount)
                if isinstance(event, DebtSettled) and event.from_account:
                    self._move(number, patron, -amount)
            case _:
                self._found.find(number, "not-of-cage")

    def _follow_slip(self, number: int, event: SlipMove) -> None:
        """Slips are numbered without gaps, and each ends once."""
        waits, book = self._slips, self._found.slips_at_cage
        if isinstance(event, SlipAsked):
            if event.slip != self._numbered + 1:
                self._found.find(number, "slip-number", recorded=event.slip, recomputed=self._numbered + 1)
            self._numbered, waits[event.slip] = event.slip, event
            return
        asked = waits.pop(event.slip, None)
        if asked is None:
            self._found.find(number, "slip-not-asked", slip=event.slip)
        elif isinstance(event, SlipConfirmed):
            book[event.slip] = asked.table, asked.kind, asked.amount

    def _owe(self, number: int, debt: tuple[str, str], change: int) -> None:
        owed = self._found.owed_at_cage
        owed[debt] = owed.get(debt, 0) + change
        if owed[debt] < 0:
            self._found.find(number, "debt-overpaid", patron=debt[1], amount=-change)

    def _move(self, number: int, patron: str, amount: int) -> None:
        self._holds[patron] = self._holds.get(patron, 0) + amount
        if self._holds[patron] < 0:
            self._found.find(number, "account-overdrawn", patron=patron)
