"""A file system in memory that keeps only what was synced when the power fails.

What is written and not synced may be lost, torn or kept, each write for itself. Its faults: no space, a sync that fails
(and leaves the pages in doubt), and a sync that lies, which no program can survive and the checks have to find.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from random import Random
from types import SimpleNamespace
from typing import Any

import apsw

_Written = tuple[int, bytes | None]
"""A write at an offset, or, without data, a truncation to a size."""
SECTOR = 512


def _apply(content: bytearray, written: _Written) -> None:
    at, data = written
    if data is None:
        del content[at:]
        return
    if len(content) < at:
        content.extend(bytes(at - len(content)))
    content[at : at + len(data)] = data


@dataclass(slots=True, eq=False)
class DiskFile:
    """A file: as processes see it, and as it would be after a power failure."""

    content: bytearray = field(default_factory=bytearray)
    durable: bytearray = field(default_factory=bytearray)
    unsynced: list[_Written] = field(default_factory=list)
    doubtful: int = 0
    """How many of those a sync has failed to write, and will not try again."""

    def write(self, at: int, data: bytes | None) -> None:
        written = at, data
        _apply(self.content, written)
        self.unsynced.append(written)

    def sync(self, dice: Random) -> None:
        for index, written in enumerate(self.unsynced):
            if index >= self.doubtful or dice.random() < 0.5:
                _apply(self.durable, written)
        self.unsynced, self.doubtful = [], 0

    def copied(self) -> DiskFile:
        return DiskFile(self.content[:], self.durable[:], self.unsynced[:], self.doubtful)

    def after_power_cut(self, dice: Random) -> DiskFile:
        kept, lost = self.durable[:], dice.choice((0.0, 0.2, 0.6, 1.0))
        for at, data in self.unsynced:
            if dice.random() < lost:
                continue
            if data and dice.random() < 0.3:
                at, data = _torn(at, data, dice)
            _apply(kept, (at, data))
        return DiskFile(kept, kept[:])


def _torn(at: int, data: bytes, dice: Random) -> tuple[int, bytes]:
    """Return a part of what was to be written: the first sectors or bytes of it, or the last."""
    unit = SECTOR if len(data) > SECTOR and dice.random() < 0.7 else 1
    cut = unit * dice.randrange(-(-len(data) // unit))
    return (at, data[:cut]) if dice.random() < 0.7 else (at + cut, data[cut:])


class Disk:
    """The files of a machine while one process uses them."""

    def __init__(self, dice: Random, files: dict[str, DiskFile] | None = None) -> None:
        self._dice = dice
        self.files = files or {}
        self._named = dict(self.files)
        """By name the files that are still named so after a power failure."""
        self.full = self.sync_fails = self.sync_lies = False
        self.touched = False
        """Whether a process has met a fault."""
        self.operations, self.cut_at = 0, 0
        """Writes and syncs so far, and at which of them the power fails."""
        self.power_fails: Callable[[], None] = lambda: None
        self._dead = False

    def after_kill(self) -> Disk:
        """Return what the next process finds after a killed one: everything that was written."""
        copies = {file: file.copied() for file in (*self.files.values(), *self._named.values())}
        disk = Disk(self._dice, {name: copies[file] for name, file in self.files.items()})
        disk._named = {name: copies[file] for name, file in self._named.items()}
        return disk

    def after_power_cut(self) -> Disk:
        """Return what is left when the machine comes back."""
        named = self.files if self._dice.random() < 0.5 else self._named
        return Disk(self._dice, {name: file.after_power_cut(self._dice) for name, file in named.items()})

    # --- what processes do -----------------------------------------------------------------------------------------

    def opened(self, name: str) -> DiskFile:
        return self.files.setdefault(name, DiskFile())

    def write(self, file: DiskFile, at: int, data: bytes | None) -> None:
        if self.full and data:
            self.touched = True
            raise OSError(errno.ENOSPC, "no space left")
        file.write(at, data)
        self._count()

    def sync(self, file: DiskFile) -> None:
        self._count()
        if self.sync_lies:
            return
        if self.sync_fails and self._dice.random() < 0.5:
            self.touched, file.doubtful = True, len(file.unsynced)
            raise OSError(errno.EIO, "the disk has failed")
        file.sync(self._dice)
        self._named |= {name: each for name, each in self.files.items() if each is file}

    def sync_names(self) -> None:
        self._count()
        if not self.sync_lies:
            self._named = dict(self.files)

    def rename(self, name: str, to: str) -> None:
        self.files[to] = self.files.pop(name)
        self._count()

    def remove(self, name: str) -> None:
        self.files.pop(name, None)
        self._count()

    def _count(self) -> None:
        """Let the power fail in the midst of it if this is the moment; after that nothing is written."""
        self.operations += 1
        if self.operations == self.cut_at:
            self._dead = True
            self.power_fails()
        if self._dead:
            raise OSError(errno.EIO, "the power has failed")


# --- for SQLite ------------------------------------------------------------------------------------------------------


class SqliteFile:
    """A file as SQLite uses it."""

    def __init__(self, disk: Disk, name: str) -> None:
        self._disk, self._file = disk, disk.opened(name)

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802
        return bytes(self._file.content[offset : offset + amount])

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        try:
            self._disk.write(self._file, offset, bytes(data))
        except OSError as error:
            code = apsw.SQLITE_FULL if error.errno == errno.ENOSPC else apsw.SQLITE_IOERR_WRITE
            raise apsw.exception_for(code) from None

    def xTruncate(self, size: int) -> None:  # noqa: N802
        try:
            self._disk.write(self._file, size, None)
        except OSError:
            raise apsw.exception_for(apsw.SQLITE_IOERR_TRUNCATE) from None

    def xSync(self, _: int) -> None:  # noqa: N802
        try:
            self._disk.sync(self._file)
        except OSError:
            raise apsw.exception_for(apsw.SQLITE_IOERR_FSYNC) from None

    def xFileSize(self) -> int:  # noqa: N802
        return len(self._file.content)

    def xClose(self) -> None:  # noqa: N802
        pass

    def xLock(self, _: int) -> None:  # noqa: N802
        pass

    def xUnlock(self, _: int) -> None:  # noqa: N802
        pass

    def xCheckReservedLock(self) -> bool:  # noqa: N802
        return False

    def xFileControl(self, *_: int) -> bool:  # noqa: N802
        return False

    def xSectorSize(self) -> int:  # noqa: N802
        return 4096

    def xDeviceCharacteristics(self) -> int:  # noqa: N802
        return apsw.SQLITE_IOCAP_POWERSAFE_OVERWRITE  # as SQLite assumes of every disk on Unix


class SqliteDisk(apsw.VFS):
    """A disk as SQLite knows it, by a name of its own: what a dead process still does goes to the dead disk."""

    _NUMBERS = count(1)

    def __init__(self, disk: Disk) -> None:
        self.name, self._disk = f"punto-faults-{next(self._NUMBERS)}", disk
        super().__init__(self.name, base="")

    def xOpen(self, name: Any, flags: list[int]) -> Any:  # noqa: N802
        flags[1] = flags[0]
        return SqliteFile(self._disk, name if isinstance(name, str) else name.filename())

    def xDelete(self, name: str, _: bool) -> None:  # noqa: N802
        try:
            self._disk.remove(name)
            self._disk.sync_names()
        except OSError:
            raise apsw.exception_for(apsw.SQLITE_IOERR_DELETE) from None

    def xAccess(self, name: str, _: int) -> bool:  # noqa: N802
        return name in self._disk.files

    def xFullPathname(self, name: str) -> str:  # noqa: N802
        return name


# --- for the mark ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DiskPath:
    """What the server needs of a path, on such a disk."""

    disk: Disk
    name: str

    def __str__(self) -> str:
        return self.name

    @property
    def suffix(self) -> str:
        return f".{self.name.rpartition('.')[2]}"

    @property
    def parent(self) -> DiskPath:
        return DiskPath(self.disk, "/")

    def resolve(self) -> DiskPath:
        return self

    def with_name(self, name: str) -> DiskPath:
        return DiskPath(self.disk, name)

    def glob(self, pattern: str) -> Iterator[DiskPath]:
        begin = pattern.removesuffix("*")
        return (self.with_name(name) for name in sorted(self.disk.files) if name.startswith(begin))

    def exists(self) -> bool:
        return self.name in self.disk.files

    def stat(self) -> SimpleNamespace:
        if not self.exists():
            raise FileNotFoundError(self.name)
        file = self.disk.files[self.name]
        return SimpleNamespace(st_size=len(file.content), st_dev=0, st_ino=id(file))

    def read_bytes(self) -> bytes:
        return bytes(self.disk.files[self.name].content)

    def rename(self, to: DiskPath) -> None:
        self.disk.rename(self.name, to.name)

    def unlink(self) -> None:
        self.disk.remove(self.name)


class DiskSystem:
    """The calls of ``os`` and ``fcntl`` that write files, on such disks."""

    O_RDONLY, O_RDWR, O_CREAT, O_TRUNC = os.O_RDONLY, os.O_RDWR, os.O_CREAT, os.O_TRUNC
    LOCK_EX, LOCK_NB = 2, 4

    def __init__(self) -> None:
        self._handles: dict[int, tuple[Disk, DiskFile | None]] = {}
        self._numbers = count(1)
        self.path = SimpleNamespace(samestat=lambda one, other: one is other)

    def open(self, path: DiskPath, flags: int, _mode: int = 0) -> int:
        file = None if path.name == "/" else path.disk.opened(path.name)
        if file and flags & os.O_TRUNC and file.content:
            path.disk.write(file, 0, None)
        handle = next(self._numbers)
        self._handles[handle] = path.disk, file
        return handle

    def pwrite(self, handle: int, data: bytes, at: int) -> int:
        disk, file = self._handles[handle]
        assert file is not None
        disk.write(file, at, data)
        return len(data)

    def fsync(self, handle: int) -> None:
        disk, file = self._handles[handle]
        if file is None:
            disk.sync_names()
        else:
            disk.sync(file)

    def fstat(self, handle: int) -> DiskFile | None:
        return self._handles[handle][1]

    def stat(self, path: DiskPath) -> DiskFile:
        return path.disk.files[path.name]

    def close(self, handle: int) -> None:
        self._handles.pop(handle, None)

    def fchmod(self, *_: int) -> None:
        pass

    def flock(self, *_: int) -> None:
        """Grant every lock: one process at a time uses a disk."""
