"""Pay ratios as people write them: 25 to 1, 25:1, 19/20, 0.95, push; and ranges of them: 8..15 step 1/2."""

from __future__ import annotations

import re
from fractions import Fraction

from punto.given_values import as_fraction

Ratio = Fraction | int | str
"""A pay ratio: an exact number, or text such as "25 to 1"."""

MOST_RATIO = 999_999
"""The largest ratio that a game file may state."""
MOST_RATIOS = 1_000_000
"""The most ratios in one range."""

_FINEST = 10**12
_TEXT = r"(\d{1,6}(?:\.\d{1,6})?)(?:\s*(?:to|:|/)\s*([1-9]\d{0,5}))?"
_EXPECTED = 'expected a ratio such as "25 to 1", "25:1", "19/20", 25 or "push"'


def read_ratio(found: object) -> Fraction:
    """Return a pay ratio exactly; 0 for a push. A binary float is refused, since it is seldom the number typed.

    >>> read_ratio("0.95 to 1"), read_ratio("3:2"), read_ratio("push")
    (Fraction(19, 20), Fraction(3, 2), Fraction(0, 1))
    """
    ratio = _from_text(found) if isinstance(found, str) else as_fraction(found)
    if ratio is None:
        wrong = ValueError if isinstance(found, str) else TypeError
        raise wrong(f"{_EXPECTED}, found {found!r}")
    if not 0 <= ratio <= MOST_RATIO or ratio.denominator > _FINEST:
        raise ValueError(f"expected a ratio from 0 (a push) to {MOST_RATIO:,}, found {found}")
    return ratio


def _from_text(text: str) -> Fraction | None:
    plain = text.strip()
    if plain.casefold() == "push":
        return Fraction(0)
    match = re.fullmatch(_TEXT, plain, re.ASCII)
    return Fraction(match[1]) / int(match[2] or 1) if match else None


def read_ratios(text: str) -> tuple[Fraction, ...]:
    """Return the ratios that a list or range names, lowest first, each once; the step of a range is 1 by default.

    >>> [str(ratio) for ratio in read_ratios("8..10 step 1/2, 25")]
    ['8', '17/2', '9', '19/2', '10', '25']
    """
    found: set[Fraction] = set()
    for part in text.split(","):
        found.update(_range(part) if ".." in part else (read_ratio(part),))
    return tuple(sorted(found))


def _range(text: str) -> list[Fraction]:
    span, stepped, step_text = text.partition("step")
    lower, _, upper = span.partition("..")
    first, last = read_ratio(lower), read_ratio(upper)
    step = read_ratio(step_text) if stepped else Fraction(1)
    if step == 0 or last < first:
        raise ValueError(f'expected a range such as "8..15" or "8..15 step 1/2", found {text.strip()!r}')
    steps = (last - first) // step
    if steps >= MOST_RATIOS:
        raise ValueError(f"{text.strip()!r} names {steps + 1:,} ratios: at most {MOST_RATIOS:,} are allowed")
    return [first + step * each for each in range(steps + 1)]
