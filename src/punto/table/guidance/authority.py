"""Find the lowest role allowed to give a command, by asking the decision itself."""

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
    """Return the lowest position that may give this command at this table now; those above it may too."""
    found = Whose(Role.DEALER, None)
    for _ in Role:  # several may be asked for in turn, as when a table is opened with a method that a manager chooses
        refused = refusal_of(table, command, Actor("any", found.role))
        if refused is None or refused.code != NOT_YOURS:
            break
        found = Whose(Role(str(refused.values["needed"])), refused.clause(table.book))
    return found


def refusal_of(table: Table, command: Command, by: Actor) -> Refusal | None:
    """Return why the table would refuse this command to a person; None if it would carry it out. Nothing happens."""
    decision = decide(table, replace(command, by=by))
    return decision if isinstance(decision, Refusal) else None
