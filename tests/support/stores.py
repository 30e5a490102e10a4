"""A store of each kind for the tests, opened as often as they need it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest

from punto.store.postgresql import PostgresStore
from punto.store.protocol import Store
from punto.store.sqlite.sqlite_store import SqliteStore

APART = "sqlite, written apart"

Open = Callable[[], AbstractAsyncContextManager[Store]]
"""Opens the same store, again and again."""


@pytest.fixture(params=["sqlite", "postgresql"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Open:
    """A test that takes it is run for each kind of store."""
    address = request.getfixturevalue("postgresql") if request.param == "postgresql" else None
    apart = request.param == APART

    @asynccontextmanager
    async def open_() -> AsyncIterator[Store]:
        store: Store = await PostgresStore.open(address) if address else SqliteStore(tmp_path / "punto.db", apart)
        try:
            yield store
        finally:
            await store.close()

    return open_
