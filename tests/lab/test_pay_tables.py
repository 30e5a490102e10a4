"""Pay tables: against a second, plain reckoning of every pay table, and as ``punto pays`` prints them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from time import perf_counter
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import second_pay_tables as plain

from punto import Composition, load, odds, parse_cards
from punto.lab.house_choices import compare_decks, limit_for
from punto.lab.pay_tables import PayTable, compare_pay_tables, find_pay_tables, read_edge

TIGER = load("tiger")
EIGHT_DECKS = (128, *[32] * 9)
FEW_KINDS = (30, 12, 0, 7, 0, 9, 24, 0, 5, 0)
"""Cards of each value 0 to 9; few kinds, so that the plain method is quick."""
FEW = Composition(
    card
    for one, count in zip(parse_cards("Ks As 2s 3s 4s 5s 6s 7s 8s 9s"), FEW_KINDS, strict=True)
    for card in [one] * count
)
RANKS = dict.fromkeys("A23456789TJQK", 32)


@cache
def _tiger(counts: tuple[int, ...] = FEW_KINDS) -> plain.Deals:
    return plain.tiger(list(counts))


@cache
def _tiger_pair() -> plain.Deals:
    return plain.tiger_pair(RANKS)


def _agrees(found: PayTable, deals: plain.Deals) -> None:
    pays = found.pays
    assert found.house_edge == plain.edge(deals, pays)
    assert found.variance == plain.variance(deals, pays)
    total = sum(deals.values())
    assert found.hit_frequency == Fraction(total - deals["lose"], total)
    for line in found.lines:
        assert line.probability == Fraction(deals[line.outcome], total)
        assert line.share == (0 if line.outcome == "lose" else plain.share(deals, pays, line.outcome))
    assert sum(line.contribution for line in found.lines) == -found.house_edge
    assert sum(line.share for line in found.lines) == 1


# --- comparison ---


def test_comparing_begins_with_the_game_as_it_is() -> None:
    study = compare_pay_tables(TIGER, "tiger", [(12, 25), {"three-card 6": "30 to 1"}, ("10:1", "61/2")], FEW)
    assert study.wager == "Tiger"
    assert study[0].book is TIGER
    assert [list(each.pays.values()) for each in study] == [[12, 20], [12, 25], [12, 30], [10, Fraction(61, 2)]]
    for each in study:
        _agrees(each, _tiger())
        assert (each.book is TIGER) == (each is study[0])


@pytest.mark.long
def test_eight_decks_agree_too() -> None:
    for each in compare_pay_tables(TIGER, "Tiger", [(12, 25), (10, 30)]):
        _agrees(each, _tiger(EIGHT_DECKS))


def test_three_lines_are_compared_on_ranks() -> None:
    for each in compare_pay_tables(TIGER, "Tiger Pair", [(100, 20, 5), {"Twin Tiger Pair": 250}, (75, "25/2", "4.5")]):
        _agrees(each, _tiger_pair())


def test_a_variant_has_the_figures_of_its_own_odds() -> None:
    """Also with pushes, a commission and a shoe that may run out."""
    shoe = Composition(parse_cards("4h 4d 2c 9s Ks"))
    for each in compare_pay_tables(load("baccarat"), "Banker", ["0.96", {"win": 1, "tie": "1/10"}], shoe):
        found = odds(each.book, shoe)["Banker"]
        assert found.outcomes == each.odds.outcomes
        assert each.lines[-1].outcome == "void"
        assert sum(line.share for line in each.lines) == 1
        assert each.lines[-1].contribution == 0


def test_a_wager_that_cannot_win_hands_nothing_back() -> None:
    sixes = Composition(parse_cards("Ks Kh Kd Kc Qs Qh"))
    assert [line.share for line in compare_pay_tables(TIGER, "Small Tiger", (), sixes)[0].lines] == [0, 0]


def test_a_study_is_a_value_for_other_programs() -> None:
    study = compare_pay_tables(TIGER, "Tiger", [(12, 25)], 6)
    told = json.loads(json.dumps(study.to_dict()))
    assert (told["game"], told["digest"], told["cards"], told["composition"]["4h"]) == ("tiger", TIGER.digest, 312, 6)
    assert [each["variant"] for each in told["pay_tables"]] == [False, True]
    assert Fraction(told["pay_tables"][1]["house_edge"]) == study[1].house_edge
    assert told["pay_tables"][1]["house_edge_rounded"] == pytest.approx(float(study[1].house_edge))
    frame = study.to_frame()
    assert frame.height == 6
    assert frame["pays"].to_list() == ["12/1", "20/1", "-1/1", "12/1", "25/1", "-1/1"]
    assert frame["digest"].n_unique() == 2
    assert "12 to 1, 25 to 1" in study._repr_html_()
    assert repr(study) == "<PayTableStudy of 'Tiger' of 'tiger': 2 pay tables>"


# --- search ---

ratio = st.builds(Fraction, st.integers(1, 60), st.integers(1, 4))
ratios = st.lists(ratio, min_size=1, max_size=6, unique=True).map(sorted)
edge = st.builds(Fraction, st.integers(-100, 60), st.integers(100, 120))


@settings(max_examples=60, deadline=None)
@given(st.lists(ratios, min_size=3, max_size=3), edge, st.booleans(), st.none() | edge, st.none() | edge)
def test_the_search_finds_what_trying_everything_finds(
    allowed: list[list[Fraction]], target: Fraction, rising: bool, least: Fraction | None, most: Fraction | None
) -> None:
    names = ["Twin Tiger Pair", "Double Tiger Pair", "Single Tiger Pair"]
    choices = dict(zip(names, allowed, strict=True))
    if least is not None and most is not None and least > most:
        least, most = most, least
    bounds = Fraction(-999) if least is None else least, Fraction(1) if most is None else most
    expected = plain.nearest(_tiger_pair(), choices, target, rising, *bounds)
    found = find_pay_tables(
        TIGER, "Tiger Pair", target, choices, most=300, monotone=rising, at_least=least, at_most=most
    )
    assert [each.pays for each in found] == expected[:300]
    assert found.combinations == len(allowed[0]) * len(allowed[1]) * len(allowed[2])


def test_equal_pay_tables_come_in_the_order_of_their_ratios() -> None:
    """Where no outcome can come, all pay tables are equally near."""
    kings = Composition(parse_cards("Ks Kh Kd Kc Qs Qh"))
    found = find_pay_tables(TIGER, "Tiger", 1, {"three-card 6": "1..3", "two-card 6": (2, 1)}, kings, most=5)
    assert [list(each.pays.values()) for each in found] == [[1, 1], [1, 2], [1, 3], [2, 1], [2, 2]]


def test_outcomes_that_are_not_searched_keep_their_pays() -> None:
    found = find_pay_tables(TIGER, "Tiger", "8%", {"three-card 6": range(15, 31)})
    assert found[0].pays == {"two-card 6": 12, "three-card 6": 25}
    assert len(found) == 16
    assert all(each.pays["two-card 6"] == 12 for each in found)
    rising = find_pay_tables(TIGER, "Tiger", "8%", {"three-card 6": range(5, 31)}, monotone=True)
    assert min(each.pays["three-card 6"] for each in rising) == 12


def test_whole_ratios_only() -> None:
    found = find_pay_tables(TIGER, "Small Tiger", "10%", {"win": "20..26 step 1/4"}, whole=True)
    assert sorted(each.pays["win"] for each in found) == [20, 21, 22, 23, 24, 25, 26]
    assert found.combinations == 7


def test_the_exact_edge_of_a_pay_table_is_found_again() -> None:
    target = compare_pay_tables(TIGER, "Tiger", [(11, 27)])[1].house_edge
    found = find_pay_tables(TIGER, "Tiger", target, {"two-card 6": "1..40", "three-card 6": "1..60"}, most=1)
    assert found[0].pays == {"two-card 6": 11, "three-card 6": 27}
    assert found[0].house_edge == target


def test_no_pay_table_within_the_bounds_is_an_empty_answer() -> None:
    found = find_pay_tables(TIGER, "Tiger", "8%", {"two-card 6": "1..5"}, at_most="1%")
    assert len(found) == found.to_frame().height == 0
    assert found.to_dict()["pay_tables"] == []
    assert len(find_pay_tables(TIGER, "Tiger", "8%", {"three-card 6": "1..5"}, monotone=True)) == 0


def test_a_million_pay_tables_take_no_time() -> None:
    started = perf_counter()
    found = find_pay_tables(
        TIGER, "Tiger", "8%", {"two-card 6": "1..1000", "three-card 6": "1..1000"}, most=20, monotone=True
    )
    assert found.combinations == 1_000_000
    assert perf_counter() - started < 3


def test_ten_million_pay_tables_are_too_many_and_some_are_not() -> None:
    ten_million = {"two-card 6": range(1, 3163), "three-card 6": range(1, 3164)}
    with pytest.raises(ValueError, match=r"make 10,001,406 pay tables: at most 10,000,000 are searched"):
        find_pay_tables(TIGER, "Tiger", "8%", ten_million)
    assert find_pay_tables(TIGER, "Tiger", "8%", ten_million | {"two-card 6": range(1, 3162)}, most=1)


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        (lambda: compare_pay_tables(TIGER, "Tigre"), "Tiger Baccarat has no wager 'Tigre'"),
        (
            lambda: compare_pay_tables(TIGER, "Tiger", [(12,)]),
            "Tiger has 2 winning lines: two-card 6, three-card 6; expected",
        ),
        (lambda: compare_pay_tables(TIGER, "Tiger", [{"six": 2}]), "Tiger has no paying outcome 'six'"),
        (lambda: compare_pay_tables(TIGER, "Tie", cast("Any", b"x")), "expected a list of pay tables, found b'x'"),
        (lambda: compare_pay_tables(TIGER, "Tie", "9"), "expected a list of pay tables, found '9'"),
        (lambda: compare_pay_tables(TIGER, "Tie", cast("Any", {1: 2})), "expected a list of pay tables, found {1: 2}"),
        (lambda: compare_pay_tables(TIGER, "Tie", cast("Any", None)), "expected a list of pay tables, found None"),
        (lambda: compare_pay_tables(TIGER, "Tie", cast("Any", [None])), "expected a ratio such as"),
        (lambda: compare_pay_tables(TIGER, "Tie", cast("Any", [b"x"])), "expected a ratio such as"),
        (lambda: compare_pay_tables(TIGER, "Tiger", cast("Any", [{9, 8}])), "expected a ratio such as"),
        (lambda: compare_pay_tables(TIGER, "Tie", cast("Any", [{1: 2}])), "from the names of outcomes of Tie"),
        (lambda: find_pay_tables(TIGER, "Tie", "8%", {"win": cast("Any", b"x")}), "win: expected the allowed ratios"),
        (lambda: find_pay_tables(TIGER, "Tie", "8%", {"win": "9"}, monotone=cast("Any", "no")), "False as monotone"),
        (lambda: find_pay_tables(TIGER, "Tie", "8%", {"win": "9"}, whole=cast("Any", 1)), "False as whole, found 1"),
        (lambda: compare_decks(TIGER, cast("Any", 4)), "expected numbers of decks, such as (6, 8), found 4"),
        (lambda: compare_decks(TIGER, cast("Any", [None, 4])), "expected a whole number of decks, found None"),
        (lambda: compare_pay_tables(TIGER, "Tiger", [], cast("Any", 8.0)), "expected a number of decks or the cards"),
        (lambda: compare_pay_tables(TIGER, "Tiger", [], 11), "is played with 4 to 10 decks, not 11"),
        (lambda: find_pay_tables(TIGER, "Tiger", "8%", {}), "expected the allowed ratios of at least one outcome"),
        (lambda: find_pay_tables(TIGER, "Tiger", "8%", cast("Any", "8..9")), "expected the allowed ratios by outcome"),
        (lambda: find_pay_tables(TIGER, "Tiger", "8%", {"two": "8..9"}), "Tiger has no paying outcome 'two'; expected"),
        (lambda: find_pay_tables(TIGER, "Tie", "8%", {"win": ()}), "Tie, win: expected at least one ratio"),
        (lambda: find_pay_tables(TIGER, "Tie", "8%", {"win": "1/2"}, whole=True), "at least one whole ratio"),
        (lambda: find_pay_tables(TIGER, "Tie", "8%", {"win": cast("Any", 8)}), "win: expected the allowed ratios"),
        (lambda: find_pay_tables(TIGER, "Tie", "8%", {"win": cast("Any", [8.5])}), "found 8.5"),
        (lambda: find_pay_tables(TIGER, "Tie", "8%", {"win": "0..9"}), 'named "win" cannot be a push'),
        (lambda: find_pay_tables(TIGER, "Tie", cast("Any", 0.08), {"win": "9"}), 'expected an edge such as "8%"'),
        (lambda: find_pay_tables(TIGER, "Tie", "lots", {"win": "9"}), "found 'lots'"),
        (lambda: find_pay_tables(TIGER, "Tie", 8, {"win": "9"}), "a house edge is at most 100%, not 8"),
        (lambda: find_pay_tables(TIGER, "Tie", "8%", {"win": "9"}, most=0), "number of pay tables above zero, not 0"),
        (
            lambda: find_pay_tables(TIGER, "Tie", "8%", {"win": "9"}, at_least="9%", at_most="8%"),
            "no house edge is at least 9% and at most 8%",
        ),
    ],
)
def test_what_cannot_be_meant_is_refused(asked: Callable[[], object], sentence: str) -> None:
    with pytest.raises((TypeError, ValueError), match=re.escape(sentence)):
        asked()


def test_edges_are_read_exactly() -> None:
    for text in ("8%", "8 %", "0.08", "2/25", Fraction(2, 25)):
        assert read_edge(text) == Fraction(2, 25)
    assert read_edge("-1.5%") == Fraction(-3, 200)
    assert read_edge(0) == 0


# --- choices of a house ---


def test_decks_are_compared_for_every_wager() -> None:
    study = compare_decks(TIGER)
    assert [decks for decks, _ in study] == [4, 5, 6, 7, 8, 9, 10]
    assert study.house_edges("Small Tiger")[8] == odds(TIGER, 8)["Small Tiger"].house_edge
    assert study.to_frame().height == 7 * 8
    told = json.loads(json.dumps(compare_decks(TIGER, [8, 6]).to_dict()))
    assert [each["decks"] for each in told["edges"]] == [6] * 8 + [8] * 8
    assert "10 decks" in study._repr_html_()
    with pytest.raises(ValueError, match="is played with 4 to 10 decks, not 3"):
        compare_decks(TIGER, [3])
    with pytest.raises(ValueError, match="at least one number of decks"):
        compare_decks(TIGER, [])


@given(st.fractions(Fraction(1, 1000), 20, max_denominator=1000), st.integers(1, 10**7))
def test_a_limit_is_the_highest_that_keeps_the_loss(gain: Fraction, most_loss: int) -> None:
    found = limit_for(gain, most_loss)
    assert found.limit is not None
    assert found.limit * gain <= most_loss < (found.limit + 1) * gain
    assert found.expected_loss == found.bound_of_loss == found.limit * gain


def test_a_limit_allows_for_the_error_of_the_gain() -> None:
    found = limit_for(0.25, 500_00, error=0.05)
    assert found.limit is not None
    assert found.limit == pytest.approx(500_00 / (0.25 + 1.959964 * 0.05), abs=1)
    assert found.expected_loss is not None
    assert found.bound_of_loss is not None
    assert found.expected_loss < found.bound_of_loss <= 500_00
    assert limit_for(-0.1, 500_00, error=0.01).limit is None
    assert limit_for(-0.1, 500_00, error=0.1).limit is not None
    assert limit_for(-0.1, 500_00).to_dict()["expected_loss"] is None
    assert json.loads(json.dumps(found.to_dict()))["limit"] == found.limit


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        (lambda: limit_for(0.1, 0), "in whole cents above zero, found 0"),
        (lambda: limit_for(0.1, cast("Any", 9.5)), "in whole cents above zero, found 9.5"),
        (lambda: limit_for(float("nan"), 5), "expected a gain per shoe as a number, found nan"),
        (lambda: limit_for(cast("Any", "1"), 5), "expected a gain per shoe as a number, found '1'"),
        (lambda: limit_for(1, 100, confidence=cast("Any", None)), "expected a confidence as a number, found None"),
        (lambda: limit_for(1, True), "in whole cents above zero, found True"),
        (lambda: limit_for(1, 5, error=-1), "a standard error cannot be below zero: -1"),
        (lambda: limit_for(1, 5, error=1, confidence=1.0), "expected a confidence from 0.5 to below 1, not 1.0"),
    ],
)
def test_limits_that_cannot_be_meant_are_refused(asked: Callable[[], object], sentence: str) -> None:
    with pytest.raises((TypeError, ValueError), match=re.escape(sentence)):
        asked()
