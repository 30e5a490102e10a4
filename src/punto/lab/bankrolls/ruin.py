"""Risk of ruin: flat stakes until a bankroll does not cover the next one, a target is reached, or the rounds are over.

Rounds are taken as independent, each dealt from the shoe the odds are of. For a number of rounds the bankroll is
followed round by round, in whole numbers or, for longer sessions, in floating point with a stated error bound. For
ever, and before a target, the risk follows from its own average over a round: solved exactly where that takes little,
otherwise between stated bounds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from punto.given_values import optional_flag
from punto.lab.bankrolls.flat_session import flat_session, parts_of
from punto.lab.bankrolls.round_gains import ROUNDING, Array, RoundGains, Stakes, round_gains

MOST_EXACT_STEPS = 2_000
"""The longest way from ruin to the target, in steps of the bankroll, that is solved exactly."""
MOST_STEPS = 300_000
"""The longest way that is solved at all."""
_ROOT_BITS = 96
_NEGLIGIBLE = 1e-13


@dataclass(frozen=True, slots=True)
class RuinRisk:
    """The probability that a bankroll is ruined: that it does not cover the next stake."""

    low: Fraction | float
    """The probability lies at or above this."""
    high: Fraction | float
    """The probability lies at or below this; both are the same exact fraction where it was found exactly."""

    @property
    def exact(self) -> bool:
        """Whether the probability is an exact fraction."""
        return isinstance(self.low, Fraction) and self.low == self.high

    @property
    def probability(self) -> Fraction | float:
        """The probability: an exact fraction, or the middle between the bounds."""
        return self.low if self.exact else (float(self.low) + float(self.high)) / 2

    @property
    def error_bound(self) -> float:
        """How far the probability can be off."""
        return float(self.high - self.low) / 2 if not self.exact else 0.0

    def __repr__(self) -> str:
        kind = "exact" if self.exact else f"± {self.error_bound:.0e}"
        return f"<RuinRisk {float(self.probability):.6%}, {kind}>"


def risk_of_ruin(
    stakes: Stakes,
    bankroll: Fraction | int,
    target: Fraction | int | None = None,
    rounds: int | None = None,
    exact: bool | None = None,
) -> RuinRisk:
    """Return the probability that a bankroll, in units, is ruined by the same stakes in every round.

    Play ends when the bankroll does not cover the next stake (ruin), at ``target`` units or more, or after ``rounds``
    rounds; without either it goes on for ever. ``exact`` asks for a fraction, or for floating point.

    >>> from punto import load, odds
    >>> player = odds(load("baccarat"))["Player"]
    >>> risk_of_ruin(player, 100)
    <RuinRisk 100.000000%, exact>
    >>> risk_of_ruin(player, 100, target=120)
    <RuinRisk 43.726706%, exact>
    """
    gains, exact = round_gains(stakes), optional_flag(exact, "exact")
    if rounds is not None:
        found = flat_session(stakes, bankroll, rounds, target, exact)
        ruin = found.ruin
        return RuinRisk(ruin, ruin) if found.exact else _around(float(ruin), found.error_bound)
    held, aim = parts_of(gains, bankroll, target)
    if held < gains.stake:
        return RuinRisk(Fraction(1), Fraction(1))
    if gains.lowest >= 0 or (aim is not None and held >= aim):
        return RuinRisk(Fraction(0), Fraction(0))
    never_wins = all(gain <= 0 for gain, _ in gains.weights)
    if never_wins or (aim is None and gains.mean <= 0):
        return RuinRisk(Fraction(1), Fraction(1))
    walk = _walk(gains, held, aim)
    return _for_ever(walk) if aim is None else _before_target(walk, exact)


def _around(value: float, error: float) -> RuinRisk:
    return RuinRisk(max(0.0, value - error), min(1.0, value + error))


@dataclass(frozen=True, slots=True)
class _Walk:
    """A bankroll in steps above the lowest one that is possible after ruin: below ``down`` it is ruined."""

    start: int
    target: int | None
    down: int
    """How many steps the largest loss takes."""
    steps: tuple[tuple[int, int], ...]
    """What a round adds, with its weight, the largest loss first."""
    total: int

    def average(self, base: float) -> float:
        """Return the average of a base to the power of a round's steps."""
        return math.fsum(weight / self.total * base**step for step, weight in self.steps)


