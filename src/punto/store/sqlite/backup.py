"""A copy of a SQLite database as it stands at one moment, made while a server uses it."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import apsw

from punto.store.records import StoreError
from punto.store.sqlite.private_files import make_private

_ALL_PAGES = -1


def back_up(database: Path, copy: Path) -> None:
    """Copy the database into a new file that only its owner may read, without blocking its writer."""
    make_private(copy)
    try:
        with (
            closing(apsw.Connection(str(database), flags=apsw.SQLITE_OPEN_READONLY)) as source,
            closing(apsw.Connection(str(copy))) as target,
        ):
            source.set_busy_timeout(10_000)
            with target.backup("main", source, "main") as work:
                # In one step: a write between two steps would make the copy begin again.
                work.step(_ALL_PAGES)
            # One file with no journal, readable where nothing can be written.
            target.execute("pragma journal_mode = delete")
    except apsw.Error as error:
        raise StoreError(f"{database}: no copy can be made: {error}") from None
