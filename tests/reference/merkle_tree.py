"""The Merkle tree of RFC 6962 word for word: the recursive definitions of root and proofs, over all leaves."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256


def _split(size: int) -> int:
    power = 1
    while power * 2 < size:
        power *= 2
    return power


def root(entries: Sequence[bytes]) -> bytes:
    """MTH(D[n]), section 2.1."""
    if not entries:
        return sha256().digest()
    if len(entries) == 1:
        return sha256(b"\0" + entries[0]).digest()
    half = _split(len(entries))
    return sha256(b"\1" + root(entries[:half]) + root(entries[half:])).digest()


def path(leaf: int, entries: Sequence[bytes]) -> list[bytes]:
    """PATH(m, D[n]), section 2.1.1."""
    if len(entries) == 1:
        return []
    half = _split(len(entries))
    if leaf < half:
        return [*path(leaf, entries[:half]), root(entries[half:])]
    return [*path(leaf - half, entries[half:]), root(entries[:half])]


def proof(old: int, entries: Sequence[bytes], known: bool = True) -> list[bytes]:
    """PROOF(m, D[n]) and SUBPROOF, section 2.1.2."""
    if old == len(entries):
        return [] if known else [root(entries)]
    half = _split(len(entries))
    if old <= half:
        return [*proof(old, entries[:half], known), root(entries[half:])]
    return [*proof(old - half, entries[half:], False), root(entries[:half])]
