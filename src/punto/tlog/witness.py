"""What a witness does with a checkpoint (C2SP tlog-witness): it cosigns only what continues what it has cosigned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from punto.tlog.checkpoint import LogCheckpoint, read_size
from punto.tlog.note import BadNote, Note, Verifier, from_base64
from punto.tlog.proofs import is_consistent
from punto.tlog.tree import EMPTY_ROOT, HASH_BYTES

MOST_PROOF_LINES = 63


class NotCosigned(Exception):
    """Why a witness does not cosign: the status of HTTP, and a sentence."""

    def __init__(self, status: int, sentence: str, size: int | None = None) -> None:
        super().__init__(sentence)
        self.status, self.size = status, size


@dataclass(frozen=True, slots=True)
class AddCheckpoint:
    """A request to cosign: the size that the witness has, the proof from there, and the checkpoint."""

    old: int
    proof: tuple[bytes, ...]
    note: Note

    @property
    def checkpoint(self) -> LogCheckpoint:
        return LogCheckpoint.read(self.note.text)


def read_request(body: str) -> AddCheckpoint:
    """Read the body of a request; raise ``NotCosigned`` if it is none."""
    head, blank, note = body.partition("\n\n")
    first, *lines = head.split("\n")
    try:
        if not blank or not first.startswith("old ") or len(lines) > MOST_PROOF_LINES:
            raise BadNote("expected the old size, a proof and a checkpoint")
        proof = tuple(map(from_base64, lines))
        if any(len(each) != HASH_BYTES for each in proof):
            raise BadNote("expected hashes of 32 bytes")
        request = AddCheckpoint(read_size(first.removeprefix("old ")), proof, Note.read(note))
        request.checkpoint  # noqa: B018  # raises if it is none
    except BadNote as error:
        raise NotCosigned(400, str(error)) from None
    return request


def check(request: AddCheckpoint, logs: Sequence[Verifier], known: LogCheckpoint | None) -> LogCheckpoint:
    """Return the checkpoint that may be cosigned, in the order of checks that the specification gives.

    ``logs`` are the keys that the witness trusts, ``known`` is what it has cosigned of this log last.
    """
    new = request.checkpoint
    keys = [key for key in logs if key.name == new.origin]
    if not keys:
        raise NotCosigned(404, f"{new.origin}: this log is not known here")
    try:
        signed = [request.note.is_signed_by(key) for key in keys]
    except BadNote as error:
        raise NotCosigned(403, str(error)) from None
    if not any(signed):
        raise NotCosigned(403, "the log has not signed this checkpoint")
    _check_continues(request, new, known)
    return new


def _check_continues(request: AddCheckpoint, new: LogCheckpoint, known: LogCheckpoint | None) -> None:
    """Raise ``NotCosigned`` unless a checkpoint continues what was cosigned, by the proof in the request."""
    if request.old > new.size:
        raise NotCosigned(400, f"a log of {new.size} leaves does not continue one of {request.old}")
    size, root = (known.size, known.root) if known else (0, b"")
    if request.old != size:
        raise NotCosigned(409, f"the last checkpoint that was cosigned here has {size} leaves", size)
    if new.size == 0 and new.root != EMPTY_ROOT:
        raise NotCosigned(422, "an empty log has another root")
    if size == 0 and request.proof:
        raise NotCosigned(422, "a first checkpoint needs no proof")
    if size and not is_consistent(size, new.size, root, new.root, request.proof):
        raise NotCosigned(422, "this checkpoint is inconsistent with the one that was cosigned before")
