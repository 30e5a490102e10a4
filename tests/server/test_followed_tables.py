"""Several processes on one database: each follows the tables it serves, and takes in the others when it needs them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from server.test_two_floors import BOOK, DEALER, PIT_MANAGER, close, done, floor_on, load_shoe
from support.fake_channel import FakeChannel
from support.live import PATIENCE
from support.waiting import until_async

import punto.server
from punto.rules.table_of_play import Hand
from punto.server.access.identity import Duty, People
from punto.server.gateway import Gateway
from punto.server.realtime.connection import Connection
from punto.server.realtime.feed import Subscription
from punto.server.realtime.messages import RefusedMessage, read_command
from punto.server.running.lifecycle import clock, practice_setting
from punto.server.tables.auto_dealer import Pace
from punto.server.tables.floor import Floor
from punto.server.tables.served_table import ServedTable
from punto.server.tables.table_actor import outcome
from punto.server.tables.turns import Turns
from punto.store.postgresql import PostgresStore, Read
from punto.table.guidance.dealer_automation import EVERYTHING
from punto.table.irregularities.void import ConfirmVoid, ReportVoid
from punto.table.play.duty import CallPit
from punto.table.play.shoes import EndShoe, LoadShoe
from punto.table.play.table_management import CloseTable, OpenTable
from punto.table.play.wagers import CloseBets, OpenBets
from punto.table.refusal import Refusal
from punto.table.roles import Actor, Role
from punto.table.settings import Device, SensitiveAct
from punto.table.visibility import Audience


@asynccontextmanager
async def two_processes(address: str) -> AsyncIterator[tuple[Floor, Floor]]:
    """Two floors that hear of each other, with one open table; the first leads whatever one process does for all."""
    first = await floor_on(address)
    await first.create_table("t1", BOOK)
    await done(first, OpenTable(PIT_MANAGER, practice_setting(BOOK, None), 1_000_000))
    await first.store.lead("shoes")
    second = await floor_on(address)
    yield first, second
    await close(first, second)


async def heard(by: Floor, of: Floor) -> ServedTable:
    """Wait until one process was told how far the other is; return the table as the one has it."""
    served, end = by.tables["t1"], of.tables["t1"].actor.number
    await until_async(lambda: served.actor.told >= end)
    return served


@pytest.fixture
def streams_read(monkeypatch: pytest.MonkeyPatch) -> dict[PostgresStore, list[str]]:
    """By store the streams that it has read, as often as it did."""
    read: dict[PostgresStore, list[str]] = {}
    read_all = PostgresStore._read_all

    async def reading(store: PostgresStore, reads: Sequence[Read]) -> None:
        read.setdefault(store, []).extend(each.stream for each in reads)
        await read_all(store, reads)

    monkeypatch.setattr(PostgresStore, "_read_all", reading)
    return read


async def test_a_table_that_nobody_watches_here_is_not_read(
    postgresql: str, streams_read: dict[PostgresStore, list[str]]
) -> None:
    async with two_processes(postgresql) as (first, second):
        assert isinstance(second.store, PostgresStore)
        before = (await heard(second, first)).actor.number
        streams_read[second.store].clear()
        for _ in range(20):
            await done(first, CallPit(DEALER))
        served = await heard(second, first)
        assert served.is_behind
        assert served.actor.number == before
        assert "t1" not in streams_read[second.store]
        await second.others.refresh(served)
        assert (served.table, served.actor.number) == (first.tables["t1"].table, before + 20)
        assert streams_read[second.store].count("t1") == 1


async def test_a_table_with_a_subscriber_here_is_followed(postgresql: str) -> None:
    async with two_processes(postgresql) as (first, second):
        served = await heard(second, first)
        subscription = Subscription(Told(), served.feed, Audience.PUBLIC, None)
        served.feed.subscribe(subscription, None)
        await done(first, CallPit(DEALER))
        await until_async(lambda: served.actor.number == first.tables["t1"].actor.number)
        served.feed.unsubscribe(subscription)
        await done(first, CallPit(DEALER))
        assert (await heard(second, first)).is_behind


async def test_a_command_is_decided_by_what_another_process_has_stored(
    postgresql: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is taken in before the decision, so nothing comes too late and is decided again."""
    async with two_processes(postgresql) as (first, second):
        await load_shoe(first)
        await done(first, OpenBets(DEALER))
        served = await heard(second, first)
        assert served.table.shoe is None
        tries: list[int] = []
        append_all = second.store.append_all

        async def appending(transactions: Sequence[object]) -> None:
            tries.append(len(transactions))
            await append_all(transactions)  # type: ignore[arg-type]

        monkeypatch.setattr(second.store, "append_all", appending)
        again = await outcome(second.submit, served, OpenBets(DEALER))
        assert isinstance(again, Refusal)
        assert again.code == "wrong-phase"
        await done(first, CallPit(DEALER))
        await heard(second, first)
        await done(second, CloseBets(DEALER))
        assert tries == [1]


class Told:
    """A client that keeps what it is sent."""

    def __init__(self) -> None:
        self.frames = b""

    def tell(self, data: bytes) -> bool:
        self.frames += data
        return True

    def glimpse(self, data: bytes) -> None: ...


