"""``punto bench server``: durable wagers over sockets, beside a bare echo, bare appends, and bare fan-out.

Server and clients share one machine. The bare servers are the same web server with an application that does nothing
else, so that the ratio shows what the tables cost, independent of the machine.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from statistics import median
from time import perf_counter

from msgspec.structs import replace

from punto.rules.game_library import load
from punto.server.access.identity import HOUR, Duty
from punto.server.load_client import Answers, LoadConnection, client_frame, connect, percentile
from punto.server.running.lifecycle import Options, Serving, open_serving, practice_setting
from punto.server.tables.table_actor import outcome
from punto.store.protocol import Store
from punto.store.records import Answer, Append, EventRecord
from punto.store.sqlite.sqlite_store import SqliteStore
from punto.table.command import Command
from punto.table.play.chips import BuyIn
from punto.table.play.shoes import LoadShoe
from punto.table.play.table_management import OpenTable
from punto.table.play.wagers import OpenBets, WagerPlaced
from punto.table.refusal import Refusal
from punto.table.roles import Actor, Role
from punto.table.settings import Device, Limits

TABLES, SEATS, WATCHERS = 100, 9, 1000
WARM_UP, SECONDS, TURNS = 0.5, 1.0, 15
"""Many short turns, so that a moment in which the machine is slow affects one of them and not half of them."""
FAN_OUTS = 100
APPENDING = 3.0
_MANAGER, _DEALER = Actor("bench", Role.ASSISTANT_CASINO_MANAGER), Actor("bench", Role.DEALER)


@dataclass(frozen=True, slots=True)
class Seat:
    """A patron at a table, and their access token."""

    table: str
    position: int
    patron: str
    token: str


def measure() -> dict[str, object]:
    """Run every measurement."""
    with tempfile.TemporaryDirectory(prefix="punto-bench-") as folder:
        if sys.platform == "win32":
            return asyncio.run(_measure(Path(folder)))
        import uvloop

        return uvloop.run(_measure(Path(folder)))


async def _measure(folder: Path) -> dict[str, object]:
    seats = await _set_up(str(folder / "bench.db"))
    wagers, echoes, took = [], [], []
    async with _bare_server(folder) as bare, _punto_server(folder) as punto:
        table, echo = await _seated(punto, seats), await _echoing(bare, len(seats))
        for _ in range(TURNS):  # in turns, so that both meet the same machine
            echoes.append(await echo.run(WARM_UP, SECONDS))
            wagers.append(await table.run(WARM_UP, SECONDS))
            took += table.took
        assert not table.refused, table.refused[0]
        fan_out = await _fan_out(punto, seats[0], '{"command":"Subscribe","table":"t0"}', b'{"type":"events"')
        bare_fan_out = await _bare_fan_out(bare)
    appends = await _appends(folder / "appends.db")
    ratios = [wager / echo for wager, echo in zip(wagers, echoes, strict=True)]
    return {
        "work": f"{TABLES} tables with {SEATS} patrons each, all subscribed, each with one wager on its way; every "
        "wager decided, stored with fsync and answered; the echo is the same web server answering what it hears",
        "wagers_per_second": median(wagers),
        "wager_p50_ms": 1000 * percentile(took, 0.5),
        "wager_p99_ms": 1000 * percentile(took, 0.99),
        "echo_per_second": median(echoes),
        "wagers_to_echo": median(ratios),
        "appends_per_second": appends,
        "fanout_watchers": WATCHERS,
        "fanout_p99_ms": 1000 * percentile(fan_out, 0.99),
        "bare_fanout_p99_ms": 1000 * percentile(bare_fan_out, 0.99),
    }


# --- the house -------------------------------------------------------------------------------------------------------


async def _set_up(database: str) -> list[Seat]:
    """Return seats at tables that take wagers, whose patrons have chips and are signed in."""
    serving = await open_serving(Options(database))
    for number in range(TABLES):
        await serving.floor.create_table(f"t{number}", load("baccarat"))
    seated = await asyncio.gather(*(_open(serving, f"t{number}") for number in range(TABLES)))
    await serving.close()
    return [seat for seats in seated for seat in seats]


async def _open(serving: Serving, name: str) -> list[Seat]:
    served = serving.floor.tables[name]

    async def do(command: Command) -> None:
        answer = await outcome(serving.floor.submit, served, command)
        assert not isinstance(answer, Refusal), answer

    limits = {wager.name: Limits(100, 10**14) for wager in served.book.wagers}
    setting = replace(practice_setting(served.book, None), limits=limits, device=Device.MANUAL)
    await do(OpenTable(_MANAGER, setting, 10**14))
    seats = []
    for position in range(1, SEATS + 1):
        patron = await serving.people.add(f"{name} {position}", Duty.PATRON)
        token = await serving.people.use_link(await serving.people.make_link(patron.id, HOUR))
        await do(BuyIn(_DEALER, patron.id, 10**11))
        seats.append(Seat(name, position, patron.id, token))
    await do(LoadShoe(_DEALER, "one"))
    await do(OpenBets(_DEALER))
    return seats


# --- servers ---------------------------------------------------------------------------------------------------------

_BARE = """
import sys
import uvicorn
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

watchers = set()

