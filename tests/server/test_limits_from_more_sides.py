"""Limits over the house tried from more sides: other tables, many wagers at once, changed minds, and breaks."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from server.test_house_limits import (
    ANN,
    BOOK,
    DEALER,
    GIVER,
    MANAGER,
    STAKE,
    TIME,
    House,
    bring_shoe,
    close_both,
    open_floor,
    open_house,
    played,
)

from punto.server.patron_limits.limit_state import DAY
from punto.server.running.lifecycle import practice_setting
from punto.server.tables import table_opener
from punto.store.events.limit_events import ExclusionKind
from punto.table.irregularities.power_failure import ReportPowerFailure
from punto.table.irregularities.withdrawal import AnswerWithdrawal, CorrectAnswer
from punto.table.play.table_management import OpenTable
from punto.table.play.wagers import CloseBets, OpenBets, TakeBackWager


@pytest.fixture
def address(tmp_path: Path) -> str:
    return str(tmp_path / "house.db")


async def make_table(house: House, name: str) -> None:
    await house.floor.create_table(name, BOOK)
    assert await house.give(OpenTable(MANAGER, practice_setting(BOOK, None), 100_000_000), name) == "done"
    await bring_shoe(house, name)
    assert await house.give(OpenBets(DEALER), name) == "done"


def test_a_table_made_afterwards_takes_no_more(address: str) -> None:
    async def play(house: House) -> None:
        await house.limit(100)
        assert await house.buy_in(300) == "done"
        assert await house.wager(100) == "done"
        await make_table(house, "t3")
        assert await house.buy_in(300, "t3") == "done"
        assert await house.wager(5, "t3") == "limit-reached.loss"

    played(address, play, audited=True)


def test_many_at_once_place_and_take_back_within_the_limit(address: str) -> None:
    async def play(house: House) -> None:
        await house.limit(100)
        assert await house.buy_in(1_000) == "done"
        answers = await asyncio.gather(*(house.wager(10) for _ in range(40)))
        assert answers.count("done") == 10
        takes_back = TakeBackWager(ANN, "ann", 1, "Player", 1_000)
        await asyncio.gather(*(each for _ in range(20) for each in (house.give(takes_back), house.wager(10))))
        assert house.floor.tables["t1"].table.round.staked_by("ann") <= 10_000

    played(address, play, audited=True)


def test_a_higher_limit_that_was_asked_for_is_dropped_by_another_wish(address: str) -> None:
    async def play(house: House) -> None:
        assert await house.buy_in(1_000) == "done"
        await house.limit(100)
        await house.limit(None)
        house.time.now += DAY - 1
        await house.limit(100)
        house.time.now += 10
        assert await house.wager(200) == "limit-reached.loss"
        await house.limit(50)
        await house.limit(100)
        house.time.now += DAY - 100
        await house.limit(50)
        house.time.now += 200
        assert await house.wager(60) == "limit-reached.loss"
        assert await house.wager(50) == "done"

    played(address, play, audited=True)


def test_stakes_count_when_chips_go_to_another_table(address: str) -> None:
    async def play(house: House) -> None:
        await house.limit(100, STAKE)
        assert await house.buy_in(1_000) == "done"
        for _ in range(2):
            assert await house.wager(50) == "done"
            await house.lose()
        assert await house.wager(5) == "limit-reached.stake"
        await house.limit(None, STAKE)
        assert await house.cash_out(100) == await house.buy_in(100, "t2") == "done"
        house.time.now += DAY - 1
        assert await house.wager(5, "t2") == "limit-reached.stake"

    played(address, play)


def test_time_is_counted_for_who_leaves_and_comes_back(address: str) -> None:
    async def play(house: House) -> None:
        await house.limit(60, TIME)
        for table in ("t1", "t2") * 3:
            assert await house.buy_in(100, table) == "done"
            assert await house.wager(5, table) == "done"
            await house.lose(table)
            house.time.now += 10 * 60_000
            assert await house.cash_out(95, table) == "done"
        for table in ("t1", "t2"):
            await house.buy_in(50, table)
            assert await house.wager(5, table) == "limit-reached.time"
        house.time.now -= 3 * DAY
        assert await house.wager(5) == "limit-reached.time"

    played(address, play)


def test_a_wager_withdrawn_and_put_back_is_a_wager(address: str) -> None:
    """Staff recorded the answer wrongly; what was handed back has been wagered elsewhere since."""

    async def play(house: House) -> None:
        await house.limit(100)
        assert await house.buy_in(300) == await house.buy_in(300, "t2") == "done"
        assert await house.wager(60) == await house.give(CloseBets(DEALER)) == "done"
        assert await house.give(ReportPowerFailure(MANAGER)) == "done"
        assert await house.give(AnswerWithdrawal(DEALER, None, "ann")) == "done"
        assert await house.wager(50, "t2") == "done"
        stood = CorrectAnswer(MANAGER, "ann", (), reason="they shook their head")
        assert await house.give(stood) == "limit-reached.loss"
        assert await house.give(TakeBackWager(ANN, "ann", 1, "Player", 1_000), "t2") == "done"
        assert await house.give(stood) == "done"
        assert await house.wager(5, "t2") == "limit-reached.loss"

    played(address, play, audited=True)


@pytest.mark.parametrize("had_a_limit", [True, False])
@pytest.mark.parametrize("excludes", [True, False])
def test_what_is_set_while_a_table_is_not_open_yet_holds_there(
    address: str, monkeypatch: pytest.MonkeyPatch, had_a_limit: bool, excludes: bool
) -> None:
    """A server that starts listens before every table has been read."""

    async def run() -> None:
        house = await open_house(address)
        if had_a_limit:
            await house.limit(500)
        assert await house.buy_in(300) == await house.buy_in(300, "t2") == "done"
        assert await house.wager(20) == "done"
        await close_both(house)
        monkeypatch.setattr(table_opener, "READ_BEFORE_LISTENING", 0)
        again = House(await open_floor(address, house.time), house.time)
        assert not again.floor.tables
        if excludes:
            await again.floor.limits.exclude("ann", ExclusionKind.SELF, None, "", GIVER)
        else:
            await again.limit(50)
        await again.floor.opener.all_open.wait()
        code = "excluded.self" if excludes else "limit-reached.loss"
        assert await again.wager(40) == await again.wager(40, "t2") == code
        await close_both(again)

    asyncio.run(run())


async def test_a_limit_holds_at_a_table_that_another_process_has_just_made(
    postgresql: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process that sets the limit has not heard of the table yet, where the patron sits already."""
    house = await open_house(postgresql)
    second = House(await open_floor(postgresql, house.time), house.time)
    monkeypatch.setattr(house.floor.others, "_note_ends", lambda _: None)
    await make_table(second, "t3")
    assert await second.buy_in(300, "t3") == "done"
    assert "t3" not in house.floor.tables
    await house.limit(100)
    assert await second.wager(200, "t3") == "limit-reached.loss"
    assert await second.wager(100, "t3") == "done"
    await close_both(house, second)
