"""Bankrolls and staking plans as JSON has them: exact figures as text, computed ones with the bound of their error."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from punto.data_frames import exact, provenance
from punto.formatting import fraction
from punto.lab.bankrolls.flat_session import FlatSession
from punto.lab.bankrolls.result_distribution import ResultDistribution
from punto.odds.portfolio import Portfolio

if TYPE_CHECKING:
    from punto.lab.bankrolls.bankroll import Bankroll
    from punto.lab.bankrolls.staking import Staking

SHARES = (Fraction(1, 20), Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), Fraction(19, 20))
WORST = Fraction(1, 20)
"""The share of runs of which the average is told as expected shortfall."""
_LONGEST_DENOMINATOR = 4096
"""The longest denominator that is written out, in bits: some 1,200 digits."""


def bankroll_answer(found: Bankroll) -> dict[str, object]:
    """Return all figures of a bankroll ready for JSON; which game only where a portfolio says it."""
    kelly, gains, stakes = found.kelly, found.session.gains, found.stakes
    expected = gains.mean / Fraction(gains.stake, gains.parts)
    return {
        **({**provenance(stakes.book), "cards": stakes.cards} if isinstance(stakes, Portfolio) else {}),
        "stakes": [{"wager": name, **exact(units=units)} for name, units in found.wagers],
        "bankroll": _units(found.units),
        "rounds": found.rounds,
        "target": None if found.target is None else _units(found.target),
        **exact(expected_return=expected, house_edge=-expected),
        **exact(gain_per_round=gains.mean, variance_per_round=gains.variance),
        "distribution": distribution_answer(found.result),
        "session": session_answer(found.session),
        "ruin_for_ever": _computed(
            probability=found.for_ever.probability, low=found.for_ever.low, high=found.for_ever.high
        ),
        "kelly": {
            **_computed(fraction=kelly.low if kelly.exact else kelly.fraction, low=kelly.low, high=kelly.high),
            "growth": kelly.growth,
        },
        "independent_rounds": True,
    }


def distribution_answer(result: ResultDistribution) -> dict[str, object]:
    """Return the distribution of results in figures."""
    return {
        "error_bound": result.error_bound,
        **exact(expected_result=result.mean, variance=result.variance),
        "deviation": result.deviation,
        "skewness": result.skewness,
        **exact(lowest=result.lowest, highest=result.highest),
        **_computed(ahead=result.ahead, level=result.level, behind=result.behind),
        "expected_shortfall": exact(share=WORST) | _computed(net_result=result.expected_shortfall(WORST)),
        "quantiles": [exact(share=share, net_result=result.quantile(share)) for share in SHARES],
    }


def session_answer(session: FlatSession) -> dict[str, object]:
    """Return how a session of flat stakes ends, in units of one stake."""
    return {
        "error_bound": session.error_bound,
        **_computed(
            ruin_probability=session.ruin,
            uncovered_probability=session.uncovered,
            reached_probability=session.reached,
            ahead=session.ahead,
            expected_result=session.mean_result,
            expected_rounds=session.mean_rounds,
        ),
        "quantiles": [exact(share=share, final=session.quantile(share)) for share in SHARES],
    }


def _computed(**values: Fraction | float) -> dict[str, object]:
    """Return figures as answers have them: as text only where they are exact and not too long to be read."""
    told: dict[str, object] = {}
    for name, value in values.items():
        whole = isinstance(value, Fraction) and value.denominator.bit_length() <= _LONGEST_DENOMINATOR
        told |= {name: fraction(Fraction(value)) if whole else None, f"{name}_rounded": float(value)}
    return told


def staking_answer(found: Staking) -> dict[str, object]:
    """Return all figures of a staking plan ready for JSON."""
    return {
        **found.shoe.provenance(found.book),
        "wager": found.wager,
        "plan": found.plan_name,
        "seed": found.seed,
        "sessions": len(found.sessions),
        "bankroll": found.bankroll,
        "minimum": found.terms.minimum,
        "maximum": found.terms.maximum,
        "rounds": found.longest,
        "cut": found.shoe.cut,
        "burn": found.shoe.burn,
        "rounds_after": found.shoe.rounds_after,
        "partial": found.partial,
        **exact(uncovered_probability=found.uncovered_probability),
        "uncovered_standard_error": found.uncovered_standard_error,
        **exact(ruin_probability=found.ruin_probability),
        "ruin_standard_error": found.ruin_standard_error,
        **exact(ahead=found.ahead),
        "ahead_standard_error": found.ahead_standard_error,
        **exact(mean_result=found.mean_result),
        "mean_result_standard_error": found.mean_result_standard_error,
        **exact(mean_rounds=found.mean_rounds),
        "mean_rounds_standard_error": found.mean_rounds_standard_error,
        **exact(lost_per_unit_staked=found.lost_per_unit_staked),
        "lost_standard_error": found.lost_standard_error,
        **exact(house_edge=found.odds.house_edge),
        "exact": None if (session := exact_session(found)) is None else session_answer(session),
        "quantiles": [
            exact(
                share=share,
                final=found.quantile(lambda each: each.final, share),
                drawdown=found.quantile(lambda each: each.drawdown, share),
                rounds=found.quantile(lambda each: Fraction(each.rounds), share),
            )
            for share in SHARES
        ],
    }


def exact_session(found: Staking) -> FlatSession | None:
    """Return the exact figures of flat stakes; None for other plans, and for sessions too long to compute."""
    try:
        return found.exact
    except ValueError:
        return None


def _units(amount: Fraction) -> int | str:
    """Return an amount of units: a whole number, or the text of a fraction."""
    return amount.numerator if amount.denominator == 1 else fraction(amount)
