"""One coup for every outcome the settlement rules can tell apart.

The rules look at the final totals, at the number of cards in each hand, and at whether the first two
cards of a hand pair up - in Fabulous 4 also at the suit of the pair. Coups alike in all of that settle
alike, so one representative of each class stands for all of them.
"""

from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import product
from random import Random

from reference.second_settlement import play, total

RANKS = "A23456789TJQK"
SUITS = "shcd"
DECK = [rank + suit for rank, suit in product(RANKS, SUITS)]
BY_VALUE = [[card for card in DECK if total([card]) == value] for value in range(10)]

Hand = tuple[str, str]
HandClass = tuple[str, str]  # rank of the pair and common suit, "" where there is none
Outcome = tuple[int, int, int, int]  # final totals and numbers of cards, player before banker
Way = tuple[int, int, tuple[int, ...]]  # two-card totals, player before banker, and values drawn


def every_coup(suits: bool) -> Iterator[list[str]]:
    """Cards in dealing order, once per class; `suits` splits classes by the suit of suited hands."""
    # A class has many representatives. Picking one at random makes all the ways to reach a total turn
    # up somewhere, ten-king among them; the fixed seed makes every run see the same coups.
    pick = Random(4).choice
    classes = _hand_classes(suits)
    for (player_class, player_hands), (banker_class, banker_hands) in product(classes.items(), repeat=2):
        for ways in _ways(player_class[0], banker_class[0]).values():
            player_total, banker_total, drawn = pick(ways)
            player = pick(player_hands[player_total])
            banker = pick(banker_hands[banker_total])
            thirds = [pick(BY_VALUE[value]) for value in drawn]
            yield [player[0], banker[0], player[1], banker[1], *thirds]


def _hand_classes(suits: bool) -> dict[HandClass, dict[int, list[Hand]]]:
    """All two-card hands, by class and then by total."""
    # Two cards may be the same card twice: the shoe holds at least four decks.
    classes: defaultdict[HandClass, dict[int, list[Hand]]] = defaultdict(lambda: defaultdict(list))
    for first, second in product(DECK, repeat=2):
        pair = first[0] if first[0] == second[0] else ""
        suit = first[1] if suits and first[1] == second[1] else ""
        classes[pair, suit][total([first, second])].append((first, second))
    return classes


@cache
def _ways(player_pair: str, banker_pair: str) -> dict[Outcome, list[Way]]:
    """Every outcome within reach of two initial hands, with all the ways that lead to it."""
    ways: defaultdict[Outcome, list[Way]] = defaultdict(list)
    for player_total, banker_total in product(_totals(player_pair), _totals(banker_pair)):
        for outcome, drawn in _draws(player_total, banker_total):
            ways[outcome].append((player_total, banker_total, drawn))
    return ways


def _totals(pair: str) -> list[int]:
    # Without a pair all ten totals are possible, zero among them: ten-king.
    return [total([pair, pair])] if pair else list(range(10))


@cache
def _draws(player_total: int, banker_total: int) -> list[tuple[Outcome, tuple[int, ...]]]:
    """The distinct results of third cards, as many of them as the Table of Play asks for."""
    initial = [BY_VALUE[value][0] for value in (0, 0, player_total, banker_total)]
    results: dict[Outcome, tuple[int, ...]] = {}
    for values in product(range(10), repeat=2):
        player, banker, used = play([*initial, *(BY_VALUE[value][0] for value in values)])
        outcome = (total(player), total(banker), len(player), len(banker))
        results[outcome] = values[: len(used) - 4]
    return list(results.items())
