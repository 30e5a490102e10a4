"""Proofs of RFC 6962 and 9162: that a leaf is in a tree, and that one tree is the beginning of another.

Proofs are made from a function that returns the hash of a complete subtree by its height and index, so that they can be
made from tiles as well as from all leaves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from punto.tlog.tree import EMPTY_ROOT, node_hash, root_of_edge

SubtreeHash = Callable[[int, int], bytes]
"""Returns the hash of the complete subtree of 2**height leaves that has an index at that height."""


def subtree_places(begin: int, end: int) -> list[tuple[int, int]]:
    """Return height and index of the complete subtrees that make up a range of leaves, from the left.

    The range is one that occurs in a tree: it begins at a multiple of the largest power of two below its length.
    """
    places = []
    while begin < end:
        height = (end - begin).bit_length() - 1
        places.append((height, begin >> height))
        begin += 1 << height
    return places


def range_hash(subtree: SubtreeHash, begin: int, end: int) -> bytes:
    """Return the hash of a range of leaves that occurs in a tree."""
    return root_of_edge([subtree(*place) for place in subtree_places(begin, end)])


def _split(size: int) -> int:
    """Return the largest power of two below a size."""
    return 1 << ((size - 1).bit_length() - 1)


def inclusion_proof(subtree: SubtreeHash, index: int, size: int) -> list[bytes]:
    """Return the proof that a tree of a size has a leaf, from the leaf's neighbour up."""
    if not 0 <= index < size:
        raise ValueError(f"a tree of {size} leaves has no leaf {index}")
    proof, begin, end = list[bytes](), 0, size
    while end - begin > 1:
        middle = begin + _split(end - begin)
        if index < middle:
            proof.append(range_hash(subtree, middle, end))
            end = middle
        else:
            proof.append(range_hash(subtree, begin, middle))
            begin = middle
    return proof[::-1]


def consistency_proof(subtree: SubtreeHash, old: int, size: int) -> list[bytes]:
    """Return the proof that a tree of ``old`` leaves is the beginning of one of ``size``."""
    if not 0 <= old <= size:
        raise ValueError(f"a tree of {old} leaves is not the beginning of one of {size}")
    if old in (0, size):
        return []
    proof, begin, end, is_known = list[bytes](), 0, size, True
    while old != end:
        middle = begin + _split(end - begin)
        if old <= middle:
            proof.append(range_hash(subtree, middle, end))
            end = middle
        else:
            proof.append(range_hash(subtree, begin, middle))
            begin, is_known = middle, False
    if not is_known:
        proof.append(range_hash(subtree, begin, end))
    return proof[::-1]


def is_included(leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> bool:
    """Whether a proof shows that a tree has a leaf (RFC 9162, section 2.1.3.2)."""
    if not 0 <= index < size:
        return False
    node, last, result = index, size - 1, leaf
    for hash_ in proof:
        if last == 0:
            return False
        if node & 1 or node == last:
            result = node_hash(hash_, result)
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            result = node_hash(result, hash_)
        node, last = node >> 1, last >> 1
    return last == 0 and result == root


def is_consistent(old: int, size: int, old_root: bytes, root: bytes, proof: Sequence[bytes]) -> bool:
    """Whether a proof shows that one tree is the beginning of another (RFC 9162, section 2.1.4.2)."""
    if old == 0:
        return not proof and old_root == EMPTY_ROOT
    if old == size:
        return not proof and old_root == root
    if not 0 < old < size or not proof:
        return False
    hashes = [old_root, *proof] if old & (old - 1) == 0 else list(proof)
    node, last = old - 1, size - 1
    while node & 1:
        node, last = node >> 1, last >> 1
    return _climbed(node, last, hashes) == (old_root, root)


def _climbed(node: int, last: int, hashes: Sequence[bytes]) -> tuple[bytes, bytes] | None:
    """Return the roots of both trees by a proof; None if it does not end at the top."""
    before = after = hashes[0]
    for hash_ in hashes[1:]:
        if last == 0:
            return None
        if node & 1 or node == last:
            before, after = node_hash(hash_, before), node_hash(hash_, after)
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            after = node_hash(after, hash_)
        node, last = node >> 1, last >> 1
    return None if last else (before, after)
