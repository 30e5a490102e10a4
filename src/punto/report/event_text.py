"""What happened at a table in words, for people who have to read it: a catalogue of sentences for each language."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from punto.cards import Card, Rank
from punto.report.rendering import money
from punto.rules.provisions import PROVISIONS
from punto.rules.table_of_play import Hand
from punto.table.event import AMOUNTS, Event, Returned
from punto.table.irregularities.correction import RoundCorrected
from punto.table.irregularities.device_reset import DeviceReset
from punto.table.irregularities.drawn_together import CardsDrawnTogether
from punto.table.irregularities.power_failure import PowerFailed
from punto.table.irregularities.withdrawal import WithdrawalAnswered, WithdrawalOffered
from punto.table.play.dealing import CardExposed, CuttingCardShown
from punto.table.play.loss_limits import LossLimitEased
from punto.table.play.wagers import WagerPlaced
from punto.table.settings import Limits
from punto.texts import Language

Catalogue = Mapping[str, Mapping[str, str]]
"""By its kind and the name the software has for it, how something is said."""

_KINDS = {
    "decision": "said",
    "game": "game",
    "hand": "hand",
    "higher": "wager",
    "lower": "wager",
    "matter": "said",
    "provision": "provision",
    "reason": "reason",
    "role": "role",
    "wager": "wager",
    "why": "said",
    "winner": "winner",
}
"""What a field names. What somebody wrote himself is in no catalogue, and is told as he wrote it."""

_VARIANTS: dict[type[Event], tuple[str, str, str]] = {
    WagerPlaced: ("on_behalf_by", "on behalf", ""),
    CardExposed: ("by_patron", "by patron", ""),
    CuttingCardShown: ("first_of_round", "first", ""),
    LossLimitEased: ("limit", "", "lifted"),
    RoundCorrected: ("coup", "", "void"),
    WithdrawalOffered: ("whole", "whole", ""),
    WithdrawalAnswered: ("withdrawn", "", "none"),
    PowerFailed: ("decided", "decided", ""),
    CardsDrawnTogether: ("order_known", "", "unknown"),
    DeviceReset: ("cards_seen", "seen", ""),
}
"""Of an event with several sentences: the field that tells which, and the variant if it says something and if not."""

_FILES = {Language.ENGLISH: "event_text.toml", Language.CHINESE: "event_text.zh.toml"}


@cache
def catalogue(language: Language = Language.ENGLISH) -> Catalogue:
    """All that is said in a language."""
    said: Catalogue = tomllib.loads(Path(__file__).with_name(_FILES[language]).read_text("utf-8"))
    return said


def in_words(event: Event, language: Language = Language.ENGLISH) -> str:
    """What the event says happened."""
    name = type(event).__name__
    if several := _VARIANTS.get(type(event)):
        field, if_so, if_not = several
        variant = if_so if getattr(event, field) else if_not
        name += f", {variant}" if variant else ""
    say = _Saying(catalogue(language))
    values = {name: say.value(name, getattr(event, name)) for name in event.__struct_fields__}
    return catalogue(language)["sentence"][name].format(**values)


@cache
def _first_words() -> frozenset[str]:
    said = catalogue()
    return frozenset(each.split()[0] for kind in ("sentence", "winner") for each in said[kind].values())


def sentence(words: str) -> str:
    """What was said as a sentence of its own begins; one that begins with somebody's id begins as that is written."""
    return f"{words[0].upper()}{words[1:]}" if words.split()[0] in _first_words() else words


def card_sign(card: Card) -> str:
    """A card as people draw it: 4♥, 10♠."""
    return ("10" if card.rank is Rank.TEN else card.rank.value) + card.suit.symbol


class _Saying:
    """Values of events as people write them in a language."""

    def __init__(self, said: Catalogue) -> None:
        self._said, self._form = said, said["form"]

    def value(self, name: str, value: object) -> str:
        """A field: what it is called tells amounts, places and names from other values."""
        if name in AMOUNTS and isinstance(value, int):
            return money(value)
        if name == "place" and isinstance(value, int):
            return self._said["place"].get(str(value)) or self._form["place"].format(number=value + 1)
        if name == "decided" and isinstance(value, tuple):
            return self._form["between"].join(self._named("wager", each) for each in value)
        if name in _KINDS and isinstance(value, str):
            return self._named(_KINDS[name], value)
        return self._shown(value)

    def _named(self, kind: str, name: str) -> str:
        """A name as the language has it; in English most things are called by their names."""
        known = self._said.get(kind, {}).get(name)
        if known is None and kind in ("provision", "reason") and name in PROVISIONS:
            return self._said.get("provision", {}).get(name) or PROVISIONS[name].subject
        return known or name

    def _shown(self, value: object) -> str:
        match value:
            case Card():  # before tuple: a card is one too
                return card_sign(value)
            case Hand():
                return self._named("hand", value)
            case Returned():
                wager, amount = self._named("wager", value.wager), money(value.amount)
                return self._form["returned"].format(
                    patron=value.patron, wager=wager, amount=amount, position=value.position
                )
            case Limits():
                return self._form["limits"].format(minimum=money(value.minimum), maximum=money(value.maximum))
            case Mapping():
                return self._form["between"].join(
                    self._form["of_wager"].format(wager=self._named("wager", str(key)), limits=self._shown(each))
                    for key, each in value.items()
                )
            case tuple():
                wagers = any(isinstance(each, Returned) for each in value)
                between = self._form["between_wagers" if wagers else "between"]
                return between.join(map(self._shown, value)) or self._form["none"]
        return str(value)
