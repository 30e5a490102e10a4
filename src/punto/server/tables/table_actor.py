"""A table in service: one mailbox in a process, and across processes the number of the next event decides.

Commands wait in the mailbox. All that wait are decided one after the other, each by the state the one before it leaves,
and stored together. If another process was quicker, the table catches up and they are decided again, afresh. What was
stored for a command is answered again to a retry with the same key, and nothing is done twice.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from punto.rules.rulebook import Rulebook
from punto.server.server_log import log
from punto.server.tables.stream_follower import NONSENSE, Clock, StreamClosed
from punto.store.batch import Job
from punto.store.protocol import PAGE, Store
from punto.store.records import FIRST_HASH, Answer, Append, Conflict, Recorded, Repeated, StoreError, Written
from punto.store.snapshots import from_snapshot, take_snapshot
from punto.table.command import Command
from punto.table.decide import decide
from punto.table.event import Event
from punto.table.evolve import evolve
from punto.table.irregularities.exposed_in_error import ExposeInError
from punto.table.play.dealing import ExposeCard
from punto.table.refusal import Refusal, refuse
from punto.table.settings import Device
from punto.table.table import Table
from punto.table.views import CardAt

EVENTS_BETWEEN_SNAPSHOTS = 2_000
TURNS = 2
"""Of the loop, in which commands that are just arriving come along: with nothing else to do that is no time at all, and
on a busy server it makes one batch of what would be two, each told to everybody at the table."""


class Happened(Struct, frozen=True):
    """An event as it is stored, and the table after it."""

    recorded: Recorded
    event: Event
    table: Table


Heard = Callable[[Sequence[Happened]], None]
"""Is told what has been stored, in order."""


class Key(Struct, frozen=True):
    """By which a retry is known: the giver's own word for the command, and a digest of its body."""

    word: str
    digest: bytes


class Done(Struct, frozen=True):
    """What a command brought about, as it is stored."""

    events: tuple[Recorded, ...]
    repeated: bool = False
    """Whether it had been done before, and this is the answer again."""


Answered = Callable[[Done | Refusal | Exception], None]
"""Is told what became of a command."""


async def answer_of(post: Callable[[Answered], None]) -> Done | Refusal:
    """Post a command and wait for its answer."""
    answer: asyncio.Future[Done | Refusal | Exception] = asyncio.get_running_loop().create_future()
    post(lambda told: None if answer.done() else answer.set_result(told))
    told = await answer
    if isinstance(told, Exception):
        raise told
    return told


class Beside(Protocol):
    """Something else that is stored together with a command, all or nothing: the cage's side of it, or the shoe's."""

    async def prepare(self, command: Command, table: Table) -> Append | Refusal:
        """What it has to be stored with, by the newest state."""
        ...


class _Given(Struct):
    """A command in the mailbox."""

    command: Command
    key: Key | None
    giver: tuple[str, str]
    """Who is stored as having given it: an id and a position."""
    beside: Beside | None
    answered: Answered


class _Decided(Struct):
    """A command that was decided and waits to be stored: its events, and the table after each of them."""

    given: _Given
    events: Sequence[Event]
    after: Sequence[Table]
    job: Job


_NEED_A_CARD: set[type[Command]] = {ExposeCard, ExposeInError}


