"""The results of a simulation: how often each wager ended in each way, and how far that is from the exact odds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from punto.formatting import pays_or_push, percent
from punto.notebook import Markup, table
from punto.rules.conditions import Sees
from punto.rules.rulebook import VOID, Line, Result, Rulebook, Wager
from punto.rules.settlement import settle
from punto.simulate.outcome_classes import Classes

if TYPE_CHECKING:
    from punto.simulate.lookup_tables import Counts


@dataclass(frozen=True, slots=True)
class Counted:
    """One way a wager can end, and the number of rounds in which it did."""

    outcome: str
    result: Result | None
    """None where the shoe ran out of cards and every wager was returned."""
    pays: Fraction
    count: int


@dataclass(frozen=True, slots=True)
class WagerResult:
    """The results of one wager, one unit in every round."""

    wager: Wager
    rounds: int
    outcomes: tuple[Counted, ...]

    @property
    def mean_return(self) -> Fraction:
        """The average net gain of a unit; a void round counts as zero."""
        return self._mean(1)

    @property
    def house_edge(self) -> Fraction:
        """The average share of a unit that the house kept."""
        return -self.mean_return

    @property
    def variance(self) -> Fraction:
        """The variance of the gain of a unit."""
        return self._mean(2) - self.mean_return**2

    @property
    def standard_error(self) -> float:
        """The standard error of the mean return. Rounds of one shoe are so weakly dependent that they count as
        independent.
        """
        return math.sqrt(self.variance / self.rounds) if self.rounds else math.nan

    def z_score(self, expected: Fraction) -> float:
        """Return how many standard errors the mean return lies above the expected one."""
        error = self.standard_error
        return float(self.mean_return - expected) / error if error else math.nan

    def _mean(self, power: int) -> Fraction:
        if not self.rounds:
            return Fraction(0)
        return sum((each.count * each.pays**power for each in self.outcomes), Fraction(0)) / self.rounds

    def __repr__(self) -> str:
        return f"<WagerResult {self.wager.name!r}: house edge {percent(self.house_edge)}, {self.rounds} rounds>"

    def _repr_html_(self) -> Markup:
        return _shown(f"{self.wager.name}, {self.rounds:,} rounds", (self,))


@dataclass(frozen=True, slots=True)
class Simulation:
    """The results of all wagers of a game."""

    book: Rulebook
    seed: int
    shoes: int
    rounds: int
    partial: bool
    """Whether it was stopped before all shoes were dealt."""
    joint: bool
    """Whether totals and first two cards had to be counted together."""
    kernel_seconds: float
    """The time spent dealing, of all workers together."""
    wagers: tuple[WagerResult, ...]

    def __getitem__(self, name: str) -> WagerResult:
        wager = self.book.wager(name)
        return next(each for each in self.wagers if each.wager is wager)

    def __repr__(self) -> str:
        partial = ", partial" if self.partial else ""
        return f"<Simulation of {self.book.key!r}: {self.shoes} shoes, {self.rounds} rounds, seed {self.seed}{partial}>"

    def _repr_html_(self) -> Markup:
        partial = ", stopped before the end" if self.partial else ""
        dealt = f"{self.rounds:,} rounds from {self.shoes:,} shoes, seed {self.seed}{partial}"
        return _shown(f"{self.book.title}, {dealt}", self.wagers)


def _shown(caption: str, wagers: tuple[WagerResult, ...]) -> Markup:
    """Return a notebook table of results, outcome by outcome."""
    figures = ("Pays", "Count", "Share", "House edge", "± error")
    rows = []
    for each in wagers:
        error = percent(Fraction(each.standard_error)) if each.rounds else ""
        for one in each.outcomes:
            first = one is each.outcomes[0]
            pays = pays_or_push(one.pays) if one.result else "returned"
            share = percent(Fraction(one.count, each.rounds)) if each.rounds else ""
            summary = (percent(each.house_edge), error) if first else ("", "")
            name = each.wager.name if first else ""
            rows.append((name, one.outcome, pays, f"{one.count:,}", share, *summary))
    return table(caption, ("Wager", "Outcome", *figures), rows, figures)


def results(wagers: tuple[Wager, ...], classes: Classes, counts: Counts) -> tuple[WagerResult, ...]:
    """Return every wager's results, settled from the counts."""
    return tuple(_result(wager, classes, counts) for wager in wagers)


def _result(wager: Wager, classes: Classes, counts: Counts) -> WagerResult:
    """Settle by the endings alone, by the initial deals alone, or by both, as the wager needs."""
    found: dict[Line, int] = dict.fromkeys(wager.outcomes, 0)
    together = len(classes.examples) if classes.joint else 1
    if wager.sees & Sees.TOTALS:
        for at, count in enumerate(counts.endings.tolist()):
            if count:
                found[settle(wager, classes.outcome(*divmod(at, together)))] += count
    else:
        for initial, count in enumerate(counts.initials.tolist()):
            found[settle(wager, classes.outcome(0, initial))] += count
    outcomes = [Counted(line.outcome, line.result, line.pays, count) for line, count in found.items()]
    void = counts.rounds - sum(found.values())
    if void:
        outcomes.append(Counted(VOID, None, Fraction(0), void))
    return WagerResult(wager, counts.rounds, tuple(outcomes))
