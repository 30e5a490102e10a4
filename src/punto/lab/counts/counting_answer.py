"""A count as JSON and data frames have it: every estimate with its error, by count and by penetration."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from punto.data_frames import exact
from punto.formatting import fraction
from punto.lab.counts.count_tally import CountEstimate, CountFigures

if TYPE_CHECKING:
    from punto.lab.counts.counting import Counting


def counting_answer(found: Counting) -> dict[str, object]:
    """Return all figures of a count ready for JSON."""
    return {
        **found.shoe.provenance(found.book),
        "wager": found.wager,
        "trigger": fraction(found.trigger.first.at_least),
        "seed": found.seed,
        "shoes": found.shoes,
        "rounds": found.rounds,
        "partial": found.partial,
        "wagered": found.wagered,
        "frequency": _exact(found.frequency),
        "return_per_wager": _exact(found.return_per_wager),
        "standard_error": found.standard_error if found.wagered else None,
        "gain_per_shoe": _exact(found.gain_per_shoe),
        "deviation_per_shoe": found.deviation_per_shoe,
        "desirability": found.index_per_shoe.value,
        "shoes_to_one_deviation": found.shoes_to_one_deviation,
        "by_true_count": [] if found.trigger.first.running else _counts(found, "true_count"),
        "shoes_to_one_deviation_bounds": found.shoes_to_one_deviation_bounds,
        "by_running_count": _counts(found, "running_count") if found.trigger.first.running else [],
        "by_penetration": [
            {"from": fraction(Fraction(decile, 10)), "to": fraction(Fraction(decile + 1, 10)), **_group(each)}
            for decile, each in found.by_decile.items()
        ],
        "estimates": {name: _estimate(getattr(found, name)) for name in _ESTIMATES}
        | {name: _estimate(getattr(found.figures, name)) for name in ("rounds_per_shoe", "wagers_per_shoe")},
        "settings": _settings(found),
    }


_ESTIMATES = (
    "frequency",
    "return_per_wager",
    "return_per_unit",
    "gain_per_hand",
    "gain_per_100_hands",
    "gain_per_shoe",
    "gain_per_hour",
    "index_per_hand",
    "index_per_shoe",
)


def _counts(found: Counting, key: str) -> list[dict[str, object]]:
    rows = found.by_count.items()
    return [
        {key: at, "rounds": each.rounds, "return": _exact(each.return_of_round), **_group(each)} for at, each in rows
    ]


def _group(each: CountFigures) -> dict[str, object]:
    """Return the figures of a group of rounds, each with its error."""
    return {
        "rounds": each.rounds,
        "wagered": each.wagered,
        "staked": each.staked,
        "frequency": _estimate(each.frequency),
        "return_of_unit": _estimate(each.return_of_round),
        "return_per_unit": _estimate(each.return_per_unit) if each.staked else None,
        "gain_per_hand": _estimate(each.gain_per_hand),
    }


def _estimate(found: CountEstimate) -> dict[str, object]:
    """Return an estimate, exact where it is a fraction of counted numbers, with its error and 95% bounds."""
    known = not math.isnan(found.standard_error)
    return {
        "value": float(found.value),
        "exact": _exact(found) if isinstance(found.value, Fraction) else None,
        "standard_error": found.standard_error if known else None,
        "low": found.low if known else None,
        "high": found.high if known else None,
    }


def _exact(found: CountEstimate) -> str:
    return fraction(Fraction(found.value))


def _settings(found: Counting) -> dict[str, object]:
    """Return what was counted, so that the answer can be had again."""
    second = found.system.second
    return {
        "tags": found.system.describe(),
        "initial": fraction(found.system.initial),
        "co_tags": second.describe() if second else None,
        "co_initial": fraction(second.initial) if second else None,
        "conditions": [
            {
                "at_least": fraction(each.at_least),
                "count": "running" if each.running else "true",
                "weights": [fraction(weight) for weight in each.weights],
            }
            for each in found.trigger.conditions
        ],
        "step": fraction(found.stakes.step) if found.stakes.step else None,
        "most": found.stakes.most,
        "cards": len(found.shoe.cards),
        "cut": found.shoe.cut,
        "burn": found.shoe.burn,
        "burn_card_seen": found.burn_card_seen,
        "rounds_after": found.shoe.rounds_after,
        "hands_per_hour": found.hands_per_hour,
        "base_variance": fraction(found.base_variance),
    }


def counting_rows(found: Counting) -> list[dict[str, object]]:
    """Return a row for each count, and what a unit returned there, whatever the trigger."""
    return [
        {
            "game": found.book.key,
            "wager": found.wager,
            "seed": str(found.seed),  # may need more than 64 bits
            "count": at,
            "count_of": "running count" if found.trigger.first.running else "true count",
            "rounds": each.rounds,
            "wagered": each.wagered,
            "staked": each.staked,
            **exact(return_of_unit=Fraction(each.return_of_round.value)),
            "standard_error": _estimate(each.return_of_round)["standard_error"],
        }
        for at, each in found.by_count.items()
    ]
