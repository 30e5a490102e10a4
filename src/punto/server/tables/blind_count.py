"""Blind counts: while the chips of a table are counted, those who could count them read no figures of it.

What the tray should hold can be told from the opening float and what moved since. So until the count is entered, nobody
but an auditor, who holds no position at a table, is shown the log, the money or the slips of that table.
"""

from __future__ import annotations

from collections.abc import Collection

from punto.server.access.identity import Duty, Person
from punto.server.refused import Refused
from punto.server.tables.floor import Floor


def hidden_tables(floor: Floor, person: Person | None) -> Collection[str]:
    """Return the tables whose figures a person may not read now."""
    if person is not None and person.duty is Duty.AUDITOR:
        return ()
    return {name for name, served in floor.tables.items() if served.table.counting}


def check_shown(floor: Floor, person: Person, table: str) -> None:
    """Raise ``Refused`` if the figures of a table are hidden from a person."""
    if table in hidden_tables(floor, person):
        raise Refused("count-under-way")