def _walk(gains: RoundGains, held: int, aim: int | None) -> _Walk:
    lattice = gains.lattice
    down = -gains.lowest // lattice
    target = None if aim is None else -((gains.stake - aim) // lattice) + down
    steps = tuple((gain // lattice, weight) for gain, weight in gains.weights)
    return _Walk((held - gains.stake) // lattice + down, target, down, steps, gains.total)


# --- for ever --------------------------------------------------------------------------------------------------------


def _for_ever(walk: _Walk) -> RuinRisk:
    """Return the risk without a target, for stakes with an edge over the house.

    There is one z below 1 for which z to the power of a round's steps is 1 on average. Then z to the power of the
    bankroll keeps its average for ever. In the end it is 0, or else that of one of the ``down`` ruined bankrolls.
    """
    low, high = _root(walk)
    if walk.down == 1:
        return _between(low**walk.start, high**walk.start)
    rough = _between(low**walk.start, high ** (walk.start - walk.down + 1))
    decay = -math.log(float(high)) if float(high) < 1 else 0.0
    far = walk.start + walk.down + (math.ceil(-math.log(_NEGLIGIBLE) / decay) if decay else MOST_STEPS)
    if far > MOST_STEPS:
        return rough
    near = _before_target(_Walk(walk.start, far, walk.down, walk.steps, walk.total), exact=False)
    later = float(high) ** (far - walk.down + 1)
    return RuinRisk(max(float(near.low), float(rough.low)), min(float(near.high) + later, float(rough.high)))


def _between(low: Fraction, high: Fraction) -> RuinRisk:
    """Return bounds as floating-point numbers, moved apart by a rounding."""
    return RuinRisk(float(low) * (1 - 2 * ROUNDING), min(1.0, float(high) * (1 + 2 * ROUNDING)))


def _root(walk: _Walk) -> tuple[Fraction, Fraction]:
    """Return a bracket of the root between 0 and 1, by exact signs of the polynomial at dyadic points."""
    low, high, bits = 0, 1, 0
    while bits < _ROOT_BITS:
        low, high, bits = 2 * low, 2 * high, bits + 1
        middle = low + 1
        # The terms times 2 to the power of bits times the highest degree, so that all of them are whole.
        degree = walk.steps[-1][0] + walk.down
        sign = -walk.total * middle**walk.down << bits * (degree - walk.down)
        for step, weight in walk.steps:
            sign += weight * middle ** (step + walk.down) << bits * (degree - step - walk.down)
        if sign > 0:
            low = middle
        else:
            high = middle
    return Fraction(low, 2**bits), Fraction(high, 2**bits)


# --- before a target -------------------------------------------------------------------------------------------------


def _before_target(walk: _Walk, exact: bool | None) -> RuinRisk:
    assert walk.target is not None
    quick = MOST_EXACT_STEPS if walk.down == 1 else MOST_EXACT_STEPS // 10 // walk.down
    if exact and walk.target > 10 * quick:
        raise ValueError(f"an exact risk with a target {walk.target:,} steps away takes too long; leave out exact")
    if exact or (exact is None and walk.target <= quick):
        found = _one_step_down(walk, walk.target) if walk.down == 1 else _several_steps_down(walk, walk.target)
        return RuinRisk(found, found)
    if walk.target > MOST_STEPS:
        raise ValueError(f"a target {walk.target:,} steps away is too far: at most {MOST_STEPS:,} are computed")
    return _around(*_solved_in_floats(walk, walk.target))


def _one_step_down(walk: _Walk, target: int) -> Fraction:
    """Return the exact risk where a loss takes one step.

    The risk is proportional to a function of the distance below the target that is 0 up to the target and then follows,
    one value after the other, from its average over a round being itself. Here scaled to whole numbers.
    """
    (_, loss), *others = walk.steps
    scaled = [(step, weight * loss**step) for step, weight in others]
    values = [0, 1]
    for distance in range(1, target):
        kept = sum(weight * values[distance - step] for step, weight in scaled if step < distance)
        values.append(walk.total * values[distance] - kept)
    return Fraction(values[target - walk.start] * loss**walk.start, values[target])


def _several_steps_down(walk: _Walk, target: int) -> Fraction:
    """Return the exact risk where a loss takes several steps: a combination of as many such functions."""
    (_, loss), *others = walk.steps
    count = walk.down
    functions = []
    for number in range(count):
        values = [Fraction(0)] + [Fraction(int(each == number)) for each in range(count)]
        for distance in range(1, target - count + 1):
            terms = (weight * values[distance - step] for step, weight in others if step < distance)
            values.append((walk.total * values[distance] - sum(terms, Fraction(0))) / loss)
        functions.append(values)
    # Ruined at 0 to down - 1 steps, each function's share is such that the risk there is 1.
    equations = [[*(values[target - place] for values in functions), Fraction(1)] for place in range(count)]
    shares = _solution(equations)
    at = target - walk.start
    return sum((share * values[at] for share, values in zip(shares, functions, strict=True)), Fraction(0))


def _solution(equations: list[list[Fraction]]) -> list[Fraction]:
    """Solve linear equations, each a row of coefficients and the right-hand side, exactly."""
    for at in range(len(equations)):
        pivot = next(number for number in range(at, len(equations)) if equations[number][at])
        equations[at], equations[pivot] = equations[pivot], equations[at]
        head = equations[at] = [value / equations[at][at] for value in equations[at]]
        for number, row in enumerate(equations):
            if number != at and row[at]:
                equations[number] = [value - row[at] * other for value, other in zip(row, head, strict=True)]
    return [row[-1] for row in equations]


def _solved_in_floats(walk: _Walk, target: int) -> tuple[float, float]:
    """Return the risk and how far it can be off, by eliminating one bankroll after the other from below.

    Only sums, products and quotients of positive numbers occur. What is left unexplained at each bankroll bounds the
    error, by comparison with a power that falls short of its average in every round.
    """
    import numpy as np

    down, up, count = walk.down, max(0, walk.steps[-1][0]), target - walk.down
    moves = np.zeros(down + up + 1)
    moves[[step + down for step, _ in walk.steps]] = [weight / walk.total for _, weight in walk.steps]
    onward, ruined = np.zeros((count, up + 1)), np.zeros(count)
    # Rows of the next bankrolls, at their own places: they can still reach those that are eliminated before them.
    rows, lost = np.zeros((down + 1, down + up + 1)), np.zeros(down + 1)
    for at in range(down + 1):
        rows[at, : at + up + 1], lost[at] = moves[down - at :], moves[: down - at].sum()
    for state in range(count):
        own, out = rows[0], rows[0, 1:].sum() + lost[0]
        onward[state], ruined[state] = own[: up + 1] / out, lost[0] / out
        below = rows[1:, 0].copy()
        lost[1:] += below * ruined[state]
        rows[1:, 1 : up + 1] += below[:, None] * onward[state, 1:]
        rows[:-1, :-1], lost[:-1] = rows[1:, 1:], lost[1:].copy()
        rows[:, -1] = 0
        rows[-1], lost[-1] = moves, 0
    risk = np.zeros(count + up + 1)
    for state in range(count - 1, -1, -1):
        risk[state] = ruined[state] + onward[state, 1:] @ risk[state + 1 : state + up + 1]
    start = walk.start - down
    return float(risk[start]), _error(walk, moves, risk[:count], start)


def _error(walk: _Walk, moves: Array, risk: Array, start: int) -> float:
    """Return a bound of the error of a computed risk, from what it leaves unexplained."""
    import numpy as np

    base = _least_average(walk)
    around = np.concatenate([np.ones(walk.down), risk, np.zeros(len(moves) - walk.down)])
    average = np.zeros(len(risk))
    for place in np.flatnonzero(moves):
        average += moves[place] * around[place : place + len(risk)]
    unexplained = np.abs(risk - average) + (len(walk.steps) + 4) * ROUNDING * (risk + average)
    distance = start - np.arange(len(risk))
    with np.errstate(divide="ignore"):
        weighed = np.exp(np.minimum(np.log(unexplained) + distance * math.log(base), 700.0))
    short = 1 - walk.average(base) - 4 * ROUNDING
    bound = float(weighed.max()) / short if short > 0 else math.inf
    # Where a round is nearly fair, a parabola falls short of its average by more than such a power.
    squares = math.fsum(weight / walk.total * step**2 for step, weight in walk.steps)
    drift, length = math.fsum(weight / walk.total * step for step, weight in walk.steps), len(risk) + len(moves)
    if 4 * abs(drift) * length < squares:
        bound = min(bound, float(unexplained.max()) * 2 * length**2 / squares)
    return bound + 2 * ROUNDING * float(risk[start])


def _least_average(walk: _Walk) -> float:
    """Return the base whose power by a round's steps has the least average: below 1 unless a round is fair."""
    low, high = -60.0 / walk.down, 60.0 / max(1, walk.steps[-1][0])
    for _ in range(200):
        first, second = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, second) if walk.average(math.exp(first)) < walk.average(math.exp(second)) else (first, high)
    return math.exp(low)
