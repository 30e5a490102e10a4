"""Whose a command is, asked of the decision itself, so that who may do what stands in one place only."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec.structs import replace

from punto.table.command import Command
from punto.table.decide import decide
from punto.table.refusal import Refusal
from punto.table.roles import Actor, Role
from punto.table.table import Table

NOT_YOURS = "not-yours"


@dataclass(frozen=True, slots=True)
class Whose:
    """The position a command belongs to, and the clause that says so where there is one."""

    role: Role
    clause: str | None


def whose(table: Table, command: Command) -> Whose:
    """The lowest position that may give this command at this table as it stands; whoever is above may too."""
    found = Whose(Role.DEALER, None)
    for _ in Role:  # several may be asked for in turn, as when a table is opened with a method that a manager chooses
        refused = refusal_of(table, command, Actor("any", found.role))
        if refused is None or refused.code != NOT_YOURS:
            break
        found = Whose(Role(str(refused.values["needed"])), refused.clause(table.book))
    return found


def refusal_of(table: Table, command: Command, by: Actor) -> Refusal | None:
    """Why the table would refuse this command to somebody; None if it would carry it out. Nothing happens."""
    decision = decide(table, replace(command, by=by))
    return decision if isinstance(decision, Refusal) else None
