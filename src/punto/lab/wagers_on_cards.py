"""What wagers on single cards gain for cards known among the first four: the odds, once for each card there.

Other wagers are counted by the classes of cards that decide them (``position_counts``). One that asks for single cards
tells too many apart for that. With a card known among the first four its odds are those of a coup in which that card
is exposed. A fifth or sixth card belongs to either hand or to none, so nothing exposed stands for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import perm
from typing import Any

import numpy as np

from punto.cards import Card, Composition
from punto.odds.exact import wager_odds
from punto.rules.deal_counts import LONGEST_COUP, CardsSeen
from punto.rules.rulebook import Wager

Array = Any
FIRST_FOUR = 4
MOST_KNOWN = 2
"""Positions at once: one takes the odds of up to 52 coups, two of up to 2,704."""


def refuse_positions(wager: Wager, positions: Sequence[int]) -> None:
    """Raise ``ValueError`` where the gains of a wager on single cards are not counted."""
    if max(positions) > FIRST_FOUR or len(positions) > MOST_KNOWN:
        raise ValueError(
            f"{wager.name} asks for single cards: its value is counted for one or two known cards "
            f"at positions 1 to {FIRST_FOUR}"
        )


def gains_on_cards(
    wager: Wager, shoe: Composition, positions: Sequence[int], classes: dict[Card, int], number: int
) -> Array:
    """Return what a unit on the wager gains in all orders of six cards that show each observation, in its parts.

    ``classes`` gives the number of each card's class, of so many; there is an axis for every position.
    """
    refuse_positions(wager, positions)
    gains = np.zeros((number,) * len(positions), object)
    orders = perm(len(shoe) - len(positions), LONGEST_COUP - len(positions))
    for cards in product(shoe.counts(), repeat=len(positions)):
        ways = _ways(shoe, cards)
        if not ways:
            continue
        exposed = dict(zip(positions, cards, strict=True))
        found = wager_odds(wager, shoe.without(cards), _seen(exposed)).expected_return
        gained: Fraction = found * wager.parts * ways * orders
        assert gained.denominator == 1
        gains[tuple(classes[card] for card in cards)] += gained.numerator
    return gains


def _ways(shoe: Composition, cards: tuple[Card, ...]) -> int:
    """Return in how many ways these cards come from the shoe in this order."""
    ways, gone = 1, list[Card]()
    for card in cards:
        ways *= shoe.count(card) - gone.count(card)
        gone.append(card)
    return ways


def _seen(exposed: dict[int, Card]) -> CardsSeen:
    """Return what a coup shows with these cards exposed: Player has the first and third card, Banker the others."""
    hands = []
    for places in ((1, 3), (2, 4)):
        hand = [exposed.get(place) for place in places]
        while hand and hand[-1] is None:
            hand.pop()
        hands.append(tuple(hand))
    return CardsSeen(*hands)
