"""A word before a command reads a long log from its first event, for want of checkpoints."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from punto.store.protocol import Reader
from punto.store.trust.checkpoints import Checkpoints

LONG = 100_000
"""Events that take seconds to read."""


async def tell_of_long_logs(store: Reader, tables: Iterable[str]) -> None:
    """Say how much is read of tables that have no checkpoints yet, if it is much."""
    heads = await store.heads(list(tables))
    long = [table for table, events in heads.items() if events > LONG]
    without = [table for table in long if await (await Checkpoints.of(store, table)).last() is None]
    if without:
        events = sum(heads[table] for table in without)
        told = f"{', '.join(without)}: no checkpoints yet, reading {events:,} events; a server makes them"
        print(f"punto: {told}", file=sys.stderr, flush=True)  # noqa: T201
