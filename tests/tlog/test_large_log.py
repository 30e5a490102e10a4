"""Proofs in a log of a million leaves: how large they are, how long they take, and what they tell."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest
from support.page_code import ESBUILD, NODE, WEB, run_page_code

from punto.store.receipts.receipt_file import PublishedLog, qr_text
from punto.store.receipts.wager_receipt import WagerReceipt, receipt_bytes
from punto.store.trust.keys import Keys
from punto.store.trust.log_folder import LogFolder
from punto.store.trust.log_leaves import RECEIPT, leaf_hashes
from punto.store.trust.log_rows import LogHead
from punto.store.trust.sealer import log_key
from punto.tlog.checkpoint import LogCheckpoint
from punto.tlog.note import sign_note
from punto.tlog.proofs import inclusion_proof, is_included
from punto.tlog.tiles import TileWriter
from punto.tlog.tree import Edge

KEYS = Keys(bytes(32))
ORIGIN = "punto/" + 32 * "a" + "/1"
SECRET = KEYS.log_secret(ORIGIN)
PATRONS = 1_000
PROGRAM = Path(__file__).parents[2] / "examples" / "verify_receipt.py"
CHECK_ALL = """
import { check } from %s;
for (const [name, text] of Object.entries(%s)) {
  try {
    const found = await check(text as string, "", "");
    console.log(name, found.leaf, "of", found.size);
  } catch (error) {
    console.log(name, (error as Error).message);
  }
}
"""


def receipt(leaf: int) -> bytes:
    return receipt_bytes(
        WagerReceipt(
            format="punto-receipt-1", table="baccarat-1", event=leaf, at=1_700_000_000_000 + leaf, kind="RoundSettled",
            round=leaf // 20, patron=f"p{leaf % PATRONS:08d}", position=1, wager="Banker", stake=10_000, settled=10_000,
            result="win", outcome="win", pays="19:20", winnings=9_500, commission=500, returned=19_500, clause="4.1",
            limit_clause=None, player=("9c", "Kd"), banker=("2c", "3d", "4h"),
        )
    )  # fmt: skip


def large_log(folder: Path, leaves: int) -> PublishedLog:
    """Publish a log whose leaves are all receipts, of a thousand patrons."""
    files, tiles, edge = LogFolder(folder), TileWriter(), Edge()
    for first in range(0, leaves, 20_000):
        contents = [RECEIPT + receipt(leaf) for leaf in range(first, min(first + 20_000, leaves))]
        hashes = leaf_hashes(SECRET, first, contents)
        edge.append(hashes)
        files.write(tiles.append(hashes))
    key = log_key(ORIGIN, KEYS.public_key)
    note = sign_note(
        LogCheckpoint(ORIGIN, leaves, edge.root).text, [(key, lambda message: bytes.fromhex(KEYS.sign(message)))]
    )
    head = LogHead(1, ORIGIN, SECRET, leaves, b"".join(edge.subtrees), str(note))
    return PublishedLog(head, key.text, note, files.subtrees(leaves))


@pytest.mark.parametrize("leaves", [3_000, pytest.param(1_000_000, marks=pytest.mark.long)])
def test_a_proof_is_short_quick_and_tells_of_nobody_else(tmp_path: Path, leaves: int) -> None:
    log = large_log(tmp_path, leaves)
    leaf = leaves * 2 // 3
    begun = time.perf_counter()
    again = PublishedLog(
        log.head, log_key(ORIGIN, KEYS.public_key).text, log.note, LogFolder(tmp_path).subtrees(leaves)
    )
    file = again.file(leaf, receipt(leaf))
    made = time.perf_counter() - begun
    proof = inclusion_proof(LogFolder(tmp_path).subtrees(leaves), leaf, leaves)
    root = LogCheckpoint.read(log.note.text).root
    (hash_,) = leaf_hashes(SECRET, leaf, [RECEIPT + receipt(leaf)])
    begun = time.perf_counter()
    assert is_included(hash_, leaf, leaves, proof, root)
    checked = time.perf_counter() - begun
    content = msgspec.json.encode(file)
    print(  # noqa: T201
        f"{leaves:,} leaves: proof {len(proof)} hashes, {32 * len(proof)} bytes; file {len(content)} bytes; "
        f"QR {len(qr_text(file))} characters; made in {1000 * made:.2f} ms, checked in {1000 * checked:.3f} ms"
    )
    assert len(proof) <= (leaves - 1).bit_length()
    assert len(content) < 2_500
    assert len(qr_text(file)) < 3_000
    assert [f"p{each:08d}" in content.decode() for each in range(PATRONS)].count(True) == 1
    assert not is_included(sha256(hash_).digest(), leaf, leaves, proof, root)
    assert b64encode(proof[0]).decode() in file.proof


@pytest.mark.long
def test_program_and_page_check_a_receipt_of_a_large_log(tmp_path: Path) -> None:
    leaves, leaf = 1_000_000, 666_666
    log = large_log(tmp_path / "log", leaves)
    file = log.file(leaf, receipt(leaf))
    changed = msgspec.structs.replace(file, receipt=file.receipt.replace('"returned":19500', '"returned":99500'))
    texts = {
        "whole": msgspec.json.encode(file).decode(),
        "code": qr_text(file),
        "changed": msgspec.json.encode(changed).decode(),
    }
    told = list[str]()
    for name, text in texts.items():
        written = tmp_path / name
        written.write_text(text, "utf-8")
        done = subprocess.run([sys.executable, "-I", PROGRAM, written], capture_output=True, text=True, check=False)
        told.append((done.stdout or done.stderr).partition(" in ")[0])
    assert told[:2] == [f"in order: leaf {leaf} of {leaves}"] * 2
    assert told[2].startswith("NOT")
    if NODE and ESBUILD.exists():
        source = json.dumps(str(WEB / "src" / "receipt" / "receipt-check.ts"))
        assert run_page_code(CHECK_ALL % (source, json.dumps(texts)), tmp_path) == [
            f"whole {leaf} of {leaves}", f"code {leaf} of {leaves}", "changed leaf"
        ]  # fmt: skip
