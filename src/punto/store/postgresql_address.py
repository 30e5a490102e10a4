"""Open a PostgreSQL database by its address.

An address may hold a password, and the driver's message may quote the address: the messages here never do.
"""

from __future__ import annotations

from typing import Any

import asyncpg

from punto.store.postgresql import MIGRATIONS, PostgresStore
from punto.store.records import StoreError

READING_FAILED = (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)

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


async def open_to_serve(address: str) -> PostgresStore:
    """Open a store, and make or migrate it if needed."""
    await (await _pool(address)).close()  # first, so that an error does not quote the address
    return await PostgresStore.open(address)


async def open_to_read(address: str) -> PostgresStore:
    """Open a store that others may serve; nothing is made, migrated or written."""
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
