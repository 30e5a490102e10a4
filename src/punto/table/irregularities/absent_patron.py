"""A patron who is not there to expose the cards of a hand."""

from __future__ import annotations

from punto.rules.table_of_play import Hand
from punto.table.command import Report
from punto.table.event import Irregularity
from punto.table.guards import Decision, by, has_rule, in_phase, is_open
from punto.table.play.card_handling import handler_gone, permission_over
from punto.table.refusal import refuse
from punto.table.registry import decides, evolves
from punto.table.roles import Role
from punto.table.round import Phase
from punto.table.table import Table
from punto.table.visibility import Public


class ReportAbsent(Report, frozen=True):
    """The patron who has the cards of a hand is not there to expose them or to take the next one."""

    hand: Hand


class HandlerAbsent(Irregularity, frozen=True):
    """The patron with a hand was not there, and the Dealer exposes it."""

    hand: Public[Hand]
    patron: Public[str]
    clause: Public[str | None]


@decides(ReportAbsent)
def report_absent(table: Table, command: ReportAbsent) -> Decision:
    provision = "handler-absent"
    absent = table.round.holder(command.hand)
    refusal = (
        is_open(table)
        or has_rule(table, provision)
        or in_phase(table, Phase.DEALING)
        or by(table, command, Role.DEALER, provision=provision)
        or (None if absent else refuse("no-such-card", provision, case="with-nobody"))
    )
    return refusal or (HandlerAbsent(command.hand, absent or "", table.book.clause_of(provision)),)


@evolves(HandlerAbsent)
def _handler_absent(table: Table, event: HandlerAbsent) -> Table:
    gone = handler_gone(table, event).round_changed(handler_absent=table.round.handler_absent | {event.hand})
    return permission_over(gone, event.hand)
