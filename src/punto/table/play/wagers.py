"""Wagers: opening and closing the betting, placing and taking back, late ones, and an exceeded table differential."""

from __future__ import annotations

from collections.abc import Mapping

from punto.table.commands import (
    CloseBets,
    NoteLateWithdrawal,
    OpenBets,
    PlaceWager,
    RecordWager,
    RefuseLateWager,
    RemoveWager,
    TakeBackWager,
)
from punto.table.events import (
    BetsClosed,
    BetsOpened,
    DifferentialExceeded,
    DifferentialMet,
    Event,
    LateWagerRefused,
    LateWithdrawalNoted,
    WagerFound,
    WagerPlaced,
    WagerRemoved,
    WagerTakenBack,
)
from punto.table.guards import (
    Decision,
    above_zero,
    by,
    by_patron,
    has_chips,
    has_rule,
    in_phase,
    is_open,
    is_patron,
    not_held,
    time_is_up,
)
from punto.table.irregular import Referred
from punto.table.play.differential import differential
from punto.table.play.loss_limits import within_own_limit
from punto.table.refusal import Refusal, refuse
from punto.table.roles import Role
from punto.table.state import DifferentialHold, Phase, Table

AFTER_CLOSING = (Phase.CLOSED, Phase.DEALING, Phase.OUTCOME)

Placing = PlaceWager | TakeBackWager | RecordWager | RefuseLateWager | NoteLateWithdrawal | RemoveWager


def open_bets(table: Table, command: OpenBets) -> Decision:
    refusal = (
        in_phase(table, Phase.IDLE)
        or not_held(table)
        or by(table, command, Role.DEALER, provision="commencement")
        or (None if table.shoe else refuse("no-shoe"))
    )
    if refusal:
        return refusal
    called = table.book.round_of_play
    return (BetsOpened(table.round + 1, called.commencement if called else ""),)


def place_wager(table: Table, command: PlaceWager) -> Decision:
    """Guards in order: is betting open, who places, where, what, how much."""
    total = stake_of(table, command) + command.amount
    refusal = (
        _takes_wagers(table, command)
        or _placed_by(table, command)
        or _names_an_area(table, command)
        or above_zero(command.amount)
        or _in_steps(table, command.amount)
        or _room_in_area(table, command)
        or _within_limits(table, command.wager, total)
        or has_chips(table, command.patron, command.amount)
        or within_own_limit(table, command)
    )
    if refusal:
        return refusal
    helper = None if command.by.role is Role.PATRON else command.by.role
    area = (command.patron, command.position, command.wager)
    return _then_settle_differential(table, WagerPlaced(*area, command.amount, total, helper))


def _takes_wagers(table: Table, command: PlaceWager) -> Refusal | None:
    """Betting is open, or the differential is exceeded and this raises a wager on the hand with less."""
    if isinstance(table.hold, DifferentialHold):
        helps = command.wager == table.hold.lower and stake_of(table, command) > 0
        return None if helps else _not_helped(table.hold)
    return _betting(table, command, "late-wager") or not_held(table)


def _betting(table: Table, command: PlaceWager | TakeBackWager, late: str) -> Refusal | None:
    """Betting is open and its time not up; after that the refusal is the rule's own."""
    over = table.phase in AFTER_CLOSING or time_is_up(table, command)
    return refuse(late, late) if over else in_phase(table, Phase.BETTING)


def _not_helped(hold: DifferentialHold) -> Refusal:
    return refuse("differential-not-helped", hold.provision, higher=hold.higher, lower=hold.lower)


def _placed_by(table: Table, command: PlaceWager | TakeBackWager) -> Refusal | None:
    """By the patron himself, or at his request by the positions the rules name for it."""
    if command.by.role is Role.PATRON:
        return by_patron(command, command.patron) or is_patron(table, command.patron)
    return (
        has_rule(table, "wager-on-behalf")
        or by(table, command, Role.DEALER, provision="wager-on-behalf")
        or is_patron(table, command.patron)
    )


