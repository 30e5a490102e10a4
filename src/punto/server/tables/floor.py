"""The gaming floor: all tables of a house in one process.

It opens every table, feeds subscribers, ends windows, publishes shoes that have ended, records signed heads, starts the
drivers of automatic tables, and takes in what other processes store: of tables watched or driven here at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Coroutine, Sequence
from functools import partial
from typing import Any

from msgspec.structs import replace

from punto.rules.rulebook import Rulebook
from punto.server.cash.cage import Cage, CageCompanion
from punto.server.cash.debt_book import DebtBook
from punto.server.cash.slips import SlipCompanion, command_of
from punto.server.designer.saved_games import SavedGames
from punto.server.patron_limits.limit_keeper import LimitedCompanion, LimitKeeper
from punto.server.patron_limits.stops import stop_of
from punto.server.realtime.feed import Feed
from punto.server.realtime.messages import DoneMessage, IdempotencyKey, MessageId
from punto.server.running.house_watch import HouseWatch
from punto.server.running.server_log import log
from punto.server.running.stopping import FINISH_WITHIN
from punto.server.tables.cut_times import TIME_TO_CUT
from punto.server.tables.house_stream import HouseStream
from punto.server.tables.other_processes import OtherProcesses
from punto.server.tables.pending_command import Answered, Giver
from punto.server.tables.served_table import ServedTable
from punto.server.tables.shoe_keeper import Dealt, ShoeKeeper, cards_dealt
from punto.server.tables.signed_notes import SignedNotes
from punto.server.tables.stream_follower import DOES_NOT_FOLLOW, NOT_AS_STORED, Clock, StreamClosed
from punto.server.tables.stream_snapshots import drop, restore
from punto.server.tables.table_actor import TableActor, outcome
from punto.server.tables.table_opener import TableOpener
from punto.store.codec import UnknownEvent, encoder
from punto.store.events.cage_events import CAGE
from punto.store.events.design_events import GameSaved
from punto.store.events.house_events import (
    HOUSE,
    ONLY_RECORDED,
    AutomationSet,
    SettingsChanged,
    StoreMade,
    TableCreated,
    WordsErased,
)
from punto.store.events.shoe_events import SHOES
from punto.store.house import SYSTEM, House
from punto.store.house import record as record_of_house
from punto.store.house_journal import HouseJournal
from punto.store.house_settings import HouseSettings
from punto.store.protocol import Store
from punto.store.records import Append, Conflict, Damaged, EventRecord
from punto.store.slip_book import Slip
from punto.store.trust.house_trust import HouseTrust
from punto.store.trust.keys import Keys
from punto.store.words import KnownWords
from punto.table.command import Command
from punto.table.event import Event
from punto.table.guidance.dealer_automation import Step, ended_by
from punto.table.irregularities.cards_taken import DetermineMissing
from punto.table.play.burn_cards import CardsBurned
from punto.table.play.chips import BuyIn, CashOut, Credit, Fill
from punto.table.play.dealing import CardExposed
from punto.table.play.debts import DebtCollected, PayDebt
from punto.table.play.shoes import LoadShoe, ShoeEnded, ShoeLoaded
from punto.table.play.unread_card import ConfirmCard
from punto.table.play.wagers import OpenBets, PlaceWager
from punto.table.play.windows import WindowElapsed
from punto.table.refusal import Refusal, refuse
from punto.table.roles import AUTOMATON, Actor, Role
from punto.table.roles import CAGE as CAGE_ACTOR
from punto.table.table import Table
from punto.table.views import staff

_THROUGH_THE_CAGE = (BuyIn, CashOut)
_BY_SLIP = (Fill, Credit)
_ABOUT_A_SHOE = (LoadShoe, DetermineMissing, ConfirmCard)
"""What is stored in the shoes' stream too: that a shoe is used, and cards that people tell the house."""
_SPECIAL = frozenset({*_THROUGH_THE_CAGE, *_BY_SLIP, *_ABOUT_A_SHOE, PayDebt})
"""The commands that a table does not get as they come, or not alone."""
_WAGERING = (OpenBets, PlaceWager)
"""What is refused where the house has stopped gaming."""
_FOLLOWED_UP = frozenset(kind.__name__ for kind in (CardExposed, CardsBurned, ShoeLoaded, ShoeEnded, DebtCollected))
"""The events after which something is done beside the table."""
LAST_NOTES, LAST_NOTES_BY = 2.0, FINISH_WITHIN - 0.5
"""Seconds that a server which stops takes at most to keep how far its streams are verified, and by when it ends that:
where the last commands took long, this is not to make it look as if they were not stored."""
RETRIED_EACH = 1.0
"""Seconds between tries while the database is away."""


