"""Snapshots of the streams of the house, the cage and the shoes: signed, used if they fit, dropped when in doubt."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args, get_type_hints

import msgspec
import pytest
from server.test_closed_streams import BOOK, MANAGER, asked, done, findings, make, opened
from server.test_service import clock
from server.test_shoes import KEYS, cut_shoe
from server.test_verified_start import TENFOLD, closed, harm, rehash

from punto.cards import Card
from punto.server.access.identity import Duty
from punto.server.cash.cage import Cage, CageState
from punto.server.running.lifecycle import Serving
from punto.server.tables import stream_snapshots
from punto.server.tables.floor import Floor
from punto.server.tables.shoe_keeper import ShoeKeeper, ShoesState
from punto.server.tables.stream_follower import StreamClosed
from punto.store.events.cage_events import CAGE
from punto.store.events.house_events import HOUSE, NoteAdded
from punto.store.house import SYSTEM, House
from punto.store.house_journal import HouseJournal, journal_of
from punto.store.house_settings import HouseSettings
from punto.store.records import EventRecord, Snapshot
from punto.store.sqlite.sqlite_store import SqliteReader, SqliteStore
from punto.store.trust import stream_states
from punto.store.trust.chain import Chain
from punto.store.trust.house_trust import HouseTrust
from punto.store.trust.keys import Keys, load_keys
from punto.store.trust.snapshots import STATE_CODE, code_version, sign_snapshot
from punto.store.trust.stream_states import from_state, state_code, take_state
from punto.table.guidance.dealer_automation import Step
from punto.table.play.table_management import RestrictArea

CARD = Card.parse("As")
GOLDEN = Path(__file__).parents[1] / "golden" / "house"


@pytest.fixture(autouse=True)
def kept_always(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a snapshot kept of every stream when a server stops."""
    monkeypatch.setattr(stream_snapshots, "EVENTS_BETWEEN", 1)


async def make_rich(folder: Path) -> None:
    """A house with something of everything that its streams may lead to."""
    await make(folder)
    async with opened(folder) as serving:
        floor = serving.floor
        await floor.automate("t1", [])
        await floor.change_settings(HouseSettings(property_name="Here"), floor.settings, SYSTEM)
        await floor.record(NoteAdded("t1", "a note", 1), SYSTEM)
        await floor.cage.pay_out("ann", 100, SYSTEM)
        await cut_shoe(floor.tables["t1"].keeper, "ann", "bob")


def states(serving: Serving) -> tuple[bytes, ...]:
    floor = serving.floor
    kept = [floor.house_stream.state(), floor.cage.state(), *(each.keeper.state() for each in floor.tables.values())]
    return tuple(map(msgspec.msgpack.encode, kept))


def served(serving: Serving) -> tuple[object, ...]:
    """What the floor makes of the house's stream."""
    floor = serving.floor
    return floor.created, floor._steps, floor._names, floor.settings_at(10**15), floor.trust.noted


async def test_a_stream_is_followed_from_its_snapshot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    await make_rich(tmp_path)
    harm(tmp_path, "delete from snapshot")
    async with opened(tmp_path) as serving:
        whole = states(serving), served(serving)
    read = list[tuple[str, int]]()
    for kind in (HouseJournal, Cage, ShoeKeeper):
        name = "take_in" if kind is HouseJournal else "_take_in"
        before: Callable[[Any, EventRecord], None] = getattr(kind, name)

        def noted(self: Any, each: EventRecord, before: Callable[[Any, EventRecord], None] = before) -> None:
            read.append((each.stream, each.number))
            before(self, each)

        monkeypatch.setattr(kind, name, noted)
    async with opened(tmp_path) as serving:
        assert (states(serving), served(serving)) == whole
        assert set(serving.floor.tables) == {"t1", "t2"}
        assert read == []
        await serving.floor.cage.deposit("ann", 1, SYSTEM)
        assert read == [(CAGE, 3)]


async def test_automation_is_taken_from_the_journal(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "punto.db")
    floor = Floor(store, KEYS, clock(), {})
    floor._begin_house(HouseJournal(automation={"t1": ("draw", "expose")}))
    assert floor._steps == {"t1": {Step.DRAW, Step.EXPOSE}}
    await store.close()


