"""What a caller gives as a plain value: whole numbers, numbers, flags and callbacks; a wrong one is refused at once.

A whole number is an ``int`` or any other that stands for one exactly, such as ``numpy.int64(8)``. ``True`` is none.
"""

from __future__ import annotations

import math
from fractions import Fraction
from numbers import Rational
from operator import index
from typing import TypeVar

_Function = TypeVar("_Function")


def as_whole(given: object) -> int | None:
    """Return a whole number as an ``int``; None for anything else.

    >>> as_whole(8), as_whole(True), as_whole(8.0)
    (8, None, None)
    """
    if type(given) is int:
        return given
    if isinstance(given, bool):
        return None
    try:
        return index(given)  # type: ignore[arg-type]  # which is what this finds out
    except TypeError:
        return None


def as_fraction(given: object) -> Fraction | None:
    """Return a whole number or a fraction as a fraction; None for anything else, a float too."""
    if type(given) is Fraction:
        return given
    if (whole := as_whole(given)) is not None:
        return Fraction(whole)
    if isinstance(given, bool) or not isinstance(given, Rational):
        return None
    return Fraction(int(given.numerator), int(given.denominator))


def whole_number(given: object, name: str) -> int:
    """Return a whole number; raise ``TypeError`` for anything else."""
    found = as_whole(given)
    if found is None:
        raise TypeError(f"{name}: expected a whole number, not {given!r}")
    return found


def number_above_zero(given: object, what: str) -> int:
    """Return a whole number above zero; raise ``ValueError`` for anything else.

    >>> number_above_zero(0, "shoes")
    Traceback (most recent call last):
    ValueError: expected a number of shoes above zero, not 0
    """
    found = as_whole(given)
    if found is None or found < 1:
        raise ValueError(f"expected a number of {what} above zero, not {given!r}")
    return found


def exact_number(given: object, what: str) -> Fraction:
    """Return a whole number or fraction as a fraction; raise ``TypeError`` for anything else."""
    found = as_fraction(given)
    if found is None:
        raise TypeError(f"{what}: expected a whole number or a fraction, not {given!r}")
    return found


def any_number(given: object, what: str) -> Fraction:
    """Return a number, exact or rounded, as the fraction it is; raise an error for anything else.

    >>> any_number(0.5, "a gain")
    Fraction(1, 2)
    """
    found = as_fraction(given)
    if found is not None:
        return found
    if not isinstance(given, float):
        raise TypeError(f"expected {what} as a number, found {given!r}")
    if not math.isfinite(given):
        raise ValueError(f"expected {what} as a number, found {given!r}")
    return Fraction(given)


def flag(given: object, name: str) -> bool:
    """Return True or False; raise ``TypeError`` for anything else: a text such as "no" would count as yes.

    >>> flag("no", "exact")
    Traceback (most recent call last):
    TypeError: expected True or False as exact, found 'no'
    """
    if not isinstance(given, bool):
        raise TypeError(f"expected True or False as {name}, found {given!r}")
    return given


def optional_flag(given: object, name: str) -> bool | None:
    """Return True, False or None; raise ``TypeError`` for anything else."""
    return None if given is None else flag(given, name)


def callback(given: _Function, name: str) -> _Function:
    """Return a function, or None; raise ``TypeError`` for anything else."""
    if given is not None and not callable(given):
        raise TypeError(f"expected a function as {name}, found {given!r}")
    return given
