"""Adds a recording to the golden log: tables played through the service and the store, as a house would.

Run as ``python -m golden_log``, and only for what no recording has; see there.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from dataclasses import replace as replaced
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec.structs import replace
from properties.random_play import RandomPlay
from support.golden_log import KEYS, LOG, WORDS, Line, facts_file, files, folded, recordings, streams
from support.table_facts import HOLDS

from punto import APPROVED, load
from punto.cards import DECK
from punto.notation import parse
from punto.notation.script_player import Player
from punto.rules.rulebook import Rulebook
from punto.rules.table_of_play import Hand
from punto.server.access.erasure import erase_words
from punto.server.access.identity import Duty, People
from punto.server.cash.cage import Cage, CageCompanion
from punto.server.cash.debt_book import DebtBook
from punto.server.realtime.messages import DoneMessage
from punto.server.tables.shoe_keeper import ShoeKeeper, cards_dealt
from punto.server.tables.table_actor import TableActor, outcome
from punto.shoe.cut import Contribution
from punto.store.codec import KINDS, UPCASTERS, encoder
from punto.store.events.cage_events import CAGE
from punto.store.events.house_events import HOUSE
from punto.store.house import House
from punto.store.protocol import Store
from punto.store.records import Append, EventRecord
from punto.store.sqlite.sqlite_store import SqliteStore
from punto.store.words import digests_in
from punto.table.command import Command
from punto.table.decide import decide
from punto.table.default_settings import practice_setting
from punto.table.event import Event
from punto.table.evolve import evolve
from punto.table.guidance.dealer_automation import EVERYTHING, Step, next_command
from punto.table.irregularities.void import VoidAsked
from punto.table.play.chips import BoughtIn, BuyIn, CashOut
from punto.table.play.dealing import DrawCard
from punto.table.play.debts import SettleDebt
from punto.table.play.settlement import SettleRound
from punto.table.play.shoes import EndShoe, LoadShoe
from punto.table.play.table_management import OpenTable
from punto.table.play.unread_card import ConfirmCard, NameCard
from punto.table.play.wagers import CloseBets, PlaceWager
from punto.table.refusal import Refusal
from punto.table.roles import Actor, Role
from punto.table.settings import Device
from punto.table.table import Table

SCRIPTS = Path(__file__).parents[1] / "scripts"
MIDNIGHT = 1_767_225_600_000
SEEDS, COMMANDS = range(24), 240
DEALER, PIT_MANAGER = Actor("sam", Role.DEALER), Actor("pat", Role.PIT_MANAGER)
ANN = Actor("ann", Role.PATRON)
CASHIER, MANAGER = ("kim", "Cashier"), ("max", "Gaming Shift Manager")
Covered = set[tuple[str, ...]]
AT_THE_CAGE = {"DebtBooked", "DebtReduced", "DebtSettled"}
"""Kinds of events in the cage's stream that follow from what a table does."""
OF_DEBTS = ("baccarat-debt-paid", "baccarat-debt-reduced")
"""The sessions that show them."""


@dataclass
class Session:
    """Commands that a table can carry out one after the other, and what that shows."""

    name: str
    game: str
    commands: Sequence[Command]
    size: int = 0
    shows: Covered = field(default_factory=set)
    log: list[Event] = field(default_factory=list)


def ticking() -> Callable[[], int]:
    ticks = count(MIDNIGHT, 250)
    return lambda: next(ticks)


# --- which sessions --------------------------------------------------------------------------------------------------


class Listening(Player):
    """Plays a script, and keeps the commands that were carried out."""

    given: list[Command]

    def _give(self, given: Command) -> tuple[Event, ...] | Refusal:
        answer = super()._give(given)
        if not isinstance(answer, Refusal):
            self.given = [*getattr(self, "given", ()), given]
        return answer


