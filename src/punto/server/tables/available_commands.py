"""The commands available at a table now: open decisions, and what the house may do with the table.

Nothing here says who may do what: every possible command is put to the table, which answers whose it is, or why not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import astuple, replace

from punto.server.realtime.messages import RefusedMessage, refused
from punto.table.command import Command, Report
from punto.table.decide import COMMANDS
from punto.table.guidance.authority import NOT_YOURS, refusal_of, whose
from punto.table.hold import Hold
from punto.table.irregularities.cards_taken import STEPS, AttestCardsTaken, DetermineMissing
from punto.table.irregularities.device_reset import DecideReset
from punto.table.irregularities.differential import AskForDecreases, DifferentialHold, RemoveWager
from punto.table.irregularities.misdealt_cards import ReconstructCards
from punto.table.irregularities.referral import DecideReferral
from punto.table.irregularities.void import ConfirmVoid, DismissVoid
from punto.table.irregularities.withdrawal import EndWithdrawal
from punto.table.play.appointments import AppointActing, EndActing
from punto.table.play.chips import Credit, Fill
from punto.table.play.debts import PayDebt
from punto.table.play.duty import SignOff, SignOn
from punto.table.play.second_person import ConfirmAct, DropAct, standing_acts
from punto.table.play.shoes import EndShoe, LoadShoe, ReplaceCards
from punto.table.play.table_management import (
    BeginCount,
    ChangeLimits,
    ChangeMethod,
    CloseTable,
    DropCount,
    OpenTable,
    RestrictArea,
)
from punto.table.play.unread_card import ConfirmCard
from punto.table.registry import HOLD_STEPS
from punto.table.roles import STAFF, Actor, Role
from punto.table.setting_checks import MOST_WAGERS_IN_AN_AREA
from punto.table.settings import Setting
from punto.table.table import Table

_NOT_IT = {
    "not-held",
    "not-this-step",
    "no-rule",
    "not-acting",
    "no-void-round",
    "differential-not-helped",
    "not-your-act",
}
"""Refusals by which a table says that this is not what is to be done."""
_NOBODY = Actor("any", Role.DEALER)
Candidate = tuple[Command, tuple[str, ...]]
"""A command there could be, and which of its values are known and not only there to ask with."""


class Offered(Struct, frozen=True):
    """A command that could be given, with the values that are already known of it; whose it is, and whether mine."""

    command: str
    values: dict[str, Any]
    role: Role
    """The lowest position that may give it."""
    clause: str | None
    mine: bool
    """Whether it is for the person who asks."""
    refused: RefusedMessage | None = None
    """Why it would not be carried out as things stand."""


def offered(table: Table, candidates: Iterable[Candidate], by: Actor | None, now: int) -> tuple[Offered, ...]:
    """Return those of the candidates that fit the table now, as they are to the person who asks."""
    shown = []
    for candidate, known in candidates:
        # The reason a sensitive act takes is given with the command: that it is still missing refuses nothing here.
        reasoned = {"reason": "any"} if isinstance(candidate, Report) else {}
        command = replace(candidate, at=now, **reasoned)
        belongs = whose(table, command)
        to_asker = refusal_of(table, command, by) if by else None
        mine = by is not None and not (to_asker and to_asker.code == NOT_YOURS)
        to_holder = to_asker if mine else refusal_of(table, command, Actor("any", belongs.role))
        if to_holder and to_holder.code in _NOT_IT:
            continue
        told = refused(to_holder, table.book) if to_holder else None
        values = {name: getattr(command, name) for name in known}
        shown.append(Offered(type(command).__name__, values, belongs.role, belongs.clause, mine, told))
    return tuple(shown)


def waiting(table: Table) -> Iterator[Candidate]:
    """Everything that may end a hold, or the next step towards it, and acts that wait for a second person."""
    if table.hold:
        yield from _ending_the_hold(table, table.hold)
    for act in standing_acts(table):
        yield ConfirmAct(_NOBODY, act.number), ("act",)
        yield DropAct(_NOBODY, act.number), ("act",)


def _ending_the_hold(table: Table, hold: Hold) -> Iterator[Candidate]:
    yield ConfirmVoid(_NOBODY), ()
    yield DismissVoid(_NOBODY), ()
    as_they_left: dict[str, Any] = {"order": table.round.order_asked}
    for each in HOLD_STEPS[type(hold)](table, hold):
        if each.must and each.keyed == ("order",):
            yield COMMANDS[each.command](_NOBODY, **as_they_left), each.keyed
    for void in (False, True):
        yield DecideReferral(_NOBODY, void), ("void",)
        yield DecideReset(_NOBODY, void), ("void",)
    yield DecideReset(_NOBODY, void=False, cards_only=True), ("void", "cards_only")
    yield EndWithdrawal(_NOBODY), ()
    yield ReconstructCards(_NOBODY), ()
    if isinstance(hold, DifferentialHold) and not hold.asked:
        yield AskForDecreases(_NOBODY), ()
    for wager in table.round.layout:
        values = astuple(wager)
        yield RemoveWager(_NOBODY, *values), ("patron", "position", "wager", "amount")
    for step in STEPS:
        yield AttestCardsTaken(_NOBODY, step), ("provision",)
    yield DetermineMissing(_NOBODY, (), ()), ()
    yield ConfirmCard(_NOBODY), ()


def management(table: Table, suggested: Setting | None) -> Iterator[Candidate]:
    """What is done with a table that is not about one round."""
    if table.setting is None:
        if suggested:
            yield OpenTable(_NOBODY, suggested, 0), ()
        return
    yield CloseTable(_NOBODY, 0), ()
    yield (DropCount if table.counting else BeginCount)(_NOBODY), ()
    yield Fill(_NOBODY, 1), ()
    yield Credit(_NOBODY, 1), ()
    for patron, owed in table.owed.items():
        if amount := min(owed, table.chips.get(patron, 0)):
            yield PayDebt(_NOBODY, patron, amount), ("patron", "amount")
    yield SignOn(_NOBODY), ()
    if table.on_duty:
        yield SignOff(_NOBODY, table.on_duty), ("dealer",)
    yield from _changes(table, table.setting)
    for role in (each for each in Role if each in STAFF):
        yield AppointActing(_NOBODY, "any", role), ("role",)
    for person, role in table.acting:
        yield EndActing(_NOBODY, person, role), ("person", "role")
    yield LoadShoe(_NOBODY, "any"), ()
    yield EndShoe(_NOBODY), ()
    yield ReplaceCards(_NOBODY), ()


def _changes(table: Table, setting: Setting) -> Iterator[Candidate]:
    yield ChangeLimits(_NOBODY, setting.limits), ()
    for method in table.book.methods:
        if method.name != setting.method:
            yield ChangeMethod(_NOBODY, method.name), ("method",)
    fewer = range(1, MOST_WAGERS_IN_AN_AREA + 1) if table.book.clauses_of("area-capacity") else ()
    for capacity in fewer:
        if capacity != setting.area_capacity:
            yield RestrictArea(_NOBODY, capacity), ("capacity",)
