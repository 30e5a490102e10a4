"""A second, slow and obvious way to what the pit's guard weighs: every deal of a tiny shoe, and ratios as fractions.

Plain Python, its own drawing rule and settlement (``second_settlement``), nothing shared with the package.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import permutations

from reference import second_settlement

Model = tuple[int, Fraction, Fraction]
"""The number of a level, and how likely a counter bets below and above it."""
SeenRound = Mapping[str, tuple[Sequence[Sequence[bool]], bool]]
"""By wager: for each level whether each lookalike is above it, the dealt one first; and whether the patron bet."""


def scoreboard(game: str, cards: Sequence[str]) -> tuple[object, int] | None:
    """What a scoreboard shows of the coup that begins with these cards, and how many it takes; None for too few."""
    try:
        player, banker, used = second_settlement.play(cards)
    except StopIteration:
        return None
    totals = second_settlement.total(player), second_settlement.total(banker)
    settled = second_settlement.settle(game, player, banker)
    pairs = second_settlement.has_pair(player), second_settlement.has_pair(banker)
    return (totals, len(player), len(banker), pairs, tuple(sorted(settled.items()))), len(used)


def law_of_lookalikes(game: str, unseen: Sequence[str], dealt: Sequence[str]) -> dict[tuple[str, ...], Fraction]:
    """How likely each set of cards is to be left, by all deals that show what the dealt cards show."""
    shown, left = scoreboard(game, dealt), Counter[tuple[str, ...]]()
    assert shown
    for places in permutations(range(len(unseen)), shown[1]):
        if scoreboard(game, [unseen[place] for place in places]) == shown:
            left[tuple(sorted(card for place, card in enumerate(unseen) if place not in places))] += 1
    return {cards: Fraction(ways, sum(left.values())) for cards, ways in left.items()}


def deals_by_ending(counts: Sequence[int]) -> Counter[tuple[int, int, int, int]]:
    """The ordered deals of just the cards that a coup takes, by its totals and numbers of cards."""
    cards = [card for card, number in zip("TA23456789", counts, strict=True) for _ in range(number)]
    found = Counter[tuple[int, int, int, int]]()
    for length in (4, 5, 6):
        for places in permutations(range(len(cards)), length):
            player, banker, used = played([f"{cards[place]}s" for place in places])
            if len(used) == length:
                totals = second_settlement.total(player), second_settlement.total(banker)
                found[(*totals, len(player), len(banker))] += 1
    return found


def played(cards: Sequence[str]) -> tuple[list[str], list[str], list[str]]:
    try:
        return second_settlement.play(cards)
    except StopIteration:
        return [], [], []


def chance_of_bets(seen: SeenRound, wagers: Sequence[str], model: Model, lookalike: int) -> Fraction:
    """How likely a counter had placed just these wagers, had this lookalike been dealt."""
    level, below, above = model
    likely = Fraction(1)
    for wager in wagers:
        sides, went = seen[wager]
        bets = above if sides[level][lookalike] else below
        likely *= bets if went else 1 - bets
    return likely


def factor(seen: SeenRound, wagers: Sequence[str], model: Model, dealt: int = 0) -> Fraction:
    """The factor of a round: the dealt lookalike against the mean of all."""
    if not wagers:
        return Fraction(1)
    number = len(seen[wagers[0]][0][0])
    likely = [chance_of_bets(seen, wagers, model, each) for each in range(number)]
    return likely[dealt] * number / sum(likely, Fraction(0))


def product_of_factors(rounds: Sequence[SeenRound], model: Model, only: str | None) -> Fraction:
    found = Fraction(1)
    for seen in rounds:
        found *= factor(seen, [each for each in seen if only in (None, each)], model)
    return found


def ratio(rounds: Sequence[SeenRound], watched: Sequence[str], models: Sequence[Model]) -> Fraction:
    """The likelihood ratio of a patron, as the guard's document defines it."""
    singles = [
        sum((product_of_factors(rounds, model, wager) for model in models), Fraction(0)) / len(models)
        for wager in watched
    ]
    together = sum((product_of_factors(rounds, model, None) for model in models), Fraction(0)) / len(models)
    return (together + sum(singles, Fraction(0)) / len(singles)) / 2
