"""Slips: chips that go between the cage and a table, asked for by one person and confirmed by another.

Slips are numbered through the whole house. A number that was given stays: what is not confirmed is cancelled.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from punto.server.tables.stream_follower import S, StreamFollower
from punto.store.events.cage_events import SlipAsked, SlipConfirmed, SlipKind
from punto.store.records import Append
from punto.store.slip_book import SlipBook
from punto.table.command import Command
from punto.table.play.chips import Credit, Fill
from punto.table.refusal import Refusal, refuse
from punto.table.table import Table

Giver = tuple[str, str]
"""The id and the position of a person."""


def command_of(kind: SlipKind) -> type[Fill] | type[Credit]:
    """Return the command that moves chips this way."""
    return Fill if kind is SlipKind.FILL else Credit


class KeepsSlips(StreamFollower[S]):
    """A stream that holds slips."""

    slip_book: SlipBook


@dataclass(frozen=True, slots=True)
class SlipCompanion:
    """The cage's side of a fill or a credit."""

    cage: KeepsSlips[Any]
    table: str
    giver: Giver
    two_names: bool
    """Whether chips move only by a slip that a second person confirms."""

    async def prepare(self, command: Command, _: Table) -> Append | Refusal:
        """Return the confirmation of the slip; where one name is enough, chips moved without one get a slip by it."""
        assert isinstance(command, Fill | Credit)
        await self.cage.catch_up()
        book = self.cage.slip_book
        if command.slip:
            slip = book.confirmable(command.slip, self.giver[0])
            return slip if isinstance(slip, Refusal) else self.cage.append_of(SlipConfirmed(slip.number), self.giver)
        if self.two_names:
            return refuse("slip-needed")
        kind, number = SlipKind.FILL if isinstance(command, Fill) else SlipKind.CREDIT, book.next_number
        asked = SlipAsked(number, kind, self.table, command.amount, command.pieces)
        return self.cage.append_all_of([asked, SlipConfirmed(number)], self.giver)
