"""Who does what at a table: the staff positions, which of them may act for which, and people acting in one."""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum

from msgspec import Struct


class Role(StrEnum):
    """A patron, or one of the staff positions the rules name."""

    PATRON = "patron"
    DEALER = "Dealer"
    PIT_SUPERVISOR = "Pit Supervisor"
    PIT_MANAGER = "Pit Manager"
    ASSISTANT_CASINO_MANAGER = "Assistant Casino Manager"
    GAMING_SHIFT_MANAGER = "Gaming Shift Manager"


STAFF = frozenset(Role) - {Role.PATRON}

_MANAGERS = frozenset({Role.ASSISTANT_CASINO_MANAGER, Role.GAMING_SHIFT_MANAGER})

# Reading R5: each may do what those before it may; the last two stand side by side above the Pit Manager.
_PERFORMED_BY: dict[Role, frozenset[Role]] = {
    Role.PATRON: frozenset({Role.PATRON}),
    Role.DEALER: STAFF,
    Role.PIT_SUPERVISOR: STAFF - {Role.DEALER},
    Role.PIT_MANAGER: _MANAGERS | {Role.PIT_MANAGER},
    Role.ASSISTANT_CASINO_MANAGER: frozenset({Role.ASSISTANT_CASINO_MANAGER}),
    Role.GAMING_SHIFT_MANAGER: frozenset({Role.GAMING_SHIFT_MANAGER}),
}


class Actor(Struct, frozen=True):
    """The person who gives a command: an opaque id, and the position they hold."""

    id: str
    role: Role


AUTOMATON = Actor("automaton", Role.DEALER)
"""The actor of the commands of automatic steps."""
CAGE = Actor("cage", Role.DEALER)
"""The cage, where it acts at a table: for patrons who move money of their accounts, and for debts paid elsewhere."""


def performs(needed: Role, held: Collection[Role], managers_interchangeable: bool = False) -> bool:
    """Return whether a person who holds or acts in these positions may do what the rules assign to one."""
    able = _PERFORMED_BY[needed]
    if needed in _MANAGERS and managers_interchangeable:
        able = _MANAGERS
    return not able.isdisjoint(held)
