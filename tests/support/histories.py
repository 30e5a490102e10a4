"""Databases with a history to look back on, and a store that counts what is read of them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import apsw

from punto import APPROVED
from punto.audit.table_recomputed import games_by_digest
from punto.server.running.background import BackgroundJobs
from punto.server.running.checkpoint_keeper import CheckpointKeeper
from punto.store.protocol import Store
from punto.store.records import EventRecord
from punto.store.trust.keys import Keys

GAMES = games_by_digest(APPROVED)


class CountingStore:
    """A store that counts the events read from it."""

    def __init__(self, store: Any) -> None:
        self._store, self.events = store, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def read(self, stream: str, after: int = 0, most: int = 1000) -> list[EventRecord]:
        read: list[EventRecord] = await self._store.read(stream, after, most)
        self.events += len(read)
        return read


async def make_checkpoints(store: Store, keys: Keys, tables: Iterable[str]) -> None:
    """Make every checkpoint that is due, as a server does in the background."""
    await CheckpointKeeper(store, keys, GAMES, BackgroundJobs(store)).catch_up(tables)


def drop_checkpoints(file: Path) -> None:
    """Make a file like one from before there were checkpoints."""
    connection = apsw.Connection(str(file))
    for table in ("checkpoint", "checkpoint_patron", "checkpoint_amends"):
        connection.execute(f"drop table {table}")
    connection.close()
