"""Nothing unverified is served: a database that was changed by hand closes what depends on the change, and says so."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import apsw
import pytest
from server.test_closed_streams import BOOK, DEALER, MANAGER, asked, done, make, opened
from server.test_went_back import cut_back

from punto.server.access.identity import Duty
from punto.server.cash.cage import CageRefuses
from punto.server.running.house_watch import HouseWatch
from punto.server.running.lifecycle import Serving
from punto.server.tables import table_actor, table_opener
from punto.server.tables.stream_follower import StreamClosed
from punto.server.tables.table_actor import outcome
from punto.store.address import is_postgresql, open_store
from punto.store.events.cage_events import CAGE
from punto.store.events.house_events import HOUSE, HeadNoted
from punto.store.house import SYSTEM
from punto.store.records import FIRST_HASH, EventRecord, hash_of
from punto.store.trust.keys import Keys
from punto.store.trust.snapshots import sign_snapshot, take_snapshot
from punto.store.trust.verified_points import sign_point
from punto.table.play.chips import BuyIn
from punto.table.play.table_management import RestrictArea
from punto.table.refusal import Refusal

Harm = Callable[[apsw.Connection], object]


@pytest.fixture(autouse=True)
def no_mark(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look at what the database alone shows: the mark beside it tells of some of this as well."""

    async def begin(_: HouseWatch, __: Callable[[], None]) -> None:
        pass

    monkeypatch.setattr(HouseWatch, "begin", begin)


def harm(folder: Path, *work: str | Harm) -> None:
    """Do to the database what someone who can write to it does."""
    connection = apsw.Connection(str(folder / "punto.db"))
    connection.execute("drop trigger if exists event_stays; drop trigger if exists event_is_kept")
    for each in work:
        connection.execute(each) if isinstance(each, str) else each(connection)
    connection.close()


STORED = "select number, name, version, body, at, by, position from event where stream = $1 order by number"
REHASH = "update event set hash = $1 where stream = $2 and number = $3"


def rehashed(stream: str, rows: Iterable[Sequence[Any]]) -> Iterator[tuple[bytes, str, int]]:
    """Compute all hashes of a stream again, as anyone can: no key is needed for it."""
    before = FIRST_HASH
    for number, *stored in rows:
        before = hash_of(before, stream, number, EventRecord(*stored))
        yield before, stream, number


def rehash(stream: str) -> Harm:
    return lambda connection: connection.executemany(
        REHASH, list(rehashed(stream, list(connection.execute(STORED, (stream,)))))
    )


def closed(serving: Serving) -> dict[str, tuple[int, str]]:
    floor = serving.floor
    return {stream: (event, floor.reasons[stream]) for stream, event in floor.closed.items()}


TENFOLD = "update event set body = cast(replace(body, '50000', '500000') as blob) where stream = 'cage' and number = 1"


