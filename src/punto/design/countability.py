"""A quick estimate of what counting cards can gain on each wager, from the effects of removal.

With k of N cards gone, the return of a wager is spread about its average with variance m k (N - 1) / (N - k), where m
is the mean square of the effects of removal (the sum of k effects drawn without replacement, made larger as the shoe
shrinks). Taking it to be normal gives what a perfect linear count gains by wagering one unit exactly when the return is
above zero. ``punto best-count`` plays shoes and finds what a count really gains; this is for seeing at once which wager
deserves that.
"""

from __future__ import annotations

from fractions import Fraction
from math import erf, exp, pi, sqrt

from punto.odds.exact import Odds
from punto.odds.removal import effects_of_removal
from punto.rules.deal_counts import CUT_FROM_THE_END
from punto.rules.rulebook import Rulebook

PER_HUNDRED = Fraction(2, 5)
"""Units gained in a hundred rounds, from which a wager counts as countable."""
_CARDS_A_ROUND = 5


def counted_gains(book: Rulebook, found: Odds) -> dict[str, Fraction]:
    """Return for each wager the estimated gain of counting, in units for a hundred rounds of one unit at most."""
    shoe = book.shoe(book.usual_decks)
    effects = effects_of_removal(book, shoe)
    gains = {}
    for each in found.wagers:
        name, edge = each.wager.name, float(each.house_edge)
        squares = sum(float(changed[name]) ** 2 * shoe.count(card) for card, changed in effects.items()) / len(shoe)
        gains[name] = Fraction(round(100 * _mean_gain(edge, squares, len(shoe)) * 100), 100)
    return gains


def _mean_gain(edge: float, mean_square: float, cards: int) -> float:
    """Return the gain of a round, averaged over the rounds of a shoe."""
    gone = range(_CARDS_A_ROUND, cards - CUT_FROM_THE_END, _CARDS_A_ROUND)
    if not gone:
        return max(-edge, 0.0)
    spreads = (sqrt(mean_square * k * (cards - 1) / (cards - k)) for k in gone)
    return sum(_above_zero(-edge, spread) for spread in spreads) / len(gone)


def _above_zero(mean: float, spread: float) -> float:
    """Return the mean of the positive part of a normal variable."""
    if not spread:
        return max(mean, 0.0)
    z = mean / spread
    return mean * (1 + erf(z / sqrt(2))) / 2 + spread * exp(-z * z / 2) / sqrt(2 * pi)
