"""A wrong payout: chips handed over that differ from the settlement, put right at any later time of the shoe.

The books follow the settlement, so what was handed over and what is put right cancel out. What a patron keeps of too
much becomes a debt, as after a correction.
"""

from __future__ import annotations

from msgspec.structs import replace

from punto.table.command import Report
from punto.table.event import Irregularity, Settled
from punto.table.guards import Decision, above_zero, by, in_float, is_open, is_patron
from punto.table.money import Cents
from punto.table.refusal import Refusal, refuse
from punto.table.registry import decides, evolves
from punto.table.roles import Role
from punto.table.round import Area
from punto.table.table import Table, with_entry
from punto.table.visibility import Public


class ReportPayout(Report, frozen=True):
    """Say what was handed over for a settled wager, stake and winnings together, and put it right."""

    round: int
    patron: str
    position: int
    wager: str
    amount: Cents
    """What was handed over."""
    owed: Cents = 0
    """What the patron keeps of too much, and owes."""


class PayoutCorrected(Irregularity, frozen=True):
    """Chips handed over for a settled wager differed from the settlement, and the difference was made up."""

    round: Public[int]
    patron: Public[str]
    position: Public[int]
    wager: Public[str]
    due: Public[Cents]
    """What the settlement hands over."""
    amount: Public[Cents]
    """What was handed over."""
    clause: Public[str | None]
    """The clause by which the wager was settled."""
    owed: Cents = 0
    """What the patron keeps of too much, and owes."""


@decides(ReportPayout)
def report_payout(table: Table, command: ReportPayout) -> Decision:
    """Put a payout right; that a patron keeps some of it is for the position that confirms for the house."""
    refusal = (
        is_open(table)
        or by(table, command, table.set_up.confirms if command.owed else Role.DEALER)
        or (None if command.round in table.history else refuse("no-such-round", round=command.round))
        or is_patron(table, command.patron)
    )
    if refusal:
        return refusal
    settled = _settled(table, command)
    if isinstance(settled, Refusal):
        return settled
    too_much = max(0, command.amount - settled.returned)
    refusal = _fits(command, settled, too_much) or in_float(table, command.owed)
    area = (command.patron, command.position, command.wager)
    amounts = (settled.returned, command.amount)
    return refusal or (PayoutCorrected(command.round, *area, *amounts, settled.clause, command.owed),)


def _settled(table: Table, command: ReportPayout) -> Settled | Refusal:
    """Return the wager as it was settled, if its payout was not put right already."""
    record, area = table.history[command.round], (command.patron, command.position, command.wager)
    if area in record.paid_right:
        return refuse("payout-put-right")
    for each in record.wagers:
        if (each.patron, each.position, each.wager) == area:
            return each
    patron, position, wager = area
    return refuse("no-such-stake", patron=patron, amount=0, wager=wager, position=position)


def _fits(command: ReportPayout, settled: Settled, too_much: int) -> Refusal | None:
    if command.amount < 0:
        return above_zero(command.amount)
    if command.amount == settled.returned:
        return refuse("paid-as-due", amount=settled.returned)
    return None if 0 <= command.owed <= too_much else refuse("bad-amount", amount=command.owed)


@evolves(PayoutCorrected)
def _payout_corrected(table: Table, event: PayoutCorrected) -> Table:
    area: Area = (event.patron, event.position, event.wager)
    record = table.history[event.round]
    history = with_entry(table.history, event.round, replace(record, paid_right=record.paid_right | {area}))
    if not event.owed:
        return table.changed(history=history)
    return table.changed(
        history=history,
        chips=table.chips_after(event.patron, event.owed),
        owed=with_entry(table.owed, event.patron, table.owed.get(event.patron, 0) + event.owed),
        float_=table.float_ - event.owed,
    )
