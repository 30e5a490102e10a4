"""Verify a sealed shoe without Punto: every commitment, every cut and every card of a published record.

Needs only Python's standard library and uses none of Punto's code. docs/fairness.md states the scheme.

    python verify_a_shoe.py RECORD.json [DIGEST...]

A record alone shows only that it agrees with itself, so pass the digests you noted while the shoe was in use. The exit
code is 0 if everything holds, 1 if something fails, and 2 if the file is not the record of a sealed shoe.
"""

import hashlib
import hmac
import json
import struct
import sys
from collections.abc import Iterator
from typing import Any

FIRST, SECOND = "punto-shoe-1", "punto-shoe-2"


def pack(*fields: str | bytes) -> bytes:
    """Return the fields, each preceded by its length, so that none can be taken for a part of its neighbour."""
    raw = [field.encode() if isinstance(field, str) else field for field in fields]
    return b"".join(len(field).to_bytes(4, "big") + field for field in raw)


def digest(version: str, purpose: str, *fields: str | bytes) -> str:
    return hashlib.sha256(pack(f"{version} {purpose}", *fields)).hexdigest()


def stream(key: bytes) -> Iterator[int]:
    """Yield HMAC-SHA256 of 0, 1, 2, ... as words of two bytes."""
    for number in range(2**64):
        yield from struct.unpack(">16H", hmac.digest(key, number.to_bytes(8, "big"), "sha256"))


def words_of(version: str, secret: bytes, cut: bytes) -> Iterator[int]:
    """Return the words of the shuffle: the secret's own, or of an older record those of a key made from it."""
    if version == FIRST:
        return stream(hmac.digest(secret, pack(f"{FIRST} key", cut), "sha256"))
    return (own ^ mask for (own,), mask in zip(struct.iter_unpack(">H", secret), stream(cut), strict=False))


def order_of(decks: int, words: Iterator[int]) -> list[str]:
    """Return the order by Fisher-Yates; a word that would favour some places is skipped. Out of words there is none."""
    cards = [rank + suit for suit in "shcd" for rank in "A23456789TJQK"] * decks
    for last in range(len(cards) - 1, 0, -1):
        places = last + 1
        word = next((word for word in words if word < 65536 - 65536 % places), None)
        if word is None:
            return []
        cards[last], cards[word % places] = cards[word % places], cards[last]
    return cards


def checks(record: dict[str, Any], noted: list[str]) -> Iterator[tuple[str, bool]]:
    version, secret, value = record["format"], bytes.fromhex(record["secret"]), record["commitment"]
    told, decks = {value}, record["decks"]
    yield "the house's commitment", value == digest(version, "commitment", secret, record["shoe"], str(decks))
    yield "the size of the secret", len(secret) == (32 if version == FIRST else 4 * (52 * decks - 1))
    used, left_out, cuts = set[str](), set[str](), record["cuts"]
    for number, cut in enumerate(cuts, start=1):
        anchor, patrons = bytes.fromhex(value), cut["patrons"]
        names, nonces = [one["patron"] for one in patrons], [one["nonce"] for one in patrons if "nonce" in one]
        opened = [(bytes.fromhex(one.get("contribution", "")), bytes.fromhex(one.get("nonce", ""))) for one in patrons]
        for one, revealed in zip(patrons, opened, strict=True):
            if "nonce" in one:  # a patron who did not reveal leaves nothing to check
                told.add(one["commitment"])
                kept = one["commitment"] == digest(version, "contribution", anchor, one["patron"], *revealed)
                yield f"cut {number}: {one['patron']} revealed what was committed", kept and len(revealed[1]) == 32
        listed = [field for one in patrons for field in (one["patron"], bytes.fromhex(one["commitment"]))]
        yield f"cut {number}: the list", cut["list"] == digest(version, "list", anchor, *listed)
        yield f"cut {number}: nobody twice, or back after spoiling", len({*names} - left_out) == len(names)
        yield f"cut {number}: no nonce of an earlier cut", not used.intersection(nonces)
        complete, last = len(nonces) == len(names), number == len(cuts)
        unused = last and not record["dealt"]  # given up before the cut was complete
        yield f"cut {number}: {'counts' if complete else 'was spoiled'}", complete == last or unused
        told.add(cut["list"])
        used.update(nonces)
        left_out.update(one["patron"] for one in patrons if "nonce" not in one)
        value = digest(
            version, "cut", bytes.fromhex(cut["list"]), *(field for revealed in opened for field in revealed)
        )
    yield "the cut", value == record["cut"]
    if version == SECOND:
        uncut = not cuts[-1]["patrons"]
        yield f"called a shoe {'without a' if uncut else 'with a'} cut", record["without_cut"] is uncut
    order, places = order_of(decks, words_of(version, secret, bytes.fromhex(value))), [at for at, _ in record["dealt"]]
    yield "positions, each once and in order", places == sorted({*places} & {*range(len(order))})
    yield f"all {len(places)} cards", all(order[place : place + 1] == [card] for place, card in record["dealt"])
    yield from ((f"noted {each}", each in told | {record["cut"]}) for each in noted)


def main(file: str, *noted: str) -> int:
    try:
        with open(file, encoding="utf-8") as opened:
            record = json.load(opened)
        known = record["format"] in (FIRST, SECOND) and record["kind"] == "sealed"
        if not known or record["decks"] not in range(1, 101):
            raise ValueError("not the record of a sealed shoe")
        found = list(checks(record, [each.lower() for each in noted]))
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        print(f"{file} cannot be read as a record: {type(error).__name__}: {error}", file=sys.stderr)
        return 2
    for what, holds in found:
        print("holds" if holds else "FAILS", what)
    return 0 if all(holds for _, holds in found) else 1


if __name__ == "__main__":
    if len(sys.argv) < 2:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    sys.exit(main(*sys.argv[1:]))
