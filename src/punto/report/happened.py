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
from punto.table.setting import Limits

_AMOUNTS = {"amount", "limit", "total", "difference", "allowed", "counted", "float_", "commission"}
_PLACES = ("first", "second", "third")
WINNERS = {Winner.PLAYER: "Player wins", Winner.BANKER: "Banker wins", Winner.TIE: "tie"}
_REASONS = {"house": "by decision of the house", "closing": "the table closes"}

_VARIANTS: dict[type[Event], tuple[str, str, str]] = {
    events.WagerPlaced: ("on_behalf_by", "on behalf", ""),
    events.CardExposed: ("by_patron", "by patron", ""),
    events.CuttingCardShown: ("first_of_round", "first", ""),
    events.LossLimitEased: ("limit", "", "lifted"),
    irregular.RoundCorrected: ("coup", "", "void"),
    irregular.WithdrawalOffered: ("whole", "whole", ""),
    irregular.WithdrawalAnswered: ("withdrawn", "", "none"),
    irregular.PowerFailed: ("decided", "decided", ""),
    irregular.CardsDrawnTogether: ("order_known", "", "unknown"),
    irregular.DeviceReset: ("cards_seen", "seen", ""),
}
"""Of an event with several sentences: the field that tells which, and the variant if it says something and if not."""


@cache
def catalogue() -> dict[str, str]:
    """All sentences there are, by the name of the event and the variant."""
    sentences: dict[str, str] = tomllib.loads(Path(__file__).with_name("happened.toml").read_text("utf-8"))
    return sentences


def in_words(event: Event) -> str:
    """What the event says happened."""
    name = type(event).__name__
    if several := _VARIANTS.get(type(event)):
        field, if_so, if_not = several
        variant = if_so if getattr(event, field) else if_not
        name += f", {variant}" if variant else ""
    sentence = catalogue()[name]
    return sentence.format(**{each.name: _value(each.name, getattr(event, each.name)) for each in fields(event)})


def card_sign(card: Card) -> str:
    """A card as people draw it: 4♥, 10♠."""
    return ("10" if card.rank is Rank.TEN else card.rank.value) + card.suit.symbol


def _value(name: str, value: object) -> str:
    """A field as people write it: what it is called tells amounts, places, provisions and reasons from other values."""
    if name in _AMOUNTS and isinstance(value, int):
        return signed_money(value)
    if name == "place" and isinstance(value, int):
        return _PLACES[value] if value in range(len(_PLACES)) else f"{value + 1}th"
    if name in ("provision", "reason") and isinstance(value, str):
        return PROVISIONS[value].subject if value in PROVISIONS else _REASONS.get(value, value)
    if name == "winner" and isinstance(value, str):
        return WINNERS[Winner(value)]
    return _shown(value)


def _shown(value: object) -> str:
    match value:
        case Card():  # before tuple: a card is one too
            return card_sign(value)
        case Hand():
            return value.capitalize()
        case Returned():
            return f"{value.patron}'s {value.wager} {money(value.amount)} at position {value.position}"
        case Limits():
            return f"{money(value.minimum)} to {money(value.maximum)}"
        case Mapping():
            return ", ".join(f"{key} {_shown(each)}" for key, each in value.items())
        case tuple():
            between = "; " if any(isinstance(each, Returned) for each in value) else ", "
            return between.join(map(_shown, value)) or "none"
    return str(value)


def signed_money(cents: int) -> str:
    """An amount with two places, which may be below zero."""
    return f"{'-' if cents < 0 else ''}{money(abs(cents))}"
