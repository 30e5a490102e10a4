"""The lines of a game's file applied with separate code: what a wager is paid for the cards.

Part of the auditor: it shares nothing with the engine, which reads the same lines.
"""

from __future__ import annotations

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
    if key == "not":
        return not _holds(wanted, player, banker)
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
    return len(hand) if what == "cards" else _FACTS_OF_TWO[what](*hand[0], *hand[1])


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
}
_FACTS_OF_TWO: dict[str, Callable[[str, str, str, str], object]] = {
    "pair": lambda rank, _, other_rank, __: rank == other_rank,
    "pair_rank": lambda rank, _, other_rank, __: rank if rank == other_rank else None,
    "suited": lambda _, suit, __, other_suit: suit == other_suit,
    "suit": lambda _, suit, __, other_suit: suit if suit == other_suit else None,
}
"""Of the rank and suit of a hand's first card, then of its second."""
