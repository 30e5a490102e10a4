"""``punto pays``: pay tables compared and found, as people and programs read them."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import polars
import pytest
from support.command import refused, run, run_json

from punto import load, odds
from punto.lab.pay_tables import find_pay_tables

TIGER = ("pays", "tiger", "--wager", "tiger")
SEARCH = (*TIGER, "--target", "8%", "--allow", "two-card 6=8..15", "--allow", "Three-card 6=15..30")


def test_pay_tables_are_compared_with_the_game() -> None:
    told = run_json(*TIGER, "--try", "12, 25", "--try", "three-card 6=30 to 1", "--decks", "6", "--seen", "4h 4h")
    assert (told["game"], told["wager"], told["cards"], told["seen"]) == ("tiger", "Tiger", 310, ["4h", "4h"])
    assert [[line["pays"] for line in each["outcomes"]] for each in told["pay_tables"]] == [
        ["12/1", "20/1", "-1/1"],
        ["12/1", "25/1", "-1/1"],
        ["12/1", "30/1", "-1/1"],
    ]
    shoe = load("tiger").shoe(6).without([card for card in load("tiger").shoe(6).counts() if str(card) == "4h"] * 2)
    assert Fraction(told["pay_tables"][0]["house_edge"]) == odds(load("tiger"), shoe)["Tiger"].house_edge
    variant = load("tiger").with_pays({"Tiger": {"three-card 6": 25}})
    assert told["pay_tables"][1]["digest"] == variant.digest
    assert Fraction(told["pay_tables"][1]["house_edge"]) == odds(variant, shoe)["Tiger"].house_edge
    shares = [Fraction(each["share_of_return"]) for each in told["pay_tables"][1]["outcomes"]]
    assert sum(shares) == 1


def test_people_see_every_line() -> None:
    shown = run(*TIGER, "--try", "12,25")
    assert "the game's own   two-card 6     12 to 1    3.7247%          58.1167%     16.6836%   5.3864%" in shown
    assert "variant 1        two-card 6     12 to 1    3.7247%          52.8467%      8.3751%   5.3864%" in shown
    assert "the game's own" in run(*TIGER)


def test_the_nearest_pay_tables_are_found() -> None:
    told = run_json(*SEARCH, "--most", "3", "--monotone", "--at-least", "8%", "--at-most", "0.1")
    found = find_pay_tables(
        load("tiger"), "Tiger", "8%", {"two-card 6": range(8, 16), "three-card 6": range(15, 31)}, at_least="8%"
    )
    assert [Fraction(each["house_edge"]) for each in told["pay_tables"]] == [
        each.house_edge for each in found.tables[:3]
    ]
    assert (told["target_house_edge"], told["most_house_edge"]) == ("2/25", "1/10")
    assert (told["combinations"], told["most"]) == (128, 3)
    assert told["allowed"]["two-card 6"][:2] == ["8/1", "9/1"]
    assert Fraction(told["pay_tables"][0]["distance"]) == found[0].house_edge - Fraction(2, 25)
    shown = run(*SEARCH, "--whole")
    assert "13 to 1        23 to 1      7.9738%      -0.0262%" in shown
    assert "None of 128 pay tables meets these conditions." in run(*SEARCH, "--at-least", "90%")


def test_figures_are_written_to_files(tmp_path: Path) -> None:
    table, text = tmp_path / "pays.parquet", tmp_path / "pays.csv"
    run(*TIGER, "--try", "12,25", "-o", str(table), "-o", str(text))
    assert polars.read_parquet(table).height == polars.read_csv(text).height == 6


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--try", "12"), "Tiger has 2 winning lines: two-card 6, three-card 6; expected a ratio for each, found 1"),
        (("--try", "two-card 6=3,4"), "expected OUTCOME=RATIO for each outcome, or ratios alone"),
        (("--try", "two-card=3"), "Tiger has no paying outcome 'two-card'; did you mean two-card 6"),
        (("--try", "12,-5"), "Tiger, three-card 6: expected a ratio such as"),
        (("--try", "12,25", "--target", "8%"), "ask one at a time"),
        (("--target", "8%"), "--target needs the ratios to choose from"),
        (("--allow", "win=2"), "--allow belongs to a search: it needs --target"),
        (("--most", "2"), "--most belongs to a search: it needs --target"),
        (("--at-least", "2%"), "--at-least belongs to a search: it needs --target"),
        (("--target", "8%", "--allow", "8..15"), "expected OUTCOME=RATIOS, once for each outcome"),
        (("--target", "8%", "--allow", "two-card 6=8..1"), "expected a range such as"),
        (("--target", "8%", "--allow", "two-card 6=1", "--allow", "Two-card 6=2"), "once for each outcome"),
        (("--target", "8%", "--allow", "two-card 6=1", "--most", "0"), "--most: expected 1 to 1,000, not 0"),
        (("--target", "high", "--allow", "two-card 6=1"), "expected an edge such as"),
        (("--decks", "3"), "is played with 4 to 10 decks, not 3 (Tiger Baccarat 2.1)"),
        (("-o", "pays.txt"), "expected a file name that ends in .csv or .parquet"),
    ],
)
def test_bad_input_is_refused_in_one_line(words: tuple[str, ...], sentence: str) -> None:
    assert sentence in refused(*TIGER, *words)


def test_a_wager_that_the_game_does_not_have() -> None:
    assert "has no wager 'Tigre'" in refused("pays", "tiger", "--wager", "Tigre")
