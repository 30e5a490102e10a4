"""A second person for sensitive acts: the first proposes, another confirms, and only then is it done.

Which events make an act sensitive is registered where they are defined (``registry.sensitive``), and which acts need a
second person is in the table's setting. An act is decided when it is proposed and again when it is confirmed: by then
it may no longer be possible.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any

import msgspec
from msgspec.structs import asdict, replace

from punto.table.command import Command, Report
from punto.table.event import FREE, Event, FreeWords
from punto.table.guards import Decision, by, is_open
from punto.table.guidance.next_step import NextStep, step
from punto.table.play.windows import meant_for_now
from punto.table.refusal import Refusal, refuse
from punto.table.registry import DECISIONS, SENSITIVE, decides, evolves
from punto.table.roles import STAFF, Actor, Role
from punto.table.round import IN_ROUND
from punto.table.settings import SensitiveAct
from punto.table.table import PendingAct, Table

_SAID = frozenset(Report.__struct_fields__) - frozenset(Command.__struct_fields__)
"""The fields of a report that say something about it and change nothing of what it does."""


class ConfirmAct(Command, frozen=True):
    """Confirm, as the second person, an act that another has proposed."""

    act: int | None = None
    """By its number; None is the one proposed last."""


class DropAct(Command, frozen=True):
    """Drop an act that one has proposed oneself."""

    act: int | None = None


class ActProposed(Event, frozen=True):
    """A sensitive act waits for a second person."""

    act: int
    acts: tuple[SensitiveAct, ...]
    command: str
    values: Annotated[Mapping[str, Any], FREE]
    """What the command says, as JSON holds it."""
    proposed_by: str
    position: Role
    needed: Role
    """The position that the act belongs to, and that the second person has to hold too."""
    reason: FreeWords
    until_round: int
    """It lapses at the end of this round."""
    deadline: int | None = None
    """It lapses at this time, where the house has set one."""


class ActConfirmed(Event, frozen=True):
    """A second person confirmed an act; the events that follow are what it brought about."""

    act: int
    acts: tuple[SensitiveAct, ...]
    command: str
    proposed_by: str
    confirmed_by: str


class ActDropped(Event, frozen=True):
    """An act that waited for a second person is not done: its proposer dropped it, or it is no longer possible."""

    act: int
    acts: tuple[SensitiveAct, ...]
    command: str
    refused: str | None = None
    """The code of the refusal, where it is no longer possible."""


def withhold(table: Table, command: Command, events: tuple[Event, ...]) -> Decision:
    """Return the events of a command, or in their place a proposal where they need a second person.

    A sensitive act without a reason is refused where the house asks for reasons or for a second person.
    """
    setting = table.set_up
    acts = {act for event in events for act in _acts(table, event)}
    withheld = acts.intersection(setting.second_person)
    if not acts or not (withheld or setting.reasons_required):
        return events
    reason = getattr(command, "reason", "")
    if not reason:
        return refuse("reason-needed")
    return (_proposed(table, command, tuple(sorted(acts)), reason),) if withheld else events


def _acts(table: Table, event: Event) -> Iterable[SensitiveAct]:
    named = SENSITIVE.get(type(event))
    return named(table, event) if named else ()


def _proposed(table: Table, command: Command, acts: tuple[SensitiveAct, ...], reason: str) -> ActProposed:
    seconds = table.set_up.second_person_seconds
    timed = seconds is not None and command.at is not None
    said = {name: value for name, value in asdict(command).items() if name not in ("by", "at")}
    return ActProposed(
        act=table.steps,
        acts=acts,
        command=type(command).__name__,
        values=msgspec.json.decode(msgspec.json.encode(said)),
        proposed_by=command.by.id,
        position=command.by.role,
        needed=_needed(table, command),
        reason=reason,
        until_round=table.round_number + (table.phase not in IN_ROUND),
        deadline=(command.at or 0) + 1000 * (seconds or 0) if timed else None,
    )


def _needed(table: Table, command: Command) -> Role:
    """Return the lowest position that may give a command."""
    kind = DECISIONS[type(command)]
    for role in (each for each in Role if each in STAFF):
        answer = kind(table, replace(command, by=Actor("any", role)))
        if not isinstance(answer, Refusal) or answer.code != "not-yours":
            return role
    return command.by.role


def standing_acts(table: Table, at: int | None = None) -> tuple[PendingAct, ...]:
    """Return the acts that can still be confirmed: an act lapses at the end of its round, or when its time is up."""
    return tuple(each for each in table.proposed if _stands(table, each, at))


def _stands(table: Table, act: PendingAct, at: int | None) -> bool:
    over = table.round_number == act.until_round and table.phase not in IN_ROUND
    late = at is not None and act.deadline is not None and at >= act.deadline
    return table.round_number <= act.until_round and not over and not late


def _pending(table: Table, command: ConfirmAct | DropAct) -> PendingAct | Refusal:
    """Return the act a command is about, if it waits and the person is staff."""
    if refusal := is_open(table) or by(table, command, Role.DEALER):
        return refusal
    if act := act_meant(table, command):
        return act
    is_known = any(command.act in (None, each.number) for each in table.proposed)
    return refuse("no-such-act", case="lapsed" if is_known else None)


def act_meant(table: Table, command: ConfirmAct | DropAct) -> PendingAct | None:
    """Return the act a command is about, if one stands: the last, unless it names another."""
    meant = [each for each in standing_acts(table, command.at) if command.act in (None, each.number)]
    return meant[-1] if meant else None


def proposed_command(table: Table, command: ConfirmAct) -> Command:
    """Return the command that was proposed, as its proposer would give it now."""
    act = _pending(table, command)
    assert isinstance(act, PendingAct)
    return _restored(act, Actor(act.proposed_by, act.position), command.at)


def _restored(act: PendingAct, given_by: Actor, at: int | None) -> Command:
    kind = next(kind for kind in DECISIONS if kind.__name__ == act.command)
    said = {**act.values, "by": msgspec.to_builtins(given_by), "at": at}
    return msgspec.convert(said, kind)


@decides(ConfirmAct)
def confirm_act(table: Table, command: ConfirmAct) -> Decision:
    """Do what was proposed, if another person who may do it confirms it and it is still possible."""
    act = _pending(table, command)
    if isinstance(act, Refusal):
        return act
    if act.proposed_by == command.by.id:
        return refuse("same-person", person=act.proposed_by)
    second = _decided(table, _restored(act, command.by, command.at))
    if isinstance(second, Refusal) and second.code == "not-yours":
        return second
    first = _decided(table, _restored(act, Actor(act.proposed_by, act.position), command.at))
    if isinstance(first, Refusal):
        return (ActDropped(act.number, act.acts, act.command, first.code),)
    return (ActConfirmed(act.number, act.acts, act.command, act.proposed_by, command.by.id), *first)


def _decided(table: Table, command: Command) -> Decision:
    return meant_for_now(table, command) or DECISIONS[type(command)](table, command)


@decides(DropAct)
def drop_act(table: Table, command: DropAct) -> Decision:
    act = _pending(table, command)
    if isinstance(act, Refusal):
        return act
    if act.proposed_by != command.by.id:
        return refuse("not-your-act", person=act.proposed_by)
    return (ActDropped(act.number, act.acts, act.command),)


@evolves(ActProposed)
def _act_proposed(table: Table, event: ActProposed) -> Table:
    """Add the act; the same one proposed again takes the place of the former, and what has lapsed is dropped."""
    added = PendingAct(
        number=event.act,
        acts=event.acts,
        command=event.command,
        values=event.values,
        proposed_by=event.proposed_by,
        position=event.position,
        needed=event.needed,
        reason=event.reason,
        until_round=event.until_round,
        deadline=event.deadline,
    )
    others = (each for each in standing_acts(table) if not _same(each, added))
    return table.changed(proposed=(*others, added))


def _same(one: PendingAct, other: PendingAct) -> bool:
    """Whether two acts do the same, whatever is said about them: a store may hold references in place of words."""
    return one.command == other.command and _done(one.values) == _done(other.values)


def _done(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name not in _SAID}


@evolves(ActConfirmed, ActDropped)
def _act_over(table: Table, event: ActConfirmed | ActDropped) -> Table:
    return table.changed(proposed=tuple(each for each in table.proposed if each.number != event.act))


def confirming_steps(table: Table) -> Iterator[NextStep]:
    """Yield the confirmation of every act that waits for a second person."""
    signed_on = table.set_up.sign_on
    for act in standing_acts(table):
        # The one Dealer on duty has proposed it, or may have: then a superior confirms.
        role = Role.PIT_SUPERVISOR if signed_on and act.needed is Role.DEALER else act.needed
        yield step(table, "ConfirmAct", role, values={"act": act.number}, must=False)
