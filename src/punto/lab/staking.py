"""Staking plans played through simulated shoes: how a bankroll fares on one wager, within the table's limits.

A session begins with a bankroll and ends after a number of rounds, or when the bankroll does not cover the next stake.
The plan chooses the stake in units from what happened so far; the house edge stays the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import lcm
from operator import index
from typing import Any

from punto.formatting import decimal, percent
from punto.notebook import Markup, table
from punto.rules.rulebook import Rulebook, Wager
from punto.simulate.round_sequences import rounds
from punto.simulate.shoe_makeup import Shoes


@dataclass(slots=True)
class PlanInput:
    """What a plan knows when it chooses the units to stake."""

    parts: int
    """How many parts make a unit, so that every bankroll is a whole number of them."""
    bankroll_parts: int
    last_stake: int = 0
    """In units; 0 before the first round and after a round sat out."""
    last_gain: int = 0
    """The gain of a unit in the last round, in parts: above zero on a win, zero on a push, below on a loss."""
    rounds: int = 0
    memory: dict[str, Any] = field(default_factory=dict)
    """Free for the plan's own use."""

    @property
    def bankroll(self) -> Fraction:
        """In units, before this round."""
        return Fraction(self.bankroll_parts, self.parts)

    @property
    def won(self) -> bool:
        return self.last_stake > 0 and self.last_gain > 0

    @property
    def lost(self) -> bool:
        return self.last_stake > 0 and self.last_gain < 0


Plan = Callable[[PlanInput], int]
"""A staking plan: returns the units to stake next; 0 sits a round out."""


def flat(_: PlanInput) -> int:
    """Always stake one unit."""
    return 1


def martingale(play: PlanInput) -> int:
    """Double the stake after a loss; one unit after a win."""
    return 2 * play.last_stake if play.lost else play.last_stake if not play.won and play.last_stake else 1


def d_alembert(play: PlanInput) -> int:
    """Stake a unit more after a loss, a unit less after a win."""
    change = 1 if play.lost else -1 if play.won else 0
    return max(1, (play.last_stake or 1) + change)


def fibonacci(play: PlanInput) -> int:
    """Move along 1, 1, 2, 3, 5, ...: one step forward after a loss, two back after a win."""
    step = play.memory.get("step", 0) + (1 if play.lost else -2 if play.won else 0)
    play.memory["step"] = step = max(0, step)
    units, following = 1, 1
    for _ in range(step):
        units, following = following, units + following
    return units


def paroli(play: PlanInput) -> int:
    """Double the stake after a win, for at most three wins in a row; one unit after a loss."""
    row = play.memory.get("row", 0)
    row = (row + 1) % 3 if play.won else 0 if play.lost else row
    play.memory["row"] = row
    return int(2**row)


PLANS: dict[str, Plan] = {
    "flat": flat,
    "martingale": martingale,
    "d-alembert": d_alembert,
    "fibonacci": fibonacci,
    "paroli": paroli,
}


@dataclass(frozen=True, slots=True)
class StakingSession:
    """The course of one session; amounts in units."""

    rounds: int
    final: Fraction
    lowest: Fraction
    drawdown: Fraction
    """The deepest fall from the highest bankroll so far."""
    staked: int
    uncovered: bool
    """Whether it ended because the bankroll did not cover the next stake."""
    ruined: bool
    """Whether less than the minimum stake was left."""
    path: tuple[Fraction, ...]
    """The bankroll after each round, for the sessions that were followed."""


