"""Punto conducts baccarat exactly as a regulator approved it."""

from punto.cards import Card, CardError, Composition, Rank, Suit, parse_cards
from punto.odds import covariance, effects_of_removal, odds
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
    pay,
    settle,
)
from punto.simulate import simulate

__version__ = "0.1.0"

__all__ = [
    "APPROVED",
    "Card",
    "CardError",
    "CardsSeen",
    "Composition",
    "Coup",
    "GameFileError",
    "Hand",
    "Line",
    "OutcomeClass",
    "Payment",
    "Rank",
    "Result",
    "Rulebook",
    "Standing",
    "Suit",
    "Unlawful",
    "Wager",
    "Winner",
    "covariance",
    "decided",
    "effects_of_removal",
    "load",
    "odds",
    "parse_cards",
    "pay",
    "settle",
    "simulate",
]
