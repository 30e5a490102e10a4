"""Checks of a game's figures: wagers in the patron's favour, and wagers that keep more than a quarter of the stake.

A game with such a wager is lawful to load, since a designer may be at work on it. So nothing is refused: the findings
are values, also in JSON answers, and commands print a line for a wager in the patron's favour of a game that is not
approved.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from punto.data_frames import exact
from punto.formatting import percent
from punto.odds.exact import Odds, odds
from punto.rules.caller_input import Game, Shoe, game_of

MOST_EDGE = Fraction(1, 4)
"""Standards for electronic games ask for a return of at least 75%."""


class Concern(StrEnum):
    """What is unusual about a wager's house edge."""

    FAVOURS_PATRON = "favours-patron"
    ABOVE_A_QUARTER = "above-a-quarter"


@dataclass(frozen=True, slots=True)
class EdgeCheck:
    """A wager whose house edge a house would want to know about before it offers the game."""

    wager: str
    concern: Concern
    house_edge: Fraction
    cards: int
    """The number of cards in the shoe that the figure is for."""

    @property
    def sentence(self) -> str:
        """The finding, for people to read."""
        figure = f"house edge {percent(self.house_edge)}, from {self.cards} cards"
        if self.concern is Concern.FAVOURS_PATRON:
            return f"{self.wager} is in the patron's favour: {figure}"
        return f"{self.wager} keeps more than a quarter of the stake: {figure}"

    def to_dict(self) -> dict[str, object]:
        """Return the finding ready for JSON."""
        told = {"wager": self.wager, "concern": self.concern.value, "cards": self.cards, "sentence": self.sentence}
        return told | exact(house_edge=self.house_edge)


def checks(game: Game, shoe: Shoe | None = None) -> tuple[EdgeCheck, ...]:
    """Return the wagers of a game whose exact house edge is below 0 or above 25%, from a full shoe unless one is given.

    >>> [(each.wager, each.concern.value) for each in checks("tiger")]
    [('Tiger Tie', 'above-a-quarter')]
    """
    book = game_of(game)
    return checks_of(odds(book, book.usual_decks if shoe is None else shoe))


def checks_of(found: Odds) -> tuple[EdgeCheck, ...]:
    """Return the findings about odds that are already known."""
    edges = {each.wager.name: each.house_edge for each in found.wagers}
    concerns = {
        name: Concern.FAVOURS_PATRON if edge < 0 else Concern.ABOVE_A_QUARTER
        for name, edge in edges.items()
        if not 0 <= edge <= MOST_EDGE
    }
    return tuple(EdgeCheck(name, concern, edges[name], found.cards) for name, concern in concerns.items())
