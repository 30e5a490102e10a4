"""The results of a simulation: how often each wager ended in each way, and how far that is from the exact odds."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from punto.data_frames import data_frame, error_of, exact, provenance
from punto.formatting import pays_or_push, percent
from punto.given_values import any_number
from punto.notebook import Markup, table
from punto.rules.conditions import Sees
from punto.rules.outcome_classes import Classes
from punto.rules.rulebook import VOID, Line, Result, Rulebook, Wager
from punto.rules.settlement import settle
from punto.rules.wager_mapping import WagerMapping
from punto.simulate.shoe_makeup import Shoes

if TYPE_CHECKING:
    import polars

    from punto.simulate.lookup_tables import Counts


@dataclass(frozen=True, slots=True)
class OutcomeCount:
    """One way a wager can end, and the number of rounds in which it did."""

    outcome: str
    result: Result | None
    """None where the shoe ran out of cards and every wager was returned."""
    pays: Fraction
    count: int

    def to_dict(self) -> dict[str, object]:
        """Return all figures ready for JSON."""
        result = self.result.value if self.result else VOID
        return {"outcome": self.outcome, "result": result, **exact(pays=self.pays), "count": self.count}


@dataclass(frozen=True, slots=True)
class WagerResult:
    """The results of one wager, one unit in every round."""

    wager: Wager
    rounds: int
    outcomes: tuple[OutcomeCount, ...]

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
        """The standard error of the mean return; not a number where all rounds ended alike, which say nothing of it.

        Rounds of one shoe are so weakly dependent that they count as independent.
        """
        variance = self.variance
        return math.sqrt(variance / self.rounds) if variance else math.nan

    def z_score(self, expected: Fraction) -> float:
        """Return how many standard errors the mean return lies above the expected one."""
        away, error = self.mean_return - any_number(expected, "an exact return"), self.standard_error
        return float(away) / error if error else math.nan

    def to_dict(self) -> dict[str, object]:
        """Return all figures ready for JSON: exact sums of what was dealt as text, with a rounded number beside."""
        error = self.standard_error
        return {
            "wager": self.wager.name,
            "clause": self.wager.clause,
            "outcomes": [each.to_dict() for each in self.outcomes],
            **exact(mean_return=self.mean_return, house_edge=self.house_edge, variance=self.variance),
            "standard_error": None if math.isnan(error) else error,
        }

    def _mean(self, power: int) -> Fraction:
        if not self.rounds:
            return Fraction(0)
        return sum((each.count * each.pays**power for each in self.outcomes), Fraction(0)) / self.rounds

    def __repr__(self) -> str:
        return f"<WagerResult {self.wager.name!r}: house edge {percent(self.house_edge)}, {self.rounds} rounds>"

    def _repr_html_(self) -> Markup:
        return _shown(f"{self.wager.name}, {self.rounds:,} rounds", (self,))


@dataclass(frozen=True, slots=True)
class Simulation(WagerMapping[WagerResult]):
    """The results of all wagers of a game: a mapping of their names, in the game's order."""

    book: Rulebook
    shoe: Shoes
    """How every shoe was made up and dealt."""
    seed: int
    shoes: int
    """The number of shoes that were dealt."""
    rounds: int
    partial: bool
    """Whether it was stopped before all shoes were dealt."""
    joint: bool
    """Whether totals and first two cards had to be counted together."""
    kernel_seconds: float = field(compare=False)
    """The time spent dealing, of all workers together."""
    wagers: tuple[WagerResult, ...]

    def to_dict(self) -> dict[str, object]:
        """Return what was dealt and all results, ready for JSON."""
        return {
            **provenance(self.book),
            **self.shoe.to_dict(),
            "seed": self.seed,
            "shoes": self.shoes,
            "rounds": self.rounds,
            "partial": self.partial,
            "wagers": [each.to_dict() for each in self.wagers],
        }

    def to_frame(self) -> polars.DataFrame:
        """Return a data frame with one row for each outcome of each wager."""
        return data_frame(
            [
                {
                    "game": self.book.key,
                    "seed": str(self.seed),  # may need more than 64 bits
                    "shoes": self.shoes,
                    "rounds": self.rounds,
                    "wager": each.wager.name,
                    **one.to_dict(),
                    **exact(mean_return=each.mean_return),
                    "standard_error": None if math.isnan(each.standard_error) else each.standard_error,
                }
                for each in self.wagers
                for one in each.outcomes
            ]
        )

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
        error = error_of(each.standard_error, share=True)
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
    if wager in classes.on_cards:
        counted = counts.on_cards[classes.on_cards.index(wager)].tolist()
        found = dict(zip(wager.outcomes, counted, strict=True))
    elif wager.sees & Sees.TOTALS:
        for at, count in enumerate(counts.endings.tolist()):
            if count:
                found[settle(wager, classes.outcome(*divmod(at, together)))] += count
    else:
        for initial, count in enumerate(counts.initials.tolist()):
            found[settle(wager, classes.outcome(0, initial))] += count
    outcomes = [OutcomeCount(line.outcome, line.result, line.pays, count) for line, count in found.items()]
    void = counts.rounds - sum(found.values())
    if void:
        outcomes.append(OutcomeCount(VOID, None, Fraction(0), void))
    return WagerResult(wager, counts.rounds, tuple(outcomes))
