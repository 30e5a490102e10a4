"""A log as its folder has it, compared with the one that follows from the database."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from punto.store.trust.log_folder import CHECKPOINT, COSIGNED, LogFolder
from punto.store.trust.sealer import log_key
from punto.tlog.checkpoint import LogCheckpoint
from punto.tlog.note import BadNote
from punto.tlog.tiles import HEIGHT, WIDTH, BadTile, Tile, hashes_in
from punto.tlog.tree import complete_root


class PublishedLeaves:
    """The leaves of a log's newest epoch, as its folder had them when the last checkpoint was read."""

    def __init__(self, folder: LogFolder, checkpoints: Sequence[LogCheckpoint]) -> None:
        self.checkpoints = checkpoints
        """What the house has signed of it: the last checkpoint, and the last that a witness has cosigned."""
        self.origin, self.size = checkpoints[0].origin, checkpoints[0].size
        self._folder = folder
        self._hashes = lru_cache(maxsize=8)(self._read)

    @classmethod
    def read(cls, place: Path, public_key: str) -> PublishedLeaves | None:
        """Read the newest epoch of a folder; None if the house has not signed what is there."""
        epochs = sorted(int(each.name) for each in place.glob("*") if each.name.isdecimal())
        if not epochs:
            return None
        folder, checkpoints = LogFolder(place / str(epochs[-1])), list[LogCheckpoint]()
        try:
            for note in filter(None, (folder.note(CHECKPOINT), folder.note(COSIGNED))):
                checkpoint = LogCheckpoint.read(note.text)
                if not note.is_signed_by(log_key(checkpoint.origin, public_key)):
                    return None
                checkpoints.append(checkpoint)
        except BadNote:
            return None
        return cls(folder, checkpoints) if checkpoints else None

    def _read(self, level: int, number: int) -> list[bytes]:
        """Return the hashes of a tile; none if it is not there whole."""
        tile = Tile(level, number, min(WIDTH, (self.size >> HEIGHT * level) - number * WIDTH))
        try:
            found = hashes_in(self._folder.read_tile(tile))
        except BadTile:
            return []
        return found if len(found) == tile.width else []

    def first_other(self, first: int, hashes: Sequence[bytes]) -> int | None:
        """Return the first of consecutive leaves that was published otherwise, or is not there; None if none was."""
        for leaf, hash_ in enumerate(hashes[: max(0, self.size - first)], first):
            number, at = divmod(leaf, WIDTH)
            if self._hashes(0, number)[at : at + 1] != [hash_]:
                return leaf
        return None

    def wrong_tile(self) -> str | None:
        """Return the first tile above the leaves that does not follow from those below it; None if all do."""
        level = 1
        while count := self.size >> HEIGHT * level:
            for at in range(count):
                number, place = divmod(at, WIDTH)
                below = self._hashes(level - 1, at)
                if not below or self._hashes(level, number)[place : place + 1] != [complete_root(below)]:
                    return Tile(level, number, min(WIDTH, count - number * WIDTH)).path
            level += 1
        return None
