"""Punto conducts baccarat exactly as a regulator approved it.

Rules, settlement, odds and simulation are exported here. Larger parts are submodules, imported lazily: ``punto.lab``
(studies), ``punto.table`` (the table as a state machine), ``punto.books`` (its accounts), ``punto.audit`` (an
independent check), ``punto.roads``, ``punto.shoe`` (sealed shoes and their verification), ``punto.notation`` (rounds
written as text), ``punto.gym`` (an environment for reinforcement learning, with the extra ``gym``). ``punto.odds`` and
``punto.simulate`` are packages that are called as the function of their name.

>>> import punto
>>> tiger = punto.load("tiger")
>>> punto.settle(tiger.wager("Tiger"), punto.Coup.deal("2s Ah 3d Ad Ks 4c"))
<Line 'three-card 6': 20 to 1, clause 4.3>
>>> punto.odds(tiger, 8)["Tiger"]
<WagerOdds 'Tiger': house edge 16.6836%>
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from punto.cards import DECK, Card, CardError, Composition, Rank, Suit, parse_cards
from punto.odds import (
    EdgeCheck,
    Odds,
    OutcomeOdds,
    RemovalEffects,
    WagerOdds,
    checks,
    covariance,
    effects_of_removal,
    wager_odds,
)
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
    load,
    loads,
    pay,
    settle,
)
from punto.rules.standings import standings
from punto.simulate import OutcomeCount, Shoes, Simulation, WagerResult

if TYPE_CHECKING:
    from punto import audit, books, lab, notation, roads, shoe, table
    from punto import gym as gym
    from punto.lab.bankrolls.bankroll import Bankroll, bankroll
    from punto.lab.bankrolls.staking import Staking, Terms, staking
    from punto.lab.counts.count_system import CountStakes, CountSystem, CountTrigger
    from punto.lab.counts.counting import Counting, counting
    from punto.odds import odds
    from punto.odds.portfolio import CovarianceMatrix, Portfolio, covariance_matrix, portfolio
    from punto.simulate import simulate

__version__ = "0.1.0"

__all__ = [
    "APPROVED",
    "DECK",
    "Bankroll",
    "Card",
    "CardError",
    "CardsSeen",
    "Composition",
    "CountStakes",
    "CountSystem",
    "CountTrigger",
    "Counting",
    "Coup",
    "CovarianceMatrix",
    "EdgeCheck",
    "GameFileError",
    "Hand",
    "Line",
    "Odds",
    "OutcomeClass",
    "OutcomeCount",
    "OutcomeOdds",
    "Payment",
    "Portfolio",
    "Rank",
    "RemovalEffects",
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
    "bankroll",
    "books",
    "checks",
    "counting",
    "covariance",
    "covariance_matrix",
    "effects_of_removal",
    "lab",
    "load",
    "loads",
    "notation",
    "odds",
    "parse_cards",
    "pay",
    "portfolio",
    "roads",
    "settle",
    "shoe",
    "simulate",
    "staking",
    "standings",
    "table",
    "wager_odds",
]

_PARTS = ("audit", "books", "gym", "lab", "notation", "roads", "shoe", "table")
_STUDIES = {
    "Bankroll": "punto.lab.bankrolls.bankroll",
    "CountStakes": "punto.lab.counts.count_system",
    "CountSystem": "punto.lab.counts.count_system",
    "CountTrigger": "punto.lab.counts.count_system",
    "Counting": "punto.lab.counts.counting",
    "CovarianceMatrix": "punto.odds.portfolio",
    "Portfolio": "punto.odds.portfolio",
    "Staking": "punto.lab.bankrolls.staking",
    "Terms": "punto.lab.bankrolls.staking",
    "bankroll": "punto.lab.bankrolls.bankroll",
    "counting": "punto.lab.counts.counting",
    "covariance_matrix": "punto.odds.portfolio",
    "portfolio": "punto.odds.portfolio",
    "staking": "punto.lab.bankrolls.staking",
}


class _CallablePackage(ModuleType):
    """A package that is called as the function of its name, so that ``punto.odds(...)`` and ``punto.odds.removal`` both
    resolve.
    """

    def __call__(self, *given: Any, **named: Any) -> Any:
        return self.__wrapped__(*given, **named)

    def __reduce__(self) -> tuple[Any, ...]:
        return import_module, (self.__name__,)  # a worker process receives the package by its name


for _name in ("odds", "simulate"):
    _package = sys.modules[f"punto.{_name}"]
    _package.__class__ = _CallablePackage
    vars(_package)["__wrapped__"] = vars(_package)[_name]  # where help and inspect look for the signature


def __getattr__(name: str) -> Any:
    """Import submodules lazily on first access."""
    if name in _PARTS:
        return import_module(f"punto.{name}")
    if name in _STUDIES:
        return getattr(import_module(_STUDIES[name]), name)
    raise AttributeError(f"module 'punto' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_PARTS, *_STUDIES})
