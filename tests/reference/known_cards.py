"""A second, slow and obvious way to the value of known cards: deal every order of a tiny shoe, one by one.

Plain Python, with the drawing rule and the settlement of ``second_settlement``; nothing is shared with the package.
Cards are physical: two fours of hearts are two cards, and all orders of six are equally likely.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import permutations, product
from typing import NamedTuple

from reference import second_settlement

Settle = Callable[[list[str], list[str]], dict[str, Fraction]]
Order = tuple[str, ...]


class Known(NamedTuple):
    """What is known in one case: how often that is so, and what each wager returns then."""

    probability: Fraction
    returns: dict[str, Fraction]


def by_game(game: str) -> Settle:
    """The net gain of a unit on every wager of one of the five games."""

    def settle(player: list[str], banker: list[str]) -> dict[str, Fraction]:
        return {wager: pays for wager, (_, pays) in second_settlement.settle(game, player, banker).items()}

    return settle


class Dealt(NamedTuple):
    """All orders of the next six cards of a shoe, each with the number of the settlement it leads to."""

    orders: list[tuple[Order, int]]
    settlements: list[dict[str, Fraction]]


def every_order(shoe: str, settle: Settle) -> Dealt:
    """Deal all orders of the next six cards."""
    numbers: dict[tuple[Fraction, ...], int] = {}
    settlements: list[dict[str, Fraction]] = []
    orders = []
    for order in permutations(shoe.split(), 6):
        player, banker, _ = second_settlement.play(order)
        gains = settle(player, banker)
        number = numbers.setdefault(tuple(gains.values()), len(numbers))
        settlements += [gains] if number == len(settlements) else []
        orders.append((order, number))
    return Dealt(orders, settlements)


def study(dealt: Dealt, positions: Sequence[int], tell: Callable[[str], str]) -> dict[tuple[str, ...], Known]:
    """What may be known of the cards at these positions, counted from 1, by what is told of a card."""
    told = {card: tell(card) for order, _ in dealt.orders for card in order}
    cases: dict[tuple[str, ...], Counter[int]] = {}
    for order, settlement in dealt.orders:
        seen = tuple([told[order[position - 1]] for position in positions])
        cases.setdefault(seen, Counter())[settlement] += 1
    return {
        seen: Known(
            Fraction(case.total(), len(dealt.orders)),
            {
                wager: sum((dealt.settlements[each][wager] * many for each, many in case.items()), Fraction(0))
                / case.total()
                for wager in dealt.settlements[0]
            },
        )
        for seen, case in cases.items()
    }


def value(cases: dict[tuple[str, ...], Known], wagers: Sequence[str], must_wager: bool) -> Fraction:
    """The average gain of a patron who takes the best of these wagers, or may sit out."""
    total = Fraction(0)
    for case in cases.values():
        best = max(case.returns[wager] for wager in wagers)
        total += case.probability * (best if must_wager or best > 0 else 0)
    return total


def by_value(card: str) -> str:
    return str(second_settlement.value(card))


def by_rank(card: str) -> str:
    return card[0]


def by_colour(card: str) -> str:
    return "red" if card[1] in "hd" else "black"


def by_card(card: str) -> str:
    return card


def high_or_not(card: str) -> str:
    return "6789" if card[0] in "6789" else "other"


OF_VALUE = ["Ks", "As", "2s", "3s", "4s", "5s", "6s", "7s", "8s", "9s"]


def full_shoe(game: str, decks: int) -> Iterator[tuple[tuple[int, ...], int, dict[str, Fraction]]]:
    """Every order of six values from full decks: the values, in how many ways they come, and what wagers gain.

    Wagers on pairs come out wrong, since cards are told apart by value only.
    """
    settled: dict[tuple[int, int, int, int], dict[str, Fraction]] = {}
    settle = by_game(game)
    for first in product(range(10), repeat=4):
        left = [16 * decks, *[4 * decks] * 9]
        ways = 1
        for value_ in first:
            ways *= left[value_]
            left[value_] -= 1
        for fifth in range(10):
            for sixth in range(10):
                order = (*first, fifth, sixth)
                player, banker, _ = second_settlement.play([OF_VALUE[each] for each in order])
                total = second_settlement.total
                ending = (total(player), total(banker), len(player), len(banker))
                if ending not in settled:
                    settled[ending] = settle(player, banker)
                yield order, ways * left[fifth] * (left[sixth] - (fifth == sixth)), settled[ending]
