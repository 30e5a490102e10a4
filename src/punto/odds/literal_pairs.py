"""The subject of reading R1: the return of a pair wager if a ten paired with any face card, as the letter has it."""

from __future__ import annotations

from fractions import Fraction

from punto.cards import Cards, Composition, Rank
from punto.rules.caller_input import wager_of
from punto.rules.rulebook import Wager

_FACES = (Rank.JACK, Rank.QUEEN, Rank.KING)


def literal_pair_return(wager: Wager, shoe: Cards) -> Fraction:
    """Return the return of a wager on a pair in one hand, as Player Pair, if "the same point value" were taken
    literally.

    Two cards then pair if they are of one rank, or if one is a ten and the other a face card; two different face cards
    are ruled out by name.
    """
    cards = shoe if isinstance(shoe, Composition) else Composition(shoe)
    if len(cards) < 2:
        raise ValueError(f"expected a shoe of at least two cards, found {len(cards)}")
    held = {rank: sum(count for card, count in cards.counts().items() if card.rank is rank) for rank in Rank}
    of_one_rank = sum(count * (count - 1) for count in held.values())
    ten_and_face = 2 * held[Rank.TEN] * sum(held[rank] for rank in _FACES)
    chance = Fraction(of_one_rank + ten_and_face, len(cards) * (len(cards) - 1))
    return chance * (wager_of(wager).lines[0].pays + 1) - 1
