"""One event that cannot be followed closes what depends on it, and the house goes on and says so."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from punto import load, parse_cards
from punto.audit.log_audit import StoreAudit
from punto.audit.table_recomputed import games_by_digest
from punto.rules.game_library import APPROVED
from punto.rules.table_of_play import Hand
from punto.server.access.identity import Duty
from punto.server.cash.cage import CageRefuses
from punto.server.http.app import create_app
from punto.server.realtime.messages import DoneMessage
from punto.server.running.lifecycle import Options, Serving, open_serving
from punto.server.tables.stream_follower import StreamClosed
from punto.server.tables.table_actor import outcome
from punto.store.events.cage_events import CAGE, Deposited, PaidOut
from punto.store.events.house_events import HOUSE, AutomationSet, StoreMade, TableCreated
from punto.store.events.shoe_events import ShoePublished
from punto.store.house import SYSTEM
from punto.store.records import Append, EventRecord
from punto.store.sqlite.sqlite_store import SqliteStore
from punto.store.trust.keys import load_keys, make_keys
from punto.store.trust.snapshots import sign_snapshot, take_snapshot
from punto.table.command import Command
from punto.table.default_settings import practice_setting
from punto.table.event import Event
from punto.table.play.chips import BuyIn, Fill, Filled
from punto.table.play.dealing import CardExposed
from punto.table.play.table_management import OpenTable, RestrictArea
from punto.table.refusal import Refusal
from punto.table.roles import Actor, Role
from punto.table.table import Table

BOOK = load("baccarat")
MANAGER, DEALER = Actor("pat", Role.GAMING_SHIFT_MANAGER), Actor("sam", Role.DEALER)
UNREADABLE = EventRecord("Nonsense", 1, b"{}", 0, *SYSTEM)


def written(event: Event) -> EventRecord:
    return EventRecord.of(event, 0, *SYSTEM)


def closed(stream: str, event: int, kind: str = "") -> dict[str, object]:
    """What health tells of a closed stream."""
    return {"stream": stream, "event": event, "reason": "unreadable" if kind == "unreadable" else "does-not-follow"}


@asynccontextmanager
async def opened(folder: Path, database: str | None = None) -> AsyncIterator[Serving]:
    """Serve a house whose key is in a folder; its database is there as well unless another is named."""
    serving = await open_serving(Options(database or str(folder / "punto.db"), folder / "punto.db.key"))
    try:
        yield serving
    finally:
        await serving.close()


async def make(folder: Path, tables: Sequence[str] = ("t1", "t2"), database: str | None = None) -> None:
    """A house with tables that are open, and a patron with an account."""
    async with opened(folder, database) as serving:
        for name in tables:
            await serving.floor.create_table(name, BOOK)
            await done(serving, name, OpenTable(MANAGER, practice_setting(BOOK), 10_000_000))
        await serving.floor.cage.deposit("ann", 50_000, SYSTEM)


async def tamper(folder: Path, stream: str, *events: EventRecord) -> int:
    """Append events that no server has decided; return the number of the first."""
    store = SqliteStore(folder / "punto.db")
    number, _ = await store.head(stream)
    await store.append([Append(stream, number, list(events))])
    await store.close()
    return number + 1


async def done(serving: Serving, table: str, command: Command) -> None:
    answer = await outcome(serving.floor.submit, serving.floor.tables[table], command)
    assert isinstance(answer, DoneMessage), answer


async def asked(serving: Serving, path: str, person: Duty | None = None) -> Any:
    headers = {}
    if person:
        found = await serving.people.find_by_name(person.value)
        assert found
        token = await serving.people.use_link(await serving.people.make_link(found.id, 60_000))
        headers = {"authorization": f"Bearer {token}"}
    transport = httpx.ASGITransport(create_app(serving.gateway))
    async with httpx.AsyncClient(transport=transport, base_url="http://here", headers=headers) as client:
        return (await client.get(path)).json()


async def findings(serving: Serving) -> list[tuple[str, int | None]]:
    audit = StoreAudit(serving.store, games_by_digest(APPROVED))
    return [(each.stream, each.number) for each in await audit.run()]


CAGE_NONSENSE = {
    "unreadable": UNREADABLE,
    "overdrawn": written(PaidOut("bob", 100)),
    "below zero": written(Deposited("ann", -100)),
    "of another stream": written(StoreMade("ab")),
}


@pytest.mark.parametrize("kind", CAGE_NONSENSE)
async def test_nonsense_in_the_cage_closes_the_cage_alone(tmp_path: Path, kind: str) -> None:
    await make(tmp_path)
    event = await tamper(tmp_path, CAGE, CAGE_NONSENSE[kind])
    async with opened(tmp_path) as serving:
        health = await asked(serving, "/healthz")
        assert (health["ok"], health["tables"]) == (True, 2)
        assert health["closed"] == [closed(CAGE, event, kind)]
        with pytest.raises((CageRefuses, StreamClosed)):
            await serving.floor.cage.deposit("ann", 100, SYSTEM)
        refused = await asked(serving, "/api/cage/accounts", Duty.CASHIER)
        assert (refused["code"], refused["case"]) == ("cannot-be", "stream-closed")
        for through_the_cage in (BuyIn(DEALER, "ann", 500), Fill(MANAGER, 100)):
            answer = await outcome(serving.floor.submit, serving.floor.tables["t1"], through_the_cage)
            assert isinstance(answer, Refusal)
            assert (answer.code, answer.case, answer.values["event"]) == ("cannot-be", "stream-closed", event)
        await done(serving, "t1", RestrictArea(MANAGER, 2))
        if kind != "below zero":  # which the audit of accounts takes for a payment
            assert (CAGE, event) in await findings(serving)


HOUSE_NONSENSE = {
    "unreadable": UNREADABLE,
    "unknown step": written(AutomationSet("t1", ("fly",))),
    "made twice": written(StoreMade("ab")),
    "a table like no other": written(TableCreated("house", BOOK.key, BOOK.digest)),
    "of another stream": written(Deposited("ann", 100)),
}


@pytest.mark.parametrize("kind", HOUSE_NONSENSE)
async def test_nonsense_in_the_house_closes_only_what_comes_after_it(tmp_path: Path, kind: str) -> None:
    await make(tmp_path)
    later = written(TableCreated("t3", BOOK.key, BOOK.digest))
    event = await tamper(tmp_path, HOUSE, HOUSE_NONSENSE[kind], later)
    async with opened(tmp_path) as serving:
        assert (await asked(serving, "/healthz"))["closed"] == [closed(HOUSE, event, kind)]
        assert set(serving.floor.tables) == {"t1", "t2"}
        await done(serving, "t1", RestrictArea(MANAGER, 2))
        with pytest.raises(StreamClosed):
            await serving.floor.create_table("t4", BOOK)
        with pytest.raises(StreamClosed):
            await serving.floor.automate("t1", ())
        audited = await asked(serving, "/api/audit/tables", Duty.AUDITOR)
        assert [(each["table"], each["served"]) for each in audited] == [
            ("t1", True), ("t2", True), ("t3", False),
        ]  # fmt: skip
        if kind == "unreadable":
            assert (HOUSE, event) in await findings(serving)


@pytest.mark.parametrize("first", [UNREADABLE, written(Deposited("ann", 100))])
async def test_a_house_whose_first_event_is_nonsense_starts_and_serves_nothing(
    tmp_path: Path, first: EventRecord
) -> None:
    make_keys(tmp_path / "punto.db.key")
    await tamper(tmp_path, HOUSE, first, written(TableCreated("t1", BOOK.key, BOOK.digest)))
    async with opened(tmp_path) as serving:
        health = await asked(serving, "/healthz")
        assert (health["tables"], health["closed"]) == (
            0,
            [closed(HOUSE, 1, "unreadable" if first is UNREADABLE else "")],
        )
        assert (HOUSE, 1) in await findings(serving)


@pytest.mark.parametrize("stream", ["t1", "t1.shoes"])
async def test_nonsense_at_a_table_closes_that_table_alone(tmp_path: Path, stream: str) -> None:
    nonsense = (
        ShoePublished("nothing", "{}")
        if stream == "t1.shoes"
        else CardExposed(Hand.PLAYER, 5, parse_cards("As")[0], None)
    )

    await make(tmp_path)
    event = await tamper(tmp_path, stream, written(nonsense))
    async with opened(tmp_path) as serving:
        assert (await asked(serving, "/healthz"))["closed"] == [closed(stream, event)]
        assert set(serving.floor.tables) == {"t2"}


async def test_a_stream_that_goes_bad_while_it_is_followed_keeps_no_other_from_being_followed(tmp_path: Path) -> None:
    await make(tmp_path)
    async with opened(tmp_path) as serving:
        floor = serving.floor
        for table, event in (("t1", UNREADABLE), ("t2", written(Filled(700)))):
            number, _ = await serving.store.head(table)
            await serving.store.append([Append(table, number, [event])])
        before = floor.tables["t2"].table.float_
        floor.others.hear(await serving.store.heads(["t1", "t2"]))
        for served in list(floor.tables.values()):
            await floor.others.refresh(served)
        assert floor.tables["t2"].table.float_ == before + 700
        assert set(floor.closed) == {"t1"}
        assert set(floor.tables) == {"t2"}


async def test_a_snapshot_that_cannot_be_read_is_dropped_and_the_log_is_read(tmp_path: Path) -> None:
    await make(tmp_path)
    async with opened(tmp_path) as serving:
        state = serving.floor.tables["t1"].table
        number, hash_ = await serving.store.head("t1")
        good = take_snapshot("t1", number, hash_, state)
    keys = load_keys(tmp_path / "punto.db.key", {})
    bad = [
        *(sign_snapshot(keys, replace(good, body=body)) for body in (b"nonsense", good.body[:-5], b"")),
        *(replace(sign_snapshot(keys, good), number=other) for other in (10**9, -1, number - 1)),
    ]
    for snapshot in bad:
        async with opened(tmp_path) as serving:
            await serving.store.keep(snapshot)
        async with opened(tmp_path) as serving:
            assert serving.floor.tables["t1"].table == state
            assert serving.floor.closed == {}


async def test_a_snapshot_the_log_does_not_follow_from_is_dropped(tmp_path: Path) -> None:
    """A state that reads well and was never the table's: the events after it say so."""
    await make(tmp_path)
    async with opened(tmp_path) as serving:
        number, hash_ = await serving.store.head("t1")
        keys = load_keys(tmp_path / "punto.db.key", {})
        await serving.store.keep(sign_snapshot(keys, take_snapshot("t1", number, hash_, Table(BOOK))))
        await done(serving, "t1", RestrictArea(MANAGER, 2))
        state = serving.floor.tables["t1"].table
    async with opened(tmp_path) as serving:
        assert serving.floor.tables["t1"].table == state
