"""``punto bench server``: durable wagers over sockets, beside bare echoes, bare appends, and bare fan-out.

Server and clients share one machine. The bare servers are the same web server with an application that does nothing
else, and an echo by Punto's own frame protocol, so that ratios show what the tables cost, independent of the machine.
Everything that is compared is measured in turns.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter

from punto.cli.bench.bench_house import Seat, furnish, run_measurement, sit, wagers_of, watch
from punto.cli.bench.figures import Figures
from punto.cli.bench.measured_servers import MeasuredServer, bare_server, frames_server, punto_server
from punto.server.load_client import Answers, LoadConnection, client_frame, connect, percentile
from punto.store.protocol import Store
from punto.store.records import Answer, Append, EventRecord
from punto.store.sqlite.sqlite_store import SqliteStore
from punto.table.play.wagers import WagerPlaced

TABLES, SEATS, WATCHERS = 100, 9, 1000
WARM_UP, SECONDS, TURNS = 0.5, 1.0, 12
"""Many short turns, so that a moment in which the machine is slow affects one of them and not half of them."""
RATES = (200, 1_000, 2_000, 4_000)
"""Wagers a second that arrive at random moments."""
ARRIVING, ARRIVAL_TURNS = 2.0, 3
FAN_OUTS = 100
FAN_OUT_EACH = 0.08
"""Seconds from one message to a thousand watchers to the next."""
APPENDING = 3.0
_DATABASE = "bench.db"


def measure() -> Figures:
    """Run every measurement."""
    with tempfile.TemporaryDirectory(prefix="punto-bench-") as folder:
        return run_measurement(_measure(Path(folder)))


async def _measure(folder: Path) -> Figures:
    seats = await furnish(str(folder / _DATABASE), folder, TABLES, SEATS)
    async with AsyncExitStack() as servers:
        bare = await servers.enter_async_context(bare_server(folder))
        frames = await servers.enter_async_context(frames_server(folder))
        punto = await servers.enter_async_context(punto_server(folder, _DATABASE))
        wagers = _Clients(punto, await _seated(punto.address, seats))
        echo, frame_echo = [_Clients(each, await _echoing(each.address, len(seats))) for each in (bare, frames)]
        figures = await _lockstep(wagers, echo, frame_echo)
        figures["open_loop"] = [await _open_loop(rate, wagers, frame_echo) for rate in RATES]
        assert not wagers.answers.refused, wagers.answers.refused[0]
        fan_out = await _fan_out(punto, bare, seats[0])
    appends = await _appends(folder / "appends.db")
    return {
        "work": f"{TABLES} tables with {SEATS} patrons each, all subscribed, each with one wager on its way; every "
        "wager decided, stored with fsync and answered; the echo is the same web server answering what it hears; "
        "open loop: wagers that arrive at random moments, whether those before are answered or not",
        **figures,
        "appends_per_second": appends,
        **fan_out,
    }


# --- wagers and echoes -----------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Clients:
    """Clients of one server, and what it took to answer them."""

    server: MeasuredServer
    answers: Answers


@dataclass(slots=True)
class _Measured:
    """What the turns of the clients of one server have shown."""

    clients: _Clients
    rates: list[float] = field(default_factory=list)
    took: list[float] = field(default_factory=list)
    answered: int = 0
    server: float = 0.0
    writer: float = 0.0

    async def take(self, turn: Callable[[Answers], Awaitable[float | None]]) -> None:
        server, answers = self.clients.server, self.clients.answers
        before, writer, answered = server.processor_seconds(), server.writer_seconds(), answers.answered
        self.rates.append(await turn(answers) or 0)
        self.server += server.processor_seconds() - before
        self.writer += server.writer_seconds() - writer
        self.answered += answers.answered - answered
        self.took += answers.took

    def milliseconds(self, part: float) -> float:
        return 1000 * percentile(self.took, part)

    def server_us(self) -> float:
        return 1e6 * self.server / self.answered

    def writer_us(self) -> float:
        return 1e6 * self.writer / self.answered


async def _lockstep(*clients: _Clients) -> Figures:
    """Measure wagers and echoes of as many clients, each of which waits for its answer."""
    wagers, echo, frames = measured = [_Measured(each) for each in clients]
    for _ in range(TURNS):
        for each in measured:
            await each.take(lambda answers: answers.run(WARM_UP, SECONDS))
    return {
        "wagers_per_second": median(wagers.rates),
        "wager_p50_ms": wagers.milliseconds(0.5),
        "wager_p99_ms": wagers.milliseconds(0.99),
        "server_cpu_us_per_wager": wagers.server_us(),
        "writer_cpu_us_per_wager": wagers.writer_us(),
        "echo_per_second": median(echo.rates),
        "echo_cpu_us": echo.server_us(),
        "wagers_to_echo": median(wager / other for wager, other in zip(wagers.rates, echo.rates, strict=True)),
        "frame_echo_per_second": median(frames.rates),
        "frame_echo_cpu_us": frames.server_us(),
        "wagers_to_frame_echo": median(wager / other for wager, other in zip(wagers.rates, frames.rates, strict=True)),
    }


async def _open_loop(rate: int, *clients: _Clients) -> Figures:
    """Measure wagers, and echoes by Punto's own protocol, that arrive at random moments."""
    wagers, echo = measured = [_Measured(each) for each in clients]
    chance = Random(rate)
    for _ in range(ARRIVAL_TURNS):
        for each in measured:
            await each.take(lambda answers: answers.run_at_random(rate, ARRIVING, chance))
    return {
        "rate": rate,
        "server_cpu_us": wagers.server_us(),
        "writer_cpu_us": wagers.writer_us(),
        "p50_ms": wagers.milliseconds(0.5),
        "p99_ms": wagers.milliseconds(0.99),
        "frame_echo_cpu_us": echo.server_us(),
        "frame_echo_p50_ms": echo.milliseconds(0.5),
        "frame_echo_p99_ms": echo.milliseconds(0.99),
    }


