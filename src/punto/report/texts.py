"""Figures as texts, in the forms the JSON answers promise and people read. Floating point begins here, not before."""

from __future__ import annotations

import re
from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import Any

_LONGEST_WORD = 24


def money(cents: int) -> str:
    """An amount with two places: 12050 is 120.50."""
    return f"{cents // 100}.{cents % 100:02d}"


def fraction(value: Fraction) -> str:
    """A fraction in lowest terms, always with its denominator: 12/1, 19/20, -1/1."""
    return f"{value.numerator}/{value.denominator}"


def ratio(pays: Fraction) -> str:
    """A ratio as a layout prints it: 12 to 1, 1 to 2, 0.95 to 1."""
    if pays.denominator <= 2 or 100 % pays.denominator:
        return f"{pays.numerator} to {pays.denominator}"
    return f"{money(int(pays * 100))} to 1"


def pays_or_push(pays: Fraction) -> str:
    """What a line pays, in words: a ratio, push, or nothing for a loss."""
    if pays > 0:
        return ratio(pays)
    return "push" if pays == 0 else ""


def percent(value: Fraction, places: int = 4) -> str:
    """A fraction as a percentage, correctly rounded: 1.0579%."""
    return f"{float(round(value * 100, places)):.{places}f}%"


def decimal(value: Fraction, places: int = 2) -> str:
    """A fraction as a decimal number, correctly rounded: 12.50."""
    return f"{float(round(value, places)):,.{places}f}"


def deviation(variance: Fraction) -> float:
    """The standard deviation that goes with a variance."""
    return sqrt(variance)


def breakable(text: str) -> str:
    """The text with places to break words that no line could hold."""
    return re.sub(rf"(\S{{{_LONGEST_WORD}}})(?=\S)", "\\1\u200b", text)


def html_page(template: Path, values: dict[str, Any]) -> str:
    """A page of its own that needs nothing else, from a template beside the code that fills it."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(loader=FileSystemLoader(template.parent), autoescape=True, undefined=StrictUndefined)
    return environment.get_template(template.name).render(values)
