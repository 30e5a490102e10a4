"""The tables that the compiled loops read, laid out from rules, classes and shoes, and the counting of a chunk by them.

A simulation is cut into chunks of shoes. What a chunk deals depends only on the seed and its number, so it does not
matter which worker counts which chunk, or when.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any

import numpy as np

from punto.cards import DECK
from punto.rules.deal_counts import LONGEST_COUP
from punto.rules.outcome_classes import Classes
from punto.rules.table_of_play import INITIAL_DEAL
from punto.simulate import kernel
from punto.simulate.card_settlement import CardSettlement
from punto.simulate.kernel import CARD_BITS, LANES, TAKEN_BITS, TOTAL_BITS
from punto.simulate.shoe_makeup import Shoes

Array = Any
_CARDS = 1 << CARD_BITS
BLOCK = 512
"""Shoes whose rounds are recorded at a time; a multiple of the lanes."""
_STEP = 4
"""Cards are shuffled by fours."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Rounds, and how many had which ending and which class of initial deal; the rest were void."""

    shoes: int
    rounds: int
    endings: Array
    """By ending; by ending and class of initial deal where they have to be counted together."""
    initials: Array
    """By class of initial deal."""
    on_cards: tuple[Array, ...] = ()
    """By outcome, of each wager that asks the cards themselves."""

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.shoes + other.shoes,
            self.rounds + other.rounds,
            self.endings + other.endings,
            self.initials + other.initials,
            tuple(one + more for one, more in zip(self.on_cards, other.on_cards, strict=True)),
        )


