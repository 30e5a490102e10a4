"""Wagers: opening and closing the betting, placing and taking back."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from punto.table.command import Command, recorder_of
from punto.table.event import Event, Opens, Returned
from punto.table.guards import (
    Decision,
    above_zero,
    by,
    by_patron,
    has_chips,
    in_phase,
    is_patron,
    not_held,
    records,
)
from punto.table.irregularities.differential import DifferentialHold, and_differential, check_differential, not_helped
from punto.table.money import Cents
from punto.table.play.burn_cards import burn_due
from punto.table.play.layout import can_come_off, in_steps, lower, names_an_area, room_in_area, stake_of, within_limits
from punto.table.play.loss_limits import within_allowance, within_own_limit
from punto.table.play.shoes import no_shoe
from punto.table.refusal import Refusal, refuse
from punto.table.registry import decides, evolves
from punto.table.roles import Role
from punto.table.round import AFTER_CLOSING, Area, Phase, Round, Stake, Window
from punto.table.table import Table
from punto.table.visibility import Public


class OpenBets(Command, frozen=True):
    """Open the round: place your bets, please."""


class PlaceWager(Command, frozen=True):
    """Place a wager, or add to one; by the patron, or by staff on behalf of the patron."""

    patron: str
    position: int
    wager: str
    amount: Cents


class TakeBackWager(Command, frozen=True):
    """Take back a wager, or part of it; by the patron, or by staff on behalf of the patron."""

    patron: str
    position: int
    wager: str
    amount: Cents


class CloseBets(Command, frozen=True):
    """Close the betting: no more bets."""


class BetsOpened(Event, frozen=True):
    """The Dealer opened the round."""

    in_packets = True
    opens: ClassVar[Opens | None] = Opens.BETTING
    round: Public[int]
    announcement: Public[str]
    deadline: Public[int | None] = None
    """When the house expects the closing call, if it has set a time."""


class WagerPlaced(Event, frozen=True):
    """A wager was placed or added to."""

    in_packets = True
    patron: Public[str]
    position: Public[int]
    wager: Public[str]
    amount: Public[Cents]
    """What was added."""
    total: Public[Cents]
    on_behalf_by: Public[Role | None]
    """Who placed it on behalf of the patron; None if the patron did."""
    recorded_by: str | None = None
    """The member of staff who recorded it on behalf of the patron; None if the patron gave it."""


class WagerTakenBack(Event, frozen=True):
    """A wager, or part of it, was taken back."""

    in_packets = True
    patron: Public[str]
    position: Public[int]
    wager: Public[str]
    amount: Public[Cents]
    """What was taken off."""
    total: Public[Cents]
    recorded_by: str | None = None
    """The member of staff who recorded it on behalf of the patron; None if the patron gave it."""


class BetsClosed(Event, frozen=True):
    """The Dealer closed the betting."""

    in_packets = True
    announcement: Public[str]


@decides(OpenBets)
def open_bets(table: Table, command: OpenBets) -> Decision:
    refusal = (
        in_phase(table, Phase.IDLE)
        or not_held(table)
        or by(table, command, Role.DEALER, provision="commencement")
        or no_shoe(table)
        or (refuse("burn-first") if burn_due(table) else None)
    )
    if refusal:
        return refusal
    called = table.book.round_of_play
    return (BetsOpened(table.round_number + 1, called.commencement if called else ""),)


@decides(PlaceWager)
def place_wager(table: Table, command: PlaceWager) -> Decision:
    """Guards in order: is betting open, who places, where, what, how much."""
    total = stake_of(table, command) + command.amount
    refusal = _takes_wagers(table, command) or _placed_by(table, command) or could_be_placed(table, command, total)
    if refusal:
        return refusal
    helper = None if command.by.role is Role.PATRON else command.by.role
    area = (command.patron, command.position, command.wager)
    placed = WagerPlaced(*area, command.amount, total, helper, recorder_of(command))
    return and_differential(table, placed, command.wager, command.amount)


def could_be_placed(table: Table, command: PlaceWager, total: int) -> Refusal | None:
    """Refuse a wager that does not fit the layout, the limits or the patron's chips; ``total`` would then lie there."""
    return (
        names_an_area(table, command)
        or above_zero(command.amount)
        or in_steps(table, command.amount)
        or room_in_area(table, command)
        or within_limits(table, command.wager, total)
        or has_chips(table, command.patron, command.amount)
        or within_own_limit(table, command.patron, command.amount, command.at)
        or within_allowance(table, command.patron, command.amount, command.at)
    )


