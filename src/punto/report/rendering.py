"""Figures as texts, in the forms the JSON answers promise and people read. Floating point begins here, not before."""

from __future__ import annotations

import re
from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import Any

from punto.formatting import decimal, fraction, money, pays_or_push, percent, ratio, ratio_parts

__all__ = ["breakable", "decimal", "deviation", "fraction", "money", "pays_or_push", "percent", "ratio", "ratio_parts"]

_LONGEST_WORD = 24


def deviation(variance: Fraction) -> float:
    """Return the standard deviation of a variance."""
    return sqrt(variance)


def breakable(text: str) -> str:
    """Return the text with places to break words that no line could hold."""
    return re.sub(rf"(\S{{{_LONGEST_WORD}}})(?=\S)", "\\1\u200b", text)


def html_page(template: Path, values: dict[str, Any]) -> str:
    """Return a self-contained HTML page, filled from a template."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(loader=FileSystemLoader(template.parent), autoescape=True, undefined=StrictUndefined)
    return environment.get_template(template.name).render(values)
