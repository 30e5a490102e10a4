"""The endings of whole coups, counted in closed form from ten numbers: how many cards of each point value there are.

How many ordered deals begin with two-card totals P and B? Counted separately, the two hands have A(P) and A(B) ordered
pairs of cards; the deals that use a card twice are subtracted from A(P) A(B). A card of value v, of which there are
c(v), goes with r(P, v) others to make P and with r(B, v) to make B, and can stand in two places in each hand, which
makes 4 times the sum of c(v) r(P, v) r(B, v); where P = B that subtracts the 2 A(P) deals in which both cards are used
twice one time too often. Third cards are set aside first, and the formula is applied to the rest.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

from punto.rules.table_of_play import banker_draws, player_draws

NO_CARD = 10
"""Stands for the value of a third card that is not drawn."""

Ending = tuple[int, int, int, int]
"""Final total of Player and of Banker, number of cards of Player and of Banker."""


Lists = tuple[list[int], list[int], list[int], list[int], list[int], list[int]]


@dataclass(frozen=True, slots=True)
class ThirdCardPlan:
    """The Table of Play laid out for counting: for every pair of third cards, the two-card totals they follow.

    The first two lists hold the third cards of Player and Banker. The third holds the index at which the totals they
    follow begin in the other lists: Player's, Banker's, and the number of the resulting ending.
    """

    endings: tuple[Ending, ...]
    lists: Lists


@cache
def third_card_plan() -> ThirdCardPlan:
    """Return the plan, derived from the Table of Play."""
    endings: dict[Ending, int] = {}
    lists: Lists = ([], [], [0], [], [], [])
    player_third, banker_third, starts, player_total, banker_total, ending = lists
    for x, y in product(range(NO_CARD + 1), repeat=2):
        for player, banker in product(range(10), repeat=2):
            if _follow(player, banker, x, y):
                player_total.append(player)
                banker_total.append(banker)
                ending.append(endings.setdefault(ending_of(player, banker, x, y), len(endings)))
        player_third.append(x)
        banker_third.append(y)
        starts.append(len(ending))
    return ThirdCardPlan(tuple(endings), lists)


def _follow(player: int, banker: int, player_third: int, banker_third: int) -> bool:
    """Return whether these third cards, or none, follow these two-card totals."""
    draws = player_draws(player, banker)
    if draws != (player_third != NO_CARD):
        return False
    return banker_draws(player, banker, player_third if draws else None) == (banker_third != NO_CARD)


def ending_of(player: int, banker: int, player_third: int, banker_third: int) -> Ending:
    """Return the ending of a coup, from the two-card totals and the third cards."""
    # A card that is not drawn has the value ten, which leaves the total unchanged.
    cards = 2 + (player_third != NO_CARD), 2 + (banker_third != NO_CARD)
    return ((player + player_third) % 10, (banker + banker_third) % 10, *cards)


def count_endings(values: Sequence[int]) -> dict[Ending, int]:
    """Return how many ordered deals of six cards end in each way; needs at least six cards and has no upper limit."""
    laid_out = third_card_plan()
    found = [0] * len(laid_out.endings)
    count(list(values), *laid_out.lists, [0] * 10, [0] * 100, found)
    return {ending: ways for ending, ways in zip(laid_out.endings, found, strict=True) if ways}


def count(  # noqa: C901 - one function, since it is compiled as one
    values: MutableSequence[int],
    player_third: Sequence[int],
    banker_third: Sequence[int],
    starts: Sequence[int],
    player_total: Sequence[int],
    banker_total: Sequence[int],
    ending: Sequence[int],
    pairs: MutableSequence[int],
    partners: MutableSequence[int],
    found: MutableSequence[int],
) -> None:
    """Add to ``found`` the deals of each ending; ``pairs`` (10) and ``partners`` (100) are working space.

    Plain loops over flat arrays: interpreted, they use Python's unbounded integers, and ``punto.odds`` compiles the
    same source for 64-bit ones.
    """
    cards = 0
    for value in range(10):
        cards += values[value]
    for k in range(len(player_third)):
        x, y = player_third[k], banker_third[k]
        # Take the third cards out, along with the order of the cards that are left over.
        weight = 1
        if x < 10:
            weight *= values[x]
            values[x] -= 1
        if y < 10:
            weight *= values[y]
            values[y] -= 1
        if x == 10 or y == 10:
            weight *= cards - 5
        if x == 10 and y == 10:
            weight *= cards - 4
        if weight != 0 and starts[k] < starts[k + 1]:
            for total in range(10):
                pairs[total] = 0
                for value in range(10):
                    other = (total - value) % 10
                    partners[10 * total + value] = values[other] - (1 if other == value else 0)
                    pairs[total] += values[value] * partners[10 * total + value]
            for at in range(starts[k], starts[k + 1]):
                player, banker = player_total[at], banker_total[at]
                twice = 0
                for value in range(10):
                    twice += values[value] * partners[10 * player + value] * partners[10 * banker + value]
                ways = pairs[player] * pairs[banker] - 4 * twice
                if player == banker:
                    ways += 2 * pairs[player]
                found[ending[at]] += ways * weight
        if x < 10:
            values[x] += 1
        if y < 10:
            values[y] += 1
