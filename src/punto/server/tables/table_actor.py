"""A table in service: one mailbox in each process; across processes the number of the next event decides.

Commands wait in the mailbox. All that wait are decided in order, each by the state the one before it leaves, and are
committed together. If another process appended first, the table catches up and they are decided again. A retry with
the same idempotency key gets the first answer, and nothing is done twice.

Most commands need nothing but the table: callbacks decide them, hand them to the store and answer them, which takes a
fraction of what a task costs. A task carries out the others: those that wait for another stream or for what another
process has stored, are refused, or could not be stored.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from itertools import takewhile
from time import monotonic
from typing import Concatenate, ParamSpec, TypeVar

from msgspec.structs import replace

from punto.rules.rulebook import Rulebook
from punto.server.realtime.messages import DoneMessage, IdempotencyKey, MessageId
from punto.server.running.server_log import log
from punto.server.tables.alone import Alone
from punto.server.tables.known_cards import NEED_CARDS, complete, is_set_aside
from punto.server.tables.pending_command import (
    AllowanceKeeping,
    Answered,
    Companion,
    DebtBooking,
    Giver,
    PendingCommand,
    Prepared,
    ShoeStream,
)
from punto.server.tables.stream_follower import DOES_NOT_FOLLOW, NONSENSE, Clock, StreamClosed, read_on
from punto.server.tables.turns import Turns
from punto.store.protocol import PAGE, Store
from punto.store.records import Answer, Append, Conflict, EventRecord, Repeated, StoreError
from punto.store.trust.chain import Chain, ChainBroken
from punto.store.trust.house_trust import HouseTrust
from punto.store.words import KnownWords, put_all_aside
from punto.table.command import Command
from punto.table.decide import decide
from punto.table.event import Event
from punto.table.evolve import evolve
from punto.table.irregularities.correction import RoundCorrected
from punto.table.irregularities.late_wagers import OverlookedWagerSettled
from punto.table.play.debts import DebtCollected, DebtPaid
from punto.table.play.loss_limits import ALLOWANCE_OVER
from punto.table.play.wrong_payout import PayoutCorrected
from punto.table.refusal import Refusal, refuse
from punto.table.settings import Device
from punto.table.table import Table
from punto.table.views import CardAt

EVENTS_BETWEEN_SNAPSHOTS = 2_000

A = TypeVar("A")
P = ParamSpec("P")
Published = Callable[[Sequence[EventRecord], Sequence[Table], bool], None]
"""Callback that receives stored events, in order, the table after each, and whether this process has stored them."""


async def outcome(submit: Callable[Concatenate[Callable[[A], None], P], None], *args: P.args, **kwargs: P.kwargs) -> A:
    """Submit a command and wait for its outcome; raise the error if it could not be carried out."""
    answer: asyncio.Future[A] = asyncio.get_running_loop().create_future()
    submit(lambda given: None if answer.done() else answer.set_result(given), *args, **kwargs)
    given = await answer
    if isinstance(given, Exception):
        raise given
    return given


_MOVE_DEBTS = frozenset({RoundCorrected, OverlookedWagerSettled, PayoutCorrected, DebtPaid, DebtCollected})
"""The events that may change what a patron owes the house."""


def _moves_debts(events: Sequence[Event]) -> bool:
    return not _MOVE_DEBTS.isdisjoint(map(type, events))


class TableActor:
    """One table in one process."""

    def __init__(
        self,
        store: Store,
        name: str,
        book: Rulebook,
        clock: Clock,
        card_at: CardAt | None = None,
        published: Published | None = None,
        shoes: ShoeStream | None = None,
        words: KnownWords | None = None,
        debts: DebtBooking | None = None,
        trust: HouseTrust | None = None,
        limits: AllowanceKeeping | None = None,
    ) -> None:
        self.store, self.name, self.book = store, name, book
        self._clock, self._card_at, self._published, self._shoes = clock, card_at, published, shoes
        self.words = words or KnownWords()
        """What people wrote here in their own words; events and states hold references to it."""
        self._debts, self._limits = debts, limits
        self._trust = trust
        """Signs and checks snapshots; without it there are none."""
        self.table, self.chain = Table(book), Chain(name)
        self.told = 0
        """The last event that another process is known to have stored."""
        self._turns = Turns()
        self._snapshot_at = 0
        self._last_at = 0
        """The time of the events that were last decided."""
        self._mailbox: list[PendingCommand] = []
        self._is_busy = False
        self._storing: asyncio.Future[None] | None = None
        """A commit that a callback waits for."""
        self._worker: asyncio.Task[None] | None = None
        self._alone = Alone()
        """Held while the state changes: by a callback, the worker, or a caller that catches up."""

    # --- following the log -----------------------------------------------------------------------------------------

    @property
    def number(self) -> int:
        """The last event it has taken in."""
        return self.chain.number

    @property
    def is_behind(self) -> bool:
        """Whether another process has stored more than was taken in here."""
        return self.told > self.chain.number

    @property
    def is_busy(self) -> bool:
        """Whether commands wait here, or are being stored."""
        return self._is_busy

    async def restore(self) -> None:
        """Take the state from the snapshot, if the house has signed it and it is of this code and this log.

        A snapshot is a cache: with the least doubt about one it is dropped, and the whole log is read instead.
        """
        if self._trust is None:
            return
        try:
            restored = await self._trust.restored(self.name, self.book)
        except Exception:
            log.exception("snapshot dropped", table=self.name)
            restored = None
        self.table, self.chain = restored or (Table(self.book), self._trust.chain(self.name))
        self._snapshot_at = self.number

    async def start(self, at_once: int = PAGE) -> None:
        """Open the table: from its snapshot if that can be used, and from the events after it.

        What was long in reading is kept as a snapshot, so that it is not read again.
        """
        await self.restore()
        await self.follow_log(at_once)

    async def follow_log(self, at_once: int = PAGE) -> None:
        """Read the log from where the table is, this many events at a time; if it does not follow, from its start."""
        try:
            await self._read_on(at_once)
        except StreamClosed as closed:
            if not self._snapshot_at or self._trust is None or closed.reason != DOES_NOT_FOLLOW:
                raise
            log.exception("snapshot dropped", table=self.name)
            self.table, self.chain, self._snapshot_at = Table(self.book), self._trust.chain(self.name), 0
            await self._read_on(at_once)
        if self._is_snapshot_due:
            await self._keep_snapshot()

    async def _read_on(self, at_once: int) -> None:
        async with self._alone:
            await self._catch_up(at_once)

    async def stop(self) -> None:
        """Finish what is in the mailbox."""
        while self._is_busy:
            under_way = self._worker or self._storing
            await (asyncio.wait([under_way]) if under_way else asyncio.sleep(0))

    def abandon(self) -> None:
        """Answer what is in the mailbox, or on its way to the store: it is not known whether it is stored."""
        if under_way := self._worker or self._storing:
            under_way.cancel()
        else:
            self._fail_all((), "it was abandoned")

    async def catch_up(self) -> bool:
        """Take in what other processes have stored; return whether there was anything."""
        async with self._alone:
            return await self._catch_up()

    async def refresh(self) -> None:
        """Take in what other processes are known to have stored, unless that was done meanwhile."""
        async with self._alone:
            if self.is_behind:
                await self._catch_up()

    async def _catch_up(self, at_once: int = PAGE) -> bool:
        before = self.number
        while page := await read_on(self.store, self.chain, at_once):
            await self.words.look_up(self.store, *(record.body for record in page))
            states = [self._follow(record) for record in page]
            self.told = max(self.told, self.number)
            self._publish(page, states, is_own=False)
            if len(page) < at_once and not self.is_behind:
                break
        try:
            self.chain.end()
        except ChainBroken as broken:
            raise StreamClosed.by(broken, self.name, broken.number) from None
        moved = self.number > before
        if moved and self.store.shared:
            self._turns.note_others()
        if self._shoes is None or (moved and not self._has_unknown_cards(self._shoes)):
            return moved
        return await self._shoes.catch_up() or moved

    def _follow(self, record: EventRecord) -> Table:
        try:
            self.chain.verify(record)
            self.table = evolve(self.table, record.event)
        except NONSENSE as error:
            raise StreamClosed.by(error, self.name, record.number) from error
        self.chain.advance(record)
        return self.table

    def _has_unknown_cards(self, shoes: ShoeStream) -> bool:
        shoe = self.table.shoe
        if shoe is None or self.table.set_up.device not in (Device.SEALED, Device.CARD_READING):
            return False
        return not shoes.knows(shoe.name)

    def _publish(self, records: Sequence[EventRecord], states: Sequence[Table], is_own: bool) -> None:
        """Report what is stored; it stays stored if a subscriber fails."""
        try:
            if self._published and records:
                self._published(records, states, is_own)
        except Exception:
            log.exception("not published", table=self.name)

    # --- the mailbox -----------------------------------------------------------------------------------------------

    def submit(
        self,
        answered: Answered,
        command: Command,
        key: IdempotencyKey | None = None,
        giver: Giver | None = None,
        companion: Companion | None = None,
        id_: MessageId = None,
    ) -> None:
        """Put a command into the mailbox. Its outcome is reported once it is refused, or stored."""
        at = self._clock() if command.at is None else command.at
        if at < self.chain.at:
            at = self.chain.at  # the time of a table never goes back
        timed = command if command.at == at else replace(command, at=at)
        self._mailbox.append(
            PendingCommand(
                command=timed,
                giver=giver or (command.by.id, command.by.role.value),
                answered=answered,
                id=id_,
                key=key,
                companion=companion,
            )
        )
        if not self._is_busy:
            self._is_busy = True
            self._collect()

    def _collect(self) -> None:
        """Begin after two turns of the event loop, with the commands that are just arriving too.

        On an idle server that takes no time; on a busy one it makes one batch, and one message to each subscriber, of
        what would be two.
        """
        loop = asyncio.get_running_loop()
        loop.call_soon(loop.call_soon, self._begin)

    # --- without a task --------------------------------------------------------------------------------------------

    def _begin(self) -> None:
        """Decide and store what needs nothing but the table; leave the rest to a task."""
        if self.is_behind or self._turns.must_give_way or not self._alone.take():
            self._worker = asyncio.create_task(self._work())
            return
        batch = self._decided_at_once()
        if batch:
            self._storing = storing = asyncio.ensure_future(self.store.append_all(batch))
            storing.add_done_callback(partial(self._stored, batch, monotonic()))
            return
        self._alone.release()
        self._worker = asyncio.create_task(self._work())

    def _decided_at_once(self) -> list[PendingCommand]:
        """Take from the mailbox what can be decided without waiting; nothing if the first command cannot."""
        try:
            batch = self._decide_following(self.table, self.number, self._mailbox)
        except Exception:
            return []  # the task meets the fault again, and tells whose command it is
        del self._mailbox[: len(batch)]
        return batch

    def _stored(self, batch: list[PendingCommand], began: float, storing: asyncio.Future[None]) -> None:
        """Answer what a commit has stored, and go on; leave to a task what was not stored."""
        self._storing = None
        if storing.cancelled():
            self._alone.release()
            self._fail_all(batch, "it was abandoned")
            self._go_on()
            return
        done, failed = 0, storing.exception()
        if failed is None:
            if not batch[0].error:
                self._turns.note_own(began)
            done = self._take_in(batch)
        self._alone.release()
        if done < len(batch) or self._is_snapshot_due:
            self._worker = asyncio.create_task(self._work(batch[done:], failed))
        else:
            self._go_on()

    def _go_on(self) -> None:
        """Begin with what has come meanwhile, if anything has."""
        if self._mailbox:
            self._collect()
        else:
            self._is_busy = False

    def _fail_all(self, waiting: Sequence[PendingCommand], why: str) -> None:
        """Answer these commands and everything in the mailbox with an error, so that no sender waits for ever."""
        waiting, self._mailbox = [*waiting, *self._mailbox], []
        for pending in waiting:
            pending.answer_with(StoreError(f"the table has stopped: {why}"))

    # --- in a task -------------------------------------------------------------------------------------------------

    async def _work(self, unstored: Sequence[PendingCommand] = (), failed: BaseException | None = None) -> None:
        """Deal with what was not stored, and carry out what is in the mailbox."""
        waiting = list(unstored)
        try:
            if not waiting:
                await self._turns.give_way()
            async with self._alone:
                waiting = await self._after_a_commit(waiting, failed)
                waiting, self._mailbox = [*waiting, *self._mailbox], []
                while waiting:
                    waiting = await self._carry_out(waiting)
        except BaseException as error:  # such as the loop being shut down
            self._fail_all(waiting, type(error).__name__)
            raise
        finally:
            self._worker = None
            self._go_on()

    async def _carry_out(self, waiting: Sequence[PendingCommand]) -> list[PendingCommand]:
        """Carry out the first of these commands and as many as can go with it; return the others."""
        first = waiting[0]
        try:
            if not await self._decide_first(first):
                return list(waiting[1:])
            batch = [first]
            if len(first.appends) == 1:
                batch += self._decide_following(first.states[-1], self.number + len(first.events), waiting[1:])
            began = monotonic()
            await self.store.append_all(batch)
            if not first.error:
                self._turns.note_own(began)
        except Exception as error:
            first.answer_with(error)
            return list(waiting[1:])
        done = self._take_in(batch)
        if self._shoes and any(pending.companion is self._shoes for pending in batch[:done]):
            await self._follow_shoes(self._shoes)
        return [*await self._after_a_commit(batch[done:]), *waiting[len(batch) :]]

    async def _after_a_commit(
        self, unstored: Sequence[PendingCommand], failed: BaseException | None = None
    ) -> list[PendingCommand]:
        """Keep a snapshot if one is due, and deal with what was not stored; return what has to be decided again."""
        if self._is_snapshot_due:
            await self._keep_snapshot()
        if failed:
            unstored[0].answer_with(failed if isinstance(failed, Exception) else StoreError(type(failed).__name__))
            return list(unstored[1:])
        return list(unstored[await self._not_stored(unstored) :]) if unstored else []

    async def _decide_first(self, pending: PendingCommand) -> bool:
        """Decide by the newest state. A refusal is answered here, unless another process has stored meanwhile."""
        if self.is_behind:
            await self._catch_up()
        while True:
            if self._shoes and is_set_aside(self.table, pending.command):
                await self._shoes.catch_up()  # another process may have been told that card: no other may replace it
            command = self._complete(pending.command)
            decision, beside = await self._decide_with_beside(pending, command)
            if not isinstance(decision, Refusal):
                self._prepare_transaction(pending, decision, self.table, self.number, beside)
                return True
            # The shoe's stream is followed in the background too: a card may have become known meanwhile.
            if self.store.shared and (await self._catch_up() or self._complete(pending.command) != command):
                continue
            pending.answer_with(await self._first_answer(pending) or decision)
            return False

    async def _decide_with_beside(
        self, pending: PendingCommand, command: Command
    ) -> tuple[Sequence[Event] | Refusal, Sequence[Append]]:
        """Decide a command, with what goes to other streams together with its events."""
        decision = decide(self.table, command)
        try:
            if isinstance(decision, Refusal):
                if decision.code == ALLOWANCE_OVER and self._limits:
                    return await self._decide_renewed(pending, command, str(decision.values["patron"]), self._limits)
            elif pending.companion or _moves_debts(decision):
                return await self._prepare_beside(pending, decision)
        except StreamClosed as closed:
            return closed.refusal, ()
        return decision, ()

    async def _decide_renewed(
        self, pending: PendingCommand, command: Command, patron: str, limits: AllowanceKeeping
    ) -> tuple[Sequence[Event] | Refusal, Sequence[Append]]:
        """Decide by an allowance that is renewed with the command; refuse by the limit if that is not enough."""
        prepared = await limits.renew(self.name, self.table, patron, pending.giver)
        if isinstance(prepared, Refusal):
            return prepared, ()
        decision = decide(evolve(self.table, prepared.event), command)
        if isinstance(decision, Refusal):
            over = decision.code == ALLOWANCE_OVER and prepared.refusal
            return over or decision, ()
        return (prepared.event, *decision), prepared.appends

    def _decide_following(self, table: Table, number: int, following: Sequence[PendingCommand]) -> list[PendingCommand]:
        """Decide the commands that can be stored together after an event: all up to one that cannot."""
        batch: list[PendingCommand] = []
        for pending in following:
            if pending.companion or isinstance(pending.command, NEED_CARDS):
                break
            decision = decide(table, pending.command)
            if isinstance(decision, Refusal) or _moves_debts(decision):
                break
            self._prepare_transaction(pending, decision, table, number)
            batch.append(pending)
            table, number = pending.states[-1], number + len(decision)
        return batch

    def _prepare_transaction(
        self,
        pending: PendingCommand,
        events: Sequence[Event],
        table: Table,
        number: int,
        beside: Sequence[Append] = (),
    ) -> None:
        """Make a decided command the transaction that stores its events after this number."""
        by, position = pending.giver
        records, states = [], []
        at = self._last_at = max(self._clock(), self.chain.at, self._last_at, pending.command.at or 0)
        events, pending.words = put_all_aside(events, pending.command.by.id)
        self.words.learn(pending.words)
        for event in events:
            table = evolve(table, event)
            states.append(table)
            records.append(EventRecord.of(event, at, by, position))
        append, key = Append(self.name, number, records), pending.key
        pending.events, pending.states = events, states
        pending.appends = (append, *beside)
        pending.answer = Answer(by, key.word, key.digest, self.name, number + 1, number + len(records)) if key else None
        pending.records, pending.error = (), None

    async def _prepare_beside(
        self, pending: PendingCommand, events: Sequence[Event]
    ) -> tuple[Sequence[Event] | Refusal, Sequence[Append]]:
        """Return a command's events, and what goes to other streams together with them, or why it cannot."""
        if pending.companion:
            beside = await pending.companion.prepare(pending.command, self.table)
            if isinstance(beside, Prepared):
                return (*events, beside.event), beside.appends
            return (beside, ()) if isinstance(beside, Refusal) else (events, (beside,) if beside else ())
        booked = await self._debts.book(self.name, events, pending.giver) if self._debts else []
        return (booked, ()) if isinstance(booked, Refusal) else (events, booked)

    def _take_in(self, batch: Sequence[PendingCommand]) -> int:
        """Answer what was stored, up to the first that was not; return how many commands are answered."""
        published: list[EventRecord] = []
        states: list[Table] = []
        done = 0
        for pending in batch:
            if pending.error:
                break
            done += 1
            records = pending.records[: len(pending.events)]
            last = records[-1]
            self.table = pending.states[-1]
            self.chain.advance(last)
            published += records
            states += pending.states
            pending.answer_with(DoneMessage(pending.id, records[0].number, last.number))
        self._publish(published, states, is_own=True)
        return done

    async def _follow_shoes(self, shoes: ShoeStream) -> None:
        """Take in what commands have just stored about a shoe, before the next command is decided by it."""
        try:
            await shoes.catch_up()
        except Exception:
            log.exception("shoes not caught up", table=self.name)  # the next to need a card finds it again

    async def _not_stored(self, failed: Sequence[PendingCommand]) -> int:
        """Deal with the first command that was not stored, and what follows it; return how many are answered.

        If another process appended first, all of them are decided again. A retry gets its first answer. If the store
        failed, it may have stored them all the same: they are answered, and the state is read from the store.
        """
        first = failed[0]
        try:
            if isinstance(first.error, Conflict):
                await self._catch_up()
                return 0
            if isinstance(first.error, Repeated):
                first.answer_with(self._repeat(first.error.answer, first))
                return 1
        except Exception as error:
            first.answer_with(error)
            return 1
        unknown = list(takewhile(lambda each: each.may_be_stored, failed))
        for pending in unknown:
            assert pending.error is not None
            pending.answer_with(pending.error)
        try:
            await self._catch_up()
        except Exception:
            log.exception("not caught up", table=self.name)  # the next append will find the difference
        return len(unknown)

    def _complete(self, command: Command) -> Command:
        return complete(self.table, command, self._card_at) if self._card_at else command

    # --- retries ---------------------------------------------------------------------------------------------------

    async def _first_answer(self, pending: PendingCommand) -> DoneMessage | Refusal | None:
        """Return the answer to an earlier command with the same key, if that was carried out."""
        if pending.key is None:
            return None
        answer = await self.store.answer(pending.giver[0], pending.key.word)
        return self._repeat(answer, pending) if answer else None

    def _repeat(self, answer: Answer, pending: PendingCommand) -> DoneMessage | Refusal:
        """Return the first answer again if this is the same command, and a refusal if it is another."""
        key = pending.key
        if key is None or answer.digest != key.digest or answer.stream != self.name:
            return refuse("key-used")
        return DoneMessage(pending.id, answer.first, answer.last, repeated=True)

    @property
    def _is_snapshot_due(self) -> bool:
        return self._trust is not None and self.number - self._snapshot_at >= EVENTS_BETWEEN_SNAPSHOTS

    async def _keep_snapshot(self) -> None:
        assert self._trust is not None
        self._snapshot_at = self.number
        try:
            await self._trust.keep_snapshot(self.chain, self.table)
        except Exception:
            log.exception("no snapshot", table=self.name)  # nothing but speed depends on it
