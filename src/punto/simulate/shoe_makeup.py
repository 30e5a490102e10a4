"""Shoes to be dealt: which cards, what is burnt, where the cutting card lies, and what follows it (reading R17)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from punto.cards import DECK, Card, Composition
from punto.data_frames import provenance
from punto.given_values import as_whole
from punto.rules.caller_input import Game, game_of
from punto.rules.deal_counts import CUT_FROM_THE_END, LONGEST_COUP
from punto.rules.rulebook import Rulebook

MOST_CARDS = 20_800
"""Four hundred decks: far above any shoe, and low enough for two choices of a place from 32 random bits."""

MOST_ROUNDS_AFTER = 10**9
"""Far more rounds than any shoe has, and few enough for the loops that count them."""

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
        self._expect_types()
        if not LONGEST_COUP <= len(self.cards) <= MOST_CARDS:
            raise ValueError(f"a shoe to simulate has {LONGEST_COUP} to {MOST_CARDS} cards, not {len(self.cards)}")
        if not 0 <= self.cut < len(self.cards):
            raise ValueError(f"the cutting card lies 0 to {len(self.cards) - 1} cards from the end, not {self.cut}")
        if not 0 <= self.rounds_after <= MOST_ROUNDS_AFTER:
            most = f"0 or more, and at most {MOST_ROUNDS_AFTER:,}"
            raise ValueError(f"rounds after the cutting card: {most}, not {self.rounds_after}")
        if self.burn != BY_FIRST_CARD and not self._burns_number():
            raise ValueError(f"burn {BY_FIRST_CARD}, or 0 to {len(self.cards) - 1} cards, not {self.burn}")
        fewest = 2 if self.burn == BY_FIRST_CARD else self.burn
        if isinstance(fewest, int) and fewest > len(self.cards) - self.cut and not self.rounds_after:
            raise ValueError("the cutting card lies among the cards that are burnt: no round can be dealt")

    def _burns_number(self) -> bool:
        number = as_whole(self.burn)
        return number is not None and 0 <= number < len(self.cards)

    def _expect_types(self) -> None:
        if not isinstance(self.cards, Composition):
            raise TypeError(
                f'expected the cards of a shoe: Shoes.of("tiger", decks=8) has full ones; found {self.cards!r}'
            )
        for name in ("cut", "rounds_after", "burn"):
            given = getattr(self, name)
            number = as_whole(given)
            if number is not None:
                object.__setattr__(self, name, number)
            elif name != "burn":
                raise TypeError(f"expected a whole number as {name}, found {given!r}")

    @classmethod
    def of(
        cls,
        game: Game,
        decks: int | None = None,
        *,
        cut: int | None = None,
        burn: int | str | None = None,
        rounds_after: int | None = None,
    ) -> Shoes:
        """Return full shoes of the game, with ``decks`` decks or the usual number."""
        book = game_of(game)
        full = cls(book.shoe(book.usual_decks if decks is None else decks))
        given: dict[str, Any] = {"cut": cut, "burn": burn, "rounds_after": rounds_after}
        return replace(full, **{name: value for name, value in given.items() if value is not None})

    def to_dict(self) -> dict[str, object]:
        """Return how shoes are made up and dealt, ready for JSON; decks are None where the cards are not full decks."""
        decks, rest = divmod(len(self.cards), len(DECK))
        full = not rest and self.cards == Composition.of_decks(decks)
        return {
            "cards": len(self.cards),
            "decks": decks if full else None,
            "cut": self.cut,
            "burn": self.burn,
            "rounds_after": self.rounds_after,
        }

    def provenance(self, book: Rulebook) -> dict[str, object]:
        """Return what an answer about shoes of a game begins with."""
        told = self.to_dict()
        return {**provenance(book), "decks": told["decks"], "cards": told["cards"]}

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