TENFOLD_TOO = (
    "update event set body = convert_to(replace(convert_from(body, 'utf8'), '50000', '500000'), 'utf8')"
    " where stream = 'cage' and number = 1"
)
"""The same on PostgreSQL."""


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A test that takes it is run for each kind of database."""
    return str(request.getfixturevalue("postgresql") if request.param == "postgresql" else tmp_path / "punto.db")


async def multiply_by_ten(database: str, recomputed: bool) -> None:
    if not is_postgresql(database):
        harm(Path(database).parent, TENFOLD, *([rehash(CAGE)] if recomputed else []))
        return
    async with cut_back(database) as connection:
        await connection.execute(TENFOLD_TOO)
        if recomputed:
            await connection.executemany(REHASH, list(rehashed(CAGE, await connection.fetch(STORED, CAGE))))


@pytest.mark.parametrize("recomputed", [False, True])
async def test_a_deposit_multiplied_by_ten_closes_the_cage(tmp_path: Path, database: str, recomputed: bool) -> None:
    await make(tmp_path, database=database)
    await multiply_by_ten(database, recomputed)
    async with opened(tmp_path, database) as serving:
        assert closed(serving) == {CAGE: (1, "rewritten" if recomputed else "altered")}
        health = await asked(serving, "/healthz")
        assert health["closed"] == [
            {"stream": CAGE, "event": 1, "reason": "rewritten" if recomputed else "altered"}
        ]  # fmt: skip
        assert (await asked(serving, "/api/pit", Duty.GAMING_SHIFT_MANAGER))["closed"] == health["closed"]
        with pytest.raises((CageRefuses, StreamClosed)):
            await serving.floor.cage.pay_out("ann", 100, SYSTEM)
        answer = await outcome(serving.floor.submit, serving.floor.tables["t1"], BuyIn(DEALER, "ann", 500))
        assert isinstance(answer, Refusal)
        assert answer.case == "stream-closed"
        await done(serving, "t1", RestrictArea(MANAGER, 2))


async def test_a_snapshot_with_more_chips_is_not_served(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_actor, "EVENTS_BETWEEN_SNAPSHOTS", 3)
    await make(tmp_path, database=database)
    async with opened(tmp_path, database) as serving:
        for capacity in (1, 2, 1, 2):
            await done(serving, "t1", RestrictArea(MANAGER, capacity))
        actor = serving.floor.tables["t1"].actor
        state, number, hash_ = actor.table, actor.number, actor.chain.hash
        kept = await serving.store.snapshot("t1")
        assert kept is not None
    richer = take_snapshot("t1", number, hash_, state.changed(float_=state.float_ + 50_000_000))
    thief = Keys(bytes(32))
    for forged in (richer, replace(richer, signature=kept.signature), sign_snapshot(thief, richer)):
        store = await open_store(database)
        await store.keep(forged)
        assert await store.snapshot("t1") == forged
        await store.close()
        async with opened(tmp_path, database) as serving:
            assert serving.floor.tables["t1"].table == state
            assert closed(serving) == {}


async def test_a_snapshot_that_fits_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_actor, "EVENTS_BETWEEN_SNAPSHOTS", 1)
    await make(tmp_path)
    async with opened(tmp_path) as serving:
        await done(serving, "t1", RestrictArea(MANAGER, 2))
        state = serving.floor.tables["t1"].table
    monkeypatch.setattr(table_actor, "evolve", None)
    async with opened(tmp_path) as serving:
        assert serving.floor.tables["t1"].table == state


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("delete from event where stream = 't1' and number > 1", "gone"),
        ("update event set at = at + 1 where stream = 't1' and number = 2", "altered"),
        ("delete from event where stream = 't1' and number = 1", "missing"),
    ],
)  # fmt: skip
async def test_a_log_that_was_changed_or_cut_off_closes_its_table(tmp_path: Path, statement: str, reason: str) -> None:
    await make(tmp_path)
    async with opened(tmp_path) as serving:
        await done(serving, "t1", RestrictArea(MANAGER, 2))
    harm(tmp_path, statement)
    async with opened(tmp_path) as serving:
        assert {stream: why for stream, (_, why) in closed(serving).items()} == {"t1": reason}
        assert set(serving.floor.tables) == {"t2"}
        refused = await asked(serving, "/api/tables/t1")
        assert (refused["code"], refused["case"]) == ("cannot-be", "stream-closed")


async def test_who_did_it_cannot_be_changed_with_the_hashes(tmp_path: Path) -> None:
    await make(tmp_path)
    harm(tmp_path, "update event set by = 'sam' where stream = 't1' and number = 1", rehash("t1"))
    async with opened(tmp_path) as serving:
        assert closed(serving) == {"t1": (1, "rewritten")}


@pytest.mark.parametrize(
    "work",
    [
        ["update event set at = at + 1 where stream = 'house' and name = 'TableCreated'"],
        ["update event set at = at + 1 where stream = 'house' and name = 'TableCreated'", rehash(HOUSE)],
        ["delete from event where stream = 'house'"],
        ["delete from event where stream = 'house'", "delete from verified_point"],
        ["update event set body = cast(replace(body, 'a', 'b') as blob) where stream = 'house' and number = 1"],
    ],
)
async def test_a_house_that_was_changed_answers_says_so_and_serves_no_table(
    tmp_path: Path, work: Sequence[str | Harm]
) -> None:
    await make(tmp_path)
    harm(tmp_path, *work)
    async with opened(tmp_path) as serving:
        assert set(closed(serving)) == {HOUSE}
        assert not serving.floor.tables
        assert not serving.links
        health = await asked(serving, "/healthz")
        assert (health["ok"], health["closed"][0]["stream"]) == (True, HOUSE)
        known = {each["table"] for each in await asked(serving, "/api/audit/tables", Duty.AUDITOR)}
        assert known == (set() if "delete" in str(work[0]) else {"t1", "t2"})
        assert (await asked(serving, "/api/pit", Duty.GAMING_SHIFT_MANAGER))["closed"] == health["closed"]
        with pytest.raises(StreamClosed):
            await serving.floor.create_table("t4", BOOK)


@pytest.mark.parametrize("statement", ["delete from verified_point", "update verified_point set signature = 'ab'"])
async def test_without_a_signed_point_everything_is_verified_from_the_beginning(tmp_path: Path, statement: str) -> None:
    await make(tmp_path)
    harm(tmp_path, statement)
    async with opened(tmp_path) as serving:
        assert closed(serving) == {}
        assert set(serving.floor.tables) == {"t1", "t2"}
    harm(tmp_path, statement, TENFOLD)
    async with opened(tmp_path) as serving:
        assert closed(serving) == {CAGE: (1, "altered")}


async def test_a_point_signed_by_another_key_is_forgotten(tmp_path: Path) -> None:
    await make(tmp_path)
    thief = sign_point(Keys(bytes(32)), "t1", 10**9, b"1" * 32)
    harm(
        tmp_path,
        lambda each: each.execute(
            "insert or replace into verified_point values (?, ?, ?, ?)",
            (thief.stream, thief.number, thief.hash, thief.signature),
        ),
    )
    async with opened(tmp_path) as serving:
        assert closed(serving) == {}
        assert thief not in await serving.store.points()


async def test_heads_are_noted_after_many_events_and_points_when_the_server_stops(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("punto.server.tables.signed_notes.EVENTS_BETWEEN_HEADS", 3)
    await make(tmp_path)
    async with opened(tmp_path) as serving:
        for capacity in (1, 2, 1, 2):
            await done(serving, "t1", RestrictArea(MANAGER, capacity))
        await serving.floor.notes.keep()
        noted = [each.event for each in await serving.store.read(HOUSE)]
        heads = {each.table: each.number for each in noted if isinstance(each, HeadNoted)}
        assert heads == {"t1": serving.floor.tables["t1"].actor.number}
        await serving.floor.notes.keep()
        assert len(await serving.store.read(HOUSE)) == len(noted)  # nothing has happened since
        await done(serving, "t2", RestrictArea(MANAGER, 2))
        ends = {stream: await serving.store.head(stream) for stream in await serving.store.streams()}
        await serving.floor.stop()
        assert {each.stream: (each.number, each.hash) for each in await serving.store.points()} == ends


async def test_a_table_with_a_long_log_opens_after_the_server_listens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_opener, "READ_BEFORE_LISTENING", 3)
    monkeypatch.setattr(table_opener, "READ_AT_ONCE", 2)
    monkeypatch.setattr(table_actor, "EVENTS_BETWEEN_SNAPSHOTS", 4)
    await make(tmp_path)
    async with opened(tmp_path) as serving:
        await serving.floor.opener.all_open.wait()
        for capacity in (1, 2, 1, 2, 1, 2):
            await done(serving, "t1", RestrictArea(MANAGER, capacity))
        state = serving.floor.tables["t1"].table
    harm(tmp_path, "delete from snapshot")
    async with opened(tmp_path) as serving:
        assert set(serving.floor.tables) == {"t2"}
        refused: dict[str, Any] = await asked(serving, "/api/tables/t1")
        assert refused["code"] == "table-opening"
        assert (await asked(serving, "/healthz"))["opening"] == 1
        await serving.floor.opener.all_open.wait()
        assert serving.floor.tables["t1"].table == state
        kept = await serving.store.snapshot("t1")
        assert kept is not None
        assert kept.number == serving.floor.tables["t1"].actor.number
    async with opened(tmp_path) as serving:
        assert set(serving.floor.tables) == {"t1", "t2"}


async def test_a_file_whose_events_are_damaged_is_told_by_health(tmp_path: Path) -> None:
    await make(tmp_path)
    file = tmp_path / "punto.db"
    connection = apsw.Connection(str(file))
    connection.execute("pragma wal_checkpoint(truncate)")
    ((root, size),) = connection.execute(
        "select rootpage, page_size from sqlite_schema, pragma_page_size where name = 'event'"
    )
    connection.close()
    content = bytearray(file.read_bytes())
    content[size * (root - 1) : size * root] = bytes(size)
    file.write_bytes(content)
    async with opened(tmp_path) as serving:
        assert closed(serving)[HOUSE][1] == "damaged"
        assert not serving.floor.tables
        told = (await asked(serving, "/healthz"))["closed"]
        assert {"stream": HOUSE, "event": 1, "reason": "damaged"} in told
