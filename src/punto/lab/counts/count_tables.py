"""The tables that the counting loops read, laid out from a count, a wager and shoes, and the counting of a chunk."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

from punto.cards import DECK
from punto.lab.counts import count_kernel
from punto.lab.counts.count_kernel import DECILES, DECK_SIZE, PAIRS, SUMMED
from punto.lab.counts.count_system import CountCondition, CountStakes, CountSystem, CountTrigger
from punto.lab.counts.count_tally import CountMoments, CountTally
from punto.rules.deal_counts import LONGEST_COUP
from punto.rules.hands.hand_states import expect_no_questions_to_cards
from punto.rules.outcome_classes import classes_for
from punto.rules.rulebook import Wager
from punto.rules.table_of_play import INITIAL_DEAL
from punto.simulate.lookup_tables import Tables
from punto.simulate.round_sequences import payments
from punto.simulate.shoe_makeup import BY_FIRST_CARD, Shoes
from punto.simulate.simulation import CHUNK

Array = Any
_LARGEST = 2**62
_FINEST = 1000
"""Tags up to this size are told apart by whole counts; with larger ones, counts are gathered."""
_DENSE = 1 << 16


class CountTables:
    """The arrays the loops need for a count on a wager, made once per study."""

    def __init__(
        self,
        wager: Wager,
        system: CountSystem,
        trigger: CountTrigger,
        stakes: CountStakes,
        shoes: Shoes,
        burn_card_seen: bool = True,
    ) -> None:
        expect_no_questions_to_cards((wager,), "a count")
        classes = classes_for((wager,))
        self.tables = Tables(classes, shoes)
        self.cards = self.tables.cards
        self.paid = payments(classes, wager)
        taken = [ending[2] + ending[3] for ending in classes.endings]
        self.taken = np.array([*taken, LONGEST_COUP], np.int64)
        self._check_sums(stakes)
        counts = [_ScaledCount(system, each, len(shoes.cards)) for each in trigger.conditions]
        first = counts[0]
        self.width = max(1, math.ceil(max(map(abs, system.weighted(trigger.first.weights).tags.values())) / _FINEST))
        """Counts are gathered in groups of this width, each named by its lowest count."""
        exposed = burn_card_seen and shoes.burn == BY_FIRST_CARD
        divisor = not trigger.first.running, first.scale * self.width
        self.shoe = np.array([len(shoes.cards), exposed, *divisor], np.int64)
        self.tag = np.array([each.tags for each in counts], np.int64)
        self.begin = np.array([each.initial for each in counts], np.int64)
        self.levels = np.array([first.enough(rise) for rise in _rises(stakes)], np.int64)
        others = [each.enough() for each in counts[1:]]
        self.others = np.array(others, np.int64).reshape(len(others), len(shoes.cards) + 1)

    def _check_sums(self, stakes: CountStakes) -> None:
        """Raise ``ValueError`` for stakes so large that squared gains of a chunk could overflow."""
        rounds = self.cards // len(INITIAL_DEAL) + 1
        most = math.isqrt(_LARGEST // CHUNK) // (rounds * max(1, int(np.abs(self.paid).max())))
        if stakes.most > most:
            raise ValueError(f"expected stakes of at most {most} units on this wager: larger gains cannot be summed")

    def nothing(self) -> CountTally:
        """Return an empty tally."""
        return CountTally(0, CountMoments(), {}, {})

    def count(self, seed: int, chunk: int, shoes: int) -> CountTally:
        """Count through ``shoes`` shoes of a chunk."""
        whole, deciles, counts = _Groups(1), _Groups(DECILES), _Groups(1)
        slots: dict[int, int] = {}
        for rows, cards in self.tables.record(seed, chunk, shoes):
            made = np.empty((len(rows), 4), np.int64)
            count_kernel.follow(rows, cards, self.taken, self.paid, self.tables.together, *self._looked_up, made)
            whole.add(rows, made, np.zeros(len(rows), np.int64))
            deciles.add(rows, made, made[:, 1].copy())
            group = _grouped(made[:, 0], slots)
            counts.grow(len(slots))
            counts.add(rows, made, group)
        found = list(counts.moments())
        by_count = {count * self.width: found[slot] for count, slot in slots.items()}
        by_decile = {decile: each for decile, each in enumerate(deciles.moments()) if each.total("rounds")}
        return CountTally(shoes, next(whole.moments()), by_count, by_decile)

    @property
    def _looked_up(self) -> tuple[Array, ...]:
        return self.tag, self.begin, self.shoe, self.levels, self.others


class _ScaledCount:
    """The count a condition looks at, in whole numbers of which ``scale`` make one."""

    def __init__(self, system: CountSystem, condition: CountCondition, size: int) -> None:
        self.condition, self.size = condition, size
        count = system.weighted(condition.weights)
        initial = count.initial * Fraction(size, DECK_SIZE)
        self.scale = lcm(initial.denominator, *(tag.denominator for tag in count.tags.values()))
        self.tags = [int(count.tags[card] * self.scale) for card in DECK]
        self.initial = int(initial * self.scale)
        farthest = abs(self.initial) + size * max(map(abs, self.tags))
        if farthest * DECK_SIZE >= _LARGEST or size * self.scale >= _LARGEST // DECK_SIZE:
            raise ValueError(
                f"the tags have a common denominator of {self.scale}: too fine for an exact count; round them"
            )

    def enough(self, rise: Fraction = Fraction(0)) -> list[int]:
        """Return, by cards unseen, 52 times the running count that reaches the condition's number and ``rise`` more."""
        needed = (self.condition.at_least + rise) * self.scale
        if self.condition.running:
            return [_bounded(math.ceil(needed) * DECK_SIZE)] * (self.size + 1)
        return [_bounded(math.ceil(needed * unseen)) for unseen in range(self.size + 1)]


