"""What holds for every store: one suite, run for each of them."""

from __future__ import annotations

import asyncio

import pytest
from support.stores import APART, Open

from punto.store.protocol import Store
from punto.store.records import (
    FIRST_HASH,
    Answer,
    Append,
    Conflict,
    EventRecord,
    Repeated,
    Snapshot,
    StoreError,
    hash_of,
)
from punto.table.play.chips import Credited, Filled

pytestmark = pytest.mark.parametrize("opened", ["sqlite", APART, "postgresql"], indirect=True)


def written(*amounts: int) -> list[EventRecord]:
    return [EventRecord.of(Filled(amount), 1_700_000_000_000 + amount, "sam", "Dealer") for amount in amounts]


async def test_events_come_back_in_order_with_their_hashes(opened: Open) -> None:
    async with opened() as store:
        first = await store.append([Append("t1", 0, written(1, 2))])
        second = await store.append([Append("t1", 2, written(3))])
    async with opened() as store:
        found = await store.read("t1")
        assert found == first + second
        assert [each.number for each in found] == [1, 2, 3]
        assert [each.event for each in found] == [Filled(1), Filled(2), Filled(3)]
        before = FIRST_HASH
        for each in found:
            assert each.hash == hash_of(before, "t1", each.number, each)
            before = each.hash
        assert await store.head("t1") == (3, before)
        assert await store.head("nothing") == (0, FIRST_HASH)
        assert await store.read("t1", after=1, most=1) == found[1:2]
        assert await store.streams() == ["t1"]


async def test_events_are_found_by_their_name(opened: Open) -> None:
    async with opened() as store:
        credited = EventRecord.of(Credited(5), 1_700_000_000_000, "sam", "Dealer")
        stored = await store.append([Append("t1", 0, [*written(1, 2), credited, *written(3)])])
        await store.append([Append("t2", 0, written(1))])
        assert await store.last_named("t1", Filled.__name__, 2) == [stored[3], stored[1]]
        assert await store.last_named("t2", Credited.__name__, 2) == []
        assert await store.with_later(Credited.__name__, {"t1": 2, "t2": 0, "t3": 0}) == ["t1"]
        assert await store.with_later(Credited.__name__, {"t1": 3}) == []
        assert await store.with_later(Credited.__name__, {}) == []


async def test_whoever_is_late_is_told_and_nothing_of_his_is_stored(opened: Open) -> None:
    async with opened() as store:
        await store.append([Append("t1", 0, written(1))])
        both = [Append("t2", 0, written(5)), Append("t1", 0, written(2))]
        with pytest.raises(Conflict) as told:
            await store.append(both, Answer("ann", "k1", b"d", "t1", 1, 1))
        assert (told.value.stream, told.value.expected, told.value.found) == ("t1", 0, 1)
        assert await store.streams() == ["t1"]
        assert await store.answer("ann", "k1") is None
        await store.append([Append("t2", 0, written(5)), Append("t1", 1, written(2))])
        assert [each.event for each in await store.read("t1")] == [Filled(1), Filled(2)]
        assert [each.event for each in await store.read("t2")] == [Filled(5)]


async def test_a_key_is_answered_once(opened: Open) -> None:
    answer = Answer("ann", "k1", b"digest", "t1", 1, 1)
    async with opened() as store:
        await store.append([Append("t1", 0, written(1))], answer)
        with pytest.raises(Repeated) as told:
            await store.append([Append("t1", 1, written(1))], answer)
        assert told.value.answer == answer
        # Also to somebody who was never told that it was stored, and thinks himself where he was.
        with pytest.raises(Repeated):
            await store.append([Append("t1", 0, written(1))], answer)
        await store.append([Append("t1", 1, written(2))], Answer("bob", "k1", b"digest", "t1", 2, 2))
    async with opened() as store:
        assert await store.answer("ann", "k1") == answer
        assert await store.answer("ann", "k2") is None
        assert (await store.head("t1"))[0] == 2


async def test_of_many_at_once_one_wins_each_place(opened: Open) -> None:
    """A hundred append to the same end of the stream: one is taken, the others read on and try again."""

    async def one(store: Store, amount: int) -> int:
        tries = 0
        while True:
            tries += 1
            number, _ = await store.head("t1")
            try:
                await store.append([Append("t1", number, written(amount))])
            except Conflict:
                continue
            return tries

    async with opened() as store:
        tries = await asyncio.gather(*(one(store, amount) for amount in range(1, 101)))
        found = await store.read("t1")
        assert sorted(each.at - 1_700_000_000_000 for each in found) == list(range(1, 101))
        assert [each.number for each in found] == list(range(1, 101))
        assert max(tries) > 1


async def test_many_streams_grow_side_by_side(opened: Open) -> None:
    async def grow(store: Store, stream: str) -> None:
        for number in range(50):
            await store.append([Append(stream, number, written(number + 1))])

    async with opened() as store:
        await asyncio.gather(*(grow(store, f"t{number}") for number in range(20)))
        assert len(await store.streams()) == 20
        for number in range(20):
            assert (await store.head(f"t{number}"))[0] == 50


async def test_a_snapshot_replaces_the_one_before(opened: Open) -> None:
    async with opened() as store:
        assert await store.snapshot("t1") is None
        await store.keep(Snapshot("t1", 5, b"h", "code", b"one"))
        await store.keep(Snapshot("t1", 9, b"i", "code", b"two"))
    async with opened() as store:
        assert await store.snapshot("t1") == Snapshot("t1", 9, b"i", "code", b"two")


async def test_a_statement_is_carried_out_and_kept(opened: Open) -> None:
    async with opened() as store:
        assert await store.ask("create table hat (owner text primary key, size bigint not null)") == []
        made = await store.ask("insert into hat values ($1, $2) returning owner, size + $2", "ann", 57)
        assert made == [("ann", 114)]
    async with opened() as store:
        assert await store.ask("select owner, size from hat where owner = $1 or owner = $1", "ann") == [("ann", 57)]
        again = "insert into hat values ($1, $2) on conflict (owner) do nothing returning owner"
        assert await store.ask(again, "ann", 60) == []
        assert await store.ask("select size from hat") == [(57,)]


async def test_a_statement_that_fails_fails_alone_and_shows_no_values(opened: Open) -> None:
    """Good and bad ones and an append, all at once, so that they share a commit where there is such a thing."""

    async with opened() as store:
        await store.ask("create table hat (owner text primary key, size bigint not null)")
        insert = "insert into hat values ($1, $2)"
        told = await asyncio.gather(
            store.append([Append("t1", 0, written(1))]),
            store.ask(insert, "ann", 57),
            store.ask(insert, "hidden\ud800", 1),
            store.ask(insert, "hidden", None),
            store.ask("insert into cap values ($1)", "hidden"),
            store.ask(insert, "bob", 58),
            store.append([Append("t1", 1, written(2))]),
            return_exceptions=True,
        )
        assert [isinstance(each, StoreError) for each in told] == [False, False, True, True, True, False, False]
        assert "hidden" not in repr(told)
        assert await store.ask("select owner from hat order by owner") == [("ann",), ("bob",)]
        assert (await store.head("t1"))[0] == 2
