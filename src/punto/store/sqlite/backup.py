"""A copy of a database on SQLite as it stands at one moment, made while somebody serves it."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import apsw

from punto.store.records import StoreError

_ALL_PAGES = -1


def back_up(database: Path, copy: Path) -> None:
    """Copy the database into a new file; whoever writes to it meanwhile is not kept waiting."""
    try:
        with (
            closing(apsw.Connection(str(database), flags=apsw.SQLITE_OPEN_READONLY)) as source,
            closing(apsw.Connection(str(copy))) as target,
        ):
            source.set_busy_timeout(10_000)
            with target.backup("main", source, "main") as work:
                # In one step: between two of them somebody could write, and the copy would begin again each time.
                work.step(_ALL_PAGES)
            # One file without others beside it, that can be read where nothing can be written.
            target.execute("pragma journal_mode = delete")
    except apsw.Error as error:
        raise StoreError(f"{database}: no copy can be made: {error}") from None
    copy.chmod(database.stat().st_mode & 0o777)  # what few may read few may read in the copy
