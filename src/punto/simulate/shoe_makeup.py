"""Shoes to be dealt: which cards, what is burnt, where the cutting card lies, and what follows it (reading R17)."""

from __future__ import annotations

from dataclasses import dataclass

from punto.cards import DECK, Card, Composition
from punto.rules.deal_counts import CUT_FROM_THE_END, LONGEST_COUP
from punto.rules.rulebook import Rulebook

MOST_CARDS = 20_800
"""Four hundred decks: far above any shoe, and low enough for two choices of a place from 32 random bits."""

BY_FIRST_CARD = "first-card"
"""Burn the first card and as many more as its value, ten for a ten or a face card."""


@dataclass(frozen=True, slots=True)
class Shoes:
    """How every shoe of a simulation is made up and dealt."""

    cards: Composition
    cut: int = CUT_FROM_THE_END
    """The number of cards behind the cutting card."""
    burn: int | str = 0
    """The number of cards set aside at the start, or ``first-card``."""
    rounds_after: int = 0
    """The number of rounds after the one in which the cutting card shows."""

    def __post_init__(self) -> None:
        if not LONGEST_COUP <= len(self.cards) <= MOST_CARDS:
            raise ValueError(f"a shoe to simulate has {LONGEST_COUP} to {MOST_CARDS} cards, not {len(self.cards)}")
        if not 0 <= self.cut < len(self.cards):
            raise ValueError(f"the cutting card lies 0 to {len(self.cards) - 1} cards from the end, not {self.cut}")
        if self.rounds_after < 0:
            raise ValueError(f"rounds after the cutting card: 0 or more, not {self.rounds_after}")
        if self.burn != BY_FIRST_CARD and not (isinstance(self.burn, int) and 0 <= self.burn < len(self.cards)):
            raise ValueError(f"burn {BY_FIRST_CARD}, or 0 to {len(self.cards) - 1} cards, not {self.burn}")
        fewest = 2 if self.burn == BY_FIRST_CARD else self.burn
        if isinstance(fewest, int) and fewest > len(self.cards) - self.cut and not self.rounds_after:
            raise ValueError("the cutting card lies among the cards that are burnt: no round can be dealt")

    @classmethod
    def of(cls, book: Rulebook, decks: int | None = None) -> Shoes:
        """Return full shoes of the game, with ``decks`` decks or the usual number."""
        return cls(book.shoe(book.usual_decks if decks is None else decks))

    @property
    def in_order(self) -> list[int]:
        """Return the cards before the first shuffle, each by its number in the deck."""
        return [number for number, card in enumerate(DECK) for _ in range(self.cards.count(card))]

    def burnt(self, first: Card) -> int:
        """Return how many cards are set aside if this card comes first."""
        if self.burn == BY_FIRST_CARD:
            return 1 + (first.point_value or 10)
        assert isinstance(self.burn, int)
        return self.burn