class TableService:
    """One table, as one process serves it."""

    def __init__(
        self,
        store: Store,
        name: str,
        book: Rulebook,
        clock: Clock,
        card_at: CardAt | None = None,
        heard: Heard | None = None,
    ) -> None:
        self.store, self.name, self.book = store, name, book
        self._clock, self._card_at, self._heard = clock, card_at, heard
        self.table, self.number, self._hash = Table(book), 0, FIRST_HASH
        self._kept = 0
        self._mailbox: list[_Given] = []
        self._worker: asyncio.Task[None] | None = None
        self._alone = asyncio.Lock()
        """Held by whoever changes the state: the worker, or somebody who catches up."""

    async def start(self) -> None:
        """Open the table: from its snapshot if it has one that fits, and from the events after it.

        A snapshot is a cache. One that cannot be read, or from which the events do not follow, is dropped, and the
        whole log is read instead.
        """
        try:
            if await self._restore():
                await self.catch_up()
                return
        except Exception:
            log.exception("snapshot dropped", table=self.name)
            self.table, self.number, self._hash, self._kept = Table(self.book), 0, FIRST_HASH, 0
        await self.catch_up()

    async def _restore(self) -> bool:
        """Take the state from the snapshot; False if there is none, or not one of this code and this log."""
        snapshot = await self.store.snapshot(self.name)
        table = from_snapshot(snapshot, self.book) if snapshot else None
        if snapshot is None or table is None:
            return False
        known = await self.store.read(self.name, snapshot.number - 1, 1)
        if not known or (known[0].number, known[0].hash) != (snapshot.number, snapshot.hash):
            return False
        self.table, self.number, self._hash = table, snapshot.number, snapshot.hash
        self._kept = snapshot.number
        return True

    async def stop(self) -> None:
        """Finish what is in the mailbox."""
        while self._worker:
            await self._worker

    async def catch_up(self) -> bool:
        """Take in what other processes have stored meanwhile; whether there was anything."""
        async with self._alone:
            return await self._catch_up()

    async def _catch_up(self) -> bool:
        before = self.number
        while page := await self.store.read(self.name, self.number, PAGE):
            told = []
            for recorded in page:
                try:
                    event = recorded.event
                    self.table = evolve(self.table, event)
                except NONSENSE as error:
                    raise StreamClosed(self.name, recorded.number) from error
                self.number, self._hash = recorded.number, recorded.hash
                told.append(Happened(recorded, event, self.table))
            self._tell(told)
        return self.number > before

    def _tell(self, told: Sequence[Happened]) -> None:
        """What is stored has happened, whatever goes wrong with telling it."""
        try:
            if self._heard and told:
                self._heard(told)
        except Exception:
            log.exception("not told", table=self.name)

    # --- the mailbox -----------------------------------------------------------------------------------------------

    async def give(
        self,
        command: Command,
        key: Key | None = None,
        giver: tuple[str, str] | None = None,
        beside: Beside | None = None,
    ) -> Done | Refusal:
        """Have a command carried out, or be told why not. It is stored before it is answered."""
        return await answer_of(lambda answered: self.post(command, answered, key, giver, beside))

    def post(
        self,
        command: Command,
        answered: Answered,
        key: Key | None = None,
        giver: tuple[str, str] | None = None,
        beside: Beside | None = None,
    ) -> None:
        """The same for somebody who does not wait: he is told."""
        stamped = command if command.at is not None else replace(command, at=self._clock())
        by = giver or (command.by.id, command.by.role.value)
        self._mailbox.append(_Given(stamped, key, by, beside, answered))
        if self._worker is None:
            self._worker = asyncio.create_task(self._work())

    async def _work(self) -> None:
        """Carry out what is in the mailbox, as long as there is something."""
        together: list[_Given] = []
        try:
            while self._mailbox:
                for _ in range(TURNS):
                    await asyncio.sleep(0)
                together, self._mailbox = self._mailbox, []
                async with self._alone:
                    while together:
                        together = await self._carry_out(together)
        except BaseException as error:  # such as the loop being shut down: nobody waits in vain
            for given in [*together, *self._mailbox]:
                _answer(given, StoreError(f"the table has stopped: {type(error).__name__}"))
            self._mailbox = []
            raise
        finally:
            self._worker = None

    async def _carry_out(self, together: Sequence[_Given]) -> list[_Given]:
        """Carry out the first of these commands and as many after it as can go with it; those that are left."""
        try:
            decided = await self._decide_first(together[0])
            if decided is None:
                return list(together[1:])
            batch = [decided]
            if not decided.given.beside:
                batch += self._decide_on(decided, together[1:])
            await self.store.append_all([each.job for each in batch])
        except Exception as error:
            _answer(together[0], error)
            return list(together[1:])
        return list(together[await self._take_in(batch) :])

    async def _decide_first(self, given: _Given) -> _Decided | None:
        """Decide by the newest state; a refusal is answered here, and counts only if nobody has stored meanwhile."""
        while True:
            refusal: Refusal | None
            decision = decide(self.table, self._complete(given.command))
            if not isinstance(decision, Refusal):
                beside = await _prepared(given, self.table)
                if not isinstance(beside, Refusal):
                    return self._decided(given, decision, self.table, self.number, beside)
                decision = beside
            refusal = decision
            if self.store.shared and await self._catch_up():
                continue
            _answer(given, await self._answered(given) or refusal)
            return None

    def _decide_on(self, first: _Decided, following: Sequence[_Given]) -> list[_Decided]:
        """Of the commands that follow those that can be stored together with the first: all up to one that cannot."""
        batch: list[_Decided] = []
        table, number = first.after[-1], self.number + len(first.events)
        for given in following:
            if given.beside or type(given.command) in _NEED_A_CARD:
                break
            decision = decide(table, given.command)
            if isinstance(decision, Refusal):
                break
            decided = self._decided(given, decision, table, number)
            batch.append(decided)
            table, number = decided.after[-1], number + len(decision)
        return batch

    def _decided(
        self, given: _Given, events: Sequence[Event], table: Table, number: int, beside: Append | None = None
    ) -> _Decided:
        """What is to be stored for a command that is decided after so many events, if all goes well."""
        by, position = given.giver
        written, after, at = [], [], self._clock()
        for event in events:
            table = evolve(table, event)
            after.append(table)
            written.append(Written.of(event, at, by, position))
        append, key = Append(self.name, number, written), given.key
        last = number + len(written)
        answer = Answer(by, key.word, key.digest, self.name, number + 1, last) if key else None
        return _Decided(given, events, after, Job((append,) if beside is None else (append, beside), answer))

    async def _take_in(self, batch: Sequence[_Decided]) -> int:
        """Answer what was stored, up to the first that was not; how many are answered."""
        told: list[Happened] = []
        answered = 0
        for each in batch:
            if each.job.error:
                break
            answered += 1
            recorded = each.job.recorded[: len(each.events)]
            self.table, self.number, self._hash = each.after[-1], recorded[-1].number, recorded[-1].hash
            told += map(Happened, recorded, each.events, each.after)
            _answer(each.given, Done(tuple(recorded)))
        self._tell(told)
        await self._keep_snapshot()
        if answered == len(batch):
            return answered
        return answered + await self._not_stored(batch[answered:])

    async def _not_stored(self, failed: Sequence[_Decided]) -> int:
        """Deal with the first command that was not stored, and what follows it; return how many are answered.

        If another process appended first, all of them are decided again. A retry gets its first answer. If the store
        failed, it may have stored them all the same: they are answered, and the state is read from the store.
        """
        given, error = failed[0].given, failed[0].job.error
        try:
            if isinstance(error, Conflict):
                await self._catch_up()
                return 0
            if isinstance(error, Repeated):
                _answer(given, await self._again(error.answer, given.key))
                return 1
        except Exception as another:
            _answer(given, another)
            return 1
        unknown = list(takewhile(lambda each: _has_unknown_fate(each.job), failed))
        for each in unknown:
            assert each.job.error is not None
            _answer(each.given, each.job.error)
        try:
            await self._catch_up()
        except Exception:
            log.exception("not caught up", table=self.name)  # the next append will find the difference
        return len(unknown)

    def _complete(self, command: Command) -> Command:
        """With the card that the state names, on a shoe whose cards are known."""
        if not isinstance(command, ExposeCard | ExposeInError) or self._card_at is None:
            return command
        table = self.table
        known = table.setting is not None and table.set_up.device in (Device.SEALED, Device.CARD_READING)
        if not known or table.shoe is None:
            return command
        places = table.round.hands[command.hand]
        if not 0 <= command.place < len(places):
            return command
        return replace(command, card=self._card_at(table.shoe.name, places[command.place].index))

    # --- retries ---------------------------------------------------------------------------------------------------

    async def _answered(self, given: _Given) -> Done | Refusal | None:
        """What the same command was answered with before, if it was carried out then."""
        if given.key is None:
            return None
        answer = await self.store.answer(given.giver[0], given.key.word)
        return await self._again(answer, given.key) if answer else None

    async def _again(self, answer: Answer, key: Key | None) -> Done | Refusal:
        """The first answer once more, if it is the same command."""
        if key is None or answer.digest != key.digest or answer.stream != self.name:
            return refuse("key-used")
        stored = await self.store.read(self.name, answer.first - 1, answer.last - answer.first + 1)
        return Done(tuple(stored), repeated=True)

    async def _keep_snapshot(self) -> None:
        if self.number - self._kept < EVENTS_BETWEEN_SNAPSHOTS:
            return
        self._kept = self.number
        try:
            await self.store.keep(take_snapshot(self.name, self.number, self._hash, self.table))
        except Exception:
            log.exception("no snapshot", table=self.name)  # nothing but speed depends on it


def _has_unknown_fate(job: Job) -> bool:
    """Whether the store failed while it stored this, so that it may be stored or not."""
    return job.error is not None and not isinstance(job.error, Conflict | Repeated)


async def _prepared(given: _Given, table: Table) -> Append | Refusal | None:
    """What goes to another stream together with the command, or why it cannot."""
    try:
        return await given.beside.prepare(given.command, table) if given.beside else None
    except StreamClosed as closed:
        return closed.refusal


def _answer(given: _Given, answer: Done | Refusal | Exception) -> None:
    """Whoever gave the command may be gone, and be it that telling him fails: it is done all the same."""
    try:
        given.answered(answer)
    except Exception:
        log.exception("not answered", command=type(given.command).__name__)