class Tables:
    """The arrays the loops need for some classes and shoes, made once per simulation."""

    def __init__(self, classes: Classes, shoes: Shoes) -> None:
        self.together = together = len(classes.examples) if classes.joint else 1
        self.endings = len(classes.endings) * together
        self.initials = len(classes.examples)
        self.mask = ~np.uint64(0) if classes.joint else np.uint64(0)
        self.on_cards = tuple(map(CardSettlement, classes.on_cards))
        self.plain = not shoes.rounds_after and shoes.cut >= LONGEST_COUP and not self.on_cards
        """Whether a shoe ends with the round in which the cutting card shows, never for want of cards, and its rounds
        need not be recorded for wagers that ask the cards.
        """
        self.cards_taken = np.array([ending[2:] for ending in classes.endings], np.uint8)
        """By ending: the cards of Player and of Banker."""
        self.in_order = np.array(shoes.in_order, np.uint8)
        self.value = _by_card([card.point_value for card in DECK], np.uint8)
        self.burnt = _by_card([shoes.burnt(card) for card in DECK], np.uint64)
        self.hand = _by_two_cards(classes)
        taken = [ending[2] + ending[3] for ending in classes.endings]
        ended = [(at * together) << TAKEN_BITS | taken[at] for at in classes.ending_at]
        self.ended = np.array(ended, np.min_scalar_type(max(ended)))
        self.class_at = np.array(classes.class_at, np.min_scalar_type(self.initials))
        self.shoe = self._shoe(classes, shoes)

    def _shoe(self, classes: Classes, shoes: Shoes) -> Array:
        """Return the numbers that say how a shoe is dealt, in the order the loops expect."""
        size = len(shoes.cards)
        cut = size - shoes.cut
        # No card is read beyond the longest round that may begin last, so none beyond it need be shuffled.
        reached = size if shoes.rounds_after else min(size, cut + LONGEST_COUP)
        shuffled = -(-reached // _STEP) * _STEP
        if shuffled == size + _STEP - 1:
            shuffled = size - 1  # a single remaining card needs no shuffle
        widths = [size + 4 * LONGEST_COUP, self.endings + self.initials, self.initials]
        return np.array([size, shuffled, cut, shoes.rounds_after, classes.kinds, *widths], np.uint64)

    @property
    def cards(self) -> int:
        """The number of cards of a shoe."""
        return len(self.in_order)

    def nothing(self) -> Counts:
        """Return empty counts."""
        return Counts(0, 0, np.zeros(self.endings, np.int64), np.zeros(self.initials, np.int64), self._none_on_cards())

    def _none_on_cards(self) -> tuple[Array, ...]:
        return tuple(np.zeros(each.outcomes, np.int64) for each in self.on_cards)

    def count(self, seed: int, chunk: int, shoes: int) -> Counts:
        """Deal ``shoes`` shoes of a chunk and return the counts."""
        if not self.plain:
            return self._count_recorded(seed, chunk, shoes)
        *_, of_endings, of_initials = self.shoe.tolist()
        endings, initials = np.zeros(LANES * of_endings, np.uint32), np.zeros(LANES * of_initials, np.uint32)
        rounds = kernel.count(
            shoes, stream(seed, chunk), *self._new_shoes(), *self._looked_up, self.mask, endings, initials
        )
        return Counts(shoes, int(rounds), _whole(endings)[: self.endings], _whole(initials))

    def _count_recorded(self, seed: int, chunk: int, shoes: int) -> Counts:
        """Count from recorded rounds: shoes that can run out of cards or go on after the cutting card, and wagers that
        ask the cards.
        """
        counts = self.nothing()
        for rows, cards in self.record(seed, chunk, shoes):
            held = rows[rows[:, 2] >= 0]
            together = held[:, 2] + (held[:, 3] if self.mask else 0)
            endings = np.bincount(together, minlength=self.endings)
            initials = np.bincount(held[:, 3], minlength=self.initials)
            counts += Counts(0, len(rows), endings, initials, self._on_cards(held, cards[rows[:, 2] >= 0]))
        return replace(counts, shoes=shoes)

    def _on_cards(self, held: Array, cards: Array) -> tuple[Array, ...]:
        """Return how often each wager that asks the cards ended in each way, in rounds that were held."""
        taken = self.cards_taken[held[:, 2] // self.together] if self.on_cards else held
        return tuple(
            np.bincount(each.outcomes_of(cards, taken[:, 0], taken[:, 1]), minlength=each.outcomes)
            for each in self.on_cards
        )

    def record(self, seed: int, chunk: int, shoes: int) -> Iterator[tuple[Array, Array]]:
        """Yield the rounds of a chunk, block by block: the rows that ``kernel.record`` describes, and the cards."""
        state, lanes = stream(seed, chunk), self._new_shoes()
        most = BLOCK * (len(self.in_order) // len(INITIAL_DEAL) + 1)
        for first in range(0, max(shoes, 1), BLOCK):
            rows, dealt = np.empty((most, 5), np.int32), np.empty((most, LONGEST_COUP), np.uint8)
            count = kernel.record(min(BLOCK, shoes - first), state, *lanes, *self._looked_up, rows, dealt)
            rows = rows[:count]
            rows[:, 0] += first
            yield rows, dealt[:count]

    @property
    def _looked_up(self) -> tuple[Array, ...]:
        return self.shoe, self.burnt, self.value, self.hand, self.ended, self.class_at

    def _new_shoes(self) -> tuple[Array, Array]:
        """Return a new shoe in every lane, and working space for the place it has reached."""
        width = int(self.shoe[5])
        cards = np.zeros((LANES, width), np.uint8)
        cards[:, : len(self.in_order)] = self.in_order
        return cards.reshape(-1), np.zeros(LANES, np.uint64)


def stream(seed: int, chunk: int) -> Array:
    """Return the initial state of a chunk's random numbers."""
    return np.frombuffer(blake2b(f"punto {seed} {chunk}".encode(), digest_size=32).digest(), np.uint64).copy()


def _whole(lanes: Array) -> Array:
    return lanes.reshape(LANES, -1).sum(axis=0, dtype=np.int64)


def _by_card(numbers: list[int], kind: type) -> Array:
    table: Array = np.zeros(_CARDS, kind)
    table[: len(DECK)] = numbers
    return table


def _by_two_cards(classes: Classes) -> Array:
    values = np.array([card.point_value for card in DECK])
    totals = (values[:, None] + values[None, :]) % 10
    kinds = np.array(classes.kind_at).reshape(totals.shape)
    table = np.zeros((_CARDS, _CARDS), np.uint16)
    table[: len(DECK), : len(DECK)] = kinds << TOTAL_BITS | totals
    return table.reshape(-1)