def _takes_wagers(table: Table, command: PlaceWager) -> Refusal | None:
    """Refuse unless betting is open, or the differential is exceeded and this raises the hand with less."""
    if not table.holds:
        return betting_is_open(table, "late-wager")
    if isinstance(table.hold, DifferentialHold):
        if command.wager == table.hold.lower and _wagers_on(table, command):
            # To raise a wager is allowed; one on another area is a new wager, and bets are closed.
            return None if stake_of(table, command) else refuse("late-wager", "late-wager")
        return _bears_on(table.hold, command.wager, "late-wager") or not_helped(table.hold)
    return betting_is_open(table, "late-wager") or not_held(table)


def _bears_on(hold: DifferentialHold, wager: str, provision: str) -> Refusal | None:
    """Refuse a wager that the differential is not about by the rule on the closing of bets."""
    return None if wager in (hold.higher, hold.lower) else refuse(provision, provision)


def _wagers_on(table: Table, command: PlaceWager) -> bool:
    """Return whether the patron has that wager at any position."""
    return any(patron == command.patron and wager == command.wager for patron, _, wager in table.round.stakes)


def betting_is_open(table: Table, late: str) -> Refusal | None:
    """Refuse unless betting is open; once it was closed by the call, the refusal is the rule's own (reading R40)."""
    phase = table.phase
    if phase is Phase.BETTING:
        return None
    return refuse(late, late) if phase in AFTER_CLOSING else in_phase(table, Phase.BETTING)


def _placed_by(table: Table, command: PlaceWager | TakeBackWager) -> Refusal | None:
    """Refuse unless the patron gives it, or staff on their behalf: where no clause says so, by the house's choice."""
    own = command.by.role is Role.PATRON
    refusal = by_patron(command, command.patron) if own else records(table, command, "wager-on-behalf")
    return refusal or is_patron(table, command.patron)


@decides(TakeBackWager)
def take_back_wager(table: Table, command: TakeBackWager) -> Decision:
    total = stake_of(table, command) - command.amount
    refusal = _lets_go(table, command) or _placed_by(table, command) or can_come_off(table, command)
    if refusal:
        return refusal
    area = (command.patron, command.position, command.wager)
    taken = WagerTakenBack(*area, command.amount, total, recorder_of(command))
    return and_differential(table, taken, command.wager, -command.amount)


def _lets_go(table: Table, command: TakeBackWager) -> Refusal | None:
    """Refuse unless betting is open, or the differential is exceeded and this lowers the hand with more."""
    if isinstance(table.hold, DifferentialHold):
        if command.wager == table.hold.higher:
            return None
        return _bears_on(table.hold, command.wager, "late-withdrawal") or not_helped(table.hold)
    return betting_is_open(table, "late-withdrawal") or not_held(table)


@decides(CloseBets)
def close_bets(table: Table, command: CloseBets) -> Decision:
    refusal = in_phase(table, Phase.BETTING) or not_held(table) or by(table, command, Role.DEALER, provision="closing")
    if refusal:
        return refusal
    called = table.book.round_of_play
    closed = BetsClosed(called.closing if called else "")
    exceeded = check_differential(table, table.round.totals())
    return (closed, exceeded) if exceeded else (closed,)


@evolves(BetsOpened)
def _bets_opened(table: Table, event: BetsOpened) -> Table:
    window = Window(table.steps, event.deadline)
    opened = Round(Phase.BETTING, window, any_seen=table.next_card_seen)
    return table.changed(round=opened, round_number=event.round, last_was_void=False, next_card_seen=False)


def resume_betting(table: Table, deadline: int | None) -> Table:
    """Return the table with betting, if a hold interrupted it, open in a window of its own."""
    window = Window(table.steps, deadline) if table.phase is Phase.BETTING else table.round.betting_window
    return table.round_changed(betting_window=window)


@evolves(WagerPlaced)
def _wager_placed(table: Table, event: WagerPlaced) -> Table:
    # Without the methods that do the same: no event is as frequent.
    area: Area = (event.patron, event.position, event.wager)
    stakes, chips = {**table.round.stakes, area: Stake(event.total, table.steps)}, dict(table.chips)
    chips[event.patron] -= event.amount
    round_ = replace(table.round, stakes=stakes)
    if round_.requests and event.on_behalf_by:
        asked = Returned(*area, event.amount)
        round_ = replace(round_, requests=tuple(each for each in round_.requests if each != asked))
    return replace(table, round=round_, chips=chips)


@evolves(WagerTakenBack)
def _wager_taken_back(table: Table, event: WagerTakenBack) -> Table:
    return lower(table, event)


@evolves(BetsClosed)
def _bets_closed(table: Table, _: BetsClosed) -> Table:
    # After a reset of the device cards may be out already, and keep their places.
    return table.round_changed(phase=Phase.DEALING if table.round.drawn else Phase.CLOSED, reopened=False)
