"""Two processes on one database: what one of them does with a shoe, the other knows; and tables that drive on."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from msgspec.structs import replace
from support.live import PATIENCE

from punto import load
from punto.rules.table_of_play import Hand
from punto.server.realtime.messages import DoneMessage, IdempotencyKey
from punto.server.running.lifecycle import clock, practice_setting
from punto.server.running.server_log import log
from punto.server.tables.auto_dealer import AutoDealer, Pace
from punto.server.tables.cut_times import seated_at
from punto.server.tables.floor import Floor
from punto.server.tables.other_processes import OtherProcesses
from punto.server.tables.served_table import ServedTable
from punto.server.tables.table_actor import outcome
from punto.shoe import Record, read_record, verify
from punto.store.address import open_store
from punto.store.people import ADD
from punto.store.trust.keys import Keys
from punto.table.command import Command
from punto.table.guidance.dealer_automation import EVERYTHING
from punto.table.play.chips import BuyIn
from punto.table.play.dealing import DrawCard, ExposeCard
from punto.table.play.shoes import EndShoe, LoadShoe, ShoeEnded, ShoeLoaded
from punto.table.play.table_management import OpenTable
from punto.table.play.wagers import CloseBets, OpenBets, PlaceWager
from punto.table.roles import Actor, Role

BOOK = load("baccarat")
ANN = Actor("ann", Role.PATRON)
DEALER, PIT_MANAGER = Actor("sam", Role.DEALER), Actor("pat", Role.PIT_MANAGER)


async def floor_on(address: str, pace: Pace | None = None) -> Floor:
    floor = Floor(await open_store(address), Keys(bytes(range(32))), clock, {BOOK.key: BOOK})
    if pace:
        floor.automatic = AutoDealer(floor, pace).drive
        floor.time_to_cut = 10
    await floor.start()
    return floor


async def done(floor: Floor, command: Command) -> None:
    answer = await outcome(floor.submit, floor.tables["t1"], command)
    assert isinstance(answer, DoneMessage), answer


async def add_ann(floor: Floor) -> None:
    await floor.store.ask(ADD, "ann", "Ann", "ann", None, "ann", Role.PATRON.value, None, False, clock())


async def load_shoe(floor: Floor) -> str:
    keeper = floor.tables["t1"].keeper
    shoe = await keeper.next_shoe(8)
    assert shoe
    await keeper.close_list(shoe)
    await done(floor, LoadShoe(DEALER, shoe))
    return shoe


async def two_floors(address: str, seconds: int | None = None) -> tuple[Floor, Floor]:
    """Of which the second publishes the shoes, and hears nothing of the first but when it looks."""
    first = await floor_on(address)
    first.store.lead = never  # type: ignore[method-assign]
    await first.create_table("t1", BOOK)
    await done(first, OpenTable(PIT_MANAGER, practice_setting(BOOK, seconds), 1_000_000))
    second = Floor(await open_store(address), Keys(bytes(range(32))), clock, {BOOK.key: BOOK})
    second.store.listen = lambda listener: None  # type: ignore[method-assign]  # noqa: ARG005
    await second.start()
    return first, second


async def looks_no_more(others: OtherProcesses) -> None:  # noqa: ARG001
    return


async def never(what: str) -> bool:  # noqa: ARG001
    return False


async def close(*floors: Floor) -> None:
    for floor in floors:
        await floor.stop()
        await floor.store.close()


async def test_any_process_exposes_the_next_card_of_a_shoe_another_has_brought(postgresql: str) -> None:
    first, second = await two_floors(postgresql)
    shoe = await load_shoe(first)
    for command in (OpenBets(DEALER), CloseBets(DEALER), *[DrawCard(DEALER)] * 4):
        await done(first, command)
    await done(second, ExposeCard(DEALER, Hand.PLAYER, 0))
    exposed = second.tables["t1"].table.round.hands[Hand.PLAYER][0].card
    assert exposed == first.tables["t1"].keeper.card_at(shoe, 0)
    await close(first, second)


async def test_the_secret_of_a_shoe_that_another_process_has_brought_is_not_told(
    postgresql: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever publishes is the last to hear of the table: he publishes the shoe before, and not the one in use."""
    monkeypatch.setattr(OtherProcesses, "poll", looks_no_more)

    first, second = await two_floors(postgresql)
    before = await load_shoe(first)
    await done(first, EndShoe(PIT_MANAGER))
    now = await load_shoe(first)
    second.end_shoes(second.tables["t1"])
    await asyncio.gather(*second._tasks)
    keeper = first.tables["t1"].keeper
    await keeper.catch_up()
    assert await keeper.record(before) is not None
    assert await keeper.record(now) is None
    await close(first, second)


