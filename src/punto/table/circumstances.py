"""What every event that needs it is told: the deadline of the window it opens, the circumstances of an irregularity."""

from __future__ import annotations

from functools import cache

from msgspec.structs import replace

from punto.table.commands import Command, Report
from punto.table.events import BetsOpened, Circumstances, Event, Irregularity
from punto.table.evolve import evolve
from punto.table.guards import acting_in
from punto.table.irregular import BetsReopened, ReferralDecided, VoidDismissed, WithdrawalOffered
from punto.table.state import Phase, Table, VoidHold, WithdrawalHold


def stamped(table: Table, command: Command, events: tuple[Event, ...]) -> tuple[Event, ...]:
    """The same events, complete."""
    if not any(map(_needs_stamp, map(type, events))):
        return events
    complete = []
    for event in events:
        timed = _with_deadline(table, command, event)
        after = evolve(table, timed)
        complete.append(_with_circumstances(table, after, command, timed))
        table = after
    return tuple(complete)


@cache
def _needs_stamp(kind: type[Event]) -> bool:
    return issubclass(kind, Irregularity | BetsOpened)


def _with_deadline(table: Table, command: Command, event: Event) -> Event:
    """Where somebody keeps a clock, and the house has set a time."""
    if not isinstance(event, BetsOpened | BetsReopened | WithdrawalOffered | VoidDismissed | ReferralDecided):
        return event
    offered = isinstance(event, WithdrawalOffered) or (
        isinstance(table.hold, VoidHold) and isinstance(table.hold.under, WithdrawalHold)
    )
    seconds = table.set_up.answer_seconds if offered else table.set_up.betting_seconds
    again = isinstance(event, VoidDismissed | ReferralDecided) and not offered and table.phase is not Phase.BETTING
    if seconds is None or command.at is None or again:
        return event
    return replace(event, deadline=command.at + 1000 * seconds)


def _with_circumstances(before: Table, after: Table, command: Command, event: Event) -> Event:
    if not isinstance(event, Irregularity):
        return event
    told = command if isinstance(command, Report) else None
    circumstances = Circumstances(
        round=before.round,
        shoe=before.shoe.name if before.shoe else None,
        card=before.next_index if before.shoe else None,
        noticed_by=(told.noticed_by if told else "") or command.by.id,
        authorised_by=command.by.id,
        position=command.by.role,
        acting_in=acting_in(before, command),
        wagers_before=before.layout,
        wagers_after=after.layout,
        note=told.note if told else "",
    )
    return replace(event, circumstances=circumstances)
