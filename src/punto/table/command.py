"""What every command has: who gives it, when, and for which round or window."""

from __future__ import annotations

from msgspec import Struct

from punto.table.roles import Actor


class Meant(Struct, kw_only=True, frozen=True):
    """When a command is given, and for which round and which window it is meant, where that matters."""

    at: int | None = None
    """When it was given, in milliseconds, where there is a clock: deadlines are set and measured by it."""
    in_round: int | None = None
    """The round it is meant for; outside it the command is refused."""
    in_window: int | None = None
    """The window it is meant for, by its number; once that is over the command is refused."""


class Command(Meant, frozen=True):
    """Base of all commands, with the person who gives it."""

    by: Actor


class Report(Command, kw_only=True, frozen=True):
    """A command about something that went wrong."""

    noticed_by: str = ""
    """Who noticed it, if not the person who gives the command."""
    note: str = ""
    """Anything else worth keeping, such as a reference to what surveillance recorded."""
    reason: str = ""
    """Why it is done, where a person has to answer for it."""
