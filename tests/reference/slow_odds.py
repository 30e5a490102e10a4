"""A second, slow and obvious way to exact odds: deal every sequence of kinds of card, and count the deals.

Plain Python integers, its own drawing rule and settlement (``second_settlement``), nothing shared with the package.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from reference import second_settlement

ONE_OF_EACH_VALUE = ["Ks", "As", "2s", "3s", "4s", "5s", "6s", "7s", "8s", "9s"]


Hands = tuple[tuple[str, ...], tuple[str, ...]]


def totals(counts: list[int]) -> dict[Hands, int]:
    """Deals of six cards from the number of cards of each value 0 to 9, by totals and numbers of cards.

    Each class is named by the hands of one coup in it, for a settlement to look at. Pairs come out wrong, since the
    cards are told apart by value only.
    """
    left = list(counts)
    deals: Counter[tuple[int, int, int, int]] = Counter()
    example: dict[tuple[int, int, int, int], Hands] = {}

    def deal(cards: list[str], ways: int) -> None:
        try:
            player, banker, used = second_settlement.play(cards)
        except StopIteration:
            for value, card in enumerate(ONE_OF_EACH_VALUE):
                if left[value]:
                    left[value] -= 1
                    deal([*cards, card], ways * (left[value] + 1))
                    left[value] += 1
            return
        for place in range(len(used), 6):
            ways *= sum(counts) - place
        ending = second_settlement.total(player), second_settlement.total(banker), len(player), len(banker)
        deals[ending] += ways
        example.setdefault(ending, (tuple(player), tuple(banker)))

    deal([], 1)
    return {example[ending]: ways for ending, ways in deals.items()}


def settled(game: str, deals: dict[Hands, int]) -> dict[str, Counter[Fraction]]:
    """Those deals by what each wager of a game pays."""
    found: dict[str, Counter[Fraction]] = {}
    for (player, banker), ways in deals.items():
        for wager, (_, pays) in second_settlement.settle(game, list(player), list(banker)).items():
            found.setdefault(wager, Counter())[pays] += ways
    return found


def pairs(game: str, counts: dict[str, int]) -> dict[str, Counter[Fraction]]:
    """Deals of the first four cards for each payment of each wager on ranks, from the number of cards of each rank."""
    found: dict[str, Counter[Fraction]] = {}
    for first in counts:
        for second in counts:
            for third in counts:
                for fourth in counts:
                    ways, left = 1, dict(counts)
                    for rank in (first, second, third, fourth):
                        ways *= left[rank]
                        left[rank] -= 1
                    player, banker = [f"{first}s", f"{third}h"], [f"{second}s", f"{fourth}h"]
                    for wager, (_, pays) in second_settlement.settle(game, player, banker).items():
                        found.setdefault(wager, Counter())[pays] += ways
    return found


def player_pairs(game: str, counts: dict[str, int]) -> dict[str, Counter[Fraction]]:
    """Deals of Player's first two cards for each payment of each wager on them, from the number of each card."""
    found: dict[str, Counter[Fraction]] = {}
    for first in counts:
        for second in counts:
            ways = counts[first] * (counts[second] - (first == second))
            for wager, (_, pays) in second_settlement.settle(game, [first, second], ["Ks", "9s"]).items():
                found.setdefault(wager, Counter())[pays] += ways
    return found


def returns(deals: dict[str, Counter[Fraction]]) -> dict[str, Fraction]:
    """The return of each wager."""
    return {
        wager: sum((pays * ways for pays, ways in each.items()), Fraction(0)) / each.total()
        for wager, each in deals.items()
    }
