"""What is particular to the store on PostgreSQL: several at once on one database, and one that is killed."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import asyncpg
import pytest

from punto.store.batch import Transaction
from punto.store.postgresql import PostgresStore, Read
from punto.store.records import Answer, Append, Conflict, EventRecord, Repeated, StoreError
from punto.table.play.chips import Filled


def written(amount: int) -> list[EventRecord]:
    return [EventRecord.of(Filled(amount), amount, "sam", "Dealer")]


async def test_of_two_stores_one_wins_each_place(postgresql: str) -> None:
    """Both append to the same end at the same time, three hundred times, among appends to streams of their own."""

    one, other = await asyncio.gather(*(PostgresStore.open(postgresql) for _ in range(2)))
    won = []
    for number in range(300):
        tries = await asyncio.gather(
            one.append([Append("t1", number, written(1))]),
            other.append([Append("t1", number, written(2))]),
            one.append([Append("a", number, written(3)), Append("b", number, written(3))]),
            other.append([Append("c", number, written(4)), Append("d", number, written(4))]),
            return_exceptions=True,
        )
        for failed in tries[2:]:
            assert not isinstance(failed, BaseException), failed
        late = [at for at, each in enumerate(tries[:2]) if isinstance(each, Conflict)]
        assert len(late) == 1, tries
        won.append(Filled(2 - late[0]))
    found = await other.read("t1", most=1000)
    assert [each.number for each in found] == list(range(1, 301))
    assert [each.event for each in found] == won
    await asyncio.gather(one.close(), other.close())


async def test_a_conflict_leaves_the_rest_of_its_batch_alone(postgresql: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process has taken a number and not committed yet: the batch waits, and is tried once more as a whole."""
    sizes, store_batch = list[int](), PostgresStore._store

    async def storing(store: PostgresStore, connection: Any, transactions: Sequence[Transaction], *more: Any) -> None:
        sizes.append(len(transactions))
        await store_batch(store, connection, transactions, *more)

    store, other = await PostgresStore.open(postgresql), await asyncpg.connect(postgresql)
    monkeypatch.setattr(PostgresStore, "_store", storing)
    taking = other.transaction()
    await taking.start()
    values = "('t1', 1, 'Filled', 1, 0, 'sam', 'Dealer', '{}', '')"
    await other.execute(f"insert into event values {values}")
    expected = {"t1": (0, 1), "a": (0,), "b": (0,)}
    batch = [
        Transaction([Append(stream, number, written(1))]) for stream, numbers in expected.items() for number in numbers
    ]
    appending = asyncio.ensure_future(store.append_all(batch))
    waiting = "select count(*) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
    while not await other.fetchval(waiting):
        await asyncio.sleep(0.01)
    await taking.commit()
    await appending
    errors = [type(each.error) for each in batch]
    assert errors == [Conflict, Conflict, type(None), type(None)], "the second was decided by the first"
    assert sizes == [4, 4]
    assert await store.heads(["t1", "a", "b"]) == {"t1": 1, "a": 1, "b": 1}
    await other.close()
    await store.close()


async def test_a_batch_of_many_streams_is_told_in_notices_that_are_short_enough(postgresql: str) -> None:
    one, other = await asyncio.gather(*(PostgresStore.open(postgresql) for _ in range(2)))
    heard, listens = dict[str, int](), asyncio.Event()
    notices = list[int]()

    def hear(ends: Mapping[str, int]) -> None:
        listens.set()
        notices.append(len(ends))
        heard.update(ends)

    other.listen(hear)
    await listens.wait()
    assert notices == [0], "what was stored before is not told, and a listener is told that"
    streams = {f"{'桌' * 20}{number}": 2 for number in range(500)}  # a letter is three bytes long
    await one.append_all([Transaction([Append(stream, 0, written(1) * 2)]) for stream in streams])
    async with asyncio.timeout(30):
        while heard != streams:
            await asyncio.sleep(0.01)
    assert 0 not in notices[1:]
    assert len(notices) == 1 + 5
    await asyncio.gather(one.close(), other.close())


