"""A house to measure servers with: tables that take wagers, patrons with chips, their sockets, and databases."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from secrets import token_hex
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from msgspec.structs import replace

from punto.cli.bench.figures import Figures
from punto.cli.bench.measured_servers import KEY
from punto.rules.game_library import load
from punto.server.access.identity import HOUR, Duty
from punto.server.load_client import Answers, LoadConnection, client_frame, connect
from punto.server.running.lifecycle import Options, Serving, open_serving, practice_setting
from punto.server.tables.table_actor import outcome
from punto.table.command import Command
from punto.table.play.chips import BuyIn
from punto.table.play.shoes import LoadShoe
from punto.table.play.table_management import OpenTable
from punto.table.play.wagers import OpenBets
from punto.table.refusal import Refusal
from punto.table.roles import Actor, Role
from punto.table.settings import Device, Limits

_MANAGER, _DEALER = Actor("bench", Role.ASSISTANT_CASINO_MANAGER), Actor("bench", Role.DEALER)


def run_measurement(measurement: Coroutine[Any, Any, Figures]) -> Figures:
    """Run a measurement on the event loop that servers run on."""
    if sys.platform == "win32":
        return asyncio.run(measurement)
    import uvloop

    return uvloop.run(measurement)


@dataclass(frozen=True, slots=True)
class Seat:
    """A patron at a table, and their access token."""

    table: str
    position: int
    patron: str
    token: str


async def furnish(database: str, folder: Path, tables: int, seats: int) -> list[Seat]:
    """Make a house with tables that take wagers, whose patrons have chips and are signed in; return their seats."""
    serving = await open_serving(Options(database, folder / KEY))
    names = [f"t{number}" for number in range(tables)]
    for name in names:
        await serving.floor.create_table(name, load("baccarat"))
    await open_tables(serving, names)
    seated = [await _seat(serving, name, position) for name in names for position in range(1, seats + 1)]
    for command in (LoadShoe(_DEALER, "one"), OpenBets(_DEALER)):
        await asyncio.gather(*(_do(serving, name, command) for name in names))
    await serving.close()
    return seated


async def open_tables(serving: Serving, names: Iterable[str]) -> None:
    """Have tables opened with limits that no bench reaches."""
    book = load("baccarat")
    limits = {wager.name: Limits(100, 10**14) for wager in book.wagers}
    setting = replace(practice_setting(book, None), limits=limits, device=Device.MANUAL)
    await asyncio.gather(*(_do(serving, name, OpenTable(_MANAGER, setting, 10**14)) for name in names))


async def _do(serving: Serving, table: str, command: Command) -> None:
    answer = await outcome(serving.floor.submit, serving.floor.tables[table], command)
    assert not isinstance(answer, Refusal), answer


async def _seat(serving: Serving, table: str, position: int) -> Seat:
    patron = await serving.people.add(f"{table} {position}", Duty.PATRON)
    token = await serving.people.use_link(await serving.people.make_link(patron.id, HOUR))
    await _do(serving, table, BuyIn(_DEALER, patron.id, 10**11))
    return Seat(table, position, patron.id, token)


# --- sockets ---------------------------------------------------------------------------------------------------------


async def watch(
    address: str, table: str, heard: Callable[[LoadConnection, bytes], None], token: str | None = None
) -> LoadConnection:
    """Connect a client that is subscribed to a table: of the public, or with a token of its holder."""
    connection = await connect(address, "/api/socket", token, heard)
    connection.send(client_frame(f'{{"command":"Subscribe","table":"{table}"}}'.encode()))
    return connection


async def sit(address: str, seat: Seat, answers: Answers, series: str) -> LoadConnection:
    """Connect a patron who is subscribed to their table and has wagers of a series to place."""
    connection = await watch(address, seat.table, answers.heard, seat.token)
    answers.add(connection, wagers_of(seat, series))
    return connection


def wagers_of(seat: Seat, series: str) -> Callable[[], bytes]:
    """Return what makes the patron's next wager, as a frame; no two series have the same keys."""
    numbers = count()
    wager = (
        f'{{"id":1,"command":"PlaceWager","table":"{seat.table}","patron":"{seat.patron}","position":{seat.position},'
        f'"wager":"Player","amount":100,"key":"{series}-{seat.patron}-'
    )
    return lambda: client_frame(f'{wager}{next(numbers)}"}}'.encode())


# --- databases -------------------------------------------------------------------------------------------------------


@asynccontextmanager
async def scratch_database(server: str) -> AsyncIterator[str]:
    """Make a database on a PostgreSQL server, and drop it when the context ends; yield its address."""
    import asyncpg

    name = f"punto_bench_{token_hex(4)}"
    connection = await asyncpg.connect(server)
    await connection.execute(f"create database {name}")
    try:
        yield urlunsplit(urlsplit(server)._replace(path=f"/{name}"))
    finally:
        await connection.execute(f"drop database if exists {name} with (force)")
        await connection.close()


async def database_processes(database: str) -> list[int]:
    """Return the processes of a PostgreSQL server on this machine; none of one elsewhere."""
    import asyncpg

    connection = await asyncpg.connect(database)
    try:
        query = "select pid from pg_stat_activity where inet_server_addr() is null and pid <> pg_backend_pid()"
        return [row["pid"] for row in await connection.fetch(query)]
    finally:
        await connection.close()
