"""Tiles (C2SP tlog-tiles): a tree as static files of at most 256 hashes, eight heights of the tree to a level."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from punto.tlog.proofs import SubtreeHash
from punto.tlog.tree import HASH_BYTES, complete_root

WIDTH = 256
HEIGHT = 8


class Tile(NamedTuple):
    """The place of a tile; ``width`` is below 256 where it is partial."""

    level: int
    number: int
    width: int = WIDTH

    @property
    def path(self) -> str:
        """The path below the log's prefix."""
        digits = f"{self.number:03d}"
        digits = digits.zfill(-(-len(digits) // 3) * 3)
        parts = [digits[at : at + 3] for at in range(0, len(digits), 3)]
        name = "/".join([*(f"x{each}" for each in parts[:-1]), parts[-1]])
        return f"tile/{self.level}/{name}{'' if self.width == WIDTH else f'.p/{self.width}'}"


class BadTile(ValueError):
    """A tile that is not there, or has another length than its width says."""


ReadTile = Callable[[Tile], bytes]


def partial_tiles(size: int) -> list[Tile]:
    """Return the partial tiles of a tree, the lowest level first."""
    tiles, level = list[Tile](), 0
    while size >> HEIGHT * level:
        hashes = size >> HEIGHT * level
        if hashes % WIDTH:
            tiles.append(Tile(level, hashes // WIDTH, hashes % WIDTH))
        level += 1
    return tiles


def hashes_in(content: bytes) -> list[bytes]:
    """Return the hashes of a tile."""
    return [content[at : at + HASH_BYTES] for at in range(0, len(content), HASH_BYTES)]


def subtree_reader(size: int, read: ReadTile) -> SubtreeHash:
    """Return what finds hashes of complete subtrees in the tiles of a tree of this size; each tile is read once."""
    known: dict[Tile, list[bytes]] = {}

    def hashes_of(tile: Tile) -> list[bytes]:
        if tile not in known:
            content = read(tile)
            if len(content) != tile.width * HASH_BYTES:
                raise BadTile(f"{tile.path}: expected {tile.width} hashes")
            known[tile] = hashes_in(content)
        return known[tile]

    def subtree(height: int, index: int) -> bytes:
        level, above = divmod(height, HEIGHT)
        begin = index << above
        number, at = divmod(begin, WIDTH)
        width = min(WIDTH, (size >> HEIGHT * level) - number * WIDTH)
        return complete_root(hashes_of(Tile(level, number, width))[at : at + (1 << above)])

    return subtree


class TileWriter:
    """The last tile of each level of a tree that grows; what is complete is handed over to be written."""

    def __init__(self, size: int = 0, partial: Sequence[bytes] = ()) -> None:
        """Begin with the contents of the partial tiles of a tree of this size, the lowest level first."""
        self.size = size
        self._last: dict[int, list[bytes]] = {}
        for tile, content in zip(partial_tiles(size), partial, strict=True):
            self._last[tile.level] = hashes_in(content)

    def append(self, leaves: Sequence[bytes]) -> dict[Tile, bytes]:
        """Add hashes of leaves; return the tiles that are complete by them, and all that are partial now."""
        written: dict[Tile, bytes] = {}
        begin, level, hashes = self.size, 0, list(leaves)
        self.size += len(leaves)
        while hashes:
            first = (begin >> HEIGHT * level) // WIDTH
            hashes = self._last.pop(level, []) + hashes
            full = len(hashes) // WIDTH
            tiles = [hashes[at * WIDTH : (at + 1) * WIDTH] for at in range(full)]
            written.update((Tile(level, first + at), b"".join(tile)) for at, tile in enumerate(tiles))
            if rest := hashes[full * WIDTH :]:
                self._last[level] = rest
                written[Tile(level, first + full, len(rest))] = b"".join(rest)
            hashes, level = [complete_root(tile) for tile in tiles], level + 1
        return written
