"""Duty: which Dealer is at the table, and how they call the pit.

Where the house asks for it, no Dealer but the one on duty gives the Dealer's commands; a superior may act for them
without signing on. Who was on duty when is derived from these events. A call to the pit holds nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from punto.table.command import Command
from punto.table.event import Event, FreeWords
from punto.table.guards import Decision, acting_in, by, is_open
from punto.table.guidance.next_step import NextStep, step
from punto.table.refusal import Refusal, refuse
from punto.table.registry import decides, evolves
from punto.table.roles import AUTOMATON, CAGE, Role
from punto.table.table import PitCall, Table


class SignOn(Command, frozen=True):
    """Take over the table as its Dealer, from the Dealer on duty if there is one; a superior may sign a Dealer on."""

    dealer: str = ""
    """Who takes over, if not the person who gives the command."""


class SignOff(Command, frozen=True):
    """Leave the table as its Dealer; a superior may sign off a Dealer who has left without doing so."""

    dealer: str = ""
    """Who leaves, if not the person who gives the command."""


class CallPit(Command, frozen=True):
    """Call the pit to the table, at any time; play goes on."""

    note: str = ""
    """What it is about."""


class AnswerCall(Command, frozen=True):
    """Say that the pit has come: all calls of the table are answered."""


class DealerSignedOn(Event, frozen=True):
    """A Dealer took over the table."""

    dealer: str
    relieved: str | None = None
    """The Dealer who was on duty until then."""
    signed_on_by: str | None = None
    """The superior who did it for them, if one did."""


class DealerSignedOff(Event, frozen=True):
    """The Dealer on duty left the table."""

    dealer: str
    signed_off_by: str | None = None
    """The superior who did it for them, if one did."""


class PitCalled(Event, frozen=True):
    """A member of staff called the pit to the table."""

    called_by: str
    note: FreeWords = ""


class CallAnswered(Event, frozen=True):
    """The pit has come to the table."""

    answered_by: str
    called_by: tuple[str, ...]
    """Who had called, each once, in the order of their first calls."""


def on_duty(table: Table, command: Command) -> Refusal | None:
    """Refuse a Dealer who is not on duty, where the house has Dealers sign on. Superiors and automata need not."""
    setting, given_by = table.setting, command.by
    if setting is None or not setting.sign_on or given_by.role is not Role.DEALER:
        return None
    exempt = given_by.id == table.on_duty or given_by in (AUTOMATON, CAGE) or isinstance(command, SignOn | CallPit)
    superior = any(role is not Role.DEALER for role in acting_in(table, command))
    return None if exempt or superior else refuse("not-on-duty", dealer=given_by.id)


@decides(SignOn)
def sign_on(table: Table, command: SignOn) -> Decision:
    given_by = command.by.id
    dealer = command.dealer or given_by
    refusal = (
        is_open(table)
        or by(table, command, Role.DEALER if dealer == given_by else Role.PIT_SUPERVISOR)
        or (refuse("already-on-duty", dealer=dealer) if table.on_duty == dealer else None)
    )
    return refusal or (DealerSignedOn(dealer, table.on_duty, None if dealer == given_by else given_by),)


@decides(SignOff)
def sign_off(table: Table, command: SignOff) -> Decision:
    given_by = command.by.id
    dealer = command.dealer or given_by
    refusal = (
        is_open(table)
        or by(table, command, Role.DEALER if dealer == given_by else Role.PIT_SUPERVISOR)
        or (None if table.on_duty == dealer else refuse("not-on-duty", dealer=dealer))
    )
    return refusal or (DealerSignedOff(dealer, None if dealer == given_by else given_by),)


@decides(CallPit)
def call_pit(table: Table, command: CallPit) -> Decision:
    refusal = is_open(table) or by(table, command, Role.DEALER)
    return refusal or (PitCalled(command.by.id, command.note),)


@decides(AnswerCall)
def answer_call(table: Table, command: AnswerCall) -> Decision:
    refusal = is_open(table) or by(table, command, Role.PIT_SUPERVISOR) or (None if table.calls else refuse("no-call"))
    callers = tuple(dict.fromkeys(each.called_by for each in table.calls))
    return refusal or (CallAnswered(command.by.id, callers),)


@evolves(DealerSignedOn)
def _signed_on(table: Table, event: DealerSignedOn) -> Table:
    return table.changed(on_duty=event.dealer)


@evolves(DealerSignedOff)
def _signed_off(table: Table, _: DealerSignedOff) -> Table:
    return table.changed(on_duty=None)


@evolves(PitCalled)
def _pit_called(table: Table, event: PitCalled) -> Table:
    return table.changed(calls=(*table.calls, PitCall(event.called_by, event.note)))


@evolves(CallAnswered)
def _call_answered(table: Table, _: CallAnswered) -> Table:
    return table.changed(calls=())


def call_steps(table: Table) -> Iterator[NextStep]:
    """Yield that the pit comes to a table that has called it."""
    if table.calls:
        yield step(table, "AnswerCall", Role.PIT_SUPERVISOR, must=False)


def sign_on_step(table: Table) -> Iterator[NextStep]:
    """Yield that a Dealer signs on, where none is on duty and the house asks for it."""
    if table.setting and table.setting.sign_on and table.on_duty is None:
        yield step(table, "SignOn", must=False)
