"""Sealed shoes in service: cut by patrons, dealt at a table, published and verified; never in the clear before."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from server.test_service import BOOK, DEALER, PIT_MANAGER, clock, done, opened, setting

from punto import load
from punto.audit.log_audit import StoreAudit
from punto.audit.table_recomputed import Game, games_by_digest
from punto.cli.bench.played_history import make_history
from punto.rules.game_library import game_file
from punto.rules.table_of_play import Hand
from punto.server.running.background import BackgroundJobs
from punto.server.running.checkpoint_keeper import CheckpointKeeper
from punto.server.tables.shoe_keeper import ShoeKeeper, cards_dealt
from punto.server.tables.table_actor import TableActor, outcome
from punto.shoe import Format, Record, Secret, read_record, seal, verify
from punto.shoe.cut import Contribution, CutError
from punto.shoe.encoding import ShoeError, pack
from punto.shoe.seal import Seal
from punto.store.events.shoe_events import ShoeSealed
from punto.store.house import SYSTEM, House
from punto.store.records import EventRecord
from punto.store.sqlite.sqlite_store import SqliteStore
from punto.store.trust.keys import BadKey, Keys
from punto.table.play.dealing import DrawCard
from punto.table.play.settlement import SettleRound
from punto.table.play.shoes import EndShoe, LoadShoe
from punto.table.play.table_management import OpenTable
from punto.table.play.wagers import CloseBets, OpenBets
from punto.table.refusal import Refusal
from punto.table.settings import Device
from punto.table.table import Table

KEYS = Keys(bytes(range(32)))


def contribution(of: str) -> Contribution:
    return Contribution(of.encode(), of.encode().ljust(32, b"."))


async def sealed_shoe(keeper: ShoeKeeper, until: int | None = None) -> Seal:
    name = await keeper.next_shoe(8, until)
    assert name
    return keeper.shoes[name].seal


async def cut_shoe(keeper: ShoeKeeper, *patrons: str) -> str:
    sealed = await sealed_shoe(keeper)
    for patron in patrons:
        pledged = contribution(f"{patron} {sealed.shoe}").commitment(sealed.commitment, patron)
        await keeper.pledge(sealed.shoe, patron, pledged)
    await keeper.close_list(sealed.shoe)
    for patron in patrons:
        await keeper.reveal(sealed.shoe, patron, contribution(f"{patron} {sealed.shoe}"))
    return sealed.shoe


async def test_a_shoe_is_cut_dealt_published_and_verified(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "punto.db")
    house = await House.open(store, KEYS, 0)
    await house.create_table("t1", BOOK, 0)
    keeper = ShoeKeeper(store, KEYS, "t1", clock())
    name = await cut_shoe(keeper, "ann", "bob")
    assert keeper.is_ready(name)
    table = TableActor(store, "t1", BOOK, clock(), keeper.card_at)
    await table.start()
    await done(table, OpenTable(PIT_MANAGER, setting(Device.SEALED), 10_000_000))
    await done(table, LoadShoe(DEALER, name))
    await _play(table, rounds=3)
    dealt = await cards_dealt(store, "t1", Table(BOOK), name)
    await done(table, EndShoe(PIT_MANAGER))
    await keeper.publish(name, dealt)
    record = await keeper.record(name)
    assert record
    await keeper.publish(name, [])
    assert await keeper.record(name) == record
    checks = verify(read_record(record))
    assert all(check.ok for check in checks), checks
    assert len(dealt) >= 12
    with pytest.raises(ShoeError, match="has ended"):
        keeper.card_at(name, 0)
    game = Game(BOOK, game_file("baccarat"))
    assert await StoreAudit(store, {BOOK.digest: game}).run() == []
    await store.close()


async def _play(table: TableActor, rounds: int) -> None:
    """Rounds dealt by whatever the shoe holds."""
    from punto.table.guidance.dealer_automation import EVERYTHING, next_command

    settled = 0
    while settled < rounds:
        state = table.table
        # The automaton names no card: the service fills in the shoe's.
        command = next_command(state, EVERYTHING, lambda _: load("tiger").shoe(8).counts().popitem()[0])
        command = command or CloseBets(DEALER)
        await done(table, command)
        settled += isinstance(command, SettleRound)


async def test_the_secret_is_nowhere_in_the_clear_before_it_is_published(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "punto.db")
    keeper = ShoeKeeper(store, KEYS, "t1", clock())
    name = await cut_shoe(keeper, "ann")
    keeper.card_at(name, 0)
    secret = keeper._secret(name).disclose()
    await store.close()
    for file in tmp_path.iterdir():
        content = file.read_bytes()
        assert secret not in content
        assert secret.hex().encode() not in content
    assert secret.hex() not in repr(vars(keeper))


async def test_a_shoe_whose_words_run_out_is_published_and_not_dealt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is found before it comes to the table, and another is sealed. No real secret does this: it is planted."""
    store = SqliteStore(tmp_path / "punto.db")
    house = await House.open(store, KEYS, 0)
    await house.create_table("t1", BOOK, 0)
    keeper = ShoeKeeper(store, KEYS, "t1", clock())
    table = TableActor(store, "t1", BOOK, clock(), keeper.card_at, shoes=keeper)
    await table.start()
    await done(table, OpenTable(PIT_MANAGER, setting(Device.SEALED), 10_000_000))
    spoiled = await cut_shoe(keeper, "ann")
    with monkeypatch.context() as planted:
        planted.setattr("punto.shoe.hidden_shoe.words_of", lambda *_: iter([0xFFFF] * 830))
        answer = await outcome(table.submit, LoadShoe(DEALER, spoiled), None, SYSTEM, keeper)
        assert isinstance(answer, Refusal)
        assert answer.code == "shoe-spoiled"
        assert keeper.is_published(spoiled)
        record = await keeper.record(spoiled)
        assert record
        assert all(check.ok for check in verify(read_record(record)))
        assert json.loads(record)["dealt"] == []
        again = await outcome(table.submit, LoadShoe(DEALER, spoiled), None, SYSTEM, keeper)
        assert isinstance(again, Refusal)
        assert again.code == "shoe-not-ready"
    fresh = await cut_shoe(keeper, "ann")
    assert fresh != spoiled
    await outcome(table.submit, LoadShoe(DEALER, fresh), None, SYSTEM, keeper)
    assert table.table.shoe
    assert table.table.shoe.name == fresh
    await store.close()


