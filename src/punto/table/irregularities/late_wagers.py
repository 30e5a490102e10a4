"""Wagers found, placed or picked up after bets closed."""

from __future__ import annotations

from punto.table.command import Report
from punto.table.event import Event, Irregularity
from punto.table.guards import Decision, above_zero, by, has_chips, in_phase, is_patron, not_held
from punto.table.irregularities.differential import check_differential
from punto.table.irregularities.referral import Referred, matter
from punto.table.money import Cents
from punto.table.play.layout import lies_there, names_an_area, room_in_area, stake_of
from punto.table.registry import decides, evolves
from punto.table.roles import Role
from punto.table.round import AFTER_CLOSING, Area, Phase, Stake
from punto.table.table import Table, with_entry
from punto.table.visibility import Public


class RecordWager(Report, frozen=True):
    """Record a wager found on the layout after bets closed that was there in time."""

    patron: str
    position: int
    wager: str
    amount: Cents


class RefuseLateWager(Report, frozen=True):
    """Give back chips put down after bets closed, or the part by which a wager was increased."""

    patron: str
    position: int
    wager: str
    amount: Cents


class NoteLateWithdrawal(Report, frozen=True):
    """Note that a patron picked up a wager after bets closed; it is settled all the same."""

    patron: str
    position: int
    wager: str


class WagerFound(Irregularity, frozen=True):
    """A wager found on the layout after bets closed, within the limits or not, recorded by the Dealer."""

    patron: Public[str]
    position: Public[int]
    wager: Public[str]
    amount: Public[Cents]


class LateWagerRefused(Irregularity, frozen=True):
    """Chips put down after bets closed, given back; the wager that stood there before stands as it was."""

    patron: Public[str]
    position: Public[int]
    wager: Public[str]
    amount: Public[Cents]
    clause: Public[str | None]


class LateWithdrawalNoted(Irregularity, frozen=True):
    """A wager picked up after bets closed, which is settled all the same."""

    patron: Public[str]
    position: Public[int]
    wager: Public[str]
    clause: Public[str | None]


_OUTSIDE_LIMITS = matter("wager-outside-limits", "a wager found on the layout is outside the limits")


@decides(RecordWager)
def record_wager(table: Table, command: RecordWager) -> Decision:
    """Record a wager that was on the layout in time: within the limits or not, it is settled (reading R7).

    With a card seen it takes the position that confirms for the house, not the Dealer alone (reading R38).
    """
    refusal = (
        in_phase(table, *AFTER_CLOSING)
        or not_held(table)
        or by(table, command, table.set_up.confirms if table.round.any_seen else Role.DEALER)
        or is_patron(table, command.patron)
        or names_an_area(table, command)
        or above_zero(command.amount)
        or room_in_area(table, command)
        or has_chips(table, command.patron, command.amount)
    )
    if refusal:
        return refusal
    found = WagerFound(command.patron, command.position, command.wager, command.amount)
    if _no_rule_for_it(table, command):
        return (found, Referred("", None, case=_OUTSIDE_LIMITS))
    totals = table.round.totals()
    totals[command.wager] = totals.get(command.wager, 0) + command.amount
    exceeded = check_differential(table, totals) if table.phase is Phase.CLOSED else None
    return (found, exceeded) if exceeded else (found,)


def _no_rule_for_it(table: Table, command: RecordWager) -> bool:
    """Return whether the wager is outside the limits in a game without a rule for that (reading R22)."""
    limits, total = table.set_up.limits[command.wager], stake_of(table, command) + command.amount
    under = total < limits.minimum and not table.book.clause_of("under-minimum")
    return under or (total > limits.maximum and not table.book.clause_of("over-maximum"))


@decides(RefuseLateWager)
def refuse_late_wager(table: Table, command: RefuseLateWager) -> Decision:
    refusal = (
        in_phase(table, *AFTER_CLOSING)
        or by(table, command, Role.DEALER, provision="late-wager")
        or is_patron(table, command.patron)
        or names_an_area(table, command)
        or above_zero(command.amount)
    )
    area = (command.patron, command.position, command.wager)
    return refusal or (LateWagerRefused(*area, command.amount, table.book.clause_of("late-wager")),)


@decides(NoteLateWithdrawal)
def note_late_withdrawal(table: Table, command: NoteLateWithdrawal) -> Decision:
    refusal = (
        in_phase(table, *AFTER_CLOSING)
        or by(table, command, Role.DEALER, provision="late-withdrawal")
        or lies_there(table, command, 0)
    )
    area = (command.patron, command.position, command.wager)
    return refusal or (LateWithdrawalNoted(*area, table.book.clause_of("late-withdrawal")),)


@evolves(WagerFound)
def _wager_found(table: Table, event: WagerFound) -> Table:
    area: Area = (event.patron, event.position, event.wager)
    before = table.round.stakes.get(area)
    total = event.amount + (before.amount if before else 0)
    stakes = with_entry(table.round.stakes, area, Stake(total, table.steps))
    return table.changed(round=table.round.changed(stakes=stakes), chips=table.chips_after(event.patron, -event.amount))


@evolves(LateWagerRefused, LateWithdrawalNoted)
def _nothing_changed(table: Table, _: Event) -> Table:
    return table.changed()
