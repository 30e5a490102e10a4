"""The sealed log: one log whatever is killed, on both stores; and what a witness refuses."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
from base64 import b64encode
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from support.stores import Open, opened

from punto.audit.sealed.sealed_log import check_log
from punto.server.running.log_keeper import LogKeeper
from punto.store.house import House
from punto.store.protocol import Store
from punto.store.records import Answer, Append, EventRecord, StoreError
from punto.store.sqlite.sqlite_store import SqliteStore
from punto.store.trust import sealer_process
from punto.store.trust.keys import Keys
from punto.store.trust.log_folder import LogFolder, LogForked
from punto.store.trust.log_rows import log_head, range_of, sealed_positions
from punto.store.trust.sealer import Sealer, log_key
from punto.store.trust.sealer_process import SealerProcess
from punto.store.witness_file import WitnessFile
from punto.tlog.checkpoint import LogCheckpoint
from punto.tlog.note import Note, sign_note
from punto.tlog.proofs import consistency_proof, inclusion_proof, is_consistent, is_included
from punto.tlog.witness import AddCheckpoint, NotCosigned

__all__ = ["opened"]
KEYS = Keys(bytes(32))


async def play(store: Store, stream: str, events: int) -> None:
    number, _ = await store.head(stream)
    made = [EventRecord("Filled", 1, b"{}", each, "sam", "Dealer") for each in range(events)]
    await store.append([Append(stream, number, made)], Answer("sam", f"{stream}{number}", b"d", stream, number + 1,
                                                              number + events))  # fmt: skip


def published(folder: Path) -> LogCheckpoint:
    note = LogFolder(folder / "1").note()
    assert note
    return LogCheckpoint.read(note.text)


def continues(folder: Path, before: LogCheckpoint) -> bool:
    """Whether what is published now has an earlier checkpoint as its beginning."""
    now, files = published(folder), LogFolder(folder / "1")
    proof = consistency_proof(files.subtrees(now.size), before.size, now.size)
    return is_consistent(before.size, now.size, before.root, now.root, proof)


async def test_every_stream_is_sealed_in_order_and_proved(opened: Open, tmp_path: Path) -> None:
    folder = tmp_path / "log"
    async with opened() as store:
        await House.open(store, KEYS, 1)
        await play(store, "t1", 300)
        keeper = LogKeeper(store, KEYS, folder)
        await keeper.seal()
        before = published(folder)
        await play(store, "t2", 5)
        await play(store, "t1", 5)
        await keeper.seal()
        head = await log_head(store)
        assert head
        assert published(folder).size == head.size == 311
        assert continues(folder, before)
        found = await range_of(store, 1, "t1", 302)
        assert found
        assert (found.number, found.events) == (301, 5)
        files, leaf = LogFolder(folder / "1"), found.first + 1
        hash_ = files.subtrees(head.size)(0, leaf)
        proof = inclusion_proof(files.subtrees(head.size), leaf, head.size)
        assert is_included(hash_, leaf, head.size, proof, published(folder).root)


CRASHES: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "before the database has it": lambda patch: patch.setattr("punto.server.running.log_keeper.grow", _ended),
    "before it is published": lambda patch: patch.setattr(Sealer, "publish", _ended),
    "between tiles and checkpoint": lambda patch: patch.setattr(LogFolder, "publish", _ended),
}


def _ended(*_: object) -> None:
    raise KeyboardInterrupt  # as little is done after it as after kill -9


@pytest.mark.parametrize("crash", CRASHES)
async def test_a_crash_between_any_two_steps_leaves_one_log(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, crash: str
) -> None:
    folder = tmp_path / "log"
    async with opened() as store:
        await House.open(store, KEYS, 1)
        await play(store, "t1", 258)
        await LogKeeper(store, KEYS, folder).seal()
        before = published(folder)
        await play(store, "t1", 2)
        with monkeypatch.context() as patch:
            CRASHES[crash](patch)
            with pytest.raises(KeyboardInterrupt):
                await LogKeeper(store, KEYS, folder).seal()
        await play(store, "t2", 3)
        await LogKeeper(store, KEYS, folder).seal()
        assert published(folder).size == 264
        assert continues(folder, before)


async def test_a_sealer_apart_that_is_killed_leaves_one_log(tmp_path: Path) -> None:
    folder, file = tmp_path / "log", tmp_path / "punto.db"
    store = SqliteStore(file)
    await House.open(store, KEYS, 1)
    keeper = LogKeeper(store, KEYS, folder, str(file))
    await play(store, "t1", 300)
    await keeper.seal()
    before, sealer = published(folder), keeper._sealer
    assert isinstance(sealer, SealerProcess)
    assert sealer._process
    sealer._process.kill()
    await play(store, "t1", 2)
    with pytest.raises(StoreError):
        await keeper.seal()
    await keeper._drop()
    await keeper.seal()
    assert published(folder).size == 303
    assert continues(folder, before)
    await keeper.stop()
    await store.close()


async def test_a_sealer_apart_that_hangs_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sealer_process, "_PATIENCE", 0.1)
    store = SqliteStore(tmp_path / "punto.db")
    await House.open(store, KEYS, 1)
    keeper = LogKeeper(store, KEYS, tmp_path / "log", str(tmp_path / "punto.db"))
    await keeper.seal()
    assert isinstance(keeper._sealer, SealerProcess)
    process = keeper._sealer._process
    assert process
    process.send_signal(signal.SIGSTOP)
    await keeper._drop()
    assert process.returncode == -signal.SIGKILL
    await store.close()


async def test_two_processes_that_seal_at_once_make_one_log(opened: Open, tmp_path: Path) -> None:
    async with opened() as store:
        await House.open(store, KEYS, 1)
        keepers = [LogKeeper(store, KEYS, tmp_path / name) for name in ("a", "b")]
        for _ in range(4):
            await play(store, "t1", 3)
            await asyncio.gather(*(keeper.seal() for keeper in keepers))
        for keeper in keepers:
            await keeper.seal()
        head = await log_head(store)
        assert head
        assert head.size == 13
        notes = {published(tmp_path / name).root for name in ("a", "b") if published(tmp_path / name).size == 13}
        assert len(notes) == 1


async def test_a_log_is_not_continued_from_an_older_or_another_database(opened: Open, tmp_path: Path) -> None:
    folder = tmp_path / "log"
    async with opened() as store:
        await House.open(store, KEYS, 1)
        await play(store, "t1", 3)
        await LogKeeper(store, KEYS, folder).seal()
        await store.ask("update log_head set size = 2, edge = $1", b"")
        with pytest.raises(LogForked):
            await LogKeeper(store, KEYS, folder).seal()


async def test_lost_files_are_made_again_from_the_database(opened: Open, tmp_path: Path) -> None:
    folder = tmp_path / "log"
    async with opened() as store:
        await House.open(store, KEYS, 1)
        await play(store, "t1", 300)
        await LogKeeper(store, KEYS, folder).seal()
        before = published(folder)
        shutil.rmtree(folder)
        await LogKeeper(store, KEYS, folder).seal()
        assert published(folder) == before
        assert continues(folder, before)


# --- the witness -----------------------------------------------------------------------------------------------------

KEY = log_key("punto/h/1", KEYS.public_key)


def request(old: int, size: int, root: bytes, proof: tuple[bytes, ...] = (), keys: Keys = KEYS) -> AddCheckpoint:
    text = LogCheckpoint(KEY.name, size, root).text
    key = log_key(KEY.name, keys.public_key)
    return AddCheckpoint(old, proof, sign_note(text, [(key, lambda message: bytes.fromhex(keys.sign(message)))]))


def test_a_witness_cosigns_only_what_continues_what_it_has_seen(tmp_path: Path) -> None:
    witness = WitnessFile(tmp_path / "witness.db", "w1")
    witness.trust(KEY)
    witness.add(request(0, 1, b"r" * 32), 1)
    assert (tmp_path / "witness.db").stat().st_mode & 0o077 == 0
    for wrong, status in (
        (request(0, 1, b"r" * 32), 409),
        (request(1, 1, b"s" * 32), 422),
        (request(1, 2, b"s" * 32, (b"x" * 32,)), 422),
        (request(3, 2, b"s" * 32), 400),
        (request(1, 1, b"r" * 32, keys=Keys(bytes(31) + b"x")), 403),
    ):
        with pytest.raises(NotCosigned) as refused:
            witness.add(wrong, 2)
        assert refused.value.status == status
    witness.close()
    again = WitnessFile(tmp_path / "witness.db", "other")
    known = again.cosigned(KEY.name)
    assert known
    assert (again.key.name, LogCheckpoint.read(known.text).root) == ("w1", b"r" * 32)
    with pytest.raises(NotCosigned) as refused:
        again.add(AddCheckpoint(0, (), Note("other\n1\n" + b64encode(bytes(32)).decode() + "\n", ())), 2)
    assert refused.value.status == 404


# --- when ------------------------------------------------------------------------------------------------------------


async def test_a_busy_log_is_sealed_less_often(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And soon again once there is little to seal; what sealing takes is not waited for twice."""
    store = SqliteStore(tmp_path / "punto.db")
    await House.open(store, KEYS, 1)
    waited, rest = list[float](), asyncio.sleep

    async def sleep(seconds: float) -> None:
        waited.append(seconds)
        await play(store, "t1", 600 if len(waited) == 2 else 3)
        await rest(0)

    monkeypatch.setattr("punto.server.running.log_keeper.asyncio.sleep", sleep)
    kept = asyncio.create_task(LogKeeper(store, KEYS, tmp_path / "log").keep_up())
    while len(waited) < 5:
        await rest(0.01)
    kept.cancel()
    with suppress(asyncio.CancelledError):
        await kept
    await store.close()
    assert waited[:2] == [1.0, 1.0]
    assert 2.0 < waited[2] < 3.0
    assert waited[3] == 1.0