def _forged(folder: Path) -> list[Snapshot]:
    """Snapshots of a house and a cage that never were, as someone without the house's key can make them."""

    async def kept() -> list[Snapshot]:
        store = SqliteReader.open(folder / "punto.db")
        found = [await store.snapshot(stream) for stream in (HOUSE, CAGE)]
        await store.close()
        return [each for each in found if each]

    house, cage = asyncio.run(kept())
    chains = [Chain(each.stream, each.number, each.hash) for each in (house, cage)]
    richer = take_state(chains[1], CageState({"ann": 10**9}))
    emptier = take_state(chains[0], HouseJournal(house.number))
    made = [richer, emptier, replace(house, signature=""), replace(cage, stream=HOUSE), replace(house, stream=CAGE)]
    copied = [replace(each, signature=cage.signature) for each in (richer, emptier)]
    return [*made, *copied, *(sign_snapshot(Keys(bytes(32)), each) for each in (richer, emptier))]


def test_a_forged_snapshot_is_dropped_and_the_log_is_read(tmp_path: Path) -> None:
    async def look(snapshot: Snapshot | None) -> tuple[object, ...]:
        if snapshot:
            await _replaced(tmp_path, snapshot)
        async with opened(tmp_path) as serving:
            return states(serving), served(serving), closed(serving)

    asyncio.run(make_rich(tmp_path))
    before = asyncio.run(look(None))
    forged = _forged(tmp_path)
    assert len(forged) == 9
    for each in forged:
        assert asyncio.run(look(each)) == before


async def _replaced(folder: Path, snapshot: Snapshot) -> None:
    store = SqliteStore(folder / "punto.db")
    await store.keep(snapshot)
    await store.close()


async def _kept(folder: Path, stream: str) -> Snapshot:
    store = SqliteStore(folder / "punto.db")
    snapshot = await store.snapshot(stream)
    await store.close()
    assert snapshot is not None
    return snapshot


@pytest.mark.parametrize("stream", [HOUSE, CAGE, "t1.shoes"])
async def test_one_that_cannot_be_read_or_is_of_other_code_is_dropped(tmp_path: Path, stream: str) -> None:
    await make_rich(tmp_path)
    async with opened(tmp_path) as serving:
        before = states(serving), served(serving)
    keys, good = load_keys(tmp_path / "punto.db.key", {}), await _kept(tmp_path, stream)
    bad = [
        *(
            sign_snapshot(keys, replace(good, body=body))
            for body in (b"nonsense", good.body[:-3], b"", b"\x91" * 10**5)
        ),
        *(replace(good, number=other) for other in (10**9, -1, good.number - 1)),
        sign_snapshot(keys, replace(good, code="older")),
    ]
    for snapshot in bad:
        await _replaced(tmp_path, snapshot)
        async with opened(tmp_path) as serving:
            assert (states(serving), served(serving), closed(serving)) == (*before, {})


async def test_one_that_the_log_does_not_follow_from_is_dropped(tmp_path: Path) -> None:
    """States that read well and never were: the events after them say so."""
    await make(tmp_path)
    keys = load_keys(tmp_path / "punto.db.key", {})
    async with opened(tmp_path) as serving:
        never = [
            sign_snapshot(keys, take_state(serving.floor.house_stream.chain, HouseJournal())),
            sign_snapshot(keys, take_state(serving.floor.cage.chain, CageState())),
        ]
        await serving.floor.automate("t1", [])
        await serving.floor.cage.pay_out("ann", 50_000, SYSTEM)
        before = states(serving), served(serving)
    for snapshot in never:
        await _replaced(tmp_path, snapshot)
    async with opened(tmp_path) as serving:
        assert (states(serving), served(serving), closed(serving)) == (*before, {})
        assert set(serving.floor.tables) == {"t1", "t2"}


async def test_an_older_snapshot_is_as_good(tmp_path: Path) -> None:
    """Of several processes the last one that keeps a snapshot wins, whichever is further."""
    await make(tmp_path)
    older = [await _kept(tmp_path, stream) for stream in (HOUSE, CAGE)]
    await make_more(tmp_path)
    async with opened(tmp_path) as serving:
        before = states(serving), served(serving)
    for snapshot in older:
        await _replaced(tmp_path, snapshot)
    async with opened(tmp_path) as serving:
        assert (states(serving), served(serving), closed(serving)) == (*before, {})


