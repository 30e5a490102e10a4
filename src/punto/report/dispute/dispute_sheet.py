"""A dispute packet on paper: the texts that ``dispute.typ`` prints, in one language, and the PDF."""

from __future__ import annotations

import json
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any

from punto.cards import Card
from punto.report.dispute.patron_packet import PATRON_FORMAT
from punto.report.dispute.patron_sheet import as_round, integrity_lines
from punto.report.event_text import card_sign
from punto.report.legend import named
from punto.report.rendering import breakable as _breakable
from punto.report.rendering import ratio_parts
from punto.texts import Language, fill, name_of, texts_under

_HERE = Path(__file__).parent
_IN_A_LINE = 64


def packet_json(packet: dict[str, Any]) -> bytes:
    """Return the packet as JSON that people can read too."""
    return f"{json.dumps(packet, indent=2, ensure_ascii=False)}\n".encode()


def packet_pdf(packet: dict[str, Any]) -> bytes:
    """Return the packet as a PDF, in the language it was made in."""
    import typst

    # Everything goes in as data, so that a note that a person wrote is never taken for a command.
    made: bytes = typst.compile(str(_HERE / "dispute.typ"), sys_inputs={"sheet": json.dumps(sheet(packet))})
    return made


def sheet(packet: dict[str, Any]) -> dict[str, Any]:
    """Return all that the document says, as texts, with names where the packet has ids."""
    language = Language(packet["language"])
    if packet["packet"] == PATRON_FORMAT:
        shown = named(as_round(packet), packet["stated"]["names"])
        shown["integrity"] = integrity_lines(packet, language)
        return _PatronSheet(language).of(shown)
    return _Sheet(language).of(named(packet, packet["names"]))


