"""``punto bench processes``: what a wager costs each of several processes on one PostgreSQL database.

All figures are microseconds of processor time for each wager that was answered. Clients, servers and database share one
machine, so wall times say little.
"""

from __future__ import annotations

import asyncio
import logging
import tempfile
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

from punto.cli.bench.bench_house import (
    Seat,
    database_processes,
    furnish,
    run_measurement,
    scratch_database,
    sit,
    wagers_of,
    watch,
)
from punto.cli.bench.figures import Figures
from punto.cli.bench.measured_servers import MeasuredServer, megabytes, processor_seconds, punto_server
from punto.server.load_client import Answers, LoadConnection, connect, percentile
from punto.server.running.server_log import server_log

TABLES, SEATS, PROCESSES, WATCHERS = 40, 9, 4, 500
WARM_UP, SECONDS = 1.0, 5.0


@dataclass(slots=True)
class Load:
    """Patrons with their sockets at the servers, and what their wagers have cost so far."""

    by_server: dict[int, Answers]
    """By the number of the server the answers to those who sit there."""
    wagers: dict[int, int]
    seconds: dict[int, float]
    """Processor time of every server, also of those where nobody sits."""
    database: float
    took: list[float]

    def figures(self) -> Figures:
        """Return the processor time for each wager: where they were placed, in all, and where nobody was."""
        everything = sum(self.wagers.values())
        idle = [spent for server, spent in self.seconds.items() if server not in self.by_server]
        return {
            "server_us": [1e6 * self.seconds[each] / max(1, self.wagers[each]) for each in self.by_server],
            "all_servers_us": 1e6 * sum(self.seconds[each] for each in self.by_server) / everything,
            "serving_nobody_us": [1e6 * each / everything for each in idle],
            "database_us": 1e6 * self.database / everything if self.database else None,
            "wagers": everything,
            "p50_ms": 1e3 * percentile(self.took, 0.5),
            "p99_ms": 1e3 * percentile(self.took, 0.99),
        }


def measure(server: str) -> Figures:
    """Run every measurement on a PostgreSQL server, in a database that is made for it and dropped."""
    with server_log(logging.ERROR), tempfile.TemporaryDirectory(prefix="punto-bench-") as folder:
        return run_measurement(_measure(server, Path(folder)))


async def _measure(server: str, folder: Path) -> Figures:
    async with AsyncExitStack() as opened:
        database = await opened.enter_async_context(scratch_database(server))
        seats = await furnish(database, folder, TABLES, SEATS)
        # One more than wagers are placed at: it serves nobody.
        servers = [await opened.enter_async_context(punto_server(folder, database)) for _ in range(PROCESSES + 1)]
        loads = {name: await _run(name, database, servers, placed) for name, placed in _places(seats).items()}
        watched = await _watch(servers[-1], seats[0])
    alone = loads["1_process"]
    return {
        "work": f"{TABLES} tables with {SEATS} patrons each, all subscribed, each with one wager on its way; "
        f"{PROCESSES + 1} processes on one PostgreSQL database, of which those named serve the patrons",
        **{name: load.figures() for name, load in loads.items()},
        "watchers": watched,
        **{f"{name}_ratio": _ratio(loads[name], alone) for name in ("shared_tables", "one_shared_table")},
    }


def _ratio(load: Load, other: Load) -> float | None:
    """Return how many times as much a wager costs; None if the other was too short to be measured."""
    return _cost(load) / _cost(other) if _cost(other) else None


def _cost(load: Load) -> float:
    return sum(load.seconds[each] for each in load.by_server) / sum(load.wagers.values())


def _places(seats: Sequence[Seat]) -> dict[str, dict[Seat, int]]:
    """Return at which server each patron sits, for each load."""
    split = {
        f"{number}_process{'es' if number > 1 else ''}": {each: int(each.table[1:]) % number for each in seats}
        for number in (1, 2, 4)
        if number <= PROCESSES
    }
    shared = {each: each.position % 2 for each in seats}
    one = {each: each.position % 2 if each.table == "t0" else int(each.table[1:]) % 2 for each in seats}
    return split | {"shared_tables": shared, "one_shared_table": one}


async def _run(name: str, database: str, servers: Sequence[MeasuredServer], places: dict[Seat, int]) -> Load:
    by_server: dict[int, Answers] = {}
    connections = []
    for seat, at in places.items():
        answers = by_server.setdefault(at, Answers(b'{"type":"done"'))
        connections.append(await sit(servers[at].address, seat, answers, name))
    load = Load(by_server, dict.fromkeys(by_server, 0), dict.fromkeys(range(len(servers)), 0.0), 0.0, [])
    await asyncio.sleep(1)
    backends = await database_processes(database)
    await asyncio.gather(*(answers.run(0, WARM_UP) for answers in by_server.values()))
    await _count(load, servers, backends)
    for connection in connections:
        assert connection.transport
        connection.transport.close()
    await asyncio.sleep(0.5)
    return load


async def _count(load: Load, servers: Sequence[MeasuredServer], backends: Sequence[int]) -> None:
    """Let everyone wager for a while; count all wagers, and all processor time from the first to the last of them."""
    before = [each.processor_seconds() for each in servers]
    spent = processor_seconds(backends)
    await asyncio.gather(*(answers.run(0, SECONDS) for answers in load.by_server.values()))
    for number, each in enumerate(servers):
        load.seconds[number] = each.processor_seconds() - before[number]
    load.database = processor_seconds(backends) - spent
    for number, answers in load.by_server.items():
        assert not answers.refused, answers.refused[0]
        load.wagers[number] = len(answers.took)
        load.took += answers.took


async def _watch(server: MeasuredServer, seat: Seat) -> Figures:
    """Have one patron wager at a table that many watch: what each message to a watcher costs, and each at rest."""
    heard = 0

    def hear(_: LoadConnection, begins: bytes) -> None:
        nonlocal heard
        heard += begins.startswith(b'{"type":"events"')

    before = megabytes(server.pid)
    for _ in range(WATCHERS):
        await watch(server.address, seat.table, hear)
    await asyncio.sleep(WARM_UP)
    held, resting = megabytes(server.pid) - before, server.processor_seconds()
    await asyncio.sleep(SECONDS)
    spent = server.processor_seconds()
    answers = Answers(b'{"type":"done"')
    answers.add(await connect(server.address, "/api/socket", seat.token, answers.heard), wagers_of(seat, "watched"))
    await answers.run(0, SECONDS)
    return {
        "watchers": WATCHERS,
        "message_us": 1e6 * (server.processor_seconds() - spent) / max(1, heard),
        "messages": heard,
        "kilobytes_each": 1e3 * held / WATCHERS,
        "idle_share_of_a_core": (spent - resting) / SECONDS,
    }
