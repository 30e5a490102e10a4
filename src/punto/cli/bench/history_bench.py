"""``punto bench history``: what a question about a table costs with a short history, and with ten times that.

Figures are processor time, so that a busy machine disturbs them little; only that of two processes is wall time.
"""

from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from time import perf_counter, process_time, time_ns

import structlog

from punto.audit.table_recomputed import games_by_digest
from punto.books.shift_totals import Span
from punto.cli.bench.figures import Figures
from punto.cli.bench.played_history import BEGAN, DAY, EVENTS_A_DAY, make_history
from punto.report.dispute.packet import dispute_packet
from punto.report.replay import replay
from punto.report.round_index import Chronicle, Sought
from punto.report.shift.shift_report import shift_report
from punto.rules import APPROVED, load
from punto.server.running.background import BackgroundJobs
from punto.server.running.checkpoint_keeper import CheckpointKeeper
from punto.server.tables.floor import Floor
from punto.server.tables.table_actor import outcome
from punto.store.house import House
from punto.store.protocol import Reader
from punto.store.sqlite.sqlite_store import SqliteReader, SqliteStore
from punto.store.trust.keys import Keys
from punto.table.play.duty import CallPit
from punto.table.roles import Actor, Role
from punto.texts import Language

EVENTS = 80_000
TIMES = 10
TABLES = 4
"""Of the history that is audited by two processes."""
TURNS = 3
"""The best of so many is taken."""
ROUNDS_A_DAY = 270
"""About so many, in three shoes. Where in its shoe a round stands says how much is read, so some are asked for through
a whole day."""
ROUNDS_ASKED = 15
_KEYS = Keys(bytes(range(32)))
_TABLE = "table-1"

Question = Callable[[], Awaitable[object]]


def measure() -> Figures:
    """Return all figures, each for both histories, and their ratios."""
    before = structlog.get_config()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    try:
        return _measured()  # without what a server says when it opens a table
    finally:
        structlog.configure(**before)


def _measured() -> Figures:
    figures: Figures = {
        "work": "a table of nine patrons by the day: a shift report of its last day but one; fifteen replays and "
        "packets, and a search of rounds from the middle of its history; its opening from a snapshot; a full audit",
        "events": [EVENTS, EVENTS * TIMES],
    }
    with tempfile.TemporaryDirectory(prefix="punto-") as folder:
        short, long = (_history(Path(folder) / f"{events}.db", events, 1) for events in (EVENTS, EVENTS * TIMES))
        one, other = _questions(short, EVENTS), _questions(long, EVENTS * TIMES)
        for name in one:
            figures[f"{name}_milliseconds"] = [1e3 * one[name], 1e3 * other[name]]
            figures[f"{name}_ratio"] = other[name] / one[name]
        (seconds, small, _), (longer, large, _) = _audited(short), _audited(long)
        figures["audit_megabytes"], figures["audit_memory_ratio"] = [small, large], large / small
        figures["audit_events_per_second"] = [EVENTS / seconds, EVENTS * TIMES / longer]
        several = _history(Path(folder) / "several.db", EVENTS * TABLES, TABLES)
        turns = [[_audited(several, processes) for processes in (1, 2)] for _ in range(TURNS)]
        figures["audit_two_processes_ratio"] = max(alone[2] / together[2] for alone, together in turns)
        figures["audit_two_processes_work_ratio"] = min(together[0] / alone[0] for alone, together in turns)
    return figures


def _history(file: Path, events: int, tables: int) -> Path:
    """Make a database with a history, its checkpoints and a snapshot."""

    async def made() -> None:
        store = SqliteStore(file)
        names = await make_history(await House.open(store, _KEYS, BEGAN), events, tables)
        games = games_by_digest(APPROVED)
        await CheckpointKeeper(store, _KEYS, games, BackgroundJobs(store)).catch_up(names)
        await store.close()
        await _opened(file, play_on=True)

    asyncio.run(made())
    return file


async def _opened(file: Path, play_on: bool = False) -> float:
    """Open the house; return the seconds that took. If it plays on, a snapshot is kept."""
    store = SqliteStore(file)
    floor = Floor(store, _KEYS, lambda: time_ns() // 1_000_000, {"baccarat": load("baccarat")})
    began = process_time()
    await floor.start()
    await floor.opener.all_open.wait()
    seconds = process_time() - began
    if play_on:
        await outcome(floor.tables[_TABLE].actor.submit, CallPit(Actor("Sam", Role.DEALER), "bench"))
    await floor.stop()
    await store.close()
    return seconds


def _questions(file: Path, events: int) -> dict[str, float]:
    """Return the processor seconds that each question takes, the best of some."""

    async def asked() -> dict[str, float]:
        store = SqliteReader.open(file)
        seconds = {name: await _best(question) for name, question in _asked(store, events).items()}
        await store.close()
        return seconds | {"opening": min([await _opened(file) for _ in range(TURNS)])}

    return asyncio.run(asked())


def _asked(store: Reader, events: int) -> dict[str, Question]:
    games, books = games_by_digest(APPROVED), [load(key) for key in APPROVED]
    day, middle = max(0, events // EVENTS_A_DAY - 2), max(1, events // 80 - ROUNDS_A_DAY // 2)
    rounds = range(middle, middle + ROUNDS_A_DAY, ROUNDS_A_DAY // ROUNDS_ASKED)
    span = Span(BEGAN + day * DAY, BEGAN + (day + 1) * DAY)

    async def chronicle() -> Chronicle:
        made = Chronicle(_TABLE, games)
        await made.follow(store, events + 1)
        return made

    async def replayed() -> object:
        known = await chronicle()
        found = [each for number in rounds if (each := await known.round(store, number))]
        return [await replay(store, known, each, Language.ENGLISH) for each in found]

    async def searched() -> object:
        known = await chronicle()
        return [await known.find(store, each, None, 20) for each in (Sought(), Sought(void=True), Sought(last=middle))]

    return {
        "shift": lambda: shift_report(store, books, span),
        "replay": replayed,
        "packet": lambda: asyncio.gather(*(dispute_packet(store, games, _TABLE, number) for number in rounds)),
        "search": searched,
    }


async def _best(question: Question) -> float:
    seconds = []
    for _ in range(TURNS):
        began = process_time()
        await question()
        seconds.append(process_time() - began)
    return min(seconds)


_USED = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime, used.ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e6)
"""
"""Run by a small process: what a process begins with counts as its memory too, and this one is large."""


def _audited(file: Path, processes: int = 1) -> tuple[float, float, float]:
    """Audit a database; return the processor seconds of all its processes, the most megabytes of one, and the time."""
    audit = [sys.executable, "-m", "punto", "audit", str(file), "--processes", str(processes)]
    began = perf_counter()
    used = subprocess.run([sys.executable, "-c", _USED, *audit], check=True, stdout=subprocess.PIPE).stdout
    seconds, megabytes = map(float, used.split())
    return seconds, megabytes, perf_counter() - began
