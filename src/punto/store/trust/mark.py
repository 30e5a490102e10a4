"""The mark of a house: how far each stream was acknowledged, in a file outside the database, beside the key.

Each process writes to its own file after a commit and before the answer, one write a batch. So a mark is never ahead of
its database, unless the database went back: an older copy was put in its place, or a failover lost the last commits.

The file is a list of entries, each authenticated with the house's key. The first holds the house, the epoch and every
stream so far; each later one what a batch moved. A process that is killed loses nothing it has written. Entries are not
synced to disk one by one: a crash of the whole machine may lose the last of them, which makes the mark less strict.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from msgspec import MsgspecError, Struct, msgpack

from punto.store.batch import Transaction
from punto.store.events.house_events import HOUSE
from punto.store.records import ClosedBy, HouseBehind, StoreError
from punto.store.trust.keys import Keys

LARGEST = 1_048_576
"""Bytes: a file that has grown to this is written again with one entry for all streams."""
MOST_PROCESSES = 100
"""Files beside each other, one for each process on a machine."""
_LENGTH_BYTES, _CODE_BYTES = 4, 16
_FORMAT = b"punto-mark-1"

Positions = dict[str, tuple[int, bytes]]
"""By stream the number and the hash of the last event that was acknowledged."""


class BadMark(StoreError):
    """A mark that cannot be used here; the message says why."""


class _First(Struct, array_like=True, frozen=True):
    """The first entry of a file."""

    house: bytes
    epoch: int
    positions: Positions


_encode = msgpack.Encoder().encode
_decode_first = msgpack.Decoder(_First).decode
_decode_moved = msgpack.Decoder(Positions).decode


@dataclass(frozen=True, slots=True)
class MarkRead:
    """What a file says: the epoch, and how far each stream was acknowledged. None where it cannot be believed."""

    file: Path
    epoch: int = 0
    positions: Positions | None = None


def mark_files(place: Path) -> list[Path]:
    """Return the files of all processes on this machine that mark the database: ``x.mark``, ``x.mark.2`` and so on."""
    others = (each for each in place.parent.glob(f"{place.name}.*") if each.suffix[1:].isdigit())
    return [each for each in (place, *sorted(others)) if each.exists() and each.stat().st_size]


def read_marks(place: Path, keys: Keys, house: bytes) -> list[MarkRead]:
    """Read the marks of all processes; raise ``BadMark`` if one is another house's."""
    return [_read(file, keys, house) for file in mark_files(place)]


def _read(file: Path, keys: Keys, house: bytes) -> MarkRead:
    try:
        entries = _entries(file.read_bytes(), keys)
    except OSError as error:
        raise BadMark(f"{file}: the mark cannot be read: {error.strerror}") from None
    body, is_right = next(entries, (b"", False))
    try:
        first = _decode_first(body)
    except MsgspecError:
        return MarkRead(file)
    if first.house != house:
        raise BadMark(f"{file}: is the mark of another house; move it away, or name another file with --mark")
    if not is_right:
        return MarkRead(file)
    positions = first.positions
    for body, is_right in entries:
        if not is_right:
            break  # torn by a crash of the machine: what stands before it counts
        positions |= _decode_moved(body)
    return MarkRead(file, first.epoch, positions)


def _entries(content: bytes, keys: Keys) -> Iterator[tuple[bytes, bool]]:
    """Yield the body of each entry, and whether the house wrote it at this place in the file."""
    at = index = 0
    while at < len(content):
        begin = at + _LENGTH_BYTES
        end = begin + int.from_bytes(content[at:begin], "big")
        body, code = content[begin:end], content[end : end + _CODE_BYTES]
        yield body, code == _code(keys, index, body)
        at, index = end + _CODE_BYTES, index + 1


def _code(keys: Keys, index: int, body: bytes) -> bytes:
    return keys.authenticate(_FORMAT + index.to_bytes(8, "big") + body)


# --- writing ---------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _File:
    """A file that entries are appended to, locked for this process."""

    handle: int
    keys: Keys
    index: int = 0
    size: int = 0

    @classmethod
    def made(cls, path: Path, keys: Keys, first: _First) -> _File:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
        os.fchmod(handle, 0o600)
        fcntl.flock(handle, fcntl.LOCK_EX)
        made = cls(handle, keys)
        made.append(_encode(first))
        return made

    def append(self, body: bytes) -> None:
        """Write one entry; one that could not be written whole is overwritten by the next."""
        entry = len(body).to_bytes(_LENGTH_BYTES, "big") + body + _code(self.keys, self.index, body)
        if os.pwrite(self.handle, entry, self.size) != len(entry):
            raise OSError(28, "no space is left")
        self.size, self.index = self.size + len(entry), self.index + 1


def _slot(place: Path) -> tuple[Path, int]:
    """Return the first file that no living process marks, locked."""
    for number in range(1, MOST_PROCESSES + 1):
        path = place if number == 1 else place.with_name(f"{place.name}.{number}")
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        with suppress(BlockingIOError, FileNotFoundError):
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(handle), os.stat(path)):  # noqa: PTH116
                return path, handle
        os.close(handle)
    raise BadMark(f"{place}: {MOST_PROCESSES} processes mark this database already")