async def echo(socket: WebSocket) -> None:
    await socket.accept()
    try:
        while True:
            await socket.send_text(await socket.receive_text())
    except WebSocketDisconnect:
        pass

async def fan_out(socket: WebSocket) -> None:
    await socket.accept()
    watchers.add(socket)
    try:
        while True:
            text = await socket.receive_text()
            for watcher in watchers:
                await watcher.send_text(text)
    except WebSocketDisconnect:
        watchers.discard(socket)

app = Starlette(routes=[WebSocketRoute("/echo", echo), WebSocketRoute("/fan-out", fan_out)])

class Server(uvicorn.Server):
    async def startup(self, sockets=None):
        await super().startup(sockets)
        print('{"address": "http://127.0.0.1:%d"\\n}' % self.servers[0].sockets[0].getsockname()[1], flush=True)

Server(uvicorn.Config(app, port=0, ws="websockets-sansio", ws_per_message_deflate=False, log_level="error")).run()
"""


@asynccontextmanager
async def _server(folder: Path, *command: str) -> AsyncIterator[str]:
    """Run a server in its own process; yield its address."""
    process = subprocess.Popen([sys.executable, *command], stdout=subprocess.PIPE, cwd=folder)
    assert process.stdout is not None
    try:
        told = b""
        for line in process.stdout:
            told += line
            if line.rstrip() == b"}":
                break
        yield json.loads(told)["address"]
    finally:
        process.terminate()
        process.wait(20)


def _bare_server(folder: Path) -> AbstractAsyncContextManager[str]:
    return _server(folder, "-c", _BARE)


def _punto_server(folder: Path) -> AbstractAsyncContextManager[str]:
    start = "from punto.cli.main import main; main()"
    return _server(folder, "-c", start, "serve", "--db", "bench.db", "--port", "0", "--json")


# --- loads -----------------------------------------------------------------------------------------------------------


async def _seated(address: str, seats: list[Seat]) -> Answers:
    """Connect every patron on their own socket, subscribed to their table, with a wager to place."""
    answers = Answers(b'{"type":"done"')
    for seat in seats:
        connection = await connect(address, "/api/socket", seat.token, answers.heard)
        connection.send(client_frame(f'{{"command":"Subscribe","table":"{seat.table}"}}'.encode()))
        answers.add(connection, _wagers(seat))
    await asyncio.sleep(1)
    return answers


def _wagers(seat: Seat, series: str = "") -> Callable[[], bytes]:
    numbers = count()
    wager = (
        f'{{"id":1,"command":"PlaceWager","table":"{seat.table}","patron":"{seat.patron}","position":{seat.position},'
        f'"wager":"Player","amount":100,"key":"{seat.patron}-{series}'
    )
    return lambda: client_frame(f'{wager}{next(numbers)}"}}'.encode())


async def _echoing(address: str, number: int) -> Answers:
    """Connect as many sockets, each with a message of the same length."""
    answers = Answers(b'{"id":1')
    for each in range(number):
        wagers = _wagers(Seat(f"t{each // SEATS}", each % SEATS + 1, "p234567abcd", ""))
        answers.add(await connect(address, "/echo", None, answers.heard), wagers)
    return answers


async def _fan_out(address: str, seat: Seat, subscribe: str, event: bytes) -> list[float]:
    """Return how long after a wager was sent each watcher of its table receives it."""
    sent, took = 0.0, []

    def heard(_: LoadConnection, begins: bytes) -> None:
        if begins.startswith(event):
            took.append(perf_counter() - sent)

    for _ in range(WATCHERS):
        (await connect(address, "/api/socket", None, heard)).send(client_frame(subscribe.encode()))
    patron = await connect(address, "/api/socket", seat.token, lambda *_: None)
    await asyncio.sleep(1)
    wager = _wagers(seat, "fan-out")
    for _ in range(FAN_OUTS):
        sent = perf_counter()
        patron.send(wager())
        await asyncio.sleep(0.1)
    return took


async def _bare_fan_out(address: str) -> list[float]:
    """Return the same for the bare server, which forwards what it receives."""
    sent, took = 0.0, []
    event = b'{"type":"events"'
    connections = [
        await connect(address, "/fan-out", None, lambda *_: took.append(perf_counter() - sent)) for _ in range(WATCHERS)
    ]
    message = client_frame(event + b" " * 400)
    for _ in range(FAN_OUTS):
        sent = perf_counter()
        connections[0].send(message)
        await asyncio.sleep(0.1)
    return took


async def _appends(file: Path) -> float:
    """Return the events appended per second, each acknowledged, by as many writers as there are patrons, one in flight
    each.
    """
    store: Store = SqliteStore(file, apart=True)
    done = 0

    async def append(stream: str, number: int) -> None:
        nonlocal done
        event = WagerPlaced("p234567abcd", 1, "Player", 100, 100, None)
        for each in count():
            if perf_counter() > end:
                return
            written = [EventRecord.of(event, 1_700_000_000_000, "p234567abcd", "patron")]
            key = Answer(f"{stream} {number}", str(each), b"", stream, each + 1, each + 1)
            await store.append([Append(f"{stream}-{number}", each, written)], key)
            done += 1

    end = perf_counter() + APPENDING
    await asyncio.gather(*(append(f"t{table}", seat) for table in range(TABLES) for seat in range(SEATS)))
    await store.close()
    return done / APPENDING
