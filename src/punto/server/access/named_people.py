"""People whom a command names: a table knows people by their ids alone, so the house checks that they exist.

Chips, wagers and debts are looked up at the table, which knows whose they are, and the cage knows its patrons. What is
left are the commands by which an id comes to a table that has not been there before, and an act whose proposer may
have been deactivated while it waited for a second person.
"""

from __future__ import annotations

from typing import NamedTuple

from punto.server.access.identity import Duty, People
from punto.server.access.permissions import STAFF
from punto.table.command import Command
from punto.table.play.appointments import AppointActing
from punto.table.play.card_handling import PermitSqueeze
from punto.table.play.duty import SignOn
from punto.table.play.requests import NameSqueezer
from punto.table.play.second_person import ConfirmAct, act_meant
from punto.table.refusal import Refusal, refuse
from punto.table.table import Table

EVERY_DUTY = frozenset(Duty)
_NAMED: dict[type[Command], tuple[str, frozenset[Duty]]] = {
    AppointActing: ("person", EVERY_DUTY - {Duty.DEVICE}),
    SignOn: ("dealer", STAFF),
    NameSqueezer: ("person", frozenset({Duty.PATRON})),
    PermitSqueeze: ("patron", frozenset({Duty.PATRON})),
}
"""The field that names a person, and the duties that person may have."""


class NamedPerson(NamedTuple):
    """A person whom a command is about: their id, the duties they may have, and how it is refused otherwise."""

    person: str
    duties: frozenset[Duty]
    otherwise: Refusal
    is_new: bool
    """Whether the table takes the id from the command; a proposer has acted there, signed in."""


def may_name(command: Command) -> bool:
    """Whether commands of this kind can be about a person whom the house has to know."""
    return type(command) in _NAMED or isinstance(command, ConfirmAct)


def named_in(command: Command, table: Table) -> NamedPerson | None:
    """Return whom the house has to know for a command, unless it is the person who gives it."""
    if isinstance(command, ConfirmAct):
        return _proposer(command, table)
    about = _NAMED.get(type(command))
    named: str | None = getattr(command, about[0]) if about else None
    if about is None or not named or named == command.by.id:
        return None
    return NamedPerson(named, about[1], refuse("cannot-be", case="no-such-person"), is_new=True)


def _proposer(command: ConfirmAct, table: Table) -> NamedPerson | None:
    act = act_meant(table, command)
    if act is None:
        return None
    duties = frozenset(duty for duty in Duty if duty.role is act.position)
    return NamedPerson(act.proposed_by, duties, refuse("no-such-act", case="lapsed"), is_new=False)


async def check_named(people: People, named: NamedPerson) -> Refusal | None:
    """Return a refusal unless there is such a person, who is active and of a duty that the command can be about."""
    known = await people.find(named.person)
    if known is None:
        return named.otherwise if named.is_new else None
    return None if known.active and known.duty in named.duties else named.otherwise
