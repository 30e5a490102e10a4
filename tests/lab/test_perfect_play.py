"""Perfect play against shoes that are dealt card by card, with the odds counted one by one before every round."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from reference import slow_dealer

from punto import APPROVED, Composition, load, loads, odds, wager_odds
from punto.lab.perfect_play import STEP, perfect_play
from punto.simulate import Shoes

TWO_DECKS = Composition.of_decks(2)


@pytest.mark.parametrize(("game", "burn"), [("tiger", 0), ("fabulous-4", 3), ("baccarat", "first-card")])
def test_every_round_is_looked_at_as_if_it_were_alone(game: str, burn: int | str) -> None:
    """Burnt cards are unseen, but for a first card that says how many are burnt."""
    book = load(game)
    study = perfect_play(book, shoes=3, seed=5, shoe=Shoes(TWO_DECKS, cut=20, burn=burn), workers=1)
    hands, favourable, gains = 0, dict.fromkeys((each.name for each in book.wagers), 0), {}
    total: dict[str, list[Fraction]] = {each.name: [] for each in book.wagers}
    for shoe in slow_dealer.shoes(5, 3, slow_dealer.in_order(TWO_DECKS.counts()), cut=20, after=0):
        unseen = TWO_DECKS.without(shoe[:1] if burn == "first-card" else [])
        for coup in slow_dealer.rounds(shoe, cut=20, burn=burn, after=0):
            assert coup
            exact = odds(book, unseen)
            hands += 1
            for wager in book.wagers:
                edge = exact[wager.name].expected_return
                total[wager.name].append(edge)
                favourable[wager.name] += edge > 0
            unseen = unseen.without(coup.in_dealing_order())
    assert study.rounds == hands
    for name, edges in total.items():
        gains[name] = sum(edge for edge in edges if edge > 0)
        figures = study[name].figures
        assert (figures.hands, figures.favourable) == (hands, favourable[name])
        assert figures.per_shoe == pytest.approx(float(gains[name]) / 3, rel=1e-12, abs=1e-15)
        assert study[name].mean_return == pytest.approx(float(sum(edges)) / hands, rel=1e-12)


WIDE = """
key = "wide"
title = "Wide"
decks = { min = 1, max = 8 }

[[wager]]
name = "Odd Parts"
clause = "1.1"
lines = [
  { outcome = "six", when = { winner = "banker", banker_total = 6 }, pays = "99991 to 9973", clause = "1.1" },
  { outcome = "seven", when = { winner = "banker", banker_total = 7 }, pays = "1 to 997", clause = "1.1" },
]

[[wager]]
name = "Jackpot"
clause = "1.1"
lines = [{ outcome = "all", when = { margin = 9, cards = 6 }, pays = "100000 to 1", clause = "1.1" }]

[[wager]]
name = "Either Pair"
clause = "1.1"
lines = [{ when = { pairs = [1, 2] }, pays = "99991 to 9973", clause = "1.1" }]

[clauses]
"1.1" = { provision = "wager", by = "data", text = "Pays that need more than 64 bits." }
"""


def test_returns_that_overflow_64_bits_are_those_of_the_odds() -> None:
    book, full = loads(WIDE), Composition.of_decks(8)
    study = perfect_play(book, shoes=2, seed=5, shoe=Shoes(full, cut=330), workers=1)
    returns: dict[str, list[Fraction]] = {name: [] for name in study}
    for shoe in slow_dealer.shoes(5, 2, slow_dealer.in_order(full.counts()), cut=330, after=0):
        unseen = full
        for coup in slow_dealer.rounds(shoe, cut=330, burn=0, after=0):
            assert coup
            for wager in book.wagers:
                returns[wager.name].append(wager_odds(wager, unseen).expected_return)
            unseen = unseen.without(coup.in_dealing_order())
    for name, found in returns.items():
        assert study[name].mean_return == pytest.approx(float(sum(found)) / len(found), rel=1e-12), name
        assert study[name].figures.favourable == sum(each > 0 for each in found)
        assert study[name].figures.per_shoe == pytest.approx(float(sum(x for x in found if x > 0)) / 2, rel=1e-12)


def test_wagers_that_are_not_followed_leave_the_others_to_be_studied() -> None:
    """Single cards are not followed; naturals and sums of totals are."""
    with pytest.raises(ValueError, match=r"Player Royal asks .* can be studied by name"):
        perfect_play("royal-match", shoes=1)
    study = perfect_play("royal-match", shoes=3, wagers=["tie", "Banker"])
    assert list(study) == ["Banker", "Tie"]
    assert study["Tie"] == perfect_play("royal-match", shoes=3, wagers=["Tie"])["Tie"]
    for game in ("dragon-bonus", "bad-beat", "sum-of-totals"):
        assert list(perfect_play(game, shoes=1)) == [wager.name for wager in load(game).wagers]


def test_the_average_return_is_that_of_the_full_shoe() -> None:
    """A shoe favours nobody on average: what the first cards give, the last ones take."""
    book = load("baccarat")
    study = perfect_play(book, shoes=400, seed=2)
    exact = odds(book)
    for wager in book.wagers:
        assert study[wager.name].mean_return == pytest.approx(float(exact[wager.name].expected_return), abs=0.004)


def test_what_is_found_does_not_depend_on_the_workers() -> None:
    book = load("dragon-tiger")
    one, two = (perfect_play(book, shoes=520, seed=9, workers=workers) for workers in (1, 2))
    assert one == two


def test_a_cut_further_from_the_end_gains_less() -> None:
    wager = perfect_play(load("tiger"), shoes=600, seed=3)["Small Tiger"]
    gains = [wager.at_cut(cut).per_shoe for cut in (14, 52, 104, 208)]
    assert gains == sorted(gains, reverse=True)
    assert gains[-1] < gains[0] / 10
    assert wager.up_to(10**6) == wager.figures
    assert wager.at_cut(416 - STEP + 1).hands == 0


@pytest.mark.long
def test_errors_shrink_with_the_root_of_the_shoes() -> None:
    few, many = (perfect_play(load("tiger"), shoes=shoes, seed=4)["Tiger"].figures for shoes in (200, 3200))
    assert few.per_shoe_error
    assert many.per_shoe_error
    assert few.per_shoe_error / many.per_shoe_error == pytest.approx(4, rel=0.5)
    assert abs(few.per_shoe - many.per_shoe) < 4 * math.hypot(few.per_shoe_error, many.per_shoe_error)


@pytest.mark.parametrize("game", APPROVED)
def test_every_approved_game_can_be_walked_through(game: str) -> None:
    study = perfect_play(load(game), shoes=20)
    assert study.rounds > 20 * 60
    assert all(0 <= each.figures.frequency <= 1 for each in study.wagers)
    assert all(each.quantile(0.5) <= each.quantile(0.99) for each in study.wagers)


def test_nonsense_is_refused_with_a_sentence() -> None:
    with pytest.raises(ValueError, match="a number of shoes above zero"):
        perfect_play(load("tiger"), shoes=0)
    with pytest.raises(ValueError, match="a number of workers above zero"):
        perfect_play(load("tiger"), shoes=1, workers=0)
    with pytest.raises(ValueError, match="a shoe of at most 458 cards"):
        perfect_play("tiger", shoes=1, shoe=Shoes(Composition.of_decks(9)))
    with pytest.raises(ValueError, match="at least one wager"):
        perfect_play(load("tiger"), shoes=1, wagers=[])
    with pytest.raises(ValueError, match="threads or ray"):
        perfect_play(load("tiger"), shoes=1, on="paper")
