"""What is particular to the store on SQLite: its file, its lock, its limits, and a writer that is killed."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import apsw
import pytest

from punto.store.records import Append, StoreError, Written
from punto.store.sqlite import SqliteStore
from punto.table.events import Filled

WRITER = """
import asyncio, sys
from pathlib import Path
from punto.store.records import Append, Written
from punto.store.sqlite import SqliteStore
from punto.table.events import Filled

async def grow(store, stream):
    number, _ = await store.head(stream)
    while True:
        await store.append([Append(stream, number, [Written.of(Filled(number + 1), 0, "sam", "Dealer")])])
        number += 1
        print(stream, number, flush=True)

async def main():
    store = SqliteStore(Path(sys.argv[1]))
    await asyncio.gather(*(grow(store, f"t{at}") for at in range(5)))

asyncio.run(main())
"""


def test_what_was_acknowledged_survives_a_kill(tmp_path: Path) -> None:
    """A writer killed at random moments, six times: everything it was told is stored is there, once, in order."""
    file, acknowledged = tmp_path / "punto.db", dict[str, int]()
    dice = random.Random(11)
    for _ in range(6):
        with subprocess.Popen([sys.executable, "-c", WRITER, str(file)], stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout
            for _ in range(dice.randint(20, 400)):
                stream, number = writer.stdout.readline().split()
                acknowledged[stream] = int(number)
            os.kill(writer.pid, signal.SIGKILL)
            for line in writer.stdout.read().splitlines():
                if line.count(" ") == 1 and line[-1].isdigit():
                    stream, number = line.split()
                    acknowledged[stream] = max(acknowledged.get(stream, 0), int(number) if number.isdigit() else 0)

    async def look() -> None:
        store = SqliteStore(file)
        for stream, number in acknowledged.items():
            found = await store.read(stream, most=100_000)
            assert len(found) >= number
            assert [each.event for each in found] == [Filled(at + 1) for at in range(len(found))]
        await store.close()

    asyncio.run(look())
    assert sum(acknowledged.values()) > 200


def test_one_process_serves_a_file(tmp_path: Path) -> None:
    async def work() -> None:
        store = SqliteStore(tmp_path / "punto.db")
        with pytest.raises(StoreError, match="another process serves it"):
            SqliteStore(tmp_path / "punto.db")
        await store.close()
        await SqliteStore(tmp_path / "punto.db").close()

    asyncio.run(work())


def test_a_file_that_cannot_be_used_is_refused_with_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be opened"):
        SqliteStore(tmp_path / "none" / "punto.db")
    broken = tmp_path / "broken.db"
    broken.write_bytes(b"this is no database at all" * 100)
    with pytest.raises(StoreError, match="cannot be opened"):
        SqliteStore(broken)
    later = tmp_path / "later.db"
    with apsw.Connection(str(later)) as connection:
        connection.execute("pragma user_version = 99")
    connection.close()
    with pytest.raises(StoreError, match="of a later version"):
        SqliteStore(later)


def test_events_cannot_be_changed_or_deleted_by_mistake(tmp_path: Path) -> None:
    async def work() -> None:
        store = SqliteStore(tmp_path / "punto.db")
        await store.append([Append("t1", 0, [Written.of(Filled(1), 0, "sam", "Dealer")])])
        await store.close()

    asyncio.run(work())
    connection = apsw.Connection(str(tmp_path / "punto.db"))
    for statement in ("update event set body = x'00'", "delete from event"):
        with pytest.raises(apsw.ConstraintError):
            connection.execute(statement)
    connection.close()


def test_when_nothing_can_be_written_everybody_is_told(tmp_path: Path) -> None:
    async def work() -> None:
        store = SqliteStore(tmp_path / "punto.db")
        written = [Written.of(Filled(1), 0, "sam", "Dealer")]
        await store.append([Append("t1", 0, written)])
        store._writing.execute("pragma query_only = on")  # as if the disk took nothing any more
        with pytest.raises(StoreError, match="nothing was stored"):
            await store.append([Append("t1", 1, written)])
        store._writing.execute("pragma query_only = off")
        await store.append([Append("t1", 1, written)])
        assert (await store.head("t1"))[0] == 2
        await store.close()

    asyncio.run(work())
