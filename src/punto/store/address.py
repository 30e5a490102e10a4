"""Open a store by its address: a file for SQLite, ``postgresql://...`` for PostgreSQL; to serve it, or only to read.

An address may hold a password, and a driver's message may quote the address: the messages here never do.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import apsw
import asyncpg

from punto.store.postgresql import MIGRATIONS, PostgresStore
from punto.store.protocol import Reader, Store
from punto.store.records import StoreError
from punto.store.sqlite.sqlite_store import SqliteReader, SqliteStore

READING_FAILED = (apsw.Error, asyncpg.PostgresError, asyncpg.InterfaceError)
"""Errors of a database that can no longer be read."""

_SCHEMES = ("postgresql://", "postgres://")
_PATIENCE = 10
"""Seconds until a database server that does not answer counts as unreachable."""
_PROBE = "select stream, number, name, version, at, by, position, body, hash from event limit 0"
_CANNOT = "the PostgreSQL database cannot be opened"

_REFUSALS: tuple[tuple[type[asyncpg.PostgresError], str], ...] = (
    (asyncpg.InvalidCatalogNameError, "the server has no database of that name"),
    (asyncpg.InvalidAuthorizationSpecificationError, "the server does not let this user in"),
    (asyncpg.TooManyConnectionsError, "the server takes no more connections"),
    (asyncpg.InsufficientPrivilegeError, "this user may not read it"),
    (asyncpg.UndefinedTableError, "it holds no log of Punto"),
    (asyncpg.UndefinedColumnError, "it holds no log of Punto"),
)


def is_postgresql(address: str) -> bool:
    """Whether an address is that of a PostgreSQL database, not the path of a file."""
    return address.startswith(_SCHEMES)


async def open_store(address: str, make: bool = True, busy: bool = False) -> Store:
    """Open the store at an address to serve it, and make or migrate it if needed; ``busy`` for a whole house."""
    if not make:
        await (await open_reader(address)).close()  # refuses what is no store
    if not is_postgresql(address):
        return SqliteStore(Path(address), apart=busy)
    await (await _pool(address)).close()  # first, so that an error does not quote the address
    return await PostgresStore.open(address)


async def open_reader(address: str) -> Reader:
    """Open the store at an address to read it, while others may serve it; nothing is made, migrated or written."""
    if not is_postgresql(address):
        return SqliteReader.open(Path(address))
    pool = await _pool(address, default_transaction_read_only="on")
    try:
        await _check(pool)
    except BaseException as error:
        await pool.close()
        if isinstance(error, asyncpg.PostgresError):
            raise StoreError(_why(error)) from None
        raise
    return PostgresStore(pool)


async def _pool(address: str, **settings: str) -> Any:
    try:
        return await asyncpg.create_pool(address, min_size=1, max_size=2, timeout=_PATIENCE, server_settings=settings)
    except asyncpg.PostgresError as error:
        raise StoreError(_why(error)) from None
    except OSError:
        raise StoreError(f"{_CANNOT}: no server answers at that address") from None
    except (asyncpg.InterfaceError, ValueError, TypeError):
        raise StoreError(f"{_CANNOT}: expected an address such as postgresql://user@host:5432/name") from None


async def _check(pool: Any) -> None:
    """Raise unless it is a database of Punto that this version knows."""
    await pool.fetch(_PROBE)
    done, known = await pool.fetchval("select max(number) from migration"), len(list(MIGRATIONS.glob("*.sql")))
    if done is not None and done > known:
        raise StoreError(f"the database is of a later version ({done}) than this program knows ({known})")


def _why(error: asyncpg.PostgresError) -> str:
    for kind, sentence in _REFUSALS:
        if isinstance(error, kind):
            return f"{_CANNOT}: {sentence}"
    return f"{_CANNOT}: the server answers with error {error.sqlstate or type(error).__name__}"
