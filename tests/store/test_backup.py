"""Back-up and restore: a copy made in the middle of play is in order, opens with the key, and goes on from there."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path

import asyncpg
import pytest
from properties.random_play import RandomPlay
from support.command import refused, run, run_json
from support.postgresql_server import postgresql_programs

from punto import load
from punto.store.address import open_store
from punto.store.house import House
from punto.store.protocol import Store
from punto.store.records import Append, EventRecord
from punto.store.trust.keys import load_keys, make_keys
from punto.table.play.chips import Filled

AT = 1_700_000_000_000
TABLES = {"baccarat-1": "baccarat", "tiger-1": "tiger"}
BUSY = "tiger-2"


@cache
def played(game: str) -> tuple[EventRecord, ...]:
    play = RandomPlay(game, 5)
    play.play(700)
    return tuple(EventRecord.of(event, AT + at, "sam", "Dealer") for at, event in enumerate(play.log))


async def play_on(store: Store, table: str, up_to: int | None = None) -> None:
    """Append what comes next in the play of this table, a few events at a time."""
    number, _ = await store.head(table)
    written = played(TABLES[table])[:up_to]
    while number < len(written):
        few = written[number : number + 3]
        await store.append([Append(table, number, few)])
        number += len(few)


@asynccontextmanager
async def busy(store: Store) -> AsyncIterator[None]:
    """While this lasts the tables play, though not to their end, and chips come to one more without a pause."""
    over = asyncio.Event()

    async def fills() -> None:
        number, _ = await store.head(BUSY)
        while not over.is_set():
            await store.append([Append(BUSY, number, [EventRecord.of(Filled(100), AT, "sam", "Dealer")])])
            number += 1

    playing = [asyncio.create_task(play_on(store, table, -50)) for table in TABLES]
    filling = asyncio.create_task(fills())
    yield
    over.set()
    await asyncio.gather(filling, *playing)


async def begin(store: Store, key: Path) -> None:
    house = await House.open(store, make_keys(key), AT)
    for table, game in TABLES.items():
        await house.create_table(table, load(game), AT)
        await play_on(store, table, 100)
    await house.create_table(BUSY, load("tiger"), AT)
    await store.append([Append(BUSY, 0, played("tiger")[:1])])
    await house.note_heads([*TABLES, BUSY], AT)


async def go_on(address: str, key: Path) -> None:
    """Serve a copy: it opens with the key, and each table goes on where the copy has it."""
    store = await open_store(address)
    house = await House.open(store, load_keys(key, {}), AT)
    for table in TABLES:
        number, _ = await store.head(table)
        assert 100 <= number < len(played(TABLES[table]))
        await play_on(store, table)
    await house.note_heads(list(TABLES), AT)
    await store.close()


async def in_order(address: str, *heads: Path) -> int:
    """Audit the database, which must be in order; return how many events it has."""
    options = [each for file in heads for each in ("--heads", str(file))]
    told = await asyncio.to_thread(run_json, "audit", address, *options)
    assert told["findings"] == []
    events: int = told["events"]
    return events


async def test_a_copy_made_in_the_middle_of_play_is_served_in_its_place(tmp_path: Path) -> None:
    file, key, heads = tmp_path / "punto.db", tmp_path / "house.key", tmp_path / "heads.json"
    copies = [tmp_path / f"copy-{number}.db" for number in range(3)]
    store = await open_store(str(file))
    await begin(store, key)
    async with busy(store):
        told = [await asyncio.to_thread(run, "backup", str(file), "--output", str(copy)) for copy in copies]
    await store.close()
    await asyncio.to_thread(run, "heads", str(copies[0]), "--key", str(key), "--output", str(heads))
    counts = [await in_order(str(copy)) for copy in copies]
    assert counts == sorted(counts)
    assert counts[0] < await in_order(str(file), heads)
    assert [f"{count:,} events" in line for count, line in zip(counts, told, strict=True)] == [True] * len(copies)
    assert not list(tmp_path.glob("copy-*-*"))  # one file, and none beside it
    await go_on(str(copies[0]), key)
    assert await in_order(str(copies[0]), heads) > counts[0]


async def founded(file: Path, key: Path) -> None:
    store = await open_store(str(file))
    await begin(store, key)
    await store.close()


def test_a_copy_is_a_new_file_and_as_private_as_the_database(tmp_path: Path) -> None:
    file = tmp_path / "punto.db"
    asyncio.run(founded(file, tmp_path / "house.key"))
    file.chmod(0o600)
    assert run_json("backup", str(file), "--output", str(tmp_path / "copy.db"))["streams"] == 4
    assert (tmp_path / "copy.db").stat().st_mode & 0o777 == 0o600
    content = (tmp_path / "copy.db").read_bytes()
    for there in ("copy.db", "punto.db"):
        assert "exists already" in refused("backup", str(file), "--output", str(tmp_path / there))
    (tmp_path / "late.db-wal").write_bytes(b"left behind by another")
    assert "late.db-wal: exists already" in refused("backup", str(file), "--output", str(tmp_path / "late.db"))
    assert (tmp_path / "copy.db").read_bytes() == content
    assert "ends in .db" in refused("backup", str(file), "--output", str(tmp_path / "copy.txt"))
    assert "cannot be written there" in refused("backup", str(file), "--output", str(tmp_path / "none" / "copy.db"))
    assert "there is no such database" in refused(
        "backup", str(tmp_path / "none.db"), "--output", str(tmp_path / "x.db")
    )
    assert "with pg_dump" in refused("backup", "postgresql://localhost/punto", "--output", str(tmp_path / "x.db"))
    assert "--output" in refused("backup", str(file))
    assert not (tmp_path / "x.db").exists()


async def _carry_out(command: Sequence[str]) -> None:
    done = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


async def test_a_dump_made_in_the_middle_of_play_is_restored_and_served(postgresql: str, tmp_path: Path) -> None:
    key, dump, heads = tmp_path / "house.key", str(tmp_path / "punto.dump"), tmp_path / "heads.json"
    name = postgresql.partition("?")[0].rpartition("/")[2]
    copy = postgresql.replace(f"/{name}?", f"/restored_{name}?")
    store = await open_store(postgresql)
    await begin(store, key)
    async with busy(store):
        await _carry_out([str(postgresql_programs() / "pg_dump"), "--format=custom", f"--file={dump}", postgresql])
    await store.close()
    connection = await asyncpg.connect(postgresql)
    await connection.execute(f"create database restored_{name}")
    await connection.close()
    await _carry_out([str(postgresql_programs() / "pg_restore"), "--exit-on-error", f"--dbname={copy}", dump])
    await asyncio.to_thread(run, "heads", copy, "--key", str(key), "--output", str(heads))
    assert await in_order(copy) < await in_order(postgresql, heads)
    await go_on(copy, key)
    await in_order(copy, heads)
    connection = await asyncpg.connect(copy)
    with pytest.raises(asyncpg.RaiseError, match="events are not changed or deleted"):  # the guard is restored too
        await connection.execute("delete from event")
    await connection.close()