async def test_a_shoe_sealed_by_an_earlier_version_keeps_its_format_to_its_end(tmp_path: Path) -> None:
    """It was sealed, and the program was replaced before it was cut."""
    store = SqliteStore(tmp_path / "punto.db")
    keeper = ShoeKeeper(store, KEYS, "t1", clock())
    secret = Secret(bytes(range(32)))
    made = seal(secret, "t1 1", 8, Format.ONE)
    about = pack("punto-shoe-secret-1", "t1", "t1 1")
    event = ShoeSealed("t1 1", 8, made.commitment.hex(), KEYS.encrypt(secret.disclose(), about).hex())
    assert event.format is Format.ONE
    await store.append([keeper.append_of(event)])
    await keeper.catch_up()
    own = contribution("ann")
    await keeper.pledge("t1 1", "ann", own.commitment(made.commitment, "ann", Format.ONE))
    await keeper.close_list("t1 1")
    await keeper.reveal("t1 1", "ann", own)
    card = keeper.card_at("t1 1", 0)
    assert card
    await keeper.publish("t1 1", [(0, card)])
    record = read_record(str(await keeper.record("t1 1")))
    assert isinstance(record, Record)
    assert record.version is Format.ONE
    assert all(check.ok for check in verify(record))
    following = str(await keeper.next_shoe(8))
    assert keeper.shoes[following].seal.version is Format.TWO
    await store.close()


async def test_who_is_left_out_of_a_cut_is_named_in_the_record(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "punto.db")
    now = [0]
    keeper = ShoeKeeper(store, KEYS, "t1", lambda: now[0], time_to_cut=5_000)
    name = str(await keeper.next_shoe(8, 5_000))
    with pytest.raises(CutError):
        await keeper.close_list(name, seated=["ann", "bob"])
    now[0] = 5_000
    await keeper.decline(name, "ann")
    await keeper.close_list(name, seated=["ann", "bob"])
    await keeper.publish(name, [])
    record = read_record(str(await keeper.record(name)))
    assert isinstance(record, Record)
    assert record.cuts[0].conduct
    assert record.cuts[0].conduct.left_out == ("bob",)
    assert record.without_cut
    assert all(check.ok for check in verify(record))
    await store.close()


async def test_another_key_opens_no_shoe(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "punto.db")
    name = await cut_shoe(ShoeKeeper(store, KEYS, "t1", clock()), "ann")
    other = ShoeKeeper(store, Keys(bytes(32)), "t1", clock())
    await other.catch_up()
    with pytest.raises(BadKey, match="cannot be read with this key"):
        other.card_at(name, 0)
    elsewhere = ShoeKeeper(store, KEYS, "t2", clock())
    assert elsewhere.card_at(name, 0) is None
    await store.close()


async def test_a_shoe_goes_on_after_a_restart_with_the_same_cards(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "punto.db")
    keeper = ShoeKeeper(store, KEYS, "t1", clock())
    name = await cut_shoe(keeper, "ann")
    order = [keeper.card_at(name, number) for number in range(416)]
    await store.close()
    store = SqliteStore(tmp_path / "punto.db")
    again = ShoeKeeper(store, KEYS, "t1", clock())
    await again.catch_up()
    assert [again.card_at(name, number) for number in range(416)] == order
    assert sorted(map(str, order)) == sorted(str(card) for card in BOOK.shoe(8).counts() for _ in range(8))
    await store.close()


