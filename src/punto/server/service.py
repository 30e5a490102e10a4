"""A table in service: one mailbox in a process, and across processes the number of the next event decides.

A command is decided against the state as far as it is known, and its events are appended where they are expected to
go. If another process was quicker, the table catches up and the command is decided again, afresh. What was stored for a
command is answered again to a retry with the same key, and nothing is done twice.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace

from punto.cards import Card
from punto.rules.rulebook import Rulebook
from punto.store.contract import Store
from punto.store.records import FIRST_HASH, Answer, Append, Conflict, Recorded, Repeated, Written
from punto.store.snapshots import from_snapshot, take_snapshot
from punto.table.commands import Command, ExposeCard, ExposeInError
from punto.table.decide import decide
from punto.table.evolve import evolve
from punto.table.refusals import Refusal, refuse
from punto.table.setting import Device
from punto.table.state import Table

PAGE = 5_000
EVENTS_BETWEEN_SNAPSHOTS = 2_000

Clock = Callable[[], int]
"""The time in milliseconds since 1970."""
CardAt = Callable[[str, int], Card]
"""The card of a shoe, by its number: asked for only when it is exposed."""


@dataclass(frozen=True, slots=True)
class Key:
    """By which a retry is known: the giver's own word for the command, and a digest of its body."""

    word: str
    digest: bytes


@dataclass(frozen=True, slots=True)
class Done:
    """What a command brought about, as it is stored."""

    events: tuple[Recorded, ...]
    repeated: bool = False
    """Whether it had been done before, and this is the answer again."""


class TableService:
    """One table, as one process serves it."""

    def __init__(self, store: Store, name: str, book: Rulebook, clock: Clock, card_at: CardAt | None = None) -> None:
        self.store, self.name, self.book = store, name, book
        self._clock, self._card_at = clock, card_at
        self.table, self.number, self._hash = Table(book), 0, FIRST_HASH
        self._kept = 0
        self._mailbox = asyncio.Lock()

    async def start(self) -> None:
        """Open the table: from its snapshot if there is one that fits, and then from the events after it."""
        snapshot = await self.store.snapshot(self.name)
        if snapshot:
            known = await self.store.read(self.name, snapshot.number - 1, 1) if snapshot.number else []
            table = from_snapshot(snapshot, self.book)
            if table is not None and known and known[0].hash == snapshot.hash:
                self.table, self.number, self._hash = table, snapshot.number, snapshot.hash
                self._kept = snapshot.number
        await self.catch_up()

    async def catch_up(self) -> list[Recorded]:
        """Take in what other processes have stored meanwhile."""
        found: list[Recorded] = []
        while page := await self.store.read(self.name, self.number, PAGE):
            for recorded in page:
                self._take_in(recorded)
            found += page
        return found

    def _take_in(self, recorded: Recorded) -> None:
        self.table = evolve(self.table, recorded.event)
        self.number, self._hash = recorded.number, recorded.hash

    async def give(self, command: Command, key: Key | None = None) -> Done | Refusal:
        """Carry a command out, or say why not. It is stored before it is answered."""
        async with self._mailbox:
            if key and (known := await self._answered(command, key)):
                return known
            while True:
                decided = decide(self.table, self._complete(command))
                if isinstance(decided, Refusal):
                    if await self.catch_up():
                        continue  # a refusal counts only if it was made by the newest state
                    return decided
                written = [Written.of(event, self._clock(), command.by.id, command.by.role.value) for event in decided]
                answer = self._answer(command, key, len(written))
                try:
                    stored = await self.store.append([Append(self.name, self.number, written)], answer)
                except Conflict:
                    await self.catch_up()
                    continue
                except Repeated as before:
                    return await self._again(before.answer, key)
                for recorded in stored:
                    self._take_in(recorded)
                await self._keep_snapshot()
                return Done(tuple(stored))

    def _complete(self, command: Command) -> Command:
        """With the time it was given and, on a shoe that is known, the card that the state names."""
        stamped = command if command.at is not None else replace(command, at=self._clock())
        table = self.table
        known = table.setting is not None and table.set_up.device is Device.SEALED and self._card_at is not None
        if not known or not isinstance(stamped, ExposeCard | ExposeInError) or table.shoe is None:
            return stamped
        places = table.hands[stamped.hand]
        if not 0 <= stamped.place < len(places):
            return stamped
        assert self._card_at is not None
        return replace(stamped, card=self._card_at(table.shoe.name, places[stamped.place].index))

    # --- retries ---------------------------------------------------------------------------------------------------

    def _answer(self, command: Command, key: Key | None, count: int) -> Answer | None:
        if key is None:
            return None
        return Answer(command.by.id, key.word, key.digest, self.name, self.number + 1, self.number + count)

    async def _answered(self, command: Command, key: Key) -> Done | Refusal | None:
        answer = await self.store.answer(command.by.id, key.word)
        return await self._again(answer, key) if answer else None

    async def _again(self, answer: Answer, key: Key | None) -> Done | Refusal:
        """The first answer once more, if it is the same command."""
        if key is None or answer.digest != key.digest or answer.stream != self.name:
            return refuse("key-used")
        await self.catch_up()
        stored = await self.store.read(self.name, answer.first - 1, answer.last - answer.first + 1)
        return Done(tuple(stored), repeated=True)

    async def _keep_snapshot(self) -> None:
        if self.number - self._kept >= EVENTS_BETWEEN_SNAPSHOTS:
            self._kept = self.number
            await self.store.keep(take_snapshot(self.name, self.number, self._hash, self.table))
