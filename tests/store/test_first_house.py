"""A house of the first edition, on both stores: it opens, is in order, and plays on.

``tests/golden/house`` holds its database and its key: two automatic tables with a shoe each that has ended and one in
use, an account, answers to retries. It was written by that edition and is never written again.
"""

from __future__ import annotations

import asyncio
import gzip
from pathlib import Path

import apsw
import asyncpg
import pytest
from support.command import found_by_audit

from punto.server.access.identity import Duty
from punto.server.realtime.messages import DoneMessage, IdempotencyKey
from punto.server.running.lifecycle import Options, Serving, open_serving
from punto.server.tables.auto_dealer import Pace
from punto.server.tables.table_actor import outcome
from punto.store import postgresql
from punto.table.play.chips import BuyIn, CashOut
from punto.table.roles import Actor, Role

RECORDED = Path(__file__).parents[1] / "golden" / "house"
QUICK = Pace(0.001, 0.001, 0.01, 0.01)
MIGRATIONS_THEN = 2
"""How many of PostgreSQL's there were."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    database = tmp_path / "first.db"
    database.write_bytes(gzip.decompress((RECORDED / "first-house.gz").read_bytes()))
    key = tmp_path / "first.db.key"
    key.write_text((RECORDED / "first-house-key.txt").read_text())
    key.chmod(0o600)
    return database


async def moved(file: Path, address: str) -> None:
    """Put the rows of the file into a PostgreSQL database as that edition made it."""
    scripts = sorted(postgresql.MIGRATIONS.glob("*.sql"))[:MIGRATIONS_THEN]
    reading = apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READONLY)
    connection = await asyncpg.connect(address)
    for script in scripts:
        await connection.execute(script.read_text())
    await connection.execute("create table migration (number integer primary key)")
    await connection.executemany("insert into migration values ($1)", [(n,) for n in range(1, MIGRATIONS_THEN + 1)])
    for table in ("event", "answer", "snapshot", "person"):
        cursor = reading.execute(f"select * from {table}")
        rows = list(cursor)
        if rows:
            named = [row[1] for row in reading.execute(f"pragma table_info({table})")]
            booleans = {at for at, name in enumerate(named) if name == "active"}
            rows = [[bool(each) if at in booleans else each for at, each in enumerate(row)] for row in rows]
            places = ", ".join(f"${place}" for place in range(1, len(named) + 1))
            await connection.executemany(f"insert into {table} ({', '.join(named)}) values ({places})", rows)
    await connection.close()
    reading.close()


async def play_on(serving: Serving) -> None:
    """The patron of that time cashes out, and a round is settled at each table; a retry of then is answered as then."""
    floor = serving.floor
    await nothing_is_closed(serving)
    patron = await serving.people.find_by_name(Duty.PATRON.value)
    assert patron is not None
    me, served = Actor(patron.id, Role.PATRON), floor.tables["baccarat"]
    again = await outcome(floor.submit, served, BuyIn(me, patron.id, 1_000_000), IdempotencyKey("buy-1", b"d" * 32))
    assert isinstance(again, DoneMessage)
    assert again.repeated
    out = await outcome(floor.submit, served, CashOut(me, patron.id, 5_000), IdempotencyKey("out-1", b"f" * 32))
    assert isinstance(out, DoneMessage)
    for each in floor.tables.values():
        before = each.table.round_number
        while each.table.round_number == before:
            each.changed.clear()
            await asyncio.wait_for(each.changed.wait(), 30)


async def nothing_is_closed(serving: Serving) -> None:
    assert set(serving.floor.tables) == {"baccarat", "fabulous-4"}
    assert serving.floor.closed == {}


async def opens_audits_and_plays_on(database: str, key: Path) -> None:
    assert await asyncio.to_thread(found_by_audit, database) == []
    for work in (play_on, nothing_is_closed):
        serving = await open_serving(Options(database, key, games=("baccarat", "fabulous-4"), pace=QUICK))
        try:
            await work(serving)
        finally:
            await serving.close()
    assert await asyncio.to_thread(found_by_audit, database) == []


async def test_a_house_of_the_first_edition_plays_on(file: Path) -> None:
    await opens_audits_and_plays_on(str(file), file.with_name("first.db.key"))


async def test_it_plays_on_in_postgresql_too(file: Path, postgresql: str) -> None:
    await moved(file, postgresql)
    await opens_audits_and_plays_on(postgresql, file.with_name("first.db.key"))
