"""The leaves of a log as its folder has them, compared with those that follow from the database."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from punto.store.trust.log_folder import LogFolder
from punto.store.trust.sealer import log_key
from punto.tlog.checkpoint import LogCheckpoint
from punto.tlog.note import BadNote
from punto.tlog.tiles import WIDTH, BadTile, Tile, hashes_in


class PublishedLeaves:
    """The leaves of a log's newest epoch, as its folder had them when the last checkpoint was read."""

    def __init__(self, folder: LogFolder, checkpoint: LogCheckpoint) -> None:
        self.origin, self.size = checkpoint.origin, checkpoint.size
        self._tile = lru_cache(maxsize=8)(lambda number: self._read(folder, number))

    @classmethod
    def read(cls, place: Path, public_key: str) -> PublishedLeaves | None:
        """Read the newest epoch of a folder; None if the house has signed nothing that is there."""
        epochs = sorted(int(each.name) for each in place.glob("*") if each.name.isdecimal())
        if not epochs:
            return None
        folder = LogFolder(place / str(epochs[-1]))
        try:
            note = folder.note()
            checkpoint = LogCheckpoint.read(note.text) if note else None
            signed = note and checkpoint and note.is_signed_by(log_key(checkpoint.origin, public_key))
        except BadNote:
            return None
        return cls(folder, checkpoint) if checkpoint and signed else None

    def _read(self, folder: LogFolder, number: int) -> list[bytes]:
        width = min(WIDTH, self.size - number * WIDTH)
        try:
            return hashes_in(folder.read_tile(Tile(0, number, width)))
        except BadTile:
            return []

    def first_other(self, first: int, hashes: Sequence[bytes]) -> int | None:
        """Return the first of consecutive leaves that was published otherwise, or is not there; None if none was."""
        for leaf, hash_ in enumerate(hashes[: max(0, self.size - first)], first):
            number, at = divmod(leaf, WIDTH)
            if self._tile(number)[at : at + 1] != [hash_]:
                return leaf
        return None
