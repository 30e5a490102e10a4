"""What the house wins on a wager, followed round by round, and the bounds it stays within if nothing is wrong.

For each scale s the product of exp(s · win) / E[exp(s · win)] over the rounds is a martingale with mean 1, if the wager
wins as often as the exact odds say. So is the average over many scales, above and below zero. By Ville's inequality it
ever comes to A with a chance of at most 1/A: however often one looks, and however patrons choose their stakes by what
happened before. The bounds are the wins at which it comes to A. Rounds count as dealt from full shoes.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import erfc, log, pi, sqrt

import numpy as np
from numpy.typing import NDArray

from punto.odds.exact import WagerOdds

_SCALES = np.array([sign * 2.0**-power for power in range(6, 41) for sign in (1, -1)])
"""Per cent of win: from those that suit a few small wagers to those that suit a million large ones."""
_LARGEST = 25.0
"""Standard deviations from which on the tail is too small for a float, and its usual bound is taken."""


def log_alarm(deviations: int, wagers: int) -> float:
    """Return the logarithm of A at which so many wagers together are as rare as these standard deviations.

    A false alarm at any of them, ever, is as likely as a normal value that lies so many deviations from its mean.
    """
    tail = (
        -log(erfc(deviations / sqrt(2)))
        if deviations < _LARGEST
        else deviations**2 / 2 + log(deviations * sqrt(pi / 2))
    )
    return tail + log(wagers)


class WagerTheory:
    """What one wager makes by its exact odds."""

    def __init__(self, odds: WagerOdds) -> None:
        self.edge, self.variance = odds.house_edge, odds.variance
        self.log_means = lru_cache(maxsize=1_000)(self._log_means)  # the same stakes come again and again
        self._kept = np.array([-float(each.pays) for each in odds.outcomes])
        self._chances = np.log([float(each.probability) for each in odds.outcomes])

    def _log_means(self, stake: int) -> NDArray[np.float64]:
        """Return the logarithm of E[exp(s · win)] for a stake, at each scale."""
        powers = np.outer(_SCALES, stake * self._kept) + self._chances
        most = powers.max(axis=1)
        means: NDArray[np.float64] = most + np.log(np.exp(powers - most[:, None]).sum(axis=1))
        return means


class ReturnWatch:
    """What the house won on one wager, and how surprising that is."""

    def __init__(self, theory: WagerTheory) -> None:
        self._theory = theory
        self.rounds = self.turnover = self.won = 0
        self._log_means = np.zeros(len(_SCALES))

    @property
    def expected(self) -> Fraction:
        """What the house was to win."""
        return self._theory.edge * self.turnover

    def take_in(self, stake: int, won: int) -> None:
        """Take in all that was staked on the wager in a round, and what the house won of it."""
        if stake:
            self.rounds, self.turnover, self.won = self.rounds + 1, self.turnover + stake, self.won + won
            self._log_means += self._theory.log_means(stake)

    def correct(self, won: int) -> None:
        """Take in what the house won more, or less, by a correction."""
        self.won += won

    def is_outside(self, alarm: float) -> bool:
        """Tell whether the win is outside the bounds."""
        return self._surprise(self.won) >= alarm

    def bounds(self, alarm: float) -> tuple[int, int]:
        """Return the least and the most win that is inside the bounds."""
        return -self._farthest(-1, alarm), self._farthest(1, alarm)

    def _surprise(self, won: int) -> float:
        powers = _SCALES * won - self._log_means
        most = float(powers.max())
        return most + log(float(np.exp(powers - most).mean()))

    def _farthest(self, sign: int, alarm: float) -> int:
        """Return the farthest win on one side that is inside, counted in that direction."""
        inside = sign * round(self.expected)
        step = max(self.turnover, 1)
        outside = inside + step
        while self._surprise(sign * outside) < alarm:
            outside += (step := 2 * step)
        while outside - inside > 1:
            middle = (inside + outside) // 2
            if self._surprise(sign * middle) < alarm:
                inside = middle
            else:
                outside = middle
        return inside
