"""Rulebooks, coups, the Table of Play, settlement, and which wagers are already decided in mid-round."""

from punto.rules.coup import Coup, OutcomeClass, Unlawful, Winner
from punto.rules.deal_counts import CardsSeen
from punto.rules.game_library import APPROVED, game_file, load, loads
from punto.rules.rulebook import Line, Result, Rulebook, Wager
from punto.rules.settlement import Payment, pay, settle
from punto.rules.standings import Standing
from punto.rules.table_of_play import Hand
from punto.rules.toml_section import GameFileError

__all__ = [
    "APPROVED",
    "CardsSeen",
    "Coup",
    "GameFileError",
    "Hand",
    "Line",
    "OutcomeClass",
    "Payment",
    "Result",
    "Rulebook",
    "Standing",
    "Unlawful",
    "Wager",
    "Winner",
    "game_file",
    "load",
    "loads",
    "pay",
    "settle",
]