class Floor:
    """All tables of a house."""

    def __init__(self, store: Store, keys: Keys, clock: Clock, games: dict[str, Rulebook]) -> None:
        self.store, self._keys, self.clock, self.games = store, keys, clock, games
        self.saved, self.house = SavedGames(games), House(store, keys)
        self.cage = Cage(store, clock)
        self.words = KnownWords()
        self.debts = DebtBook(store, self.cage, clock)
        self.limits = LimitKeeper(store, self.cage, clock)
        self.limits.tables, self.limits.changed = self.debts.tables, self.follow
        self.limits.find_tables = self.follow_house
        self.tables: dict[str, ServedTable] = {}
        self.created: dict[str, str] = {}
        """Every table of the house, served here or not, and the key of its game."""
        self.closed: dict[str, int] = {}
        """Streams that cannot be followed, and at which event: what depends on them is not served."""
        self.automatic: Callable[[ServedTable], Coroutine[Any, Any, None]] | None = None
        """Drives the automatic steps of a table."""
        self.pause: float | None = None
        """Seconds from a settlement to the next betting, where the automaton takes both steps."""
        self.time_to_cut = TIME_TO_CUT
        """Milliseconds that patrons have to commit to a cut, and then to reveal, where staff conduct it."""
        self.watch = HouseWatch(store, keys, clock)
        self.trust = HouseTrust(store, keys)
        """What the house has signed of its streams."""
        self.house_stream = HouseStream(store, self._take_in_house, self.close, self._begin_house)
        self.reasons: dict[str, str] = {}
        """Why streams are closed: the code of the finding an audit reports."""
        self.opener = TableOpener(self, keys)
        self.notes = SignedNotes(self)
        self.others = OtherProcesses(self)
        self._steps: dict[str, frozenset[Step]] = {}
        """By table the Dealer's steps that the house has made automatic."""
        self._names: set[str] = set()
        """Names that no new table can have: those of all tables and of the other streams."""
        self._tasks: set[asyncio.Task[None]] = set()
        self.stopping = False
        self._begin_house(self.journal)

    async def start(self, practice: bool = False) -> None:
        """Open the house and every table of it; one that is made now is made for ``practice``, or not.

        Every stream is verified as it is read. One that is not what was stored, or has an event that cannot be read or
        followed, closes what depends on it, and the rest is served: the cage's stream closes accounts, buy-ins and
        cash-outs; a table's that table; the house's every table or, if all of it is what was stored, those created
        after the event that cannot be followed.
        """
        await self.trust.load()
        await restore(self.trust, HOUSE, self.house_stream)  # before anything is compared with the house's last event
        try:
            self.house = await House.open(self.store, self._keys, self.clock(), practice)
            await self.watch.begin(self.stand_still)
        except (UnknownEvent, Damaged):
            log.error("the house does not say which key it was made with")  # to follow it closes it
        await self._follow_house_at_start()
        if not self.house_stream.chain.number:
            self.close(StreamClosed(HOUSE, 1, "gone"))
        if self.reasons.get(HOUSE) in NOT_AS_STORED:
            self.opener.waiting.clear()
        try:
            await self.cage.restore(self.trust)
            await self.cage.follow_log(self.trust)
        except StreamClosed as closed:
            self.close(closed)
        await self.opener.open_at_start()
        self.store.listen(self.others.hear)
        self.notes.keep_on()
        if self.store.shared:
            self.spawn(self.others.poll())

    async def _follow_house_at_start(self) -> None:
        """Follow the house from its snapshot; if the log does not follow from that, from its first event."""
        await self.house_stream.follow()
        if self.house_stream.snapshot_at and self.reasons.get(HOUSE) == DOES_NOT_FOLLOW:
            log.error("snapshot dropped", stream=HOUSE)
            del self.closed[HOUSE], self.reasons[HOUSE]
            drop(self.trust, HOUSE, self.house_stream)
            await self.house_stream.follow()

    async def stop(self) -> None:
        """Accept no more commands, and finish those that were accepted."""
        self.stopping, began = True, asyncio.get_running_loop().time()
        for served in self.tables.values():
            if served.timer:
                served.timer.cancel()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for served in list(self.tables.values()):
            await served.actor.stop()
            served.feed.flush()
        await self._finish_notes(began + LAST_NOTES_BY)

    async def _finish_notes(self, by: float) -> None:
        try:
            async with asyncio.timeout_at(by), asyncio.timeout(LAST_NOTES):
                await self.notes.finish()
        except Exception as error:  # nothing but how much the next start reads depends on it
            log.warning("points not kept", error=type(error).__name__)

    def abandon(self) -> None:
        """Tell senders whose commands are not stored in time that it is not known what becomes of them."""
        for served in self.tables.values():
            served.actor.abandon()

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a background task while the floor is open."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._work_ended)

    async def done_at_last(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Do background work that nothing else would do later; while the database is away, try again."""
        while True:
            try:
                return await work()
            except self.store.away as error:
                log.warning("the database is away", error=type(error).__name__)
                await asyncio.sleep(RETRIED_EACH)

    def _work_ended(self, task: asyncio.Task[None]) -> None:
        """Log the error of a background task, for which nobody waits."""
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            log.error("work on the floor failed", exc_info=error)

    # --- tables ----------------------------------------------------------------------------------------------------

    async def create_table(
        self, name: str, book: Rulebook, steps: Collection[Step] = (), giver: Giver = SYSTEM
    ) -> None:
        """Add a table to the house; of several requests for one name at once, one succeeds."""
        while True:
            await self.follow_open_house()
            if not self._can_be_a_table(name):
                raise ValueError(f"there is a table {name} already, or it can be no table's name")
            try:
                newest = self.games.get(book.key, book)  # another version may have been saved meanwhile
                await self.house.create_table(name, newest, self.clock(), self.house_stream.chain.number, giver)
            except Conflict:
                continue  # another process appended first, perhaps with this very name
            break
        if steps:
            await self.house.automate(name, steps, self.clock(), (), giver)
        await self.follow_house()

    async def automate(self, name: str, steps: Collection[Step], giver: Giver = SYSTEM) -> None:
        """Set which of the Dealer's steps are automatic at a table."""
        await self.follow_open_house()
        before = self.tables[name].steps if name in self.tables else ()
        await self.house.automate(name, steps, self.clock(), before, giver)
        await self.follow_house()

    async def change_settings(self, settings: HouseSettings, seen: HouseSettings, giver: Giver) -> bool:
        """Record the settings of the house; return False if they are not, or no more, as the person saw them."""
        while True:
            await self.follow_open_house()
            if self.settings != seen:
                return False
            changed = EventRecord.of(SettingsChanged(settings, seen), self.clock(), *giver)
            try:
                await self.store.append([Append(HOUSE, self.house_stream.chain.number, [changed])])
            except Conflict:
                continue  # another process appended first, perhaps other settings
            await self.follow_house()
            return True

    def settings_at(self, at: int) -> HouseSettings:
        """Return the settings of the house that held at a time."""
        return next(settings for since, settings in reversed(self.journal.settings_since) if since <= at)

    @property
    def journal(self) -> HouseJournal:
        """What the house's stream says of its tables, settings, notes and lessons."""
        return self.house_stream.journal

    @property
    def settings(self) -> HouseSettings:
        """What the house has set last."""
        return self.journal.settings

    async def read_journal(self) -> HouseJournal:
        """Return the journal of the house, up to its last event."""
        await self.follow_house()
        return self.journal

    async def record(self, event: Event, giver: Giver) -> None:
        """Record what a person did in the house's stream, and follow it."""
        await self.follow_open_house()
        await record_of_house(self.store, [event], self.clock(), giver)
        await self.follow_house()

    async def follow_open_house(self) -> None:
        """Follow the house's stream, and raise ``StreamClosed`` if it cannot be followed to its end."""
        await self.follow_house()
        if HOUSE in self.closed:
            raise StreamClosed(HOUSE, self.closed[HOUSE])

    async def follow_house(self) -> None:
        """Take in what was stored in the house's stream, and open tables that are new."""
        await self.house_stream.follow()
        await self.opener.open_new()

    def _begin_house(self, journal: HouseJournal) -> None:
        """Begin with what the house's stream has said so far; no event of it was one that cannot be followed."""
        self.saved.begin(journal)
        self._names = {HOUSE, CAGE, *journal.tables}
        self.created = {name: each.game for name, each in journal.tables.items()}
        self.opener.waiting = {name: each.digest for name, each in journal.tables.items()}
        self._steps = {name: frozenset(map(Step, steps)) for name, steps in journal.automation.items()}
        self.trust.noted = journal.heads

    def _take_in_house(self, recorded: EventRecord) -> None:
        """Follow what the house was given. After an event that cannot be followed a table is known, but not opened."""
        self.watch.take_in(recorded)
        match recorded.event:
            case TableCreated(table=name, game=game, digest=digest) if self._can_be_a_table(name):
                self._names.add(name)
                self.created[name] = game
                if HOUSE not in self.closed:
                    self.opener.waiting[name] = digest
            case GameSaved() as saved:
                self.saved.take_in(saved)
            case AutomationSet(table=name, steps=steps) if name in self.created:
                self._set_automation(name, frozenset(map(Step, steps)))
            case event if isinstance(event, ONLY_RECORDED):
                pass  # at most in the journal
            case WordsErased(words=words):
                self.words.forget(words)
            case other if not (isinstance(other, StoreMade) and recorded.number == 1):
                raise ValueError("is nothing that happens to the house")

    def _can_be_a_table(self, name: str) -> bool:
        return name not in self._names and name.replace("-", "").isalnum()

    async def catch_up(self, stream: Cage | ShoeKeeper | TableActor) -> None:
        """Let it take in what was stored; close it if that cannot be followed."""
        try:
            await stream.catch_up()
        except StreamClosed as closed:
            self.close(closed)

    def close(self, closed: StreamClosed) -> None:
        """Serve no more what depends on a stream; an auditor is told at which event."""
        if closed.stream in self.closed:
            return
        self.closed[closed.stream], self.reasons[closed.stream] = closed.event, closed.reason
        log.error(
            "stream closed", stream=closed.stream, number=closed.event, reason=closed.reason, exc_info=closed.__cause__
        )
        self.debts.tables.pop(closed.stream.removesuffix(SHOES), None)
        if served := self.tables.pop(closed.stream.removesuffix(SHOES), None):
            served.steps = frozenset()  # its driver ends
            served.changed.set()
            if served.timer:
                served.timer.cancel()

    def stand_still(self) -> None:
        """Stop whatever is automatic: the house is closed."""
        for served in self.tables.values():
            served.steps = frozenset()
            served.changed.set()
            self._watch_deadline(served)

    async def serve(self, actor: TableActor, keeper: ShoeKeeper) -> None:
        """Serve a table that has been read to its end."""
        name = actor.name
        await self.words.look_up(self.store, encoder.encode(staff(actor.table)))
        feed = Feed(name, actor.table, actor.number, keeper.card_if_known, self.words)
        served = self.tables[name] = ServedTable(name, actor, keeper, feed)
        self._watch_deadline(served)
        self.end_shoes(served)
        if name in self._steps and not self.store.closed:
            self._automate(served, self._steps[name])

    def _set_automation(self, name: str, steps: frozenset[Step]) -> None:
        if HOUSE in self.closed:
            return
        self._steps[name] = steps
        if name in self.tables and not self.store.closed:
            self._automate(self.tables[name], steps)

    def _automate(self, served: ServedTable, steps: frozenset[Step]) -> None:
        served.steps = steps
        self._watch_deadline(served)
        served.changed.set()
        if served.steps and not served.driven and self.automatic:
            served.driven = True
            self.spawn(self._drive(served, self.automatic))

    async def _drive(self, served: ServedTable, automatic: Callable[[ServedTable], Coroutine[Any, Any, None]]) -> None:
        """Run the driver of a table; there is one at a time, also when its steps are changed meanwhile."""
        try:
            await automatic(served)
        finally:
            served.driven = served.leading = False

    async def lead(self, served: ServedTable) -> bool:
        """Become the process that drives a table, by its newest state; False if another process does."""
        served.leading = await self.store.lead(f"table {served.name}")
        if served.leading:
            await self.others.refresh(served)
            self._watch_deadline(served)
        return served.leading

    # --- commands --------------------------------------------------------------------------------------------------

    def submit(
        self,
        answered: Answered,
        served: ServedTable,
        command: Command,
        key: IdempotencyKey | None = None,
        giver: Giver | None = None,
        id_: MessageId = None,
    ) -> None:
        """Submit a command to a table's actor, with its companion in another stream where it has one."""
        if (
            self.journal.stops
            and type(command) in _WAGERING
            and (stopped := stop_of(self.journal, served.book.key, served.name))
        ):
            answered(stopped)
        elif type(command) not in _SPECIAL:
            served.actor.submit(answered, command, key, giver, None, id_)
        elif isinstance(command, _THROUGH_THE_CAGE):
            self._submit_with_cage(answered, served, command, key, giver, id_)
        elif isinstance(command, _BY_SLIP):
            by = giver or (command.by.id, command.by.role.value)
            companion = SlipCompanion(self.cage, served.name, by, self.settings.slips_by_two)
            served.actor.submit(answered, replace(command, slip=0), key, by, companion, id_)
        elif isinstance(command, PayDebt):
            paid = replace(command, owed_at="") if command.owed_at == served.name else command
            served.actor.submit(answered, paid, key, giver, None, id_)
        else:  # about a shoe
            served.actor.submit(answered, command, key, giver, served.keeper, id_)

    def _submit_with_cage(
        self,
        answered: Answered,
        served: ServedTable,
        command: BuyIn | CashOut,
        key: IdempotencyKey | None,
        giver: Giver | None,
        id_: MessageId,
    ) -> None:
        """Move money over the table or, for a patron, between their account and the table: the cage is the Dealer."""
        by = giver or (command.by.id, command.by.role.value)
        from_account = command.by.role is Role.PATRON
        if from_account:
            if command.by.id != command.patron:
                answered(refuse("not-your-chips"))
                return
            command = replace(command, by=CAGE_ACTOR)
        cage_side = CageCompanion(self.cage, served.name, by, from_account, of_house=True)
        companion = LimitedCompanion(cage_side, self.limits, served.name, by)
        served.actor.submit(answered, command, key, by, companion, id_)

    async def transfer(
        self,
        served: ServedTable,
        patron: str,
        amount: int,
        to_table: bool,
        giver: Giver,
        key: IdempotencyKey | None = None,
    ) -> DoneMessage | Refusal:
        """Move money between a patron's account and chips at a table, as a person at the cage does for the patron."""
        command = (BuyIn if to_table else CashOut)(CAGE_ACTOR, patron, amount)
        cage_side = CageCompanion(self.cage, served.name, giver, from_account=True, of_house=True)
        companion = LimitedCompanion(cage_side, self.limits, served.name, giver)
        answer = await outcome(served.actor.submit, command, key, giver, companion)
        assert not isinstance(answer, Exception)
        await self.cage.catch_up()
        return answer

    async def confirm_slip(self, slip: Slip, giver: Giver) -> Refusal | None:
        """Move the chips of a slip, as the second person confirms; return why not, if not."""
        served = self.tables.get(slip.table)
        if served is None:
            return refuse("unknown-table", table=slip.table)
        by = Actor(slip.asked.by, Role(slip.asked.position))
        command = command_of(slip.kind)(by, slip.amount, slip.pieces, slip.number)
        companion = SlipCompanion(self.cage, slip.table, giver, two_names=True)
        answer = await outcome(served.actor.submit, command, None, giver, companion)
        assert not isinstance(answer, Exception)
        await self.cage.catch_up()
        return answer if isinstance(answer, Refusal) else None

    # --- what happens ----------------------------------------------------------------------------------------------

    def published(self, name: str, records: Sequence[EventRecord], states: Sequence[Table], is_own: bool) -> None:
        """Pass on what was stored at a table: to its subscribers, its driver, its timers."""
        served = self.tables.get(name)
        if served is None:
            return  # still being opened
        # Where commands wait here too, subscribers are told of both at once.
        served.feed.publish(records, states[-1], more_follow=not is_own and served.actor.is_busy)
        served.changed.set()
        for record, table in zip(records, states, strict=True):
            if record.name in _FOLLOWED_UP:
                self._follow_up(served, record.event, table, is_own)
        self._watch_deadline(served, records[-1].at)

    def _follow_up(self, served: ServedTable, event: Event, table: Table, is_own: bool) -> None:
        """Do what follows an event beside the table: keep its cards, note heads, end shoes, follow debts."""
        match event:
            case CardExposed(hand=hand, place=place, card=card) if served.dealt is not None:
                served.dealt.append((table.round.hands[hand][place].index, card))
            case CardsBurned(first=first) if served.dealt is not None and first:
                served.dealt.append((0, first))
            case ShoeLoaded():
                self._begin_shoe(served, is_own)
            case DebtCollected(owed_at=owed_at):
                self.follow([owed_at])
            case ShoeEnded(shoe=shoe):
                self.end_shoes(served, shoe, is_own)

    def follow(self, tables: Collection[str]) -> None:
        """Have tables take in what was stored in their streams together with something else."""
        for name in tables:
            if served := self.tables.get(name):
                self.spawn(self.done_at_last(partial(self.catch_up, served.actor)))

    def _watch_deadline(self, served: ServedTable, now: int | None = None) -> None:
        """Set the timer at which an automaton makes the call that ends the open window.

        At a table with a Dealer there is none: the pages remind of the deadline, and the Dealer calls. Nor is there one
        at a table that only other processes follow. The time left is counted from the event that was just stored, since
        the clock of the process that stored it may differ.
        """
        window = served.table.window
        is_followed = served.is_needed or not self.store.shared
        automatic = window is not None and is_followed and ended_by(served.table) in served.steps
        number = window.number if automatic and window and window.deadline is not None else None
        if number == served.timed:
            return
        if served.timer:
            served.timer.cancel()
            served.timer = None
        served.timed = number
        if number is not None and window and window.deadline is not None and not self.stopping:
            wait = max(0, window.deadline - (now or self.clock())) / 1000
            ends = WindowElapsed(AUTOMATON, in_window=number, at=window.deadline)
            served.timer = asyncio.get_running_loop().call_later(wait, lambda: self._elapsed(served, ends))

    def _elapsed(self, served: ServedTable, ends: WindowElapsed) -> None:
        """End a window whose time has been counted here; try again if the store has failed."""

        async def tell() -> None:
            try:
                await outcome(served.actor.submit, ends)
            except Exception as error:
                log.warning("window not ended", table=served.name, error=type(error).__name__)
                await asyncio.sleep(RETRIED_EACH)
                self._elapsed(served, ends)

        if not self.stopping:
            self.spawn(tell())

    # --- shoes -----------------------------------------------------------------------------------------------------

    def _begin_shoe(self, served: ServedTable, is_own: bool) -> None:
        served.dealt = []
        if is_own:  # what another process has stored, that process notes
            self.spawn(self.done_at_last(partial(self.notes.note_heads, served)))

    def end_shoes(self, served: ServedTable, shoe: str | None = None, is_own: bool = False) -> None:
        """Publish shoes that have ended at a table, in the background."""
        dealt, served.dealt = served.dealt, None
        self.spawn(self.done_at_last(partial(self._publish_shoes, served, shoe, dealt, is_own)))

    async def _publish_shoes(
        self, served: ServedTable, dealt_from: str | None, dealt: Dealt | None, is_own: bool = False
    ) -> None:
        """Publish shoes that have ended, and record signed heads.

        The process that ended a shoe does, and one process for all others, should that one have died in between. The
        table is read after its shoes: an older state of the table would make a shoe that another process has just put
        on it look as if it had ended, and its secret would be published.
        """
        if self.store.closed or not (is_own or await self.store.lead(SHOES)):
            return
        await served.keeper.catch_up()
        opened = served.keeper.unpublished(None)
        await served.actor.catch_up()
        in_use = served.table.shoe.name if served.table.shoe else None
        ended = [shoe for shoe in opened if shoe != in_use]
        for shoe in ended:
            cards = dealt if shoe == dealt_from else None
            if cards is None:
                cards = await cards_dealt(self.store, served.name, Table(served.book), shoe)
            await served.keeper.publish(shoe, cards)
        if ended or dealt is not None:
            await self.notes.note_heads(served)
