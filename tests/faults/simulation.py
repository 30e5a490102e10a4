"""One run: a house is served, played in and troubled, all from one seed; in the end everything is checked."""

from __future__ import annotations

import asyncio
import gc
from collections import Counter, deque
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from random import Random
from typing import Any

from chaos.checks import Checks, Seen
from chaos.town import Town
from faults.disk import Disk, DiskFile
from faults.machine import GAMES, Machine, standing_in
from faults.persons import Dealer, Patron, Person, PitManager
from faults.planted import PLANTED
from faults.virtual_loop import StandsStill, VirtualLoop
from msgspec.structs import replace

from punto import load
from punto.audit.log_audit import StoreAudit
from punto.audit.table_recomputed import games_by_digest
from punto.server.access.identity import HOUR, Duty
from punto.server.running.lifecycle import Serving, practice_setting
from punto.server.tables.table_actor import outcome
from punto.store.house import SYSTEM
from punto.table.guidance.dealer_automation import EVERYTHING
from punto.table.play.table_management import OpenTable
from punto.table.refusal import Refusal
from punto.table.roles import Actor, Role
from punto.table.settings import Device

COMMANDS = 200
PATRONS = 4
TABLES = {"auto": "baccarat", "dealt": "tiger"}
HOLDS = 10_000_000
LONGEST = 3_600.0
"""Seconds of the clock that costs nothing: no run takes so long unless something stands still."""
LAST_STEPS = 40
ROTTEN = "snapshot-not-signed"


@dataclass(slots=True)
class Ran:
    """What became of a run."""

    seed: int
    digest: str
    """Of everything that happened: two runs of one seed have the same."""
    findings: list[str]
    commands: int
    troubles: Counter[str]
    last_steps: list[str]


@dataclass(slots=True)
class Made:
    """A house that every run begins with: its files, and how its people sign in."""

    files: dict[str, bytes] = field(default_factory=dict)
    tokens: list[tuple[str, str]] = field(default_factory=list)


