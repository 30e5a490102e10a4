"""The audit of one stream: its chain, then its rounds and books recomputed. It needs nothing of the other streams.

What it found is small and plain, however long the stream is, so that another process can do it and report.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass

from punto.audit.cage_followed import CageFollowed
from punto.audit.house_followed import HouseFollowed
from punto.audit.limits_followed import LimitsFollowed
from punto.audit.shoes_followed import ShoesFollowed
from punto.audit.table_followed import TableFollowed, compare_checkpoint
from punto.audit.table_recomputed import Game, StreamFound
from punto.store.codec import UnknownEvent
from punto.store.events.cage_events import CAGE
from punto.store.events.house_events import HOUSE
from punto.store.events.limit_events import LIMITS
from punto.store.events.shoe_events import SHOES
from punto.store.protocol import PAGE, Reader
from punto.store.records import FIRST_HASH, Damaged, EventRecord, hash_of
from punto.store.trust.checkpoints import Checkpoint, Checkpoints
from punto.store.words import MARK, digests_in
from punto.table.event import Event

EVENTS_AT_ONCE = 500
"""Audited before others have their turn, such as what gives streams to other processes."""
_MARK = MARK.encode()


@dataclass(frozen=True, slots=True)
class StreamTask:
    """A stream to audit: how far, the events whose hashes are wanted, and the references to words that were erased."""

    stream: str
    end: int
    wanted: frozenset[int] = frozenset()
    erased: frozenset[str] = frozenset()


class StreamAudit:
    """The audit of one stream, and how far it is."""

    def __init__(
        self, store: Reader, games: Mapping[str, Game], task: StreamTask, house: HouseFollowed | None = None
    ) -> None:
        self._store, self._task, self._house = store, task, house
        self._games = games
        self._table = TableFollowed(task.stream, games)
        self.found = self._table.found
        self._cage = CageFollowed(self.found)
        self._shoes = ShoesFollowed(self.found.find) if task.stream.endswith(SHOES) else None
        self._limits = LimitsFollowed(self.found) if task.stream.endswith(LIMITS) else None
        self._checkpoints: Checkpoints | None = None
        self._stored: Checkpoint | None = None
        """The next checkpoint that is to be compared."""
        self._due = False

    async def run(self) -> StreamFound:
        """Audit the stream up to the end it had."""
        try:
            await self._read()
        except Damaged as error:
            self.found.find(self.found.length + 1, "damaged", reason=str(error))
        return self.found

    async def _read(self) -> None:
        found = self.found
        if self._is_table:
            self._checkpoints = await Checkpoints.of(self._store, self._task.stream)
            self._stored = await self._checkpoints.after_event(0)
        async for page in self._chained():
            for recorded in page:
                try:
                    event = recorded.event
                except UnknownEvent as error:
                    found.find(recorded.number, "unreadable", reason=str(error))
                    return
                found.events += 1
                found.length, found.last_hash = recorded.number, recorded.hash
                if self._follow(recorded, event):
                    await self._compare()
                if recorded.number in self._task.wanted:
                    found.hashes[recorded.number] = recorded.hash.hex()
                if not recorded.number % EVENTS_AT_ONCE:
                    await asyncio.sleep(0)
            await self._look_up_words(page)
        recomputed = self._table.recomputed
        found.rounds, found.cards_turned = recomputed.rounds, recomputed.cards_turned
        found.published = self._shoes.published if self._shoes else {}

    @property
    def _is_table(self) -> bool:
        return self._task.stream not in (HOUSE, CAGE) and self._shoes is None and self._limits is None

    def _follow(self, recorded: EventRecord, event: Event) -> bool:
        """Recompute one event; return whether a checkpoint may have been kept after it."""
        stream = self._task.stream
        if stream == HOUSE and self._house:
            self._house.take_in(event)
        elif stream == CAGE:
            self._cage.look_at(recorded.number, event)
        elif self._shoes:
            self._shoes.look_at(recorded.number, event)
        elif self._limits:
            self._limits.look_at(recorded.number, event)
        elif self._checkpoints:
            self._due = self._table.follow(recorded, event)
            return self._due or (self._stored is not None and self._stored.number == recorded.number)
        return False

    async def _compare(self) -> None:
        """Make a checkpoint that is kept again, and say if it differs, unless the log itself is at fault."""
        stored, checkpoints = self._stored, self._checkpoints
        if stored is None or checkpoints is None or stored.number != self._table.number:
            self._table.begin_next()
            return
        made = self._table.checkpoint(compressed=False) if self._due else None
        if not self.found.findings:
            await compare_checkpoint(self.found, stored, made, checkpoints, self._games)
        self._stored = await checkpoints.after_event(stored.number)

    async def _chained(self) -> AsyncIterator[Sequence[EventRecord]]:
        """Yield events while each follows from the one before; the first that does not is a finding."""
        number, before, stream = 0, FIRST_HASH, self._task.stream
        while page := await self._store.read(stream, number, PAGE):
            for place, recorded in enumerate(page):
                number += 1
                if recorded.number > self._task.end:
                    yield page[:place]
                    return
                if recorded.number != number:
                    yield page[:place]
                    self.found.find(number, "missing", next=recorded.number)
                    return
                if recorded.hash != hash_of(before, stream, number, recorded):
                    yield page[:place]
                    self.found.find(number, "altered")
                    return
                before = recorded.hash
            yield page

    async def _look_up_words(self, page: Sequence[EventRecord]) -> None:
        """Remember the words that are not there as they were written, or that the house has erased."""
        referring = [each for each in page if _MARK in each.body]
        there = {digest: each.number for each in referring for digest in digests_in(each.body)}
        kept = await self._store.words(there) if there else {}
        for digest, number in there.items():
            words = kept.get(digest)
            if words is None or words.is_erased or not words.agrees or f"{MARK}{digest}" in self._task.erased:
                self.found.words[digest] = number
