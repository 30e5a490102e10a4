"""What patrons played is found in the logs once, whichever process looks, and cut into sessions."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from fractions import Fraction
from unittest.mock import patch

import pytest
from support.stores import Open

from punto.rules.rulebook import Result
from punto.server.history import play_book
from punto.server.history.play_book import BREAK, PlayBook
from punto.server.running.audit_jobs import NotRead
from punto.store import play_rows
from punto.store.house_settings import HouseSettings
from punto.store.play_rows import Asked, PlayLine, PlaySession
from punto.store.protocol import Store
from punto.store.records import Append, EventRecord
from punto.table.event import Event, Settled
from punto.table.play.chips import BoughtIn, CashedOut
from punto.table.play.settlement import RoundSettled
from punto.table.play.wagers import BetsOpened

MINUTE = 60_000
NOON = int(datetime(2026, 11, 17, 12, tzinfo=UTC).timestamp() * 1000)
ALWAYS = (0, 2**53)
Happened = tuple[int, Event]
"""When, and what."""


def settled(round_: int, *nets: tuple[str, int]) -> RoundSettled:
    """A round in which each patron staked 100 and won or lost this much."""
    return RoundSettled(round_, tuple(_wager(patron, net) for patron, net in nets))


def _wager(patron: str, net: int) -> Settled:
    result = Result.WIN if net > 0 else Result.LOSE
    return Settled(patron, 1, "Player", 100, 100, result, "win", Fraction(1), max(net, 0), 0, 100 + net, "4.1", None)


def played(at: int, round_: int, *nets: tuple[str, int]) -> list[Happened]:
    return [(at - 30_000, BetsOpened(round_, "", None)), (at, settled(round_, *nets))]


async def append(store: Store, table: str, happened: Sequence[Happened]) -> None:
    number, _ = await store.head(table)
    await store.append([Append(table, number, [EventRecord.of(event, at, "d", "Dealer") for at, event in happened])])


def book_of(store: Store, settings: HouseSettings | None = None) -> PlayBook:
    return PlayBook(store, lambda _: settings or HouseSettings())


async def sessions_of(store: Store, patron: str) -> list[PlaySession]:
    return await play_rows.sessions(store, Asked(patron, *ALWAYS), 100)


async def test_play_is_cut_into_sessions_by_cash_out_break_and_gaming_day(opened: Open) -> None:
    dawn = int(datetime(2026, 11, 18, 6, tzinfo=UTC).timestamp() * 1000)
    later = NOON + 20 * MINUTE + BREAK + 1
    async with opened() as store:
        happened: list[Happened] = [(NOON, BoughtIn("ann", 5_000)), *played(NOON + MINUTE, 1, ("ann", 100))]
        happened += [(NOON + 2 * MINUTE, CashedOut("ann", 5_100))]
        happened += [(NOON + 20 * MINUTE, BoughtIn("ann", 1_000)), *played(later, 2, ("ann", -100))]
        happened += [*played(dawn - MINUTE, 3, ("ann", 50)), *played(dawn, 4, ("ann", 50))]
        await append(store, "t1", happened)
        await book_of(store).catch_up(["t1"])
        found = await sessions_of(store, "ann")
    assert [(each.began, each.ended, each.rounds, each.net, each.balance, each.over) for each in reversed(found)] == [
        (NOON, NOON + 2 * MINUTE, 1, 100, 0, 1),
        (NOON + 20 * MINUTE, NOON + 20 * MINUTE, 0, 0, 1_000, 0),
        (later - 30_000, later, 1, -100, 900, 0),
        (dawn - MINUTE - 30_000, dawn - MINUTE, 1, 50, 950, 0),
        (dawn, dawn, 1, 50, 1_000, 0),
    ]
    assert [(each.bought, each.cashed) for each in reversed(found)][:2] == [(5_000, 5_100), (1_000, 0)]


async def test_the_gaming_day_is_that_of_the_house(opened: Open) -> None:
    macau = HouseSettings(time_zone="Asia/Macau", day_begins=4)
    four = int(datetime(2026, 11, 17, 20, tzinfo=UTC).timestamp() * 1000)
    async with opened() as store:
        await append(store, "t1", [(four - MINUTE, BoughtIn("ann", 500)), *played(four, 1, ("ann", 100))])
        await book_of(store, macau).catch_up(["t1"])
        assert [each.began for each in await sessions_of(store, "ann")] == [four, four - MINUTE]


async def test_a_log_is_read_once_and_two_processes_find_the_same(opened: Open) -> None:
    async with opened() as store:
        first = [(NOON, BoughtIn("ann", 5_000)), (NOON, BoughtIn("bob", 100)), *played(NOON + MINUTE, 1, ("ann", 100))]
        await append(store, "t1", first)
        one, other = book_of(store), book_of(store)
        await one.catch_up(["t1"])
        await other.catch_up(["t1"])
        await append(store, "t1", played(NOON + 2 * MINUTE, 2, ("ann", -100), ("bob", -100)))
        await other.catch_up(["t1"])
        await one.catch_up(["t1"])  # its memory is behind what the other has kept
        await append(store, "t1", played(NOON + 3 * MINUTE, 3, ("ann", 40)))
        await one.catch_up(["t1"])
        with patch.object(type(store), "read", side_effect=AssertionError("the log is read again")):
            await one.catch_up(["t1"])
        (ann,), (bob,) = await sessions_of(store, "ann"), await sessions_of(store, "bob")
        assert (ann.rounds, ann.net, ann.balance, ann.last) == (3, 40, 5_040, 8)
        assert (bob.rounds, bob.net, bob.balance) == (1, -100, 0)
        rows = await store.ask(play_rows.LINES, "ann", "t1", 1, 100, 100)
        lines = [PlayLine(*row) for row in rows]
    told = [(each.number, each.first, each.change, each.balance) for each in lines]
    assert told == [(8, 7, 40, 5_040), (6, 5, -100, 5_000), (4, 3, 100, 5_100), (1, 0, 5_000, 5_000)]


async def test_what_was_kept_in_part_is_completed(opened: Open) -> None:
    """A process that ended between two statements leaves rows without a mark: nothing is counted twice."""
    async with opened() as store:
        await append(store, "t1", [(NOON, BoughtIn("ann", 500)), *played(NOON + MINUTE, 1, ("ann", 100))])
        await book_of(store).catch_up(["t1"])
        await store.ask("delete from play_mark")
        await append(store, "t1", played(NOON + 2 * MINUTE, 2, ("ann", 100)))
        await book_of(store).catch_up(["t1"])
        (ann,) = await sessions_of(store, "ann")
        assert (ann.rounds, ann.net, ann.balance) == (2, 200, 700)


async def test_logs_are_read_on_even_if_no_patron_asks(opened: Open) -> None:
    async with opened() as store:
        await append(store, "t1", [(NOON, BoughtIn("ann", 500)), *played(NOON + MINUTE, 1, ("ann", 100))])
        with patch.object(play_book, "KEPT_UP_EACH", 0.001):
            keeping = asyncio.create_task(book_of(store).keep_up(lambda: ["t1"]))
            while not await sessions_of(store, "ann"):
                await asyncio.sleep(0.01)
            keeping.cancel()
        assert [each.rounds for each in await sessions_of(store, "ann")] == [1]


async def test_a_long_log_takes_several_requests(opened: Open) -> None:
    async with opened() as store:
        await append(store, "t1", [each for round_ in range(1, 9) for each in played(NOON, round_, ("ann", 10))])
        book = book_of(store)
        with patch.object(play_book, "READ_AT_ONCE", 6):
            with pytest.raises(NotRead) as behind:
                await book.catch_up(["t1"])
            assert (behind.value.read, behind.value.of) == (6, 16)
            with pytest.raises(NotRead):
                await book.catch_up(["t1"])
            await book.catch_up(["t1"])
        assert [each.rounds for each in await sessions_of(store, "ann")] == [8]