@pytest.mark.long
async def test_a_checkpoint_follows_every_event_within_five_seconds(tmp_path: Path) -> None:
    """Under load too, when a look at what was stored comes each three seconds."""
    store, folder = SqliteStore(tmp_path / "punto.db"), tmp_path / "log"
    await House.open(store, KEYS, 1)
    keeper = LogKeeper(store, KEYS, folder)
    kept = asyncio.create_task(keeper.keep_up())
    began, stored, took = monotonic(), list[tuple[int, float]](), list[float]()
    while monotonic() < began + 12 or stored:
        if monotonic() < began + 9:
            await play(store, "t1", 200)
            stored.append(((await store.head("t1"))[0], monotonic()))
        await asyncio.sleep(0.1)
        sealed = (await sealed_positions(store, 1)).get("t1", 0) if LogFolder(folder / "1").note() else 0
        took += [monotonic() - at for number, at in stored if number <= sealed]
        stored = [each for each in stored if each[0] > sealed]
        assert all(monotonic() - at < 5 for _, at in stored)
    kept.cancel()
    with suppress(asyncio.CancelledError):
        await kept
    await store.close()
    assert len(took) > 20
    assert max(took) > 2, "it was busy"


async def test_a_server_that_stops_while_it_seals_leaves_a_whole_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the sealer's process answers to the look that was under way is not taken for its next answer."""
    file, folder = tmp_path / "punto.db", tmp_path / "log"
    store = SqliteStore(file)
    await House.open(store, KEYS, 1)
    await play(store, "t1", 300)
    asks, stopped = SealerProcess._ask, list[int]()

    async def slowly(process: SealerProcess, request: Any) -> Any:
        if type(request).__name__ == "_Gather" and not stopped:
            assert process._process
            stopped.append(process._process.pid)
            os.kill(stopped[0], signal.SIGSTOP)
        return await asks(process, request)

    monkeypatch.setattr(SealerProcess, "_ask", slowly)
    keeper = LogKeeper(store, KEYS, folder, str(file))
    kept = asyncio.create_task(keeper.keep_up())
    while not stopped:
        await asyncio.sleep(0.05)
    kept.cancel()
    with suppress(asyncio.CancelledError):
        await kept
    os.kill(stopped[0], signal.SIGCONT)
    await play(store, "t1", 7)
    await keeper.stop()
    assert published(folder).size == sum((await sealed_positions(store, 1)).values())
    assert await check_log(store, KEYS.public_key, {}, None, folder) == []
    assert (await sealed_positions(store, 1))["t1"] == 307
    await store.close()