class _Sheet:
    """The texts of a document in one language."""

    def __init__(self, language: Language) -> None:
        self._language, self._texts = language, texts_under("reports", "dispute", language)

    def of(self, packet: dict[str, Any]) -> dict[str, Any]:
        """Return the whole document."""
        day, game = packet["opened"][:10], packet["game"]
        limits = packet["setting"]["limits"].items()
        return {
            "language": self._language.value,
            "texts": self._texts,
            "software": packet["software"],
            "table": _breakable(packet["table"]),
            "round": str(packet["round"]),
            "title": self._name("game", game["title"]),
            "facts": [[self._text(f"fact.{name}"), _breakable(text)] for name, text in self._facts(packet)],
            "digest": game["digest"],
            "limits": [[self._name("wager", name), each["minimum"], each["maximum"]] for name, each in limits],
            "hands": self._hands(packet["hands"]),
            "outcome": self._outcome(packet["winner"], packet["ending"]),
            "day": day,
            "course": [self._step(each, day) for each in packet["events"]],
            "wagers": [self._wager(each) for each in packet["wagers"]],
            "totals": packet["totals"],
            "irregularities": [self._irregularity(each) for each in packet["irregularities"]],
            "corrections": [self._correction(each) for each in packet["corrections"]],
            "clauses": [[each["clause"], each["text"]] for each in packet["clauses"]],
            "integrity": self._integrity(packet["integrity"]),
            "shoe": self._shoe(packet["shoe"]),
            "findings": [self._finding(each) for each in packet["audit"]["findings"]],
            "audited": str(packet["audit"]["up_to"]),
            "audited_since": str(packet["audit"]["since"]),
        }

    def _text(self, code: str, **values: object) -> str:
        return fill(self._texts[code], values, self._language)

    def _name(self, kind: str, name: str, otherwise: str | None = None) -> str:
        return name_of(kind, name, self._language, otherwise)

    def _facts(self, packet: dict[str, Any]) -> Iterable[tuple[str, str]]:
        text, game, setting = self._text, packet["game"], packet["setting"]
        version = text("version", version=game["version"]) if game["version"] else text("no-version")
        since = text("in-force", day=game["effective"][:10]) if game["effective"] else ""
        yield "table", packet["table"]
        yield "game", f"{self._name('game', game['title'])} ({game['key']}), {version}{since}"
        corrected = text("corrected-later") if packet["corrections"] else ""
        ending = text(f"ending.{packet['ending']}")
        yield "round", f"{packet['round']}, {ending}{corrected}"
        yield "shoe", packet["shoe"]["name"]
        yield "opened", f"{packet['opened']} UTC"
        if packet["ended"]:
            yield "ended", f"{packet['ended']} UTC"
        yield "layout", self._table_layout(setting)
        method = text("method", method=setting["method"]) if setting["method"] else text("no-method")
        device = text("dealing-device", device=setting["device"])
        yield "dealing", f"{method}, {device}, {text('decks', decks=setting['decks'])}"
        steps = text("stake-step", step=setting["stake_step"])
        differential = text("no-differential")
        if setting["differential"]:
            differential = text("differential", amount=setting["differential"])
        yield "house-limits", f"{steps}, {differential}"

    def _table_layout(self, setting: dict[str, Any]) -> str:
        count = setting["positions"]
        positions = self._text("one-position") if count == 1 else self._text("positions", count=count)
        room = setting.get("room")
        where = self._text("room", room=room) if room else self._text("hlga" if setting["hlga"] else "main-floor")
        return f"{setting['layout']}, {positions}, {where}"

    # --- cards and wagers ------------------------------------------------------------------------------------------

    def _hands(self, hands: dict[str, Any]) -> list[dict[str, Any]]:
        return [
            {
                "hand": self._text("hand", hand=hand),
                "cards": [_card(text) for text in each["cards"]],
                "total": "" if each["total"] is None else str(each["total"]),
            }
            for hand, each in hands.items()
        ]

    def _outcome(self, winner: str | None, ending: str) -> str:
        if winner:
            return self._name("winner_is", winner)
        return self._text("round-void" if ending == "void" else "no-outcome")

    def _wager(self, each: dict[str, Any]) -> list[str]:
        who = [_breakable(each["patron"]), str(each["position"]), self._name("wager", each["wager"])]
        if "result" not in each:
            return [*who, each["amount"], "", "", "", "", "", ""]
        clauses = ", ".join(dict.fromkeys(clause for clause in (each["clause"], each["limit_clause"]) if clause))
        pays = ""
        if each["result"] == "win":
            above, below = ratio_parts(Fraction(each["pays"]))
            pays = self._text("ratio", above=above, below=below)
        amounts = [each["winnings"], each["commission"], each["returned"]]
        return [*who, each["stake"], self._text(f"result.{each['result']}"), pays, *amounts, clauses]

    # --- the course of the round -----------------------------------------------------------------------------------

    def _step(self, each: dict[str, Any], day: str) -> list[str]:
        return [
            str(each["number"]),
            each["at"].removeprefix(f"{day} "),
            _breakable(each["by"]),
            self._name("duty", each["position"]),
            _breakable(self._sentence(each["told"])),
            ", ".join(each["cites"]),
        ]

    def _sentence(self, told: str) -> str:
        return self._text("sentence", sentence=told)

    def _irregularity(self, each: dict[str, Any]) -> dict[str, Any]:
        told = each["circumstances"]
        facts = self._circumstances(told) if told else ()
        return {
            "heading": self._text("event-heading", **each),
            "told": _breakable(self._sentence(each["told"])),
            "clause": self._clause(each["cites"]),
            "facts": [[self._text(f"circumstance.{name}"), _breakable(text)] for name, text in facts],
        }

    def _clause(self, cited: list[str]) -> str:
        return self._text("clause", cited=", ".join(cited)) if cited else self._text("no-clause")

    def _circumstances(self, told: dict[str, Any]) -> Iterable[tuple[str, str]]:
        roles = self._text("and").join(self._name("duty", each) for each in told["acting_in"])
        acting = self._text("acting", roles=roles) if roles else ""
        yield "noticed-by", told["noticed_by"]
        yield "authorised-by", f"{told['authorised_by']}, {self._name('duty', told['position'])}{acting}"
        if told["next_card"] is not None:
            yield "next-card", self._text("next-card", **told)
        before, after = self._layout(told["wagers_before"]), self._layout(told["wagers_after"])
        if before == after:
            yield "wagers", self._text("unchanged", wagers=before)
        else:
            yield "wagers-before", before
            yield "wagers-after", after
        if told["note"]:
            yield "note", told["note"]
        if told["reason"]:
            yield "reason", told["reason"]
        if told["second_person"]:
            yield "second-person", told["second_person"]

    def _layout(self, wagers: list[dict[str, Any]]) -> str:
        return "; ".join(self._text("wager", **each) for each in wagers) or self._text("no-wager")

    def _correction(self, each: dict[str, Any]) -> dict[str, Any]:
        result = "correction.settled" if each["hands"] else "correction.overlooked"
        result = "correction.void" if each["void"] else result
        who = f"{self._name('duty', each['position'])} {_breakable(each['by'])}"
        owed = [[_breakable(one["after"]["patron"]), one["owed"]] for one in each["wagers"] if one["owed"] != "0.00"]
        return {
            "heading": f"{self._text('event-heading', **each)}, {who}: {self._text(result)}",
            "clause": self._clause([each["clause"]] if each["clause"] else []),
            "hands": self._hands(each["hands"]) if each["hands"] else [],
            "outcome": self._outcome(each["winner"], "void"),
            "wagers": [self._wager(one["after"]) for one in each["wagers"]],
            "returned_before": [one["before"]["returned"] for one in each["wagers"]],
            "totals": each["totals"],
            "owed": [self._text("owing", patron=patron, owed=amount) for patron, amount in owed],
        }

    # --- integrity -------------------------------------------------------------------------------------------------

    def _integrity(self, told: dict[str, Any]) -> dict[str, Any]:
        head = told["head"]
        lines = [
            ["events", self._text("range", **told)],
            ["hash-before", told["hash_before"]],
            ["last-hash", told["last_hash"]],
        ]
        if head:
            lines += [
                ["head", self._text("head-noted", **head)],
                ["head-hash", head["hash"]],
                ["signature", _in_lines(head["signature"])],
                ["key", head["public_key"]],
            ]
        named = [[self._text(f"integrity.{name}"), text] for name, text in lines]
        return {"lines": named, "head": self._head(told), "how": told["how"]}

    def _head(self, told: dict[str, Any]) -> str:
        text, head = self._text, told["head"]
        if head is None:
            return text("no-head")
        signed = text("head.signed" if head["is_signed"] else "head.not-signed")
        agrees = text("head.agrees" if head["agrees_with_log"] else "head.differs")
        between = head["number"] - told["last_event"]
        covered = text("head.after", between=f"{between:,}")
        if not between:
            covered = text("head.at-end")
        elif told["events_to_head"] is None:
            covered += text("head.export-hint")
        else:
            covered += text("head.in-packet")
        return text("head.summary", signed=signed, agrees=agrees, covered=covered)

    def _shoe(self, told: dict[str, Any]) -> str:
        if told["record"] is None and told["commitment"]:
            return self._text("shoe.not-published")
        if told["record"] is None:
            return self._text("shoe.not-sealed")
        if told["record_holds"]:
            return self._text("shoe.holds")
        return self._text("shoe.does-not-hold")

    def _finding(self, each: dict[str, Any]) -> str:
        place = "" if each["event"] is None else self._text("finding-place", event=each["event"])
        return _breakable(f"{place}{each['finding']}")


class _PatronSheet(_Sheet):
    """The texts of a document for one patron."""

    def of(self, packet: dict[str, Any]) -> dict[str, Any]:
        made = super().of(packet)
        made["texts"] = self._texts | {
            "about": self._texts["patron-about"],
            "json-note": self._texts["patron-json-note"],
            "audit-clean": "",
        }
        return made

    def _facts(self, packet: dict[str, Any]) -> Iterable[tuple[str, str]]:
        yield "patron", packet["patron"]
        yield from super()._facts(packet)

    def _integrity(self, told: dict[str, Any]) -> dict[str, Any]:
        return told

    def _shoe(self, _: dict[str, Any]) -> str:
        return ""


def _card(text: str | None) -> dict[str, object]:
    """Return a card with its sign; one that was never turned has none."""
    card = Card.parse(text) if text else None
    return {"sign": card_sign(card) if card else "", "red": card is not None and card.suit.is_red}


def _in_lines(digits: str) -> str:
    return "\n".join(digits[at : at + _IN_A_LINE] for at in range(0, len(digits), _IN_A_LINE))
