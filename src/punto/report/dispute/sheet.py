"""A dispute packet on paper: what ``dispute.typ`` prints, as texts, and the PDF.

Every text is written here in English, or there; ``dispute.zh.toml`` has each of them in Chinese.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from punto.cards import Card
from punto.report.event_text import card_sign, catalogue, sentence
from punto.report.rendering import breakable as _breakable
from punto.report.rendering import pays_or_push
from punto.texts import Language

_HERE = Path(__file__).parent
_IN_A_LINE = 64
_ENDINGS = {"settled": "settled", "void": "void", "in play": "still in play when this was made"}
_RESULTS = {"win": "won", "lose": "lost", "push": "push", "returned": "returned", "void": "void"}


def packet_json(packet: dict[str, Any]) -> bytes:
    """The packet as JSON that people can read too."""
    return f"{json.dumps(packet, indent=2, ensure_ascii=False)}\n".encode()


def packet_pdf(packet: dict[str, Any]) -> bytes:
    """The packet as a PDF, in the language it was made in."""
    import typst

    # Everything goes in as data: nothing that somebody wrote in a note is taken for a command.
    made: bytes = typst.compile(str(_HERE / "dispute.typ"), sys_inputs={"sheet": json.dumps(sheet(packet))})
    return made


def sheet(packet: dict[str, Any]) -> dict[str, Any]:
    """All that the document says, as texts."""
    return _Sheet(Language(packet["language"])).of(packet)


@cache
def texts(language: Language) -> dict[str, str]:
    """What stands on paper in English, in another language."""
    if language is Language.ENGLISH:
        return {}
    said: dict[str, str] = tomllib.loads((_HERE / f"dispute.{language.value}.toml").read_text("utf-8"))
    return said


class _Sheet:
    """The texts of a document in one language."""

    def __init__(self, language: Language) -> None:
        self._language, self._texts, self._known = language, texts(language), catalogue(language)

    def of(self, packet: dict[str, Any]) -> dict[str, Any]:
        """The whole document."""
        day, game = packet["opened"][:10], packet["game"]
        limits = packet["setting"]["limits"].items()
        return {
            "language": self._language.value,
            "words": self._texts,
            "software": packet["software"],
            "table": _breakable(packet["table"]),
            "round": str(packet["round"]),
            "title": self._name("game", game["key"], game["title"]),
            "facts": [[self._say(name), _breakable(text)] for name, text in self._facts(packet)],
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
        }

    def _say(self, text: str, **values: object) -> str:
        """A text, with its blanks filled in."""
        return self._texts.get(text, text).format(**values)

    def _name(self, kind: str, name: str, otherwise: str | None = None) -> str:
        """What is called by its English name, as the log's own catalogue has it."""
        return self._known.get(kind, {}).get(name) or otherwise or name

    def _facts(self, packet: dict[str, Any]) -> Iterable[tuple[str, str]]:
        say, game, setting = self._say, packet["game"], packet["setting"]
        version = say("version {version}", version=game["version"]) if game["version"] else say("no version given")
        since = say(", in force from {day}", day=game["effective"][:10]) if game["effective"] else ""
        yield "Table", packet["table"]
        yield "Game", f"{self._name('game', game['key'], game['title'])} ({game['key']}), {version}{since}"
        corrected = say(", and corrected later (see below)") if packet["corrections"] else ""
        yield "Round", f"{packet['round']}, {say(_ENDINGS[packet['ending']])}{corrected}"
        yield "Shoe", packet["shoe"]["name"]
        yield "Opened", f"{packet['opened']} UTC"
        if packet["ended"]:
            yield "Ended", f"{packet['ended']} UTC"
        yield "Layout", self._layout_in_words(setting)
        method = say("Method {method}", method=setting["method"]) if setting["method"] else "dealt by the Dealer alone"
        device = say("{device} dealing device", device=say(setting["device"]))
        yield "Dealing", f"{say(method)}, {device}, {say('{decks} decks', decks=setting['decks'])}"
        steps = say("stakes in steps of {step}", step=setting["stake_step"])
        differential = say("no table differential")
        if setting["differential"]:
            differential = say("table differential {amount}", amount=setting["differential"])
        yield "House limits", f"{steps}, {differential}"

    def _layout_in_words(self, setting: dict[str, Any]) -> str:
        count = setting["positions"]
        positions = self._say("1 position") if count == 1 else self._say("{count} positions", count=count)
        return f"{setting['layout']}, {positions}, {self._say('HLGA' if setting['hlga'] else 'main floor')}"

    # --- cards and wagers ------------------------------------------------------------------------------------------

    def _hands(self, hands: dict[str, Any]) -> list[dict[str, Any]]:
        return [
            {
                "hand": self._say("{hand} hand", hand=self._name("hand", hand)),
                "cards": [_card(text) for text in each["cards"]],
                "total": "" if each["total"] is None else str(each["total"]),
            }
            for hand, each in hands.items()
        ]

    def _outcome(self, winner: str | None, ending: str) -> str:
        if winner:
            return sentence(self._known["winner"][winner])
        return self._say("The round is void." if ending == "void" else "No outcome was called.")

    def _wager(self, each: dict[str, Any]) -> list[str]:
        who = [_breakable(each["patron"]), str(each["position"]), self._name("wager", each["wager"])]
        if "result" not in each:
            return [*who, each["amount"], "", "", "", "", "", ""]
        clauses = ", ".join(dict.fromkeys(clause for clause in (each["clause"], each["limit_clause"]) if clause))
        pays = ""
        if each["result"] == "win":
            above, _, below = pays_or_push(Fraction(each["pays"])).partition(" to ")
            pays = self._say("{above} to {below}", above=above, below=below)
        amounts = [each["winnings"], each["commission"], each["returned"]]
        return [*who, each["stake"], self._say(_RESULTS[each["result"]]), pays, *amounts, clauses]

    # --- the course of the round -----------------------------------------------------------------------------------

    def _step(self, each: dict[str, Any], day: str) -> list[str]:
        return [
            str(each["number"]),
            each["at"].removeprefix(f"{day} "),
            _breakable(each["by"]),
            self._name("role", each["position"]),
            _breakable(self._sentence(each["told"])),
            ", ".join(each["cites"]),
        ]

    def _sentence(self, told: str) -> str:
        return self._say("{sentence}.", sentence=sentence(told))

    def _irregularity(self, each: dict[str, Any]) -> dict[str, Any]:
        told = each["circumstances"]
        facts = self._circumstances(told) if told else ()
        return {
            "heading": self._say("Event {number}, {at}", **each),
            "told": _breakable(self._sentence(each["told"])),
            "clause": self._clause(each["cites"]),
            "facts": [[self._say(name), _breakable(text)] for name, text in facts],
        }

    def _clause(self, cited: list[str]) -> str:
        return self._say("clause {cited}", cited=", ".join(cited)) if cited else self._say("no clause cited")

    def _circumstances(self, told: dict[str, Any]) -> Iterable[tuple[str, str]]:
        roles = self._say(" and ").join(self._name("role", each) for each in told["acting_in"])
        acting = self._say(", acting as {roles}", roles=roles) if roles else ""
        yield "noticed by", told["noticed_by"]
        yield "authorised by", f"{told['authorised_by']}, {self._name('role', told['position'])}{acting}"
        if told["next_card"] is not None:
            yield "next card", self._say("number {next_card} in shoe {shoe}", **told)
        before, after = self._layout(told["wagers_before"]), self._layout(told["wagers_after"])
        if before == after:
            yield "wagers", self._say("{wagers} (unchanged)", wagers=before)
        else:
            yield "wagers before", before
            yield "wagers after", after
        if told["note"]:
            yield "note", told["note"]

    def _layout(self, wagers: list[dict[str, Any]]) -> str:
        told = [
            self._say("{patron} {wager} {amount} at {position}", **each | {"wager": self._name("wager", each["wager"])})
            for each in wagers
        ]
        return "; ".join(told) or self._say("none")

    def _correction(self, each: dict[str, Any]) -> dict[str, Any]:
        words = "found void; every wager is handed back" if each["void"] else "settled anew by these cards"
        who = f"{self._name('role', each['position'])} {_breakable(each['by'])}"
        owed = [[_breakable(one["after"]["patron"]), one["owed"]] for one in each["wagers"] if one["owed"] != "0.00"]
        return {
            "heading": f"{self._say('Event {number}, {at}', **each)}, {who}: {self._say(words)}",
            "clause": self._clause([each["clause"]] if each["clause"] else []),
            "hands": self._hands(each["hands"]) if each["hands"] else [],
            "outcome": self._outcome(each["winner"], "void"),
            "wagers": [self._wager(one["after"]) for one in each["wagers"]],
            "returned_before": [one["before"]["returned"] for one in each["wagers"]],
            "totals": each["totals"],
            "owed": [
                self._say("{patron} is left owing {owed}.", patron=patron, owed=amount) for patron, amount in owed
            ],
        }

    # --- integrity -------------------------------------------------------------------------------------------------

    def _integrity(self, told: dict[str, Any]) -> dict[str, Any]:
        head = told["head"]
        lines = [
            ["Events of the round", self._say("{first_event} to {last_event}", **told)],
            ["Hash before the first", told["hash_before"]],
            ["Hash of the last", told["last_hash"]],
        ]
        if head:
            lines += [
                ["Signed head", self._say("event {number}, noted {noted} UTC", **head)],
                ["Hash of the head", head["hash"]],
                ["Signature", _in_lines(head["signature"])],
                ["Key of the house", head["public_key"]],
            ]
        named = [[self._say(name), text] for name, text in lines]
        return {"lines": named, "head": self._head_in_words(told), "how": self._say(told["how"])}

    def _head_in_words(self, told: dict[str, Any]) -> str:
        say, head = self._say, told["head"]
        if head is None:
            return say("The house has noted no signed head of this table since the round ended.")
        signed = say("The signature is the house's" if head["is_signed"] else "THE SIGNATURE IS NOT THE HOUSE'S")
        there = "the log still has the event it is about"
        agrees = say(there if head["agrees_with_log"] else "THE LOG HAS ANOTHER EVENT THERE")
        between = head["number"] - told["last_event"]
        covered = say("The head comes {between} events after the end of the round. ", between=f"{between:,}")
        if not between:
            covered = say("The head is the end of the round itself. ")
        elif told["events_to_head"] is None:
            covered += say(
                "A packet exported with --to-head holds the events between, so that the head can be checked from it."
            )
        else:
            covered += say("The JSON packet holds the events between, so that the head can be checked from it.")
        return say("{signed}, and {agrees}. {covered}", signed=signed, agrees=agrees, covered=covered)

    def _shoe(self, told: dict[str, Any]) -> str:
        if told["record"] is None and told["commitment"]:
            return self._say("The shoe is sealed, and its record has not been published yet.")
        if told["record"] is None:
            return self._say("The shoe was not one that is sealed by computation: there is no order of it to check.")
        if told["record_holds"]:
            return self._say(
                "The record of the shoe has been published, keeps every commitment, and has the cards of this round "
                "where they were dealt."
            )
        return self._say("The record of the shoe has been published, and DOES NOT HOLD.")

    def _finding(self, each: dict[str, Any]) -> str:
        """What the auditor found, in English: it is said for each case anew."""
        place = "" if each["event"] is None else self._say("event {event}: ", event=each["event"])
        return _breakable(f"{place}{each['finding']}")


def _card(text: str | None) -> dict[str, object]:
    """A card with its sign; one that was never turned has none."""
    card = Card.parse(text) if text else None
    return {"sign": card_sign(card) if card else "", "red": card is not None and card.suit.is_red}


def _in_lines(digits: str) -> str:
    return "\n".join(digits[at : at + _IN_A_LINE] for at in range(0, len(digits), _IN_A_LINE))
