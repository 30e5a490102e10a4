"""A dispute packet checked offline: what its proofs show, and that everything it tells follows from them.

A packet for one patron rests on the sealed log; a packet of a whole round on the chain of events and a signed head.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from punto.report.dispute.packet import FORMAT, restated
from punto.report.dispute.patron_packet import NO_PROOF, PATRON_FORMAT
from punto.report.dispute.proved_account import account, how_to_check
from punto.rules.game_library import APPROVED, load
from punto.store.receipts.round_course import COURSE_FORMAT, RoundCourse, course_root, entry_hash, hidden_digest
from punto.store.receipts.wager_receipt import RECEIPT_FORMAT, WagerReceipt
from punto.store.records import EventRecord, hash_of
from punto.store.trust.log_leaves import COURSE, RECEIPT
from punto.store.trust.signed_heads import Head
from punto.store.words import digest_of
from punto.texts import Language
from punto.tlog.checkpoint import LogCheckpoint, cosigned_at
from punto.tlog.note import BadNote, Verifier, from_base64
from punto.tlog.proof_text import read_proof
from punto.tlog.proofs import is_included
from punto.tlog.tree import leaf_hash

_ODD = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, msgspec.MsgspecError)
"""What a packet raises that is not of its form."""


@dataclass(frozen=True, slots=True)
class PacketCheck:
    """One check of a packet. ``about`` is the field, receipt or event it is about."""

    code: str
    ok: bool
    about: str = ""


def check_packet(packet: Mapping[str, Any], key: str | None = None, witness: str | None = None) -> list[PacketCheck]:
    """Return every check of a packet, and whether it holds; the keys are those that the reader knows from elsewhere."""
    checks = {PATRON_FORMAT: _patron_checks, FORMAT: _round_checks}.get(str(packet.get("packet")))
    if checks is None:
        return [PacketCheck("form", False, str(packet.get("packet")))]
    found: list[PacketCheck] = []
    try:
        found += checks(packet, key, witness)
    except _ODD as error:
        found.append(PacketCheck("form", False, type(error).__name__))
    return found


# --- a packet for one patron -----------------------------------------------------------------------------------------


def _patron_checks(packet: Mapping[str, Any], key: str | None, witness: str | None) -> Iterator[PacketCheck]:
    proved, language = packet["proved"], Language(packet["language"])
    course, receipts = proved["course"], proved["receipts"]
    files = [("course", COURSE, course, course["course"])] if course else []
    files += [(f"receipt {at}", RECEIPT, each, each["receipt"]) for at, each in enumerate(receipts, 1)]
    if not course:
        yield PacketCheck("course-not-sealed", False, "course")
    for about, kind, file, content in files:
        if file["proof"] == NO_PROOF:
            yield PacketCheck("not-sealed", False, about)
            continue
        yield from _leaf_checks(about, kind, file, content, key, witness)
    yield PacketCheck("one-log", len({each["key"] for _, _, each, _ in files}) == 1, "key")
    if course:
        yield from _course_checks(packet, course)
    for at, each in enumerate(receipts, 1):
        yield from _receipt_checks(packet, each, f"receipt {at}")
    for name, value in account(proved, language).items():
        yield PacketCheck("account", packet[name] == value, name)
    shown = [each["stored"] for each in course["entries"] if "stored" in each] if course else []
    is_named = any(json.dumps(packet["patron"], ensure_ascii=False) in stored for stored in shown)
    yield PacketCheck("about", bool(receipts) or is_named, "patron")
    yield PacketCheck("account", packet["how"] == how_to_check(language), "how")
    yield from _stated_checks(packet, language)


def _leaf_checks(
    about: str, kind: bytes, file: Mapping[str, Any], content: str, key: str | None, witness: str | None
) -> Iterator[PacketCheck]:
    """Check that the log has a leaf, by the checkpoint that came with it."""
    expected = COURSE_FORMAT if kind == COURSE else RECEIPT_FORMAT
    yield PacketCheck("form", file["format"] == expected, about)
    yield PacketCheck("key", key in (None, file["key"]), about)
    try:
        house, proof = Verifier.read(file["key"]), read_proof(file["proof"])
        signed = proof.note.is_signed_by(house)
        checkpoint = LogCheckpoint.read(proof.note.text)
        cosigned = witness is None or cosigned_at(proof.note, Verifier.read(witness)) is not None
    except BadNote:
        yield PacketCheck("checkpoint", False, about)
        return
    yield PacketCheck("checkpoint", signed and checkpoint.origin == house.name, about)
    if witness is not None:
        yield PacketCheck("witness", cosigned, about)
    leaf = leaf_hash(from_base64(file["salt"]) + kind + content.encode())
    has = is_included(leaf, proof.leaf, checkpoint.size, proof.hashes, checkpoint.root)
    yield PacketCheck("leaf", has, about)


def _course_checks(packet: Mapping[str, Any], course: Mapping[str, Any]) -> Iterator[PacketCheck]:
    """Check that the events shown, and the hashes of the others, are the round's from the first to the last."""
    told = msgspec.json.decode(course["course"], type=RoundCourse)
    entries = course["entries"]
    yield PacketCheck("events", course_root([_entry(each) for each in entries]).hex() == told.root, "course")
    yield PacketCheck("events", len(entries) == told.event - told.first + 1, "course")
    for number, each in enumerate(entries, told.first):
        if "hash" not in each:
            yield PacketCheck("event-number", each["number"] == number, f"event {number}")
    opened = json.loads(entries[0]["stored"])
    yield PacketCheck("about", (told.table, opened["round"]) == (packet["table"], packet["round"]), "course")