def scripted() -> Iterator[Session]:
    """Every script for each of its games."""
    for file in sorted(SCRIPTS.glob("*.round")):
        script = parse(file.read_text("utf-8"))
        for run in script.runs:
            player = Listening(script, run)
            player.play()
            yield Session(f"{run.game}-{file.stem}", run.game, player.given)


def random_sessions(game: str) -> Iterator[Session]:
    """Random play that keeps time."""
    for seed in SEEDS:
        play = RandomPlay(game, seed)
        if play.keeps_time:
            play.play(COMMANDS)
            yield Session(f"{game}-random-{seed}", game, play.carried_out)


def rehearsed(sessions: Iterable[Session]) -> list[Session]:
    """Those that a service would carry out from beginning to end, each with its size and what it shows."""
    good = []
    for session in sessions:
        table, clock = Table(load(session.game)), ticking()
        for command in session.commands:
            answer = decide(table, command if command.at is not None else replace(command, at=clock()))
            if isinstance(answer, Refusal):
                break
            for event in answer:
                table = evolve(table, event)
                session.log.append(event)
                session.size += len(encoder.encode(event)) + 400
                session.shows.add((session.game, type(event).__name__))
                if table.hold:
                    session.shows.add((session.game, "hold", HOLDS[type(table.hold)]))
        else:
            good.append(session)
    return good


def chosen(candidates: list[Session], needed: Covered, first: Sequence[Session]) -> list[Session]:
    """Choose those that show what is needed, each time the one that shows most for its size."""
    taken, missing = list(first), needed.difference(*(each.shows for each in first))
    while missing:
        best = max(candidates, key=lambda each: len(each.shows & missing) / each.size)
        taken.append(best)
        missing -= best.shows
    return taken


# --- playing them ----------------------------------------------------------------------------------------------------


