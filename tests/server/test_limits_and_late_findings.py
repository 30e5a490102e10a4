"""Limits over the house against wagers that are found when their round is settled: none is found after an exclusion."""

from __future__ import annotations

from pathlib import Path

import pytest
from server.test_house_limits import BOOK, DEALER, GIVER, MANAGER, STAKE, House, played

from punto import Hand
from punto.rules.coup import Coup
from punto.rules.rulebook import Result
from punto.rules.settlement import settle
from punto.server.patron_limits.limit_state import RENEWED_EACH
from punto.store.events.limit_events import ExclusionKind
from punto.table.irregularities.late_wagers import SettleOverlookedWager
from punto.table.play.dealing import AnnounceOutcome, DrawCard, ExposeCard
from punto.table.play.settlement import SettleRound
from punto.table.play.wagers import CloseBets, OpenBets


@pytest.fixture
def address(tmp_path: Path) -> str:
    return str(tmp_path / "house.db")


async def play_round(house: House, table: str = "t1") -> None:
    """Deal a round to its end, and open the next."""
    assert await house.give(CloseBets(DEALER), table) == "done"
    while await house.give(AnnounceOutcome(DEALER), table) != "done":
        await house.give(DrawCard(DEALER), table)
        for hand in Hand:
            for place in range(3):
                await house.give(ExposeCard(DEALER, hand, place), table)
    for step in (SettleRound(DEALER), OpenBets(DEALER)):
        assert await house.give(step, table) == "done"


@pytest.mark.parametrize("wager", ["Player", "Banker"])
def test_no_wager_is_found_in_a_round_after_an_exclusion(address: str, wager: str) -> None:
    """One that lay there before is settled however late it is found, and counts."""

    async def play(house: House) -> None:
        await house.limit(100)
        assert await house.buy_in(1_000) == "done"
        await play_round(house)
        await house.floor.limits.exclude("ann", ExclusionKind.SELF, None, "", GIVER)
        await play_round(house)
        await play_round(house)
        assert await house.cash_out(100) == "done"
        found = SettleOverlookedWager(MANAGER, 3, "ann", 1, wager, 20_000)
        assert await house.give(found) == "excluded.self"
        assert await house.give(SettleOverlookedWager(MANAGER, 1, "ann", 1, wager, 20_000)) == "done"

    played(address, play)


def test_what_is_left_after_an_overlooked_wager_may_be_played(address: str) -> None:
    """One table lost more than it holds, and also gives back what it holds: once."""

    async def play(house: House) -> None:
        await house.limit(500)
        assert await house.buy_in(450) == await house.buy_in(50, "t2") == "done"
        assert await house.wager(30) == "done"
        await play_round(house)
        await house.limit(300)
        assert await house.wager(30) == "done"
        assert await house.buy_in(300, "t2") == "done"
        record = house.floor.tables["t1"].table.history[1]
        coup = Coup(record.player, record.banker)
        lost = next(each.name for each in BOOK.wagers if settle(each, coup).result is Result.LOSE)
        assert await house.give(SettleOverlookedWager(MANAGER, 1, "ann", 2, lost, 20_000)) == "done"
        house.time.now += RENEWED_EACH
        assert await house.wager(200, "t2") == "limit-reached.loss"
        assert await house.wager(20, "t2") == "done"

    played(address, play, audited=True)


@pytest.mark.parametrize("holds", [0, 30])
def test_an_overlooked_wager_counts_against_a_limit(address: str, holds: int) -> None:
    """At its own table at once, and at another when that reserves again; whatever its table holds meanwhile."""

    async def play(house: House) -> None:
        await house.limit(100)
        assert await house.buy_in(1_000) == await house.buy_in(100, "t2") == "done"
        await play_round(house)
        if holds:
            assert await house.wager(holds) == "done"
        record = house.floor.tables["t1"].table.history[1]
        coup = Coup(record.player, record.banker)
        lost = next(each.name for each in BOOK.wagers if settle(each, coup).result is Result.LOSE)
        assert await house.give(SettleOverlookedWager(MANAGER, 1, "ann", 1, lost, 20_000)) == "done"
        assert await house.wager(5) == "limit-reached.loss"
        house.time.now += RENEWED_EACH
        assert await house.wager(5, "t2") == "limit-reached.loss"

    played(address, play, audited=True)


def test_an_overlooked_wager_counts_as_a_stake(address: str) -> None:
    """At its own table at once, and at another when that reserves again."""

    async def play(house: House) -> None:
        await house.limit(300, STAKE)
        assert await house.buy_in(1_000) == await house.buy_in(1_000, "t2") == "done"
        await play_round(house)
        assert await house.give(SettleOverlookedWager(MANAGER, 1, "ann", 1, "Player", 20_000)) == "done"
        assert await house.wager(120) == "limit-reached.stake"
        house.time.now += RENEWED_EACH
        assert await house.wager(120, "t2") == "limit-reached.stake"
        assert await house.wager(100, "t2") == "done"

    played(address, play, audited=True)
