"""Returns of many compositions at once, compared exactly with those that are counted one by one."""

from __future__ import annotations

import subprocess
from fractions import Fraction
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import brute_force
from support.needs import need_program

from punto import APPROVED, CardsSeen, Composition, Rulebook, load, odds
from punto.cards import DECK
from punto.odds.batch_odds import batch_odds

MIXED = Path(__file__).parents[1] / "rules" / "mixed.toml"
YARDSTICK = Path(__file__).parents[1] / "reference" / "returns.c"


def cards_of(row: list[int]) -> Composition:
    return Composition(card for card, count in zip(DECK, row, strict=True) for _ in range(count))


def random_rows(rows: int, seed: int) -> list[list[int]]:
    """Parts of shoes: of any size, few cards as often as many."""
    chance = Random(seed)
    whole = [number for number in range(len(DECK)) for _ in range(8)]
    found = []
    for _ in range(rows):
        left = chance.sample(whole, chance.choice((chance.randint(4, 12), chance.randint(4, 416))))
        found.append([left.count(number) for number in range(len(DECK))])
    return found


def assert_as_one_by_one(book: Rulebook, rows: list[list[int]]) -> None:
    found = batch_odds(book, np.array(rows))
    for number, row in enumerate(rows):
        exact = odds(book, cards_of(row))
        for wager in book.wagers:
            assert found.expected_return(number, wager.name) == exact[wager.name].expected_return
            assert found.returns[number].shape == (len(book.wagers),)


@pytest.mark.parametrize("game", APPROVED)
def test_random_compositions_return_what_they_do_one_by_one(game: str) -> None:
    assert_as_one_by_one(load(game), random_rows(60, seed=1))


@pytest.mark.long
@pytest.mark.parametrize("game", APPROVED)
def test_a_thousand_random_compositions_return_what_they_do_one_by_one(game: str) -> None:
    assert_as_one_by_one(load(game), random_rows(1000, seed=2))


@pytest.mark.long
def test_wagers_that_mix_totals_and_cards_are_counted_too() -> None:
    few = [row for row in random_rows(20, seed=3) if sum(row) < 12]
    assert_as_one_by_one(load(MIXED), few[:4])


def test_a_composition_of_one_rank_is_counted_without_overflow() -> None:
    row = [416 if number == 0 else 0 for number in range(len(DECK))]
    assert batch_odds(load("tiger"), np.array([row])).expected_return(0, "Tiger Pair") == 100


def test_more_cards_than_the_loops_allow_are_counted_too() -> None:
    assert_as_one_by_one(load("baccarat"), [[20] * len(DECK), [10] * len(DECK)])
    assert_as_one_by_one(load("tiger"), [[520 if number == 9 else 0 for number in range(len(DECK))]])


@settings(max_examples=6, deadline=None)
@given(st.lists(st.sampled_from(range(len(DECK))), min_size=6, max_size=6), st.sampled_from(APPROVED))
@pytest.mark.long
def test_every_order_of_a_tiny_shoe_returns_the_same(numbers: list[int], game: str) -> None:
    book, cards = load(game), [DECK[number] for number in numbers]
    found = batch_odds(book, np.array([[numbers.count(number) for number in range(len(DECK))]]))
    for wager in book.wagers:
        met = brute_force.outcomes(book, CardsSeen(), cards)[wager.name]
        pays = {line.outcome: line.pays for line in wager.outcomes} | {"void": Fraction(0)}
        total = sum(met.values())
        assert found.expected_return(0, wager.name) == sum(pays[name] * count for name, count in met.items()) / total


def test_the_yardstick_counts_the_same(tmp_path: Path) -> None:
    compiler = need_program("cc", "a C compiler")
    program = tmp_path / "returns"
    subprocess.run([compiler, "-O1", "-o", program, YARDSTICK], check=True)
    ranks = [32, 31, 30, 29, 32, 5, 0, 1, 32, 12, 30, 31, 32]
    told = subprocess.run([program, *map(str, ranks)], check=True, capture_output=True, text=True).stdout.splitlines()
    row = [ranks[number % 13] if number < 13 else 0 for number in range(len(DECK))]
    assert batch_odds(load("tiger"), np.array([row])).gains[0].tolist() == [int(line) for line in told[1:]]


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        (np.zeros((2, 10), int), "rows of 52 whole numbers"),
        (np.full((1, 52), 8.0), "rows of 52 whole numbers"),
        (np.full((1, 52), -1), "below zero"),
        (np.zeros((1, 52), int), "at least four cards"),
    ],
)
def test_rows_of_another_form_are_refused_with_a_sentence(rows: np.ndarray, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        batch_odds(load("baccarat"), rows)