class Simulation:
    """A run from one seed."""

    def __init__(self, seed: int, planted: str | None = None, lying: bool = False) -> None:
        self.seed, self.planted, self.lying = seed, planted, lying
        self.dice = Random(f"faults {seed}")
        self.loop = VirtualLoop(Random(f"loop {seed}"))
        self.town, self.seen, self.troubles = Town(), Seen(), Counter[str]()
        self.loop.set_exception_handler(lambda _, about: self.town.find(f"not handled: {about!r}"))
        self._digest, self._steps = sha256(), deque[str](maxlen=LAST_STEPS)
        self._slow = 0.002
        self.people: list[Person] = []

    def note(self, what: str) -> None:
        """Write down a step."""
        line = f"{self.loop.time():.6f} {what}"
        self._digest.update(line.encode())
        self._steps.append(line)

    def run(self) -> Ran:
        """Run it all; what it found."""
        disk = Disk(
            self.dice, {name: DiskFile(bytearray(data), bytearray(data)) for name, data in _made().files.items()}
        )
        self.machine = Machine(self.loop, self.dice, disk, self.town.find)
        self.loop.work_takes = lambda: self.dice.expovariate(1 / self._slow)
        with standing_in(self.machine, Random(f"chance {self.seed}")), PLANTED[self.planted](self.machine):
            _in(self.loop, self._all(), self.town.find)
            self.machine.close()
        return Ran(
            self.seed, self._digest.hexdigest(), self.town.findings, len(self.town.given), self.troubles,
            list(self._steps),
        )  # fmt: skip

    async def _all(self) -> None:
        async with asyncio.timeout(LONGEST):
            await self.machine.start()
            working, listening = self._begin()
            troubling = asyncio.create_task(self._trouble())
            while len(self.town.given) < COMMANDS and not self.town.findings:
                await asyncio.sleep(0.2)
            self.town.closing = True
            await troubling
            if not self.town.findings:
                await asyncio.gather(*working)
                await self._finish()
            for task in (*working, *listening):
                task.cancel()
        if not self.town.findings:
            await self._check()

    def _begin(self) -> tuple[list[asyncio.Task[None]], list[asyncio.Task[None]]]:
        """Let everyone come and begin."""
        names, tokens = list(TABLES), _made().tokens
        patrons = [Patron(self.town, f"patron{number}", self.seed, *tokens[number]) for number in range(PATRONS)]
        for number, patron in enumerate(patrons):
            patron.seat = number
        self.dealer = Dealer(self.town, "dealer", self.seed, *tokens[PATRONS])
        self.pit = PitManager(self.town, "pit", self.seed, *tokens[PATRONS + 1])
        self.people = [*patrons, self.dealer, self.pit, Person(self.town, "watcher", self.seed)]
        for table, game in TABLES.items():
            self.dealer.take_on(table, load(game))
        for person in self.people:
            person.enter(self)
        listening = [asyncio.create_task(person.listen(names)) for person in self.people]
        work = [patron.play(names) for patron in patrons] + [self.dealer.deal("dealt"), self.pit.work()]
        return [asyncio.create_task(each) for each in work], listening

    # --- trouble ---------------------------------------------------------------------------------------------------

    async def _trouble(self) -> None:
        """Let things go wrong, one after the other, until enough was played."""
        kinds: dict[str, Callable[[], Coroutine[Any, Any, None]]] = {
            "kill": self._kill,
            "power": self._power,
            "power-in-a-write": self._power_in_a_write,
            "cut": self._cut,
            "full": self._full,
            "sync-fails": self._sync_fails,
            "slow": self._slow_disk,
        }
        while not self.town.closing and not self.town.findings:
            await asyncio.sleep(self.dice.uniform(0.1, 1.5))
            if self.town.closing:
                return
            self.machine.disk.sync_lies = self.lying
            kind = self.dice.choice(list(kinds))
            self.troubles[kind] += 1
            self.note(kind)
            await kinds[kind]()

    async def _kill(self) -> None:
        self.machine.die(power=False)
        await self._back()

    async def _power(self) -> None:
        self.machine.die(power=True)
        await self._back()

    async def _power_in_a_write(self) -> None:
        disk = self.machine.disk
        disk.cut_at = disk.operations + self.dice.randint(1, 60)
        for _ in range(60):
            if not self.machine.process.alive:
                break
            await asyncio.sleep(0.05)
        disk.cut_at = 0
        if not self.machine.process.alive:
            await self._back()

    async def _back(self) -> None:
        await asyncio.sleep(self.dice.uniform(0.0, 1.5))
        self.machine.disk.sync_lies = self.lying
        if self.dice.random() < 0.3:
            self.machine.rot()
        if self.dice.random() < 0.2:  # the power fails while the server starts
            self.machine.disk.cut_at = self.dice.randint(1, 40)
        await self.machine.start()
        self.machine.disk.cut_at = 0
        self.note(f"server {self.machine.starts}")

    async def _cut(self) -> None:
        lines = [person._line for person in self.people if person._line]
        for line in self.dice.sample(lines, self.dice.randint(0, len(lines))):
            line.cut()

    async def _full(self) -> None:
        disk = self.machine.disk
        disk.full = True
        await asyncio.sleep(self.dice.uniform(0.1, 2.0))
        disk.full = False

    async def _sync_fails(self) -> None:
        disk = self.machine.disk
        disk.sync_fails = True
        await asyncio.sleep(self.dice.uniform(0.1, 1.0))
        disk.sync_fails = False

    async def _slow_disk(self) -> None:
        self._slow = self.dice.choice((0.02, 0.2))
        await asyncio.sleep(self.dice.uniform(0.5, 3.0))
        self._slow = 0.002

    # --- the end ---------------------------------------------------------------------------------------------------

    async def _finish(self) -> None:
        """Play out the rounds, end the shoes, look at what everyone has, and stop the server."""
        if not self.machine.process.alive:
            await self.machine.start()
        serving = self.machine.serving
        assert serving is not None
        await self._in_server(serving.floor.automate("auto", []))
        while serving.floor.tables["auto"].driven:  # it may be about to load a shoe
            await asyncio.sleep(0.1)
        refused: str | None = "wrong-phase"
        while refused == "wrong-phase":  # the automaton may have taken one more step
            await self._all_told(serving)
            for table in TABLES:
                await self.dealer.finish(table)
            refused = (await self.pit.end_shoe("auto")).refused
        await self._published(serving)
        await self._all_told(serving)
        await self._in_server(serving.floor.cage.catch_up())
        self._look(serving)
        for person in self.people:
            person._hang_up()
        await self.machine.stop()
        self.machine.disk = self.machine.disk.after_power_cut()

    async def _published(self, serving: Serving) -> None:
        keeper = serving.floor.tables["auto"].keeper
        while keeper.unpublished(None):
            await asyncio.sleep(0.1)
        self.seen.records |= {shoe: published for shoe in keeper.shoes if (published := await keeper.record(shoe))}

    async def _all_told(self, serving: Serving) -> None:
        for person in self.people:
            for table, heard in person.heard.items():
                while heard.last < serving.floor.tables[table].actor.number or not person._up.is_set():
                    await asyncio.sleep(0.1)

    def _look(self, serving: Serving) -> None:
        for patron in self.people[:PATRONS]:
            self.seen.accounts[patron.id] = serving.floor.cage.accounts[patron.id]
            for table in TABLES:
                self.seen.chips[table, patron.id] = serving.floor.tables[table].table.chips.get(patron.id, 0)

    async def _in_server(self, work: Coroutine[Any, Any, Any]) -> None:
        await self.loop.create_task(work, context=self.machine.process.context())

    async def _check(self) -> None:
        """Hold the log against everything that was said, and have it audited."""
        store = await self.machine.reader()
        books = {table: load(game) for table, game in TABLES.items()}
        await Checks(self.town, store, books, self.people).run(self.seen, frozenset({self.dealer.id, self.pit.id}))
        audit = StoreAudit(store, _audited())
        for finding in await audit.run():
            if finding.code != ROTTEN:  # we did that ourselves, and it is no harm unless it is used
                self.town.find(f"audit: {finding}")
        self.note(str(sorted(audit.last_hashes.items())))


