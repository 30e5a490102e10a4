"""A second, plain way to compare pay tables: every pay table in turn, in fractions, sorted at the end.

Deals come from ``slow_odds``, by outcome. Nothing is shared with the package.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

from reference import slow_odds

Deals = dict[str, int]
"""Deals by the name of a line, those that lose under "lose"."""
Pays = dict[str, Fraction]


def by_line(deals: Counter[Fraction], lines: dict[int, str]) -> Deals:
    """Deals by line, from deals by what the approved game pays for each."""
    return {**{lines[int(pays)]: ways for pays, ways in deals.items() if pays > 0}, "lose": deals[Fraction(-1)]}


def tiger(counts: list[int]) -> Deals:
    """Deals by line of Tiger, from the number of cards of each value."""
    found = slow_odds.settled("tiger", slow_odds.totals(counts))["Tiger"]
    return by_line(found, {12: "two-card 6", 20: "three-card 6"})


def tiger_pair(ranks: dict[str, int]) -> Deals:
    """Deals by line of Tiger Pair, from the number of cards of each rank."""
    found = slow_odds.pairs("tiger", ranks)["Tiger Pair"]
    return by_line(found, {4: "Single Tiger Pair", 20: "Double Tiger Pair", 100: "Twin Tiger Pair"})


def edge(deals: Deals, pays: Pays) -> Fraction:
    """What the house keeps of a unit: what it takes from those who lose, less what it pays out."""
    kept = Fraction(deals["lose"])
    for line, ratio in pays.items():
        kept -= deals[line] * ratio
    return kept / sum(deals.values())


def variance(deals: Deals, pays: Pays) -> Fraction:
    """The average squared distance of a gain from the average gain."""
    mean, total = -edge(deals, pays), Fraction(0)
    for line, ways in deals.items():
        gain = Fraction(-1) if line == "lose" else pays[line]
        total += ways * (gain - mean) ** 2
    return total / sum(deals.values())


def share(deals: Deals, pays: Pays, line: str) -> Fraction:
    """A line's part of all that is pushed across the table to those who have won, their stakes with it."""
    handed = {each: deals[each] * (ratio + 1) for each, ratio in pays.items()}
    return handed[line] / sum(handed.values())


def nearest(
    deals: Deals,
    allowed: dict[str, list[Fraction]],
    target: Fraction,
    rising: bool,
    least: Fraction,
    most: Fraction,
) -> list[Pays]:
    """Every pay table within the bounds, the nearest first, then by its ratios line by line."""
    kept = []
    for ratios in product(*allowed.values()):
        pays = dict(zip(allowed, ratios, strict=True))
        if rising and any(deals[a] < deals[b] and pays[a] < pays[b] for a in pays for b in pays):
            continue
        if least <= edge(deals, pays) <= most:
            kept.append((abs(edge(deals, pays) - target), ratios, pays))
    return [pays for _, _, pays in sorted(kept, key=lambda each: each[:2])]