def _names_an_area(table: Table, command: Placing) -> Refusal | None:
    positions = table.set_up.positions
    if not 1 <= command.position <= positions:
        return refuse("unknown-position", position=command.position, positions=positions)
    if command.wager not in table.set_up.limits:
        return refuse("unknown-wager", "available-wagers", wager=command.wager)
    return None


def _in_steps(table: Table, amount: int) -> Refusal | None:
    step = table.set_up.stake_step
    return refuse("off-step", step=step, amount=amount) if amount % step else None


def _room_in_area(table: Table, command: PlaceWager | RecordWager) -> Refusal | None:
    """An area takes so many wagers, of different patrons (reading R6); more in one's own is an increase (R25)."""
    place, name, his = command.position, command.wager, command.patron
    others = [patron for patron, at, wager in table.stakes if at == place and wager == name and patron != his]
    capacity = table.set_up.area_capacity
    if len(others) < capacity:
        return None
    return refuse("area-full", "area-capacity", wager=command.wager, position=command.position, capacity=capacity)


def _within_limits(table: Table, wager: str, total: int) -> Refusal | None:
    limits = table.set_up.limits[wager]
    if total < limits.minimum:
        return refuse("under-minimum", "limits", wager=wager, minimum=limits.minimum, amount=total)
    if total > limits.maximum:
        return refuse("over-maximum", "limits", wager=wager, maximum=limits.maximum, amount=total)
    return None


def take_back_wager(table: Table, command: TakeBackWager) -> Decision:
    total = stake_of(table, command) - command.amount
    refusal = _lets_go(table, command) or _placed_by(table, command) or _can_come_off(table, command)
    if refusal:
        return refusal
    area = (command.patron, command.position, command.wager)
    return _then_settle_differential(table, WagerTakenBack(*area, command.amount, total))


def _can_come_off(table: Table, command: TakeBackWager | RemoveWager) -> Refusal | None:
    """So much lies there, and what is left of it is a wager that could be placed, or nothing."""
    refusal = above_zero(command.amount) or _lies_there(table, command, command.amount)
    left = stake_of(table, command) - command.amount
    if refusal or not left:
        return refusal
    return _in_steps(table, left) or _within_limits(table, command.wager, left)


def _lets_go(table: Table, command: TakeBackWager) -> Refusal | None:
    """Betting is open, or the differential is exceeded and this lowers a wager on the hand with more."""
    if isinstance(table.hold, DifferentialHold):
        return None if command.wager == table.hold.higher else _not_helped(table.hold)
    return _betting(table, command, "late-withdrawal") or not_held(table)


def _lies_there(table: Table, command: Placing, amount: int) -> Refusal | None:
    lies = stake_of(table, command)
    if lies and lies >= amount:
        return None
    return refuse("no-such-stake", patron=command.patron, amount=lies, wager=command.wager, position=command.position)


def stake_of(table: Table, command: Placing) -> int:
    """What the patron has on that area."""
    stake = table.stakes.get((command.patron, command.position, command.wager))
    return stake.amount if stake else 0


def close_bets(table: Table, command: CloseBets) -> Decision:
    refusal = in_phase(table, Phase.BETTING) or not_held(table) or by(table, command, Role.DEALER, provision="closing")
    if refusal:
        return refusal
    called = table.book.round_of_play
    closed = BetsClosed(called.closing if called else "")
    exceeded = _exceeded(table, table.totals())
    return (closed, exceeded) if exceeded else (closed,)


def _exceeded(table: Table, totals: Mapping[str, int]) -> DifferentialExceeded | None:
    """The table differential of these totals, if it is more than the house allows (reading R15)."""
    found = differential(table, totals)
    if found is None or found.allowed is None or not found.excess:
        return None
    clause = table.book.clause_of("differential-exceeded")
    return DifferentialExceeded(found.higher, found.lower, found.difference, found.allowed, clause)


