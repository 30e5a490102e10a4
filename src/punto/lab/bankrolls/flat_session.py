"""A session of flat stakes, followed round by round: ruin, length and final bankroll, as probabilities, not samples.

Rounds are taken as independent, each dealt from the shoe the odds are of. Short sessions are computed in whole numbers.
Longer ones use floating point: sums of products of positive numbers, so that every probability keeps its leading
digits, and the bound of its relative error is the number of operations times the rounding of one.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import TYPE_CHECKING

from punto.data_frames import data_frame, exact
from punto.given_values import as_fraction, optional_flag
from punto.lab.bankrolls.round_gains import ROUNDING, Array, RoundGains, Stakes, round_gains, share_of_one, whole_rounds

if TYPE_CHECKING:
    import polars

MOST_ROUNDS = 100_000
MOST_UNITS = 10**9
MOST_WORK = 1 << 36
"""Additions in the longest session: a minute or so."""
MOST_EXACT_WORK = 1 << 17
"""Additions of whole numbers, weighed by their length, if the caller does not choose."""
MOST_EXACT_WHEN_ASKED = 1 << 24
_TAIL = 1e-18


@dataclass(frozen=True)
class FlatSession:
    """How a session of flat stakes ends; amounts in units, probabilities exact or within ``error_bound``."""

    gains: RoundGains
    bankroll: Fraction
    rounds: int
    """The most rounds played."""
    target: Fraction | None
    """The bankroll at which play stops."""
    ruin: Fraction | float
    """The probability that the bankroll does not cover another stake in the end."""
    uncovered: Fraction | float
    """The probability of ruin with rounds left to play."""
    reached: Fraction | float
    """The probability that the target is reached."""
    mean_rounds: Fraction | float
    """The average number of rounds played."""
    finals: tuple[tuple[int, Fraction | float], ...]
    """Every possible final bankroll, in parts of a unit, with its probability, the lowest first."""
    error_bound: float
    """How far any of the probabilities can be off; 0 if exact. Averages are within it relative to themselves."""

    @property
    def exact(self) -> bool:
        """Whether probabilities are exact fractions."""
        return isinstance(self.mean_rounds, Fraction)

    @property
    def mean_result(self) -> Fraction | float:
        """The average gain of a session: that of a round times the average number of rounds (Wald's identity)."""
        if isinstance(self.mean_rounds, Fraction):
            return self.gains.mean * self.mean_rounds
        return float(self.gains.mean) * self.mean_rounds

    @property
    def ahead(self) -> Fraction | float:
        """The probability of a final bankroll above the first."""
        first = self.bankroll * self.gains.parts
        above = [chance for final, chance in self.finals if final > first]
        return sum(above, Fraction(0)) if self.exact else math.fsum(above)

    def quantile(self, share: Fraction | float) -> Fraction:
        """Return the lowest final bankroll that, with all lower ones, has at least this probability."""
        wanted = share_of_one(share)
        running = list(accumulate(chance for _, chance in self.finals))
        at = bisect_left(running, wanted if self.exact else float(wanted))
        return Fraction(self.finals[min(at, len(running) - 1)][0], self.gains.parts)

    def to_dict(self) -> dict[str, object]:
        """Return how the session ends, ready for JSON."""
        from punto.lab.bankrolls.bankroll_answers import session_answer

        return session_answer(self)

    def to_frame(self) -> polars.DataFrame:
        """Return one row for each final bankroll, the lowest first, with its probability, rounded."""
        return data_frame(
            [
                {**exact(final=Fraction(final, self.gains.parts)), "probability": float(chance)}
                for final, chance in self.finals
            ]
        )

    def __repr__(self) -> str:
        kind = "exact" if self.exact else f"within {self.error_bound:.0e}"
        return f"<FlatSession of {self.rounds} rounds from {self.bankroll}: ruin {float(self.ruin):.4%}, {kind}>"


def flat_session(
    stakes: Stakes,
    bankroll: Fraction | int,
    rounds: int,
    target: Fraction | int | None = None,
    exact: bool | None = None,
) -> FlatSession:
    """Return how a session of at most ``rounds`` rounds with the same stakes ends, from a bankroll in units.

    It ends early when the bankroll does not cover the next stake, or at ``target`` units or more.

    >>> from punto import load, odds
    >>> flat_session(odds(load("tiger"))["Small Tiger"], 100, 600)
    <FlatSession of 600 rounds from 100: ruin 63.5529%, within 7e-13>
    """
    gains, exact = round_gains(stakes), optional_flag(exact, "exact")
    rounds = whole_rounds(rounds, MOST_ROUNDS)
    held, aim = parts_of(gains, bankroll, target)
    work = _exact_work(gains, rounds)
    if exact and work > MOST_EXACT_WHEN_ASKED:
        raise ValueError(f"an exact session of {rounds:,} rounds with these stakes takes too long; leave out exact")
    is_there = aim is not None and held >= aim  # then no round is played
    if exact or is_there or (exact is None and work <= MOST_EXACT_WORK):
        course = _exact_course(gains, held, aim, rounds)
    else:
        course = _float_course(gains, held, aim, rounds)
    return _ended(course, gains, (held, rounds, aim))


def parts_of(gains: RoundGains, bankroll: object, target: object) -> tuple[int, int | None]:
    """Return a bankroll and a target in parts of a unit; raise ``TypeError`` or ``ValueError`` for what is none."""
    found: list[int | None] = []
    for given, name in ((bankroll, "bankroll"), (target, "target")):
        if given is None and name == "target":
            found.append(None)
            continue
        amount = as_fraction(given)
        if amount is None:
            raise TypeError(f"expected a {name} in units, a whole number or a fraction, not {given!r}")
        if not 0 <= amount <= MOST_UNITS:
            raise ValueError(f"expected a {name} of 0 to {MOST_UNITS:,} units, not {amount}")
        parts = amount * gains.parts
        if parts.denominator != 1:
            raise ValueError(f"expected a {name} in whole 1/{gains.parts} of a unit, which wins come in, not {amount}")
        found.append(int(parts))
    held, aim = found
    assert held is not None
    return held, aim


@dataclass(frozen=True, slots=True)
class _Course:
    """The course of a session: the probabilities of still playing, of what ended it when, and of final bankrolls."""

    playing: list[Fraction] | list[float]
    """Of playing each round."""
    ruined: list[Fraction] | list[float]
    """Of ruin after each number of rounds, from 0."""
    reached: Fraction | float
    finals: dict[int, Fraction] | dict[int, float]
    error: float


def _ended(course: _Course, gains: RoundGains, terms: tuple[int, int, int | None]) -> FlatSession:
    held, rounds, aim = terms
    exact = not course.error
    add = (lambda values: sum(values, Fraction(0))) if exact else math.fsum
    return FlatSession(
        gains=gains,
        bankroll=Fraction(held, gains.parts),
        rounds=rounds,
        target=None if aim is None else Fraction(aim, gains.parts),
        ruin=add(course.ruined),
        uncovered=add(course.ruined[:rounds]),
        reached=course.reached,
        mean_rounds=add(course.playing),
        finals=tuple(sorted(course.finals.items())),
        error_bound=course.error,
    )


def _exact_work(gains: RoundGains, rounds: int) -> int:
    """Return about how many machine additions following every bankroll in whole numbers takes."""
    kinds, span = len(gains.weights), (gains.highest - gains.lowest) // gains.spacing
    states = min(span * rounds + 1, math.comb(rounds + kinds - 1, kinds - 1))
    return rounds * states * kinds * (4 + rounds * gains.total.bit_length() // 512) // 4


def _exact_course(gains: RoundGains, held: int, aim: int | None, rounds: int) -> _Course:
    """Follow every possible bankroll in whole numbers."""
    alive, scale = {held: 1}, 1
    ends: dict[int, Fraction] = {}
    playing, ruined, reached = [], [], Fraction(0)
    for number in range(rounds + 1):
        below = {state: weight for state, weight in alive.items() if state < gains.stake}
        above = {state: weight for state, weight in alive.items() if aim is not None and state >= max(aim, gains.stake)}
        left = {state: weight for state, weight in alive.items() if state not in below and state not in above}
        ruined.append(Fraction(sum(below.values()), scale))
        reached += Fraction(sum(above.values()), scale)
        for state, weight in (below | above if number < rounds else alive).items():
            ends[state] = ends.get(state, Fraction(0)) + Fraction(weight, scale)
        if number == rounds:
            break
        playing.append(Fraction(sum(left.values()), scale))
        following: Counter[int] = Counter()
        for state, weight in left.items():
            for gain, chance in gains.weights:
                following[state + gain] += weight * chance
        alive, scale = following, scale * gains.total
    return _Course(playing, ruined, reached, ends, 0.0)


def _float_course(gains: RoundGains, held: int, aim: int | None, rounds: int) -> _Course:
    """Follow every bankroll but those so high that they are next to impossible, in floating point."""
    import numpy as np

    lattice = gains.lattice
    first, stake = held // lattice, gains.stake // lattice
    steps = [(gain // lattice, weight / gains.total) for gain, weight in gains.weights]
    top = first + _reach(gains, rounds) // lattice + 1
    goal = top + 1 if aim is None else max(-(-aim // lattice), stake)
    top = min(top, goal + steps[-1][0]) + 1
    if top * rounds * len(steps) > MOST_WORK:
        raise ValueError(f"{rounds:,} rounds with a bankroll of {top:,} steps take too long to follow")
    alive, ends = np.zeros(top + 1), np.zeros(top + 1)
    alive[min(first, top)] = 1.0
    playing, ruined, reached = [], [], []
    for number in range(rounds + 1):
        ruined.append(float(alive[:stake].sum()))
        reached.append(float(alive[goal:].sum()))
        ends[:stake] += alive[:stake]
        ends[goal:] += alive[goal:]
        left = alive[stake:goal]
        if number == rounds:
            ends[stake:goal] += left
            break
        playing.append(float(left.sum()))
        following = np.zeros(top + 1)
        for step, chance in steps:
            into = following[stake + step : stake + step + len(left)]
            into += chance * left[: len(into)]
        alive = following
    rest = held % lattice
    finals = {place * lattice + rest: float(ends[place]) for place in np.flatnonzero(ends).tolist()}
    error = (rounds + 1) * (len(steps) + 3) * ROUNDING + 2 * _TAIL
    return _Course(playing, ruined, math.fsum(reached), finals, error)


def _reach(gains: RoundGains, rounds: int) -> int:
    """Return, in parts, how far above its start a bankroll may ever rise but for a negligible probability.

    Doob's inequality for exp(tilt * bankroll), for any tilt: the probability to rise by x at any time is at most
    exp(rounds * K - tilt * x), where K is the logarithm of the average of exp(tilt * gain), or 0 if that is higher.
    """
    import numpy as np

    values, chances = gains.floats()
    spread = math.sqrt(float(gains.variance)) * gains.parts
    most = max(0, gains.highest * rounds)
    if not spread or not most:
        return most
    tilts = math.sqrt(-2 * math.log(_TAIL) / rounds) / spread * np.geomspace(1e-3, 1e3, 600)
    within: Array = (tilts[:, None] * np.abs(values)).max(axis=1) < 600
    if not within.any():
        return most
    tilts = tilts[within]
    growth = np.log1p(np.expm1(tilts[:, None] * values) @ chances)
    reach = (rounds * np.maximum(growth * (1 + 1e-12), 0.0) - math.log(_TAIL)) / tilts
    return min(most, math.ceil(float(reach.min())) + 1)
