"""People whom a command names: a table knows people by their ids alone, so the house checks that they exist.

Chips, wagers and debts are looked up at the table, which knows whose they are, and the cage knows its patrons. What is
left are the commands by which an id comes to a table that has not been there before.
"""

from __future__ import annotations

from punto.server.access.identity import Duty, People
from punto.server.access.permissions import STAFF
from punto.table.command import Command
from punto.table.play.appointments import AppointActing
from punto.table.play.card_handling import PermitSqueeze
from punto.table.play.duty import SignOn
from punto.table.play.requests import NameSqueezer
from punto.table.refusal import Refusal, refuse

EVERY_DUTY = frozenset(Duty)
_NAMED: dict[type[Command], tuple[str, frozenset[Duty]]] = {
    AppointActing: ("person", EVERY_DUTY - {Duty.DEVICE}),
    SignOn: ("dealer", STAFF),
    NameSqueezer: ("person", frozenset({Duty.PATRON})),
    PermitSqueeze: ("patron", frozenset({Duty.PATRON})),
}
"""The field that names a person, and the duties that person may have."""


def named_in(command: Command) -> str | None:
    """Return the id that a command brings to the table, unless it is of the person who gives it."""
    about = _NAMED.get(type(command))
    named: str | None = getattr(command, about[0]) if about else None
    return named if named and named != command.by.id else None


async def check_named(people: People, command: Command, named: str) -> Refusal | None:
    """Return a refusal unless there is such a person, who is active and of a duty that the command can be about."""
    known = await people.find(named)
    _, duties = _NAMED[type(command)]
    if known is None or not known.active or known.duty not in duties:
        return refuse("cannot-be", case="no-such-person")
    return None
