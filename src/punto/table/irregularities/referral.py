"""A power failure, and whatever no other rule covers."""

from __future__ import annotations

from punto.rules.standings import Standing
from punto.table.commands import DecideReferral, Refer, ReportPowerFailure
from punto.table.guards import Decision, by, in_phase, is_open, not_held, procedure
from punto.table.irregular import PowerFailed, ReferralDecided, Referred
from punto.table.irregularities.correction import covered, void_settled_round
from punto.table.irregularities.void import IN_ROUND, void
from punto.table.irregularities.withdrawal import offer, standings
from punto.table.refusal import refuse
from punto.table.roles import Role
from punto.table.state import Phase, ReferralHold, Table

_DECIDED = (Standing.WON, Standing.LOST)
_AFTER_CLOSING = (Phase.CLOSED, Phase.DEALING, Phase.OUTCOME)


def report_power_failure(table: Table, command: ReportPowerFailure) -> Decision:
    """With any wager of the game decided, placed or not, play goes on; with none, patrons may take back all or none.

    The rules name nobody, and wagers may go: so it takes whoever confirms for the house.
    """
    refusal = procedure(table, command, "power-failure", None, *_AFTER_CLOSING)
    if refusal:
        return refusal
    established = tuple(name for name, standing in standings(table).items() if standing in _DECIDED)
    if established:
        return (PowerFailed(established, table.book.clause_of("power-failure-decided")),)
    failed = PowerFailed((), table.book.clause_of("power-failure"))
    return (failed, *offer(table, "power-failure-open", whole=True))


def refer(table: Table, command: Refer) -> Decision:
    """Staff refer what no rule covers; in a game without that rule the house decides, citing none."""
    settled = table.phase is Phase.IDLE and table.round in table.history
    refusal = (
        (None if settled else in_phase(table, *IN_ROUND))
        or not_held(table)
        or by(table, command, Role.DEALER)
        or (None if command.matter.strip() else refuse("no-matter"))
    )
    return refusal or (Referred(command.matter, table.book.clause_of("referral")),)


def decide_referral(table: Table, command: DecideReferral) -> Decision:
    if not isinstance(table.hold, ReferralHold):
        return is_open(table) or refuse("not-held")
    ruled = table.book.clause_of("referral")
    needed = Role.GAMING_SHIFT_MANAGER if ruled else table.set_up.confirms
    if refusal := by(table, command, needed, provision="referral" if ruled else None):
        return refusal
    decided = ReferralDecided("void" if command.void else "continue", ruled, needed)
    if not command.void:
        return (decided,)
    if table.phase is not Phase.IDLE:
        return (decided, *void(table, "referral", ruled, needed))
    voided = void_settled_round(table, "referral", ruled)
    return covered(table, voided) or (decided, voided)
