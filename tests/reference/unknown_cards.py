"""A second, plain way to odds with unknown cards: every order of a small shoe, dealt and settled one by one.

Cards are texts, dealt and settled by ``second_settlement``. Nothing is shared with the package.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations, permutations

from reference import second_settlement

Distribution = dict[Fraction | str, Fraction]
"""How likely each gain is; "void" where the cards run out."""


def settled(game: str, orders: Iterable[Sequence[str]]) -> dict[str, Distribution]:
    """What each wager of a game gains over these orders of cards, each as likely as any other."""
    met: dict[str, Counter[Fraction | str]] = {}
    names = second_settlement.settle(game, ["Ks", "9s"], ["Ks", "8s"]).keys()
    for order in orders:
        try:
            player, banker, _ = second_settlement.play(order)
            gains: dict[str, Fraction | str] = {
                name: gain for name, (_, gain) in second_settlement.settle(game, player, banker).items()
            }
        except StopIteration:
            gains = dict.fromkeys(names, "void")
        for name, gain in gains.items():
            met.setdefault(name, Counter())[gain] += 1
    return {name: {gain: Fraction(n, counted.total()) for gain, n in counted.items()} for name, counted in met.items()}


def after_removals(game: str, shoe: Sequence[str], removed: int) -> dict[str, Distribution]:
    """The average over all cards that may have been taken away, and all orders of those that are left."""
    left = len(shoe) - removed
    orders = (order for rest in combinations(shoe, left) for order in permutations(rest, min(left, 6)))
    return settled(game, orders)


def with_slug(game: str, slug: Sequence[str], rest: Sequence[str], within: int) -> dict[str, Distribution]:
    """The average over all orders of the shoe in which the slug's cards are among the next ``within``."""
    cards = [*slug, *rest]
    first = set(range(len(slug)))
    orders = (
        [cards[at] for at in order[:6]] for order in permutations(range(len(cards))) if first <= set(order[:within])
    )
    return settled(game, orders)
