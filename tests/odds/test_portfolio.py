"""Covariance matrices and portfolios: against every order of a tiny shoe, and against a second count of eight decks."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from functools import cache
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import bankroll as plain
from reference import brute_force, second_settlement, slow_odds

from punto import (
    APPROVED,
    Card,
    CardsSeen,
    Composition,
    Rulebook,
    Unlawful,
    covariance,
    load,
    odds,
    parse_cards,
    settle,
)
from punto.cards import DECK
from punto.odds.portfolio import covariance_matrix, portfolio

BOOKS = st.sampled_from(APPROVED).map(load)
card = st.sampled_from([card for card in DECK if str(card)[0] in "A2467TK" and card.suit.value in "hd"])
stake = st.fractions(Fraction(1, 10), 5, max_denominator=10)


@settings(max_examples=12)
@given(BOOKS, st.lists(card, min_size=3, max_size=6))
@pytest.mark.long
def test_the_matrix_agrees_with_every_order_of_a_tiny_shoe(game: Rulebook, unexposed: list[Card]) -> None:
    orders = [
        [settle(wager, coup).pays if coup else Fraction(0) for wager in game.wagers]
        for coup in brute_force.every_order(CardsSeen(), unexposed)
    ]
    means = [sum(column, Fraction(0)) / len(orders) for column in zip(*orders, strict=True)]
    found = covariance_matrix(game, Composition(unexposed))
    for one, row in enumerate(found.rows):
        for other, value in enumerate(row):
            together = sum((order[one] * order[other] for order in orders), Fraction(0)) / len(orders)
            assert value == together - means[one] * means[other]


@settings(max_examples=12)
@given(BOOKS, st.lists(card, min_size=3, max_size=6), st.data())
def test_a_portfolio_agrees_with_every_order_of_a_tiny_shoe(
    game: Rulebook, unexposed: list[Card], data: st.DataObject
) -> None:
    names = data.draw(st.lists(st.sampled_from([wager.name for wager in game.wagers]), min_size=1, unique=True))
    stakes = {name: data.draw(stake) for name in names}
    orders: Counter[Fraction] = Counter()
    for coup in brute_force.every_order(CardsSeen(), unexposed):
        gains = [stakes[name] * settle(game.wager(name), coup).pays for name in names] if coup else []
        orders[sum(gains, Fraction(0))] += 1
    found = portfolio(game, stakes, Composition(unexposed))
    assert dict(found.outcomes) == {gain: Fraction(n, orders.total()) for gain, n in orders.items()}


@cache
def _slowly_counted() -> dict[slow_odds.Hands, int]:
    return slow_odds.totals([128, *[32] * 9])


@pytest.mark.long
@pytest.mark.parametrize("game", ["baccarat", "dragon-tiger"])
def test_eight_decks_agree_with_a_second_count(game: str) -> None:
    """By the slow method, which deals every sequence of values and settles by its own rules."""
    book, stakes = load(game), {"Player": Fraction(1), "Banker": Fraction(2), "Tie": Fraction(1, 2)}
    deals = _slowly_counted()
    total = sum(deals.values())
    joint: dict[tuple[Fraction, ...], Fraction] = {}
    for (player, banker), ways in deals.items():
        settled = second_settlement.settle(game, list(player), list(banker))
        gains = tuple(settled[name][1] for name in stakes)
        joint[gains] = joint.get(gains, Fraction(0)) + Fraction(ways, total)
    assert dict(portfolio(book, stakes).outcomes) == plain.combined(joint, list(stakes.values()))
    matrix = covariance_matrix(book)
    for one, first in enumerate(stakes):
        for other, second in enumerate(stakes):
            both = sum((gains[one] * gains[other] * chance for gains, chance in joint.items()), Fraction(0))
            means = [sum((gains[at] * chance for gains, chance in joint.items()), Fraction(0)) for at in (one, other)]
            assert matrix[first, second] == both - means[0] * means[1]


@pytest.mark.long
def test_the_matrix_agrees_with_single_covariances_and_variances(book: Rulebook) -> None:
    found, single = covariance_matrix(book), odds(book)
    for each in book.wagers:
        assert found[each.name, each.name] == single[each.name].variance
        assert found["Tie", each.name] == found[each.name, "tie"] == covariance(book, "Tie", each.name)


def test_the_variance_of_a_portfolio_follows_from_the_matrix(book: Rulebook) -> None:
    matrix = covariance_matrix(book)
    stakes = {each.name: Fraction(number + 1, 2) for number, each in enumerate(book.wagers[:4])}
    found = portfolio(book, stakes)
    by_pairs = sum(
        (stakes[one] * stakes[other] * matrix[one, other] for one in stakes for other in stakes), Fraction(0)
    )
    assert found.variance == by_pairs
    assert 0 <= found.variance - found.deviation**2 < Fraction(1, 10**12)
    single = odds(book)
    assert found.expected_gain == sum(units * single[name].expected_return for name, units in stakes.items())
    assert found.staked == sum(stakes.values())
    assert sum(chance for _, chance in found.outcomes) == 1
    level = sum(chance for gain, chance in found.outcomes if gain == 0)
    assert found.chance_of_a_win + found.chance_of_a_loss + level == 1


def test_a_portfolio_of_one_unit_is_the_wager() -> None:
    single = odds(load("tiger"))["Tiger"]
    found = portfolio(load("tiger"), {"tiger": 1})
    assert (found.expected_return, found.variance) == (single.expected_return, single.variance)
    assert found.chance_of_a_win == single.hit_frequency
    assert found.stakes == (("Tiger", Fraction(1)),)


def test_cards_dealt_are_taken_into_account() -> None:
    dealt = CardsSeen(parse_cards("4h 4d"), parse_cards("4s 4c"))
    assert portfolio(load("tiger"), {"Tiger Pair": 2}, 8, dealt).outcomes == ((Fraction(200), Fraction(1)),)
    assert covariance_matrix(load("tiger"), 8, dealt)["Tiger Pair", "Tie"] == 0


def test_the_matrix_as_arrays_and_frames() -> None:
    found = covariance_matrix(load("dragon-tiger"))
    array = found.to_numpy()
    assert array.dtype == np.float64
    assert np.array_equal(array, array.T)
    assert np.linalg.eigvalsh(array).min() > -1e-12  # exactly 0: one combination of its wagers always returns the same
    frame = found.to_frame()
    assert frame.height == len(found.names) ** 2
    row = frame.row(1, named=True)
    assert (row["wager"], row["other"]) == found.names[:2]
    assert Fraction(row["covariance"]) == found.rows[0][1]
    assert row["covariance_rounded"] == array[0, 1]
    assert found.correlation("Player", "Player") == 1
    correlation = array[0, 1] / (array[0, 0] * array[1, 1]) ** 0.5
    assert float(found.correlation("Player", "Banker")) == pytest.approx(correlation, abs=1e-14)
    assert found._repr_html_().count("<th") > len(found.names)
    assert "house edge" in repr(portfolio(load("tiger"), {"Player": 1, "Tie": 2}))


def test_covariances_are_a_mapping_of_pairs() -> None:
    found = covariance_matrix("baccarat")
    assert len(list(found)) == len(found) == 25
    assert dict(found)["Player", "Tie"] == found["player", "TIE"] == covariance("baccarat", "Player", "Tie")
    assert ("player", "Tie") in found
    assert ("Player", "Lucky") not in found
    assert cast("Any", "Tie") not in found
    for wrong in ("Tie", ("Tie",), None, 3):
        with pytest.raises(TypeError, match="expected the names of two wagers, such as 'Player', 'Tie', found"):
            found[cast("Any", wrong)]


def test_portfolios_and_covariances_are_told_as_dictionaries_and_frames() -> None:
    both, matrix = portfolio("tiger", {"Player": 1, "Tie": Fraction(1, 2)}), covariance_matrix("tiger")
    told = json.loads(json.dumps(both.to_dict()))
    assert (told["game"], told["digest"], told["cards"]) == ("tiger", both.book.digest, 416)
    assert told["stakes"][1] == {"wager": "Tie", "units": "1/2", "units_rounded": 0.5}
    assert Fraction(told["house_edge"]) == both.house_edge
    assert sum(Fraction(each["probability"]) for each in told["outcomes"]) == 1
    assert both.to_frame().columns == ["game", "cards", "gain", "gain_rounded", "probability", "probability_rounded"]
    pair = json.loads(json.dumps(matrix.to_dict()))["covariances"][1]
    assert Fraction(pair["covariance"]) == matrix[pair["wager"], pair["other"]]


@pytest.mark.parametrize(
    ("stakes", "sentence"),
    [
        ("Player", "expected stakes by the names of wagers"),
        ({"Player": 0.5}, "expected a whole number or a fraction of units on Player, not 0.5"),
        ({"Player": True}, "expected a whole number or a fraction"),
        ({"Player": -1}, "expected a stake above zero on Player, not -1"),
        ({"Player": 1, "player": 2}, "Player is named twice"),
        ({4: 1}, "expected the name of a wager, not 4"),
        ({}, "expected a stake on at least one wager"),
        ({"Lucky": 1}, "has no wager 'Lucky'"),
    ],
)
def test_what_is_no_stake_gets_a_sentence(stakes: object, sentence: str) -> None:
    with pytest.raises((TypeError, ValueError, Unlawful), match=sentence):
        portfolio(load("tiger"), cast("Any", stakes))
