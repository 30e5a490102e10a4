"""Streams audited in several processes, one for each core: tables do not depend on each other."""

from __future__ import annotations

import asyncio
import gc
import multiprocessing
import signal
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor

from punto.audit.stream_audit import StreamAudit, StreamTask
from punto.audit.table_recomputed import Game, StreamFound, games_by_digest
from punto.store.address import open_reader
from punto.store.records import StoreError


class AuditProcesses:
    """Processes that each read the database at an address; ``games`` are named by their keys or files, ``saved`` are
    texts of the house's own.
    """

    def __init__(self, address: str, games: Sequence[str], processes: int, saved: Sequence[bytes] = ()) -> None:
        # Each process is a new one: this one may have threads and open databases, which a copy could not use.
        self._pool = ProcessPoolExecutor(
            processes, multiprocessing.get_context("spawn"), _begin, (address, tuple(games), tuple(saved))
        )

    async def look_at(self, task: StreamTask) -> StreamFound:
        """Audit one stream, once a process is free."""
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, _look_at, task)
        except BrokenExecutor:
            raise StoreError("a process of the audit was ended by the system before it was done") from None

    def close(self, at_once: bool = False) -> None:
        """End the processes; ``at_once`` also where they are at work."""
        processes = list(multiprocessing.active_children())
        self._pool.shutdown(wait=not at_once, cancel_futures=True)
        for process in processes if at_once else ():
            process.terminate()
            process.join()


def collect_seldom() -> None:
    """Have cycles looked for seldom: an audit makes few, and to look for them takes a tenth of its time."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


_address = ""
_games: dict[str, Game] = {}


def _begin(address: str, games: Sequence[str], saved: Sequence[bytes]) -> None:
    """Prepare a process, once for all streams it audits."""
    global _address, _games
    collect_seldom()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that began it ends it
    _address, _games = address, games_by_digest(games, saved)


def _look_at(task: StreamTask) -> StreamFound:
    async def audit() -> StreamFound:
        store = await open_reader(_address)
        try:
            return await StreamAudit(store, _games, task).run()
        finally:
            await store.close()

    return asyncio.run(audit())
