"""The Merkle tree of RFC 6962: hashes of leaves and nodes, and a tree that grows at its right edge."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

HASH_BYTES = 32
EMPTY_ROOT = sha256(b"").digest()
"""The root of a tree without leaves."""


def leaf_hash(entry: bytes) -> bytes:
    """Return the hash of an entry as a leaf."""
    return sha256(b"\0" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of two subtrees beside each other."""
    return sha256(b"\1" + left + right).digest()


def paired(hashes: Sequence[bytes]) -> list[bytes]:
    """Return the hashes of neighbours in pairs; a last one without a neighbour is left out."""
    return [sha256(b"\1" + left + right).digest() for left, right in zip(hashes[::2], hashes[1::2], strict=False)]


def complete_root(hashes: Sequence[bytes]) -> bytes:
    """Return the root over hashes whose number is a power of two."""
    while len(hashes) > 1:
        hashes = paired(hashes)
    return hashes[0]


def root_of_edge(edge: Sequence[bytes]) -> bytes:
    """Return the root of a tree from its complete subtrees, the largest first."""
    if not edge:
        return EMPTY_ROOT
    root = edge[-1]
    for left in reversed(edge[:-1]):
        root = node_hash(left, root)
    return root


class Edge:
    """The right edge of a tree: the roots of its complete subtrees, from which it grows without the leaves before."""

    def __init__(self, size: int = 0, subtrees: Sequence[bytes] = ()) -> None:
        if len(subtrees) != size.bit_count():
            raise ValueError(f"a tree of {size} leaves has {size.bit_count()} complete subtrees, not {len(subtrees)}")
        self.size = size
        heights = [height for height in range(size.bit_length()) if size >> height & 1]
        self._by_height = dict(zip(reversed(heights), subtrees, strict=True))

    @property
    def subtrees(self) -> list[bytes]:
        """The roots of the complete subtrees, the largest first."""
        return [self._by_height[height] for height in sorted(self._by_height, reverse=True)]

    @property
    def root(self) -> bytes:
        return root_of_edge(self.subtrees)

    def append(self, leaves: Sequence[bytes]) -> None:
        """Add hashes of leaves: at each height what is complete goes up, and at most one stays."""
        self.size, height, hashes = self.size + len(leaves), 0, list(leaves)
        while hashes:
            if height in self._by_height:
                hashes.insert(0, self._by_height.pop(height))
            if len(hashes) % 2:
                self._by_height[height] = hashes[-1]
            hashes, height = paired(hashes), height + 1
