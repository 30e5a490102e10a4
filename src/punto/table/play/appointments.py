"""People appointed to act in a position."""

from __future__ import annotations

from punto.table.command import Command
from punto.table.event import Event
from punto.table.guards import MOST, Decision, by, is_open
from punto.table.refusal import refuse
from punto.table.registry import decides, evolves
from punto.table.roles import Role
from punto.table.table import Table, with_entry, without_entry
from punto.table.visibility import Public


class AppointActing(Command, frozen=True):
    """Have a person act in a position: until further notice, or until a time."""

    person: str
    role: Role
    until: int | None = None


class EndActing(Command, frozen=True):
    """Have a person act in a position no longer."""

    person: str
    role: Role


class ActingAppointed(Event, frozen=True):
    """A person acts in a position from now on: until further notice, or until a time."""

    person: str
    role: Public[Role]
    appointed_by: str
    since: Public[int | None]
    until: Public[int | None]


class ActingEnded(Event, frozen=True):
    """A person no longer acts in a position."""

    person: str
    role: Public[Role]


@decides(AppointActing)
def appoint_acting(table: Table, command: AppointActing) -> Decision:
    """Let a person who could do the work appoint another to act in the position."""
    timed, now = command.until is not None, command.at
    refusal = (
        is_open(table)
        or by(table, command, command.role, provision="acting-up")
        or (refuse("not-staff") if command.person in table.chips or command.role is Role.PATRON else None)
        or (refuse("no-clock") if timed and now is None else None)
        or (refuse("already-over") if now is not None and (command.until or MOST) <= now else None)
    )
    return refusal or (ActingAppointed(command.person, command.role, command.by.id, now, command.until),)


@decides(EndActing)
def end_acting(table: Table, command: EndActing) -> Decision:
    acting = (command.person, command.role) in table.acting
    refusal = (
        is_open(table)
        or by(table, command, command.role, provision="acting-up")
        or (None if acting else refuse("not-acting", person=command.person, role=command.role.value))
    )
    return refusal or (ActingEnded(command.person, command.role),)


@evolves(ActingAppointed)
def _acting_appointed(table: Table, event: ActingAppointed) -> Table:
    return table.changed(acting=with_entry(table.acting, (event.person, event.role), event.until))


@evolves(ActingEnded)
def _acting_ended(table: Table, event: ActingEnded) -> Table:
    return table.changed(acting=without_entry(table.acting, (event.person, event.role)))
