"""The account of a patron's packet: it follows from what is proved, when a packet is made and when it is checked."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import msgspec

from punto.cards import Card
from punto.report.dispute.wager_lines import totals, wager_line
from punto.report.event_text import event_text
from punto.rules.coup import exposed_total
from punto.store.codec import UnknownEvent, decode
from punto.store.receipts.wager_receipt import WagerReceipt
from punto.store.round_events import time_of
from punto.store.words import MARK, people_in
from punto.table.irregularities.void import RoundVoided
from punto.table.play.dealing import OutcomeAnnounced
from punto.table.play.settlement import RoundSettled
from punto.texts import Language, text

_ENDINGS = {RoundSettled.__name__: "settled", RoundVoided.__name__: "void"}


def account(proved: Mapping[str, Any], language: Language) -> dict[str, Any]:
    """Return what a packet tells of the round, from its receipts and the events of its course."""
    receipts = [msgspec.json.decode(each["receipt"], type=WagerReceipt) for each in proved["receipts"]]
    course = proved["course"]
    events = _events(course["entries"], language) if course else []
    settled = [each for each in receipts if each.kind in _ENDINGS]
    ended = json.loads(course["course"])["kind"] if course else settled[0].kind if settled else None
    at = [each["at"] for each in events]
    return {
        "opened": at[0] if at else None,
        "ended": at[-1] if at else time_of(settled[0].at) if settled else None,
        "ending": _ENDINGS.get(ended) if ended else None,
        "hands": _hands(settled[0]) if settled else None,
        "winner": _winner(events) if ended == RoundSettled.__name__ else None,
        "wagers": [_wager(each) for each in settled],
        "totals": totals(settled),
        "corrections": _corrections([each for each in receipts if each.kind not in _ENDINGS]),
        "events": events,
        "not_shown": sum("hash" in each for each in course["entries"]) if course else None,
    }


def how_to_check(language: Language) -> str:
    """Return what a packet tells its reader of checking it."""
    return _say("patron-how", language)


def _say(code: str, language: Language, **values: object) -> str:
    return text("reports", f"dispute.{code}", language, **values)


def _events(entries: Sequence[Mapping[str, Any]], language: Language) -> list[dict[str, Any]]:
    """Return the events that are shown, in order; of those that are about others too only that they happened."""
    told = []
    for each in entries:
        if "hash" in each:
            continue
        about = {"number": each["number"], "at": time_of(each["milliseconds"]), "event": each["event"]}
        about["position"] = each["position"]
        if "stored" in each:
            body = json.loads(each["stored"])
            sentence = _told(each, language)
            told.append({**about, "by": each["by"], "body": body, "clause": body.get("clause"), "told": sentence})
        else:
            sentence = _say("outlined", language, event=each["event"])
            told.append({**about, "by": None, "body": None, "clause": None, "told": sentence})
    return told


def _told(entry: Mapping[str, Any], language: Language) -> str:
    """Return the sentence of an event; what people wrote is not in it."""
    try:
        event = decode(entry["event"], entry["version"], entry["stored"].encode())
    except UnknownEvent:
        return str(entry["event"])
    words = _say("words-withheld", language)
    told = event_text(event, language)
    while MARK in told:
        before, _, after = told.partition(MARK)
        told = before + words + after[64:]
    return told


def _hands(receipt: WagerReceipt) -> dict[str, Any]:
    hands = {"player": receipt.player, "banker": receipt.banker}
    return {
        hand: {"cards": list(cards), "total": exposed_total([Card.parse(each) for each in cards])}
        for hand, cards in hands.items()
    }


def _winner(events: Sequence[Mapping[str, Any]]) -> str | None:
    called = [each["body"]["winner"] for each in events if each["event"] == OutcomeAnnounced.__name__ and each["body"]]
    return called[-1] if called else None


def _wager(each: WagerReceipt) -> dict[str, Any]:
    above, _, below = each.pays.partition(":")
    return wager_line(each, Fraction(int(above), int(below)))


def _corrections(receipts: Sequence[WagerReceipt]) -> list[dict[str, Any]]:
    """Return what was corrected later, by the event that did so."""
    made: dict[int, dict[str, Any]] = {}
    for each in receipts:
        about = {"number": each.event, "at": time_of(each.at), "event": each.kind, "hands": _hands(each), "wagers": []}
        made.setdefault(each.event, about)["wagers"].append({**_wager(each), "replaces": each.replaces})
    return list(made.values())


def people_of(proved: Mapping[str, Any]) -> set[str]:
    """Return the ids of the people whom the shown events name."""
    entries = proved["course"]["entries"] if proved["course"] else []
    shown = [f"{each['by']} {each['stored']}".encode() for each in entries if "stored" in each]
    return people_in(*shown, *(each["receipt"].encode() for each in proved["receipts"]))
