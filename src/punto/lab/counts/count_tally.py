"""What counting through shoes adds up to: whole numbers for each group of rounds, and estimates with their errors.

A shoe is the independent unit: rounds of one shoe share its cards. So for each group the sums of every shoe and their
products are added up, from which the error of any ratio of two sums follows.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from punto.lab.counts.count_kernel import ALSO_SUMMED, PAIRS, SUMMED

Z_95 = 1.959963984540054
"""How many standard errors either side of an estimate hold it in 19 cases of 20."""


@dataclass(frozen=True, slots=True)
class CountEstimate:
    """A sampled figure with its standard error, shoes being the independent unit."""

    value: Fraction | float
    standard_error: float
    """Not a number where it is unknown: nothing was sampled, or one shoe, or all wagers ended alike."""

    @property
    def low(self) -> float:
        """The lower 95% confidence bound."""
        return float(self.value) - Z_95 * self.standard_error

    @property
    def high(self) -> float:
        """The upper 95% confidence bound."""
        return float(self.value) + Z_95 * self.standard_error

    @property
    def sign(self) -> int:
        """1 or -1 if the bounds lie on one side of 0; 0 if the figure cannot be distinguished from 0."""
        return 1 if self.low > 0 else -1 if self.high < 0 else 0

    def times(self, factor: int | Fraction) -> CountEstimate:
        """Return the estimate of a multiple."""
        return CountEstimate(self.value * factor, self.standard_error * abs(float(factor)))

    def __repr__(self) -> str:
        return f"<CountEstimate {float(self.value):.6g} ± {self.standard_error:.2g}>"


@dataclass(frozen=True, slots=True)
class CountMoments:
    """Sums over the rounds of a group, and over shoes the products of each shoe's sums; gains in parts of a unit."""

    sums: tuple[int, ...] = (0,) * (len(SUMMED) + len(ALSO_SUMMED))
    products: tuple[int, ...] = (0,) * len(PAIRS)

    def __add__(self, other: CountMoments) -> CountMoments:
        return CountMoments(
            tuple(map(int.__add__, self.sums, other.sums)),
            tuple(map(int.__add__, self.products, other.products)),
        )

    def total(self, name: str) -> int:
        """Return the sum of one of ``SUMMED`` or ``ALSO_SUMMED`` over all rounds."""
        return self.sums[(*SUMMED, *ALSO_SUMMED).index(name)]

    def product(self, one: str, other: str) -> int:
        """Return the sum over shoes of the product of two of ``SUMMED``."""
        high, low = sorted((SUMMED.index(one), SUMMED.index(other)), reverse=True)
        return self.products[PAIRS.index((high, low))]

    def variance(self, shoes: int, weights: Mapping[str, Fraction]) -> Fraction | None:
        """Return the variance of a weighted total of sums over so many shoes; None for fewer than two shoes."""
        if shoes < 2:
            return None
        squares = Fraction(0)
        for one, weight in weights.items():
            squares += sum(weight * other * self.product(one, name) for name, other in weights.items())
        total = sum((weight * self.total(name) for name, weight in weights.items()), Fraction(0))
        return (squares - total**2 / shoes) * Fraction(shoes, shoes - 1)


@dataclass(frozen=True, slots=True)
class CountTally:
    """The moments of all rounds, of those at each count and of those in each tenth of the shoe."""

    shoes: int
    whole: CountMoments
    by_count: Mapping[int, CountMoments]
    by_decile: Mapping[int, CountMoments]

    @property
    def rounds(self) -> int:
        """The number of rounds dealt."""
        return self.whole.total("rounds")

    def __add__(self, other: CountTally) -> CountTally:
        return CountTally(
            self.shoes + other.shoes,
            self.whole + other.whole,
            _merged(self.by_count, other.by_count),
            _merged(self.by_decile, other.by_decile),
        )


def _merged(one: Mapping[int, CountMoments], other: Mapping[int, CountMoments]) -> dict[int, CountMoments]:
    merged = dict(one)
    for key, moments in other.items():
        merged[key] = merged[key] + moments if key in merged else moments
    return merged


