"""Debts: what a correction left a patron owing, and its payment here, at the cage or at another table.

The table at which a debt arose keeps it, also over its closing; the cage lists the debts of all tables. No document
speaks of them: that a cash-out waits until a debt is paid is a rule of the house (reading R63).
"""

from __future__ import annotations

from punto.table.command import Command
from punto.table.event import Event
from punto.table.guards import Decision, above_zero, by, has_chips, is_open, is_patron, owes_at_least
from punto.table.money import Cents
from punto.table.play.chips import brought
from punto.table.refusal import refuse
from punto.table.registry import decides, evolves
from punto.table.roles import CAGE, Role
from punto.table.table import Table, with_entry, without_entry


class PayDebt(Command, frozen=True):
    """A patron pays a debt, or part of it, with chips at this table."""

    patron: str
    amount: Cents
    owed_at: str = ""
    """The table at which it arose, if another."""


class SettleDebt(Command, frozen=True):
    """A debt that arose at this table, or part of it, is paid elsewhere: at the cage, or at another table."""

    patron: str
    amount: Cents
    paid_at: str


class DebtPaid(Event, frozen=True):
    """A patron paid a debt that arose at this table, or part of it."""

    patron: str
    amount: Cents
    paid_at: str = ""
    """Where, if not in chips at this table: ``cage``, or the name of another table."""


class DebtCollected(Event, frozen=True):
    """A patron paid with chips at this table what they owed from another."""

    patron: str
    amount: Cents
    owed_at: str


@decides(PayDebt)
def pay_debt(table: Table, command: PayDebt) -> Decision:
    """Take chips for a debt; whether one that arose elsewhere exists is for the cage to say."""
    patron, amount, elsewhere = command.patron, command.amount, command.owed_at
    refusal = (
        is_open(table)
        or by(table, command, Role.DEALER)
        or above_zero(amount)
        or (None if elsewhere else owes_at_least(table, patron, amount))
        or is_patron(table, patron)
        or has_chips(table, patron, amount)
    )
    return refusal or ((DebtCollected(patron, amount, elsewhere) if elsewhere else DebtPaid(patron, amount)),)


@decides(SettleDebt)
def settle_debt(table: Table, command: SettleDebt) -> Decision:
    """Have the cage note a payment elsewhere, also while the table is shut: nobody else can say that it was made."""
    refusal = (
        (None if command.by == CAGE else refuse("not-the-cage"))
        or above_zero(command.amount)
        or owes_at_least(table, command.patron, command.amount)
    )
    return refusal or (DebtPaid(command.patron, command.amount, command.paid_at),)


@evolves(DebtPaid)
def _debt_paid(table: Table, event: DebtPaid) -> Table:
    left = table.owed[event.patron] - event.amount
    owed = with_entry(table.owed, event.patron, left) if left else without_entry(table.owed, event.patron)
    if event.paid_at:
        return brought(table, event.patron, event.amount).changed(owed=owed)
    chips = table.chips_after(event.patron, -event.amount)
    return table.changed(owed=owed, chips=chips, float_=table.float_ + event.amount)


@evolves(DebtCollected)
def _debt_collected(table: Table, event: DebtCollected) -> Table:
    chips = table.chips_after(event.patron, -event.amount)
    taken = brought(table, event.patron, -event.amount)
    return taken.changed(chips=chips, float_=table.float_ + event.amount)
