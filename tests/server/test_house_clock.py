"""The house's clock: the machine's may be set at any time, and no deadline moves."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import pytest
from server.test_store_away import say
from support.fake_channel import FakeChannel
from support.past import client_of, opened, options_of
from support.waiting import until_async

from punto import load
from punto.server.realtime.connection import Connection
from punto.server.realtime.messages import DoneMessage
from punto.server.running import house_clock, lifecycle
from punto.server.running.house_clock import HouseClock, watch_clock
from punto.server.running.lifecycle import Options, open_serving, practice_setting
from punto.server.tables.floor import Floor
from punto.server.tables.table_actor import outcome
from punto.store.address import open_store
from punto.store.events.house_events import HOUSE, ClockSet
from punto.store.house import SYSTEM
from punto.store.trust.keys import Keys
from punto.table.guidance.dealer_automation import Step
from punto.table.play.shoes import LoadShoe
from punto.table.play.table_management import OpenTable
from punto.table.play.wagers import BetsOpened, OpenBets
from punto.table.roles import Actor, Role
from punto.table.round import Phase
from punto.table.views import public

BOOK = load("baccarat")
HOUR = 3_600_000
DEALER, PIT_MANAGER = Actor("sam", Role.DEALER), Actor("pat", Role.PIT_MANAGER)


class Machine:
    """A machine whose clocks are set by hand, in milliseconds."""

    def __init__(self) -> None:
        self.wall, self.steady = 1_000 * HOUR, 5 * HOUR
        self.clock = HouseClock(lambda: self.wall * 1_000_000, lambda: self.steady * 1_000_000)

    def wait(self, milliseconds: int) -> None:
        self.wall += milliseconds
        self.steady += milliseconds


@pytest.mark.parametrize("jump", [HOUR, -HOUR, 10 * HOUR, -24 * HOUR])
def test_a_clock_that_jumps_is_told_once_and_moves_nothing(jump: int) -> None:
    machine = Machine()
    began = machine.clock()
    machine.wait(1_000)
    assert machine.clock.check() is None
    machine.wall += jump
    assert machine.clock() == began + 1_000
    assert machine.clock.check() == jump
    for second in range(2, 60):
        machine.wait(1_000)
        assert machine.clock.check() is None
        assert abs(machine.clock() - began - 1_000 * second) <= 10 * second  # one part in a hundred


@pytest.mark.parametrize("jump", [60_000, -60_000])
def test_the_house_comes_to_the_machines_time_without_ever_going_back(jump: int) -> None:
    machine = Machine()
    machine.wall += jump
    before = machine.clock()
    for _ in range(20_000):
        machine.wait(500)
        machine.clock.check()
        assert machine.clock() >= before
        before = machine.clock()
    assert abs(machine.clock() - machine.wall) < 1_000


def test_small_corrections_are_no_event() -> None:
    machine = Machine()
    for _ in range(100):
        machine.wall += 300
        machine.wait(60_000)
        assert machine.clock.check() is None
    assert abs(machine.clock() - machine.wall) < 1_000


def test_a_house_is_not_behind_its_log() -> None:
    machine = Machine()
    machine.clock.not_before(machine.wall + HOUR)
    assert machine.clock() == machine.wall + HOUR
    machine.clock.not_before(machine.wall - HOUR)
    assert machine.clock() == machine.wall + HOUR
    assert machine.clock.check() == -HOUR


async def test_a_jump_is_recorded_even_if_the_store_fails_at_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house_clock, "CHECKED_EACH", 0)
    machine, recorded, tries = Machine(), list[int](), list[int]()

    async def record(jumped: int) -> None:
        tries.append(jumped)
        if len(tries) < 3:
            raise OSError
        recorded.append(jumped)

    machine.wall -= HOUR
    watch = asyncio.create_task(watch_clock(machine.clock, record))
    await until_async(lambda: bool(recorded))
    watch.cancel()
    assert (recorded, len(tries)) == ([-HOUR], 3)


async def test_the_event_stands_in_the_houses_stream(tmp_path: Path) -> None:
    serving = await open_serving(Options(str(tmp_path / "punto.db")))
    await serving.floor.record(ClockSet(-HOUR, -3600), SYSTEM)
    number, _ = await serving.store.head(HOUSE)
    (last,) = await serving.store.read(HOUSE, number - 1, 1)
    assert last.event == ClockSet(-HOUR, -3600)
    assert HOUSE not in serving.floor.closed
    await serving.close()


async def test_a_house_that_serves_watches_the_machines_clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the watch finds is recorded in the house's stream."""
    watched = list[tuple[HouseClock, Callable[[int], Awaitable[object]]]]()

    async def watch(clock: HouseClock, record: Callable[[int], Awaitable[object]]) -> None:
        watched.append((clock, record))

    monkeypatch.setattr(lifecycle, "watch_clock", watch)
    serving = await open_serving(Options(str(tmp_path / "punto.db")))
    await until_async(lambda: bool(watched))
    ((clock, record),) = watched
    assert clock is serving.gateway.clock
    await record(-HOUR)
    number, _ = await serving.store.head(HOUSE)
    (last,) = await serving.store.read(HOUSE, number - 1, 1)
    assert last.event == ClockSet(-HOUR, -HOUR // 1000)
    await serving.close()


# --- at a table -------------------------------------------------------------------------------------------------------


class Wall:
    """The machine's time, which may be set."""

    set_by = 0

    def __call__(self) -> int:
        return time.time_ns() // 1_000_000 + self.set_by


async def betting(floor: Floor, seconds: int) -> None:
    """Open the bets at a table where an automaton calls the end of them."""
    await floor.create_table("t1", BOOK, [Step.ANNOUNCE])
    served = floor.tables["t1"]

    async def done(command: Awaitable[object]) -> None:
        assert isinstance(await command, DoneMessage)

    await done(outcome(floor.submit, served, OpenTable(PIT_MANAGER, practice_setting(BOOK, seconds), 1_000_000)))
    shoe = await served.keeper.next_shoe(8)
    assert shoe
    await served.keeper.close_list(shoe)
    await done(outcome(floor.submit, served, LoadShoe(DEALER, shoe)))
    await done(outcome(floor.submit, served, OpenBets(DEALER)))


@pytest.mark.parametrize("jump", [-HOUR, HOUR])
async def test_a_betting_window_lasts_as_long_as_it_should(tmp_path: Path, jump: int) -> None:
    """Even if a process takes its time from a clock that is set: the time left is counted, not compared."""
    wall = Wall()
    floor = Floor(await open_store(str(tmp_path / "punto.db")), Keys(bytes(range(32))), wall, {BOOK.key: BOOK})
    await floor.start()
    began = time.monotonic()
    await betting(floor, 2)
    wall.set_by = jump
    served = floor.tables["t1"]
    assert served.table.phase is Phase.BETTING
    await until_async(lambda: served.table.phase is not Phase.BETTING)
    assert time.monotonic() - began > 1.9  # it ends at all, and not early
    times = [record.at for record in await floor.store.read("t1")]
    assert times == sorted(times)
    await floor.stop()
    await floor.store.close()


async def test_the_public_is_told_the_deadline_that_the_opening_has(tmp_path: Path) -> None:
    floor = Floor(await open_store(str(tmp_path / "punto.db")), Keys(bytes(range(32))), Wall(), {BOOK.key: BOOK})
    await floor.start()
    await betting(floor, 3_000)
    (opened,) = [each for each in await floor.store.read("t1") if isinstance(each.event, BetsOpened)]
    assert isinstance(opened.event, BetsOpened)
    assert opened.event.deadline is not None
    assert opened.event.deadline > opened.at
    assert public(floor.tables["t1"].table).deadline == opened.event.deadline
    await floor.stop()
    await floor.store.close()


async def test_time_does_not_go_back_in_a_stream(tmp_path: Path) -> None:
    wall = Wall()
    floor = Floor(await open_store(str(tmp_path / "punto.db")), Keys(bytes(range(32))), wall, {BOOK.key: BOOK})
    await floor.start()
    await floor.cage.deposit("ann", 1_000, SYSTEM)
    wall.set_by = -HOUR
    await floor.cage.deposit("ann", 1_000, SYSTEM)
    first, second = [record.at for record in await floor.store.read("cage")][-2:]
    assert second >= first
    await floor.stop()
    await floor.store.close()


# --- allowances -------------------------------------------------------------------------------------------------------


class SetClock:
    """The machine's clock as all of the server reads it, set by some hours."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.hours = 0
        real, real_ns = time.time, time.time_ns

        def read() -> float:
            return real() + 3_600 * self.hours

        def read_ns() -> int:
            return real_ns() + 3_600_000_000_000 * self.hours

        # Modules may have imported the functions by name.
        modules = [time, *(module for name, module in sys.modules.items() if name.partition(".")[0] == "punto")]
        for module in modules:
            for name, value in list(vars(module).items()):
                if value is real or value is real_ns:  # not compared: arrays are in modules too
                    monkeypatch.setattr(module, name, read if value is real else read_ns)
        monkeypatch.setattr(lifecycle, "HouseClock", partial(HouseClock, read_ns))


async def test_a_clock_that_is_set_neither_uses_up_an_allowance_nor_fills_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = SetClock(monkeypatch)
    async with opened(options_of(tmp_path)) as serving, client_of(serving) as client:
        wire = FakeChannel()
        connection = Connection(serving.gateway, wire, None, None, serving.gateway.messages.of("here"))

        async def links(number: int) -> set[int]:
            return {(await client.post("/api/links", json={"link": "wrong"})).status_code for _ in range(number)}

        for hours in (0, -1):
            machine.hours = hours
            assert {(await client.get("/api/games")).status_code for _ in range(50)} == {200}
            assert await links(10) == {409}
            for _ in range(50):
                say(connection, "Ping")
            assert {told["type"] for told in wire.told} == {"pong"}
        machine.hours = 1
        assert 429 in await links(5)
