"""Exact odds of every wager, from any shoe and at any point of a round, as fractions.

The package is called as its function ``odds``:

>>> import punto
>>> punto.odds("tiger", 8)["Tiger"]
<WagerOdds 'Tiger': house edge 16.6836%>
"""

from punto.lazy_modules import modules_of
from punto.odds.edge_checks import EdgeCheck, checks
from punto.odds.exact import Odds, OutcomeOdds, WagerOdds, covariance, odds, wager_odds
from punto.odds.literal_pairs import literal_pair_return
from punto.odds.removal import RemovalEffects, effects_of_removal

__all__ = [
    "EdgeCheck",
    "Odds",
    "OutcomeOdds",
    "RemovalEffects",
    "WagerOdds",
    "checks",
    "covariance",
    "effects_of_removal",
    "literal_pair_return",
    "odds",
    "wager_odds",
]

__getattr__ = modules_of(__name__)
