"""What a patron allows himself to lose. No rule of a game asks for it; once he has set it, it holds him."""

from __future__ import annotations

from punto.table.commands import LimitLoss, PlaceWager
from punto.table.events import LossLimitEased, LossLimited
from punto.table.guards import Decision, by_patron, is_open, is_patron
from punto.table.refusal import Refusal, refuse
from punto.table.state import Table

EASED_AFTER = 24 * 3_600_000
"""Milliseconds: a lower limit counts at once, a higher one or none only so much later."""


def limit_loss(table: Table, command: LimitLoss) -> Decision:
    patron, limit = command.by.id, command.limit
    refusal = is_open(table) or by_patron(command, patron) or is_patron(table, patron)
    if refusal:
        return refusal
    if limit is not None and limit < 0:
        return refuse("bad-amount", amount=limit)
    own = table.own_limits.get(patron)
    now = own.in_force(command.at) if own else None
    if own is None or now is None:
        return refuse("no-own-limit") if limit is None else (LossLimited(patron, limit, table.has(patron)),)
    if limit is not None and limit <= now:
        return (LossLimited(patron, limit, own.brought),)
    return (LossLimitEased(patron, limit, (command.at or 0) + EASED_AFTER),)


def within_own_limit(table: Table, command: PlaceWager) -> Refusal | None:
    """If everything he has on the layout were lost, he would have lost no more than he allows himself."""
    own = table.own_limits.get(command.patron)
    limit = own.in_force(command.at) if own else None
    if own is None or limit is None:
        return None
    left = table.chips[command.patron] - table.owed.get(command.patron, 0) - command.amount
    return refuse("own-limit", amount=limit) if own.brought - left > limit else None
