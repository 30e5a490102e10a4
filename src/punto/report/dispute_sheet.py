"""A dispute packet on paper: what ``dispute.typ`` prints, as texts, and the PDF."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any

from punto.cards import Card, Suit
from punto.report.happened import card_sign, catalogue, sentence
from punto.report.texts import pays_or_push

_HERE = Path(__file__).parent
_LONGEST_WORD = 24
_IN_A_LINE = 64
_RED = (Suit.HEARTS, Suit.DIAMONDS)
_ENDINGS = {"settled": "settled", "void": "void", "in play": "still in play when this was made"}
_RESULTS = {"win": "won", "lose": "lost", "push": "push", "returned": "returned", "void": "void"}


def packet_json(packet: dict[str, Any]) -> bytes:
    """The packet as JSON that people can read too."""
    return f"{json.dumps(packet, indent=2, ensure_ascii=False)}\n".encode()


def packet_pdf(packet: dict[str, Any]) -> bytes:
    """The packet as a PDF."""
    import typst

    # Everything goes in as data: nothing that somebody wrote in a note is taken for a command.
    made: bytes = typst.compile(str(_HERE / "dispute.typ"), sys_inputs={"sheet": json.dumps(sheet(packet))})
    return made


def sheet(packet: dict[str, Any]) -> dict[str, Any]:
    """All that the document says, as texts."""
    day = packet["opened"][:10]
    return {
        "software": packet["software"],
        "table": _breakable(packet["table"]),
        "round": str(packet["round"]),
        "title": packet["game"]["title"],
        "facts": [[name, _breakable(text)] for name, text in _facts(packet)],
        "digest": packet["game"]["digest"],
        "limits": [[name, each["minimum"], each["maximum"]] for name, each in packet["setting"]["limits"].items()],
        "hands": _hands(packet["hands"]),
        "outcome": _outcome(packet["winner"], packet["ending"]),
        "day": day,
        "course": [_step(each, day) for each in packet["events"]],
        "wagers": [_wager(each) for each in packet["wagers"]],
        "totals": packet["totals"],
        "irregularities": [_irregularity(each) for each in packet["irregularities"]],
        "corrections": [_correction(each) for each in packet["corrections"]],
        "clauses": [[each["clause"], each["text"]] for each in packet["clauses"]],
        "integrity": _integrity(packet["integrity"]),
        "shoe": _shoe(packet["shoe"]),
        "findings": [_finding(each) for each in packet["audit"]["findings"]],
        "audited": str(packet["audit"]["up_to"]),
    }


def _facts(packet: dict[str, Any]) -> Iterable[tuple[str, str]]:
    game, setting = packet["game"], packet["setting"]
    version = f"version {game['version']}" if game["version"] else "no version given"
    since = f", in force from {game['effective'][:10]}" if game["effective"] else ""
    yield "Table", packet["table"]
    yield "Game", f"{game['title']} ({game['key']}), {version}{since}"
    corrected = ", and corrected later (see below)" if packet["corrections"] else ""
    yield "Round", f"{packet['round']}, {_ENDINGS[packet['ending']]}{corrected}"
    yield "Shoe", packet["shoe"]["name"]
    yield "Opened", f"{packet['opened']} UTC"
    if packet["ended"]:
        yield "Ended", f"{packet['ended']} UTC"
    method = f"Method {setting['method']}" if setting["method"] else "dealt by the Dealer alone"
    floor = "HLGA" if setting["hlga"] else "main floor"
    positions = "1 position" if setting["positions"] == 1 else f"{setting['positions']} positions"
    yield "Layout", f"{setting['layout']}, {positions}, {floor}"
    yield "Dealing", f"{method}, {setting['device']} dealing device, {setting['decks']} decks"
    differential = (
        f"table differential {setting['differential']}" if setting["differential"] else "no table differential"
    )
    yield "House limits", f"stakes in steps of {setting['stake_step']}, {differential}"


# --- cards and wagers ------------------------------------------------------------------------------------------------


def _hands(hands: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {
            "hand": hand.capitalize(),
            "cards": [_card(text) for text in each["cards"]],
            "total": "" if each["total"] is None else str(each["total"]),
        }
        for hand, each in hands.items()
    ]


def _card(text: str | None) -> dict[str, object]:
    """A card with its sign; one that was never turned has none."""
    card = Card.parse(text) if text else None
    return {"sign": card_sign(card) if card else "", "red": card is not None and card.suit in _RED}


def _outcome(winner: str | None, ending: str) -> str:
    if winner:
        return sentence(catalogue()["winner"][winner])
    return "The round is void." if ending == "void" else "No outcome was called."


def _wager(each: dict[str, Any]) -> list[str]:
    who = [_breakable(each["patron"]), str(each["position"]), each["wager"]]
    if "result" not in each:
        return [*who, each["amount"], "", "", "", "", "", ""]
    clauses = ", ".join(dict.fromkeys(clause for clause in (each["clause"], each["limit_clause"]) if clause))
    pays = pays_or_push(Fraction(each["pays"])) if each["result"] == "win" else ""
    amounts = [each["winnings"], each["commission"], each["returned"]]
    return [*who, each["stake"], _RESULTS[each["result"]], pays, *amounts, clauses]


# --- the course of the round -----------------------------------------------------------------------------------------


def _step(each: dict[str, Any], day: str) -> list[str]:
    time = each["at"].removeprefix(f"{day} ")
    return [
        str(each["number"]),
        time,
        _breakable(each["by"]),
        each["position"],
        _breakable(f"{sentence(each['told'])}."),
        ", ".join(each["cites"]),
    ]


def _irregularity(each: dict[str, Any]) -> dict[str, Any]:
    told = each["circumstances"]
    return {
        "heading": f"Event {each['number']}, {each['at']}",
        "told": _breakable(f"{sentence(each['told'])}."),
        "clause": _clause(each["cites"]),
        "facts": [[name, _breakable(text)] for name, text in _circumstances(told)] if told else [],
    }


def _clause(cited: list[str]) -> str:
    return f"clause {', '.join(cited)}" if cited else "no clause cited"


def _circumstances(told: dict[str, Any]) -> Iterable[tuple[str, str]]:
    acting = f", acting as {' and '.join(told['acting_in'])}" if told["acting_in"] else ""
    yield "noticed by", told["noticed_by"]
    yield "authorised by", f"{told['authorised_by']}, {told['position']}{acting}"
    if told["next_card"] is not None:
        yield "next card", f"number {told['next_card']} in shoe {told['shoe']}"
    before, after = _layout(told["wagers_before"]), _layout(told["wagers_after"])
    if before == after:
        yield "wagers", f"{before} (unchanged)"
    else:
        yield "wagers before", before
        yield "wagers after", after
    if told["note"]:
        yield "note", told["note"]


def _layout(wagers: list[dict[str, Any]]) -> str:
    told = [f"{each['patron']} {each['wager']} {each['amount']} at {each['position']}" for each in wagers]
    return "; ".join(told) or "none"


def _correction(each: dict[str, Any]) -> dict[str, Any]:
    words = "found void; every wager is handed back" if each["void"] else "settled anew by these cards"
    owed = [
        [_breakable(one["after"]["patron"]), one["owed"]]
        for one in each["wagers"]
        if one["owed"] != "0.00"
    ]  # fmt: skip
    return {
        "heading": f"Event {each['number']}, {each['at']}, {each['position']} {_breakable(each['by'])}: {words}",
        "clause": _clause([each["clause"]] if each["clause"] else []),
        "hands": _hands(each["hands"]) if each["hands"] else [],
        "outcome": _outcome(each["winner"], "void"),
        "wagers": [_wager(one["after"]) for one in each["wagers"]],
        "returned_before": [one["before"]["returned"] for one in each["wagers"]],
        "totals": each["totals"],
        "owed": owed,
    }


# --- integrity -------------------------------------------------------------------------------------------------------


def _integrity(told: dict[str, Any]) -> dict[str, Any]:
    head = told["head"]
    lines = [
        ["Events of the round", f"{told['first_event']} to {told['last_event']}"],
        ["Hash before the first", told["hash_before"]],
        ["Hash of the last", told["last_hash"]],
    ]
    if head:
        lines += [
            ["Signed head", f"event {head['number']}, noted {head['noted']} UTC"],
            ["Hash of the head", head["hash"]],
            ["Signature", _in_lines(head["signature"])],
            ["Key of the house", head["public_key"]],
        ]
    return {"lines": lines, "head": _head_in_words(told), "how": told["how"]}


def _head_in_words(told: dict[str, Any]) -> str:
    head = told["head"]
    if head is None:
        return "The house has noted no signed head of this table since the round ended."
    signed = "The signature is the house's" if head["is_signed"] else "THE SIGNATURE IS NOT THE HOUSE'S"
    agrees = "the log still has the event it is about" if head["agrees_with_log"] else "THE LOG HAS ANOTHER EVENT THERE"
    between = head["number"] - told["last_event"]
    covered = f"The head comes {between:,} events after the end of the round. "
    if not between:
        covered = "The head is the end of the round itself. "
    elif told["events_to_head"] is None:
        covered += "A packet exported with --to-head holds the events between, so that the head can be checked from it."
    else:
        covered += "The JSON packet holds the events between, so that the head can be checked from it."
    return f"{signed}, and {agrees}. {covered}"


def _shoe(told: dict[str, Any]) -> str:
    if told["record"] is not None:
        holds = "keeps every commitment and has the cards of this round where they were dealt"
        return f"The record of the shoe has been published, and {holds if told['record_holds'] else 'DOES NOT HOLD'}."
    if told["commitment"]:
        return "The shoe is sealed, and its record has not been published yet."
    return "The shoe was not one that is sealed by computation, so there is no record of its order to check."


def _finding(each: dict[str, Any]) -> str:
    place = "" if each["event"] is None else f"event {each['event']}: "
    return _breakable(f"{place}{each['finding']}")


def _in_lines(digits: str) -> str:
    return "\n".join(digits[at : at + _IN_A_LINE] for at in range(0, len(digits), _IN_A_LINE))


def _breakable(text: str) -> str:
    """The text with places to break words that no line could hold."""
    return re.sub(rf"(\S{{{_LONGEST_WORD}}})(?=\S)", "\\1\u200b", text)
