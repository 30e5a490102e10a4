"""A table in service: stored before it is answered, answered once, the same in every process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from punto import load, parse_cards
from punto.audit.recomputation import recompute
from punto.rules.game_library import game_file
from punto.rules.table_of_play import Hand
from punto.server.realtime.messages import DoneMessage, IdempotencyKey
from punto.server.tables import table_actor
from punto.server.tables.table_actor import TableActor, outcome
from punto.shoe import practice_shoe
from punto.store.postgresql import PostgresStore
from punto.store.protocol import Store
from punto.store.records import Append, EventRecord
from punto.store.sqlite.sqlite_store import SqliteStore
from punto.store.trust.house_trust import HouseTrust
from punto.store.trust.keys import Keys
from punto.table.command import Command
from punto.table.play.chips import BoughtIn, BuyIn, Fill, Filled
from punto.table.play.dealing import AnnounceOutcome, CardExposed, DrawCard, ExposeCard
from punto.table.play.settlement import RoundSettled, SettleRound
from punto.table.play.shoes import LoadShoe
from punto.table.play.table_management import OpenTable
from punto.table.play.wagers import CloseBets, OpenBets, PlaceWager
from punto.table.refusal import Refusal
from punto.table.roles import Actor, Role
from punto.table.settings import Device, Limits, Setting

DEALER, PIT_MANAGER = Actor("sam", Role.DEALER), Actor("pat", Role.PIT_MANAGER)
BOOK = load("baccarat")
ANN = Actor("ann", Role.PATRON)


def setting(device: Device = Device.MANUAL) -> Setting:
    limits = {wager.name: Limits(100, 100_000) for wager in BOOK.wagers}
    return Setting("Appendix B", 9, limits, 100, 8, device, "B")


def clock() -> Callable[[], int]:
    ticks = count(1_700_000_000_000)
    return lambda: next(ticks)


KEYS = Keys(bytes(32))


async def done(table: TableActor, command: Command, key: IdempotencyKey | None = None) -> DoneMessage:
    answer = await outcome(table.submit, command, key)
    assert isinstance(answer, DoneMessage), answer
    return answer


async def opened(store: Store, device: Device = Device.MANUAL, **more: Any) -> TableActor:
    table = TableActor(store, "t1", BOOK, clock(), **more)
    await table.start()
    await done(table, OpenTable(PIT_MANAGER, setting(device), 10_000_000))
    for patron in ("ann", "bob"):
        await done(table, BuyIn(DEALER, patron, 100_000))
    await done(table, LoadShoe(DEALER, "one"))
    return table


async def test_a_table_opens_again_where_it_was(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "punto.db")
    table = await opened(store)
    await done(table, OpenBets(DEALER))
    await done(table, PlaceWager(ANN, "ann", 1, "Player", 500))
    state = table.table
    await store.close()
    store = SqliteStore(tmp_path / "punto.db")
    again = TableActor(store, "t1", BOOK, clock())
    await again.start()
    assert (again.table, again.number) == (state, table.number)
    await store.close()


async def test_a_refusal_stores_nothing(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "punto.db")
    table = await opened(store)
    before = await store.head("t1")
    answer = await outcome(table.submit, PlaceWager(ANN, "ann", 1, "Player", 500), IdempotencyKey("k1", b"d"))
    assert isinstance(answer, Refusal)
    assert await store.head("t1") == before
    assert await store.answer("ann", "k1") is None
    await store.close()


async def test_a_retry_gets_the_first_answer_and_nothing_is_done_twice(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "punto.db")
    table = await opened(store)
    await done(table, OpenBets(DEALER))
    wager, key = PlaceWager(ANN, "ann", 1, "Player", 500), IdempotencyKey("k1", b"digest")
    first = await done(table, wager, key)
    again = await done(table, wager, key)
    assert (again.first, again.last) == (first.first, first.last)
    assert again.repeated
    assert table.table.chips["ann"] == 99_500
    other = await outcome(table.submit, PlaceWager(ANN, "ann", 1, "Player", 600), IdempotencyKey("k1", b"another"))
    assert isinstance(other, Refusal)
    assert other.code == "key-used"
    assert isinstance(await outcome(table.submit, CloseBets(DEALER), IdempotencyKey("k1", b"digest")), DoneMessage)
    await store.close()


async def test_on_a_sealed_shoe_the_card_is_the_shoes_whatever_is_said(tmp_path: Path) -> None:
    shoe, asked = practice_shoe(3, 8), list[int]()

    def card_at(_: str, number: int) -> Any:
        asked.append(number)
        return shoe.card_at(number)

    store = SqliteStore(tmp_path / "punto.db")
    table = await opened(store, Device.SEALED, card_at=card_at)
    await done(table, OpenBets(DEALER))
    await done(table, CloseBets(DEALER))
    for _ in range(4):
        await done(table, DrawCard(DEALER))
    assert asked == []  # nobody has asked for a card that is not exposed
    number = (await done(table, ExposeCard(DEALER, Hand.PLAYER, 1, parse_cards("As")[0]))).first
    (stored,) = await store.read("t1", number - 1)
    assert stored.event == CardExposed(Hand.PLAYER, 1, shoe.card_at(2), None)
    assert asked == [2]
    await store.close()


async def test_a_long_log_opens_by_its_snapshot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_actor, "EVENTS_BETWEEN_SNAPSHOTS", 50)

    store = SqliteStore(tmp_path / "punto.db")
    trust = HouseTrust(store, KEYS)
    table = await opened(store, trust=trust)
    filler = [EventRecord.of(Filled(1), 0, "pat", "Pit Manager")] * 5_000
    for at in range(10):
        await store.append([Append("t1", table.number + at * 5_000, filler)])
    await table.catch_up()
    await done(table, Fill(PIT_MANAGER, 1))
    await table.stop()
    state, number = table.table, table.number
    again = TableActor(store, "t1", BOOK, clock(), trust=HouseTrust(store, KEYS))
    with monkeypatch.context() as patched:
        patched.setattr(table_actor, "evolve", None)  # no event is needed besides the snapshot
        await again.start()
    assert (again.table, again.number) == (state, number)
    assert number > 50_000
    assert (await store.points())[0].number == number
    await store.close()


@pytest.mark.long
async def test_two_processes_serve_one_table(postgresql: str) -> None:
    """Two services on one database, a patron at each, wagers and retries crossing: one log, no chip lost or made."""

    stores = [await PostgresStore.open(postgresql) for _ in range(2)]
    one = await opened(stores[0])
    other = TableActor(stores[1], "t1", BOOK, clock())
    await other.start()
    for round_ in range(15):
        await done(one if round_ % 2 else other, OpenBets(DEALER))
        bob = Actor("bob", Role.PATRON)
        tries = [
            outcome(service_.submit, PlaceWager(by, by.id, at, "Player", 100), IdempotencyKey(f"{round_}-{at}", b"d"))
            for at in range(1, 6)
            for service_, by in ((one, ANN), (other, bob), (other, ANN))  # the last is a retry elsewhere
        ]
        answers = await asyncio.gather(*tries)
        assert all(isinstance(answer, DoneMessage) for answer in answers)
        assert sum(answer.repeated for answer in answers if isinstance(answer, DoneMessage)) == 5
        closing = await asyncio.gather(outcome(one.submit, CloseBets(DEALER)), outcome(other.submit, CloseBets(DEALER)))
        assert sorted(isinstance(answer, DoneMessage) for answer in closing) == [False, True]
        await _deal(one, other)
    await asyncio.gather(one.catch_up(), other.catch_up())
    assert one.table == other.table
    assert one.table.round_number == 15
    events = [recorded.event for recorded in await stores[0].read("t1", most=10_000)]
    assert recompute(events, game_file("baccarat")).findings == []
    assert sum(isinstance(event, RoundSettled) for event in events) == 15
    assert sum(isinstance(event, BoughtIn) for event in events) == 2
    for store in stores:
        await store.close()


async def _deal(one: TableActor, other: TableActor) -> None:
    """A natural, drawn and exposed by two processes in turn."""
    for at in range(4):
        await done(one if at % 2 else other, DrawCard(DEALER))
    cards = parse_cards("9s Kd 2h 3c")
    places = ((Hand.PLAYER, 0), (Hand.PLAYER, 1), (Hand.BANKER, 0), (Hand.BANKER, 1))
    for at, ((hand, place), card) in enumerate(zip(places, cards, strict=True)):
        moved = parse_cards(f"{card.rank.value}{'shcd'[one.table.round_number % 4]}")[0]
        await done(one if at % 2 else other, ExposeCard(DEALER, hand, place, moved))
    await done(one, AnnounceOutcome(DEALER))
    await done(other, SettleRound(DEALER))
