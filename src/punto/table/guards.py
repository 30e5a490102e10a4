"""Guards: each returns a refusal, or None to let a command pass. Each decision begins with a ladder of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from operator import attrgetter
from typing import Any, NamedTuple, get_type_hints

from punto.table.command import Command
from punto.table.event import Event
from punto.table.money import Pieces
from punto.table.refusal import Refusal, refuse
from punto.table.roles import STAFF, Role, performs
from punto.table.round import Phase
from punto.table.settings import Device
from punto.table.table import Table

MOST = 10**15
"""Every amount, time and count is below this."""
_MOST_LETTERS = 500
_POSITIONS = {role.value for role in STAFF}

Decision = tuple[Event, ...] | Refusal


def is_open(table: Table) -> Refusal | None:
    return refuse("table-not-open") if table.phase is Phase.SHUT else None


def in_phase(table: Table, *phases: Phase, provision: str | None = None) -> Refusal | None:
    """Refuse unless the table is open and in one of these phases; a provision that sets the time is cited."""
    if table.phase in phases:
        return None
    return is_open(table) or refuse("wrong-phase", provision, phase=table.phase.value, needed=tuple(phases))


def not_held(table: Table) -> Refusal | None:
    return refuse("held", table.hold.provision) if table.hold else None


def time_is_up(table: Table, command: Command) -> bool:
    """Return whether the deadline of the open window has passed."""
    if command.at is None or (window := table.window) is None:
        return False
    return window.deadline is not None and command.at >= window.deadline


def has_rule(table: Table, provision: str) -> Refusal | None:
    """Refuse unless the game's document has such a clause; none is borrowed from another game."""
    return None if table.book.clauses_of(provision) else refuse("no-rule", provision)


def acting_in(table: Table, command: Command) -> tuple[Role, ...]:
    """Return the positions a member of staff is appointed to act in, at the time of the command."""
    return () if command.by.role is Role.PATRON else positions_acted_in(table, command.by.id, command.at)


def positions_acted_in(table: Table, person: str, at: int | None) -> tuple[Role, ...]:
    """Return the positions a person is appointed to act in, at a time."""
    return tuple(
        role
        for (who, role), until in table.acting.items()
        if who == person and (until is None or (at is not None and at < until))
    )


def by(table: Table, command: Command, *roles: Role, provision: str | None = None) -> Refusal | None:
    """Refuse unless the person may do what the rules assign to one of these positions."""
    held = {command.by.role, *acting_in(table, command)} if table.acting else {command.by.role}
    either = table.setting is not None and table.setting.managers_interchangeable
    for role in roles:
        if performs(role, held, either):
            return None
    return refuse("not-yours", provision, needed=roles[0].value)


def procedure(table: Table, command: Command, provision: str, role: Role | None, *phases: Phase) -> Refusal | None:
    """Refuse unless the game has the rule, it is the time for it, and the right person begins it.

    Without a role, the right person is the position that confirms for the house.
    """
    return (
        is_open(table)
        or has_rule(table, provision)
        or in_phase(table, *phases)
        or not_held(table)
        or by(table, command, role or table.set_up.confirms, provision=provision)
    )


def by_patron(command: Command, patron: str) -> Refusal | None:
    """Refuse unless that patron gives the command."""
    own = command.by.role is Role.PATRON and command.by.id == patron
    return None if own else refuse("not-your-chips")


def records(table: Table, command: Command, provision: str | None = None) -> Refusal | None:
    """Refuse a member of staff who may not record a patron's act: the Dealer may, and positions above."""
    return None if command.by.role is Role.PATRON else by(table, command, Role.DEALER, provision=provision)


def is_patron(table: Table, patron: str) -> Refusal | None:
    return None if patron in table.chips else refuse("unknown-patron", patron=patron)


def above_zero(amount: int) -> Refusal | None:
    return None if amount > 0 else refuse("bad-amount", amount=amount)


def has_chips(table: Table, patron: str, amount: int) -> Refusal | None:
    chips = table.chips[patron]
    return None if chips >= amount else refuse("not-enough-chips", patron=patron, chips=chips, amount=amount)


def owes_nothing(table: Table, patron: str) -> Refusal | None:
    owed = table.owed.get(patron, 0)
    return refuse("owes-the-house", patron=patron, owed=owed) if owed else None


