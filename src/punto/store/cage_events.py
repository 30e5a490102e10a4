"""The cage's own stream: patrons' accounts, and what goes between them and the tables.

What goes to or from a table is stored together with the table's own event, both or neither.
"""

from __future__ import annotations

from dataclasses import dataclass

from punto.table.events import Event

CAGE = "cage"
"""The name of the stream."""


@dataclass(frozen=True, slots=True)
class Deposited(Event):
    """A patron paid in at the cage."""

    patron: str
    amount: int


@dataclass(frozen=True, slots=True)
class PaidOut(Event):
    """A patron was paid out at the cage."""

    patron: str
    amount: int


@dataclass(frozen=True, slots=True)
class TableMove(Event):
    """Something between a patron, a table and the cage."""

    patron: str
    table: str
    amount: int


@dataclass(frozen=True, slots=True)
class MovedToTable(TableMove):
    """From a patron's account to chips at a table."""


@dataclass(frozen=True, slots=True)
class MovedFromTable(TableMove):
    """From chips at a table to a patron's account."""


@dataclass(frozen=True, slots=True)
class CashTaken(TableMove):
    """A patron bought chips at the table for cash, which the cage will count out of the drop box."""


@dataclass(frozen=True, slots=True)
class ChipsCarried(TableMove):
    """A patron carried chips away from the table, which the cage will redeem."""


EVENTS: dict[str, type[Event]] = {
    kind.__name__: kind for kind in (Deposited, PaidOut, MovedToTable, MovedFromTable, CashTaken, ChipsCarried)
}
