"""What the documents say: rulebooks, coups, the Table of Play, settlement, and what is already decided in mid-round."""

from punto.rules.coup import Coup, OutcomeClass, Unlawful, Winner
from punto.rules.deals import CardsSeen
from punto.rules.decided import Standing, decided
from punto.rules.library import APPROVED, game_file, load, loads
from punto.rules.rulebook import Line, Result, Rulebook, Wager
from punto.rules.section import GameFileError
from punto.rules.settlement import Payment, pay, settle
from punto.rules.table_of_play import Hand

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
    "decided",
    "game_file",
    "load",
    "loads",
    "pay",
    "settle",
]
