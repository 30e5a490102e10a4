"""Open a store by its address: a file for SQLite, ``postgresql://...`` for PostgreSQL; to serve it, or only to read.

The driver for PostgreSQL is imported for such an address only: most commands need none, and should start fast.
"""

from __future__ import annotations

from pathlib import Path

import apsw

from punto.store.protocol import Reader, Store
from punto.store.sqlite.sqlite_store import SqliteReader, SqliteStore

_SCHEMES = ("postgresql://", "postgres://")


def is_postgresql(address: str) -> bool:
    """Whether an address is that of a PostgreSQL database, not the path of a file."""
    return address.startswith(_SCHEMES)


async def open_store(address: str, make: bool = True, busy: bool = False) -> Store:
    """Open the store at an address to serve it, and make or migrate it if needed; ``busy`` for a whole house."""
    if not make:
        await (await open_reader(address)).close()  # refuses what is no store
    if not is_postgresql(address):
        return SqliteStore(Path(address), apart=busy)
    from punto.store.postgresql_address import open_to_serve

    return await open_to_serve(address)


async def open_reader(address: str) -> Reader:
    """Open the store at an address to read it, while others may serve it; nothing is made, migrated or written."""
    if not is_postgresql(address):
        return SqliteReader.open(Path(address))
    from punto.store.postgresql_address import open_to_read

    return await open_to_read(address)


def reading_failed() -> tuple[type[Exception], ...]:
    """Return the errors of a database that can no longer be read."""
    from punto.store.postgresql_address import READING_FAILED

    return apsw.Error, *READING_FAILED