async def _seated(address: str, seats: list[Seat]) -> Answers:
    """Connect every patron on their own socket, subscribed to their table, with a wager to place."""
    answers = Answers(b'{"type":"done"')
    for seat in seats:
        await sit(address, seat, answers, "seat")
    await asyncio.sleep(1)
    return answers


async def _echoing(address: str, number: int) -> Answers:
    """Connect as many sockets, each with a message of the same length."""
    answers = Answers(b'{"id":1')
    for each in range(number):
        wagers = wagers_of(Seat(f"t{each // SEATS}", each % SEATS + 1, "p234567abcd", ""), "seat")
        answers.add(await connect(address, "/echo", None, answers.heard), wagers)
    return answers


# --- a thousand watchers ---------------------------------------------------------------------------------------------


class _Watchers:
    """Many clients of one server that watch, and one whose messages reach all of them."""

    def __init__(self, event: bytes) -> None:
        self._event, self._sent = event, 0.0
        self.took: list[float] = []
        """Seconds until each watcher received each message."""
        self.last: list[float] = []
        """Seconds until the last watcher received it, for each message that all of them received."""

    def heard(self, _: LoadConnection, begins: bytes) -> None:
        if begins.startswith(self._event):
            self.took.append(perf_counter() - self._sent)

    async def tell(self, sender: LoadConnection, message: bytes) -> None:
        before, self._sent = len(self.took), perf_counter()
        sender.send(message)
        await asyncio.sleep(FAN_OUT_EACH)
        if len(self.took) - before == WATCHERS:
            self.last.append(self.took[-1])

    def figures(self, prefix: str) -> Figures:
        return {
            f"{prefix}fanout_p99_ms": 1000 * percentile(self.took, 0.99),
            f"{prefix}fanout_last_median_ms": 1000 * percentile(self.last, 0.5),
            f"{prefix}fanout_last_p90_ms": 1000 * percentile(self.last, 0.9),
        }


async def _fan_out(punto: MeasuredServer, bare: MeasuredServer, seat: Seat) -> Figures:
    """Measure how long after a wager was sent each watcher of its table receives it, and how long forwarding takes."""
    event = b'{"type":"events"'
    told, forwarded = _Watchers(event), _Watchers(event)
    for _ in range(WATCHERS):
        await watch(punto.address, seat.table, told.heard)
        sender = await connect(bare.address, "/fan-out", None, forwarded.heard)
    patron = await connect(punto.address, "/api/socket", seat.token, lambda *_: None)
    await asyncio.sleep(1)
    wager, message = wagers_of(seat, "fan-out"), client_frame(event + b" " * 400)
    for _ in range(FAN_OUTS):
        await told.tell(patron, wager())
        await forwarded.tell(sender, message)
    return {"fanout_watchers": WATCHERS, **told.figures(""), **forwarded.figures("bare_")}


# --- the store alone -------------------------------------------------------------------------------------------------


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