async def test_a_shoe_is_published_although_the_database_was_away_for_a_moment(
    postgresql: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A connection that is cut in the middle of an answer: the work is neither given up nor logged as a fault."""
    monkeypatch.setattr("punto.server.tables.floor.RETRIED_EACH", 0.01)
    logged: list[str] = []
    monkeypatch.setattr(log, "error", lambda event, **_: logged.append(event))
    floor = await floor_on(postgresql)
    await floor.create_table("t1", BOOK)
    await done(floor, OpenTable(PIT_MANAGER, practice_setting(BOOK, None), 1_000_000))
    shoe, keeper = await load_shoe(floor), floor.tables["t1"].keeper
    await asyncio.gather(*(task for task in floor._tasks if "poll" not in repr(task)))
    catch_up, cut = keeper.catch_up, iter([asyncpg.InternalClientError, asyncpg.AdminShutdownError])

    async def failing() -> None:
        for error in cut:
            raise error("cut")
        await catch_up()

    monkeypatch.setattr(keeper, "catch_up", failing)
    await done(floor, EndShoe(PIT_MANAGER))
    async with asyncio.timeout(PATIENCE):
        while await keeper.record(shoe) is None:
            await asyncio.sleep(0.01)
    assert next(cut, None) is None
    await close(floor)
    assert logged == []


SLOW = (
    "create function slow() returns trigger language plpgsql as 'begin perform pg_sleep(0.6); return null; end'",
    """create constraint trigger slow after insert on answer deferrable initially deferred
    for each row when (new.key = 'slow') execute function slow()""",
)
"""A commit that takes its time."""


async def test_a_retry_is_not_refused_while_the_first_is_being_stored(postgresql: str) -> None:
    """A wager given in time to one process, which is killed while it commits, and after the time to another."""

    first, second = await two_floors(postgresql, seconds=1)
    await load_shoe(first)
    await add_ann(first)
    await done(first, BuyIn(DEALER, "ann", 10_000))
    await done(first, OpenBets(DEALER))
    for statement in SLOW:
        await first.store.ask(statement)
    window = first.tables["t1"].table.window
    assert window is not None
    assert window.deadline is not None
    await second.tables["t1"].actor.catch_up()
    in_time = PlaceWager(ANN, "ann", 1, "Player", 500, at=window.deadline - 1)
    key = IdempotencyKey("slow", b"the same")
    stored = asyncio.create_task(outcome(first.submit, first.tables["t1"], in_time, key))
    await asyncio.sleep(0.2)
    answer = await outcome(second.submit, second.tables["t1"], replace(in_time, at=window.deadline + 1), key)
    assert isinstance(await stored, DoneMessage)
    assert isinstance(answer, DoneMessage), answer
    assert answer.repeated
    await close(first, second)


async def test_a_table_by_itself_goes_on_from_shoe_to_shoe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cutting card ends each; and a database that fails for a moment does not end the driving."""

    floor = await floor_on(str(tmp_path / "punto.db"), Pace(0, 0, 0, 0.01))
    await floor.create_table("t1", BOOK, EVERYTHING)
    served = floor.tables["t1"]
    lead, failures = floor.store.lead, iter([True, True])

    async def failing(what: str) -> bool:
        if next(failures, False):
            raise OSError("away")
        return await lead(what)

    monkeypatch.setattr(floor.store, "lead", failing)
    setting = replace(practice_setting(BOOK, 0), decks=BOOK.decks.fewest)
    await done(floor, OpenTable(PIT_MANAGER, setting, 1_000_000))
    while served.table.shoes < 2:
        await asyncio.sleep(0.05)
    ended = await _ended(served)
    assert ended.reason == "cutting-card"
    while (published := await served.keeper.record(ended.shoe)) is None:
        await asyncio.sleep(0.01)
    record = read_record(published)
    assert isinstance(record, Record)
    assert all(check.ok for check in verify(record))
    assert 52 * setting.decks - 10 <= len(record.dealt) <= 52 * setting.decks - 3
    await close(floor)


async def test_a_patron_who_sits_down_at_the_last_moment_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    floor = await floor_on(str(tmp_path / "punto.db"), Pace(0, 0, 0, 0.01))
    await floor.create_table("t1", BOOK, EVERYTHING)
    served = floor.tables["t1"]
    await add_ann(floor)
    served.keeper.times.time_to_cut = 500
    failed: list[str] = []
    monkeypatch.setattr(log, "exception", lambda event, **_: failed.append(event))
    close_list = served.keeper.close_list

    async def closing(*arguments: Any) -> Any:
        if not served.table.chips:  # the automaton saw nobody, and now there is one who has not answered
            await done(floor, BuyIn(DEALER, ANN.id, 100_000))
            arguments = (*arguments[:3], seated_at(served.table))
        return await close_list(*arguments)

    monkeypatch.setattr(served.keeper, "close_list", closing)
    await done(floor, OpenTable(PIT_MANAGER, practice_setting(BOOK, 0), 1_000_000))
    while served.table.shoe is None:
        await asyncio.sleep(0.01)
    assert failed == []
    (conduct,) = served.keeper.times.conducts[served.table.shoe.name]
    assert conduct.absent == 1
    assert conduct.due is not None
    assert conduct.closed is not None
    assert conduct.closed >= conduct.due
    await close(floor)


async def _ended(served: ServedTable) -> ShoeEnded:
    events = [each.event for each in await served.actor.store.read("t1", most=5_000)]
    loaded = [each for each in events if isinstance(each, ShoeLoaded)]
    ended = next(each for each in events if isinstance(each, ShoeEnded))
    assert loaded[0].shoe == ended.shoe
    return ended
