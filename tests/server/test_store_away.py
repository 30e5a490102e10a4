"""While the database is away nobody waits for ever: every message is answered, and what watches goes on watching."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from threading import get_native_id
from typing import Any

import pytest
from argon2 import PasswordHasher
from support.fake_channel import FakeChannel
from support.waiting import until_async

from punto import load
from punto.server.access import session_watch
from punto.server.access.identity import Duty, Session
from punto.server.access.passwords import PasswordCheck
from punto.server.history import play_book
from punto.server.realtime.connection import MOST_UNANSWERED, TOO_SLOW, Connection
from punto.server.running.lifecycle import Options, Serving, open_serving, practice_setting
from punto.server.tables.table_actor import outcome
from punto.store.codec import encoder
from punto.table.play.table_management import OpenTable
from punto.table.roles import Actor, Role

BOOK = load("baccarat")


@pytest.fixture
async def serving(tmp_path: Path) -> AsyncIterator[Serving]:
    opened = await open_serving(Options(str(tmp_path / "punto.db")))
    floor = opened.floor
    await floor.create_table("t1", BOOK)
    manager = Actor("pat", Role.PIT_MANAGER)
    await outcome(floor.submit, floor.tables["t1"], OpenTable(manager, practice_setting(BOOK), 1_000_000))
    yield opened
    await opened.close()


async def away(*_: object, **__: object) -> Any:
    raise RuntimeError("the connection was lost in an unusual way")


def say(connection: Connection, command: str, **values: Any) -> None:
    connection.hear(encoder.encode({"command": command, "table": "t1", **values}))


async def test_a_command_about_a_person_is_answered(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    person = await serving.people.add("Pat", Duty.GAMING_SHIFT_MANAGER)
    wire = FakeChannel()
    connection = Connection(serving.gateway, wire, Session(person, 0, 0, None), None)
    monkeypatch.setattr(serving.people, "find", away)
    say(connection, "SignOn", id=7, dealer="nobody")
    await until_async(lambda: bool(wire.told))
    assert [(told["id"], told["code"]) for told in wire.told] == [(7, "not-known")]


async def test_a_client_that_missed_something_is_shown_the_table(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    wire = FakeChannel()
    monkeypatch.setattr(serving.store, "read", away)
    say(Connection(serving.gateway, wire, None, None), "Subscribe", after=0)
    await until_async(lambda: bool(wire.told))
    assert (wire.told[0]["type"], wire.told[0]["resync"]) == ("table", True)


async def test_a_client_is_shown_the_table_if_events_are_not_there(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nothing(*_: object) -> list[Any]:
        return []

    wire = FakeChannel()
    monkeypatch.setattr(serving.store, "read", nothing)
    say(Connection(serving.gateway, wire, None, None), "Subscribe", after=0)
    await until_async(lambda: bool(wire.told))
    assert wire.told[0]["resync"]


async def test_sessions_are_checked_on_after_a_check_has_failed(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_watch, "LOOKED_EACH", 0)
    tries: list[int] = []

    async def fails() -> None:
        tries.append(1)
        await away()

    monkeypatch.setattr(serving.gateway.watch, "look", fails)
    task = asyncio.create_task(serving.gateway.watch.watch())
    await until_async(lambda: len(tries) > 2)
    task.cancel()


async def test_history_is_kept_up_after_it_has_failed(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play_book, "KEPT_UP_EACH", 0)
    tries: list[int] = []

    async def fails(_: object) -> None:
        tries.append(1)
        await away()

    monkeypatch.setattr(serving.gateway.history, "catch_up", fails)
    task = asyncio.create_task(serving.gateway.history.keep_up(list))
    await until_async(lambda: len(tries) > 2)
    task.cancel()


async def test_a_client_that_asks_on_and_reads_nothing_is_disconnected(serving: Serving) -> None:
    wire = FakeChannel()
    wire.waiting = MOST_UNANSWERED + 1
    say(Connection(serving.gateway, wire, None, None), "Ping")
    assert (wire.closed, wire.told) == (TOO_SLOW, [])


async def test_all_sockets_of_one_address_share_an_allowance(serving: Serving) -> None:
    wires, shared = [FakeChannel() for _ in range(30)], serving.gateway.messages
    for wire in wires:
        connection = Connection(serving.gateway, wire, None, None, shared.of("192.0.2.1"))
        for _ in range(200):
            say(connection, "Ping")
    told = [told["type"] for wire in wires for told in wire.told]
    assert 1_900 < told.count("pong") < 4_000
    other = FakeChannel()
    say(Connection(serving.gateway, other, None, None, shared.of("192.0.2.2")), "Ping")
    assert other.told[0]["type"] == "pong"


@pytest.mark.skipif(sys.platform != "linux", reason="priorities of threads")
async def test_guesses_give_way_to_the_tables() -> None:
    check = PasswordCheck(PasswordHasher())
    nice = await check.turns.run("here", lambda: os.getpriority(os.PRIO_PROCESS, get_native_id()))
    assert nice >= os.getpriority(os.PRIO_PROCESS, 0) + 1