async def test_whoever_does_not_reveal_is_left_out_and_a_shoe_not_cut_is_not_dealt(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "punto.db")
    keeper = ShoeKeeper(store, KEYS, "t1", clock())
    sealed = await sealed_shoe(keeper, until=5_000)
    for patron in ("ann", "bob"):
        await keeper.pledge(sealed.shoe, patron, contribution(patron).commitment(sealed.commitment, patron))
    assert keeper.until(sealed.shoe) == 5_000
    with pytest.raises(ShoeError, match="reveals too early"):
        await keeper.reveal(sealed.shoe, "ann", contribution("ann"))
    await keeper.close_list(sealed.shoe, until=9_000)
    await keeper.reveal(sealed.shoe, "ann", contribution("ann"))
    assert keeper.until(sealed.shoe) == 9_000
    with pytest.raises(ShoeError, match="does not match their commitment"):
        await keeper.reveal(sealed.shoe, "bob", contribution("nothing of the kind"))
    assert not keeper.is_ready(sealed.shoe)
    with pytest.raises(ShoeError, match="the cut is not complete, waiting for bob"):
        keeper.card_at(sealed.shoe, 0)
    cut = await keeper.cut_again(sealed.shoe)
    assert keeper.until(sealed.shoe) is None
    with pytest.raises(ShoeError, match="is left out"):
        await keeper.pledge(sealed.shoe, "bob", bytes(32))
    fresh = contribution("ann again")
    await keeper.pledge(sealed.shoe, "ann", fresh.commitment(cut.anchor, "ann"))
    await keeper.close_list(sealed.shoe)
    await keeper.reveal(sealed.shoe, "ann", fresh)
    assert keeper.is_ready(sealed.shoe)
    await keeper.publish(sealed.shoe, [])
    record = await keeper.record(sealed.shoe)
    assert record
    assert all(check.ok for check in verify(read_record(record)))
    await store.close()


async def test_of_two_who_seal_the_next_shoe_at_once_one_does(tmp_path: Path) -> None:
    """As by a button that is pressed twice."""

    store = SqliteStore(tmp_path / "punto.db")
    keeper = ShoeKeeper(store, KEYS, "t1", clock())
    sealed = await asyncio.gather(*(keeper.next_shoe(8) for _ in range(3)))
    assert sorted(sealed, key=str) == [None, None, "t1 1"]
    assert list(keeper.shoes) == ["t1 1"]
    await store.close()


async def test_two_processes_that_seal_at_once_seal_one_shoe(postgresql: str) -> None:
    from punto.store.postgresql import PostgresStore

    stores = [await PostgresStore.open(postgresql) for _ in range(2)]
    keepers = [ShoeKeeper(store, KEYS, "t1", clock()) for store in stores]
    sealed = await asyncio.gather(*(keeper.next_shoe(8) for _ in range(5) for keeper in keepers))
    assert [each for each in sealed if each] == ["t1 1"]
    for keeper in keepers:
        await keeper.catch_up()
    assert keepers[0]._shoes == keepers[1]._shoes
    for store in stores:
        await store.close()


async def test_a_table_on_a_sealed_shoe_shows_nothing_it_should_not(tmp_path: Path) -> None:
    """What is drawn and face down is in no event, state or log of the table."""

    store = SqliteStore(tmp_path / "punto.db")
    keeper = ShoeKeeper(store, KEYS, "t1", clock())
    name = await cut_shoe(keeper, "ann")
    table = await opened(store, Device.SEALED, card_at=keeper.card_at)
    await done(table, EndShoe(PIT_MANAGER))
    await done(table, LoadShoe(DEALER, name))
    await done(table, OpenBets(DEALER))
    await done(table, CloseBets(DEALER))
    for _ in range(4):
        await done(table, DrawCard(DEALER))
    assert name not in keeper._dealing  # no card has been asked for yet
    assert all(place.card is None for hand in Hand for place in table.table.round.hands[hand])
    await store.close()


@pytest.mark.long
async def test_cards_of_a_shoe_are_found_from_the_checkpoint_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that was started in the middle of a shoe does not read the whole history of its table at its end."""
    store = SqliteStore(tmp_path / "punto.db")
    house = await House.open(store, KEYS, 0)
    (table,) = await make_history(house, 12_000)
    shoes = [each for each in await store.read(table, 0, 20_000) if each.name == "ShoeLoaded"]
    names = [json.loads(each.body)["shoe"] for each in shoes]
    whole = [await cards_dealt(store, table, Table(BOOK), name) for name in (names[0], *names[-2:])]
    assert all(len(each) > 20 for each in whole)
    jobs = BackgroundJobs(store)
    await CheckpointKeeper(store, KEYS, games_by_digest(["baccarat"]), jobs).catch_up([table])
    read = list[int]()
    before = store.read

    async def noted(stream: str, after: int = 0, most: int = 1000) -> list[EventRecord]:
        read.append(after)
        return await before(stream, after, most)

    monkeypatch.setattr(store, "read", noted)
    assert [await cards_dealt(store, table, Table(BOOK), name) for name in (names[0], *names[-2:])] == whole
    assert read.count(0) == 3  # the whole log for the first shoe, and for the others the first event of the house
    read.clear()
    assert await cards_dealt(store, table, Table(BOOK), names[-1]) == whole[-1]
    assert min(each for each in read if each) > shoes[-3].number
    await store.close()
