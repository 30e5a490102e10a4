"""The lines of a game's file applied with separate code: what a wager is paid for the cards.

Part of the auditor: it shares nothing with the engine, which reads the same lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

from punto.audit.dealt_cards import Hand, total, winner

Game = dict[str, Any]
"""A game's file as it was read."""
Cards = tuple[Hand, Hand]
"""Of Player and of Banker."""
LOSES = Fraction(-1)


class PaidLine(NamedTuple):
    """A line of a wager, as it is computed with: what it pays, and that with what is withheld as commission."""

    pays: Fraction
    """The ratio: 0 pushes, -1 loses."""
    result: str
    won: int
    won_of: int
    whole: int
    whole_of: int


@lru_cache(maxsize=1_000)
def _line(pays: str, commission: str) -> PaidLine:
    ratio = Fraction(0) if pays == "push" else _ratio(pays)
    whole = ratio + (_ratio(commission) if commission else 0)
    result = "win" if ratio else "push"
    return PaidLine(ratio, result, ratio.numerator, ratio.denominator, whole.numerator, whole.denominator)


_LOST = PaidLine(LOSES, "lose", -1, 1, -1, 1)


def line_of(game: Game, wager: str, cards: Cards) -> PaidLine:
    """Return what the game's file pays on the wager for these cards, and withholds of it."""
    lines = next(each["lines"] for each in game["wager"] if each["name"] == wager)
    for line in lines:
        if _holds(line["when"], *cards):
            return _line(line["pays"], line.get("commission", ""))
    return _LOST


def paid(line: PaidLine, stake: int) -> tuple[int, int]:
    """Return what a line hands back of a stake within the limits, and the commission on it."""
    _, _, won, won_of, whole, whole_of = line
    more = -(-stake * won // won_of)
    return stake + more, -(-stake * whole // whole_of) - more


def won_by(line: PaidLine, played: int) -> int:
    """Return what a winning line pays for what was played, over what is handed back of it."""
    return paid(line, played)[0] - played


@lru_cache(maxsize=1_000)
def _ratio(text: str) -> Fraction:
    pays, _, to = text.partition(" to ")
    return Fraction(pays) / Fraction(to)


def _holds(when: dict[str, Any], player: Hand, banker: Hand) -> bool:
    """Return whether every key of a condition holds for the cards."""
    return all(_key_holds(key, wanted, player, banker) for key, wanted in when.items())


def _key_holds(key: str, wanted: Any, player: Hand, banker: Hand) -> bool:
    if key == "any":
        return any(_holds(each, player, banker) for each in wanted)
    if key == "all":
        return all(_holds(each, player, banker) for each in wanted)
    if key == "not":
        return not _holds(wanted, player, banker)
    if key == "number_of":
        return _number_holds(wanted, player, banker)
    if key in _FACTS or key.partition("_")[2] in _FACTS_OF_TWO or _SET_OF_CARDS.fullmatch(key) is None:
        return _fact_holds(key, wanted, player, banker)
    return _set_holds(key, wanted, player, banker)


def _fact_holds(key: str, wanted: Any, player: Hand, banker: Hand) -> bool:
    found = _fact(key, player, banker)
    return found in wanted if isinstance(wanted, list) else bool(found == wanted)


def _fact(key: str, player: Hand, banker: Hand) -> object:
    """Return the fact about the cards that a key of a condition asks for."""
    side, _, what = key.partition("_")
    if side in ("player", "banker") and what:
        return _fact_of_hand(what, player if side == "player" else banker)
    return _FACTS[key](player, banker)


def _fact_of_hand(what: str, hand: Hand) -> object:
    if what == "total":
        return total(hand)
    if what == "initial_total":
        return total(hand[:2])
    if what == "natural":
        return total(hand[:2]) >= _NATURAL
    place, _, look = what.partition("_")
    if place in _PLACES:
        at = _PLACES.index(place)
        return _LOOKS[look](hand[at]) if at < len(hand) else None
    return len(hand) if what == "cards" else _FACTS_OF_TWO[what](*hand[0], *hand[1])


_NATURAL = 8
_PLACES = ("first", "second", "third")
_SET_OF_CARDS = re.compile(
    r"(every|any|most)_(?:(player|banker)_)?(initial_)?cards?_(?:of_one_)?(rank|suit|colour|value)"
)
"""Keys that ask something of all cards, or of the first two of each hand."""


def _colour(card: str) -> str:
    return "red" if card[1] in "hd" else "black"


_LOOKS: dict[str, Callable[[str], object]] = {
    "rank": lambda card: card[0],
    "suit": lambda card: card[1],
    "colour": _colour,
    "value": lambda card: total([card]),
}


def _set_holds(key: str, wanted: Any, player: Hand, banker: Hand) -> bool:
    """Return whether a key that asks for every card, any card or most alike holds."""
    matched = _SET_OF_CARDS.fullmatch(key)
    assert matched
    rule, whose, initial, look = matched.groups()
    hands = {"player": [player], "banker": [banker], None: [player, banker]}[whose]
    found = [_LOOKS[look](card) for hand in hands for card in (hand[:2] if initial else hand)]
    values = wanted if isinstance(wanted, list) else [wanted]
    if rule == "most":
        return max(found.count(each) for each in found) in values
    return all(each in values for each in found) if rule == "every" else any(each in values for each in found)


def _number_holds(wanted: dict[str, Any], player: Hand, banker: Hand) -> bool:
    """Return whether as many cards of a kind are there as wanted."""
    cards = {"player": [*player], "banker": [*banker], "both": [*player, *banker]}[wanted["cards"]]
    (look,) = wanted.keys() & _LOOKS.keys()
    kinds = wanted[look] if isinstance(wanted[look], list) else [wanted[look]]
    times = wanted["times"] if isinstance(wanted["times"], list) else [wanted["times"]]
    return sum(_LOOKS[look](card) in kinds for card in cards) in times


def _same_pair(player: Hand, banker: Hand) -> bool:
    return _has_pair(player) and _has_pair(banker) and player[0][0] == banker[0][0]


def _has_pair(hand: Hand) -> bool:
    return hand[0][0] == hand[1][0]


_FACTS: dict[str, Callable[[Hand, Hand], object]] = {
    "winner": winner,
    "margin": lambda player, banker: abs(total(player) - total(banker)),
    "cards": lambda player, banker: len(player) + len(banker),
    "pairs": lambda player, banker: _has_pair(player) + _has_pair(banker),
    "same_pair": _same_pair,
    "sum": lambda player, banker: total(player) + total(banker),
    "initial_winner": lambda player, banker: winner(player[:2], banker[:2]),
    "initial_margin": lambda player, banker: abs(total(player[:2]) - total(banker[:2])),
    "initial_sum": lambda player, banker: total(player[:2]) + total(banker[:2]),
    "natural": lambda player, banker: max(total(player[:2]), total(banker[:2])) >= _NATURAL,
}
_FACTS_OF_TWO: dict[str, Callable[[str, str, str, str], object]] = {
    "pair": lambda rank, _, other_rank, __: rank == other_rank,
    "pair_rank": lambda rank, _, other_rank, __: rank if rank == other_rank else None,
    "suited": lambda _, suit, __, other_suit: suit == other_suit,
    "suit": lambda _, suit, __, other_suit: suit if suit == other_suit else None,
    "suited_in": lambda _, suit, __, other_suit: suit if suit == other_suit else None,
    "one_colour": lambda _, suit, __, other_suit: (suit in "hd") == (other_suit in "hd"),
}
"""Of the rank and suit of a hand's first card, then of its second."""
