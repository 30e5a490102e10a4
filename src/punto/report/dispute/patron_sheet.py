"""A patron's packet on paper, in the form that the sheet of a round's packet has."""

from __future__ import annotations

from typing import Any

from punto.report.dispute.patron_packet import NO_PROOF
from punto.rules.coup import Winner
from punto.store.codec import KINDS
from punto.table.event import Event, Irregularity
from punto.texts import Language, text
from punto.tlog.proof_text import read_proof


def as_round(packet: dict[str, Any]) -> dict[str, Any]:
    """Return a patron's packet with the names of a round's; what it does not hold is left empty."""
    stated, course = packet["stated"], packet["events"]
    events = [{**each, "by": each["by"] or "–", "cites": [each["clause"]] if each["clause"] else []} for each in course]
    no_hand: dict[str, Any] = {"cards": [], "total": None}
    return {
        **packet,
        "software": stated["software"],
        "game": stated["game"],
        "setting": stated["setting"],
        "shoe": {"name": stated["shoe"]},
        "opened": packet["opened"] or packet["ended"] or "",
        "ending": packet["ending"] or "settled",
        "hands": packet["hands"] or {"player": no_hand, "banker": no_hand},
        "events": events,
        "irregularities": [
            {**each, "circumstances": None}
            for each in events
            if issubclass(KINDS.get(each["event"], Event), Irregularity)
        ],
        "corrections": _corrections(packet),
        "clauses": stated["clauses"],
        "audit": {"findings": [], "up_to": 0, "since": 0},
    }


def integrity_lines(packet: dict[str, Any], language: Language) -> dict[str, Any]:
    """Return what the sheet says of the proofs."""

    def told(code: str, **values: object) -> str:
        return text("reports", f"dispute.{code}", language, **values)

    proved = packet["proved"]
    files = [*([proved["course"]] if proved["course"] else []), *proved["receipts"]]
    is_sealed = all(each["proof"] != NO_PROOF for each in files) and bool(files)
    lines = []
    if is_sealed:
        leaves = [f"{read_proof(each['proof']).leaf:,}" for each in files]
        course, receipts = (leaves[0], leaves[1:]) if proved["course"] else (told("no-leaf"), leaves)
        listed = ", ".join(receipts) or told("no-leaf")
        lines = [
            [told("integrity.log"), files[0]["key"]],
            [told("integrity.leaf"), told("leaves", course=course, receipts=listed)],
            [told("integrity.checkpoint"), str(read_proof(files[0]["proof"]).note.text).strip()],
        ]
    proof = "sealed" if proved["course"] else "sealed-in-part" if is_sealed else "not-sealed"
    codes = packet["stated"]["findings"]
    found = told("patron-findings", codes=", ".join(codes)) if codes else told("patron-clean")
    hidden = told("not-shown", count=packet["not_shown"]) if packet["not_shown"] else ""
    return {
        "lines": lines,
        "head": " ".join(each for each in (told(proof), hidden, found) if each),
        "how": packet["how"],
    }


def _corrections(packet: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the corrections with what was handed back before, by the receipts that each replaces."""
    known = {(each["position"], each["wager"]): each for each in packet["wagers"]}
    made = []
    for each in packet["corrections"]:
        pairs = []
        for after in each["wagers"]:
            area = after["position"], after["wager"]
            before = known.get(area) or {**after, "returned": "0.00"}
            pairs.append({"before": before, "after": after, "owed": "0.00"})
            known[area] = after
        is_void = not each["hands"]["player"]["cards"]
        totals = [each["hands"][hand]["total"] for hand in ("player", "banker")]
        made.append(
            {
                "number": each["number"],
                "at": each["at"],
                "by": "",
                "position": "",
                "clause": each["wagers"][0]["clause"],
                "void": is_void,
                "hands": None if is_void else each["hands"],
                "winner": None if is_void else _winner(*totals),
                "wagers": pairs,
                "totals": None,
            }
        )
    return made


def _winner(player: int, banker: int) -> str:
    if player == banker:
        return Winner.TIE.value
    return (Winner.PLAYER if player > banker else Winner.BANKER).value