@dataclass
class Floor:
    """A house with its cage, in which the sessions are played."""

    store: Store
    house: House
    cage: Cage
    clock: Callable[[], int]
    tables: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.debts = DebtBook(self.store, self.cage, self.clock)

    async def service(self, name: str, book: Rulebook, keeper: ShoeKeeper | None = None) -> TableActor:
        await self.house.create_table(name, book, self.clock())
        self.tables.append(name)
        card_at = keeper.card_at if keeper else None
        service = TableActor(self.store, name, book, self.clock, card_at, debts=self.debts)
        await service.start()
        self.debts.tables[name] = service
        return service

    async def give(self, service: TableActor, command: Command, account: bool = False) -> None:
        giver = (command.by.id, command.by.role.value)
        if isinstance(command, SettleDebt):
            await self.debts.pay_at_cage(command.patron, command.amount, False, CASHIER)
            await service.catch_up()
            return
        money = isinstance(command, BuyIn | CashOut)
        if isinstance(command, BuyIn) and account:
            await self.cage.deposit(command.patron, command.amount, CASHIER)
        side = CageCompanion(self.cage, service.name, giver, account) if money else None
        answer = await outcome(service.submit, command, companion=side)
        assert isinstance(answer, DoneMessage), answer

    async def play(self, session: Session, account: bool) -> None:
        """Play a session at a table of its name."""
        service = await self.service(session.name, load(session.game))
        for command in session.commands:
            await self.give(service, command, account)

    async def play_sealed(self, name: str, book: Rulebook) -> None:
        """Cut a sealed shoe, the second time with everybody; deal rounds from it, end it, publish it."""
        keeper = ShoeKeeper(self.store, KEYS, name, self.clock)
        service = await self.service(name, book, keeper)
        made = await keeper.next_shoe(8, until=MIDNIGHT)
        assert made
        sealed = keeper.shoes[made].seal
        for patron in ("ann", "bob"):
            await keeper.pledge(sealed.shoe, patron, _words(patron).commitment(sealed.commitment, patron))
        await keeper.close_list(sealed.shoe, until=MIDNIGHT)
        await keeper.reveal(sealed.shoe, "ann", _words("ann"))
        cut = await keeper.cut_again(sealed.shoe, until=MIDNIGHT)
        await keeper.pledge(sealed.shoe, "ann", _words("again").commitment(cut.anchor, "ann"))
        await keeper.close_list(sealed.shoe)
        await keeper.reveal(sealed.shoe, "ann", _words("again"))
        await self._deal(service, keeper, sealed.shoe)
        dealt = await cards_dealt(self.store, name, Table(book), sealed.shoe)
        await self.give(service, EndShoe(PIT_MANAGER))
        await keeper.publish(sealed.shoe, dealt)

    async def play_reading(self, name: str, book: Rulebook) -> None:
        """Deal rounds from a shoe whose cards the device reads."""
        keeper = ShoeKeeper(self.store, KEYS, name, self.clock)
        service = await self.service(name, book, keeper)
        await self._deal(service, keeper, "a new shoe")

    async def _deal(self, service: TableActor, keeper: ShoeKeeper, shoe: str) -> None:
        """Open a table, and play two rounds by themselves but for one patron's wagers."""
        sealed = shoe in keeper.shoes
        device = Device.SEALED if sealed else Device.CARD_READING
        setting = replace(practice_setting(service.book), device=device, decks=8)
        await self.give(service, OpenTable(PIT_MANAGER, setting, 10_000_000))
        await self.give(service, BuyIn(DEALER, ANN.id, 500_000), account=sealed)
        assert isinstance(await outcome(service.submit, LoadShoe(DEALER, shoe), companion=keeper), DoneMessage)
        settled = 0
        while settled < 2:
            command = next_command(service.table, EVERYTHING, lambda index: DECK[5 * index % len(DECK)])
            if command is None:
                await self.give(service, PlaceWager(ANN, ANN.id, 1, service.book.wagers[0].name, 5_000))
            await self.give(service, command or CloseBets(DEALER))
            if isinstance(command, DrawCard) and not sealed:
                index = service.table.round.dealt[-1]
                await keeper.read(shoe, index, DECK[5 * index % len(DECK)])
                if index == 3:
                    await self._name_first_card(service, keeper)
            settled += isinstance(command, SettleRound)
        await self.give(service, CashOut(DEALER, ANN.id, service.table.chips[ANN.id]), account=sealed)

    async def _name_first_card(self, service: TableActor, keeper: ShoeKeeper) -> None:
        """Have people say what the first card is, as if the device had misread it."""
        await self.give(service, NameCard(DEALER, Hand.PLAYER, 0, DECK[0], misread=True))
        confirmed = await outcome(service.submit, ConfirmCard(PIT_MANAGER), companion=keeper)
        assert isinstance(confirmed, DoneMessage)

    async def store_as_before(self, session: Session) -> None:
        """Store a session's events as an earlier version of the code wrote them."""
        book = load(session.game)
        await self.house.create_table(session.name, book, self.clock())
        self.tables.append(session.name)
        for number, event in enumerate(session.log):
            kind, version, body = _as_before(event)
            written = EventRecord(kind, version, body, self.clock(), DEALER.id, DEALER.role.value)
            appends = [Append(session.name, number, [written])]
            if isinstance(event, BoughtIn):
                side = CageCompanion(self.cage, session.name, (DEALER.id, DEALER.role.value), False)
                beside = await side.prepare(BuyIn(DEALER, event.patron, event.amount), Table(book))
                assert isinstance(beside, Append)
                appends.append(beside)
            await self.store.append(appends)

    async def close_the_day(self) -> None:
        """Do what is left to be stored beside the tables."""
        await self.cage.catch_up()
        for patron, amount in sorted(self.cage.accounts.items()):
            if amount:
                await self.cage.pay_out(patron, amount, CASHIER)
        await self.house.automate(self.tables[0], [Step.DRAW, Step.EXPOSE], self.clock())
        await self.house.note_heads(self.tables[:6], self.clock())
        people = People(self.store, self.clock)
        await people.erase((await people.add("Ms. Lee", Duty.PATRON, MANAGER)).id, "asked for", MANAGER)
        for table in self.tables:
            for each in await self.store.read(table, most=1_000_000):
                if digests_in(each.body):
                    await erase_words(self.store, table, each.number, "asked for", self.clock(), MANAGER)
                    return


