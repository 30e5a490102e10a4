"""The gaming floor: all tables of a house, as one process serves them.

It opens every table, tells those who watch, ends windows whose time is up, publishes shoes that have ended, notes the
heads of the logs, drives the tables that run by themselves, and takes in what other processes store.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any

from punto.rules.rulebook import Rulebook
from punto.server.cage import Cage, CageSide, Giver
from punto.server.realtime.feed import Feed
from punto.server.server_log import log
from punto.server.tables.shoe_keeper import Dealt, ShoeKeeper, cards_dealt
from punto.server.tables.stream_follower import NONSENSE, Clock, StreamClosed
from punto.server.tables.table_actor import Answered, Done, Happened, Key, TableService, answer_of
from punto.store.codec import UnknownEvent
from punto.store.events.cage_events import CAGE
from punto.store.events.house_events import HOUSE, AutomationSet, HeadNoted, StoreMade, TableCreated
from punto.store.events.shoe_events import SHOES
from punto.store.house import SYSTEM, House
from punto.store.keys import Keys
from punto.store.protocol import Store
from punto.store.records import Append, Conflict, Recorded, Written
from punto.table.command import Command
from punto.table.guidance.dealer_automation import AUTOMATON, Step
from punto.table.play.chips import BuyIn, CashOut
from punto.table.play.dealing import CardExposed
from punto.table.play.shoes import LoadShoe, ShoeEnded, ShoeLoaded
from punto.table.play.windows import WindowElapsed
from punto.table.refusal import Refusal, refuse
from punto.table.roles import Actor, Role
from punto.table.settings import Device
from punto.table.table import Table

_THROUGH_THE_CAGE = (BuyIn, CashOut)
POLLED_EACH = 1.0
"""Seconds: how often one looks for what others stored, should their notice be lost."""


@dataclass(slots=True, eq=False)
class ServedTable:
    """A table with all that belongs to it."""

    name: str
    service: TableService
    keeper: ShoeKeeper
    feed: Feed
    steps: frozenset[Step] = frozenset()
    """What is done by itself."""
    driven: bool = False
    """Whether somebody is there to do it."""
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    """Set whenever something has happened."""
    dealt: Dealt | None = None
    """The cards exposed from the shoe in use, if this process has seen it from its beginning."""
    timer: asyncio.TimerHandle | None = None
    """For the deadline of the window that is open."""
    timed: int | None = None
    """Which window that is."""

    @property
    def table(self) -> Table:
        return self.service.table

    @property
    def book(self) -> Rulebook:
        return self.service.book


class _Service(TableService):
    """A table with its shoes: to catch up is to know both, so that any process can expose the next card."""

    def __init__(self, keeper: ShoeKeeper, *about: Any) -> None:
        super().__init__(*about)
        self._keeper = keeper

    async def _catch_up(self) -> bool:
        moved = await super()._catch_up()
        if moved and not self._has_unknown_cards():
            return True
        return await self._keeper.catch_up() or moved

    def _has_unknown_cards(self) -> bool:
        shoe = self.table.shoe
        if shoe is None or self.table.set_up.device not in (Device.SEALED, Device.CARD_READING):
            return False
        return not self._keeper.knows(shoe.name)


class Floor:
    """All tables of a house."""

    def __init__(self, store: Store, keys: Keys, clock: Clock, games: dict[str, Rulebook]) -> None:
        self.store, self._keys, self.clock, self.games = store, keys, clock, games
        self.house = House(store, keys)
        self.cage = Cage(store, clock)
        self.tables: dict[str, ServedTable] = {}
        self.created: dict[str, str] = {}
        """Every table the house has been given, served here or not, and the key of its game."""
        self.closed: dict[str, int] = {}
        """Streams that cannot be followed, and at which event: what depends on them is not served."""
        self.automatic: Callable[[ServedTable], Coroutine[Any, Any, None]] | None = None
        """Drives a table that runs by itself."""
        self._house_number = 0
        self._names = {HOUSE, CAGE}
        """Names no other table can have: of all tables, served here or not, and of what is none."""
        self._house_alone = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        self.stopping = False

    async def start(self) -> None:
        """Open the house and every table of it.

        A stream with an event that cannot be read or followed closes what depends on it, and the rest is served: the
        cage's stream closes accounts, buy-ins and cash-outs; a table's that table; the house's every table that was
        created after the event.
        """
        try:
            self.house = await House.open(self.store, self._keys, self.clock())
        except UnknownEvent:
            log.error("the house does not say which key it was made with")  # to follow it closes it
        await self._catch_up(self.cage)
        await self._follow_house()
        self.store.listen(self._others_stored)
        if self.store.shared:
            self.spawn(self._poll())

    async def stop(self) -> None:
        """Take on nothing more and finish what was taken on."""
        self.stopping = True
        for served in self.tables.values():
            if served.timer:
                served.timer.cancel()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for served in self.tables.values():
            await served.service.stop()
            served.feed.flush()

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something beside everything else, as long as the floor is open."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._work_ended)

    def _work_ended(self, task: asyncio.Task[None]) -> None:
        """Nobody waits for this work, so what goes wrong with it is at least written down."""
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            log.error("work on the floor failed", exc_info=error)

    # --- tables ----------------------------------------------------------------------------------------------------

    async def create_table(self, name: str, book: Rulebook, steps: Collection[Step] = ()) -> None:
        """Give the house a table more; of several who ask for the same name at once one gets it."""
        made = Written.of(TableCreated(name, book.key, book.digest), self.clock(), *SYSTEM)
        while True:
            await self._follow_open_house()
            if not self._can_be_a_table(name):
                raise ValueError(f"there is a table {name} already, or it can be no table's name")
            try:
                await self.store.append([Append(HOUSE, self._house_number, [made])])
            except Conflict:
                continue  # somebody was quicker, perhaps with this very name
            break
        if steps:
            await self.house.automate(name, steps, self.clock())
        await self._follow_house()

    async def automate(self, name: str, steps: Collection[Step]) -> None:
        """Have some of the Dealer's work at a table done by itself."""
        await self._follow_open_house()
        await self.house.automate(name, steps, self.clock())
        await self._follow_house()

    async def _follow_open_house(self) -> None:
        """Follow the house's stream, and raise ``StreamClosed`` if it cannot be followed to its end."""
        await self._follow_house()
        if HOUSE in self.closed:
            raise StreamClosed(HOUSE, self.closed[HOUSE])

    async def _follow_house(self) -> None:
        async with self._house_alone:
            while page := await self.store.read(HOUSE, self._house_number):
                for recorded in page:
                    try:
                        await self._take_in_house(recorded)
                    except NONSENSE:
                        self._close(StreamClosed(HOUSE, recorded.number))
                    self._house_number = recorded.number

    async def _take_in_house(self, recorded: Recorded) -> None:
        """Open what the house was given. After an event that cannot be followed a table is known, but not opened."""
        match recorded.event:
            case TableCreated(table=name, game=game, digest=digest) if self._can_be_a_table(name):
                self._names.add(name)
                self.created[name] = game
                if HOUSE not in self.closed:
                    await self._open(name, digest)
            case AutomationSet(table=name, steps=steps) if name in self.created:
                named = frozenset(map(Step, steps))
                if HOUSE not in self.closed and name in self.tables:
                    self._automate(self.tables[name], named)
            case StoreMade() if recorded.number == 1:
                pass
            case HeadNoted():
                pass
            case _:
                raise ValueError("is nothing that happens to the house")

    def _can_be_a_table(self, name: str) -> bool:
        return name not in self._names and name.replace("-", "").isalnum()

    async def _catch_up(self, stream: Cage | ShoeKeeper | TableService) -> None:
        """Let it take in what was stored; close it if that cannot be followed."""
        try:
            await stream.catch_up()
        except StreamClosed as closed:
            self._close(closed)

    def _close(self, closed: StreamClosed) -> None:
        """Serve no more what depends on a stream; an auditor is told at which event."""
        if closed.stream in self.closed:
            return
        self.closed[closed.stream] = closed.event
        log.error("stream closed", stream=closed.stream, number=closed.event, exc_info=closed.__cause__)
        if served := self.tables.pop(closed.stream.removesuffix(SHOES), None):
            served.steps = frozenset()  # whoever drives it ends
            served.changed.set()
            if served.timer:
                served.timer.cancel()

    async def _open(self, name: str, digest: str) -> None:
        book = next((book for book in self.games.values() if book.digest == digest), None)
        if book is None:
            log.error("table not served", table=name, why="its game, or this version of it, is not known here")
            return
        keeper = ShoeKeeper(self.store, self._keys, name, self.clock)
        about = (self.store, name, book, self.clock, keeper.card_if_known, lambda told: self._heard(name, told))
        service = _Service(keeper, *about)
        try:
            await keeper.catch_up()
            await service.start()
        except StreamClosed as closed:
            self._close(closed)
            return
        feed = Feed(name, service.table, service.number, keeper.card_if_known)
        served = self.tables[name] = ServedTable(name, service, keeper, feed)
        self._watch_deadline(served)
        self._end_shoes(served)

    def _automate(self, served: ServedTable, steps: frozenset[Step]) -> None:
        served.steps = steps
        served.changed.set()
        if served.steps and not served.driven and self.automatic:
            served.driven = True
            self.spawn(self._drive(served, self.automatic))

    async def _drive(self, served: ServedTable, automatic: Callable[[ServedTable], Coroutine[Any, Any, None]]) -> None:
        """Whoever is still at the table when its steps are set anew goes on: two would be in each other's way."""
        try:
            await automatic(served)
        finally:
            served.driven = False

    # --- commands --------------------------------------------------------------------------------------------------

    async def give(
        self, served: ServedTable, command: Command, key: Key | None = None, giver: Giver | None = None
    ) -> Done | Refusal:
        """Have a command carried out at a table, with what belongs to it elsewhere."""
        return await answer_of(lambda answered: self.post(served, command, answered, key, giver))

    def post(
        self,
        served: ServedTable,
        command: Command,
        answered: Answered,
        key: Key | None = None,
        giver: Giver | None = None,
    ) -> None:
        """The same for somebody who does not wait: he is told."""
        if isinstance(command, _THROUGH_THE_CAGE):
            self._through_the_cage(served, command, answered, key, giver)
        elif isinstance(command, LoadShoe):
            served.service.post(command, answered, key, giver, served.keeper)
        else:
            served.service.post(command, answered, key, giver)

    def _through_the_cage(
        self, served: ServedTable, command: BuyIn | CashOut, answered: Answered, key: Key | None, giver: Giver | None
    ) -> None:
        """A patron moves his own money between his account and the table, for which the table needs a Dealer."""
        by = giver or (command.by.id, command.by.role.value)
        himself = command.by.role is Role.PATRON
        if himself:
            if command.by.id != command.patron:
                answered(refuse("not-your-chips"))
                return
            kind = type(command)
            dealer = Actor("cage", Role.DEALER)
            command = kind(
                dealer, command.patron, command.amount, at=command.at, in_round=command.in_round,
                in_window=command.in_window,
            )  # fmt: skip
        side = CageSide(self.cage, served.name, by, from_account=himself)
        served.service.post(command, answered, key, by, side)

    # --- what happens ----------------------------------------------------------------------------------------------

    def _heard(self, name: str, told: Sequence[Happened]) -> None:
        served = self.tables.get(name)
        if served is None:
            return  # still being opened
        served.feed.heard(told)
        served.changed.set()
        for each in told:
            event = each.event
            if isinstance(event, CardExposed) and served.dealt is not None:
                served.dealt.append((each.table.round.hands[event.hand][event.place].index, event.card))
            elif isinstance(event, ShoeLoaded):
                served.dealt = []
                self.spawn(self._note_heads(served))
            elif isinstance(event, ShoeEnded):
                self._end_shoes(served, event.shoe)
        self._watch_deadline(served)

    def _watch_deadline(self, served: ServedTable) -> None:
        """See to it that a window ends when its time is up, whoever opened it."""
        window = served.table.window
        number = window.number if window and window.deadline is not None else None
        if number == served.timed:
            return
        if served.timer:
            served.timer.cancel()
            served.timer = None
        served.timed = number
        if window and window.deadline is not None and not self.stopping:
            wait = max(0, window.deadline - self.clock()) / 1000
            ends = WindowElapsed(AUTOMATON, in_window=number)
            served.timer = asyncio.get_running_loop().call_later(wait, lambda: self._elapsed(served, ends))

    def _elapsed(self, served: ServedTable, ends: WindowElapsed) -> None:
        """Clocks are not exact, and a database may be away: if it is too early, or not stored, once more."""

        async def tell() -> None:
            try:
                answer = await served.service.give(ends)
            except Exception as error:
                log.warning("window not ended", table=served.name, why=type(error).__name__)
                await asyncio.sleep(POLLED_EACH)
                self._elapsed(served, ends)
                return
            if isinstance(answer, Refusal) and answer.code == "deadline-not-passed":
                await asyncio.sleep(0.01)
                self._elapsed(served, ends)

        if not self.stopping:
            self.spawn(tell())

    # --- shoes that end --------------------------------------------------------------------------------------------

    def _end_shoes(self, served: ServedTable, shoe: str | None = None) -> None:
        dealt, served.dealt = served.dealt, None
        self.spawn(self._publish_shoes(served, shoe, dealt))

    async def _publish_shoes(self, served: ServedTable, dealt_from: str | None, dealt: Dealt | None) -> None:
        """Publish shoes that have ended, and note how far the logs have come.

        Which shoe is in use is asked of the table after its shoes were: were the table older, the shoe that another
        process has just put on it would be taken for one that has ended, and its secret told.
        """
        if not await self.store.lead(SHOES):
            return
        await served.keeper.catch_up()
        opened = served.keeper.unpublished(None)
        await served.service.catch_up()
        in_use = served.table.shoe.name if served.table.shoe else None
        ended = [shoe for shoe in opened if shoe != in_use]
        for shoe in ended:
            cards = dealt if shoe == dealt_from else None
            if cards is None:
                cards = await cards_dealt(self.store, served.name, Table(served.book), shoe)
            await served.keeper.publish(shoe, cards)
        if ended or dealt is not None:
            await self._note_heads(served)

    async def _note_heads(self, served: ServedTable) -> None:
        """Note how far a table's logs have come: they can no longer be dropped, or cut off before here, unnoticed."""
        if await self.store.lead(SHOES):  # one process does it for all
            heads = await self.store.heads([served.name, f"{served.name}{SHOES}", CAGE])
            await self.house.note_heads([name for name, number in heads.items() if number], self.clock())

    # --- other processes -------------------------------------------------------------------------------------------

    def _others_stored(self, streams: Collection[str]) -> None:
        if not self.stopping:
            self.spawn(self._take_in_others(streams))

    async def _take_in_others(self, streams: Collection[str]) -> None:
        if not streams or HOUSE in streams:
            await self._follow_house()
        for stream in streams or list(self.tables):
            served = self.tables.get(stream.removesuffix(SHOES))
            if served:
                await self._catch_up(served.keeper if stream.endswith(SHOES) else served.service)

    async def _poll(self) -> None:
        """Look each second, also after the database was away for a while."""
        led = False
        while True:
            await asyncio.sleep(POLLED_EACH)
            try:
                if not led and (led := await self.store.lead(SHOES)):
                    for served in self.tables.values():  # what the process that did it before has left
                        self._end_shoes(served)
                known = {HOUSE: self._house_number} | {name: each.service.number for name, each in self.tables.items()}
                heads = await self.store.heads(list(known))
                if behind := [name for name, number in known.items() if heads[name] > number]:
                    await self._take_in_others(behind)
            except Exception as error:
                log.warning("not looked for what others stored", why=type(error).__name__)
