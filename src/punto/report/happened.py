"""What happened at a table in words, for people who have to read it: the sentences are a catalogue."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from pathlib import Path

from punto.cards import Card, Rank
from punto.report.texts import money
from punto.rules.coup import Winner
from punto.rules.provisions import PROVISIONS
from punto.rules.table_of_play import Hand
from punto.table import events, irregular
from punto.table.events import Event, Returned
from punto.table.roles import Role
from punto.table.setting import Limits

_AMOUNTS = {"amount", "total", "difference", "allowed", "counted", "float_", "commission"}
_PLACES = ("first", "second", "third")
WINNERS = {Winner.PLAYER: "Player wins", Winner.BANKER: "Banker wins", Winner.TIE: "tie"}
_REASONS = {"house": "by decision of the house", "closing": "the table closes"}

_VARIANTS: dict[type[Event], tuple[str, str, str]] = {
    events.WagerPlaced: ("on_behalf_by", "on behalf", ""),
    events.CardExposed: ("by_patron", "by patron", ""),
    events.CuttingCardShown: ("first_of_round", "first", ""),
    irregular.RoundCorrected: ("coup", "", "void"),
    irregular.WithdrawalOffered: ("whole", "whole", ""),
    irregular.WithdrawalAnswered: ("withdrawn", "", "none"),
    irregular.PowerFailed: ("decided", "decided", ""),
    irregular.CardsDrawnTogether: ("order_known", "", "unknown"),
    irregular.DeviceReset: ("cards_seen", "seen", ""),
}
"""Of an event with several sentences: the field that tells which, and the variant if it says something and if not."""


LANGUAGES = ("en", "zh")
_HERE = Path(__file__).parent


@cache
def catalogue(language: str = "en") -> dict[str, str]:
    """All sentences there are, by the name of the event and the variant."""
    file = _HERE / ("happened.toml" if language == "en" else f"happened.{language}.toml")
    sentences: dict[str, str] = tomllib.loads(file.read_text("utf-8"))
    return sentences


@cache
def _names(language: str) -> dict[str, dict[str, str]]:
    names: dict[str, dict[str, str]] = tomllib.loads((_HERE / f"names.{language}.toml").read_text("utf-8"))
    return names


def named(kind: str, name: str, language: str) -> str:
    """What has an English name, in another language; the name itself where there is no word for it."""
    return name if language == "en" else _names(language)[kind].get(name, name)


def in_words(event: Event, language: str = "en") -> str:
    """What the event says happened."""
    name = type(event).__name__
    if several := _VARIANTS.get(type(event)):
        field, if_so, if_not = several
        variant = if_so if getattr(event, field) else if_not
        name += f", {variant}" if variant else ""
    sentence = catalogue(language)[name]
    values = {each.name: _value(each.name, getattr(event, each.name), language) for each in fields(event)}
    return sentence.format(**values)


def card_sign(card: Card) -> str:
    """A card as people draw it: 4♥, 10♠."""
    return ("10" if card.rank is Rank.TEN else card.rank.value) + card.suit.symbol


def _value(name: str, value: object, language: str) -> str:
    """A field as people write it: what it is called tells amounts, places, provisions and reasons from other values."""
    if name in _AMOUNTS and isinstance(value, int):
        return signed_money(value)
    if name == "place" and isinstance(value, int):
        return named("place", _PLACES[value], language) if value in range(len(_PLACES)) else f"{value + 1}th"
    if name in ("provision", "reason") and isinstance(value, str):
        return provision_or_reason(value, language)
    if name in ("wager", "higher", "lower") and isinstance(value, str):
        return named("wager", value, language)
    if name == "winner" and isinstance(value, str):
        return WINNERS[Winner(value)] if language == "en" else named("winner", value, language)
    if name in ("why", "decision") and isinstance(value, str):
        return named("phrase", value, language)
    return _shown(value, language)


def provision_or_reason(key: str, language: str = "en") -> str:
    """What a provision is about, or for what reason something ended."""
    if language != "en":
        for kind in ("hold", "attested", "reason"):
            if (word := named(kind, key, language)) != key:
                return word
    return PROVISIONS[key].subject if key in PROVISIONS else _REASONS.get(key, key)


def _shown(value: object, language: str) -> str:
    match value:
        case Card():  # before tuple: a card is one too
            return card_sign(value)
        case Hand():
            return value.capitalize() if language == "en" else named("winner", value.value, language)
        case Role():
            return named("duty", value.value, language)
        case Returned():
            return _laid(value, language)
        case Limits():
            return f"{money(value.minimum)} {'to' if language == 'en' else '–'} {money(value.maximum)}"
        case Mapping():
            return ", ".join(f"{named('wager', key, language)} {_shown(each, language)}" for key, each in value.items())
        case tuple():
            between = "; " if any(isinstance(each, Returned) for each in value) else ", "
            return between.join(_shown(each, language) for each in value) or named("phrase", "none", language)
    return str(value)


def _laid(wager: Returned, language: str) -> str:
    if language == "en":
        return f"{wager.patron}'s {wager.wager} {money(wager.amount)} at position {wager.position}"
    return f"{wager.patron} {wager.position} 号位{named('wager', wager.wager, language)} {money(wager.amount)}"


def signed_money(cents: int) -> str:
    """An amount with two places, which may be below zero."""
    return f"{'-' if cents < 0 else ''}{money(abs(cents))}"
