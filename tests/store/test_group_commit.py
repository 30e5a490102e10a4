"""Group commit: work that arrives meanwhile is committed together, and no failure keeps anyone waiting."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from punto.store.group_commit import GroupCommit
from punto.store.records import Append, EventRecord, StoreError
from punto.store.sqlite.sqlite_store import SqliteStore, WriterThread
from punto.table.play.chips import Filled


@dataclass
class Work:
    name: str
    error: Exception | None = None


async def test_what_arrives_during_a_commit_goes_into_the_next_one() -> None:
    batches: list[list[str]] = []

    async def commit(batch: Sequence[Work]) -> None:
        batches.append([each.name for each in batch])
        await asyncio.sleep(0)

    group = GroupCommit(commit)
    await asyncio.gather(*(group.carry_out([Work(name)]) for name in "abc"))
    assert batches == [["a", "b", "c"]]
    first = asyncio.create_task(group.carry_out([Work("d")]))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    await asyncio.gather(first, *(group.carry_out([Work(name)]) for name in "ef"))
    assert batches[1:] == [["d"], ["e", "f"]]


async def test_a_commit_that_raises_fails_its_batch_and_the_next_goes_on() -> None:
    """Before, every later piece of work waited for ever."""
    failing = True

    async def commit(batch: Sequence[Work]) -> None:  # noqa: ARG001
        if failing:
            raise ZeroDivisionError

    group = GroupCommit(commit)
    lost = [Work("a"), Work("b")]
    await asyncio.wait_for(asyncio.gather(*(group.carry_out([each]) for each in lost)), 5)
    assert all(isinstance(each.error, StoreError) and "not known" in str(each.error) for each in lost)
    failing = False
    await asyncio.wait_for(group.carry_out([kept := Work("c")]), 5)
    assert kept.error is None
    await asyncio.wait_for(group.finish(), 5)


async def test_a_cancelled_writer_answers_all_who_wait_and_is_replaced() -> None:
    begun = asyncio.Event()

    async def commit(batch: Sequence[Work]) -> None:
        if batch[0].name == "a":
            begun.set()
            await asyncio.Event().wait()

    group = GroupCommit(commit)
    waiting = [Work("a"), Work("b")]
    first = asyncio.create_task(group.carry_out(waiting[:1]))
    await begun.wait()
    second = asyncio.create_task(group.carry_out(waiting[1:]))
    await asyncio.sleep(0)
    assert group._writer
    group._writer.cancel()
    await asyncio.wait_for(asyncio.gather(first, second), 5)
    assert "not known" in str(waiting[0].error)
    assert "nothing was stored" in str(waiting[1].error)
    await asyncio.wait_for(group.carry_out([kept := Work("c")]), 5)
    assert kept.error is None


async def test_work_that_stores_nothing_has_errors_of_its_own() -> None:
    async def read(_: Sequence[Work]) -> None:
        raise ZeroDivisionError

    reads = GroupCommit(read, in_doubt="nothing was read", not_begun="nothing was read")
    await asyncio.wait_for(reads.carry_out([work := Work("a")]), 5)
    assert str(work.error) == "nothing was read: ZeroDivisionError"


async def test_a_store_goes_on_after_a_commit_that_raised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk fails in such a way that even the rollback does: who waits is told, and the next append is stored."""
    store = SqliteStore(tmp_path / "punto.db")
    assert isinstance(store.writing, WriterThread)
    written = [EventRecord.of(Filled(1), 0, "sam", "Dealer")]

    def fail() -> None:
        raise OSError("the disk is gone")

    with monkeypatch.context() as patched:
        patched.setattr(store.writing.writer, "_accepted", lambda _: fail())
        patched.setattr(store.writing.writer, "_roll_back", fail)
        with pytest.raises(StoreError, match="not known"):
            await asyncio.wait_for(store.append([Append("t1", 0, written)]), 5)
    (stored,) = await asyncio.wait_for(store.append([Append("t1", 0, written)]), 5)
    assert stored.number == 1
    await store.close()