def _entry(each: Mapping[str, Any]) -> bytes:
    if "hash" in each:
        return _only(each, {"hash"}, _bytes(each["hash"]))
    about = {"number", "event", "version", "milliseconds", "position", "salt"}
    if "stored" in each:
        hidden = hidden_digest(_bytes(each["salt_of_hidden"]), each["by"], each["stored"].encode())
        _only(each, {*about, "by", "stored", "salt_of_hidden"})
    else:
        hidden = _only(each, {*about, "hidden"}, _bytes(each["hidden"]))
    values = each["number"], each["event"], each["version"], each["milliseconds"], each["position"]
    return entry_hash(_bytes(each["salt"]), *values, hidden)


def _bytes(digits: str) -> bytes:
    """Return the bytes that hexadecimal digits stand for, written as packets write them."""
    value = bytes.fromhex(digits)
    if value.hex() != digits:
        raise ValueError("expected lower-case digits")
    return value


def _only(each: Mapping[str, Any], names: set[str], value: bytes = b"") -> bytes:
    """Return a value; raise ``ValueError`` if an entry has fields that its hash does not cover."""
    if set(each) != names:
        raise ValueError(f"expected {names}")
    return value


def _receipt_checks(packet: Mapping[str, Any], file: Mapping[str, Any], about: str) -> Iterator[PacketCheck]:
    """Check that a receipt is of this round, and of this patron."""
    told = msgspec.json.decode(file["receipt"], type=WagerReceipt)
    named = packet["table"], packet["round"], packet["patron"]
    yield PacketCheck("about", (told.table, told.round, told.patron) == named, about)


def _stated_checks(packet: Mapping[str, Any], language: Language) -> Iterator[PacketCheck]:
    """Check the game and its clauses, where its text is known here; of the rest nothing can be said."""
    stated = packet["stated"]
    books = [book for book in map(load, APPROVED) if book.digest == stated["game"]["digest"]]
    for book in books:
        effective = book.effective.isoformat() if book.effective else None
        known = {"key": book.key, "title": book.title, "version": book.version, "effective": effective}
        yield PacketCheck("game", stated["game"] == {**known, "digest": book.digest}, "game")
        clauses = restated({each["clause"] for each in stated["clauses"]}, book, language)
        yield PacketCheck("clauses", stated["clauses"] == clauses, "clauses")


# --- a packet of a whole round ---------------------------------------------------------------------------------------


def _round_checks(packet: Mapping[str, Any], key: str | None, _: str | None) -> Iterator[PacketCheck]:
    told, table = packet["integrity"], packet["table"]
    before = told["hash_before"]
    for number, event in enumerate(packet["events"], told["first_event"]):
        about = f"event {event['number']}"
        is_later = event["number"] > told["last_event"]  # a correction stands by itself
        chained = is_later or (event["number"], event["hash_before"]) == (number, before)
        yield PacketCheck("event-number", chained, about)
        yield PacketCheck("event", _linked(table, event, event["hash_before"]) == event["hash"], about)
        yield PacketCheck("event-body", json.loads(event["stored"]) == event["body"], about)
        before = event["hash"] if not is_later else before
    yield PacketCheck("last-hash", before == told["last_hash"], "integrity")
    for each in packet["words"]:
        yield PacketCheck("words", _is_digest(each), each["digest"])
    yield from _head_checks(packet, key)


def _linked(table: str, event: Mapping[str, Any], before: str) -> str:
    recorded = EventRecord(
        event["event"], event["version"], event["stored"].encode(), event["milliseconds"], event["by"],
        event["position"],
    )  # fmt: skip
    return hash_of(bytes.fromhex(before), table, event["number"], recorded).hex()


def _is_digest(each: Mapping[str, Any]) -> bool:
    erased = each["salt"] is None or each["words"] is None
    return erased or digest_of(_bytes(each["salt"]), each["words"]) == each["digest"]


def _head_checks(packet: Mapping[str, Any], key: str | None) -> Iterator[PacketCheck]:
    """Check the signed head, and that the events between lead to it; without them only that it is signed."""
    told = packet["integrity"]
    head, between = told["head"], told["events_to_head"]
    if head is None:
        yield PacketCheck("no-head", False, "integrity")
        return
    signed = Head(packet["table"], head["number"], head["hash"], head["signature"], head["public_key"])
    yield PacketCheck("head", signed.is_signed, "integrity")
    yield PacketCheck("key", key in (None, head["public_key"]), "integrity")
    at = told["last_hash"]
    for event in between or ():
        at = _linked(packet["table"], event, at)
    yield PacketCheck("head-covers" if between is not None else "head-not-reached", at == head["hash"], "integrity")
