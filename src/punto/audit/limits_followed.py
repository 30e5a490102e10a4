"""A patron's limits followed by their events: what tables hold of them, to be compared with the tables' records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from punto.store.events.limit_events import EVENTS, LIMITS, AllowanceReserved
from punto.table.event import Event

if TYPE_CHECKING:
    from punto.audit.table_recomputed import StreamFound

Held = tuple[int, int | None, int | None, int | None]
"""How often something was reserved, and what was last: to lose, to stake, until when."""


class LimitsFollowed:
    """What a patron's stream says of each table."""

    def __init__(self, found: StreamFound) -> None:
        self._found, self._patron = found, found.stream.removesuffix(LIMITS)

    def look_at(self, number: int, event: Event) -> None:
        if type(event).__name__ not in EVENTS:
            self._found.find(number, "not-of-limits")
        elif isinstance(event, AllowanceReserved):
            note_held(self._found.reserved, (event.table, self._patron), (event.loss, event.stake, event.until))


def note_held(
    held: dict[tuple[str, str], Held], place: tuple[str, str], last: tuple[int | None, int | None, int | None]
) -> None:
    """Note what a table holds of a patron's limits from now on."""
    times = held[place][0] if place in held else 0
    held[place] = times + 1, *last