def _in(loop: VirtualLoop, work: Coroutine[Any, Any, None], find: Callable[[str], None]) -> None:
    """Run something to its end; what it raises is a finding."""
    gc.disable()
    try:
        loop.run_until_complete(work)
    except StandsStill:
        find("everything stands still")
    except Exception as error:
        find(f"{type(error).__name__}: {error}")
    finally:
        gc.enable()


@cache
def _audited() -> Any:
    return games_by_digest(GAMES)


# --- the house -------------------------------------------------------------------------------------------------------


@cache
def _made() -> Made:
    """Make the house that every run begins with."""
    loop, made, dice = VirtualLoop(Random(0)), Made(), Random(0)
    machine = Machine(loop, dice, Disk(dice), _fail)
    with standing_in(machine, Random("house")):
        loop.run_until_complete(_make(machine, made))
        machine.close()
    made.files = {name: bytes(file.content) for name, file in machine.disk.files.items()}
    return made


def _fail(sentence: str) -> None:
    raise AssertionError(sentence)


async def _make(machine: Machine, made: Made) -> None:
    await machine.start()
    serving = machine.serving
    assert serving is not None
    for table, game in TABLES.items():
        book, automatic = load(game), table == "auto"
        setting = practice_setting(book, betting_seconds=1 if automatic else None)
        if not automatic:
            setting = replace(setting, device=Device.MANUAL, answer_seconds=None)
        await serving.floor.create_table(table, book, EVERYTHING if automatic else ())
        opened = OpenTable(Actor("punto", Role.ASSISTANT_CASINO_MANAGER), setting, 1_000_000_000)
        answer = await outcome(serving.floor.submit, serving.floor.tables[table], opened, giver=SYSTEM)
        assert not isinstance(answer, Refusal), answer
    for number in range(PATRONS):
        await _sign_in(serving, made, f"patron {number}", Duty.PATRON)
        await serving.floor.cage.deposit(made.tokens[-1][1], HOLDS, SYSTEM)
    await _sign_in(serving, made, "a dealer", Duty.PIT_SUPERVISOR)  # who may read the log of any table
    await _sign_in(serving, made, "a pit manager", Duty.PIT_MANAGER)
    await machine.stop()


async def _sign_in(serving: Serving, made: Made, name: str, duty: Duty) -> None:
    person = await serving.people.add(name, duty)
    token = await serving.people.use_link(await serving.people.make_link(person.id, HOUR))
    made.tokens.append((token, person.id))
