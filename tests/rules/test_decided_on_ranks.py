"""Every set of exposed first cards, by rank and with either hand first: what is decided, told a second way.

What can still become of a wager is the union of what can become of it with each next card; a finished coup is settled
by the second settlement. With a full shoe any rank can come, so nothing has to be counted. PUNTO_EXHAUSTIVE=1 goes
through all of it, which takes some minutes; otherwise a part of the states is looked at, in each game another.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import cache
from itertools import combinations_with_replacement, product
from typing import TypeVar

import pytest
from reference import second_settlement

from punto import APPROVED, Card, CardsSeen, load, standings

RANKS = "A23456789TJQK"
BY_VALUE = "KA23456789"
HANDS = [hand for size in (0, 1, 2) for hand in combinations_with_replacement(RANKS, size)]
EXHAUSTIVE = bool(os.environ.get("PUNTO_EXHAUSTIVE"))
WORDS = {frozenset({"win"}): "won", frozenset({"lose"}): "lost", frozenset({"push"}): "pushed"}

Hand = tuple[str, ...]
Results = dict[str, frozenset[str]]
T = TypeVar("T")


def _looked_at(game: str, every: Iterable[T], step: int) -> list[T]:
    """Of all states one in so many, each in one game: the games differ by less than the states do.

    The first ones, in which hardly a card is exposed, are left to a long test: they have the most endings.
    """
    first = step * APPROVED.index(game) + step // 2
    return list(every) if EXHAUSTIVE else list(every)[first :: step * len(APPROVED)]


def _settled(game: str, player: list[str], banker: list[str]) -> Results:
    settled = second_settlement.settle(game, player, banker)
    return {wager: frozenset({result}) for wager, (result, _) in settled.items()}


def _joined(all_results: list[Results]) -> Results:
    return {wager: frozenset().union(*(each[wager] for each in all_results)) for wager in all_results[0]}


@cache
def _possible(game: str, player: Hand, banker: Hand) -> Results:
    """The results each wager can still have, from the ranks of the first cards exposed so far."""
    if len(player) < 2:
        return _joined([_possible(game, tuple(sorted((*player, rank), key=RANKS.index)), banker) for rank in RANKS])
    if len(banker) < 2:
        return _joined([_possible(game, player, tuple(sorted((*banker, rank), key=RANKS.index))) for rank in RANKS])
    initial = [f"{player[0]}s", f"{banker[0]}s", f"{player[1]}h", f"{banker[1]}h"]
    endings = {}
    for thirds in product(BY_VALUE, repeat=2):
        one, other, used = second_settlement.play([*initial, *(f"{rank}c" for rank in thirds)])
        key = (second_settlement.total(one), second_settlement.total(other), len(one), len(other))
        if key not in endings:
            endings[key] = _settled(game, one, other)
        if len(used) == 4:
            break
    return _joined(list(endings.values()))


def _after_player_third(game: str, player: Hand, banker: Hand, third: str) -> Results | None:
    """The results still possible once Player's third card is exposed; None if Player takes none."""
    initial = [f"{player[0]}s", f"{banker[0]}s", f"{player[1]}h", f"{banker[1]}h"]
    coups = [second_settlement.play([*initial, f"{third}c", f"{rank}c"]) for rank in BY_VALUE]
    if len(coups[0][0]) < 3:
        return None
    return _joined([_settled(game, one, other) for one, other, _ in coups])


@pytest.mark.parametrize("game", APPROVED)
def test_the_split_is_right_once_players_third_card_is_exposed(game: str) -> None:
    book = load(game)
    whole = [hand for hand in HANDS if len(hand) == 2]
    for player, banker, third in _looked_at(game, product(whole, whole, BY_VALUE), 87):
        possible = _after_player_third(game, player, banker, third)
        if possible is not None:
            cards = [Card.parse(word) for word in (f"{player[0]}s", f"{player[1]}h", f"{third}c")]
            seen = CardsSeen(tuple(cards), (Card.parse(f"{banker[0]}s"), Card.parse(f"{banker[1]}h")))
            found = standings(book, seen, book.shoe(8).without(seen.cards))
            expected = {name: WORDS.get(results, "open") for name, results in possible.items()}
            assert {name: standing.value for name, standing in found.items()} == expected, (player, banker, third)


@pytest.mark.parametrize("game", APPROVED)
def test_the_split_is_right_for_every_set_of_exposed_first_cards(game: str) -> None:
    for player, banker in _looked_at(game, product(HANDS, repeat=2), 29):
        _check(game, player, banker)


@pytest.mark.long
@pytest.mark.parametrize("game", APPROVED)
def test_the_split_is_right_while_hardly_a_card_is_exposed(game: str) -> None:
    for player, banker in product(HANDS, repeat=2):
        if len(player) + len(banker) <= 2:
            _check(game, player, banker)


def _check(game: str, player: Hand, banker: Hand) -> None:
    book = load(game)
    shown = [
        tuple(Card.parse(rank + suit) for rank, suit in zip(hand, "sh", strict=False)) for hand in (player, banker)
    ]
    seen = CardsSeen(*shown)
    found = standings(book, seen, book.shoe(8).without(seen.cards))
    expected = {name: WORDS.get(results, "open") for name, results in _possible(game, player, banker).items()}
    assert {name: standing.value for name, standing in found.items()} == expected, (player, banker)
