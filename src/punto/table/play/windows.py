"""Windows: a command meant for one round or window is refused in another, and the Dealer's call ends one.

A deadline reminds of the call and replaces it only where an automaton is the Dealer (reading R40).
"""

from __future__ import annotations

from punto.table.command import Command
from punto.table.guards import Decision, is_open, time_is_up
from punto.table.irregularities.withdrawal import EndWithdrawal, WithdrawalHold, end_withdrawal
from punto.table.play.wagers import CloseBets, close_bets
from punto.table.refusal import Refusal, refuse
from punto.table.registry import decides
from punto.table.table import Table


class WindowElapsed(Command, frozen=True):
    """The Dealer's call at the deadline of a window: no more bets, or no more answers."""


def meant_for_now(table: Table, command: Command) -> Refusal | None:
    """Refuse a command that names another round or window than the one at the table."""
    if command.in_round is not None and command.in_round != table.round_number:
        return refuse("another-round", meant=command.in_round, round=table.round_number)
    if command.in_window is not None and (table.window is None or command.in_window != table.window.number):
        return refuse("window-over")
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
    return close_bets(table, CloseBets(command.by, at=command.at))
