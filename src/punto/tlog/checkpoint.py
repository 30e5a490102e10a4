"""Checkpoints of a log (C2SP tlog-checkpoint), and cosignatures of witnesses on them (C2SP tlog-cosignature)."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass

from punto.tlog.note import BadNote, Note, Sign, Signature, Verifier, from_base64
from punto.tlog.tree import HASH_BYTES

_TIME_BYTES = 8
_MOST_SIZE = _LATEST = 2**63 - 1


@dataclass(frozen=True, slots=True)
class LogCheckpoint:
    """How large a log is, and the root of its tree."""

    origin: str
    size: int
    root: bytes

    @property
    def text(self) -> str:
        """The text of the note that is signed."""
        return f"{self.origin}\n{self.size}\n{b64encode(self.root).decode()}\n"

    @classmethod
    def read(cls, text: str) -> LogCheckpoint:
        """Read the text of a note; lines after the third say nothing that is checked."""
        lines = text.split("\n")
        if len(lines) < 4 or lines[-1] or not all(lines[:-1]):
            raise BadNote("a checkpoint has three lines")
        root = from_base64(lines[2])
        if len(root) != HASH_BYTES:
            raise BadNote("the root of a checkpoint has 32 bytes")
        return cls(lines[0], read_size(lines[1]), root)


def read_size(text: str) -> int:
    """Read the size of a tree, written without leading zeroes."""
    if not (text.isascii() and text.isdigit()) or (text[0] == "0" and text != "0") or len(text) > 19:
        raise BadNote("the size of a log is a whole number")
    if (size := int(text)) > _MOST_SIZE:
        raise BadNote("no log is that large")
    return size


def cosigned_message(time: int, text: str) -> bytes:
    """Return what a witness signs, with the time in seconds since 1970."""
    return f"cosignature/v1\ntime {time}\n{text}".encode()


def cosign(witness: Verifier, sign: Sign, text: str, time: int) -> Signature:
    """Return the signature of a witness on a checkpoint."""
    signature = sign(cosigned_message(time, text))
    return Signature(witness.name, witness.key_id, time.to_bytes(_TIME_BYTES, "big") + signature)


def cosigned_at(note: Note, witness: Verifier) -> int | None:
    """Return when a witness has cosigned a checkpoint; None if it has not.

    Raises ``BadNote`` if a cosignature that names the witness is not its own.
    """
    times = []
    for each in note.signatures:
        if witness.made(each):
            time = int.from_bytes(each.signature[:_TIME_BYTES], "big")
            if time > _LATEST or not witness.has_signed(
                cosigned_message(time, note.text), each.signature[_TIME_BYTES:]
            ):
                raise BadNote(f"the cosignature of {witness.name} is not of this checkpoint")
            times.append(time)
    return max(times, default=None)