async def make_more(folder: Path) -> None:
    async with opened(folder) as serving:
        await serving.floor.create_table("t3", BOOK)
        await serving.floor.cage.deposit("ann", 1, SYSTEM)


async def test_a_change_before_the_snapshot_changes_nothing_that_is_served_and_an_audit_finds_it(
    tmp_path: Path,
) -> None:
    await make(tmp_path)
    harm(tmp_path, TENFOLD)
    async with opened(tmp_path) as serving:
        assert serving.floor.cage.accounts == {"ann": 50_000}
        assert await findings(serving) == [(CAGE, 1)]


@pytest.mark.parametrize(
    ("stream", "work", "why"),
    [
        (CAGE, ["delete from event where stream = 'cage'"], "gone"),
        (CAGE, [TENFOLD, rehash(CAGE)], "rewritten"),
        (HOUSE, ["delete from event where stream = 'house' and number > 2"], "gone"),
        (HOUSE, ["update event set at = at + 1 where stream = 'house' and number = 2", rehash(HOUSE)], "rewritten"),
    ],
)  # fmt: skip
async def test_a_log_that_lacks_what_the_snapshot_names_is_closed(
    tmp_path: Path, stream: str, work: list[Any], why: str
) -> None:
    await make(tmp_path)
    harm(tmp_path, "delete from verified_point", *work)
    async with opened(tmp_path) as serving:
        assert closed(serving)[stream][1] == why
        assert bool(serving.floor.tables) is (stream == CAGE)


async def test_a_closed_stream_keeps_no_snapshot(tmp_path: Path) -> None:
    await make(tmp_path)
    harm(tmp_path, "delete from snapshot", TENFOLD)
    async with opened(tmp_path) as serving:
        assert set(closed(serving)) == {CAGE}
        await done(serving, "t1", RestrictArea(MANAGER, 2))
        await serving.floor.notes.keep()
        assert await serving.store.snapshot(HOUSE) is not None
        assert await serving.store.snapshot(CAGE) is None


@pytest.mark.parametrize(
    ("number", "kept_at", "due"), [(99, 0, False), (100, 0, True), (10_000, 9_801, False), (10_000, 9_800, True)]
)
async def test_a_long_stream_has_a_snapshot_after_a_share_of_its_events(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, kept_at: int, due: bool
) -> None:
    monkeypatch.setattr(stream_snapshots, "EVENTS_BETWEEN", 100)
    store = SqliteStore(tmp_path / "punto.db")
    cage = Cage(store, clock())
    cage.chain, cage.snapshot_at = Chain(CAGE, number), kept_at
    await stream_snapshots.keep(HouseTrust(store, KEYS), cage)
    assert (await store.snapshot(CAGE) is not None) is due
    assert cage.snapshot_at == (number if due else kept_at)
    await store.close()


async def test_a_report_reads_the_journal_on_from_the_snapshot(tmp_path: Path) -> None:
    await make_rich(tmp_path)
    store = SqliteStore(tmp_path / "punto.db")
    whole = HouseJournal()
    for recorded in await store.read(HOUSE):
        whole.take_in(recorded)
    assert await journal_of(store) == whole
    good = await store.snapshot(HOUSE)
    assert good is not None
    thief = sign_snapshot(Keys(bytes(32)), take_state(Chain(HOUSE, good.number, good.hash), HouseJournal(good.number)))
    for other in (thief, replace(good, body=b"")):
        await store.keep(other)
        assert await journal_of(store) == whole
    await store.close()


