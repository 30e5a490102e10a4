"""A proof as text (C2SP tlog-proof): where a leaf is, its inclusion proof, and the signed checkpoint."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from typing import NamedTuple

from punto.tlog.checkpoint import read_size
from punto.tlog.note import BadNote, Note, from_base64

_HEADING = "c2sp.org/tlog-proof@v1"


def proof_text(index: int, proof: Sequence[bytes], checkpoint: Note) -> str:
    """Return the proof that the tree of a checkpoint has a leaf."""
    hashes = "".join(f"{b64encode(each).decode()}\n" for each in proof)
    return f"{_HEADING}\nindex {index}\n{hashes}\n{checkpoint}"


class Proof(NamedTuple):
    """A proof as it was read; nothing of it is checked."""

    leaf: int
    hashes: list[bytes]
    note: Note


def read_proof(text: str) -> Proof:
    """Read a proof; raise ``BadNote`` if it is none."""
    lines, blank, note = text.partition("\n\n")
    heading, _, rest = lines.partition("\n")
    index, *hashes = rest.split("\n")
    if index.startswith("extra "):  # of another application; nothing vouches for it
        from_base64(index.removeprefix("extra "))
        index, *hashes = hashes or [""]
    if heading != _HEADING or not blank or not index.startswith("index "):
        raise BadNote("expected a proof")
    return Proof(read_size(index.removeprefix("index ")), [from_base64(each) for each in hashes], Note.read(note))
