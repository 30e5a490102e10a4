"""Files that only their owner may read: a database holds names, password hashes and digests of sessions."""

from __future__ import annotations

import os
from pathlib import Path

from punto.store.records import StoreError

_BESIDE = ("", "-wal", "-shm", "-journal", ".lock")
"""Endings of the names of the files that belong to a database."""
_OTHERS = 0o077


def make_private(file: Path) -> None:
    """Make an empty file that only its owner may read, unless there is one."""
    try:
        os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        raise StoreError(f"{file}: cannot be opened: {error.strerror}") from None


def keep_private(file: Path) -> None:
    """Take from others what they may do with the files of a database."""
    for each in (file.with_name(f"{file.name}{ending}") for ending in _BESIDE):
        try:
            mode = each.stat().st_mode
            if mode & _OTHERS:
                each.chmod(mode & 0o700)
        except FileNotFoundError:
            continue
        except OSError:
            raise StoreError(f"{each}: others can read it; have its owner chmod 600 it") from None
