"""A table in service with everything that belongs to it in this process."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from punto.rules.rulebook import Rulebook
from punto.server.realtime.feed import Feed
from punto.server.tables.shoe_keeper import Dealt, ShoeKeeper
from punto.server.tables.table_actor import TableActor
from punto.table.guidance.dealer_automation import Step
from punto.table.table import Table


@dataclass(slots=True, eq=False)
class ServedTable:
    """A table with everything that belongs to it."""

    name: str
    actor: TableActor
    keeper: ShoeKeeper
    feed: Feed
    steps: frozenset[Step] = frozenset()
    """The Dealer's steps that are automatic."""
    driven: bool = False
    """Whether a driver does them."""
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    """Set whenever something has happened at the table."""
    dealt: Dealt | None = None
    """The cards exposed from the shoe in use, if this process has seen it from its start."""
    timer: asyncio.TimerHandle | None = None
    """Runs out at the deadline of the open window, where an automaton makes the calls."""
    timed: int | None = None
    """The number of that window."""

    @property
    def table(self) -> Table:
        return self.actor.table

    @property
    def book(self) -> Rulebook:
        return self.actor.book
