"""The distribution of the net result after a number of rounds with the same stakes.

Rounds are taken as independent, each dealt from the shoe the odds are of. Within a real shoe they are very weakly
dependent; that dependence is left out here, and ``tests/lab/test_bankroll.py`` compares with simulated shoes.

Few rounds are computed in whole numbers: the generating function of a round, raised to a power. For more rounds the
power is taken of its Fourier transform in floating point, in a window outside which Chernoff's bound leaves next to
nothing; ``error_bound`` then says how far any probability can be off.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING

from punto.data_frames import same_fields
from punto.formatting import decimal
from punto.given_values import any_number, optional_flag
from punto.lab.bankrolls.round_gains import ROUNDING, Array, RoundGains, Stakes, round_gains, share_of_one, whole_rounds
from punto.notebook import Markup, table

if TYPE_CHECKING:
    import polars

MOST_ROUNDS = 10_000_000
MOST_EXACT = 1 << 27
"""So many bits of whole numbers are kept if the caller does not choose: some tenths of a second of work."""
MOST_WHEN_ASKED = 1 << 32
"""So many bits if the caller asks for an exact answer: half a gigabyte."""
MOST_RESULTS = 1 << 23
"""The widest window of results that is transformed."""
_TAIL = 1e-18
_OPERATIONS = 16
"""Roundings in the logarithm of a value of the transform, relative to its terms, with room to spare."""
_SHARES = (Fraction(1, 20), Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), Fraction(19, 20))


@dataclass(frozen=True, eq=False)
class ResultDistribution:
    """The net result after a number of rounds; results in units, probabilities exact or within ``error_bound``."""

    gains: RoundGains
    rounds: int
    first: int
    """The lowest result that is listed, in parts of a unit."""
    weights: tuple[int, ...] | None
    """The weights of the results, ``gains.spacing`` parts apart, over ``gains.total`` to the power of the rounds; None
    where they were computed in floating point.
    """
    chances: Array
    """The probabilities of the same results, rounded."""
    error_bound: float
    """How far the probability of any set of results can be off; 0 if exact."""

    @property
    def exact(self) -> bool:
        """Whether probabilities are exact fractions."""
        return self.weights is not None

    @property
    def mean(self) -> Fraction:
        """The average result, exact."""
        return self.gains.mean * self.rounds

    @property
    def variance(self) -> Fraction:
        """The variance of the result, exact."""
        return self.gains.variance * self.rounds

    @property
    def deviation(self) -> float:
        """The standard deviation of the result."""
        return math.sqrt(self.variance)

    @property
    def skewness(self) -> float:
        """The skewness of the result."""
        return self.gains.skewness / math.sqrt(self.rounds)

    @property
    def lowest(self) -> Fraction:
        """The lowest result that can happen."""
        return Fraction(self.gains.lowest * self.rounds, self.gains.parts)

    @property
    def highest(self) -> Fraction:
        """The highest result that can happen."""
        return Fraction(self.gains.highest * self.rounds, self.gains.parts)

    @property
    def ahead(self) -> Fraction | float:
        """The probability of a result above zero."""
        return self._sum(self._place(Fraction(0), after=True), len(self.chances))

    @property
    def level(self) -> Fraction | float:
        """The probability of a result of zero."""
        return self.probability(0)

    @property
    def behind(self) -> Fraction | float:
        """The probability of a result below zero."""
        return self._sum(0, self._place(Fraction(0)))

    def probability(self, result: Fraction | int) -> Fraction | float:
        """Return the probability of exactly this result."""
        found = any_number(result, "a result")
        return self._sum(self._place(found), self._place(found, after=True))

    def at_most(self, result: Fraction | int) -> Fraction | float:
        """Return the probability of this result or a lower one."""
        return self._sum(0, self._place(any_number(result, "a result"), after=True))

    def quantile(self, share: Fraction | float) -> Fraction:
        """Return the lowest result that, with all lower ones, has at least this probability."""
        return self._result(self._quantile_place(share_of_one(share)))

    def band(self, share: Fraction | float) -> tuple[Fraction, Fraction]:
        """Return the range that holds at least this share of all runs, with at most half the rest on either side."""
        outside = (1 - share_of_one(share)) / 2
        return self.quantile(outside), self.quantile(1 - outside)

    def expected_shortfall(self, share: Fraction | float) -> Fraction | float:
        """Return the average result of the worst ``share`` of all runs."""
        wanted = share_of_one(share)
        at = self._quantile_place(wanted)
        edge = self._result(at)
        if self.weights is not None:
            scale = self.gains.total**self.rounds
            below = sum(weight * self._parts(place) for place, weight in enumerate(self.weights[:at]))
            worse = Fraction(below, scale * self.gains.parts)
            return (worse + edge * (wanted - Fraction(sum(self.weights[:at]), scale))) / wanted
        import numpy as np

        results = (self.first + self.gains.spacing * np.arange(at)) / self.gains.parts
        rest = float(wanted) - float(np.sum(self.chances[:at]))
        return (float(np.sum(results * self.chances[:at])) + float(edge) * rest) / float(wanted)

    def __iter__(self) -> Iterator[tuple[Fraction, Fraction | float]]:
        """Yield every listed result with its probability, the lowest first."""
        return ((self._result(at), self._sum(at, at + 1)) for at in range(len(self.chances)))

    def to_frame(self) -> polars.DataFrame:
        """Return one row for each net result: units, probability and the probability of it or a lower one, rounded."""
        import numpy as np
        import polars

        results = (self.first + self.gains.spacing * np.arange(len(self.chances))) / self.gains.parts
        return polars.DataFrame(
            {"net_result": results, "probability": self.chances, "at_most": self._cumulative, "result": results}
        )  # the last as it was called before

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ResultDistribution):
            return NotImplemented
        return self._key == other._key and same_fields(self, other, ("chances",))

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[object, ...]:
        return self.gains, self.rounds, self.first, self.weights, self.error_bound

    def _parts(self, place: int) -> int:
        return self.first + self.gains.spacing * place

    def _result(self, place: int) -> Fraction:
        return Fraction(self._parts(place), self.gains.parts)

    def _place(self, result: Fraction, after: bool = False) -> int:
        """Return the place of the first listed result that is not lower or, with ``after``, that is higher."""
        steps = (result * self.gains.parts - self.first) / self.gains.spacing
        place = math.floor(steps) + 1 if after else math.ceil(steps)
        return min(max(place, 0), len(self.chances))

    def _sum(self, begin: int, end: int) -> Fraction | float:
        if self.weights is not None:
            return Fraction(sum(self.weights[begin:end]), self.gains.total**self.rounds)
        return min(1.0, float(self.chances[begin:end].sum()))

    def _quantile_place(self, share: Fraction) -> int:
        if self.weights is not None:
            return bisect_left(self._running, math.ceil(share * self.gains.total**self.rounds))
        return min(int(self._cumulative.searchsorted(float(share))), len(self.chances) - 1)

    @cached_property
    def _running(self) -> list[int]:
        return list(accumulate(self.weights or ()))

    @cached_property
    def _cumulative(self) -> Array:
        """The running sum, taken in rows so that rounding grows with the root of the length only."""
        import numpy as np

        width = math.isqrt(len(self.chances)) + 1
        rows = np.zeros((width, width))
        rows.reshape(-1)[: len(self.chances)] = self.chances
        inside = np.cumsum(rows, axis=1)
        before = np.cumsum(inside[:, -1]) - inside[:, -1]
        return np.maximum.accumulate((inside + before[:, None]).reshape(-1)[: len(self.chances)])

    def __repr__(self) -> str:
        kind = "exact" if self.exact else f"within {self.error_bound:.0e}"
        return f"<ResultDistribution after {self.rounds} rounds: mean {decimal(self.mean)}, {kind}>"

    def _repr_html_(self) -> Markup:
        rows = [(f"{int(share * 100)}% lie at or below", decimal(self.quantile(share))) for share in _SHARES]
        told = [("mean", decimal(self.mean)), ("deviation", f"{self.deviation:,.2f}")]
        more = [("chance to be ahead", f"{float(self.ahead):.4%}")]
        caption = f"Result after {self.rounds:,} rounds, in units"
        return table(caption, ("Result", "Figure"), [*told, *rows, *more], figures=("Figure",))


def distribution(stakes: Stakes, rounds: int, exact: bool | None = None) -> ResultDistribution:
    """Return the distribution of the net result after ``rounds`` independent rounds with the same stakes.

    ``stakes`` are the odds of a wager (a unit in every round) or a portfolio. By default few rounds are exact and many
    are computed in floating point with a stated error bound; ``exact`` chooses.

    >>> from punto import load, odds
    >>> found = distribution(odds(load("tiger"))["Small Tiger"], 600)
    >>> found
    <ResultDistribution after 600 rounds: mean -86.00, exact>
    >>> [int(found.quantile(share)) for share in (0.05, 0.5, 0.95)]
    [-255, -94, 90]
    """
    gains, exact = round_gains(stakes), optional_flag(exact, "exact")
    rounds = whole_rounds(rounds, MOST_ROUNDS)
    span = (gains.highest - gains.lowest) // gains.spacing
    bits = (span * rounds + 1) * rounds * gains.total.bit_length()
    if exact and bits > MOST_WHEN_ASKED:
        raise ValueError(f"an exact distribution after {rounds:,} rounds of these stakes is too large; leave out exact")
    if exact or (exact is None and bits <= MOST_EXACT):
        return _exactly(gains, rounds)
    return _by_transform(gains, rounds)


def _exactly(gains: RoundGains, rounds: int) -> ResultDistribution:
    """Raise the polynomial of the weights to a power: each coefficient follows from those before it.

    If Q is the power n of P, then P Q' = n P' Q; compared coefficient by coefficient this gives the next one of Q, and
    the division leaves no remainder.
    """
    import numpy as np

    lowest, spacing = gains.lowest, gains.spacing
    (_, constant), *rest = [((gain - lowest) // spacing, weight) for gain, weight in gains.weights]
    degree = rest[-1][0] * rounds if rest else 0
    power = [constant**rounds]
    for place in range(1, degree + 1):
        terms = ((step * (rounds + 1) - place) * weight * power[place - step] for step, weight in rest if step <= place)
        power.append(sum(terms) // (place * constant))
    scale = gains.total**rounds
    chances = np.array([weight / scale for weight in power], np.float64)
    return ResultDistribution(gains, rounds, lowest * rounds, tuple(power), chances, 0.0)


def _by_transform(gains: RoundGains, rounds: int) -> ResultDistribution:
    """Take the power of the Fourier transform, of the gain less its mean: so that rounding hardly grows."""
    import numpy as np

    lowest, spacing, scale = gains.lowest, gains.spacing, gains.total
    steps = _steps(gains)
    low, high = _window(gains, rounds)
    width = high - low + 1
    if width > MOST_RESULTS:
        raise ValueError(f"{width:,} results are too many: the gains differ by too many parts of a unit")
    size = _transform_size(width)
    mean = Fraction(sum(step * weight for step, (_, weight) in zip(steps, gains.weights, strict=True)), scale)
    centre = round(mean * rounds)
    angle = 2 * math.pi / size * np.arange(size // 2 + 1)
    less_one = np.zeros(len(angle), np.complex128)
    moved = np.zeros(len(angle))
    for step, (_, weight) in zip(steps, gains.weights, strict=True):
        turned = angle * float(step - mean)
        term = weight / scale * (-2 * np.sin(turned / 2) ** 2 - 1j * np.sin(turned))
        less_one += term
        moved += np.abs(term)
    length = np.maximum(np.abs(1 + less_one), 1e-300)
    near_one = 0.5 * np.log1p(np.maximum(2 * less_one.real + np.abs(less_one) ** 2, -0.9))
    size_log = np.where(length < 0.5, np.log(length), near_one)
    turn = np.arctan2(less_one.imag, 1 + less_one.real)
    left = float(mean * rounds - centre)
    power = np.exp(rounds * size_log) * np.exp(-1j * (angle * left - rounds * turn))
    found = np.fft.irfft(power, size)
    chances = np.maximum(np.roll(found, centre - low)[:width], 0.0)
    wrong = np.abs(power) * ROUNDING * _OPERATIONS * (1 + rounds * moved / length)
    transform = ROUNDING * 8 * math.log2(size) * math.sqrt(2 * float(np.sum(np.abs(power) ** 2)))
    bound = math.sqrt(2 * float(np.sum(wrong**2))) + transform + 4 * math.isqrt(size) * ROUNDING + 4 * _TAIL
    return ResultDistribution(gains, rounds, lowest * rounds + spacing * low, None, chances, bound)


def _steps(gains: RoundGains) -> list[int]:
    """Return the gains as steps above the lowest."""
    return [(gain - gains.lowest) // gains.spacing for gain, _ in gains.weights]


def results_within_reach(gains: RoundGains, rounds: int) -> int:
    """Return how many results after a number of rounds are more than next to impossible."""
    low, high = _window(gains, rounds)
    return high - low + 1


def _window(gains: RoundGains, rounds: int) -> tuple[int, int]:
    """Return bounds, in steps above the lowest result, outside which lies no more than a negligible probability.

    By Chernoff's bound, for any tilt: the probability of a sum of at least x is at most exp(rounds * K - tilt * x),
    where K is the logarithm of the average of exp(tilt * step).
    """
    import numpy as np

    steps = _steps(gains)
    if len(steps) == 1:
        return 0, 0
    values, chances = np.array(steps, np.float64), gains.floats()[1]
    mean = float(values @ chances)
    spread = math.sqrt(float((values - mean) ** 2 @ chances))
    usual = math.sqrt(-2 * math.log(_TAIL) / rounds) / spread
    tilts = usual * np.geomspace(1e-3, 1e3, 600)
    bounds = []
    for sign in (1, -1):
        tilted = np.minimum(sign * tilts[:, None] * (values - mean), 600.0)
        growth = np.log1p(np.expm1(tilted) @ chances)
        within = (tilts[:, None] * np.abs(values - mean)).max(axis=1) < 600
        reach = (rounds * growth * (1 + 1e-12) - math.log(_TAIL)) / tilts
        bounds.append(float(reach[within].min()) if within.any() else math.inf)
    above, below = bounds
    middle, most = mean * rounds, steps[-1] * rounds
    low = 0 if math.isinf(below) else max(0, math.floor(middle - below) - 1)
    high = most if math.isinf(above) else min(most, math.ceil(middle + above) + 1)
    return low, high


def _transform_size(width: int) -> int:
    """Return the next length that transforms fast: a power of two, or a quarter, half or three quarters more."""
    power = 1 << max(3, (width - 1).bit_length() - 1)
    return next(size for size in (power, power * 5 // 4, power * 3 // 2, power * 7 // 4, power * 2) if size >= width)
