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

from punto.server.access.identity import People
from punto.store.records import Answer, Append, EventRecord, Repeated, StoreError
from punto.store.sqlite.sqlite_store import SqliteReader, SqliteStore, WriterThread
from punto.store.sqlite.writer import MIGRATIONS
from punto.store.sqlite.writer_process import WriterProcess
from punto.table.play.chips import Filled

WRITER = """
import asyncio, sys
from pathlib import Path
from punto.store.records import Append, EventRecord
from punto.store.sqlite.sqlite_store import SqliteStore
from punto.table.play.chips import Filled

async def grow(store, stream):
    number, _ = await store.head(stream)
    while True:
        await store.append([Append(stream, number, [EventRecord.of(Filled(number + 1), 0, "sam", "Dealer")])])
        number += 1
        print(stream, number, flush=True)

async def main():
    store = SqliteStore(Path(sys.argv[1]), apart=sys.argv[2] == "apart")
    await asyncio.gather(*(grow(store, f"t{at}") for at in range(5)))

asyncio.run(main())
"""


@pytest.mark.long
@pytest.mark.parametrize("where", ["apart", "in a thread"])
async def test_what_was_acknowledged_survives_a_kill(tmp_path: Path, where: str) -> None:
    """A writer killed at random moments, six times: everything it was told is stored is there, once, in order."""
    file, acknowledged = tmp_path / "punto.db", dict[str, int]()
    dice = random.Random(11)
    for _ in range(6):
        command = [sys.executable, "-c", WRITER, str(file), where]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout
            for _ in range(dice.randint(20, 400)):
                stream, number = writer.stdout.readline().split()
                acknowledged[stream] = int(number)
            os.kill(writer.pid, signal.SIGKILL)
            for line in writer.stdout.read().splitlines():
                if line.count(" ") == 1 and line[-1].isdigit():
                    stream, number = line.split()
                    acknowledged[stream] = max(acknowledged.get(stream, 0), int(number) if number.isdigit() else 0)

    store = SqliteStore(file)
    for stream, last in acknowledged.items():
        found = await store.read(stream, most=100_000)
        assert len(found) >= last
        assert [each.event for each in found] == [Filled(at + 1) for at in range(len(found))]
    await store.close()
    assert sum(acknowledged.values()) > 200


@pytest.mark.parametrize("apart", [False, True])
async def test_one_process_serves_a_file(tmp_path: Path, apart: bool) -> None:
    store = SqliteStore(tmp_path / "punto.db", apart)
    for another in (False, True):
        with pytest.raises(StoreError, match="another process serves it"):
            SqliteStore(tmp_path / "punto.db", another)
    await store.close()
    await SqliteStore(tmp_path / "punto.db").close()


@pytest.mark.parametrize("apart", [False, True])
def test_a_file_that_cannot_be_used_is_refused_with_a_sentence(tmp_path: Path, apart: bool) -> None:
    with pytest.raises(StoreError, match="cannot be opened"):
        SqliteStore(tmp_path / "none" / "punto.db", apart)
    broken = tmp_path / "broken.db"
    broken.write_bytes(b"this is no database at all" * 100)
    with pytest.raises(StoreError, match="cannot be opened"):
        SqliteStore(broken, apart)
    later = tmp_path / "later.db"
    with apsw.Connection(str(later)) as connection:
        connection.execute("pragma user_version = 99")
    connection.close()
    with pytest.raises(StoreError, match="of a later version"):
        SqliteStore(later, apart)


async def test_events_cannot_be_changed_or_deleted_by_mistake(tmp_path: Path) -> None:

    store = SqliteStore(tmp_path / "punto.db")
    await store.append([Append("t1", 0, [EventRecord.of(Filled(1), 0, "sam", "Dealer")])])
    await store.close()
    connection = apsw.Connection(str(tmp_path / "punto.db"))
    for statement in ("update event set body = x'00'", "delete from event"):
        with pytest.raises(apsw.ConstraintError):
            connection.execute(statement)
    connection.close()


