"""Many shoes played side by side, a round of each at a time, with a bankroll for each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from punto.cards import DECK
from punto.given_values import whole_number
from punto.gym import step_kernel
from punto.gym.game_tables import GameTables
from punto.gym.step_kernel import BatchState, RoundResult
from punto.rules.deal_counts import LONGEST_COUP
from punto.rules.table_of_play import INITIAL_DEAL

Array = Any

MOST_UNITS = 10**12
"""The largest bankroll and stake."""
_EXACT = 2**53
"""Whole numbers below this are floats without rounding."""


class Stakes:
    """The stakes an action chooses from: by index, or whole amounts up to the largest."""

    def __init__(self, stakes: Sequence[int], amounts: int | None) -> None:
        given: object = stakes
        if amounts is None and (isinstance(given, str | bytes) or not isinstance(given, Iterable)):
            raise TypeError(f"expected the stakes an action chooses from, such as (0, 1, 5), not {given!r}")
        self.listed = () if amounts is not None else tuple(whole_number(each, "stakes") for each in stakes)
        self.largest = max(self.listed, default=0) if amounts is None else whole_number(amounts, "amounts")
        if amounts is None and not self.listed:
            raise ValueError("expected at least one stake")
        if not 0 <= min(self.listed, default=0) <= self.largest <= MOST_UNITS:
            raise ValueError(f"expected stakes of 0 to {MOST_UNITS:,} units")
        self.choices = len(self.listed) or self.largest + 1
        self.table = np.array(self.listed, np.int64)


class ShoeBatch:
    """The state of ``size`` shoes and bankrolls. What happens in one does not depend on the others."""

    def __init__(self, tables: GameTables, stakes: Stakes, bankroll: int, size: int, ahead: int = 1) -> None:
        """``ahead`` is for how many shoes random words are drawn at a time."""
        self.tables, self.stakes = tables, stakes
        self.start = whole_number(bankroll, "bankroll") * tables.pays.unit
        self._check_amounts(whole_number(bankroll, "bankroll"))
        width = int(tables.deal.shoe[5])
        self.state = BatchState(
            cards=np.zeros(size * width, np.uint8),
            places=np.zeros(size, np.uint64),
            rounds_left=np.zeros(size, np.uint64),
            unexposed=np.zeros((size, len(DECK)), np.int16),
            rounds=np.zeros(size, np.int64),
            bankroll=np.full(size, self.start, np.int64),
        )
        self._words = np.zeros((size, ahead, 4), np.uint64)
        self._used = np.full(size, ahead, np.int64)
        self._taken, self._settled = np.empty(size, np.uint64), np.empty(size, np.uint64)
        self._parts = np.empty(size, np.int64)
        self.over = np.ones(size, np.bool_)
        """Whether the shoe is over, or was not begun."""

    def _check_amounts(self, bankroll: int) -> None:
        if not 1 <= bankroll <= MOST_UNITS:
            raise ValueError(f"expected a bankroll above zero, of at most {MOST_UNITS:,} units, not {bankroll}")
        gain = self.stakes.largest * int(np.abs(self.tables.pays.gains).sum(axis=1).max())
        rounds = len(self.tables.deal.in_order) // len(INITIAL_DEAL) + 1
        if gain >= _EXACT or self.start + rounds * gain >= 2**63:
            raise ValueError(f"stakes of {self.stakes.largest:,} units are too large to account for every part")

    def __len__(self) -> int:
        return len(self.over)

    def forget_words(self, rows: Array) -> None:
        """Drop the random words drawn in advance for some rows, which have new generators."""
        self._used[rows] = self._words.shape[1]

    def begin(self, rows: Array, generators: Sequence[np.random.Generator]) -> None:
        """Begin a shoe with the first bankroll in the rows of a mask, with random words of each row's generator."""
        waiting, ahead = rows.copy(), self._words.shape[1]
        while step_kernel.begin(
            waiting, self._words, self._used, self.tables.full, self.start, tuple(self.state), tuple(self.tables.deal)
        ):
            for row in np.flatnonzero(waiting & (self._used == ahead)).tolist():
                self._words[row] = _words(generators[row], ahead)
                self._used[row] = 0
        self.over[rows] = False

    def choose(self, actions: Any) -> Array | None:
        """Return the actions as whole numbers, a row for each shoe; None if they are not actions."""
        given = np.asarray(actions)
        if given.dtype.kind not in "iu" or given.shape != (len(self), len(self.tables.book.wagers)):
            return None
        chosen = np.ascontiguousarray(given, np.int64)
        return chosen if step_kernel.are_choices(chosen.reshape(-1), self.stakes.choices) else None

    def play(self, actions: Array, resting: Array) -> RoundResult:
        """Play a round in the rows that do not rest, with actions that ``choose`` returned."""
        size, wagers = actions.shape
        result = RoundResult(
            gain=np.empty(size),
            terminated=np.empty(size, np.bool_),
            truncated=np.empty(size, np.bool_),
            refused=np.zeros((size, wagers), np.bool_),
            outcomes=np.empty((size, wagers), self.tables.pays.lines.dtype),
            cards=np.empty((size, LONGEST_COUP), np.int8),
            taken=self._taken,
            settled=self._settled,
            parts=self._parts,
        )
        arrays = map(tuple, (self.state, self.tables.deal, self.tables.pays, result))
        step_kernel.play(resting, actions, self.stakes.table, *arrays)
        np.logical_or(result.terminated, result.truncated, out=self.over)
        return result

    @property
    def units(self) -> Array:
        """The bankrolls in units."""
        return self.state.bankroll / self.tables.pays.unit


def _words(generator: np.random.Generator, shoes: int) -> Array:
    """Return the random words of the next shoes: the same words, whether they come at once or one by one."""
    return generator.bit_generator.random_raw(4 * shoes).reshape(shoes, 4)
