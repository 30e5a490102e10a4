"""Every round of a simulation, in order, for studies of sequences, as blocks of arrays.

The shoes are those that ``simulate`` deals for the same seed. At most one block of them is held in memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from punto.data_frames import same_fields
from punto.rules.caller_input import Game, game_of
from punto.rules.deal_counts import LONGEST_COUP
from punto.rules.outcome_classes import Classes, classes_for
from punto.rules.rulebook import Rulebook, Wager
from punto.rules.settlement import settle
from punto.simulate.shoe_makeup import Shoes
from punto.simulate.simulation import CHUNK, dealing_numbers, shoes_dealt

Array = Any


@dataclass(frozen=True, eq=False)
class Rounds:
    """The rounds of some shoes, in order."""

    classes: Classes
    shoe: Array
    """The shoe, by its place in the simulation, from 0."""
    place: Array
    """Where in the shoe the round began: how many cards had left it."""
    cards: Array
    """Six cards from there on, each by its number in the deck, whether the round took them or not."""
    ending: Array
    """The number of the ending; -1 for a round that was void because the cards ran out."""
    initial: Array
    """The class of the initial deal."""
    first: Array
    """The first card of the shoe, by its number in the deck; exposed where it says how many cards are burnt."""
    paid: dict[str, Array] = field(default_factory=dict)
    """A cache shared by all blocks of a run: what wagers pay by ending and class."""

    def __len__(self) -> int:
        return len(self.shoe)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Rounds):
            return NotImplemented
        return self.classes == other.classes and same_fields(self, other, _ARRAYS)

    __hash__ = None  # type: ignore[assignment]

    @cached_property
    def taken(self) -> Array:
        """The number of cards each round took; all that were left if it is void."""
        import numpy as np

        counts = [ending[2] + ending[3] for ending in self.classes.endings]
        return np.array([*counts, LONGEST_COUP], np.uint8)[self.ending]

    @cached_property
    def number(self) -> Array:
        """The number of the round in its shoe, from 1."""
        import numpy as np

        first = np.flatnonzero(np.r_[True, self.shoe[1:] != self.shoe[:-1]])
        lengths = np.diff(np.r_[first, len(self)])
        return np.arange(len(self)) - np.repeat(first, lengths) + 1

    def returns(self, wager: Wager) -> tuple[Array, int]:
        """Return the net gain of a unit on the wager in each round, as whole numbers, and how many of them make a
        unit.
        """
        if wager in self.classes.on_cards:
            return self._returns_on_cards(wager), wager.parts
        if wager.name not in self.paid:
            self.paid[wager.name] = payments(self.classes, wager)
        return self.paid[wager.name][self.ending, self.initial], wager.parts

    def _returns_on_cards(self, wager: Wager) -> Array:
        """Return the net gain of a unit on a wager that asks the cards; 0 where a round was void."""
        import numpy as np

        from punto.simulate.card_settlement import CardSettlement

        settlement = CardSettlement(wager)
        held = self.ending >= 0
        taken = np.array([ending[2:] for ending in self.classes.endings], np.uint8)[self.ending[held]]
        paid = np.array([int(line.pays * wager.parts) for line in wager.outcomes], np.int64)
        found: Array = np.zeros(len(self), np.int64)
        found[held] = paid[settlement.outcomes_of(self.cards[held], taken[:, 0], taken[:, 1])]
        return found


_ARRAYS = ("shoe", "place", "cards", "ending", "initial", "first")


def payments(classes: Classes, wager: Wager) -> Array:
    """Return what a unit gains on the wager, in parts, by ending and class of initial deal; last, 0 for void rounds."""
    import numpy as np

    unit = wager.parts
    endings, initials = range(len(classes.endings)), range(len(classes.examples))
    lines = [[settle(wager, classes.outcome(at, number)) for number in initials] for at in endings]
    paid = [[int(line.pays * unit) for line in row] for row in lines]
    return np.array([*paid, [0 for _ in initials]], np.int64)


def rounds(game: Game, shoes: int, seed: int = 0, shoe: Shoes | None = None) -> Iterator[Rounds]:
    """Yield every round of ``shoes`` shoes, a block of shoes at a time."""
    book = game_of(game)
    shoes, seed, _ = dealing_numbers(shoes, seed)
    return _rounds(book, shoes, seed, shoes_dealt(book, shoe))


def _rounds(book: Rulebook, shoes: int, seed: int, shoe: Shoes) -> Iterator[Rounds]:
    from punto.simulate.lookup_tables import Tables

    classes = classes_for(book.wagers)
    tables, paid = Tables(classes, shoe), dict[str, Array]()
    for chunk, first in enumerate(range(0, shoes, CHUNK)):
        for rows, cards in tables.record(seed, chunk, min(CHUNK, shoes - first)):
            if len(rows):
                ending = rows[:, 2] // tables.together  # -1 stays -1
                number = rows[:, 0].astype("int64") + first
                yield Rounds(classes, number, rows[:, 1], cards, ending, rows[:, 3], rows[:, 4], paid)
