"""Locks on a SQLite file, so that one process alone serves it, by whatever name it is opened."""

from __future__ import annotations

import fcntl
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import IO

from punto.store.records import StoreError

LET_GO_WITHIN = 10.0
"""Seconds: how long a writer whose server was killed may take to finish its commit."""
ENDED_WITHIN = 1.0
"""Seconds: how long after its lock file the system may let go of the file itself, for a process that has ended."""


def locked(file: Path, server: int) -> IO[str]:
    """Lock a file for one server; raise ``StoreError`` if another process serves it, or may under another name.

    The lock lies beside the file itself, not beside a symbolic link to it. Hard links would have a lock each, and their
    journals would differ, so that SQLite itself could not tell: a file with several names is not served.
    """
    file = file.resolve()
    try:
        if file.is_file() and file.stat().st_nlink > 1:
            raise StoreError(f"{file}: has several names (hard links); serve a file with one name")
        lock = _opened(file.with_name(f"{file.name}.lock"))
    except OSError as error:
        raise StoreError(f"{file}: cannot be opened: {error.strerror}") from None
    until = monotonic() + LET_GO_WITHIN
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            break
        except BlockingIOError:
            if _is_served(lock) or monotonic() > until:
                lock.close()
                raise StoreError(f"{file}: another process serves it") from None
            sleep(0.02)  # its server has ended, and its writer is finishing a commit
    lock.truncate(0)
    lock.write(f"{server}\n")
    lock.flush()
    return lock


@contextmanager
def locked_itself(file: Path) -> Iterator[None]:
    """Lock the file and not only its name, under which it may not stay; raise ``StoreError`` if another process has it.

    Only on Linux: elsewhere such a lock and those of SQLite, which are of another kind, would exclude each other. The
    connection must be closed first, since closing any descriptor of a file ends SQLite's locks on it in this process.
    """
    if sys.platform != "linux":
        yield
        return
    until = monotonic() + ENDED_WITHIN
    with file.open("rb") as itself:
        while True:
            try:
                fcntl.flock(itself, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if monotonic() > until:
                    raise StoreError(f"{file}: another process serves it") from None
                sleep(0.02)
        yield


def _opened(path: Path) -> IO[str]:
    return os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600), "a+")


def _is_served(lock: IO[str]) -> bool:
    """Whether the server that holds the lock still runs."""
    lock.seek(0)
    try:
        os.kill(int(lock.readline()), 0)
    except ProcessLookupError:
        return False
    except (ValueError, PermissionError):
        pass
    return True
