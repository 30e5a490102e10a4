"""What becomes of a bankroll, exactly: results after a number of rounds, risk of ruin, Kelly stakes.

Everything follows from the exact odds of a wager, or of a portfolio of wagers, with the same stakes in every round.
Rounds are taken as independent, each dealt from the shoe the odds are of: the weak dependence of the rounds of one shoe
is left out. ``punto.lab.bankrolls.staking`` simulates whole shoes, where rounds depend on each other and stakes follow
a plan.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from punto.formatting import decimal
from punto.lab.bankrolls.bankroll_answers import SHARES, bankroll_answer
from punto.lab.bankrolls.flat_session import FlatSession, flat_session
from punto.lab.bankrolls.kelly import KellyStake, kelly
from punto.lab.bankrolls.result_distribution import ResultDistribution, distribution
from punto.lab.bankrolls.round_gains import Stakes
from punto.lab.bankrolls.ruin import RuinRisk, risk_of_ruin
from punto.notebook import Markup, table
from punto.odds.portfolio import Portfolio

if TYPE_CHECKING:
    import polars

__all__ = ["Bankroll", "bankroll", "distribution", "flat_session", "kelly", "risk_of_ruin"]


@dataclass(frozen=True)
class Bankroll:
    """What becomes of a bankroll that is staked in the same way in every round; amounts in units."""

    stakes: Stakes
    """What is staked in every round: the odds of a wager, or a portfolio."""
    units: Fraction
    rounds: int
    target: Fraction | None
    result: ResultDistribution
    """The net result of that many rounds for a patron who can cover every one of them."""
    session: FlatSession
    """The same rounds for a patron who stops when the bankroll does not cover the next stake, or at the target."""
    for_ever: RuinRisk
    """The risk of ruin without a last round."""
    kelly: KellyStake

    @property
    def game(self) -> str | None:
        """The key of the game; None where the stakes are the odds of a single wager, which do not say it."""
        return self.stakes.book.key if isinstance(self.stakes, Portfolio) else None

    @property
    def wagers(self) -> tuple[tuple[str, Fraction], ...]:
        """The wagers that are played, with the units on each."""
        if isinstance(self.stakes, Portfolio):
            return self.stakes.stakes
        return ((self.stakes.wager.name, Fraction(1)),)

    def to_dict(self) -> dict[str, object]:
        """Return all figures ready for JSON, with the keys of ``punto bankroll --json``."""
        return bankroll_answer(self)

    def to_frame(self) -> polars.DataFrame:
        """Return the distribution of the net result, one row for each result."""
        return self.result.to_frame()

    def __repr__(self) -> str:
        ruin = f"ruin {float(self.session.ruin):.4%}, for ever {float(self.for_ever.probability):.4%}"
        return f"<Bankroll of {self.units} units over {self.rounds} rounds: mean {decimal(self.result.mean)}, {ruin}>"

    def _repr_html_(self) -> Markup:
        quantiles = [(f"{int(share * 100)}% end at or below", decimal(self.result.quantile(share))) for share in SHARES]
        rows = [
            ("mean result", decimal(self.result.mean)),
            ("standard deviation", f"{self.result.deviation:,.4f}"),
            *quantiles,
            ("ahead", f"{float(self.result.ahead):.4%}"),
            ("ruined in these rounds", f"{float(self.session.ruin):.4%}"),
            ("ruined at some time", f"{float(self.for_ever.probability):.4%}"),
            ("Kelly stake", f"{self.kelly.fraction:.4%}"),
        ]
        caption = f"{self.rounds:,} rounds from a bankroll of {self.units} units"
        return table(caption, ("Result", "Figure"), rows, figures=("Figure",))


def bankroll(
    stakes: Stakes, units: Fraction | int = 100, rounds: int = 600, target: Fraction | int | None = None
) -> Bankroll:
    """Return what becomes of a bankroll: its result after ``rounds`` rounds, its risk of ruin, and the Kelly stake.

    >>> from punto import load, odds
    >>> bankroll(odds(load("tiger"))["Small Tiger"], 100, 600)
    <Bankroll of 100 units over 600 rounds: mean -86.00, ruin 63.5529%, for ever 100.0000%>
    """
    session = flat_session(stakes, units, rounds, target)
    if session.target is not None and session.target < session.bankroll:
        raise ValueError(f"expected a target of at least the bankroll, {session.bankroll} units, not {session.target}")
    return Bankroll(
        stakes,
        session.bankroll,
        rounds,
        session.target,
        distribution(stakes, rounds),
        session,
        risk_of_ruin(stakes, units, target),
        kelly(stakes),
    )
