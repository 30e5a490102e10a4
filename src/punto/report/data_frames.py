"""Odds and effects of removal as data frames, for CSV and Parquet files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from punto.odds import Odds
from punto.odds.removal import Effects
from punto.report.rendering import fraction

if TYPE_CHECKING:
    import polars


def odds_frame(found: Odds) -> polars.DataFrame:
    """Return one row for each outcome of each wager: exact figures as texts, and rounded ones as numbers."""
    import polars

    rows = [
        {
            "game": found.book.key,
            "cards": found.cards,
            "wager": each.wager.name,
            "outcome": chance.outcome,
            "clause": chance.clause,
            "pays": fraction(chance.pays),
            "deals": str(chance.deals),
            "probability": fraction(chance.probability),
            "probability_rounded": float(chance.probability),
            "return": fraction(each.expected_return),
            "return_rounded": float(each.expected_return),
        }
        for each in found.wagers
        for chance in each.chances
    ]
    return polars.DataFrame(rows)


def removal_frame(found: Odds, effects: Effects) -> polars.DataFrame:
    """Return one row for each card and wager: how the return changes when the card is gone."""
    import polars

    rows = [
        {
            "game": found.book.key,
            "cards": found.cards,
            "card": str(card),
            "wager": wager,
            "change": fraction(change),
            "change_rounded": float(change),
        }
        for card, changes in effects.items()
        for wager, change in changes.items()
    ]
    return polars.DataFrame(rows)
