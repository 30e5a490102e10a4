"""The report of actual against theoretical returns, summed from events that are stored."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path

import pytest

from punto import load
from punto.books.shift_totals import Span
from punto.report.returns.return_report import ReturnReport, return_report
from punto.rules.rulebook import Result
from punto.store.address import open_store
from punto.store.events.house_events import TableCreated
from punto.store.house_journal import HouseJournal
from punto.store.records import Append, EventRecord
from punto.table.default_settings import practice_setting
from punto.table.event import Event, Settled
from punto.table.play.settlement import RoundSettled
from punto.table.play.table_management import TableOpened

BOOK = load("baccarat")


def settled(number: int, *wagers: tuple[str, int, int]) -> RoundSettled:
    """A round with these wagers: on what, the stake, and what was returned."""
    return RoundSettled(number, tuple(
        Settled(
            "ann", 1, wager, stake=stake, settled=stake, result=Result.WIN if returned else Result.LOSE, outcome="",
            pays=Fraction(1), winnings=max(0, returned - stake), commission=0, returned=returned, clause="4.1",
            limit_clause=None,
        )
        for wager, stake, returned in wagers
    ))  # fmt: skip


async def reported(folder: Path, rounds: Iterable[RoundSettled]) -> ReturnReport:
    """The report over a table at which these rounds were played, one after the other."""
    opened = TableOpened(BOOK.key, BOOK.digest, practice_setting(BOOK, None), 1_000_000)
    events: list[Event] = [opened, *rounds]
    store = await open_store(str(folder / "punto.db"))
    try:
        records = [EventRecord.of(event, 1_000 * at, "sam", "Dealer") for at, event in enumerate(events, 1)]
        await store.append([Append("t1", 0, records)])
        journal = HouseJournal()
        journal.tables["t1"] = TableCreated("t1", BOOK.key, BOOK.digest)
        return await return_report(store, journal, {BOOK.digest: BOOK}, Span(0, 10**9))
    finally:
        await store.close()


async def test_what_the_house_won_is_what_was_staked_less_what_was_returned(tmp_path: Path) -> None:
    rounds = [
        settled(1, ("Player", 10_000, 0), ("Tie", 500, 0)),
        settled(2, ("Player", 30_000, 60_000), ("Player", 5_000, 10_000)),
        settled(3, ("Tie", 1_000, 9_000)),
    ]
    told = await reported(tmp_path, rounds)
    assert [(each.table, each.wager, each.rounds, each.turnover, each.won) for each in told.returns] == [
        (table, wager, *sums)
        for table in ("t1", None)
        for wager, *sums in (("Player", 2, 45_000, -25_000), ("Tie", 2, 1_500, -7_500))
    ]
    player = told.returns[0]
    assert player.actual_percent == pytest.approx(100 * -25_000 / 45_000, abs=0.001)
    assert player.expected > 0, "the house was to win"
    assert not any(each.outside for each in told.returns)


@pytest.mark.parametrize("wins", [True, False])
async def test_a_wager_that_always_goes_one_way_is_outside_and_one_that_turns_is_not(
    tmp_path: Path, wins: bool
) -> None:
    stake = 10_000
    rounds = [
        settled(at, ("Player", stake, 2 * stake * wins), ("Banker", stake, 2 * stake * (at % 2))) for at in range(1, 61)
    ]
    told = await reported(tmp_path, rounds)
    assert {(each.table, each.wager): each.outside for each in told.returns} == {
        (table, wager): wager == "Player" for table in ("t1", None) for wager in ("Player", "Banker")
    }
