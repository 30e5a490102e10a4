"""A second, slow and obvious way to what a count gains: round by round, with plain fractions.

Nothing is shared with the package: the caller gives the rounds, each with the cards seen before it as text, the number
of cards unseen and the exact return of the wager.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import NamedTuple

CARDS_OF_A_DECK = 52


class Round(NamedTuple):
    """A round as a counter sees it."""

    seen: list[str]
    unseen: int
    expected: Fraction


def true_count(each: Round, tags: Mapping[str, int], initial: int) -> Fraction:
    """The running count over the decks unseen; a card's rank is its first sign."""
    running = initial
    for card in each.seen:
        running += tags.get(card[0], 0)
    return running / Fraction(each.unseen, CARDS_OF_A_DECK)


def gain(rounds: Sequence[Round], tags: Mapping[str, int], initial: int, trigger: Fraction) -> tuple[int, Fraction]:
    """How many wagers are made from the trigger on, and what they gain."""
    wagers, gained = 0, Fraction(0)
    for each in rounds:
        if true_count(each, tags, initial) >= trigger:
            wagers += 1
            gained += each.expected
    return wagers, gained


def best_quarter(rounds: Sequence[Round], tags: Mapping[str, int], initial: int) -> tuple[Fraction, Fraction | None]:
    """The most that any trigger in quarters gains, and the highest such trigger; none if nothing is gained."""
    counts = [true_count(each, tags, initial) for each in rounds]
    lowest, highest = int(min(counts) * 4) - 2, int(max(counts) * 4) + 2
    best, found = Fraction(0), None
    for quarters in range(highest, lowest - 1, -1):
        trigger = Fraction(quarters, 4)
        gained = sum(
            (each.expected for each, count in zip(rounds, counts, strict=True) if count >= trigger), Fraction(0)
        )
        if gained > best:
            best, found = gained, trigger
    return best, found


def every_tags(level: int, ranks: Sequence[str]) -> Iterator[dict[str, int]]:
    """All tags of a level; ranks in one text share a tag."""
    for values in product(range(-level, level + 1), repeat=len(ranks)):
        yield {rank: value for group, value in zip(ranks, values, strict=True) for rank in group}


def correlation_squared(tags: Sequence[int], effects: Sequence[Fraction]) -> Fraction:
    """The squared correlation over single cards, each with its tag and its effect."""
    size = len(tags)
    tag_mean, effect_mean = Fraction(sum(tags), size), sum(effects, Fraction(0)) / size
    together = sum((tag - tag_mean) * (effect - effect_mean) for tag, effect in zip(tags, effects, strict=True))
    apart = sum((tag - tag_mean) ** 2 for tag in tags) * sum((effect - effect_mean) ** 2 for effect in effects)
    return Fraction(together**2, 1) / apart
