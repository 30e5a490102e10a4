"""The folder in which a log is published: tiles and the checkpoint as static files, which any web server can serve.

All of it follows from the database and can be made again. The checkpoint is also what keeps a log from being continued
from an older database: it is outside of it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from punto.store.records import StoreError
from punto.tlog.checkpoint import LogCheckpoint
from punto.tlog.note import BadNote, Note, Verifier
from punto.tlog.proofs import SubtreeHash
from punto.tlog.tiles import WIDTH, BadTile, Tile, partial_tiles, subtree_reader

CHECKPOINT, COSIGNED = "checkpoint", "cosigned"
"""The file of the last checkpoint, and of the last one that a witness has cosigned."""


class LogForked(StoreError):
    """The database does not continue the log that was published: nothing more of it is sealed."""


class LogFolder:
    """The published files of a log."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read_tile(self, tile: Tile) -> bytes:
        """Return a tile; a partial one is also found in the tile that was completed since."""
        with suppress(OSError):
            return (self.path / tile.path).read_bytes()
        try:
            return (self.path / tile._replace(width=WIDTH).path).read_bytes()[: 32 * tile.width]
        except OSError:
            raise BadTile(f"{self.path / tile.path}: there is no such tile") from None

    def partial(self, size: int) -> list[bytes]:
        """Return the partial tiles of a tree; raise ``BadTile`` if one is not there whole."""
        contents = [self.read_tile(tile) for tile in partial_tiles(size)]
        for tile, content in zip(partial_tiles(size), contents, strict=True):
            if len(content) != 32 * tile.width:
                raise BadTile(f"{self.path / tile.path}: expected {tile.width} hashes")
        return contents

    def note(self, name: str = CHECKPOINT) -> Note | None:
        """Return a published checkpoint; None if there is none. Raises ``BadNote`` if it is none."""
        try:
            return Note.read((self.path / name).read_text("utf-8"))
        except FileNotFoundError:
            return None
        except (OSError, UnicodeDecodeError):
            raise BadNote(f"{self.path / name}: cannot be read") from None

    def checkpoint(self, log: Verifier) -> LogCheckpoint | None:
        """Return what was published last, if the log has signed it."""
        note = self.note()
        return LogCheckpoint.read(note.text) if note and note.is_signed_by(log) else None

    def write(self, tiles: Mapping[Tile, bytes]) -> None:
        """Write tiles, and remove the partial ones of a tile that is complete."""
        for tile, content in tiles.items():
            place = self.path / tile.path
            place.parent.mkdir(parents=True, exist_ok=True)
            _put(place, content)
            if tile.width == WIDTH:
                for old in place.with_name(f"{place.name}.p").glob("*"):
                    old.unlink(missing_ok=True)

    def publish(self, note: str, name: str = CHECKPOINT) -> None:
        """Put a checkpoint in the place of the one before, durably; its tiles are there already."""
        self.path.mkdir(parents=True, exist_ok=True)
        _put(self.path / name, note.encode(), durable=True)

    def subtrees(self, size: int) -> SubtreeHash:
        """Return what finds hashes of subtrees in the tiles."""
        return subtree_reader(size, self.read_tile)


def _put(place: Path, content: bytes, durable: bool = False) -> None:
    """Write a file beside its place and move it there, so that a reader sees all of it or what was there before."""
    beside = place.with_name(f"{place.name}-new")
    with beside.open("wb") as opened:
        opened.write(content)
        if durable:
            opened.flush()
            os.fsync(opened.fileno())
    beside.replace(place)
