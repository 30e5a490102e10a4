"""Wagers found, placed or picked up after bets closed."""

from __future__ import annotations

from punto.table.command import Report
from punto.table.event import Event, Irregularity, Returned
from punto.table.guards import Decision, above_zero, by, has_chips, in_phase, is_patron, not_held
from punto.table.irregularities.differential import DifferentialHold, and_differential, check_differential
from punto.table.irregularities.referral import Referred, matter
from punto.table.irregularities.withdrawal import WithdrawalHold, without_wager
from punto.table.money import Cents
from punto.table.play.layout import lies_there, names_an_area, room_in_area, stake_of
from punto.table.refusal import Refusal
from punto.table.registry import decides, evolves, sensitive
from punto.table.roles import Role
from punto.table.round import AFTER_CLOSING, Area, Phase, Stake
from punto.table.settings import SensitiveAct
from punto.table.table import Table, with_entry, without_entry
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
    recorded: bool = False
    """Whether they were recorded as placed in time, and come off the layout."""


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
    taken_off: Public[Cents] = 0
    """How much of it had been recorded, and comes off the layout unsettled."""


class LateWithdrawalNoted(Irregularity, frozen=True):
    """A wager picked up after bets closed, which is settled all the same."""

    patron: Public[str]
    position: Public[int]
    wager: Public[str]
    clause: Public[str | None]


_LATE_SETTLED = matter("late-wager-settled", "a wager of a settled round was placed late")
_OUTSIDE_LIMITS = matter("wager-outside-limits", "a wager found on the layout is outside the limits")


