"""Second methods for the statistics of randomness: every order of a small shoe, one card at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, pairwise, permutations


def orders_of(kinds: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every order of a small shoe, each as often as its cards can be exchanged."""
    return permutations(kinds)


def average(kinds: Sequence[int], seen: int, counted: Callable[[Sequence[int]], Iterable[float]]) -> list[float]:
    """The exact mean of some counts over all orders, of which the first cards are seen."""
    totals: list[float] = []
    number = 0
    for order in orders_of(kinds):
        values = list(counted(order[:seen]))
        totals = [a + b for a, b in zip(totals or [0.0] * len(values), values, strict=True)]
        number += 1
    return [total / number for total in totals]


def runs_of_length(colours: Sequence[int], length: int) -> int:
    return sum(len(list(run)) == length for _, run in groupby(colours))


def gaps_of_length(kinds: Sequence[int], length: int) -> int:
    found = 0
    for at, kind in enumerate(kinds):
        later = [other for other in range(at + 1, len(kinds)) if kinds[other] == kind]
        found += bool(later) and later[0] - at == length
    return found


def cards_until_all(kinds: Sequence[int], different: int) -> int:
    """How many cards it takes until so many kinds have come; one more than there are, if they do not."""
    for count in range(1, len(kinds) + 1):
        if len(set(kinds[:count])) == different:
            return count
    return len(kinds) + 1


def draws_by_swapping_back(order: Sequence[int]) -> list[int]:
    """The draws of a shuffle: look where each card lies when its place is filled."""
    pile, draws = list(range(len(order))), []
    for last in range(len(order) - 1, 0, -1):
        at = pile.index(order[last])
        draws.append(at)
        pile[last], pile[at] = pile[at], pile[last]
    return draws


def neighbours_met(before: Sequence[int], order: Sequence[int], distances: range) -> int:
    """How often two kinds that lay side by side lie so far apart, in the same order."""
    return sum(
        order[at] == one and order[at + distance] == other
        for one, other in pairwise(before)
        for distance in distances
        for at in range(len(order) - distance)
    )


def holm_by_steps(values: Sequence[float], level: float) -> set[int]:
    """Which hypotheses Holm's procedure rejects, as he states it: step down until one holds."""
    rejected: set[int] = set()
    for step, at in enumerate(sorted(range(len(values)), key=lambda each: values[each])):
        if values[at] * (len(values) - step) >= level:
            break
        rejected.add(at)
    return rejected
