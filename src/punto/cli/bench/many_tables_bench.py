"""``punto bench tables``: how soon a house with many tables listens and has them open, and what it costs at rest."""

from __future__ import annotations

import asyncio
import logging
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path
from time import perf_counter
from urllib.request import urlopen

from punto.cli.bench.bench_house import open_tables, scratch_database
from punto.cli.bench.figures import Figures
from punto.cli.bench.measured_servers import KEY, megabytes, punto_server
from punto.rules.game_library import load
from punto.server.running.lifecycle import Options, clock, open_serving
from punto.server.running.server_log import server_log
from punto.store.events.house_events import TableCreated
from punto.store.house import record

TABLES = 1000
RESTS_FOR = 10.0
"""Seconds in which nothing happens."""


def measure(server: str | None) -> Figures:
    """Measure a house on SQLite and, with a server, one on PostgreSQL, in a database that is made and dropped."""
    figures: Figures = {"work": f"a process that serves a house of {TABLES} open tables, and nobody is there"}
    with server_log(logging.ERROR):
        for name, at in {"sqlite": None, "postgresql": server}.items():
            if at or name == "sqlite":
                with tempfile.TemporaryDirectory(prefix="punto-bench-") as folder:
                    figures[name] = asyncio.run(_measure(Path(folder), at))
    return figures


async def _measure(folder: Path, server: str | None) -> Figures:
    async with AsyncExitStack() as opened:
        database = await opened.enter_async_context(scratch_database(server)) if server else str(folder / "bench.db")
        await _furnish(database, folder)
        began = perf_counter()
        measured = await opened.enter_async_context(punto_server(folder, database))
        listens = perf_counter() - began
        while not await asyncio.to_thread(_is_ready, measured.address):
            await asyncio.sleep(0.05)
        opens = perf_counter() - began
        spent = measured.processor_seconds()
        await asyncio.sleep(RESTS_FOR)
        idle = (measured.processor_seconds() - spent) / RESTS_FOR
        return {
            "tables": TABLES,
            "seconds_to_listen": listens,
            "seconds_until_all_open": opens,
            "start_cpu_seconds": spent,
            "megabytes": megabytes(measured.pid),
            "idle_share_of_a_core": idle,
        }


async def _furnish(database: str, folder: Path) -> None:
    """Make a house with open tables."""
    serving, book = await open_serving(Options(database, folder / KEY)), load("baccarat")
    names = [f"t{number}" for number in range(TABLES)]
    await record(serving.store, [TableCreated(name, book.key, book.digest) for name in names], clock())
    await serving.close()
    serving = await open_serving(Options(database, folder / KEY))
    await serving.floor.opener.all_open.wait()
    await open_tables(serving, names)
    await serving.close()


def _is_ready(address: str) -> bool:
    try:
        with urlopen(f"{address}/readyz", timeout=10) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False
