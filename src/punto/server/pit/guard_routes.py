"""The guard of a table, for the pit alone: the edge of every wager from the unseen cards, and who follows it."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from fractions import Fraction
from functools import partial
from time import process_time

from msgspec import Struct

from punto.cards import Composition
from punto.formatting import percent
from punto.lab.pit_guard import FALSE_ALARM, FALSE_WATCH
from punto.odds import odds
from punto.rules.coup import Unlawful
from punto.rules.rulebook import Rulebook
from punto.server.access.permissions import Permission
from punto.server.gateway import Gateway
from punto.server.http.table_people import names_at
from punto.server.pit.table_guard import PatronWeighed, TableGuard, begin_guard
from punto.server.routing.routes import Routes
from punto.server.running.background import BackgroundJobs
from punto.server.running.server_log import log
from punto.server.tables.floor import Floor
from punto.server.tables.served_table import ServedTable
from punto.store.protocol import Reader
from punto.store.trust.chain import verified_page

READ_AT_ONCE = 500
"""Events."""
ANSWERED_WITHIN = 1.0
"""Seconds: what takes longer goes on in the background, and the answer says that more is to come."""


class WagerEdge(Struct, frozen=True):
    """The edge of a wager from the unseen cards, for the round that comes next."""

    wager: str
    house_edge: Fraction
    """Exact; below zero where the patron has the edge."""
    percent: str
    favours_patron: bool


class GuardShown(Struct, frozen=True):
    """What the pit may know of the cards of a table, and of who follows them."""

    table: str
    unseen: int
    """Cards of the shoe in use that were not exposed: in the shoe, burnt, or face down. 0 without a shoe."""
    edges: tuple[WagerEdge, ...]
    patrons: tuple[PatronWeighed, ...]
    """Those who placed side wagers since the table was opened, the highest ratio first."""
    weighing: bool
    """Whether rounds are still being weighed; ask again."""
    false_alarm: Fraction
    """The most that a patron who does not count ever gets the strongest advice with, looked at all the time."""
    false_watch: Fraction
    names: dict[str, str]
    """Of the patrons, by id."""


class GuardedTable:
    """A table whose log is followed: how far, and what was found."""

    def __init__(self) -> None:
        self.guard: TableGuard | None = None
        self.found: tuple[PatronWeighed, ...] = ()
        self.edges: tuple[Composition, tuple[WagerEdge, ...]] | None = None
        """The last that were computed, with the unseen cards they are for."""
        self.up_to_date = asyncio.Event()
        """Clear while its log is read on in the background."""
        self.up_to_date.set()


class TableGuards:
    """The guards of all tables that the pit has asked about."""

    def __init__(self, floor: Floor) -> None:
        self._jobs = BackgroundJobs(floor.store)
        self._floor = floor
        self._tables: dict[str, GuardedTable] = {}

    async def of(self, served: ServedTable) -> tuple[GuardedTable, bool]:
        """Return what is found of a table, and whether more is to come."""
        guarded = self._tables.setdefault(served.name, GuardedTable())
        if guarded.up_to_date.is_set():
            guarded.up_to_date.clear()
            self._floor.spawn(self._follow(guarded, served))
        with suppress(TimeoutError):
            await asyncio.wait_for(guarded.up_to_date.wait(), ANSWERED_WITHIN)
        return guarded, not guarded.up_to_date.is_set()

    async def _follow(self, guarded: GuardedTable, served: ServedTable) -> None:
        head = max(served.actor.number, served.actor.told)
        try:
            await self._jobs.run(partial(_read_on, guarded, served.name, served.book, head))
        except Exception:
            log.exception("table not guarded", table=served.name)
            guarded.guard = None  # begins again
        finally:
            guarded.up_to_date.set()

    async def edges(self, guarded: GuardedTable, served: ServedTable) -> tuple[WagerEdge, ...]:
        """Return the edges of all wagers from the cards that are unseen now."""
        unseen = served.table.shoe.unexposed if served.table.shoe else None
        if unseen is None:
            return ()
        if guarded.edges is None or guarded.edges[0] != unseen:
            guarded.edges = unseen, await asyncio.to_thread(edges_from, served.book, unseen)
        return guarded.edges[1]


def edges_from(book: Rulebook, unseen: Composition) -> tuple[WagerEdge, ...]:
    """Return the exact edge of every wager of a game from unseen cards; none where no coup can be dealt."""
    try:
        found = odds(book, unseen).wagers
    except Unlawful:
        return ()
    return tuple(
        WagerEdge(each.wager.name, each.house_edge, percent(each.house_edge), each.house_edge < 0) for each in found
    )


async def _read_on(guarded: GuardedTable, name: str, book: Rulebook, head: int, store: Reader) -> None:
    """Read a table's log on, in a thread; then weigh what waits, in half of a core's time."""
    guard = guarded.guard
    if guard is None:
        guard = await begin_guard(store, name, book, head)
    while guard.number < head:
        events = await verified_page(store, name, guard.number, READ_AT_ONCE)
        if not events:
            break
        guard.take_in(events)
    guarded.guard, guarded.found = guard, guard.found()
    while guard.waiting:
        began = process_time()
        guard.weigh_next()
        guarded.found = guard.found()
        await asyncio.sleep(process_time() - began)


routes = Routes("/api/pit", "the pit")


@routes.get("/{table}/guard", permission=Permission.GUARD_TABLES)
async def show_guard(gateway: Gateway, guards: TableGuards, table: str) -> GuardShown:
    """Return the exact edge of every wager from the unseen cards, and the patrons whose side wagers follow it."""
    served = await gateway.refreshed(table)
    guarded, weighing = await guards.of(served)
    unseen = served.table.shoe.unexposed if served.table.shoe else ()
    edges = await guards.edges(guarded, served)
    found = guarded.found
    names = await names_at(gateway, served, *(each.patron for each in found))
    return GuardShown(
        table=table,
        unseen=len(unseen),
        edges=edges,
        patrons=found,
        weighing=weighing,
        false_alarm=FALSE_ALARM,
        false_watch=FALSE_WATCH,
        names={each.patron: names[each.patron] for each in found if each.patron in names},
    )
