"""Exact odds of every wager, from any shoe and at any point of a round, as fractions."""

from punto.odds.exact import Chance, Odds, WagerOdds, covariance, odds, wager_odds
from punto.odds.literal_pairs import literal_pair_return
from punto.odds.removal import effects_of_removal

__all__ = [
    "Chance",
    "Odds",
    "WagerOdds",
    "covariance",
    "effects_of_removal",
    "literal_pair_return",
    "odds",
    "wager_odds",
]
