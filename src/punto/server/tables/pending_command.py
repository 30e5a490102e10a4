"""A command in a table's mailbox, and who may be asked for what is stored with it in other streams."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from msgspec import Struct

from punto.server.realtime.messages import DoneMessage, IdempotencyKey, MessageId
from punto.server.running.server_log import log
from punto.store.batch import Transaction
from punto.store.records import Append, Conflict, Repeated
from punto.table.command import Command
from punto.table.event import Event
from punto.table.play.loss_limits import AllowanceSet
from punto.table.refusal import Refusal
from punto.table.table import Table

Giver = tuple[str, str]
"""Who is stored as having given a command: an id and a position."""
Answered = Callable[[DoneMessage | Refusal | Exception], None]
"""Callback that receives a command's outcome."""


class Prepared(Struct, frozen=True):
    """What goes with a command of a patron with limits: an event of the table, and what goes to other streams."""

    event: AllowanceSet
    appends: tuple[Append, ...]
    refusal: Refusal | None = None
    """Why no more is reserved, if that is less than the patron has here."""


class Companion(Protocol):
    """The side of a command in another stream, the cage's or the shoes', stored together with it or not at all."""

    async def prepare(self, command: Command, table: Table) -> Append | Prepared | Refusal | None:
        """Return what has to be stored with the command, by the newest state, or why it cannot be."""
        ...


class AllowanceKeeping(Protocol):
    """The limits of patrons over the house, of which a table holds a part."""

    async def renew(self, table: str, state: Table, patron: str, giver: Giver) -> Prepared | Refusal:
        """Return what a table reserves for a patron who has used up what it held; refuse if they may not play."""
        ...


class DebtBooking(Protocol):
    """The cage's book of debts, in which every change of one is stored together with the table's event."""

    async def book(self, table: str, events: Sequence[Event], giver: Giver) -> list[Append] | Refusal:
        """Return what has to be stored with these events in other streams, or why it cannot be."""
        ...


class ShoeStream(Companion, Protocol):
    """The shoes of a table: without them an actor that has caught up could not expose the next card."""

    def knows(self, shoe: str) -> bool: ...
    async def catch_up(self) -> bool: ...


class PendingCommand(Transaction, kw_only=True, eq=False):
    """A command in the mailbox and, once decided, the transaction that stores its events."""

    command: Command
    giver: Giver
    answered: Answered
    id: MessageId = None
    key: IdempotencyKey | None = None
    companion: Companion | None = None
    events: Sequence[Event] = ()
    states: Sequence[Table] = ()
    """The table after each event."""

    def answer_with(self, outcome: DoneMessage | Refusal | Exception) -> None:
        """Report the outcome; what is stored stays stored if the sender is gone or its callback fails."""
        try:
            self.answered(outcome)
        except Exception:
            log.exception("not answered", command=type(self.command).__name__)

    @property
    def may_be_stored(self) -> bool:
        """Whether the store failed while it stored this, so that it is not known whether it did."""
        return self.error is not None and not isinstance(self.error, Conflict | Repeated)
