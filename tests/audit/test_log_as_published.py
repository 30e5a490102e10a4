"""The sealed log against what its folder publishes, and against a house whose own sealer cheats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from punto.audit.sealed.sealed_log import check_log
from punto.server.running.log_keeper import LogKeeper
from punto.store.events.house_events import HOUSE, HouseResumed
from punto.store.house import House
from punto.store.protocol import Store
from punto.store.records import Append, EventRecord
from punto.store.sqlite.sqlite_store import SqliteStore
from punto.store.trust.keys import Keys
from punto.store.trust.log_folder import CHECKPOINT, COSIGNED, LogFolder
from punto.store.trust.log_leaves import EventLeaf
from punto.store.trust.log_rows import log_head
from punto.store.trust.sealer import Sealer, log_key
from punto.tlog.checkpoint import LogCheckpoint
from punto.tlog.note import sign_note

KEYS, EVENTS = Keys(bytes(32)), 600


async def made(place: Path) -> Store:
    """A house with a stream of events, some of which were sealed before the others."""
    store = SqliteStore(place / "punto.db")
    await House.open(store, KEYS, 1)
    keeper = LogKeeper(store, KEYS, place / "log")
    for begin in (0, EVENTS // 2):
        events = [EventRecord("Filled", 1, b"{}", at, "sam", "Dealer") for at in range(begin, begin + EVENTS // 2)]
        await store.append([Append("t1", begin, events)])
        await keeper.seal()
    return store


async def found(store: Store, folder: Path | None = None) -> set[str]:
    ends = await store.heads(await store.streams())
    return {each.code for each in await check_log(store, KEYS.public_key, ends, None, folder)}


def forked(folder: LogFolder, name: str, fewer: int = 0) -> None:
    """Publish a checkpoint that the house has signed, of leaves that are not in its log."""
    note = folder.note()
    assert note
    honest = LogCheckpoint.read(note.text)
    other = LogCheckpoint(honest.origin, honest.size - fewer, sha256(b"another view").digest())
    key = log_key(honest.origin, KEYS.public_key)
    signed = sign_note(other.text, [(key, lambda message: bytes.fromhex(KEYS.sign(message)))])
    folder.publish(str(signed), name)


def flip(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[5] ^= 1
    file.write_bytes(content)


PUBLISHED: dict[str, tuple[Callable[[LogFolder], object], str]] = {
    "another log of the same size": (lambda folder: forked(folder, CHECKPOINT), "log-published-otherwise"),
    "another log, cosigned": (lambda folder: forked(folder, COSIGNED, 100), "log-published-otherwise"),
    "a leaf": (lambda folder: flip(folder.path / "tile/0/001"), "log-leaf-differs"),
    "a tile above the leaves": (lambda folder: flip(folder.path / "tile/1/000.p/2"), "log-tile-differs"),
    "a tile that is gone": (lambda folder: (folder.path / "tile/1/000.p/2").unlink(), "log-tile-differs"),
}


@pytest.mark.parametrize("change", PUBLISHED)
async def test_what_is_published_otherwise_is_found(tmp_path: Path, change: str) -> None:
    store = await made(tmp_path)
    assert await found(store, tmp_path / "log") == set()
    work, code = PUBLISHED[change]
    work(LogFolder(tmp_path / "log" / "1"))
    assert await found(store, tmp_path / "log") == {code}
    assert await found(store) == set(), "only the folder shows it"
    await store.close()


Ranges = Callable[..., Any]


def leaves_a_gap(ranges: Ranges) -> Ranges:
    async def cheat(self: Sealer, stream: str, events: Sequence[EventLeaf], leaf: int) -> Any:
        if stream != "t1" or events[0].number > 1:
            return await ranges(self, stream, events, leaf)
        before = await ranges(self, stream, events[:9], leaf)
        return [*before, *await ranges(self, stream, events[10:], leaf + 9)]

    return cheat


def turns_round(ranges: Ranges) -> Ranges:
    async def cheat(self: Sealer, stream: str, events: Sequence[EventLeaf], leaf: int) -> Any:
        if stream != "t1" or events[0].number == 1:
            return await ranges(self, stream, events, leaf)
        last = await ranges(self, stream, events[9:], leaf)
        return [*last, *await ranges(self, stream, events[:9], leaf + len(events) - 9)]

    return cheat


def repeats(ranges: Ranges) -> Ranges:
    async def cheat(self: Sealer, stream: str, events: Sequence[EventLeaf], leaf: int) -> Any:
        if stream != "t1" or events[0].number > 1:
            return await ranges(self, stream, events, leaf)
        once = await ranges(self, stream, events, leaf)
        return [*once, *await ranges(self, stream, events[-3:], leaf + len(events))]

    return cheat


CHEATS: dict[Callable[[Ranges], Ranges], str] = {
    leaves_a_gap: "log-left-out",
    turns_round: "log-left-out",
    repeats: "log-leaf-missing",
}


@pytest.mark.parametrize("cheat", CHEATS)
async def test_a_sealer_that_leaves_out_repeats_or_moves_an_event_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cheat: Callable[[Ranges], Ranges]
) -> None:
    """Whatever the house has signed and published: every stream has to be in the log once, and in order."""
    monkeypatch.setattr(Sealer, "_ranges", cheat(Sealer._ranges))
    store = await made(tmp_path)
    assert await found(store) == await found(store, tmp_path / "log") == {CHEATS[cheat]}
    await store.close()


async def test_a_made_up_log_of_an_epoch_to_come_hides_nothing(tmp_path: Path) -> None:
    store = await made(tmp_path)
    await store.ask("insert into log_head values (2, 'punto/x/2', $1, 0, $2, '')", bytes(16), b"")
    assert await found(store) == {"log-not-signed"}
    number, _ = await store.head(HOUSE)
    resumed = EventRecord("HouseResumed", 1, b'{"epoch":2,"reason":"mine","signature":"00"}', 1, "eve", "system")
    assert isinstance(resumed.event, HouseResumed)
    await store.append([Append(HOUSE, number, [resumed])])
    assert await found(store) == {"log-not-signed"}, "the house has not signed that it was resumed"
    await store.ask("update log_range set number = number + 1 where first = 0")
    assert "log-left-out" in await found(store), "the log that the house has signed is still looked at"
    await store.close()


async def test_the_edge_that_the_next_sealer_begins_with_is_looked_at(tmp_path: Path) -> None:
    store = await made(tmp_path)
    head = await log_head(store)
    assert head
    await store.ask("update log_head set edge = $1", bytes(len(head.edge)))
    assert await found(store) == {"log-differs"}
    await store.close()
