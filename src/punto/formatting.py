"""Exact figures as text: amounts, ratios and percentages, rounded from fractions without floating point."""

from __future__ import annotations

from datetime import datetime
from fractions import Fraction


def money(cents: int, grouped: bool = False) -> str:
    """Return an amount with two decimal places; ``grouped`` sets the thousands apart, for people to read.

    >>> money(12050), money(123456789, grouped=True)
    ('120.50', '1,234,567.89')
    """
    units = abs(cents) // 100
    return f"{'-' if cents < 0 else ''}{f'{units:,}' if grouped else units}.{abs(cents) % 100:02d}"


def fraction(value: Fraction) -> str:
    """Return a fraction in lowest terms, always with its denominator.

    >>> fraction(Fraction(24, 2)), fraction(Fraction(-1))
    ('12/1', '-1/1')
    """
    return f"{value.numerator}/{value.denominator}"


def ratio(pays: Fraction) -> str:
    """Return a ratio as a layout prints it.

    >>> ratio(Fraction(12)), ratio(Fraction(1, 2)), ratio(Fraction(19, 20))
    ('12 to 1', '1 to 2', '0.95 to 1')
    """
    above, below = ratio_parts(pays)
    return f"{above} to {below}"


def ratio_parts(pays: Fraction) -> tuple[str, str]:
    """Return the two numbers of a ratio as a layout prints it.

    >>> ratio_parts(Fraction(12)), ratio_parts(Fraction(19, 20))
    (('12', '1'), ('0.95', '1'))
    """
    if pays.denominator <= 2 or 100 % pays.denominator:
        return str(pays.numerator), str(pays.denominator)
    return money(int(pays * 100)), "1"


def pays_or_push(pays: Fraction) -> str:
    """Return what a line pays: a ratio, "push", or an empty string for a loss."""
    if pays > 0:
        return ratio(pays)
    return "push" if pays == 0 else ""


def percent(value: Fraction, places: int = 4) -> str:
    """Return a fraction as a correctly rounded percentage.

    >>> percent(Fraction(1, 3)), percent(Fraction(-1, 800), 2)
    ('33.3333%', '-0.12%')
    """
    return decimal(value * 100, places).replace(",", "") + "%"


def decimal(value: Fraction, places: int = 2) -> str:
    """Return a fraction as a correctly rounded decimal number, half to even.

    >>> decimal(Fraction(25, 2)), decimal(Fraction(10**7, 3), 0)
    ('12.50', '3,333,333')
    """
    rounded = round(value * 10**places)
    whole, rest = divmod(abs(rounded), 10**places)
    return f"{'-' if rounded < 0 else ''}{whole:,}" + (f".{rest:0{places}d}" if places else "")


def hour_of(moment: datetime) -> str:
    """Return a moment's hour, with its distance from UTC where it has one.

    >>> hour_of(datetime.fromisoformat("2026-04-01T06:00"))
    '06:00'
    >>> hour_of(datetime.fromisoformat("2026-04-01T06:00+08:00"))
    '06:00+08:00'
    """
    return moment.isoformat(timespec="minutes").partition("T")[2]