@dataclass(slots=True)
class HouseMark:
    """The mark that this process writes."""

    path: Path
    house: bytes
    epoch: int
    positions: Positions
    keys: Keys
    failed: Callable[[OSError], None] | None = None
    """Is told once when the file cannot be written; play goes on, and the next batch tries again."""
    _file: _File = field(init=False)
    _next: _File | None = None
    """The file that replaces this one once it is synced."""
    _unwritten: Positions = field(default_factory=dict)
    _failing: bool = False

    @classmethod
    def begin(cls, place: Path, keys: Keys, house: bytes, epoch: int) -> HouseMark:
        """Take a file that no living process marks, and begin an epoch or go on with it."""
        try:
            path, handle = _slot(place)
            try:
                before = _read(path, keys, house)
                mark = cls(path, house, epoch, before.positions or {} if before.epoch == epoch else {}, keys)
                mark._file = mark._made()
                mark._replace(mark._file)
            finally:
                os.close(handle)
        except OSError as error:
            why = f"no mark can be written there: {error.strerror}; name another place with --mark"
            raise BadMark(f"{place}: {why}") from None
        return mark

    def _made(self) -> _File:
        return _File.made(self._beside, self.keys, _First(self.house, self.epoch, self.positions))

    @property
    def _beside(self) -> Path:
        return self.path.with_name(f"{self.path.name}-new")

    def _replace(self, by: _File) -> None:
        """Put a file in the place of the one before, durably."""
        os.fsync(by.handle)
        self._beside.rename(self.path)
        folder = os.open(self.path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def contradicts(self, heads: Positions) -> bool:
        """Whether a database with these heads is behind what this process has acknowledged."""
        for stream, (number, hash_) in heads.items():
            known, known_hash = self.positions.get(stream, (0, b""))
            if number < known or (number == known and known and hash_ != known_hash):
                return True
        return False

    def note(self, stored: Iterable[Transaction]) -> None:
        """Write down what a batch has stored, before any of it is answered."""
        moved = {each.stream: (each.number, each.hash) for done in stored if not done.error for each in done.records}
        if not moved:
            return
        self.positions |= moved
        try:
            self._append(_encode(self._unwritten | moved if self._unwritten else moved))
        except OSError as error:
            self._unwritten |= moved
            if self.failed and not self._failing:
                self.failed(error)
            self._failing = True
            return
        self._failing = False
        self._unwritten = {}

    def _append(self, body: bytes) -> None:
        self._file.append(body)
        if self._next:
            self._next.append(body)
        elif self._file.size > LARGEST + self._least:
            self._begin_next()

    @property
    def _least(self) -> int:
        """About what one entry for all streams takes."""
        return 100 * len(self.positions)

    def _begin_next(self) -> None:
        """Write a short file and have a thread sync it; until it takes the place of this one, both are written."""
        self._next = new = self._made()
        synced = asyncio.get_running_loop().run_in_executor(None, os.fsync, new.handle)
        synced.add_done_callback(lambda done: self._switch(new, done.exception()))

    def _switch(self, new: _File, error: BaseException | None) -> None:
        if self._next is not new:
            return
        old, self._next = (new, None) if error else (self._file, None)
        if error is None:
            self._beside.rename(self.path)
            self._file = new
        os.close(old.handle)

    def close(self) -> None:
        """Let go of the file; what it says stays."""
        if self._next:
            os.close(self._next.handle)
            self._next = None
        os.close(self._file.handle)


class Marking:
    """What a store does about a mark: answer only what is marked, and store nothing while it is behind."""

    mark: HouseMark | None = None
    losses = 0
    """How often the connection to the database was lost."""
    closed = False
    """Whether nothing is stored any more but in the house's own stream, which says why."""
    closed_by = ClosedBy.BEHIND
    """Why, if it is."""
    went_back: Callable[[str, int, int], None] | None = None
    """Is told when the database turns out to be behind: the stream, the event it should have, how many it has."""

    def _refuses(self, transactions: Sequence[Transaction]) -> bool:
        """Refuse what would be stored in a closed house; return whether there was any such thing."""
        if not self.closed or all(append.stream == HOUSE for each in transactions for append in each.appends):
            return False
        for each in transactions:
            each.error = HouseBehind(self.closed_by)
        return True

    def _note(self, work: Iterable[object]) -> None:
        if self.mark and not self.closed:  # what a closed house says of itself does not move its mark
            self.mark.note(each for each in work if isinstance(each, Transaction))

    def _check_heads(self, transactions: Iterable[Transaction], heads: Positions, broken: Collection[str]) -> None:
        """Raise ``HouseBehind`` if the database lacks events that these transactions follow, or that were marked."""
        expected: dict[str, int] = {}
        for append in (append for each in transactions for append in each.appends):
            expected.setdefault(append.stream, append.expected)
        if self.closed:
            if expected.keys() - {HOUSE}:
                raise HouseBehind(self.closed_by)
            return
        for stream, number in expected.items():
            ahead = number > heads[stream][0] and stream not in broken
            if ahead or (self.mark and self.mark.contradicts({stream: heads[stream]})):
                self.closed = True
                if self.went_back:
                    self.went_back(stream, number, heads[stream][0])
                raise HouseBehind