def _then_settle_differential(table: Table, event: WagerPlaced | WagerTakenBack | WagerRemoved) -> tuple[Event, ...]:
    """The event and, in a hold for the differential, that it is now met or exceeded the other way round."""
    hold = table.hold
    if not isinstance(hold, DifferentialHold):
        return (event,)
    change = event.amount if isinstance(event, WagerPlaced) else -event.amount
    totals = table.totals()
    totals[event.wager] = totals.get(event.wager, 0) + change
    exceeded = _exceeded(table, totals)
    if exceeded is None:
        return (event, DifferentialMet(table.book.table_differential(totals)))
    return (event,) if exceeded.higher == hold.higher else (event, exceeded)


def remove_wager(table: Table, command: RemoveWager) -> Decision:
    """The Pit Manager takes wagers off the hand with more, where asking was not enough."""
    hold, total = table.hold, stake_of(table, command) - command.amount
    refusal = (
        is_open(table)
        or (None if isinstance(hold, DifferentialHold) else refuse("not-held"))
        or by(table, command, Role.PIT_MANAGER, provision="differential-removal")
        or _can_come_off(table, command)
    )
    if refusal:
        return refusal
    assert isinstance(hold, DifferentialHold)
    if command.wager != hold.higher:
        return _not_helped(hold)
    area = (command.patron, command.position, command.wager)
    clause = table.book.clause_of("differential-removal")
    return _then_settle_differential(table, WagerRemoved(*area, command.amount, total, clause))


def record_wager(table: Table, command: RecordWager) -> Decision:
    """A wager found on the layout that was there in time: within the limits or not, it is settled (reading R7).

    With a card seen it takes whoever confirms what is left without a position, not the Dealer alone (reading R38).
    """
    refusal = (
        in_phase(table, *AFTER_CLOSING)
        or not_held(table)
        or by(table, command, table.set_up.confirms if table.any_seen else Role.DEALER)
        or is_patron(table, command.patron)
        or _names_an_area(table, command)
        or above_zero(command.amount)
        or _room_in_area(table, command)
        or has_chips(table, command.patron, command.amount)
    )
    if refusal:
        return refusal
    found = WagerFound(command.patron, command.position, command.wager, command.amount)
    if _no_rule_for_it(table, command):
        return (found, Referred("a wager found on the layout is outside the limits", None))
    totals = table.totals()
    totals[command.wager] = totals.get(command.wager, 0) + command.amount
    exceeded = _exceeded(table, totals) if table.phase is Phase.CLOSED else None
    return (found, exceeded) if exceeded else (found,)


def _no_rule_for_it(table: Table, command: RecordWager) -> bool:
    """Whether the wager is outside the limits in a game whose rules do not say what then (reading R22)."""
    limits, total = table.set_up.limits[command.wager], stake_of(table, command) + command.amount
    under = total < limits.minimum and not table.book.clause_of("under-minimum")
    return under or (total > limits.maximum and not table.book.clause_of("over-maximum"))


def refuse_late_wager(table: Table, command: RefuseLateWager) -> Decision:
    refusal = (
        in_phase(table, *AFTER_CLOSING)
        or by(table, command, Role.DEALER, provision="late-wager")
        or is_patron(table, command.patron)
        or _names_an_area(table, command)
        or above_zero(command.amount)
    )
    area = (command.patron, command.position, command.wager)
    return refusal or (LateWagerRefused(*area, command.amount, table.book.clause_of("late-wager")),)


def note_late_withdrawal(table: Table, command: NoteLateWithdrawal) -> Decision:
    refusal = (
        in_phase(table, *AFTER_CLOSING)
        or by(table, command, Role.DEALER, provision="late-withdrawal")
        or _lies_there(table, command, 0)
    )
    area = (command.patron, command.position, command.wager)
    return refusal or (LateWithdrawalNoted(*area, table.book.clause_of("late-withdrawal")),)