def _words(of: str) -> Contribution:
    return Contribution(of.encode(), of.encode().ljust(32, b"."))


def _void_asked_1(event: VoidAsked) -> dict[str, object]:
    return {"provision": event.provision, "clause": event.clause, "noticed_by": "sam", "note": "seen by the camera"}


def _as_before(event: Event) -> tuple[str, int, bytes]:
    """Encode an event in the oldest version that is still read."""
    if isinstance(event, VoidAsked):
        return "VoidAsked", 1, encoder.encode(_void_asked_1(event))
    return type(event).__name__, 1, encoder.encode(event)


# --- recording -------------------------------------------------------------------------------------------------------


def covered() -> tuple[Covered, set[tuple[str, int]]]:
    """Return what recordings have: events by game, and events by version."""
    shown, versions = Covered(), set[tuple[str, int]]()
    for file in files():
        for stream in streams(file).values():
            shown |= {(file.stem, each.name) for each in stream}
            versions |= {(each.name, each.version) for each in stream}
    return shown, versions


def record() -> None:
    """Add a recording for what the others do not have."""
    shown, versions = covered()
    missing = set(KINDS) - {name for name, _ in versions} | {name for name, _ in set(UPCASTERS) - versions}
    if not missing:
        sys.exit("Every kind and version of event is recorded; what is recorded stays as it is.")
    candidates = rehearsed(scripted())
    needed = set[tuple[str, ...]]().union(*(each.shows for each in candidates)) - shown
    if recordings():
        sessions = chosen(candidates, {each for each in needed if each[1] in missing}, [])
    else:
        longest = [max(rehearsed(random_sessions(game)), key=lambda each: len(each.shows)) for game in APPROVED]
        sessions = chosen(candidates, needed, longest)
    if missing & AT_THE_CAGE:
        sessions += [each for each in candidates if each.name in OF_DEBTS and each not in sessions]
    voided = [each for each in candidates if ("baccarat", "VoidAsked") in each.shows and each not in sessions]
    oldest = replaced(min(voided, key=lambda each: each.size), name="baccarat-as-before")
    with TemporaryDirectory(prefix="punto-") as folder:
        asyncio.run(_record(Path(folder), sessions, oldest, LOG / str(len(recordings()) + 1)))


async def _record(folder: Path, sessions: list[Session], oldest: Session, to: Path) -> None:
    store, clock = SqliteStore(folder / "punto.db"), ticking()
    floor = Floor(store, await House.open(store, KEYS, clock()), Cage(store, clock), clock)
    for number, session in enumerate(sessions):
        await floor.play(session, account=number % 2 == 0)
    await floor.store_as_before(oldest)
    await floor.play_sealed("baccarat-sealed", load("baccarat"))
    await floor.play_reading("tiger-reading", load("tiger"))
    await floor.close_the_day()
    games = {table: game for table in floor.tables for game in APPROVED if table.startswith(f"{game}-")}
    to.mkdir(parents=True)
    for stream in await store.streams():
        kind = {HOUSE: "house", CAGE: "cage"}.get(stream) or games.get(stream) or "shoes"
        recorded = await store.read(stream, most=1_000_000)
        with (to / f"{kind}.jsonl").open("ab") as file:
            file.writelines(encoder.encode(Line.of(each)) + b"\n" for each in recorded)
        if stream in games:
            with facts_file(to / f"{kind}.jsonl").open("ab") as file:
                file.writelines(encoder.encode(after) + b"\n" for after in folded(kind, recorded))
    written = [each.body for stream in await store.streams() for each in await store.read(stream, most=1_000_000)]
    words = await store.words(digests_in(*written))
    (to / WORDS).write_bytes(encoder.encode([words[digest] for digest in sorted(words)]))
    await store.close()