@dataclass(frozen=True, slots=True)
class Staking:
    """The outcome of many sessions of a plan."""

    book: Rulebook
    wager: str
    bankroll: int
    longest: int
    sessions: tuple[StakingSession, ...]

    @property
    def ruin_probability(self) -> Fraction:
        """The share of sessions that ended with less than the minimum stake."""
        return Fraction(sum(each.ruined for each in self.sessions), len(self.sessions))

    @property
    def ruin_standard_error(self) -> float:
        """The standard error of the probability of ruin."""
        p = self.ruin_probability
        return math.sqrt(p * (1 - p) / len(self.sessions))

    @property
    def uncovered_probability(self) -> Fraction:
        """The share of sessions that ended because the plan's next stake was not covered."""
        return Fraction(sum(each.uncovered for each in self.sessions), len(self.sessions))

    @property
    def ahead(self) -> Fraction:
        """The share of sessions that ended with more than they began."""
        return Fraction(sum(each.final > self.bankroll for each in self.sessions), len(self.sessions))

    @property
    def mean_result(self) -> Fraction:
        """The average gain of a session, in units."""
        return sum((each.final - self.bankroll for each in self.sessions), Fraction(0)) / len(self.sessions)

    @property
    def mean_rounds(self) -> Fraction:
        """The average length of a session."""
        return Fraction(sum(each.rounds for each in self.sessions), len(self.sessions))

    @property
    def lost_per_unit_staked(self) -> Fraction:
        """The share of all stakes that the house kept: about its edge, whatever the plan."""
        staked = sum(each.staked for each in self.sessions)
        return -self.mean_result * len(self.sessions) / staked if staked else Fraction(0)

    def quantile(self, of: Callable[[StakingSession], Fraction], share: Fraction) -> Fraction:
        """Return the value below which this share of the sessions lies."""
        values = sorted(map(of, self.sessions))
        return values[min(len(values) - 1, int(share * len(values)))]

    def __repr__(self) -> str:
        ended = f"mean result {decimal(self.mean_result)}, ruin {percent(self.ruin_probability, 2)}"
        return f"<Staking on {self.wager!r} of {self.book.key!r}: {len(self.sessions)} sessions, {ended}>"

    def _repr_html_(self) -> Markup:
        caption = f"{self.book.title}, {self.wager}: {len(self.sessions):,} sessions from {self.bankroll:,} units"
        rows = [
            ("mean result", f"{decimal(self.mean_result)} units"),
            ("mean length", f"{decimal(self.mean_rounds)} rounds, at most {self.longest:,}"),
            ("ahead", percent(self.ahead, 2)),
            ("ruined", percent(self.ruin_probability, 2)),
            ("next stake not covered", percent(self.uncovered_probability, 2)),
            ("lost per unit staked", percent(self.lost_per_unit_staked)),
        ]
        return table(caption, ("Sessions", "Figure"), rows, figures=("Figure",))


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms on which a plan is played; amounts in chips. The minimum stake is the plan's unit."""

    bankroll: int = 100
    minimum: int = 1
    maximum: int = 1000
    longest: int = 600
    """The most rounds in a session."""

    def __post_init__(self) -> None:
        if not 1 <= self.minimum <= self.maximum:
            raise ValueError(f"expected limits from 1 unit up, not {self.minimum} to {self.maximum}")
        if self.bankroll < self.minimum or self.longest < 1:
            raise ValueError("expected a bankroll that covers the minimum, and at least one round")


def staking(
    book: Rulebook,
    wager: str,
    plan: Plan,
    sessions: int,
    terms: Terms | None = None,
    seed: int = 0,
    dealt: Shoes | None = None,
    followed: int = 100,
) -> Staking:
    """Play ``sessions`` sessions in turn through the shoes of the seed; record the path of the first ``followed``
    ones.
    """
    if sessions < 1:
        raise ValueError(f"expected at least one session, not {sessions}")
    terms = terms or Terms()
    found = book.wager(wager)
    parts = lcm(*(line.pays.denominator for line in found.outcomes))
    gains = _gains(book, found, seed, dealt or Shoes.of(book))
    played = tuple(_session(plan, terms, parts, gains, number < followed) for number in range(sessions))
    return Staking(book, found.name, terms.bankroll, terms.longest, played)


def _gains(book: Rulebook, wager: Wager, seed: int, dealt: Shoes) -> Iterator[int]:
    """Yield the gain of a unit, round after round, for as many shoes as needed."""
    if next(rounds(book, 100, seed, dealt), None) is None:
        raise ValueError("no round can be dealt from such shoes")
    for block in rounds(book, _NO_END, seed, dealt):
        yield from block.returns(wager)[0].tolist()


_NO_END = 2**40
"""More shoes than any study plays."""


def _session(plan: Plan, terms: Terms, parts: int, gains: Iterator[int], follow: bool) -> StakingSession:
    """Play one session, computed in parts of a unit."""
    play = PlanInput(parts, terms.bankroll * parts)
    highest = lowest = play.bankroll_parts
    drawdown = staked = 0
    uncovered, path = False, []
    while play.rounds < terms.longest:
        units = _asked(plan, play)
        stake = min(units * terms.minimum, terms.maximum)
        if stake * parts > play.bankroll_parts:
            uncovered = True
            break
        play.last_stake, play.last_gain = units, next(gains)
        play.bankroll_parts += stake * play.last_gain
        play.rounds += 1
        staked += stake
        highest, lowest = max(highest, play.bankroll_parts), min(lowest, play.bankroll_parts)
        drawdown = max(drawdown, highest - play.bankroll_parts)
        if follow:
            path.append(play.bankroll)
    final, low, fall = (Fraction(each, parts) for each in (play.bankroll_parts, lowest, drawdown))
    ruined = play.bankroll_parts < terms.minimum * parts
    return StakingSession(play.rounds, final, low, fall, staked, uncovered, ruined, tuple(path))


class BadPlan(ValueError):
    """A plan that does not return a number of units."""


def _asked(plan: Plan, play: PlanInput) -> int:
    """Return the units a plan wants to stake; the plan gets a copy of the play, which shares only its memory."""
    known = replace(play)
    try:
        wanted = index(plan(known))
    except Exception as error:
        raise BadPlan(f"the plan fails in round {play.rounds + 1}: {type(error).__name__}: {error}") from error
    if wanted < 0:
        raise BadPlan(f"the plan wants to stake {wanted} units in round {play.rounds + 1}: 0 sits it out")
    return wanted