def owes_at_least(table: Table, patron: str, amount: int) -> Refusal | None:
    owed = table.owed.get(patron, 0)
    if not owed:
        return refuse("no-debt", patron=patron)
    return None if amount <= owed else refuse("more-than-owed", patron=patron, owed=owed, amount=amount)


def in_float(table: Table, amount: int) -> Refusal | None:
    return None if table.float_ >= amount else refuse("not-enough-float", float_=table.float_, amount=amount)


def adds_up(pieces: Sequence[Pieces], amount: int) -> Refusal | None:
    """Refuse chips counted by denomination that do not come to the amount; none at all are not counted so."""
    if not pieces:
        return None
    numbers = [number for each in pieces for number in (each.value, each.number)]
    values = {each.value for each in pieces}
    if len(values) < len(pieces) or any(each.value < 1 for each in pieces):
        return refuse("bad-pieces")
    if any(type(each) is not int or not 0 <= each < MOST for each in numbers):
        return refuse("bad-number", field="pieces")
    counted = sum(each.amount for each in pieces)
    return None if counted == amount else refuse("pieces-differ", counted=counted, amount=amount)


def real_cards(table: Table, provision: str | None) -> Refusal | None:
    """Refuse on a sealed shoe what can only happen to real cards: a false report would undo a lost round."""
    return refuse("sealed-shoe", provision) if table.set_up.device is Device.SEALED else None


_NAMES = ("shoe", "person", "dealer", "owed_at", "paid_at", "covered_by")
"""The fields of commands that name something; a name is one line."""
_FREE_WORDS = ("matter", "noticed_by", "note", "reason", "uncovered")
"""The fields of commands in which people write what they like."""
_MOST_IN_NOTE = 2000
_UNSEEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters, characters that turn the direction of writing around, and halves of characters."""
_REFERENCE = re.compile("words:[0-9a-f]{64}")
"""What stands for words in a stored event: nobody may point at the words of another event."""


class _Checked(NamedTuple):
    """What of a kind of command is checked before anything is decided: the names of its numbers, notes and names."""

    numbers: tuple[str, ...]
    read_numbers: Callable[[Command], tuple[Any, ...]]
    """Reads all numbers at once; every command has several."""
    notes: tuple[str, ...]
    names: tuple[str, ...]


@cache
def _checked(kind: type[Any]) -> _Checked:
    fields, hints = kind.__struct_fields__, get_type_hints(kind)
    numbers = tuple(name for name in fields if hints[name] in (int, int | None))
    notes = tuple(name for name in fields if name in _FREE_WORDS)
    return _Checked(numbers, attrgetter(*numbers), notes, tuple(name for name in fields if name in _NAMES))


def well_formed(command: Command) -> Refusal | None:
    """Refuse numbers that are not whole or too large, names of several lines, and text that cannot be shown."""
    numbers, read_numbers, notes, names = _checked(type(command))
    for place, number in enumerate(read_numbers(command)):
        if number is not None and (type(number) is not int or not -MOST < number < MOST):
            return refuse("bad-number", field=numbers[place])
    for name in notes:
        if not is_note(getattr(command, name)):
            return refuse("bad-words", case="note", most=_MOST_IN_NOTE)
    for name in names:
        if not _one_line(getattr(command, name)):
            return refuse("bad-words")
    return None if _one_line(command.by.id) else refuse("bad-words")


@lru_cache(maxsize=10_000)
def _one_line(words: str) -> bool:
    one_line = words == " ".join(words.split()) and words.isprintable()
    return one_line and len(words) <= _MOST_LETTERS and {*"[];:"}.isdisjoint(words)


def is_note(words: str) -> bool:
    """Return whether a text can be kept as a note: any text that people can read."""
    return len(words) <= _MOST_IN_NOTE and not _UNSEEN.search(words) and not _REFERENCE.search(words)


def can_be_a_patron(patron: str) -> Refusal | None:
    """Refuse an id that is not one word, or that is the name of a position."""
    one_word = patron.replace("_", "").isalnum() and len(patron) <= _MOST_LETTERS
    return None if one_word and patron not in _POSITIONS else refuse("bad-name", name=patron[:_MOST_LETTERS])
