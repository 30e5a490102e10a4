"""The check of a game: what is unusual is found with its figure, in both languages, and nothing else is."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from support.command import punto as command

from punto import load, loads, odds
from punto.design import Severity, check
from punto.design.countability import counted_gains
from punto.texts import Language

LANTERN = (Path(__file__).parents[2] / "docs" / "examples" / "lantern.toml").read_text("utf-8")


def codes(text: str) -> list[tuple[str | None, str]]:
    return [(each.wager, each.code) for each in check(loads(text))]


def with_line(when: str, pays: str) -> str:
    wager = f'name = "Odd"\nclause = "2.2"\nlines = [{{ when = {{ {when} }}, pays = "{pays}", clause = "3.4" }}]\n'
    return LANTERN.replace("[clauses]", f"[[wager]]\n{wager}\n[clauses]")


@pytest.mark.parametrize(
    ("when", "pays", "code", "values"),
    [
        ('winner = "player"', "2 to 1", "favours-patron", {"house_edge": Fraction(0)}),
        ("player_pair_rank = '7', banker_pair_rank = '8'", "20000 to 1", "rare-hits", {"rounds": 0}),
        ('winner = "player"', "0.97 to 1", "rounding", {"pays": Fraction(97, 100), "chip": 100, "stake": 10_000}),
        ('margin = 9, winner = "player"', "120 to 1", "countable", {"gain": Fraction(0)}),
    ],
)
def test_what_is_unusual_is_found_with_its_figure(when: str, pays: str, code: str, values: dict[str, object]) -> None:
    assert code not in [each for _, each in codes(LANTERN)]
    book = loads(with_line(when, pays))
    found = next(each for each in check(book) if each.code == code and each.wager == "Odd")
    assert found.severity is Severity.WARNING
    edge = odds(book, 8)["Odd"]
    exact = {"house_edge": edge.house_edge, "rounds": round(1 / edge.hit_frequency)}
    expected = {name: exact.get(name, value) for name, value in values.items()} | {"gain": found.values.get("gain")}
    assert {name: found.values.get(name) for name in expected} == expected
    for language in Language:
        assert "Odd" in found.sentence(language)
        assert "{" not in found.sentence(language)


def test_an_ordinary_game_has_few_findings() -> None:
    assert codes(LANTERN) == [("Red Pair", "above-a-quarter")]
    assert [(each.wager, each.code) for each in check("tiger")] == [
        ("Banker", "rounding"),
        ("Tiger Tie", "above-a-quarter"),
    ]


def test_chips_that_pay_a_ratio_exactly_are_not_told_of() -> None:
    rounded = [each.values["stake"] for each in check("tiger", chips=(500, 100)) if each.code == "rounding"]
    assert rounded == [2000]


def test_the_estimate_orders_wagers_as_played_shoes_do() -> None:
    """What best counts gain, by play: Big Tiger and Dragon Tiger most, Player and Banker nothing."""
    gains = counted_gains(load("tiger"), odds("tiger", 8))
    assert gains["Big Tiger"] > gains["Tiger"] > gains["Player"] == gains["Banker"] == 0


def test_the_command_prints_what_the_library_finds() -> None:
    code, out, err = command("check", "tiger")
    assert (code, err) == (0, "")
    assert "Tiger Tie keeps more than a quarter of the stake: house edge 30.7354%" in out
    assert command("check", "nothing.toml")[0] == 2
