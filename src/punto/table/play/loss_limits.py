"""What patrons allow themselves to lose, here and over the house. No rule of a game asks for it; once set, it binds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from punto.table.command import PatronAct, patron_of, recorder_of
from punto.table.event import Event, Settled
from punto.table.guards import Decision, is_open, is_patron, records
from punto.table.money import Cents
from punto.table.refusal import Refusal, refuse
from punto.table.registry import decides, evolves
from punto.table.table import Allowance, OwnLimit, Table, with_entry


class LimitLoss(PatronAct, frozen=True):
    """Limit what the patron may lose at this table; None lifts the limit."""

    limit: Cents | None


class LossLimited(Event, frozen=True):
    """A patron has limited what they may lose at this table."""

    patron: str
    limit: Cents
    brought: Cents
    """What it is counted from: what the patron had here, plus what was brought since, less what was taken away."""
    recorded_by: str | None = None
    """The member of staff who recorded it on behalf of the patron; None if the patron gave it."""
    before: Cents | None = None
    """What was in force until then; None without a limit, and in older events."""


class LossLimitEased(Event, frozen=True):
    """A patron wants a higher limit, or none: from that time on it counts, and not before."""

    patron: str
    limit: Cents | None
    counts_from: int
    recorded_by: str | None = None
    """The member of staff who recorded it on behalf of the patron; None if the patron gave it."""
    before: Cents | None = None
    """What was in force until then; None without a limit, and in older events."""


class AllowanceSet(Event, frozen=True):
    """What a patron may lose and stake here by their limits over the house, counted from now on.

    Stored together with the reservation in the patron's own stream. It is the house that sets it, not the table.
    """

    patron: str
    loss: Cents | None = None
    stake: Cents | None = None
    until: int | None = None
    """When it has to be renewed; a wager after that is placed only with a new one."""


ALLOWANCE_OVER = "allowance-over"
"""The refusal of a wager for which the house may renew what the table holds of the patron's limits."""
NEVER = 0
"""Until when an allowance holds that has to be renewed before any wager."""
EASED_AFTER = 24 * 3_600_000
"""Milliseconds until a higher limit, or none, is in force; a lower one is at once."""


@decides(LimitLoss)
def limit_loss(table: Table, command: LimitLoss) -> Decision:
    patron, limit = patron_of(command), command.limit
    if patron is None:
        return is_open(table) or refuse("not-your-chips")
    refusal = is_open(table) or records(table, command) or is_patron(table, patron) or _can_be_a_limit(limit)
    if refusal:
        return refusal
    own, recorder = table.own_limits.get(patron), recorder_of(command)
    now = own.in_force(command.at) if own else None
    if own is None or now is None:
        return refuse("no-own-limit") if limit is None else (LossLimited(patron, limit, table.has(patron), recorder),)
    if limit is not None and limit <= now:
        return (LossLimited(patron, limit, own.brought, recorder, now),)
    return (LossLimitEased(patron, limit, (command.at or 0) + EASED_AFTER, recorder, now),)


def _can_be_a_limit(limit: int | None) -> Refusal | None:
    return refuse("bad-amount", amount=limit) if limit is not None and limit < 0 else None


def within_own_limit(table: Table, patron: str, amount: int, at: int | None) -> Refusal | None:
    """Refuse if the patron, losing all that lies on the layout, would have lost more than their own limit."""
    own = table.own_limits.get(patron)
    limit = own.in_force(at) if own else None
    if own is None or limit is None:
        return None
    left = table.chips[patron] - table.owed.get(patron, 0) - amount
    return refuse("own-limit", amount=limit) if own.brought - left > limit else None


def within_allowance(table: Table, patron: str, amount: int, at: int | None) -> Refusal | None:
    """Refuse if a wager would exceed what is left here of the patron's limits over the house; it may be renewed."""
    allowance = table.allowances.get(patron)
    if allowance is None:
        return None
    over = allowance.until is not None and (at is None or at >= allowance.until)
    if allowance.loss is not None:
        left = table.chips[patron] - table.owed.get(patron, 0) - amount
        over = over or allowance.brought - left > allowance.loss
    if allowance.stake is not None:
        over = over or allowance.staked + table.round.staked_by(patron) + amount > allowance.stake
    return refuse("allowance-over", patron=patron) if over else None


def not_stopped_in(table: Table, patron: str, number: int) -> Refusal | None:
    """Refuse a wager that is found in a round which began after the patron's wagers were stopped; it may be renewed."""
    allowance = table.allowances.get(patron)
    stopped_in = allowance.stopped_in if allowance else None
    return refuse("allowance-over", patron=patron) if stopped_in is not None and number > stopped_in else None


@evolves(AllowanceSet)
def _allowance_set(table: Table, event: AllowanceSet) -> Table:
    stopped_in = None
    if event.until == NEVER:
        before = table.allowances.get(event.patron)
        known = before.stopped_in if before else None
        stopped_in = table.round_number if known is None else known
    allowance = Allowance(event.loss, event.stake, event.until, table.has(event.patron), stopped_in=stopped_in)
    return table.changed(allowances=with_entry(table.allowances, event.patron, allowance))


def staked(table: Table, wagers: Iterable[Settled]) -> Mapping[str, Allowance]:
    """Return the allowances after wagers were settled."""
    allowances = table.allowances
    for each in wagers if allowances else ():
        allowances = with_staked(allowances, each.patron, each.stake)
    return allowances


def with_staked(allowances: Mapping[str, Allowance], patron: str, amount: int) -> Mapping[str, Allowance]:
    """Return the allowances after a patron's stake was settled."""
    if patron not in allowances:
        return allowances
    allowance = allowances[patron]
    return with_entry(allowances, patron, replace(allowance, staked=allowance.staked + amount))


def at_closing(table: Table) -> Mapping[str, Allowance]:
    """Return the allowances of a table that closes: chips are taken away, and not lost."""
    return {
        patron: replace(each, brought=each.brought - table.has(patron) - table.owed.get(patron, 0))
        for patron, each in table.allowances.items()
    }


@evolves(LossLimited)
def _loss_limited(table: Table, event: LossLimited) -> Table:
    return table.changed(own_limits=with_entry(table.own_limits, event.patron, OwnLimit(event.limit, event.brought)))


@evolves(LossLimitEased)
def _loss_limit_eased(table: Table, event: LossLimitEased) -> Table:
    eased = replace(table.own_limits[event.patron], eased_to=event.limit, eased_from=event.counts_from)
    return table.changed(own_limits=with_entry(table.own_limits, event.patron, eased))
