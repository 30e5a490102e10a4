"""Limits over the house tried from more sides: other tables, many wagers at once, changed minds, and breaks."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from server.test_house_limits import ANN, BOOK, DEALER, MANAGER, STAKE, TIME, House, bring_shoe, played

from punto.server.patron_limits.limit_state import DAY
from punto.server.running.lifecycle import practice_setting
from punto.table.play.table_management import OpenTable
from punto.table.play.wagers import OpenBets, TakeBackWager


@pytest.fixture
def address(tmp_path: Path) -> str:
    return str(tmp_path / "house.db")


def test_a_table_made_afterwards_takes_no_more(address: str) -> None:
    async def play(house: House) -> None:
        await house.limit(100)
        assert await house.buy_in(300) == "done"
        assert await house.wager(100) == "done"
        await house.floor.create_table("t3", BOOK)
        assert await house.give(OpenTable(MANAGER, practice_setting(BOOK, None), 100_000_000), "t3") == "done"
        await bring_shoe(house, "t3")
        assert await house.give(OpenBets(DEALER), "t3") == "done"
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
