"""Verify a sealed shoe without Punto: every commitment, every cut and every card of a published record.

Needs only Python's standard library and uses none of Punto's code. docs/fairness.md states the scheme.

    python verify_a_shoe.py RECORD.json [DIGEST...]

A record alone shows only that it agrees with itself, so pass the digests you noted while the shoe was in use. The exit
code is 0 if everything holds, 1 if something fails, and 2 if the file is not the record of a sealed shoe.
"""

import hashlib
import hmac
import json
import sys
from collections.abc import Iterator
from typing import Any


def pack(*fields: str | bytes) -> bytes:
    """Return the fields, each preceded by its length, so that none can be taken for a part of its neighbour."""
    raw = [field.encode() if isinstance(field, str) else field for field in fields]
    return b"".join(len(field).to_bytes(4, "big") + field for field in raw)


def digest(purpose: str, *fields: str | bytes) -> str:
    return hashlib.sha256(pack(f"punto-shoe-1 {purpose}", *fields)).hexdigest()


def order_of(secret: bytes, cut: str, decks: int) -> list[str]:
    """Return the order by Fisher-Yates from a full shoe; a word that would favour some places is skipped."""
    cards = [rank + suit for suit in "shcd" for rank in "A23456789TJQK"] * decks
    key = hmac.digest(secret, pack("punto-shoe-1 key", bytes.fromhex(cut)), "sha256")
    blocks = (hmac.digest(key, number.to_bytes(8, "big"), "sha256") for number in range(2**64))
    words = (int.from_bytes(block[at : at + 2], "big") for block in blocks for at in range(0, 32, 2))
    for last in range(len(cards) - 1, 0, -1):
        places = last + 1
        chosen = next(word for word in words if word < 65536 - 65536 % places) % places
        cards[last], cards[chosen] = cards[chosen], cards[last]
    return cards


def checks(record: dict[str, Any], noted: list[str]) -> Iterator[tuple[str, bool]]:
    secret, value = bytes.fromhex(record["secret"]), record["commitment"]
    told = {value}
    yield "the house's commitment", value == digest("commitment", secret, record["shoe"], str(record["decks"]))
    used, left_out, cuts = set[str](), set[str](), record["cuts"]
    for number, cut in enumerate(cuts, start=1):
        anchor, patrons = bytes.fromhex(value), cut["patrons"]
        names, nonces = [one["patron"] for one in patrons], [one["nonce"] for one in patrons if "nonce" in one]
        opened = [(bytes.fromhex(one.get("contribution", "")), bytes.fromhex(one.get("nonce", ""))) for one in patrons]
        for one, revealed in zip(patrons, opened, strict=True):
            if "nonce" in one:  # a patron who did not reveal leaves nothing to check
                told.add(one["commitment"])
                kept = one["commitment"] == digest("contribution", anchor, one["patron"], *revealed)
                yield f"cut {number}: {one['patron']} revealed what was committed", kept and len(revealed[1]) == 32
        listed = [field for one in patrons for field in (one["patron"], bytes.fromhex(one["commitment"]))]
        yield f"cut {number}: the list", cut["list"] == digest("list", anchor, *listed)
        yield f"cut {number}: nobody twice, or back after spoiling", len({*names} - left_out) == len(names)
        yield f"cut {number}: no nonce of an earlier cut", not used.intersection(nonces)
        complete, last = len(nonces) == len(names), number == len(cuts)
        unused = last and not record["dealt"]  # given up before the cut was complete
        yield f"cut {number}: {'counts' if complete else 'was spoiled'}", complete == last or unused
        told.add(cut["list"])
        used.update(nonces)
        left_out.update(one["patron"] for one in patrons if "nonce" not in one)
        value = digest("cut", bytes.fromhex(cut["list"]), *(field for revealed in opened for field in revealed))
    yield "the cut", value == record["cut"]
    order, places = order_of(secret, value, record["decks"]), [place for place, _ in record["dealt"]]
    yield "positions, each once and in order", places == sorted({*places} & {*range(len(order))})
    yield f"all {len(places)} cards", all(order[place : place + 1] == [card] for place, card in record["dealt"])
    yield from ((f"noted {each}", each in told | {record["cut"]}) for each in noted)


def main(file: str, *noted: str) -> int:
    try:
        with open(file, encoding="utf-8") as opened:
            record = json.load(opened)
        if (record["format"], record["kind"]) != ("punto-shoe-1", "sealed") or record["decks"] not in range(1, 101):
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
