"""A Dealer's error that requires an electronic dealing device to be reset after bets were closed."""

from __future__ import annotations

from punto.table.commands import DecideReset, ReportReset
from punto.table.guards import Decision, by, is_open, procedure
from punto.table.irregular import DeviceReset, ReferralDecided
from punto.table.irregularities.void import void
from punto.table.irregularities.withdrawal import offer
from punto.table.refusal import refuse
from punto.table.roles import Role
from punto.table.settings import Device
from punto.table.state import Phase, ResetHold, Table

_ELECTRONIC = (Device.ELECTRONIC, Device.CARD_READING)


def report_reset(table: Table, command: ReportReset) -> Decision:
    """With no card seen withdrawal is offered at once; otherwise the Gaming Shift Manager decides first (R12)."""
    provision = "device-reset"
    refusal = procedure(table, command, provision, Role.DEALER, Phase.CLOSED, Phase.DEALING) or (
        None if table.set_up.device in _ELECTRONIC else refuse("not-electronic", provision)
    )
    if refusal:
        return refusal
    reset = DeviceReset(table.any_seen, table.book.clause_of(provision))
    return (reset,) if table.any_seen else (reset, *offer(table, provision, whole=False))


def decide_reset(table: Table, command: DecideReset) -> Decision:
    if not isinstance(table.hold, ResetHold):
        return is_open(table) or refuse("not-held")
    needed = Role.GAMING_SHIFT_MANAGER
    if refusal := by(table, command, needed, provision="device-reset"):
        return refusal
    clause = table.book.clause_of("device-reset")
    decided = ReferralDecided("exposed cards are void" if command.void else "exposed cards stand", clause, needed)
    if command.void:
        return (decided, *void(table, "device-reset", clause, needed))
    return (decided, *offer(table, "device-reset", whole=False))
