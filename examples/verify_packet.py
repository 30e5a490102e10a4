"""Check a patron's dispute packet offline, with ``verify_receipt.py`` beside it and nothing of Punto.

python verify_packet.py PACKET [KEY [WITNESS]]
"""

import json
import sys
import tempfile
from base64 import b64decode
from hashlib import sha256
from pathlib import Path
from typing import Any

from verify_receipt import check_signed, main, need, root_with  # type: ignore[import-not-found]


def fields(*values: Any) -> bytes:
    raw = [value if isinstance(value, bytes) else str(value).encode() for value in values]
    return b"".join(len(value).to_bytes(4, "big") + value for value in raw)


def entry(each: dict[str, Any]) -> bytes:
    if "hash" in each:
        return bytes.fromhex(each["hash"])
    if "stored" in each:
        hidden = sha256(bytes.fromhex(each["salt_of_hidden"]) + fields(each["by"], each["stored"])).digest()
    else:
        hidden = bytes.fromhex(each["hidden"])
    about = (each[name] for name in ("number", "event", "version", "milliseconds", "position"))
    return sha256(b"\0" + bytes.fromhex(each["salt"]) + fields(*about, hidden)).digest()


def tree(hashes: list[bytes]) -> bytes:  # RFC 6962, section 2.1
    if len(hashes) == 1:
        return hashes[0]
    left = 1 << ((len(hashes) - 1).bit_length() - 1)
    return sha256(b"\1" + tree(hashes[:left]) + tree(hashes[left:])).digest()


def check_course(course: dict[str, Any], key: str | None, witness: str | None) -> None:
    need(key in (None, course["key"]), "the course is of another log")
    (_, index, *hashes), note = (part := course["proof"].partition("\n\n"))[0].split("\n"), part[2]
    check_signed(course["key"], note, 1)
    if witness:
        check_signed(witness, note, 4)
    (origin, size, root), leaf = note.split("\n")[:3], int(index.removeprefix("index "))
    need(origin == course["key"].split("+")[0] and 0 <= leaf < int(size), "the course is of another log")
    content = b64decode(course["salt"]) + b"\3" + course["course"].encode()
    found = root_with(sha256(b"\0" + content).digest(), leaf, int(size) - 1, [b64decode(each) for each in hashes])
    need(found == b64decode(root), "the log does not have this course")
    told = json.loads(course["course"])
    need(len(course["entries"]) == told["event"] - told["first"] + 1, "events are missing")
    need(tree([entry(each) for each in course["entries"]]).hex() == told["root"], "the events are not those sealed")


def packet_in(file: str, key: str | None = None, witness: str | None = None) -> None:
    packet = json.loads(Path(file).read_text("utf-8"))
    need(packet["packet"] == "punto-dispute-2", "it is not a patron's packet")
    course, receipts = packet["proved"]["course"], packet["proved"]["receipts"]
    check_course(course, key, witness)
    about = json.loads(course["course"])["table"], json.loads(course["entries"][0]["stored"])["round"]
    need(about == (packet["table"], packet["round"]), "it is of another round")
    for each in course["entries"]:
        print(
            "(another's)" if "hash" in each else f"{each['number']} {each['event']} {each.get('stored', '(not shown)')}"
        )
    for each in receipts:
        told = json.loads(each["receipt"])
        need((told["table"], told["round"], told["patron"]) == (*about, packet["patron"]), "a receipt is another's")
        with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as written:
            written.write(json.dumps(each))
            written.flush()
            print(main(written.name, key or course["key"], witness))


if __name__ == "__main__":
    try:
        packet_in(*sys.argv[1:])
    except Exception as error:
        sys.exit(f"NOT in order: {error!r}")