async def test_an_act_is_checked_though_it_was_not_told_yet_who_proposed_it(
    postgresql: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with two_processes(postgresql) as (first, second):
        people = People(second.store, clock)
        gone, pat = [await people.add(name, Duty.PIT_MANAGER) for name in ("Gil who goes", "Pat")]
        await done(first, CloseTable(PIT_MANAGER, 1_000_000))
        setting = replace(practice_setting(BOOK, None), device=Device.MANUAL, second_person=(SensitiveAct.VOID,))
        opened = OpenTable(PIT_MANAGER, setting, 1_000_000), LoadShoe(DEALER, "one"), OpenBets(DEALER)
        for command in (*opened, CloseBets(DEALER), ReportVoid(DEALER, "wrong-cards")):
            await done(first, command)
        await second.others.refresh(served := await heard(second, first))
        monkeypatch.setattr(second.others, "_note_ends", lambda _: None)  # what is told from now on is late
        await done(first, ConfirmVoid(Actor(gone.id, Role.PIT_MANAGER), reason="seen by the camera"))
        await people.set_active(gone.id, active=False)
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        message = read_command(b'{"command":"ConfirmAct","table":"t1"}')
        Gateway(second, people, clock).submit(answer.set_result, pat, served, message)
        refusal = await answer
        assert isinstance(refusal, RefusedMessage)
        assert (refusal.code, refusal.case) == ("no-such-act", "lapsed")


async def test_who_subscribes_is_shown_what_another_process_has_stored(postgresql: str) -> None:
    async with two_processes(postgresql) as (first, second):
        for _ in range(5):
            await done(first, CallPit(DEALER))
        served = await heard(second, first)
        assert served.is_behind
        channel = FakeChannel()
        gateway = Gateway(second, People(second.store, clock), clock)
        connection = Connection(gateway, channel, None, None)
        connection.hear(b'{"command":"Subscribe","table":"t1"}')
        await until_async(lambda: channel.told)
        shown = channel.told[0]
        assert (shown["type"], shown["number"]) == ("table", first.tables["t1"].actor.number)
        connection.leave()


async def test_an_automatic_table_is_driven_by_one_process_and_then_by_the_other(postgresql: str) -> None:
    pace = Pace(0, 0, 0, 0.05)
    first, second = await floor_on(postgresql, pace), await floor_on(postgresql, pace)
    await first.create_table("t1", BOOK, EVERYTHING)
    await done(first, OpenTable(PIT_MANAGER, practice_setting(BOOK, 0), 1_000_000))
    await until_async(lambda: "t1" in second.tables and first.tables["t1"].leading != second.tables["t1"].leading)
    driver, other = (first, second) if first.tables["t1"].leading else (second, first)
    await until_async(lambda: driver.tables["t1"].table.round_number >= 2)
    assert not other.tables["t1"].leading
    assert other.tables["t1"].timer is None
    await close(driver)
    served = other.tables["t1"]
    await until_async(lambda: served.leading)
    rounds = served.table.round_number
    await until_async(lambda: served.table.round_number > rounds + 1)
    await close(other)


async def test_a_shoe_that_ended_at_a_process_that_died_is_published_by_the_one_that_leads(
    postgresql: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with two_processes(postgresql) as (first, second):
        monkeypatch.setattr(second, "end_shoes", lambda *_: None)  # it dies before it could
        shoe = await load_shoe(second)
        await done(second, EndShoe(PIT_MANAGER))
        served = await heard(first, second)
        await first.others._end_shoes_elsewhere()
        async with asyncio.timeout(PATIENCE):
            while await served.keeper.record(shoe) is None:
                await asyncio.sleep(0.01)


async def test_a_shoe_that_goes_on_is_not_published(postgresql: str) -> None:
    async with two_processes(postgresql) as (first, second):
        shoe = await load_shoe(second)
        served = await heard(first, second)
        await first.others._end_shoes_elsewhere()
        assert served.is_behind, "nothing has ended, so nothing is read"
        await served.keeper.catch_up()
        assert await served.keeper.record(shoe) is None
        assert served.table.round.hands[Hand.PLAYER] == ()


async def test_an_overview_takes_in_all_tables(postgresql: str) -> None:
    async with two_processes(postgresql) as (first, second):
        await done(first, CallPit(DEALER))
        served = await heard(second, first)
        await second.others.refresh_all(lasts=0)
        assert served.actor.number == first.tables["t1"].actor.number
        await done(first, CallPit(DEALER))
        await heard(second, first)
        await second.others.refresh_all(lasts=PATIENCE)
        assert served.is_behind, "what was taken in a moment ago is good enough"


async def test_what_was_stored_before_a_process_listened_is_found(postgresql: str) -> None:
    async with two_processes(postgresql) as (first, second):
        await done(first, CallPit(DEALER))
        served = await heard(second, first)
        served.actor.told = 0  # as if the notice had been lost with the connection
        second.others.hear({})
        await until_async(lambda: served.is_behind)


async def test_each_process_gives_way_to_the_other() -> None:
    turns = Turns()
    await turns.give_way()
    turns.note_own(began=0)
    await turns.give_way()  # nobody else is there
    turns.note_others()
    await turns.give_way()  # it is this process's turn
    turns.note_own(began=0)
    waiting = asyncio.create_task(turns.give_way())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert not waiting.done()
    turns.note_others()
    await waiting


def test_routes_ask_for_tables_that_are_up_to_date() -> None:
    """``gateway.table`` returns a table as this process has it, ``gateway.refreshed`` with what others have stored."""
    folder = Path(punto.server.__file__).parent
    found = {
        f"{file.relative_to(folder)}: {line.strip()}"
        for part in ("http", "pit", "history")
        for file in (folder / part).rglob("*.py")
        for line in file.read_text("utf-8").splitlines()
        if "gateway.table(" in line
    }
    of_page = "game=gateway.table(table).book.key, **about)"
    assert found == {
        "http/tables.py: served = gateway.table(table)",  # and reads on, whatever it was told
        "http/shoes.py: keeper = gateway.table(table).keeper",  # the same
        f"http/pages.py: return await _page(gateway, request, page, 200, table=table, {of_page}",  # never changes
    }