async def test_when_nothing_can_be_written_everybody_is_told(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "punto.db")
    written = [EventRecord.of(Filled(1), 0, "sam", "Dealer")]
    await store.append([Append("t1", 0, written)])
    assert isinstance(store.writing, WriterThread)
    disk = store.writing.writer._writing
    disk.execute("pragma query_only = on")  # as if the disk took nothing any more
    with pytest.raises(StoreError, match="nothing was stored"):
        await store.append([Append("t1", 1, written)])
    disk.execute("pragma query_only = off")
    await store.append([Append("t1", 1, written)])
    assert (await store.head("t1"))[0] == 2
    await store.close()


@pytest.mark.parametrize("gone", ["punto.db", "punto.db-wal"])
@pytest.mark.parametrize("apart", [False, True])
async def test_nothing_is_acknowledged_into_a_file_that_is_gone(tmp_path: Path, gone: str, apart: bool) -> None:
    store = SqliteStore(tmp_path / "punto.db", apart)
    written = [EventRecord.of(Filled(1), 0, "sam", "Dealer")]
    await store.append([Append("t1", 0, written)])
    (tmp_path / gone).rename(tmp_path / "elsewhere")
    with pytest.raises(StoreError, match="was moved or removed"):
        await store.append([Append("t1", 1, written)])
    (tmp_path / "elsewhere").rename(tmp_path / gone)
    await store.append([Append("t1", 1, written)])
    await store.close()


async def test_where_the_file_was_no_other_is_begun(tmp_path: Path) -> None:
    """A writer that is started again makes a file where there is none, and it would be empty."""
    file = tmp_path / "punto.db"
    store = SqliteStore(file, apart=True)
    assert isinstance(store.writing, WriterProcess)
    file.rename(tmp_path / "elsewhere.db")
    store.writing._process.kill()
    store.writing._process.wait()
    with pytest.raises(StoreError, match="was moved or removed"):
        await store.append([Append("t1", 0, [EventRecord.of(Filled(1), 0, "sam", "Dealer")])])
    assert not file.exists()
    await store.close()


async def test_when_its_writer_ends_a_store_goes_on_with_another(tmp_path: Path) -> None:
    """Killed at rest and in the midst of work: what was acknowledged is there, and a retry tells what was not known."""

    store = SqliteStore(tmp_path / "punto.db", apart=True)
    assert isinstance(store.writing, WriterProcess)
    number = 0

    async def append() -> None:
        nonlocal number
        key = Answer("sam", str(number), b"", "t1", number + 1, number + 1)
        try:
            await store.append([Append("t1", number, [EventRecord.of(Filled(number + 1), 0, "sam", "Dealer")])], key)
        except Repeated as told:
            assert told.answer == key  # noqa: PT017
        number += 1

    await append()
    os.kill(store.writing._process.pid, signal.SIGKILL)
    store.writing._process.wait()
    await append()
    loop, unknown = asyncio.get_running_loop(), 0
    for _ in range(6):
        killed = store.writing._process
        loop.call_later(0.01, killed.kill)
        while store.writing._process is killed:  # until another one is at work
            try:
                await append()
            except StoreError as error:
                assert "not known" in str(error)  # noqa: PT017
                unknown += 1
    assert unknown  # one killed between two commits is not even missed
    assert [each.event for each in await store.read("t1", most=10**6)] == [Filled(at + 1) for at in range(number)]
    await store.close()


async def test_a_writer_ends_with_its_server_and_lets_go_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "punto.db"
    with subprocess.Popen([sys.executable, "-c", WRITER, str(file), "apart"], stdout=subprocess.PIPE) as server:
        assert server.stdout
        server.stdout.readline()
        os.kill(server.pid, signal.SIGKILL)
        server.wait()
        await SqliteStore(file).close()  # waits until the writer has let go


