"""Events of the cage's stream: patrons' accounts, money between them and the tables, debts, slips, and cash flags.

A move to or from a table is stored together with the table's event, both or neither.
"""

from __future__ import annotations

from enum import StrEnum

from punto.table.event import Event, FreeWords
from punto.table.money import Cents, Pieces

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


class DebtMove(Event, frozen=True):
    """A change of what a patron owes the house, and the table at which the debt arose."""

    patron: str
    table: str
    amount: Cents


class DebtBooked(DebtMove, frozen=True):
    """A correction at the table left the patron owing this much more."""


class DebtReduced(DebtMove, frozen=True):
    """A later correction in the patron's favour went against the debt."""


class DebtSettled(DebtMove, frozen=True):
    """The patron paid this much of the debt."""

    paid_at: str
    """The table where they paid with chips, or ``cage``."""
    from_account: bool = False
    """Whether it was taken from their account at the cage."""


class SlipKind(StrEnum):
    """Which way chips go between the cage and a table."""

    FILL = "fill"
    CREDIT = "credit"


class SlipMove(Event, frozen=True):
    """Something that happened to a slip; the person is who brought the event about."""

    slip: int
    """Its number: each number of the house is given once, and none is left out."""


class SlipAsked(SlipMove, frozen=True):
    """Chips were asked for, to a table or from it, by a slip of the next number."""

    kind: SlipKind
    table: str
    amount: Cents
    pieces: tuple[Pieces, ...] = ()
    """By denomination, where it was asked for so."""


class SlipConfirmed(SlipMove, frozen=True):
    """The chips were moved; stored together with the table's event."""


class SlipCancelled(SlipMove, frozen=True):
    """The chips were not moved. The number stays used."""

    reason: FreeWords


class CashDirection(StrEnum):
    """Whether a patron brought cash or was given it."""

    IN = "in"
    OUT = "out"


class CashFlagSeen(Event, frozen=True):
    """A person has seen how much cash a patron brought, or was given, in a gaming day."""

    patron: str
    direction: CashDirection
    day: int
    """When the gaming day began."""
    amount: Cents
    """As much as it had come to."""


class LimitsBegun(Event, frozen=True):
    """A patron has a stream of limits from now on: whatever they bring to a table is looked up there.

    Stored again with each exclusion, so that a deposit at the same moment conflicts with it.
    """

    patron: str


EVENTS: dict[str, type[Event]] = {
    kind.__name__: kind
    for kind in (
        Deposited,
        PaidOut,
        MovedToTable,
        MovedFromTable,
        CashTaken,
        ChipsCarried,
        DebtBooked,
        DebtReduced,
        DebtSettled,
        SlipAsked,
        SlipConfirmed,
        SlipCancelled,
        CashFlagSeen,
        LimitsBegun,
    )
}
