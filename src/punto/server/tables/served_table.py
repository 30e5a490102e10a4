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
    leading: bool = False
    """Whether it does them in this process, and not in another."""
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
    def is_behind(self) -> bool:
        """Whether other processes have stored more than was taken in here: in its log, or about its shoes."""
        return self.actor.is_behind or self.keeper.is_behind

    @property
    def is_needed(self) -> bool:
        """Whether it is followed all the time: it has subscribers here, or this process drives it."""
        return self.leading or len(self.feed) > 0

    @property
    def book(self) -> Rulebook:
        return self.actor.book
