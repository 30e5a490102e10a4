"""Resume a house whose database went back in time, once a person accepts it by name.

No card is dealt twice: a round under way is void, and every shoe in use or prepared is ended and published, all
before the house takes commands again. If this stops halfway the house is still closed, and it is done again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from punto.rules.rulebook import Rulebook
from punto.server.access.identity import Person
from punto.server.refused import Refused
from punto.server.tables.floor import Floor
from punto.server.tables.served_table import ServedTable
from punto.server.tables.shoe_keeper import cards_dealt
from punto.server.tables.table_actor import outcome
from punto.store.events.cage_events import CAGE
from punto.store.events.house_events import HouseClosed, HouseResumed, LostTail
from punto.store.events.shoe_events import SHOES
from punto.store.house import check_key, record
from punto.store.protocol import Store
from punto.store.records import Append, EventRecord, StoreError
from punto.store.trust.custody import Custody, custody_of, doubt, resumption
from punto.store.trust.keys import Keys
from punto.store.trust.mark import mark_files
from punto.table.command import Command
from punto.table.irregularities.referral import DecideReferral, Refer
from punto.table.play.second_person import ConfirmAct
from punto.table.play.shoes import ShoeEnded
from punto.table.refusal import Refusal
from punto.table.roles import Actor, Role
from punto.table.round import Phase
from punto.table.table import Table

CARDS_KNOWN = "cards-known"
"""Why a shoe ends: its cards may have been seen before."""


class CannotResume(StoreError):
    """The house cannot be resumed; the message says why."""


@dataclass(slots=True)
class Resumed:
    """What was done to resume a house."""

    epoch: int
    lost: tuple[LostTail, ...]
    rounds_void: dict[str, int] = field(default_factory=dict)
    """By table the round that was under way."""
    shoes_published: dict[str, list[str]] = field(default_factory=dict)
    """By table."""


class Resumption:
    """Ends everything whose cards may be known, and records that a person accepts the database."""

    def __init__(self, store: Store, keys: Keys, clock: Callable[[], int], games: dict[str, Rulebook]) -> None:
        self._store, self._keys, self._clock = store, keys, clock
        self._floor = Floor(store, keys, clock, games)

    async def run(self, place: Path, by: Person, second: Person | None, reason: str) -> Resumed:
        """Resume the house; raise ``CannotResume`` if it is not closed or something cannot be ended."""
        await check_key(self._store, self._keys)
        custody = await self._closed(place)
        assert custody.closed is not None
        assert isinstance(custody.closed.event, HouseClosed)
        done = Resumed(custody.epoch + 1, custody.closed.event.lost)
        self._store.closed = True  # the floor opens its tables, and does nothing about them
        await self._floor.start()
        await self._floor.opener.all_open.wait()
        self._store.closed = False
        try:
            self._check_tables()
            tables, self._floor.tables = self._floor.tables, {}  # so that the floor does not publish shoes as well
            for served in tables.values():
                await self._end(served, by, second, reason, done)
            signature = self._keys.sign(resumption(custody.house, done.epoch))
            event = HouseResumed(done.epoch, reason, signature, done.lost)
            await record(self._store, [event], self._clock(), (by.id, by.duty.value))
        finally:
            await self._floor.stop()
        for file in mark_files(place):
            file.unlink()
        return done

    async def _closed(self, place: Path) -> Custody:
        """Return how the house was closed; a restored one that was not served since is closed now."""
        custody = await custody_of(self._store, self._keys)
        if custody and custody.closed is None:
            alone = not self._store.shared or await self._store.lead(SHOES)
            if closed := await doubt(self._store, self._keys, place, custody, alone):
                await record(self._store, [closed], self._clock())
                custody = await custody_of(self._store, self._keys)
        if custody is None or custody.closed is None:
            raise CannotResume("the house is not closed: its database is as far as its mark")
        return custody

    def _check_tables(self) -> None:
        """Refuse to leave out a table whose game is not here: it could be served with its old shoe later."""
        unread = {stream.removesuffix(SHOES) for stream in self._floor.closed}
        if left := sorted(set(self._floor.created) - set(self._floor.tables) - unread):
            raise CannotResume(f"the game of table {left[0]} is not known; name its file with --game")

    async def _end(self, served: ServedTable, by: Person, second: Person | None, reason: str, done: Resumed) -> None:
        """Void the round under way, end the shoe, and publish every shoe that is not published yet."""
        giver = (by.id, by.duty.value)
        if served.table.phase is not Phase.IDLE:
            done.rounds_void[served.name] = served.table.round_number
            actor = Actor(by.id, Role.GAMING_SHIFT_MANAGER)
            await self._give(served, Refer(actor, matter=reason, reason=reason), second)
            await self._give(served, DecideReferral(actor, void=True, uncovered=reason, reason=reason), second)
        if served.table.shoe:
            ended = EventRecord.of(ShoeEnded(served.table.shoe.name, CARDS_KNOWN), self._clock(), *giver)
            await self._store.append([Append(served.name, served.actor.number, [ended])])
            await served.actor.catch_up()
        keeper = served.keeper
        await keeper.catch_up()
        for shoe in (*keeper.unpublished(None), *keeper.unused()):
            dealt = await cards_dealt(self._store, served.name, Table(served.book), shoe)
            await keeper.publish(shoe, dealt, giver)
            done.shoes_published.setdefault(served.name, []).append(shoe)
        heads = await self._store.heads([served.name, f"{served.name}{SHOES}", CAGE])
        await self._floor.house.note_heads([name for name, number in heads.items() if number], self._clock())

    async def _give(self, served: ServedTable, command: Command, second: Person | None) -> None:
        """Carry out a command, with a second person where the table asks for one."""
        waiting = len(served.table.proposed)
        answer = await outcome(served.actor.submit, command)
        if not isinstance(answer, Refusal) and len(served.table.proposed) > waiting:
            if second is None:
                raise CannotResume(f"table {served.name} asks for a second person: name one with --second")
            assert second.duty.role is not None
            answer = await outcome(served.actor.submit, ConfirmAct(Actor(second.id, second.duty.role)))
        if isinstance(answer, Refusal):
            raise Refused(answer)
