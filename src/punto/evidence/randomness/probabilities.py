"""From statistics to p-values, and the correction for asking many questions at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from punto.evidence.randomness.card_sample import Floats

LEVEL = 0.01
"""The chance that a source without fault fails any of the tests: 99% confidence for all together."""


@dataclass(frozen=True)
class RandomnessResult:
    """What one test found. Without a p-value there were too few shoes."""

    code: str
    statistic: float | None
    degrees: float | None
    p: float | None
    counted: int
    """How many things were counted: cards, words, groups or shoes."""
    needs: int | None = None
    """How many shoes it takes, where there were too few."""

    @property
    def subject(self) -> str:
        """What was tested: cards, draws, words or the secrets behind them."""
        return self.code.partition(".")[0]


def too_few(code: str, shoes: int, needs: int) -> RandomnessResult:
    """Return a test that could not be made."""
    return RandomnessResult(code, None, None, None, shoes, needs)


def chi_square(
    code: str, statistic: float, degrees: float, counted: int, *, both_sides: bool = True
) -> RandomnessResult:
    """Judge a chi-square statistic; by default too good a fit is as suspicious as a bad one."""
    from scipy.special import chdtr, chdtrc

    above = float(chdtrc(degrees, statistic))
    p = min(1.0, 2 * min(above, float(chdtr(degrees, statistic)))) if both_sides else above
    return RandomnessResult(code, float(statistic), float(degrees), p, counted)


def frequencies(code: str, counts: Any, chances: Any) -> RandomnessResult:
    """Compare counts of independent trials with the chances they should have; that nothing was counted is no chance."""
    counted = np.asarray(counts, float)
    total = counted.sum()
    if not total:
        return RandomnessResult(code, None, float(counted.size - 1), 0.0, 0)
    expected = total * np.broadcast_to(np.asarray(chances, float), counted.shape)
    return chi_square(code, ((counted - expected) ** 2 / expected).sum(), counted.size - 1, int(total))


def normal(code: str, z: float, counted: int) -> RandomnessResult:
    """Judge a statistic that is normal with mean 0 and variance 1."""
    from scipy.special import ndtr

    return RandomnessResult(code, float(z), None, float(2 * ndtr(-abs(z))), counted)


def largest(code: str, z: float, among: int, counted: int) -> RandomnessResult:
    """Judge the largest of many normal statistics."""
    from scipy.special import ndtr

    p = -np.expm1(among * np.log1p(-min(1.0, 2 * float(ndtr(-abs(z)))))) if abs(z) > 0 else 1.0
    return RandomnessResult(code, float(z), None, float(p), counted)


def rare(code: str, found: int, expected: float, counted: int) -> RandomnessResult:
    """Judge how often something rare happened: a Poisson count, too high."""
    from scipy.special import gammainc

    return RandomnessResult(code, float(found), None, float(gammainc(found, expected)) if found else 1.0, counted)


def mean_of_shoes(code: str, differences: Floats, least: int = 20) -> RandomnessResult:
    """Test that values of independent shoes, each less its exact expectation, are 0 on average: Hotelling's T-square.

    The spread is taken from the shoes, so that only the expectation must be known. With one value a shoe it is
    Student's t-test.
    """
    from scipy.special import fdtrc

    values = differences.reshape(len(differences), -1)
    shoes, width = values.shape
    if shoes < max(least, 20 * width):
        return too_few(code, shoes, max(least, 20 * width))
    spread = np.atleast_2d(np.cov(values, rowvar=False))
    if np.linalg.matrix_rank(spread) < width:
        return _without_spread(code, values)
    mean = values.mean(axis=0)
    statistic = float(shoes * mean @ np.linalg.solve(spread, mean))
    scaled = statistic * (shoes - width) / (width * (shoes - 1))
    return RandomnessResult(code, statistic, float(width), float(fdtrc(width, shoes - width, scaled)), shoes)


def _without_spread(code: str, values: Floats) -> RandomnessResult:
    """Judge shoes that do not vary as shoes do: chance makes no twenty shoes alike."""
    return RandomnessResult(code, None, float(values.shape[1]), 0.0, len(values))


def holm(values: Sequence[float]) -> list[float]:
    """Return p-values corrected for their number (Holm 1979): the chance of any below 1% by luck is at most 1%."""
    adjusted, highest = [0.0] * len(values), 0.0
    for rank, at in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        highest = max(highest, min(1.0, (len(values) - rank) * values[at]))
        adjusted[at] = highest
    return adjusted
