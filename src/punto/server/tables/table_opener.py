"""Opens the tables of a house: some quick ones before the server listens; after that the others, several at a time."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from punto.rules.game_library import by_digest
from punto.server.running.server_log import log
from punto.server.tables.shoe_keeper import ShoeKeeper
from punto.server.tables.stream_follower import DAMAGED, StreamClosed
from punto.server.tables.table_actor import TableActor
from punto.store.events.shoe_events import SHOES
from punto.store.protocol import PAGE
from punto.store.records import Damaged
from punto.store.trust.keys import Keys

if TYPE_CHECKING:
    from punto.server.tables.floor import Floor

READ_BEFORE_LISTENING = 10_000
"""Events of all tables that are read before the server listens: a fraction of a second."""
OPENED_BEFORE_LISTENING = 100
"""Tables: a small house listens when all its tables are open."""
OPENED_AT_ONCE = 8
"""Tables that are opened at one time after that, so that none of them waits for the database alone."""
READ_AT_ONCE = 250
"""Events read at a time after that: while they are followed, the server does nothing else."""


class TableOpener:
    """The tables that are not open yet."""

    def __init__(self, floor: Floor, keys: Keys) -> None:
        self._floor, self._keys = floor, keys
        self.waiting: dict[str, str] = {}
        """Tables that the house has created, each with the digest of its game."""
        self.opening: set[str] = set()
        """Tables that are opened in the background."""
        self.all_open = asyncio.Event()
        """Set once none of them is left."""
        self._alone = asyncio.Lock()

    async def open_at_start(self) -> None:
        """Open the tables that are read quickly, and the others in the background."""
        waiting, self.waiting = self.waiting, {}
        made = [made for name, digest in waiting.items() if (made := self._made(name, digest))]
        first, later = made[:OPENED_BEFORE_LISTENING], made[OPENED_BEFORE_LISTENING:]
        ends = await self._ends([each for actor, _ in first for each in (actor.name, f"{actor.name}{SHOES}")])
        left = READ_BEFORE_LISTENING
        for actor, keeper in first:
            await self._restore(actor, keeper)
            reads = ends[actor.name] - actor.number + ends[f"{actor.name}{SHOES}"] - keeper.chain.number
            if reads > left:
                later.append((actor, keeper))
            else:
                left -= reads
                await self._open(actor, keeper)
        self.opening |= {actor.name for actor, _ in later}
        self._floor.spawn(self._open_rest(later))

    async def _ends(self, streams: list[str]) -> dict[str, int]:
        try:
            return await self._floor.store.heads(streams)
        except Damaged:
            return dict.fromkeys(streams, 0)  # to read them says where

    async def _open_rest(self, later: list[tuple[TableActor, ShoeKeeper]]) -> None:
        left = iter(later)

        async def open_some() -> None:
            for actor, keeper in left:
                await self._open_later(actor, keeper)

        await asyncio.gather(*(open_some() for _ in range(OPENED_AT_ONCE)))
        if later:
            log.info("all tables opened", later=len(later))
        self.all_open.set()

    async def _open_later(self, actor: TableActor, keeper: ShoeKeeper) -> None:
        try:
            if not actor.number:
                await self._floor.done_at_last(partial(self._restore, actor, keeper))
            await self._floor.done_at_last(partial(self._open, actor, keeper, READ_AT_ONCE))
            if actor.number > READ_AT_ONCE:
                log.info("table opened", table=actor.name, events=actor.number)
        except Exception:
            log.exception("table not opened", table=actor.name)
        finally:
            self.opening.discard(actor.name)

    async def open_new(self) -> None:
        """Open tables that were created while the server runs; return once none is left that another task opens."""
        async with self._alone:
            waiting, self.waiting = self.waiting, {}
            for name, digest in waiting.items():
                if made := self._made(name, digest):
                    await self._restore(*made)
                    await self._open(*made)

    def _made(self, name: str, digest: str) -> tuple[TableActor, ShoeKeeper] | None:
        """Return the parts of a table, if its game is served here."""
        floor = self._floor
        book = by_digest(floor.games.values()).get(digest)
        if book is None:
            log.error("table not served", table=name, reason="unknown-game")
            return None
        keeper = ShoeKeeper(floor.store, self._keys, name, floor.clock, floor.time_to_cut)
        actor = TableActor(
            floor.store, name, book, floor.clock, keeper.card_if_known, partial(floor.published, name), keeper,
            floor.words, floor.debts, floor.trust, floor.limits,
        )  # fmt: skip
        return actor, keeper

    async def _restore(self, actor: TableActor, keeper: ShoeKeeper) -> None:
        """Take a table and its shoes from their snapshots, as far as those can be used."""
        await actor.restore()
        await keeper.restore(self._floor.trust)

    async def _open(self, actor: TableActor, keeper: ShoeKeeper, at_once: int = PAGE) -> None:
        """Read what happened at a table, and serve it; what cannot be followed closes it."""
        try:
            await keeper.follow_log(self._floor.trust)
            await actor.follow_log(at_once)
            await self._take_over(actor)
            await self._floor.serve(actor, keeper)
        except StreamClosed as closed:
            self._floor.close(closed)
        except Damaged:
            self._floor.close(StreamClosed(actor.name, actor.number + 1, DAMAGED))

    async def _take_over(self, actor: TableActor) -> None:
        """Have the cage book debts it does not know, and apply limits that were set while the table was shut."""
        floor = self._floor
        floor.debts.tables[actor.name] = actor
        if floor.store.closed:
            return
        try:
            await floor.debts.take_over(actor.name, actor)
            await floor.limits.take_over(actor.name)
        except StreamClosed as closed:
            if closed.stream == actor.name:
                raise
            floor.close(closed)
        await actor.catch_up()