@dataclass(frozen=True, slots=True)
class CountFigures:
    """The figures of a group of rounds; gains in units."""

    shoes: int
    parts: int
    """How many parts make a unit."""
    moments: CountMoments

    @property
    def rounds(self) -> int:
        """The number of rounds."""
        return self.moments.total("rounds")

    @property
    def wagered(self) -> int:
        """The number of rounds in which the count called for a wager."""
        return self.moments.total("wagered")

    @property
    def staked(self) -> int:
        """The sum of all stakes, in units."""
        return self.moments.total("staked")

    @property
    def gain(self) -> Fraction:
        """The total net gain, in units."""
        return Fraction(self.moments.total("won"), self.parts)

    @property
    def gain_of_unit(self) -> Fraction:
        """The total gain of one unit in every round, whatever the count."""
        return Fraction(self.moments.total("won_by_unit"), self.parts)

    @property
    def frequency(self) -> CountEstimate:
        """The share of rounds with a wager."""
        return self._ratio("wagered", "rounds")

    @property
    def return_per_wager(self) -> CountEstimate:
        """The average net gain of a wager, in units."""
        return self._ratio("won", "wagered", self.parts)

    @property
    def return_per_unit(self) -> CountEstimate:
        """The average net gain of a unit staked: the edge of the counter."""
        return self._ratio("won", "staked", self.parts)

    @property
    def return_of_round(self) -> CountEstimate:
        """The average net gain of one unit in every round, whatever the count."""
        return self._ratio("won_by_unit", "rounds", self.parts)

    @property
    def gain_per_hand(self) -> CountEstimate:
        """The average net gain of a round, with or without a wager."""
        return self._ratio("won", "rounds", self.parts)

    @property
    def gain_per_shoe(self) -> CountEstimate:
        """The average net gain of a shoe."""
        return self._per_shoe("won", self.parts)

    @property
    def rounds_per_shoe(self) -> CountEstimate:
        """The average number of rounds of a shoe."""
        return self._per_shoe("rounds")

    @property
    def wagers_per_shoe(self) -> CountEstimate:
        """The average number of wagers of a shoe."""
        return self._per_shoe("wagered")

    def index_per_hand(self, base_variance: Fraction) -> CountEstimate:
        """Return a thousand times the gain of a hand over its standard deviation.

        The deviation is that of the field: the variance of a unit on the wager, times the mean squared stake. With
        flat stakes the latter is the share of hands with a wager.
        """
        rounds, squared = self.rounds, self.moments.total("squared_stakes")
        if not squared or not base_variance:
            return CountEstimate(0.0, math.nan)
        gain, mean_square = Fraction(self.moments.total("won"), rounds), Fraction(squared, rounds)
        factor = 1000 / (self.parts * math.sqrt(base_variance * mean_square))
        # The gain and the squared stakes vary together: the first-order change of the index by each shoe's sums.
        by_square = gain / (2 * mean_square)
        weights = {
            "won": Fraction(1, rounds),
            "squared_stakes": -by_square / rounds,
            "rounds": (by_square * mean_square - gain) / rounds,
        }
        return CountEstimate(factor * float(gain), factor * self._error(weights))

    def _per_shoe(self, what: str, parts: int = 1) -> CountEstimate:
        weight = Fraction(1, parts * self.shoes)
        return CountEstimate(self.moments.total(what) * weight, self._known(what, self._error({what: weight})))

    def _ratio(self, what: str, over: str, parts: int = 1) -> CountEstimate:
        above, below = self.moments.total(what), self.moments.total(over)
        if not below:
            return CountEstimate(Fraction(0), math.nan)
        value = Fraction(above, below)
        error = self._error({what: Fraction(1, below), over: -value / below})
        return CountEstimate(value / parts, self._known(what, error) / parts)

    def _known(self, what: str, error: float) -> float:
        """Return the error of a gain, or not a number where all gains were alike: so few say nothing about it."""
        return math.nan if what in ("won", "won_by_unit") and not error else error

    def _error(self, weights: Mapping[str, Fraction]) -> float:
        variance = self.moments.variance(self.shoes, weights)
        return math.nan if variance is None else math.sqrt(variance)
