"""Houses that go back in time: a sealed table dealt in process, older copies of its database, and what is served."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx

from punto import load
from punto.server.access.identity import Duty
from punto.server.http.app import create_app
from punto.server.realtime.messages import DoneMessage
from punto.server.running.lifecycle import Options, Serving, clock, open_serving
from punto.server.running.resumption import Resumed, Resumption
from punto.server.tables.table_actor import outcome
from punto.store.address import open_store
from punto.store.trust.keys import load_keys
from punto.table.command import Command
from punto.table.default_settings import practice_setting
from punto.table.guidance.dealer_automation import EVERYTHING, next_command
from punto.table.play.dealing import CardExposed
from punto.table.play.shoes import LoadShoe
from punto.table.play.table_management import OpenTable
from punto.table.play.wagers import CloseBets
from punto.table.refusal import Refusal
from punto.table.roles import AUTOMATON, Actor, Role
from punto.table.round import Phase

BOOK = load("baccarat")
MANAGER = Actor("pat", Role.GAMING_SHIFT_MANAGER)
GAMES = {BOOK.key: BOOK}


def options_of(folder: Path, database: str | None = None) -> Options:
    return Options(database or str(folder / "punto.db"), folder / "house.key")


@asynccontextmanager
async def opened(options: Options) -> AsyncIterator[Serving]:
    serving = await open_serving(options)
    try:
        yield serving
    finally:
        await serving.close()


async def answer_to(serving: Serving, command: Command, table: str = "t1") -> DoneMessage | Refusal:
    answer = await outcome(serving.floor.submit, serving.floor.tables[table], command)
    assert not isinstance(answer, Exception)
    return answer


async def done(serving: Serving, command: Command, table: str = "t1") -> None:
    answer = await answer_to(serving, command, table)
    assert isinstance(answer, DoneMessage), answer


async def make_table(serving: Serving, table: str = "t1") -> None:
    """Open a table with a sealed shoe on it, which the house deals."""
    await serving.floor.create_table(table, BOOK)
    await done(serving, OpenTable(MANAGER, practice_setting(BOOK, None), 10_000_000), table)
    await bring_shoe(serving, table)


async def prepare_shoe(serving: Serving, table: str = "t1") -> str:
    """Seal a shoe that is cut and not yet put on the table; its name."""
    keeper = serving.floor.tables[table].keeper
    shoe = await keeper.next_shoe(8)
    assert shoe is not None
    await keeper.close_list(shoe)
    return shoe


async def bring_shoe(serving: Serving, table: str = "t1") -> str:
    shoe = await prepare_shoe(serving, table)
    await done(serving, LoadShoe(AUTOMATON, shoe), table)
    return shoe


async def deal(serving: Serving, steps: int, table: str = "t1") -> None:
    """Take this many steps of play."""
    served = serving.floor.tables[table]
    for _ in range(steps):
        command = next_command(served.table, EVERYTHING, lambda _: None)
        if command is None:
            assert served.table.phase is Phase.BETTING, served.table.phase
            command = CloseBets(AUTOMATON)
        await done(serving, command, table)


async def cards(serving: Serving, table: str = "t1") -> list[tuple[str, str]]:
    """The cards exposed at a table, each with its shoe."""
    shown, shoe = [], ""
    for each in await serving.store.read(table, most=100_000):
        event: Any = each.event
        shoe = event.shoe if each.name == "ShoeLoaded" else shoe
        if isinstance(event, CardExposed):
            shown.append((shoe, str(event.card)))
    return shown


async def manager_of(serving: Serving) -> str:
    found = await serving.people.find_by_name(Duty.GAMING_SHIFT_MANAGER.value)
    assert found
    return found.id


async def resumed(options: Options, reason: str = "restored after a disk failed") -> Resumed:
    """What ``punto resume`` does."""
    from punto.server.access.identity import People

    store = await open_store(options.database)
    try:
        people = People(store, clock)
        by = await people.find_by_name(Duty.GAMING_SHIFT_MANAGER.value)
        second = await people.find_by_name(Duty.ASSISTANT_CASINO_MANAGER.value)
        assert by
        assert second
        work = Resumption(store, load_keys(options.where_the_key_is, {}), clock, GAMES)
        return await work.run(options.where_the_mark_is, by, second, reason)
    finally:
        await store.close()


@asynccontextmanager
async def client_of(serving: Serving, duty: Duty | None = None) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the application in process, signed in if a duty is named."""
    headers = {}
    if duty:
        found = await serving.people.find_by_name(duty.value)
        assert found
        token = await serving.people.use_link(await serving.people.make_link(found.id, 60_000))
        headers = {"authorization": f"Bearer {token}"}
    transport = httpx.ASGITransport(create_app(serving.gateway), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://here", headers=headers) as client:
        yield client