@decides(RecordWager)
def record_wager(table: Table, command: RecordWager) -> Decision:
    """Record a wager that was on the layout in time: within the limits or not, it is settled (reading R7).

    With a card seen it takes the position that confirms for the house, not the Dealer alone (reading R38).
    """
    refusal = (
        in_phase(table, *AFTER_CLOSING)
        or _can_join(table, command)
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
    return _and_differential(table, found, command.amount)


def _can_join(table: Table, command: RecordWager) -> Refusal | None:
    """Refuse while patrons answer an offer that was made without it, or what has to be referred in another hold."""
    if isinstance(table.hold, DifferentialHold):
        return None
    alone = isinstance(table.hold, WithdrawalHold) or command.wager not in table.set_up.limits
    return not_held(table) if alone or _no_rule_for_it(table, command) else None


def _and_differential(table: Table, event: WagerFound | LateWagerRefused, change: int) -> tuple[Event, ...]:
    """Return an event that changes what lies on the layout, and what that does to the differential."""
    if isinstance(table.hold, DifferentialHold):
        return and_differential(table, event, event.wager, change)
    totals = table.round.totals()
    totals[event.wager] = totals.get(event.wager, 0) + change
    exceeded = check_differential(table, totals) if table.phase is Phase.CLOSED else None
    return (event, exceeded) if exceeded else (event,)


def _no_rule_for_it(table: Table, command: RecordWager) -> bool:
    """Return whether the wager is outside the limits in a game without a rule for that (reading R22)."""
    limits, total = table.set_up.limits[command.wager], stake_of(table, command) + command.amount
    under = total < limits.minimum and not table.book.clause_of("under-minimum")
    return under or (total > limits.maximum and not table.book.clause_of("over-maximum"))


@decides(RefuseLateWager)
def refuse_late_wager(table: Table, command: RefuseLateWager) -> Decision:
    """Give back late chips; what of them was recorded comes off, and is not honoured.

    A wager recorded after bets closed is taken to be what comes off, else it takes a word that it was recorded. Once
    the round is settled no rule says how to undo it, and it is referred.
    """
    settled = table.phase is Phase.IDLE and table.round_number in table.history
    refusal = (
        (not_held(table) if settled else in_phase(table, *AFTER_CLOSING))
        or by(table, command, Role.DEALER, provision="late-wager")
        or is_patron(table, command.patron)
        or names_an_area(table, command)
        or above_zero(command.amount)
        or (_was_settled(table, command) if settled else _was_recorded(table, command))
    )
    if refusal:
        return refusal
    if settled:
        clause = table.book.clause_of("referral")
        return (Referred("", clause, case=_LATE_SETTLED, about_round=table.round_number),)
    area = (command.patron, command.position, command.wager)
    stake = table.round.stakes.get(area)
    off = command.amount if command.recorded else min(command.amount, stake.found if stake else 0)
    refused = LateWagerRefused(*area, command.amount, table.book.clause_of("late-wager"), off)
    if not off:
        return (refused,)
    follows = _and_differential(table, refused, -off)
    return follows if len(follows) > 1 else (refused, *without_wager(table, Returned(*area, off)))


def _was_recorded(table: Table, command: RefuseLateWager) -> Refusal | None:
    """Refuse to take off what does not lie there, and by the Dealer alone once a card was seen (as in reading R38)."""
    if not command.recorded:
        return None
    role = table.set_up.confirms if table.round.any_seen else Role.DEALER
    return by(table, command, role, provision="late-wager") or lies_there(table, command, command.amount)


def _was_settled(table: Table, command: RefuseLateWager) -> Refusal | None:
    area = (command.patron, command.position, command.wager)
    for each in table.history[table.round_number].wagers:
        if (each.patron, each.position, each.wager) == area and each.stake >= command.amount:
            return None
    return lies_there(table, command, command.amount)


@decides(NoteLateWithdrawal)
def note_late_withdrawal(table: Table, command: NoteLateWithdrawal) -> Decision:
    refusal = (
        in_phase(table, *AFTER_CLOSING)
        or by(table, command, Role.DEALER, provision="late-withdrawal")
        or lies_there(table, command, 0)
    )
    area = (command.patron, command.position, command.wager)
    return refusal or (LateWithdrawalNoted(*area, table.book.clause_of("late-withdrawal")),)


@sensitive(LateWagerRefused)
def _removes(_table: Table, event: LateWagerRefused) -> tuple[SensitiveAct, ...]:
    return (SensitiveAct.REMOVAL,) if event.taken_off else ()


@evolves(WagerFound)
def _wager_found(table: Table, event: WagerFound) -> Table:
    area: Area = (event.patron, event.position, event.wager)
    before = table.round.stakes.get(area, Stake(0, 0))
    stood = before.stood if before.found or not before.amount else before.reached
    stake = Stake(before.amount + event.amount, table.steps, before.found + event.amount, stood)
    stakes = with_entry(table.round.stakes, area, stake)
    return table.changed(round=table.round.changed(stakes=stakes), chips=table.chips_after(event.patron, -event.amount))


@evolves(LateWagerRefused)
def _late_wager_refused(table: Table, event: LateWagerRefused) -> Table:
    """Take off what was recorded of it; the part before stands as it was, and since when it was."""
    if not event.taken_off:
        return table.changed()
    area: Area = (event.patron, event.position, event.wager)
    before = table.round.stakes[area]
    left, found = before.amount - event.taken_off, max(0, before.found - event.taken_off)
    reached = before.reached if found or before.stood is None else before.stood
    stakes = without_entry(table.round.stakes, area)
    if left:
        stakes = with_entry(table.round.stakes, area, Stake(left, reached, found, before.stood))
    chips = table.chips_after(event.patron, event.taken_off)
    off = table.changed(round=table.round.changed(stakes=stakes), chips=chips)
    hold = table.hold
    if isinstance(hold, WithdrawalHold) and event.patron in hold.pending and not hold.asked(event.patron, stakes):
        return off.changed(holds=(*table.holds[:-1], hold.without(event.patron)))
    return off


@evolves(LateWithdrawalNoted)
def _nothing_changed(table: Table, _: LateWithdrawalNoted) -> Table:
    return table.changed()
