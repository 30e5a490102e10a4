"""A receipt as it is handed out: the leaf's entry, its proof, and the key of the log. It can be checked offline.

The salt in it lets its reader check this leaf and no other.
"""

from __future__ import annotations

import zlib
from base64 import b64encode
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from punto.store.protocol import Reader
from punto.store.receipts.settled_wagers import receipts_of
from punto.store.receipts.wager_receipt import RECEIPT_FORMAT, WagerReceipt, receipt_bytes
from punto.store.trust.log_folder import CHECKPOINT, COSIGNED, LogFolder
from punto.store.trust.log_leaves import contents_of, leaf_hashes, salt_of
from punto.store.trust.log_rows import LogHead, log_head, range_of, ranges_from
from punto.store.trust.sealer import log_key
from punto.tlog.checkpoint import LogCheckpoint
from punto.tlog.note import BadNote, Note
from punto.tlog.proof_text import proof_text
from punto.tlog.proofs import SubtreeHash, inclusion_proof
from punto.tlog.tree import complete_root

QR_PREFIX = "PUNTO1:"
_BASE45 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"


class ReceiptFile(Struct, frozen=True):
    """All that is needed to check a receipt, and nothing of anybody else."""

    format: str
    key: str
    """The key of the log, as ``punto log`` shows it."""
    salt: str
    """In base64."""
    receipt: str
    """Exactly as it stands in the leaf: a text in JSON."""
    proof: str
    """C2SP tlog-proof: the number of the leaf, the inclusion proof, the signed checkpoint."""


class SealedReceipt(Struct, frozen=True):
    """A receipt with the leaf that it is in."""

    leaf: int
    receipt: WagerReceipt
    file: ReceiptFile


def qr_text(file: ReceiptFile) -> str:
    """Return a receipt as text for a QR code, whole: JSON, compressed (RFC 1950), in base 45 (RFC 9285)."""
    packed = zlib.compress(msgspec.json.encode(file), 9)
    written = ""
    for at in range(0, len(packed), 2):
        pair = packed[at : at + 2]
        value = int.from_bytes(pair, "big")
        for _ in range(len(pair) + 1):
            value, digit = divmod(value, 45)
            written += _BASE45[digit]
    return QR_PREFIX + written


class PublishedLog:
    """A log as it can be proved: its last checkpoint, and the hashes below it."""

    def __init__(self, head: LogHead, key: str, note: Note, subtree: SubtreeHash) -> None:
        self.head, self.note, self.key, self._subtree = head, note, key, subtree
        self.size = LogCheckpoint.read(note.text).size

    def proof(self, leaf: int) -> str:
        """Return the proof of a leaf, as text."""
        return proof_text(leaf, inclusion_proof(self._subtree, leaf, self.size), self.note)

    def file(self, leaf: int, receipt: bytes) -> ReceiptFile:
        salt = b64encode(salt_of(self.head.secret, leaf)).decode()
        return ReceiptFile(RECEIPT_FORMAT, self.key, salt, receipt.decode(), self.proof(leaf))


async def published_logs(store: Reader, public_key: str, folder: Path) -> list[PublishedLog]:
    """Return the newest log as a folder publishes it: by the checkpoint that a witness has cosigned, and by the last.

    Nothing that this house has not signed is among them.
    """
    head = await log_head(store)
    if head is None:
        return []
    key, files = log_key(head.origin, public_key), LogFolder(folder / str(head.epoch))
    found = []
    for name in (COSIGNED, CHECKPOINT):
        with suppress(BadNote):
            note = files.note(name)
            if note and note.is_signed_by(key):
                subtrees = files.subtrees(LogCheckpoint.read(note.text).size)
                found.append(PublishedLog(head, key.text, note, subtrees))
    return found


async def recomputed_log(store: Reader, public_key: str) -> PublishedLog | None:
    """Return the newest log as the database has it, every leaf hashed again; None if nothing was sealed."""
    head = await log_head(store)
    if head is None or not head.note:
        return None
    leaves: list[bytes] = []
    async for each in ranges_from(store, head.epoch, 0, head.size):
        leaves += leaf_hashes(head.secret, each.first, await contents_of(store, head.secret, each))
    note = Note.read(head.note)
    return PublishedLog(head, log_key(head.origin, public_key).text, note, _subtrees(leaves))


def _subtrees(leaves: Sequence[bytes]) -> SubtreeHash:
    return lambda height, index: complete_root(leaves[index << height : (index + 1) << height])


async def sealed_receipts(
    store: Reader, log: PublishedLog, stream: str, number: int, patron: str
) -> list[SealedReceipt] | None:
    """Return the receipts of a patron for an event; None if the log does not have the event yet.

    Receipts of others are not among them, nor anything that tells of them.
    """
    found = await range_of(store, log.head.epoch, stream, number)
    if found is None or found.first + found.leaves > log.size:
        return None
    if number != found.last or not found.receipts:
        return []
    first = found.first + found.events
    receipts = list(enumerate(await receipts_of(store, stream, number), first))
    return [
        SealedReceipt(leaf, each, log.file(leaf, receipt_bytes(each)))
        for leaf, each in receipts
        if each.patron == patron
    ]
