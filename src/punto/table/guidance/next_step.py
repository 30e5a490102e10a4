"""A next step: a command that can be given now, who may give it and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from punto.rules.table_of_play import Hand
from punto.table.roles import STAFF, Role, performs
from punto.table.table import Table

Value = str | int | bool


@dataclass(frozen=True, slots=True)
class Call:
    """What is said aloud: which call it is, in the document's words where it has any, and the figures in it."""

    name: str
    """commencement, closing, totals or outcome."""
    words: str
    player: int | None
    banker: int | None
    winner: str | None


@dataclass(frozen=True, slots=True)
class Reason:
    """What the Table of Play says of one hand, with the clause of this game that says it."""

    hand: Hand
    total: int
    draws: bool
    against: int | None
    rule: str
    clause: str | None


@dataclass(frozen=True, slots=True)
class NextStep:
    """A command that can be given now, who may give it and why."""

    command: str
    role: Role
    """Whose it is; a patron's is that of ``patron``."""
    by: tuple[Role, ...]
    """The positions that may give it: its own, and those above."""
    must: bool
    """Whether play waits for it; otherwise it is optional."""
    values: Mapping[str, Value]
    """What of the command is known."""
    keyed: tuple[str, ...]
    """What the person who gives it has to fill in."""
    patron: str | None
    hand: Hand | None
    """The hand it is about, and the place of the card."""
    place: int | None
    call: Call | None
    provision: str | None
    clause: str | None
    reasons: tuple[Reason, ...]
    on_behalf: bool
    """Whether staff record by it what a patron has said or done."""
    face_up: tuple[Hand, int] | None
    """The place of the card that is turned next, where the Dealer turns what they draw: keying it implies the draw."""


def step(
    table: Table,
    command: str,
    role: Role = Role.DEALER,
    provision: str | None = None,
    values: Mapping[str, Value] | None = None,
    **more: Any,
) -> NextStep:
    clause = table.book.clause_of(provision) if provision else None
    by = _able(role, bool(table.setting and table.set_up.managers_interchangeable))
    said = {**_UNLESS_SAID, "values": values or {}, "provision": provision, "clause": clause, **more}
    return NextStep(command, role, by, **said)


@lru_cache(maxsize=64)
def _able(role: Role, interchangeable: bool) -> tuple[Role, ...]:
    if role is Role.PATRON:
        return ()
    return tuple(each for each in Role if each in STAFF and performs(role, {each}, interchangeable))


_UNLESS_SAID: Mapping[str, Any] = {
    "must": True,
    "keyed": (),
    "patron": None,
    "hand": None,
    "place": None,
    "call": None,
    "reasons": (),
    "on_behalf": False,
    "face_up": None,
}


def on_behalf(table: Table, act: NextStep) -> NextStep:
    """Return the step by which staff record a patron's act, where the patron does not give it."""
    assert act.patron is not None
    patron = "turned_by" if act.command == "ExposeCard" else "patron"
    return replace(
        act,
        role=Role.DEALER,
        by=_able(Role.DEALER, bool(table.setting and table.set_up.managers_interchangeable)),
        must=False,
        values={**act.values, patron: act.patron},
        on_behalf=True,
    )


def fill_first(table: Table, amount: int) -> list[NextStep]:
    """Return a step that fills what the float lacks of an amount, if it lacks any."""
    lacks = amount - table.float_
    return [step(table, "Fill", Role.PIT_MANAGER, values={"amount": lacks})] if lacks > 0 else []


def either(table: Table, command: str, role: Role, provision: str) -> Iterator[NextStep]:
    for void in (False, True):
        yield step(table, command, role, provision, {"void": void})


def next_face_down(table: Table, hand: Hand) -> int | None:
    """Return the place of the hand's first card that is not exposed."""
    return next((number for number, place in enumerate(table.round.hands[hand]) if place.card is None), None)