async def test_a_file_of_an_earlier_version_keeps_all_it_holds(tmp_path: Path) -> None:
    file = tmp_path / "punto.db"
    earlier = apsw.Connection(str(file))
    earlier.execute((MIGRATIONS / "0001_events.sql").read_text("utf-8"))
    events = [(stream, number, "Filled", 1, 5, "sam", "Dealer", b'{"amount":%d}' % number, bytes([number] * 32))
              for stream in ("b", "a") for number in (1, 2, 3)]  # fmt: skip
    earlier.executemany("insert into event values (?, ?, ?, ?, ?, ?, ?, ?, ?)", events)
    earlier.execute("insert into answer values ('sam', 'k', x'01', 'a', 1, 2)")
    earlier.execute("pragma user_version = 1")
    earlier.close()

    store = SqliteStore(file)
    for stream in ("a", "b"):
        found = await store.read(stream)
        assert [(each.number, each.event, each.hash) for each in found] == [
            (number, Filled(number), bytes([number] * 32)) for number in (1, 2, 3)
        ]
    assert await store.answer("sam", "k") == Answer("sam", "k", b"\x01", "a", 1, 2)
    await store.close()


async def test_people_of_an_earlier_version_keep_their_names(tmp_path: Path) -> None:
    """They are found and signed in as before; of their names no digest was recorded."""
    file = tmp_path / "punto.db"
    earlier = apsw.Connection(str(file))
    for script in sorted(MIGRATIONS.glob("*.sql"))[:3]:
        earlier.execute(script.read_text("utf-8"))
    earlier.execute("insert into person (id, name, compared, duty, made_at) values ('pa', 'Zoë', 'zoë', 'patron', 1)")
    earlier.execute("pragma user_version = 3")
    earlier.close()
    reader = SqliteReader.open(file)  # an audit changes nothing
    assert await reader.words(["ab"]) == {}
    assert await reader.names(["pa"]) == {}
    await reader.close()

    store = SqliteStore(file)
    people = People(store, lambda: 5)
    (zoe,) = await people.search("ZO", 5)
    assert (zoe.id, zoe.name, zoe.sign_in, zoe.guest, zoe.erased) == ("pa", "Zoë", "zoë", False, False)
    assert await people.find_by_name("Zoë") == zoe
    assert await people.names(["pa"]) == {"pa": "Zoë"}
    assert (await store.names(["pa"]))["pa"].digest == ""
    await store.close()


async def test_a_store_can_be_closed_while_it_is_read(tmp_path: Path) -> None:
    """The read that is under way ends as it should, and one that comes too late is told so."""

    store = SqliteStore(tmp_path / "punto.db")
    written = [EventRecord.of(Filled(1), 0, "sam", "Dealer")] * 5_000
    for begin in range(0, 20_000, 5_000):
        await store.append([Append("t1", begin, written)])
    reads = [asyncio.create_task(store.read("t1", most=20_000)) for _ in range(8)]
    await asyncio.sleep(0.01)
    reads[-1].cancel()  # its thread goes on reading all the same
    await store.close()
    for read in await asyncio.gather(*reads[:-1], return_exceptions=True):
        assert isinstance(read, StoreError) or len(read) == 20_000  # type: ignore[arg-type]
    with pytest.raises(StoreError, match="is closed"):
        await store.head("t1")
    with pytest.raises(StoreError):
        await asyncio.wait_for(store.append([Append("t1", 20_000, written[:1])]), 5)


async def test_a_store_that_is_closed_starts_no_other_writer(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "punto.db", apart=True)
    assert isinstance(store.writing, WriterProcess)
    await store.close()
    with pytest.raises(StoreError, match="is closed"):
        await store.append([Append("t1", 0, [EventRecord.of(Filled(1), 0, "sam", "Dealer")])])
    assert store.writing._process.poll() is not None
    await SqliteStore(tmp_path / "punto.db").close()  # nothing holds the file
