"""The lines of a game's file applied with separate code: what a wager is paid for the cards.

Part of the auditor: it shares nothing with the engine, which reads the same lines.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any

from punto.audit.dealt_cards import Hand, total, winner

Game = dict[str, Any]
"""A game's file as it was read."""
Cards = tuple[Hand, Hand]
"""Of Player and of Banker."""
Line = tuple[Fraction | None, Fraction]
"""What a wager pays, None if it loses, and what is withheld as commission."""


def line_of(game: Game, wager: str, cards: Cards) -> Line:
    """Return what the game's file pays on the wager for these cards, and withholds of it."""
    lines = next(each["lines"] for each in game["wager"] if each["name"] == wager)
    for line in lines:
        if _holds(line["when"], *cards):
            withheld = _ratio(line["commission"]) if "commission" in line else Fraction(0)
            return (Fraction(0) if line["pays"] == "push" else _ratio(line["pays"])), withheld
    return None, Fraction(0)


def paid(line: Line, stake: int) -> tuple[int, int]:
    """Return what a line hands back of a stake within the limits, and the commission on it."""
    pays, withheld = line
    if pays is None:
        return 0, 0
    won = -(-stake * pays.numerator // pays.denominator)
    whole = pays + withheld
    return stake + won, -(-stake * whole.numerator // whole.denominator) - won


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
    pairs = [_fact_of_hand("pair_rank", hand) for hand in (player, banker)]
    facts: dict[str, object] = {
        "winner": winner(player, banker),
        "margin": abs(total(player) - total(banker)),
        "cards": len(player) + len(banker),
        "pairs": 2 - pairs.count(None),
        "same_pair": pairs[0] is not None and pairs[0] == pairs[1],
    }
    return facts[key]


def _fact_of_hand(what: str, hand: Hand) -> object:
    rank, suit, other_rank, other_suit = *hand[0], *hand[1]
    facts: dict[str, object] = {
        "total": total(hand),
        "cards": len(hand),
        "pair": rank == other_rank,
        "pair_rank": rank if rank == other_rank else None,
        "suited": suit == other_suit,
        "suit": suit if suit == other_suit else None,
    }
    return facts[what]
