"""Figures as texts, in the forms the JSON answers promise and people read. Floating point begins here, not before."""

from __future__ import annotations

import re
from fractions import Fraction
from math import sqrt

from punto.figures import decimal, fraction, money, pays_or_push, percent, ratio

__all__ = ["breakable", "decimal", "deviation", "fraction", "money", "pays_or_push", "percent", "ratio"]

_LONGEST_WORD = 24


def deviation(variance: Fraction) -> float:
    """The standard deviation that goes with a variance."""
    return sqrt(variance)


def breakable(text: str) -> str:
    """The text with places to break words that no line could hold."""
    return re.sub(rf"(\S{{{_LONGEST_WORD}}})(?=\S)", "\\1\u200b", text)