async def test_reads_that_wait_are_one_query(postgresql: str, monkeypatch: pytest.MonkeyPatch) -> None:
    store = await PostgresStore.open(postgresql)
    await store.append([Append(f"t{at}", 0, written(at) * at) for at in range(1, 9)])
    sizes, read_all = list[int](), PostgresStore._read_all

    async def reading(store: PostgresStore, reads: Sequence[Read]) -> None:
        sizes.append(len(reads))
        await read_all(store, reads)

    monkeypatch.setattr(PostgresStore, "_read_all", reading)
    found = await asyncio.gather(*(store.read(f"t{at}", after=1, most=5) for at in range(9)))
    assert [[each.number for each in page] for page in found] == [list(range(2, min(at, 6) + 1)) for at in range(9)]
    assert {each.stream for each in found[8]} == {"t8"}
    assert sum(sizes) == 9
    assert len(sizes) <= 2
    await store.close()


async def test_a_key_counts_across_stores(postgresql: str) -> None:
    one, other = await asyncio.gather(*(PostgresStore.open(postgresql) for _ in range(2)))
    for number in range(100):
        answer = Answer("ann", f"k{number}", b"d", "t1", 1, 1)
        tries = await asyncio.gather(
            one.append([Append(f"x{number}", 0, written(1))], answer),
            other.append([Append(f"y{number}", 0, written(1))], answer),
            return_exceptions=True,
        )
        assert sum(isinstance(each, Repeated) for each in tries) == 1, tries
        heads = [(await one.head(f"{name}{number}"))[0] for name in "xy"]
        assert sorted(heads) == [0, 1]
    await asyncio.gather(one.close(), other.close())


WRITER = """
import asyncio, sys
from punto.store.batch import Transaction
from punto.store.postgresql import PostgresStore, Read
from punto.store.records import Append, Conflict, EventRecord
from punto.table.play.chips import Filled

async def grow(store, stream):
    while True:
        number, _ = await store.head(stream)
        event = EventRecord.of(Filled(number + 1), 0, sys.argv[2], "Dealer")
        try:
            await store.append([Append(stream, number, [event])])
        except Conflict:
            continue
        print(stream, number + 1, flush=True)

async def main():
    store = await PostgresStore.open(sys.argv[1])
    await asyncio.gather(*(grow(store, f"t{at}") for at in range(3)))

asyncio.run(main())
"""


@pytest.mark.long
async def test_what_was_acknowledged_survives_a_kill_beside_another_process(postgresql: str) -> None:
    acknowledged, dice = list[tuple[str, int, str]](), random.Random(5)
    with subprocess.Popen([sys.executable, "-c", WRITER, postgresql, "steady"], stdout=subprocess.DEVNULL) as steady:
        for run in range(4):
            command = [sys.executable, "-c", WRITER, postgresql, f"killed{run}"]
            with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as killed:
                assert killed.stdout
                for _ in range(dice.randint(10, 150)):
                    stream, number = killed.stdout.readline().split()
                    acknowledged.append((stream, int(number), f"killed{run}"))
                os.kill(killed.pid, signal.SIGKILL)
        os.kill(steady.pid, signal.SIGKILL)

    store = await PostgresStore.open(postgresql)
    found = {each: await store.read(each, most=100_000) for each in ("t0", "t1", "t2")}
    for events in found.values():
        assert [each.event for each in events] == [Filled(at + 1) for at in range(len(events))]
    for stream, place, by in acknowledged:
        assert found[stream][place - 1].by == by
    await store.close()
    assert len(acknowledged) > 40


async def test_events_cannot_be_changed_or_deleted_by_mistake(postgresql: str) -> None:
    store = await PostgresStore.open(postgresql)
    await store.append([Append("t1", 0, written(1))])
    for statement in ("update event set by = 'x'", "delete from event", "truncate event"):
        with pytest.raises(asyncpg.RaiseError, match="events are not changed or deleted"):
            await store._pool.execute(statement)
    await store.close()


async def test_a_database_that_cannot_be_used_is_refused_with_a_sentence(postgresql: str) -> None:
    with pytest.raises(StoreError, match="cannot be opened"):
        await PostgresStore.open(postgresql.replace("/test_", "/none_"))
    with pytest.raises(StoreError, match="cannot be opened"):
        await PostgresStore.open("postgresql://localhost:1/nothing")
    store = await PostgresStore.open(postgresql)
    await store._pool.execute("insert into migration values (99)")
    await store.close()
    with pytest.raises(StoreError, match="of a later version"):
        await PostgresStore.open(postgresql)
