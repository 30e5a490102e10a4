"""Check a receipt of a settled wager offline. It needs Python and ``cryptography``, and nothing of Punto.

    python verify_receipt.py RECEIPT [KEY [WITNESS]]

RECEIPT is the file, or a file with the text of the QR code; KEY and WITNESS are keys that you know from elsewhere.
"""

import json
import sys
import zlib
from base64 import b64decode
from hashlib import sha256
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


def need(holds: object, otherwise: str) -> None:
    if not holds:
        raise ValueError(otherwise)


def read(text: str) -> Any:
    if text.startswith("PUNTO1:"):  # base 45 (RFC 9285), then zlib
        digits = ["0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:".index(each) for each in text.rstrip("\r\n")[7:]]
        groups = [digits[at : at + 3] for at in range(0, len(digits), 3)]
        parts = [sum(n * 45**at for at, n in enumerate(each)).to_bytes(len(each) - 1, "big") for each in groups]
        text = zlib.decompress(b"".join(parts)).decode()
    return json.loads(text)


def check_signed(key: str, note: str, kind: int) -> None:
    name, _, encoded = key.split("+", 2)
    content, text, found = b64decode(encoded), note[: note.rindex("\n\n") + 1], False
    for _, signer, encoded in (line.split(" ") for line in note[len(text) + 1 :].splitlines()):
        key_id, signature, message = b64decode(encoded)[:4], b64decode(encoded)[4:], text
        if kind == 4:  # a witness signs the time too
            message = f"cosignature/v1\ntime {int.from_bytes(signature[:8], 'big')}\n{text}"
        if signer == name and content[0] == kind and key_id == sha256(name.encode() + b"\n" + content).digest()[:4]:
            Ed25519PublicKey.from_public_bytes(content[1:]).verify(signature[-64:], message.encode())
            found = True
    need(found, f"{name} has not signed the checkpoint")


def root_with(leaf: bytes, node: int, last: int, proof: list[bytes]) -> bytes:  # RFC 9162, section 2.1.3.2
    for each in proof:
        need(last, "the proof is too long")
        beside = node % 2 == 1 or node == last
        leaf = sha256(b"\1" + (each + leaf if beside else leaf + each)).digest()
        while beside and node and node % 2 == 0:
            node, last = node // 2, last // 2
        node, last = node // 2, last // 2
    need(last == 0, "the proof is too short")
    return leaf


def main(file: str, key: str | None = None, witness: str | None = None) -> str:
    receipt = read(Path(file).read_text("utf-8"))
    need(receipt["format"] == "punto-receipt-1" and key in (None, receipt["key"]), "it is of another form or log")
    (_, index, *hashes), note = (part := receipt["proof"].partition("\n\n"))[0].split("\n"), part[2]
    check_signed(receipt["key"], note, 1)
    if witness:
        check_signed(witness, note, 4)
    (origin, size, root), leaf = note.split("\n")[:3], int(index.removeprefix("index "))
    need(origin == receipt["key"].split("+")[0] and 0 <= leaf < int(size), "it is of another log")
    entry = b64decode(receipt["salt"]) + b"\2" + receipt["receipt"].encode()
    found = root_with(sha256(b"\0" + entry).digest(), leaf, int(size) - 1, [b64decode(each) for each in hashes])
    need(found == b64decode(root), "the log does not have this receipt")
    return f"in order: leaf {leaf} of {size} in {origin}\n{receipt['receipt']}"


if __name__ == "__main__":
    try:
        found = main(*sys.argv[1:])
    except Exception as error:
        sys.exit(f"NOT in order: {error!r}")
    print(found)
