"""Windows: a command meant for one round, window or time is refused in another, and the Dealer's call ends one.

A deadline reminds of the call and replaces it only where an automaton is the Dealer (reading R40). One is set for
wagers, for answers, and for cards that a patron was passed (reading R85).
"""

from __future__ import annotations

from typing import ClassVar

from punto.rules.table_of_play import Hand
from punto.table.command import Command
from punto.table.event import Event, Opens
from punto.table.guards import Decision, by, in_phase, is_open, not_held, time_is_up
from punto.table.guidance.next_step import next_face_down
from punto.table.irregularities.withdrawal import EndWithdrawal, WithdrawalHold, end_withdrawal
from punto.table.play.card_handling import handler_gone, permission_over
from punto.table.play.dealing import ExposeCard, in_turn
from punto.table.play.wagers import CloseBets, close_bets
from punto.table.refusal import Refusal, refuse
from punto.table.registry import decides, evolves
from punto.table.roles import Role
from punto.table.round import Phase, SqueezeTime, Window
from punto.table.table import Table
from punto.table.visibility import Public


class WindowElapsed(Command, frozen=True):
    """The Dealer's call at the deadline of a window: no more bets, no more answers, or that the Dealer turns cards."""


class TimeSqueeze(Command, frozen=True):
    """Set a time for the patron who has the cards of a hand; when it is over the Dealer turns them."""

    hand: Hand


class SqueezeTimed(Event, frozen=True):
    """A patron has until then for the cards of a hand."""

    in_packets = True
    opens: ClassVar[Opens | None] = Opens.SQUEEZE
    hand: Public[Hand]
    patron: Public[str]
    deadline: Public[int | None] = None


class SqueezeEnded(Event, frozen=True):
    """The time a patron had for the cards of a hand is over: the Dealer turns those that are face down."""

    in_packets = True
    hand: Public[Hand]
    patron: Public[str]


def meant_for_now(table: Table, command: Command) -> Refusal | None:
    """Refuse a command that names another round or window than the one at the table, or that has come too late."""
    if command.in_round is not None and command.in_round != table.round_number:
        return refuse("another-round", meant=command.in_round, round=table.round_number)
    if command.in_window is not None and (table.window is None or command.in_window != table.window.number):
        return refuse("window-over")
    if command.expires is not None and command.at is not None and command.at > command.expires:
        return refuse("expired")
    return None


@decides(WindowElapsed)
def window_elapsed(table: Table, command: WindowElapsed) -> Decision:
    """Make the call that ends the window; refuse it before the deadline, where the Dealer calls without a clock."""
    if table.window is None:
        return is_open(table) or refuse("window-over")
    if not time_is_up(table, command):
        return refuse("deadline-not-passed")
    if isinstance(table.hold, WithdrawalHold):
        return end_withdrawal(table, EndWithdrawal(command.by, at=command.at))
    if squeezing := table.round.squeezing:
        return by(table, command, Role.DEALER) or (SqueezeEnded(squeezing.hand, squeezing.patron),)
    return close_bets(table, CloseBets(command.by, at=command.at))


@decides(TimeSqueeze)
def time_squeeze(table: Table, command: TimeSqueeze) -> Decision:
    hand, down = command.hand, next_face_down(table, command.hand)
    patron = None if down is None else table.round.handler_of(hand, down)
    turning = ExposeCard(command.by, hand, down or 0)
    refusal = (
        in_phase(table, Phase.DEALING)
        or not_held(table)
        or by(table, command, Role.DEALER)
        or (None if patron else refuse("no-such-card", case="with-nobody"))
        or in_turn(table, turning)
        or (refuse("already-said", case="squeeze-time", patron=patron) if table.round.squeezing else None)
    )
    return refusal or (SqueezeTimed(hand, patron or ""),)


@evolves(SqueezeTimed)
def _squeeze_timed(table: Table, event: SqueezeTimed) -> Table:
    window = Window(table.steps, event.deadline)
    time = SqueezeTime(event.hand, event.patron, len(table.round.hands[event.hand]), window)
    return table.round_changed(squeeze_time=time)


@evolves(SqueezeEnded)
def _squeeze_ended(table: Table, event: SqueezeEnded) -> Table:
    over = table.round.squeeze_over | {event.hand}
    return permission_over(handler_gone(table, event).round_changed(squeeze_over=over), event.hand)
