"""Audit, heads, replay and export on PostgreSQL: the same answers as on SQLite, and nothing written or given away."""

from __future__ import annotations

import asyncio
import json
from functools import cache
from pathlib import Path

import pytest
from properties.random_play import RandomPlay
from support.command import found_by_audit, punto, refused, run, run_json
from support.long import others_long
from support.past import client_of, deal, make_table, opened, options_of
from support.playing import asked

from punto import load
from punto.server.access.identity import Duty
from punto.store.address import is_postgresql, open_reader, open_store
from punto.store.house import House
from punto.store.protocol import Store
from punto.store.records import Append, EventRecord, StoreError
from punto.store.trust.keys import Keys, make_keys

AT = 1_700_000_000_000
TABLES = {"baccarat-1": "baccarat", "tiger-1": "tiger"}


@cache
def played(game: str, seed: int) -> tuple[EventRecord, ...]:
    play = RandomPlay(game, seed)
    play.play(700)
    return tuple(EventRecord.of(event, AT + at, "sam", "Dealer") for at, event in enumerate(play.log))


async def fill(store: Store, keys: Keys, seed: int = 1, heads: bool = True) -> None:
    """Two tables, with heads noted in the middle and at the end."""
    house = await House.open(store, keys, AT)
    for table, game in TABLES.items():
        await house.create_table(table, load(game), AT)
        written = played(game, seed)
        half = len(written) // 2
        await store.append([Append(table, 0, written[:half])])
        if heads:
            await house.note_heads([table], AT)
        await store.append([Append(table, half, written[half:])])
    if heads:
        await house.note_heads(list(TABLES), AT)


@pytest.fixture
def key(tmp_path: Path) -> Path:
    make_keys(tmp_path / "house.key")
    return tmp_path / "house.key"


@pytest.fixture
async def address(postgresql: str, key: Path) -> str:
    """A PostgreSQL database with real play."""
    await _fill(postgresql, key)
    return postgresql


async def _fill(address: str, key: Path, seed: int = 1, heads: bool = True) -> None:
    store = await open_store(address)
    await fill(store, Keys(bytes.fromhex(key.read_text().split()[1])), seed, heads)
    await store.close()


def _harm(address: str, *statements: str) -> None:
    asked(address, "alter table event disable trigger event_stays")
    for statement in statements:
        asked(address, statement)


def test_everything_is_answered_as_on_sqlite(address: str, key: Path, tmp_path: Path) -> None:
    file = tmp_path / "punto.db"
    asyncio.run(_fill(str(file), key))
    told = run_json("audit", address)
    assert told["findings"] == []
    assert (told["streams"], told["rounds"] > 20) == (3, True)
    assert run_json("audit", address, "--processes", "2") == told
    for command in (("audit",), ("replay", "tiger-1", "3"), ("export", "tiger-1", "3"), ("heads",)):
        name, *rest = command
        keyed = ["--key", str(key)] if name == "heads" else []
        assert run(name, address, *rest, *keyed) == run(name, str(file), *rest, *keyed), name


@pytest.mark.parametrize("number", others_long([17, 1, 150]))
def test_a_bit_that_is_flipped_is_found_and_named(address: str, number: int) -> None:
    changes = {
        "body": "set_byte(body, 5, get_byte(body, 5) # 1)",
        "hash": "set_byte(hash, 31, get_byte(hash, 31) # 1)",
        "name": "name || 'X'",
        "version": "version + 1",
        "at": "at + 1",
        "by": "'sbm'",
        "position": "'Dealfr'",
    }
    where = f"where stream = 'tiger-1' and number = {number}"
    kept = ", ".join(f"{name} = kept.{name}" for name in changes)
    _harm(address, f"create table kept as select * from event {where}")
    for column, value in changes.items():
        _harm(address, f"update event set {column} = {value} {where}")
        assert found_by_audit(address) == [("tiger-1", number, "is not what was stored: its hash does not fit")], column
        _harm(
            address,
            f"update event set {kept} from kept where event.stream = kept.stream and event.number = kept.number",
        )
    assert found_by_audit(address) == []


def test_an_event_removed_reordered_or_cut_off_and_a_dropped_table_are_found(address: str) -> None:
    where = "where stream = 'baccarat-1' and number"
    _harm(address, f"delete from event {where} = 40")
    assert found_by_audit(address) == [("baccarat-1", 40, "is missing: event 41 comes next")]
    _harm(address, f"update event set number = 40 {where} = 41", f"update event set number = 41 {where} = 42")
    assert found_by_audit(address)[0][:2] == ("baccarat-1", 40)
    _harm(address, f"delete from event {where} > 39")
    ((stream, number, sentence),) = found_by_audit(address)
    assert (stream, number) == ("baccarat-1", 40)
    assert sentence.startswith("is gone, and all up to event")
    _harm(address, "delete from event where stream = 'tiger-1'")
    assert ("tiger-1", 1, "is gone") in found_by_audit(address)


