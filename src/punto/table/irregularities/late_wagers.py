"""Wagers found, placed or picked up after bets closed."""

from __future__ import annotations

from msgspec.structs import replace

from punto.rules.coup import Coup
from punto.rules.rulebook import VOID, Line, Result
from punto.rules.settlement import settle
from punto.table.command import Report
from punto.table.event import Event, Irregularity, Returned, Settled
from punto.table.guards import Decision, above_zero, by, has_chips, in_phase, is_open, is_patron, not_held
from punto.table.irregularities.correction import Correction, covered, decided_under, money_moved, owing
from punto.table.irregularities.differential import DifferentialHold, and_differential, check_differential
from punto.table.irregularities.referral import Referred, matter
from punto.table.irregularities.withdrawal import WithdrawalHold, without_wager
from punto.table.money import Cents
from punto.table.play.layout import lies_there, names_an_area, room_among, room_in_area, stake_of
from punto.table.play.loss_limits import not_stopped_in, with_staked, within_allowance
from punto.table.play.settlement import settled_by
from punto.table.refusal import Refusal, refuse
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


class SettleOverlookedWager(Report, frozen=True):
    """Have a wager settled that was overlooked in a settled round, or the part of it that was not recorded.

    The person who gives it attests that the chips lay there in time; a late wager is refused by its own rule.
    """

    round: int
    patron: str
    position: int
    wager: str
    amount: Cents
    """What was overlooked."""


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


class OverlookedWagerSettled(Irregularity, frozen=True):
    """A wager that lay there in time was overlooked, whole or in part, and is settled by the cards of its round."""

    in_packets = False
    round: Public[int]
    patron: Public[str]
    position: Public[int]
    wager: Public[str]
    amount: Public[Cents]
    """What was overlooked."""
    clause: Public[str]
    """Of the rule on settlement."""
    correction: Correction
    """The whole wager: as it was settled, with a stake of zero if it was not, and as it is with what was overlooked."""

    @property
    def corrections(self) -> tuple[Correction, ...]:
        """The same as several, as they are in a round that is settled again."""
        return (self.correction,)


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
        or within_allowance(table, command.patron, command.amount, command.at)
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


@decides(SettleOverlookedWager)
def settle_overlooked_wager(table: Table, command: SettleOverlookedWager) -> Decision:
    """Settle a wager that was overlooked until its round was settled, as it would have been then (reading R83).

    It becomes one with what was recorded there, and the limits are those of the round.
    """
    refusal = (
        is_open(table)
        or by(table, command, table.set_up.confirms, provision="settlement")
        or _was_settled_round(table, command.round)
        or is_patron(table, command.patron)
        or names_an_area(table, command)
        or above_zero(command.amount)
        or _had_room(table, command)
        or not_stopped_in(table, command.patron, command.round)
    )
    if refusal:
        return refusal
    patron, record = command.patron, table.history[command.round]
    area = (patron, command.position, command.wager)
    line = settle(table.book.wager(command.wager), Coup(record.player, record.banker))
    before = record.wager_on(area) or _nothing(area, line)
    limits = table.setting_in(command.round).limits[command.wager]
    # What was paid or collected there is not taken back, whatever was overlooked in an earlier round.
    was_under = before.result is None and patron in _under_before(table, command.round)
    after = settled_by(table.book, limits, was_under, area, before.stake + command.amount, line)
    after = _what_caps_leave(table, command.round, after)
    correction = owing(Correction(before, after, 0), table.chips[patron], table.owed.get(patron, 0))
    clause = _settlement_clause(table, command.wager)
    settled = OverlookedWagerSettled(command.round, *area, command.amount, clause, correction)
    return covered(table, settled) or (settled,)


