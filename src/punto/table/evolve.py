"""``evolve``: the state after an event. It takes every event as a fact and never refuses one."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

from msgspec.structs import force_setattr

from punto.table.event import Event
from punto.table.registry import CHANGES, load_subjects
from punto.table.table import Table

load_subjects()

EVENTS: dict[str, type[Event]] = {kind.__name__: kind for kind in CHANGES}
"""Every kind of event there is, by name."""


def evolve(table: Table, event: Event) -> Table:
    """Return the state of the table after the event."""
    after = CHANGES[type(event)](table, event)
    assert after is not table
    force_setattr(after, "steps", table.steps + 1)  # it is new, and nothing else refers to it yet
    return after


def replay(table: Table, events: Iterable[Event]) -> Table:
    """Return the state of the table after all these events."""
    return reduce(evolve, events, table)
