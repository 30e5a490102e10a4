"""Events of the cage's stream: patrons' accounts, and money between them and the tables.

A move to or from a table is stored together with the table's event, both or neither.
"""

from __future__ import annotations

from punto.table.event import Event
from punto.table.money import Cents

CAGE = "cage"
"""The name of the stream."""


class Deposited(Event, frozen=True):
    """A patron paid in at the cage."""

    patron: str
    amount: Cents


class PaidOut(Event, frozen=True):
    """A patron was paid out at the cage."""

    patron: str
    amount: Cents


class TableMove(Event, frozen=True):
    """A move of money between a patron, a table and the cage."""

    patron: str
    table: str
    amount: Cents


class MovedToTable(TableMove, frozen=True):
    """From a patron's account to chips at a table."""


class MovedFromTable(TableMove, frozen=True):
    """From chips at a table to a patron's account."""


class CashTaken(TableMove, frozen=True):
    """A patron bought chips at the table for cash, which the cage will count out of the drop box."""


class ChipsCarried(TableMove, frozen=True):
    """A patron carried chips away from the table, which the cage will redeem."""


EVENTS: dict[str, type[Event]] = {
    kind.__name__: kind for kind in (Deposited, PaidOut, MovedToTable, MovedFromTable, CashTaken, ChipsCarried)
}
