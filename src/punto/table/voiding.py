"""Void rounds: what the rules void a round for, who confirms it, and every wager handed back."""

from __future__ import annotations

from punto.table.commands import ConfirmVoid, ReportVoid
from punto.table.events import Event, RoundVoided, ShoeEnded, VoidAsked
from punto.table.guards import Decision, by, has_rule, in_phase, is_open, real_cards
from punto.table.irregularities.correction import void_settled_round
from punto.table.refusals import Refusal, refuse
from punto.table.roles import Role
from punto.table.state import Phase, Table, VoidHold

IN_ROUND = (Phase.BETTING, Phase.CLOSED, Phase.DEALING, Phase.OUTCOME)

REPORTED = ("wrong-cards", "foreign-cards", "order-altered", "insufficient-cards")
"""What staff may report to have the round voided outright."""

_SHOE_ENDS = ("insufficient-cards", "device-moved-altered")
"""What also ends the shoe: it is empty, or the rule has its cards replaced."""

_REAL_CARDS_ONLY = ("wrong-cards", "foreign-cards", "order-altered")
"""What can only happen to real cards: on a sealed shoe a false report would void a lost round."""


def report_void(table: Table, command: ReportVoid) -> Decision:
    provision = command.provision
    refusal = (
        is_open(table)
        or (None if provision in REPORTED else refuse("not-held"))
        or has_rule(table, provision)
        or in_phase(table, *IN_ROUND)
        or by(table, command, Role.DEALER, provision=provision)
        or (refuse("held", table.hold.provision) if isinstance(table.hold, VoidHold) else None)
        or _can_happen(table, provision)
    )
    return refusal or (ask_void(table, provision, "reported"),)


def _can_happen(table: Table, provision: str) -> Refusal | None:
    if provision in _REAL_CARDS_ONLY:
        return real_cards(table, provision)
    if provision == "insufficient-cards" and table.shoe and len(table.shoe.unexposed) >= 6:
        return refuse("enough-cards", provision)
    return None


def ask_void(table: Table, provision: str, why: str) -> VoidAsked:
    """Hold the round until the person the house has chosen confirms that it is void."""
    return VoidAsked(provision, table.book.cited(provision), why)


def confirm_void(table: Table, command: ConfirmVoid) -> Decision:
    hold = table.hold
    if not isinstance(hold, VoidHold):
        return is_open(table) or refuse("not-held")
    if refusal := by(table, command, table.set_up.confirms, provision=hold.provision):
        return refusal
    if table.phase is Phase.IDLE:
        return (void_settled_round(table, hold.provision, hold.clause),)
    return void(table, hold.provision, hold.clause, table.set_up.confirms)


def void(table: Table, provision: str, clause: str | None, confirmed_by: Role) -> tuple[Event, ...]:
    """The round is void: every wager handed back, and the shoe ended where its cards must be replaced."""
    voided = RoundVoided(table.round, provision, clause, confirmed_by, table.layout)
    if table.shoe and (reason := _why_shoe_ends(table, provision)):
        return (voided, ShoeEnded(table.shoe.name, reason))
    return (voided,)


def _why_shoe_ends(table: Table, provision: str) -> str | None:
    """Cards that have to be changed, a rule that has them replaced, or the cutting card (reading R17)."""
    if table.change_cards:
        return "cards-taken-changed"
    if provision in _SHOE_ENDS:
        return provision
    return "cutting-card" if table.shoe and table.shoe.cutting_card_shown else None
