"""Blind counts: while the chips of a table are counted, those who could count them read no figures of it.

What the tray should hold can be told from the opening float and what moved since. So until the count is entered, nobody
but an auditor, who holds no position at a table, is shown the log, the money or the slips of that table, and what the
house and the cage recorded about it.
"""

from __future__ import annotations

from collections.abc import Collection

from punto.server.access.identity import Duty, Person
from punto.server.refused import Refused
from punto.server.tables.floor import Floor
from punto.server.tables.served_table import ServedTable
from punto.table.event import Event

_NAME_TABLES = ("table", "paid_at")
"""The fields in which events of the house and the cage name a table."""


async def hidden_tables(floor: Floor, person: Person | None) -> Collection[str]:
    """Return the tables whose figures a person may not read now; of one that is still opening it is not known."""
    await floor.others.refresh_all()
    opening = set() if _sees_all(person) else floor.opener.opening
    return opening | {name for name, served in floor.tables.items() if is_hidden(served, person)}


def is_hidden(served: ServedTable, person: Person | None) -> bool:
    """Whether a person may not read the figures of a table, as it was last taken in."""
    return bool(served.table.counting) and not _sees_all(person)


def _sees_all(person: Person | None) -> bool:
    return person is not None and person.duty is Duty.AUDITOR


async def check_shown(floor: Floor, person: Person, table: str) -> None:
    """Raise ``Refused`` if the figures of a table are hidden from a person."""
    served = floor.tables.get(table)
    if served is None:
        if table in floor.opener.opening and not _sees_all(person):
            raise Refused("table-opening", table=table)
        return
    await floor.others.refresh(served)
    if is_hidden(served, person):
        raise Refused("count-under-way")


def is_about(event: Event, tables: Collection[str]) -> bool:
    """Tell whether an event of the house or the cage is about one of these tables."""
    return any(getattr(event, field, None) in tables for field in _NAME_TABLES)