async def test_whatever_a_house_did_its_streams_lead_to_the_same(tmp_path: Path) -> None:
    """Interrupted after any event, kept, and followed from there."""
    file = tmp_path / "punto.db"
    file.write_bytes(gzip.decompress((GOLDEN / "first-house.gz").read_bytes()))
    key = tmp_path / "key"
    key.write_text((GOLDEN / "first-house-key.txt").read_text())
    key.chmod(0o600)
    keys = load_keys(key, {})
    store = SqliteStore(file)
    streams = [each for each in await store.streams() if each == CAGE or each.endswith(".shoes")]
    assert len(streams) > 1
    for stream in streams:

        def made(stream: str = stream) -> Cage | ShoeKeeper:
            return Cage(store, clock()) if stream == CAGE else ShoeKeeper(store, keys, stream[:-6], clock())

        whole, log = made(), await store.read(stream)
        for recorded in log:
            whole._follow(recorded)
            again = made()
            restored: Any = from_state(take_state(whole.chain, whole.state()), again.state_kind)
            assert restored is not None
            again.begin(restored[1], Chain(stream, recorded.number, recorded.hash, at=restored[0]))
            assert again.state() == whole.state()
            assert again.append_of(log[0].event).events[0].at >= whole.chain.at
    journal = HouseJournal()
    for recorded in await store.read(HOUSE):
        journal.take_in(recorded)
        assert msgspec.msgpack.decode(msgspec.msgpack.encode(journal), type=HouseJournal) == journal
    await store.close()


async def test_a_shoe_in_any_state_is_cut_opened_and_published_after_a_restart(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "punto.db")
    house = await House.open(store, KEYS, 0)
    await house.create_table("t1", BOOK, 0)
    trust = HouseTrust(store, KEYS)

    async def restarted(keeper: ShoeKeeper | None) -> ShoeKeeper:
        if keeper:
            await trust.keep_state(keeper.chain, keeper.state())
        made = ShoeKeeper(store, KEYS, "t1", clock())
        await made.restore(trust)
        await made.follow_log(trust)
        return made

    keeper = await restarted(None)
    first = await cut_shoe(keeper, "ann")
    keeper = await restarted(keeper)
    assert (keeper.snapshot_at, keeper.is_ready(first)) == (keeper.chain.number, True)
    cards = [keeper.card_at(first, number) for number in range(416)]
    await keeper.publish(first, [])
    record = await keeper.record(first)
    assert record
    second = await cut_shoe(await restarted(keeper), "bob")
    keeper = await restarted(None)
    await keeper.publish(first, [])
    assert await keeper.record(first) == record
    assert [name for name, each in keeper.state().shoes.items() if each.cipher] == [second]
    assert keeper.card_at(second, 0)
    assert all(cards)
    harm(tmp_path, "update event set body = cast(replace(body, '1', '2') as blob) where name = 'ShoePublished'")
    with pytest.raises(StreamClosed):
        await keeper.record(first)
    await store.close()


async def test_cards_of_a_shoe_that_has_ended_are_forgotten_and_its_count_is_not(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "punto.db")
    await House.open(store, KEYS, 0)
    keeper = ShoeKeeper(store, KEYS, "t1", clock())
    for index in range(5):
        await keeper.read("one", index, CARD)
    keeper._open("one")
    assert keeper.card_at("one", 4) == CARD
    keeper._open("two")
    assert [keeper.card_at("one", index) for index in range(4)] == [None] * 4
    assert keeper.state().readings["one"].expected == 5
    await store.close()


def _modules_of(hint: Any, seen: set[Any]) -> set[str]:
    modules = set().union(*(_modules_of(each, seen) for each in get_args(hint)))
    if not isinstance(hint, type) or hint in seen or not hint.__module__.startswith("punto"):
        return modules
    seen.add(hint)
    return modules.union({hint.__module__}, *(_modules_of(each, seen) for each in get_type_hints(hint).values()))


def test_the_code_that_makes_up_a_state_is_all_in_its_digest() -> None:
    parts = (*STATE_CODE, *stream_states.STATE_CODE)
    covered = tuple("punto." + part.removesuffix(".py").replace("/", ".") + "." for part in parts)
    modules = set().union(*(_modules_of(kind, set()) for kind in (HouseJournal, CageState, ShoesState)))
    assert "punto.server.cash.cash_book" in modules
    assert not [module for module in modules if not f"{module}.".startswith(covered)]
    assert state_code() != code_version()


async def test_pages_of_a_house_from_its_snapshot_are_the_same(tmp_path: Path) -> None:
    await make_rich(tmp_path)
    harm(tmp_path, "delete from snapshot")
    shown = []
    for _ in range(2):
        async with opened(tmp_path) as serving:
            paths = {"/api/house": Duty.GAMING_SHIFT_MANAGER, "/api/tables/t1/shoes": None, "/api/tables": None}
            shown.append([await asked(serving, path, person) for path, person in paths.items()])
    assert shown[0] == shown[1]