def _bounded(number: int) -> int:
    return max(-_LARGEST, min(_LARGEST, number))


def _rises(stakes: CountStakes) -> Iterator[Fraction]:
    """Yield how far above the trigger each unit is staked."""
    for units in range(stakes.most):
        yield units * (stakes.step or Fraction(0))


class _Groups:
    """Sums and products of groups of rounds, as arrays that can grow."""

    def __init__(self, groups: int) -> None:
        self.held = np.zeros((groups, len(SUMMED)), np.int64)
        self.sums = np.zeros((groups, len(CountMoments().sums)), np.int64)
        self.products = np.zeros((groups, len(PAIRS)), np.int64)

    def grow(self, groups: int) -> None:
        """Make room for so many groups."""
        more = groups - len(self.held)
        if more > 0:
            arrays = (self.held, self.sums, self.products)
            grown = [np.pad(each, ((0, max(more, len(self.held))), (0, 0))) for each in arrays]
            self.held, self.sums, self.products = grown

    def add(self, rows: Array, made: Array, group: Array) -> None:
        count_kernel.fold(rows, made, group, self.held, self.sums, self.products)

    def moments(self) -> Iterator[CountMoments]:
        for sums, products in zip(self.sums.tolist(), self.products.tolist(), strict=True):
            yield CountMoments(tuple(sums), tuple(products))


def _grouped(counts: Array, slots: dict[int, int]) -> Array:
    """Return the slot of each round's count, giving new counts the next slots."""
    if not len(counts):
        return counts
    lowest, highest = int(counts.min()), int(counts.max())
    if highest - lowest < _DENSE:
        found = np.flatnonzero(np.bincount(counts - lowest)) + lowest
        where = counts - lowest
        slot_of = np.zeros(highest - lowest + 1, np.int64)
        slot_of[found - lowest] = [slots.setdefault(count, len(slots)) for count in found.tolist()]
        return slot_of[where]
    found, where = np.unique(counts, return_inverse=True)
    return np.array([slots.setdefault(count, len(slots)) for count in found.tolist()], np.int64)[where]
