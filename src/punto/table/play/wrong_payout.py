"""A wrong payout: chips handed over that differ from the settlement, put right at any later time of the shoe.

The books follow the settlement, so what was handed over and what is put right cancel out. What a patron keeps of too
much becomes a debt, as after a correction. What was paid or collected in an earlier round for a wager outside the
limits is considered settled, and the books follow what was handed over (reading R80).
"""

from __future__ import annotations

from msgspec.structs import replace

from punto.table.command import Report
from punto.table.event import Irregularity, Settled
from punto.table.guards import Decision, above_zero, by, has_chips, in_float, is_open, is_patron
from punto.table.money import Cents
from punto.table.refusal import Refusal, refuse
from punto.table.registry import decides, evolves
from punto.table.roles import Role
from punto.table.round import Area
from punto.table.table import SettledRound, Table, with_entry
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

    in_packets = False
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


class PayoutStands(Irregularity, frozen=True):
    """Chips handed over in an earlier round for a wager outside the limits are considered settled as they were."""

    in_packets = False
    round: Public[int]
    patron: Public[str]
    position: Public[int]
    wager: Public[str]
    due: Public[Cents]
    """What the settlement would have handed over."""
    amount: Public[Cents]
    """What was handed over."""
    clause: Public[str | None]


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
    stands = considered_settled(table, command.round, settled)
    area = (command.patron, command.position, command.wager)
    amounts = (settled.returned, command.amount)
    if stands:
        refusal = _fits(command, settled, 0) or _is_there(table, command, settled)
        return refusal or (PayoutStands(command.round, *area, *amounts, table.book.clause_of("limits-settled")),)
    too_much = max(0, command.amount - settled.returned)
    refusal = _fits(command, settled, too_much) or in_float(table, command.owed)
    return refusal or (PayoutCorrected(command.round, *area, *amounts, settled.clause, command.owed),)


def considered_settled(table: Table, number: int, settled: Settled) -> bool:
    """Return whether a wager was outside the limits, and paid or collected in a round that another has followed."""
    earlier = number < table.round_number
    return earlier and settled.limit_clause is not None and bool(table.book.clauses_of("limits-settled"))


def _is_there(table: Table, command: ReportPayout, settled: Settled) -> Refusal | None:
    """Refuse where the chips that went the wrong way cannot be there any more."""
    more = command.amount - settled.returned
    return in_float(table, more) if more > 0 else has_chips(table, command.patron, -more)


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
    history = _told(table, event)
    if not event.owed:
        return table.changed(history=history)
    return table.changed(
        history=history,
        chips=table.chips_after(event.patron, event.owed),
        owed=with_entry(table.owed, event.patron, table.owed.get(event.patron, 0) + event.owed),
        float_=table.float_ - event.owed,
    )


@evolves(PayoutStands)
def _payout_stands(table: Table, event: PayoutStands) -> Table:
    more = event.amount - event.due
    chips = table.chips_after(event.patron, more)
    return table.changed(history=_told(table, event), chips=chips, float_=table.float_ - more)


def _told(table: Table, event: PayoutCorrected | PayoutStands) -> dict[int, SettledRound]:
    """Return the settled rounds with what was handed over for a wager on record: it is told once."""
    area: Area = (event.patron, event.position, event.wager)
    record = table.history[event.round]
    return with_entry(table.history, event.round, replace(record, paid_right=record.paid_right | {area}))
