"""The mark itself: what it says after kills, torn writes and a full disk; and that nothing raises a false alarm."""

from __future__ import annotations

import asyncio
import errno
import os
import random
from pathlib import Path
from time import monotonic, sleep

import httpx
import pytest
from support.live import PATIENCE, start
from support.past import deal, make_table, opened, options_of

from punto.store.batch import Transaction
from punto.store.records import EventRecord
from punto.store.trust import mark as mark_module
from punto.store.trust.keys import Keys
from punto.store.trust.mark import HouseMark, Positions, read_marks

KEYS, HOUSE_ID = Keys(bytes(32)), b"h" * 32


def stored(stream: str, number: int) -> Transaction:
    return Transaction(records=[EventRecord("Filled", 1, b"{}", 0, "sam", "Dealer", stream, number, bytes([7]) * 32)])


def read(place: Path) -> Positions:
    (found,) = read_marks(place, KEYS, HOUSE_ID)
    assert found.positions is not None
    return found.positions


def test_every_length_to_which_a_mark_is_torn_says_what_stood_before(tmp_path: Path) -> None:
    place = tmp_path / "x.mark"
    mark = HouseMark.begin(place, KEYS, HOUSE_ID, 1)
    lengths = [place.stat().st_size]
    for number in (1, 2, 3):
        mark.note([stored("t1", number)])
        lengths.append(place.stat().st_size)
    mark.close()
    whole = place.read_bytes()
    for length in range(lengths[0], lengths[-1] + 1):
        place.write_bytes(whole[:length])
        known = sum(length >= each for each in lengths) - 1
        assert read(place).get("t1", (0, b""))[0] == known
    for length in range(1, lengths[0]):
        place.write_bytes(whole[:length])
        assert read_marks(place, KEYS, HOUSE_ID)[0].positions is None
    place.write_bytes(whole + bytes(4096))  # a crash of the machine may leave zeros
    assert read(place)["t1"][0] == 3


def test_a_mark_made_or_rearranged_without_the_key_is_not_believed(tmp_path: Path) -> None:
    place, other = tmp_path / "x.mark", tmp_path / "y.mark"
    mark = HouseMark.begin(place, KEYS, HOUSE_ID, 1)
    first = place.stat().st_size
    mark.note([stored("t1", 1)])
    second = place.stat().st_size
    mark.note([stored("t1", 9)])
    mark.close()
    whole = place.read_bytes()
    place.write_bytes(whole[:first] + whole[second:])  # without the entry in the middle
    assert read(place) == {}
    forged = HouseMark.begin(other, Keys(bytes(31) + b"x"), HOUSE_ID, 1)
    forged.close()
    assert read_marks(other, KEYS, HOUSE_ID)[0].positions is None


async def test_a_long_mark_becomes_short_again_and_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mark_module, "LARGEST", 5_000)
    place = tmp_path / "x.mark"
    mark = HouseMark.begin(place, KEYS, HOUSE_ID, 1)
    for number in range(1, 2_000):
        mark.note([stored(f"t{number % 5}", number)])
        if number % 50 == 0:
            await asyncio.sleep(0)
            assert read(place)[f"t{number % 5}"][0] == number
            until = monotonic() + PATIENCE
            while mark._next and monotonic() < until:
                await asyncio.sleep(0.001)
    assert place.stat().st_size < 20_000
    mark.close()
    assert read(place) == mark.positions


async def test_what_could_not_be_written_is_written_with_the_next_batch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, told, write = tmp_path / "x.mark", list[OSError](), os.pwrite
    mark = HouseMark.begin(place, KEYS, HOUSE_ID, 1)
    mark.failed = told.append

    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "no space is left")

    monkeypatch.setattr(os, "pwrite", full)
    for number in (1, 2):
        mark.note([stored("t1", number)])
    monkeypatch.setattr(os, "pwrite", lambda handle, data, at: write(handle, data[:-1], at))  # half of it
    mark.note([stored("t2", 5)])
    assert len(told) == 1
    assert read(place) == {}
    monkeypatch.setattr(os, "pwrite", write)
    mark.note([stored("t3", 1)])
    assert {stream: number for stream, (number, _) in read(place).items()} == {"t1": 2, "t2": 5, "t3": 1}
    mark.close()


async def test_a_process_killed_between_commit_and_mark_leaves_a_mark_that_is_behind_and_serves_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = options_of(tmp_path)
    async with opened(options) as serving:
        await make_table(serving)
        await deal(serving, 5)
        with monkeypatch.context() as patch:
            patch.setattr(HouseMark, "note", lambda *_: None)
            await deal(serving, 5)
    async with opened(options) as serving:
        assert not serving.store.closed
        await deal(serving, 5)


async def test_the_mark_is_written_before_anyone_is_answered(tmp_path: Path) -> None:
    options = options_of(tmp_path)
    async with opened(options) as serving:
        await make_table(serving)
        (made,) = await serving.store.read("house", most=1)
        for _ in range(10):
            await deal(serving, 1)
            (found,) = read_marks(options.where_the_mark_is, serving.floor.house.keys, made.hash)
            assert found.positions
            assert found.positions["t1"] == await serving.store.head("t1")


@pytest.mark.long
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_kills_at_random_moments_never_close_the_house(
    tmp_path: Path, kind: str, request: pytest.FixtureRequest
) -> None:
    database = str(tmp_path / "punto.db") if kind == "sqlite" else request.getfixturevalue("postgresql")
    seed = random.randrange(10**6)
    chance = random.Random(seed)
    for kill in range(12):
        live = start(database, tmp_path, "--practice", "--pace", "1000", "--key", str(tmp_path / "house.key"))
        try:
            health = httpx.get(f"{live.address}/healthz")
            assert health.status_code == 200, (seed, kill, health.text)
            (place,) = tmp_path.glob("*.mark")
            _wait_until_it_grows(place, chance.randrange(1, 3_000))
            live.kill()
        finally:
            live.close()


def _wait_until_it_grows(place: Path, size: int) -> None:
    wanted, until = place.stat().st_size + size, monotonic() + PATIENCE
    while place.stat().st_size < wanted:
        assert monotonic() < until
        sleep(0.001)
