"""Kelly stakes: the share of a bankroll that makes it grow fastest in the long run."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from punto.lab.bankrolls.round_gains import RoundGains, Stakes, round_gains

PRECISION = Fraction(1, 2**64)
"""The width of the bracket around a stake that is not found exactly."""


@dataclass(frozen=True, slots=True)
class KellyStake:
    """The share of the bankroll to stake in every round for the highest expected growth of its logarithm."""

    low: Fraction
    """The exact share lies at or above this."""
    high: Fraction
    """The exact share lies at or below this; both are the same where it was found exactly."""
    growth: float
    """The expected growth of the logarithm of the bankroll in a round at that share."""

    @property
    def exact(self) -> bool:
        """Whether the share is known exactly."""
        return self.low == self.high

    @property
    def fraction(self) -> float:
        """The share of the bankroll, rounded; 0 where the stakes have no edge over the house."""
        return float((self.low + self.high) / 2)

    def __repr__(self) -> str:
        return f"<KellyStake {self.fraction:.6f} of the bankroll, growth {self.growth:.3e} a round>"


def kelly(stakes: Stakes) -> KellyStake:
    """Return the Kelly stake for the odds of a wager or a portfolio: 0 without an edge, never more than the bankroll.

    >>> from punto import load, odds
    >>> kelly(odds(load("tiger"))["Tiger"])
    <KellyStake 0.000000 of the bankroll, growth 0.000e+00 a round>
    """
    gains = round_gains(stakes)
    if gains.mean <= 0:
        return KellyStake(Fraction(0), Fraction(0), 0.0)
    low, high = _best_share(gains)
    middle = (low + high) / 2
    return KellyStake(low, high, growth(gains, middle))


def _best_share(gains: RoundGains) -> tuple[Fraction, Fraction]:
    """Return a bracket of the share where the slope of the growth, which always falls, passes zero."""
    losing = [gain for gain, _ in gains.weights if gain < 0]
    winning = [gain for gain, _ in gains.weights if gain > 0]
    if len(losing) == len(winning) == 1:
        # p g / (1 + f g) = q l / (1 - f l) has one solution, a fraction.
        (up,), (down,), chances = winning, losing, dict(gains.weights)
        both = chances[up] + chances[down]
        share = Fraction(gains.stake * (chances[up] * up + chances[down] * down), both * up * -down)
        return min(share, Fraction(1)), min(share, Fraction(1))
    low, high = Fraction(0), Fraction(1)
    if gains.lowest > -gains.stake and _slope(gains, high) >= 0:
        return high, high
    while high - low > PRECISION:
        middle = (low + high) / 2
        if _slope(gains, middle) >= 0:
            low = middle
        else:
            high = middle
    return low, high


def _slope(gains: RoundGains, share: Fraction) -> Fraction:
    """Return the derivative of the expected growth by the share."""
    each = (Fraction(weight * gain, 1) / (gains.stake + share * gain) for gain, weight in gains.weights)
    return sum(each, Fraction(0))


def growth(gains: RoundGains, share: Fraction) -> float:
    """Return the expected growth of the logarithm of a bankroll in a round if this share of it is staked."""
    grown = ((float(share) * gain / gains.stake, weight / gains.total) for gain, weight in gains.weights)
    return math.fsum(chance * (math.log1p(each) if each > -1 else -math.inf) for each, chance in grown)