def _what_caps_leave(table: Table, number: int, after: Settled) -> Settled:
    """Return an overlooked wager with what a cap of its round has left for it: no other wager loses by it (R86)."""
    if after.result is not Result.WIN:
        return after
    for cap in table.setting_in(number).payout_caps:
        if after.wager in cap.wagers:
            others = (each for each in table.history[number].wagers if each.area != after.area)
            paid = sum(each.winnings for each in others if each.wager in cap.wagers)
            return after.paid_only(min(after.winnings, max(0, cap.amount - paid)))
    return after


def _settlement_clause(table: Table, wager: str) -> str:
    """Return the clause that says how this wager is settled, won or lost."""
    clauses = [each.number for each in table.book.clauses_of("settlement")]
    return next((line.clause for line in table.book.wager(wager).lines if line.clause in clauses), clauses[0])


def _was_settled_round(table: Table, number: int) -> Refusal | None:
    """Refuse a round that is not settled, or is so no more: nothing is settled in a void round."""
    if number in table.history:
        return None
    past = range(min(table.history, default=table.round_number), table.round_number)
    void = table.last_was_void if number == table.round_number else number in past
    return refuse("round-void", round=number) if void else refuse("no-such-round", round=number)


def _had_room(table: Table, command: SettleOverlookedWager) -> Refusal | None:
    """Refuse more wagers than the area took then, and more of a wager that a decision has handed back."""
    record, area = table.history[command.round], (command.patron, command.position, command.wager)
    recorded, setting = record.wager_on(area), table.setting_in(command.round)
    if recorded and _was_handed_back(recorded, setting.limits[command.wager].maximum):
        return refuse("wager-handed-back", "referral", patron=area[0], wager=area[2], position=area[1])
    return room_among([each.area for each in record.wagers], setting, command)


def _was_handed_back(recorded: Settled, maximum: Cents) -> bool:
    """Return whether a decision has handed back the wager, or a part of what was settled of it."""
    in_part = recorded.result is not None and recorded.settled < min(recorded.stake, maximum)
    return recorded.outcome == VOID or in_part


def _nothing(area: Area, line: Line) -> Settled:
    """Return what was settled on an area where nothing was recorded."""
    return Settled(*area, 0, 0, None, line.outcome, line.pays, 0, 0, 0, line.clause, None)


def _under_before(table: Table, number: int) -> frozenset[str]:
    """Return the patrons whose one wager under the minimum was settled before a round."""
    since = (each.first_under for later, each in table.history.items() if later >= number)
    return table.under_minimum.difference(*since)


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


@sensitive(OverlookedWagerSettled)
def _corrects(_table: Table, _event: OverlookedWagerSettled) -> tuple[SensitiveAct, ...]:
    return (SensitiveAct.CORRECTION,)


@evolves(WagerFound)
def _wager_found(table: Table, event: WagerFound) -> Table:
    area: Area = (event.patron, event.position, event.wager)
    before = table.round.stakes.get(area, Stake(0, 0))
    stood = before.stood if before.found or not before.amount else before.reached
    stake = Stake(before.amount + event.amount, table.steps, before.found + event.amount, stood)
    stakes = with_entry(table.round.stakes, area, stake)
    return table.changed(round=table.round.changed(stakes=stakes), chips=table.chips_after(event.patron, -event.amount))


@evolves(OverlookedWagerSettled)
def _overlooked_wager_settled(table: Table, event: OverlookedWagerSettled) -> Table:
    """Put the wager on record, and who has thereby had their one wager under the minimum settled (reading R8)."""
    record, after = table.history[event.round], event.correction.after
    wagers, before = record.wagers_with(after), _under_before(table, event.round)
    first_under = frozenset(each.patron for each in wagers if decided_under(each)) - before
    history = {
        number: replace(each, first_under=each.first_under - first_under) if number > event.round else each
        for number, each in table.history.items()
    }
    history[event.round] = replace(record, wagers=wagers, first_under=first_under)
    under = before.union(*(each.first_under for number, each in history.items() if number >= event.round))
    staked = with_staked(table.allowances, event.patron, event.amount)
    return money_moved(table, event).changed(history=history, under_minimum=under, allowances=staked)


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
