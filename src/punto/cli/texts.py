"""Figures as texts, in the forms the JSON answers promise and people read."""

from __future__ import annotations

import json
from fractions import Fraction


def print_json(content: object) -> None:
    """Print a machine-readable answer."""
    print(json.dumps(content, indent=2, ensure_ascii=False))  # noqa: T201


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
