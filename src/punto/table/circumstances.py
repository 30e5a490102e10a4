"""What events are completed with: the deadline of a window they open, the circumstances of an irregularity."""

from __future__ import annotations

from msgspec.structs import replace

from punto.table.command import Command, Report
from punto.table.event import Circumstances, Event, Irregularity, Opens
from punto.table.evolve import EVENTS, evolve
from punto.table.guards import acting_in
from punto.table.round import Phase
from punto.table.table import Table

_COMPLETED = frozenset(kind for kind in EVENTS.values() if issubclass(kind, Irregularity) or kind.opens is not None)
"""The kinds of events that are completed; most commands bring about none of them."""


def complete(table: Table, command: Command, events: tuple[Event, ...], second_person: str = "") -> tuple[Event, ...]:
    """Return the events of a command with their deadlines and circumstances filled in."""
    if _COMPLETED.isdisjoint(map(type, events)):
        return events
    completed = []
    for event in events:
        timed = _with_deadline(table, command, event)
        after = evolve(table, timed)
        completed.append(_with_circumstances(table, after, command, timed, second_person))
        table = after
    return tuple(completed)


def _with_deadline(table: Table, command: Command, event: Event) -> Event:
    """Return the event with the deadline of the window it opens, if the house has set a time for it."""
    opened, setting = _window_opened(table, event), table.set_up
    if opened is None or command.at is None:
        return event
    seconds = {
        Opens.ANSWERS: setting.answer_seconds,
        Opens.BETTING: setting.betting_seconds,
        Opens.SQUEEZE: setting.squeeze_seconds,
    }[opened]
    return event if seconds is None else replace(event, deadline=command.at + 1000 * seconds)


def _window_opened(table: Table, event: Event) -> Opens | None:
    if event.opens is not Opens.AGAIN:
        return event.opens
    if table.holds[:-1] and table.holds[-2].open_window:
        return Opens.ANSWERS
    return Opens.BETTING if table.phase is Phase.BETTING else None


def _with_circumstances(before: Table, after: Table, command: Command, event: Event, second_person: str) -> Event:
    if not isinstance(event, Irregularity):
        return event
    report = command if isinstance(command, Report) else None
    ended = before.hold if len(after.holds) < len(before.holds) else None
    began = ended.wagers_before if ended else None
    circumstances = Circumstances(
        round=before.round_number,
        shoe=before.shoe.name if before.shoe else None,
        card=before.next_index if before.shoe else None,
        noticed_by=(report.noticed_by if report else "") or command.by.id,
        authorised_by=command.by.id,
        position=command.by.role,
        acting_in=acting_in(before, command),
        wagers_before=before.round.layout if began is None else began,
        wagers_after=after.round.layout,
        note=report.note if report else "",
        reason=report.reason if report else "",
        second_person=second_person,
        held_for=tuple(hold.provision for hold in after.holds),
    )
    return replace(event, circumstances=circumstances)
