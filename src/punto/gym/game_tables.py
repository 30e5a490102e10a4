"""Everything an environment looks up: how the shoes of a game are dealt, and how each round settles each wager."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from math import lcm
from typing import Any

import numpy as np

from punto.cards import DECK
from punto.gym.step_kernel import DealTables, PayTables
from punto.rules.conditions import Sees
from punto.rules.game_library import APPROVED, load
from punto.rules.hands.hand_states import expect_no_questions_to_cards
from punto.rules.outcome_classes import Classes, classes_for
from punto.rules.rulebook import VOID, Rulebook, Wager
from punto.rules.settlement import settle
from punto.simulate.lookup_tables import Tables
from punto.simulate.shoe_makeup import BY_FIRST_CARD, Shoes

Array = Any


@dataclass(frozen=True, eq=False)
class GameTables:
    """The tables of a game and its shoes. They never change, so copies of an environment share them."""

    book: Rulebook
    shoes: Shoes
    deal: DealTables
    pays: PayTables
    full: Array
    """The number of cards of each kind in a full shoe, in the order of the deck."""
    outcomes: tuple[tuple[str, ...], ...]
    """By wager and number of a line: the name of the outcome."""

    def __deepcopy__(self, _: object) -> GameTables:
        return self

    def __reduce__(self) -> tuple[Callable[..., GameTables], tuple[object, ...]]:
        """Pickle what the tables are made from; an approved game by its key."""
        approved = self.book.key in APPROVED and load(self.book.key) is self.book
        return tables_for, (self.book.key if approved else self.book, self.shoes)


def tables_for(game: str | Rulebook, shoes: Shoes) -> GameTables:
    """Return the tables of a game, by its key, file or rulebook, and of its shoes."""
    return _tables(load(game) if isinstance(game, str) else game, shoes)


@lru_cache(maxsize=64)
def _tables(book: Rulebook, shoes: Shoes) -> GameTables:
    expect_no_questions_to_cards(book.wagers, "the environment")
    # Endings and classes are looked up one by one, so they need not be numbered together.
    classes = replace(classes_for(book.wagers), joint=False)
    laid = Tables(classes, shoes)
    deal = DealTables(
        in_order=laid.in_order,
        shoe=laid.shoe,
        burnt=laid.burnt,
        first_exposed=shoes.burn == BY_FIRST_CARD,
        value=laid.value,
        hand=laid.hand,
        # One type for all games: the loops are compiled once.
        ended=laid.ended.astype(np.uint16),
        class_at=laid.class_at.astype(np.uint16),
    )
    names = tuple((*(line.outcome for line in wager.outcomes), VOID) for wager in book.wagers)
    return GameTables(book, shoes, deal, _pay_tables(book, classes), _counts(shoes), names)


def _counts(shoes: Shoes) -> Array:
    return np.array([shoes.cards.count(card) for card in DECK], np.int16)


def _pay_tables(book: Rulebook, classes: Classes) -> PayTables:
    """Return the line that settles each wager, by ending and class of the initial deal, and what each line pays."""
    endings, initials = len(classes.endings), len(classes.examples)
    unit = lcm(*(line.pays.denominator for wager in book.wagers for line in wager.outcomes))
    most = max(len(wager.outcomes) for wager in book.wagers)
    lines = np.empty((endings * initials + 1, len(book.wagers)), np.min_scalar_type(most))
    gains = np.empty(lines.shape, np.int64)
    for number, wager in enumerate(book.wagers):
        lines[:-1, number] = np.broadcast_to(_lines(wager, classes), (endings, initials)).reshape(-1)
        lines[-1, number] = len(wager.outcomes)
        paid = [int(line.pays * unit) for line in wager.outcomes]
        gains[:, number] = np.array([*paid, 0])[lines[:, number]]  # nothing in a void round
    return PayTables(lines, initials, gains, unit)


def _lines(wager: Wager, classes: Classes) -> Array:
    """Return the numbers of the lines by ending and class; a single one where the wager does not depend on it."""
    endings = range(len(classes.endings)) if wager.sees & Sees.TOTALS else [0]
    initials = range(len(classes.examples)) if wager.sees & ~Sees.TOTALS else [0]
    numbers = {line: number for number, line in enumerate(wager.outcomes)}
    return np.array([[numbers[settle(wager, classes.outcome(at, of))] for of in initials] for at in endings])
