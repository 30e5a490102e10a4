"""Confidence bands of PAR sheets: against every sequence of outcomes, and never outside what can happen."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from reference import bankroll as plain
from support.pdf_text import pdf_text

from punto import OutcomeOdds, Result, Rulebook, WagerOdds, load, odds
from punto.report.par.par_sheet import band, least_return, par_json, par_sheet, write_html, write_pdf


def middle_of(chances: plain.Chances, rounds: int) -> tuple[float, float]:
    """The ends of the middle 95% of every sequence of outcomes, in percent of the stakes."""
    results = sorted(plain.results(chances, rounds).items())
    ends = []
    for share in (Fraction(1, 40), Fraction(39, 40)):
        running = Fraction(0)
        for result, chance in results:
            running += chance
            if running >= share:
                ends.append(float(100 * result / rounds))
                break
    low, high = ends
    return low, high


@pytest.mark.parametrize("rounds", [1, 2, 5])
def test_bands_agree_with_every_sequence_of_outcomes(book: Rulebook, rounds: int) -> None:
    for each in odds(book).wagers[:6]:
        chances = [(chance.pays, chance.probability) for chance in each.outcomes]
        assert band(each, rounds) == middle_of(chances, rounds)


@pytest.mark.parametrize("rounds", [1, 10, 50, 1000, 100_000, 999_999_999])
def test_no_band_leaves_what_can_happen(book: Rulebook, rounds: int) -> None:
    """The normal approximation gave -195% for 50 rounds of Big Tiger: more than is staked."""
    for each in odds(book).wagers:
        low, high = band(each, rounds)
        assert -100 <= low <= high <= 100 * max(chance.pays for chance in each.outcomes)
        if rounds >= 1000:
            assert low < float(100 * each.expected_return) < high


def test_bands_go_on_smoothly_where_results_are_no_longer_listed() -> None:
    for each in odds(load("tiger")).wagers:
        listed, beyond = band(each, 10_000_000), band(each, 10_000_001)
        assert listed == pytest.approx(beyond, abs=2e-3)


def test_a_pay_table_in_tiny_parts_has_bands_too() -> None:
    gains = [Fraction(-1), Fraction(0), Fraction(1, 7), Fraction(99_991, 100_003)]
    lines = [OutcomeOdds(f"{gain}", Result.WIN, gain, None, 1, Fraction(1, 4)) for gain in gains]
    wide = WagerOdds(load("tiger").wagers[0], tuple(lines))
    low, high = band(wide, 1_000_000)
    assert -100 < low < float(100 * wide.expected_return) < high < 100


def test_the_sheet_tells_the_bands() -> None:
    sheet = par_sheet(odds(load("tiger")), 8, (50, 20_000))
    assert sheet["rounds"] == ["50", "20,000"]
    told = {each["name"]: each["ranges"] for each in sheet["bands"]}
    assert told["Big Tiger"][0] == "-100.000 to +206.000"
    assert told["Player"][1].startswith("-2.5")


def test_a_wager_that_returns_less_than_the_standard_asks_is_named(tmp_path: Path) -> None:
    found = odds(load("tiger"))
    low = "Tiger Tie returns 69.26% of what is staked, less than the 75% that GLI-19"
    told, sheet = par_json(found, 8), par_sheet(found, 8)
    assert (told["least_return"], told["least_return_rounded"]) == ("3/4", 0.75)
    assert told["below_least_return"] == ["Tiger Tie"]
    assert told["least_return_source"].endswith(least_return().section)
    assert [each[: len(low)] for each in sheet["low_returns"]] == [low]
    write_html(sheet, tmp_path / "par.html")
    write_pdf(sheet, tmp_path / "par.pdf")
    assert low in (tmp_path / "par.html").read_text("utf-8")
    assert "69.26%" in pdf_text((tmp_path / "par.pdf").read_bytes())


def test_a_game_whose_wagers_return_enough_says_so() -> None:
    found = odds(load("baccarat"))
    least = min(1 - each.house_edge for each in found.wagers)
    assert least >= least_return().value
    assert par_json(found, 8)["below_least_return"] == []
    assert [each[:12] for each in par_sheet(found, 8)["low_returns"]] == ["Every wager "]


def test_each_reading_is_printed_with_what_is_unclear() -> None:
    readings = par_sheet(odds("tiger", 8), 8, ())["readings"]
    assert all(each["unclear"] and each["reading"] for each in readings)
