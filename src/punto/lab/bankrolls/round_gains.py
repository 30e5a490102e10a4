"""What one stake gains in one round, in whole parts of a unit with whole weights: the step of every bankroll."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import Any

from punto.given_values import any_number, as_whole
from punto.odds import WagerOdds
from punto.odds.portfolio import Portfolio

Stakes = WagerOdds | Portfolio
"""What is played in every round: a unit on one wager, or stakes on several."""

Array = Any
ROUNDING = 2.0**-52


@dataclass(frozen=True, slots=True)
class RoundGains:
    """The exact distribution of the net gain of one round."""

    parts: int
    """How many parts make a unit, so that every gain and the stake are whole numbers of them."""
    stake: int
    """What the bankroll must cover before a round, in parts."""
    weights: tuple[tuple[int, int], ...]
    """Every gain that can happen, in parts, with its weight: the lowest gain first."""
    total: int
    """The sum of the weights: a probability is a weight over it."""

    @property
    def lowest(self) -> int:
        """The lowest gain, in parts."""
        return self.weights[0][0]

    @property
    def highest(self) -> int:
        """The highest gain, in parts."""
        return self.weights[-1][0]

    @property
    def mean(self) -> Fraction:
        """The average gain of a round, in units."""
        return self.moment(1)

    @property
    def variance(self) -> Fraction:
        """The variance of the gain of a round, in units squared."""
        return self.moment(2) - self.mean**2

    @property
    def skewness(self) -> float:
        """The skewness of the gain of a round; 0 where it never varies."""
        mean, variance = self.mean, self.variance
        third = self.moment(3) - 3 * mean * self.moment(2) + 2 * mean**3
        return float(third) / float(variance) ** 1.5 if variance else 0.0

    def moment(self, power: int) -> Fraction:
        """Return the average of a power of the gain, in units."""
        return Fraction(sum(weight * gain**power for gain, weight in self.weights), self.total * self.parts**power)

    @property
    def spacing(self) -> int:
        """The greatest number of parts of which all differences between gains are multiples; 1 if there are none."""
        return gcd(*(gain - self.lowest for gain, _ in self.weights)) or 1

    @property
    def lattice(self) -> int:
        """The greatest number of parts of which all gains and the stake are multiples."""
        return gcd(self.stake, *(gain for gain, _ in self.weights))

    def floats(self) -> tuple[Array, Array]:
        """Return the gains, in parts, and their probabilities as arrays."""
        import numpy as np

        return (
            np.array([gain for gain, _ in self.weights], np.float64),
            np.array([weight / self.total for _, weight in self.weights], np.float64),
        )


def round_gains(stakes: Stakes) -> RoundGains:
    """Return what a round gains, from the odds of a wager or a portfolio; raise ``TypeError`` for anything else."""
    if isinstance(stakes, WagerOdds):
        staked = Fraction(1)
        chances = [(chance.pays, chance.probability) for chance in stakes.outcomes]
    elif isinstance(stakes, Portfolio):
        staked, chances = stakes.staked, list(stakes.outcomes)
    else:
        raise TypeError(f"expected the odds of a wager, as odds(book)['Tie'], or a portfolio, not {stakes!r}")
    happen = [(gain, chance) for gain, chance in chances if chance]
    parts = lcm(staked.denominator, *(gain.denominator for gain, _ in happen))
    total = lcm(*(chance.denominator for _, chance in happen))
    weights: Counter[int] = Counter()
    for gain, chance in happen:
        weights[int(gain * parts)] += int(chance * total)
    return RoundGains(parts, int(staked * parts), tuple(sorted(weights.items())), total)


def whole_rounds(rounds: object, most: int) -> int:
    """Return a number of rounds; raise ``TypeError`` or ``ValueError`` for what is none, or too many."""
    found = as_whole(rounds)
    if found is None:
        raise TypeError(f"expected a whole number of rounds, not {rounds!r}")
    if not 1 <= found <= most:
        raise ValueError(f"expected 1 to {most:,} rounds, not {found}")
    return found


def share_of_one(share: object) -> Fraction:
    """Return a share between 0 and 1; raise ``TypeError`` or ``ValueError`` for anything else."""
    found = any_number(share, "a share between 0 and 1")
    if not 0 < found < 1:
        raise ValueError(f"expected a share between 0 and 1, not {share}")
    return found
