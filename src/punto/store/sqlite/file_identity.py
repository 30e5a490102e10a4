"""Which file a name leads to: a file that is moved or removed while it is open takes what is written with it."""

from __future__ import annotations

from pathlib import Path

from punto.store.records import StoreError

_BESIDE = ("", "-wal")
"""Endings of the names of the files that hold what is committed."""

Identity = tuple[int, int]


def identity_of(file: Path) -> Identity | None:
    """Return the device and the inode that a name leads to; None if there is no such file."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


class OpenedFiles:
    """The files of a database as they were when it was opened."""

    def __init__(self, file: Path) -> None:
        self._file = file.resolve()
        self._known = {each: identity_of(each) for each in map(self._beside, _BESIDE)}

    def _beside(self, ending: str) -> Path:
        return self._file.with_name(f"{self._file.name}{ending}")

    def check(self) -> None:
        """Raise ``StoreError`` if one of them is no longer where it was."""
        if any(identity_of(each) != known for each, known in self._known.items()):
            raise StoreError(f"{self._file}: was moved or removed while it was served")
