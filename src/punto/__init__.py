"""Punto conducts baccarat exactly as a regulator approved it.

Rules, settlement, odds and simulation are exported here. Larger parts are submodules, imported lazily: ``punto.table``
(the table as a state machine), ``punto.books`` (its accounts), ``punto.audit`` (an independent check), ``punto.roads``,
``punto.shoe`` (sealed shoes and their verification), ``punto.notation`` (rounds written as text), ``punto.gym`` (an
environment for reinforcement learning, with the extra ``gym``).

>>> import punto
>>> tiger = punto.load("tiger")
>>> punto.settle(tiger.wager("Tiger"), punto.Coup.deal("2s Ah 3d Ad Ks 4c"))
<Line 'three-card 6': 20 to 1, clause 4.3>
>>> punto.odds(tiger, 8)["Tiger"]
<WagerOdds 'Tiger': house edge 16.6836%>
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from punto.cards import Card, CardError, Composition, Rank, Suit, parse_cards
from punto.odds import Chance, Odds, WagerOdds, covariance, effects_of_removal, odds, wager_odds
from punto.rules import (
    APPROVED,
    CardsSeen,
    Coup,
    GameFileError,
    Hand,
    Line,
    OutcomeClass,
    Payment,
    Result,
    Rulebook,
    Standing,
    Unlawful,
    Wager,
    Winner,
    decided,
    load,
    loads,
    pay,
    settle,
)
from punto.simulate import Shoes, Simulation, WagerResult, simulate

if TYPE_CHECKING:
    from punto import audit, books, notation, roads, shoe, table
    from punto import gym as gym
    from punto.lab.counting import Counting, counting
    from punto.lab.staking import Staking, Terms, staking

__version__ = "0.1.0"

__all__ = [
    "APPROVED",
    "Card",
    "CardError",
    "CardsSeen",
    "Chance",
    "Composition",
    "Counting",
    "Coup",
    "GameFileError",
    "Hand",
    "Line",
    "Odds",
    "OutcomeClass",
    "Payment",
    "Rank",
    "Result",
    "Rulebook",
    "Shoes",
    "Simulation",
    "Staking",
    "Standing",
    "Suit",
    "Terms",
    "Unlawful",
    "Wager",
    "WagerOdds",
    "WagerResult",
    "Winner",
    "audit",
    "books",
    "counting",
    "covariance",
    "decided",
    "effects_of_removal",
    "load",
    "loads",
    "notation",
    "odds",
    "parse_cards",
    "pay",
    "roads",
    "settle",
    "shoe",
    "simulate",
    "staking",
    "table",
    "wager_odds",
]

_PARTS = ("audit", "books", "gym", "notation", "roads", "shoe", "table")
_STUDIES = {
    "Counting": "punto.lab.counting",
    "Staking": "punto.lab.staking",
    "Terms": "punto.lab.staking",
    "counting": "punto.lab.counting",
    "staking": "punto.lab.staking",
}


def __getattr__(name: str) -> Any:
    """Import submodules lazily on first access."""
    if name in _PARTS:
        return import_module(f"punto.{name}")
    if name in _STUDIES:
        return getattr(import_module(_STUDIES[name]), name)
    raise AttributeError(f"module 'punto' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_PARTS, *_STUDIES})