def test_a_full_rewrite_is_found_by_a_head_that_was_exported(address: str, key: Path, tmp_path: Path) -> None:
    heads = str(tmp_path / "heads.json")
    run("heads", address, "--key", str(key), "--output", heads)
    assert found_by_audit(address, "--heads", heads) == []
    _harm(address, "delete from event")
    asyncio.run(_fill(address, key, seed=2, heads=False))
    assert found_by_audit(address) == []
    assert {stream for stream, _, _ in found_by_audit(address, "--heads", heads)} == {"house", *TABLES}


@pytest.fixture
async def served(postgresql: str, tmp_path: Path) -> str:
    """A PostgreSQL database of a house that was served: points, a snapshot and an answer stand beside its log."""
    async with opened(options_of(tmp_path, postgresql)) as serving:
        await make_table(serving)
        await deal(serving, 20)
        async with client_of(serving, Duty.GAMING_SHIFT_MANAGER) as client:
            command = {"command": "Refer", "matter": "something", "key": "k1"}
            assert (await client.post("/api/tables/t1/commands", json=command)).status_code == 200
        table = serving.floor.tables["t1"]
        await serving.floor.trust.keep_snapshot(table.actor.chain, table.table)
    return postgresql


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ("update verified_point set number = number - 1 where stream = 't1'", "point-not-signed"),
        ("update verified_point set hash = set_byte(hash, 0, get_byte(hash, 0) # 1)", "point-not-signed"),
        ("update snapshot set body = set_byte(body, 5, get_byte(body, 5) # 1)", "snapshot-not-signed"),
        ("update snapshot set number = number - 1", "snapshot-not-signed"),
        ("update answer set first = first + 1, last = last + 1", "answer-differs"),
        ("update answer set actor = 'ann'", "answer-differs"),
    ],
)
def test_what_stands_beside_the_log_is_checked(served: str, change: str, code: str) -> None:
    assert run_json("audit", served)["findings"] == []
    _harm(served, change)
    _, told, _ = punto("audit", served, "--json")
    assert {each["code"] for each in json.loads(told)["findings"]} == {code}


def test_the_key_is_named_or_in_the_environment(
    address: str, key: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PUNTO_KEY", raising=False)
    assert "name its file with --key, or set PUNTO_KEY" in refused("heads", address)
    assert "there is no key" in refused("heads", address, "--key", str(tmp_path / "none.key"))
    monkeypatch.setenv("PUNTO_KEY", key.read_text())
    assert len(run_json("heads", address)["heads"]) == 3
    make_keys(tmp_path / "other.key")
    assert "not the key the database was made with" in refused("heads", address, "--key", str(tmp_path / "other.key"))


def test_a_database_that_cannot_be_read_is_refused_in_one_line_without_its_password(postgresql: str) -> None:
    opened = "the PostgreSQL database cannot be opened: "
    secret = "hush4321"
    there = postgresql.replace("postgres@", f"postgres:{secret}@")
    cases = {
        there: "it holds no log of Punto",
        there.replace("/test_", "/none_"): "the server has no database of that name",
        there.replace("postgres:", "nobody:"): "the server does not let this user in",
        f"postgresql://ann:{secret}@localhost:1/punto": "no server answers at that address",
        f"postgres://ann:{secret}/x@localhost/punto": "expected an address such as",
        f"postgresql://localhost:{secret}/punto": "expected an address such as",
        f"postgresql://ann@localhost/punto?password={secret}&sslmode=odd": "expected an address such as",
    }
    for address, sentence in cases.items():
        for command in (("audit",), ("heads",), ("replay", "t1", "1"), ("export", "t1", "1")):
            told = refused(command[0], address, *command[1:])
            assert f"{opened}{sentence}" in told, (address, told)
            assert secret not in told

    # A reader makes no table.
    assert asked(postgresql, "select tablename from pg_tables where schemaname = 'public'") == []
    asked(postgresql, "create table event (stream text)")
    assert "it holds no log of Punto" in refused("audit", postgresql)


def test_a_later_version_is_refused(address: str) -> None:
    _harm(address, "insert into migration values (99)")
    assert "of a later version (99)" in refused("audit", address)


async def test_a_reader_cannot_write(address: str) -> None:
    reader = await open_reader(address)
    number, _ = await reader.head("tiger-1")
    with pytest.raises(StoreError, match="nothing was stored"):
        await reader.append(  # type: ignore[attr-defined]
            [Append("tiger-1", number, played("tiger", 1)[:1])]
        )
    assert await reader.head("tiger-1") == (number, _)
    await reader.close()


async def test_an_address_tells_which_database_it_is(tmp_path: Path) -> None:
    assert is_postgresql("postgresql://localhost/punto")
    assert is_postgresql("postgres://localhost/punto")
    assert not is_postgresql("punto.db")
    assert not is_postgresql("./postgresql:/punto.db")

    store = await open_store(str(tmp_path / "punto.db"))
    await store.append([Append("tiger-1", 0, played("tiger", 1)[:5])])
    reader = await open_reader(str(tmp_path / "punto.db"))
    assert await reader.head("tiger-1") == await store.head("tiger-1")
    await reader.close()
    await store.close()
    with pytest.raises(StoreError, match="no server answers"):
        await open_store("postgresql://ann:hush@localhost:1/punto")
