"""What every command has: who gives it, when, and for which round or window."""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct

from punto.table.roles import Actor, Role


class Meant(Struct, kw_only=True, frozen=True):
    """When a command is given, and for which round, which window and how long it is meant, where that matters."""

    at: int | None = None
    """When it was given, in milliseconds, where there is a clock: deadlines are set and measured by it."""
    in_round: int | None = None
    """The round it is meant for; outside it the command is refused."""
    in_window: int | None = None
    """The window it is meant for, by its number; once that is over the command is refused."""
    expires: int | None = None
    """The last moment at which it may be carried out, by the table's clock; what arrives later is refused."""


class Command(Meant, frozen=True):
    """Base of all commands, with the person who gives it."""

    by: Actor


class PatronAct(Command, kw_only=True, frozen=True):
    """What a patron does at the table: given from the patron's device, or recorded by staff on the patron's behalf."""

    patron: str | None = None
    """The patron whose act staff record; None where the patron gives it."""


class OfPatron(Protocol):
    """A command that is a patron's act, by either mouth."""

    @property
    def by(self) -> Actor: ...
    @property
    def patron(self) -> str | None: ...


def patron_of(command: OfPatron) -> str | None:
    """Return whose act it is; None if a patron names another, or staff name no patron."""
    if command.by.role is not Role.PATRON:
        return command.patron
    return command.by.id if command.patron in (None, command.by.id) else None


def recorder_of(command: Command) -> str | None:
    """Return the member of staff who records a patron's act; None if the patron gives it."""
    return None if command.by.role is Role.PATRON else command.by.id


class Report(Command, kw_only=True, frozen=True):
    """A command about something that went wrong."""

    noticed_by: str = ""
    """Who noticed it, if not the person who gives the command."""
    note: str = ""
    """Anything else worth keeping, such as a reference to what surveillance recorded."""
    reason: str = ""
    """Why it is done, where a person has to answer for it."""
