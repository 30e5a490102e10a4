"""A proof as text (C2SP tlog-proof): where a leaf is, its inclusion proof, and the signed checkpoint."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence

from punto.tlog.note import Note

_HEADING = "c2sp.org/tlog-proof@v1"


def proof_text(index: int, proof: Sequence[bytes], checkpoint: Note) -> str:
    """Return the proof that the tree of a checkpoint has a leaf."""
    hashes = "".join(f"{b64encode(each).decode()}\n" for each in proof)
    return f"{_HEADING}\nindex {index}\n{hashes}\n{checkpoint}"
