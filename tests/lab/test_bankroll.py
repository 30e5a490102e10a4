"""Bankrolls, exactly: against every sequence of outcomes, other formulas, dice, and simulated shoes."""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path
from typing import Any, cast

import numpy as np
import polars
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import bankroll as plain
from support.command import refused, run, run_json
from support.long import others_long

from punto import APPROVED, Composition, OutcomeOdds, Result, WagerOdds, load, odds, parse_cards
from punto.lab.bankrolls.bankroll import bankroll, distribution, flat_session, kelly, risk_of_ruin
from punto.lab.bankrolls.round_gains import Stakes, round_gains
from punto.odds.portfolio import portfolio
from punto.simulate.round_sequences import rounds as dealt_rounds

TIGER = load("tiger")
WAGERS = [(game, wager.name) for game in APPROVED for wager in load(game).wagers]


def chances_of(stakes: WagerOdds) -> plain.Chances:
    return [(chance.pays, chance.probability) for chance in stakes.outcomes if chance.probability]


def made_up(*chances: tuple[Fraction | int, Fraction]) -> WagerOdds:
    """Odds of nothing in particular."""
    lines = [
        OutcomeOdds(f"{gain}", Result.WIN if gain > 0 else Result.LOSE, Fraction(gain), None, 1, chance)
        for gain, chance in chances
    ]
    return WagerOdds(TIGER.wagers[0], tuple(lines))


@st.composite
def some_odds(draw: st.DrawFn) -> WagerOdds:
    """A loss of the stake and a few gains in quarters of a unit, with any chances."""
    gains = draw(st.lists(st.integers(-3, 12), min_size=1, max_size=3, unique=True))
    weights = draw(st.lists(st.integers(1, 9), min_size=len(gains) + 1, max_size=len(gains) + 1))
    each = zip((-4, *gains), weights, strict=True)
    return made_up(*((Fraction(gain, 4), Fraction(weight, sum(weights))) for gain, weight in each))


FAVOURABLE = made_up((-1, Fraction(1, 2)), (Fraction(19, 20), Fraction(9, 20)), (3, Fraction(1, 20)))
"""A mean gain of 31/400 with losses of twenty steps."""


# --- results after a number of rounds --------------------------------------------------------------------------------


@settings(max_examples=30)
@given(some_odds(), st.integers(1, 5))
def test_results_agree_with_every_sequence_of_outcomes(stakes: WagerOdds, rounds: int) -> None:
    found = distribution(stakes, rounds)
    expected = plain.results(chances_of(stakes), rounds)
    assert found.exact
    assert {result: chance for result, chance in found if chance} == expected
    assert found.ahead == sum(chance for result, chance in expected.items() if result > 0)
    assert found.behind == sum(chance for result, chance in expected.items() if result < 0)
    assert found.ahead + found.level + found.behind == 1
    assert found.mean == sum(result * chance for result, chance in expected.items())
    assert found.variance == sum(result**2 * chance for result, chance in expected.items()) - found.mean**2
    assert (found.lowest, found.highest) == (min(expected), max(expected))
    running, worst = Fraction(0), Fraction(0)
    for result, chance in sorted(expected.items()):
        if running + chance >= Fraction(1, 3):
            assert found.quantile(Fraction(1, 3)) == result
            assert found.expected_shortfall(Fraction(1, 3)) == 3 * (worst + result * (Fraction(1, 3) - running))
            break
        running, worst = running + chance, worst + result * chance
    assert found.at_most(found.quantile(Fraction(1, 3))) == sum(
        chance for result, chance in expected.items() if result <= found.quantile(Fraction(1, 3))
    )


@pytest.mark.parametrize(("game", "wager"), WAGERS)
def test_the_stated_error_of_many_rounds_is_kept(game: str, wager: str) -> None:
    stakes = odds(load(game))[wager]
    for rounds in (1, 2, 9, 120):
        exact, quick = distribution(stakes, rounds, exact=True), distribution(stakes, rounds, exact=False)
        assert (exact.error_bound, quick.exact) == (0, False)
        off = (quick.first - exact.first) // exact.gains.spacing
        inside = exact.chances[off : off + len(quick.chances)]
        error = abs(inside - quick.chances).sum() + exact.chances[:off].sum() + exact.chances[off + len(inside) :].sum()
        assert error <= quick.error_bound < 1e-11
        assert float(exact.ahead) == pytest.approx(quick.ahead, abs=quick.error_bound)
        for share in (0.025, 0.3, 0.9):
            assert exact.quantile(share) == quick.quantile(share)
            shortfall = float(exact.expected_shortfall(share))
            assert shortfall == pytest.approx(quick.expected_shortfall(share), abs=1e-8)


def test_the_transform_copes_with_zeros() -> None:
    """A fair coin's transform passes zero, where a logarithm is no help."""
    coin = made_up((-1, Fraction(1, 2)), (1, Fraction(1, 2)))
    for rounds in (1, 2, 3, 4, 64):
        found = distribution(coin, rounds, exact=False)
        whole = [math.comb(rounds, wins) / 2**rounds for wins in range(rounds + 1)]
        assert found.first == -rounds
        assert abs(found.chances - whole).sum() <= found.error_bound < 1e-12


@pytest.mark.parametrize("rounds", [100_000, 10_000_000])
def test_a_great_many_rounds_are_near_to_normal(rounds: int) -> None:
    found = distribution(odds(TIGER)["Banker"], rounds)
    assert not found.exact
    assert found.error_bound < 1e-10
    assert float(found.chances.sum()) == pytest.approx(1, abs=found.error_bound)
    low, high = found.band(Fraction(19, 20))
    for end, z in ((low, -1.959964), (high, 1.959964)):
        assert float(end - found.mean) == pytest.approx(z * found.deviation, rel=2e-3)
    at = found.chances @ (found.first + found.gains.spacing * np.arange(len(found.chances))) / found.gains.parts
    assert at == pytest.approx(float(found.mean), rel=1e-9)


def test_nothing_is_told_that_cannot_happen() -> None:
    """The normal approximation puts 50 rounds of Big Tiger between -195% and +164%."""
    found = distribution(odds(TIGER)["Big Tiger"], 50)
    assert found.band(Fraction(19, 20)) == (Fraction(-50), Fraction(103))
    assert found.lowest == -50
    assert found.expected_shortfall(Fraction(1, 20)) == -50
    assert found.at_most(-51) == found.probability(Fraction(1, 2)) == found.probability(10**9) == 0
    assert found.at_most(10**9) == 1


def test_results_as_a_frame() -> None:
    found = distribution(odds(TIGER)["Player"], 3)
    frame = found.to_frame()
    assert frame["result"].to_list() == [-3, -2, -1, 0, 1, 2, 3]
    assert frame["at_most"][-1] == pytest.approx(1)
    assert "Result after 3 rounds" in found._repr_html_()


# --- sessions and ruin -----------------------------------------------------------------------------------------------


@settings(max_examples=20)
@given(some_odds(), st.integers(0, 14), st.integers(1, 4), st.none() | st.integers(4, 20))
def test_a_session_agrees_with_every_sequence_of_outcomes(
    stakes: WagerOdds, quarters: int, rounds: int, goal: int | None
) -> None:
    held, target = Fraction(quarters, 4), None if goal is None else Fraction(goal, 4)
    parts = round_gains(stakes).parts
    held, target = Fraction(int(held * parts), parts), target and Fraction(int(target * parts), parts)
    expected = plain.session(chances_of(stakes), held, rounds, Fraction(1), target)
    for exact in (True, False):
        found = flat_session(stakes, held, rounds, target, exact)
        told = found.ruin, found.uncovered, found.reached, found.mean_rounds
        finals = {Fraction(final, parts): chance for final, chance in found.finals}
        mean = sum(final * chance for final, chance in expected.finals.items()) - held
        if exact:
            assert told == expected[:4]
            assert finals == expected.finals
            assert found.mean_result == mean
            assert found.ahead == sum(chance for final, chance in expected.finals.items() if final > held)
        else:
            assert told == pytest.approx(tuple(map(float, expected[:4])), abs=found.error_bound)
            assert finals == pytest.approx({key: float(value) for key, value in expected.finals.items()})
            assert found.mean_result == pytest.approx(float(mean), abs=1e-12)
        assert risk_of_ruin(stakes, held, target, rounds, exact).probability == pytest.approx(float(expected.ruin))


@pytest.mark.parametrize(("game", "wager"), [each for each in WAGERS if "Banker" not in each[1]][::3])
def test_ruin_agrees_with_hitting_times(game: str, wager: str) -> None:
    stakes = odds(load(game))[wager]
    if round_gains(stakes).parts > 1:
        return
    exact = risk_of_ruin(stakes, 6, rounds=25, exact=True).probability
    assert exact == plain.ruin_by_hitting_times(chances_of(stakes), 6, 25)
    quick = flat_session(stakes, 6, 25, exact=False)
    assert abs(float(exact) - quick.ruin) <= quick.error_bound


@settings(max_examples=12)
@given(some_odds(), st.integers(1, 3), st.integers(2, 4))
def test_ruin_before_a_target_agrees_with_all_equations(stakes: WagerOdds, held: int, target: int) -> None:
    if held >= target:
        assert risk_of_ruin(stakes, held, target).probability == 0
        return
    expected = plain.ruin_before(chances_of(stakes), Fraction(held), Fraction(1), Fraction(target))
    assert risk_of_ruin(stakes, held, target, exact=True).probability == expected
    quick = risk_of_ruin(stakes, held, target, exact=False)
    assert quick.low <= expected <= quick.high
    assert quick.error_bound < 1e-9


@pytest.mark.long
def test_losses_of_twenty_steps_before_a_target() -> None:
    expected = plain.ruin_before(chances_of(FAVOURABLE), Fraction(3), Fraction(1), Fraction(5))
    assert risk_of_ruin(FAVOURABLE, 3, 5, exact=True).probability == expected
    quick = risk_of_ruin(FAVOURABLE, 3, 5)
    assert (quick.exact, quick.low <= expected <= quick.high) == (False, True)


def test_for_ever_the_house_wins(book: Any) -> None:
    for each in odds(book).wagers:
        assert risk_of_ruin(each, 1000).probability == 1
        assert risk_of_ruin(each, 1000).exact
        assert risk_of_ruin(each, 0, rounds=1).probability == 1


def test_an_even_wager_with_an_edge_is_ruined_as_the_textbook_says() -> None:
    win = Fraction(51, 100)
    found = risk_of_ruin(made_up((1, win), (-1, 1 - win)), 40)
    assert found.low <= ((1 - win) / win) ** 40 <= found.high
    assert found.error_bound < 1e-15
    fair = made_up((1, Fraction(1, 2)), (-1, Fraction(1, 2)))
    assert risk_of_ruin(fair, 10, 40).probability == Fraction(3, 4)
    assert risk_of_ruin(fair, 10).probability == 1
    quick = risk_of_ruin(fair, 1000, 40_000)
    assert quick.low <= Fraction(39, 40) <= quick.high
    assert quick.error_bound < 1e-5


@pytest.mark.parametrize(
    "stakes",
    others_long(
        [
            FAVOURABLE,
            made_up((-1, Fraction(3, 4)), (2, Fraction(3, 20)), (9, Fraction(1, 10))),
            made_up((-1, Fraction(3, 10)), (Fraction(1, 2), Fraction(7, 10))),
            odds(TIGER, Composition(parse_cards("Qc 5d 8c 5d 5c Ts 3d Kh Ts")))["Banker"],
        ]
    ),
)
def test_for_ever_is_where_longer_and_longer_sessions_lead(stakes: WagerOdds) -> None:
    assert stakes.expected_return > 0
    found = risk_of_ruin(stakes, 8)
    sessions = [flat_session(stakes, 8, rounds).ruin for rounds in (100, 1000, 8000)]
    assert sessions == sorted(sessions)
    assert 0 <= float(found.high) - sessions[-1] < 2e-6
    assert found.error_bound < 1e-7
    assert float(risk_of_ruin(stakes, 8, 60).probability) <= found.high


def test_stakes_that_never_lose_never_ruin() -> None:
    assert risk_of_ruin(made_up((0, Fraction(1, 2)), (1, Fraction(1, 2))), 1).probability == 0


def test_dice_agree() -> None:
    stakes = odds(TIGER)["Small Tiger"]
    ruined, won = plain.played(chances_of(stakes), 20, 60, 4000, seed=3)
    found = flat_session(stakes, 20, 60)
    assert ruined == pytest.approx(float(found.ruin), abs=4 * math.sqrt(0.25 / 4000))
    assert won == pytest.approx(float(found.mean_result), abs=4 * 35 / math.sqrt(4000))


@pytest.mark.parametrize("wager", ["Banker", "Tie", "Small Tiger", "Tiger Pair"])
def test_simulated_shoes_agree_although_their_rounds_depend_on_each_other(wager: str) -> None:
    """The first sixty rounds of 6,000 shoes, beside sixty independent ones."""
    stakes, played = odds(TIGER)[wager], 60
    results = []
    for block in dealt_rounds(TIGER, 6000, seed=21):
        gains, parts = block.returns(TIGER.wager(wager))
        early = block.number <= played
        results.append(np.bincount(block.shoe[early] - block.shoe[0], weights=gains[early]) / parts)
    sums = np.concatenate(results)
    found = distribution(stakes, played)
    assert len(sums) == 6000
    assert abs(sums.mean() - float(found.mean)) < 4 * found.deviation / math.sqrt(len(sums))
    kurtosis = float(((sums - sums.mean()) ** 4).mean() / sums.var() ** 2)
    assert sums.var() / float(found.variance) == pytest.approx(1, abs=4 * math.sqrt((kurtosis - 1) / len(sums)))
    for share in (0.1, 0.5, 0.9):
        at = found.quantile(share)
        expected = float(found.at_most(at))
        spread = math.sqrt(expected * (1 - expected) / len(sums))
        assert (sums <= float(at) + 1e-9).mean() == pytest.approx(expected, abs=4 * spread)


# --- Kelly stakes ----------------------------------------------------------------------------------------------------


@settings(max_examples=60)
@given(some_odds())
def test_the_kelly_stake_is_where_growth_stops_rising(stakes: WagerOdds) -> None:
    found, chances = kelly(stakes), chances_of(stakes)
    if stakes.expected_return <= 0:
        assert found.low == found.high == found.growth == 0
        return
    assert 0 <= found.low <= found.high < 1
    assert found.high - found.low <= Fraction(1, 2**64)
    assert plain.slope(chances, found.low) >= 0 >= plain.slope(chances, found.high)
    assert found.growth > 0
    nearby = (0.9 * found.fraction, found.fraction + 0.1 * (1 - found.fraction))
    for share in nearby:
        assert sum(float(chance) * math.log1p(share * float(gain)) for gain, chance in chances) <= found.growth


def test_known_kelly_stakes() -> None:
    assert kelly(made_up((1, Fraction(11, 20)), (-1, Fraction(9, 20)))).low == Fraction(1, 10)
    with_pushes = kelly(made_up((2, Fraction(2, 10)), (-1, Fraction(3, 10)), (0, Fraction(1, 2))))
    assert (with_pushes.low, with_pushes.exact) == (Fraction(1, 10), True)
    certain = portfolio(TIGER, {"Tie": 1}, Composition(parse_cards("Kh Kd Ks Kc Qh Qd")))
    assert kelly(certain).fraction == 1


# --- portfolios, the study, the command ------------------------------------------------------------------------------


def test_a_portfolio_is_played_like_a_wager() -> None:
    both = portfolio(load("baccarat"), {"Player": 1, "Tie": Fraction(1, 2)})
    expected = plain.session(list(both.outcomes), Fraction(3), 4, Fraction(3, 2))
    found = flat_session(both, 3, 4)
    assert (found.ruin, found.mean_rounds) == (expected.ruin, expected.mean_rounds)
    assert distribution(both, 2).mean == 2 * both.expected_gain
    assert risk_of_ruin(both, 5, 9).low > Fraction(1, 2)


def test_the_study_of_a_bankroll() -> None:
    found = bankroll(odds(TIGER)["Small Tiger"], 100, 600)
    assert found.session.ruin == pytest.approx(0.6355289309, abs=1e-10)
    assert found.for_ever.probability == 1
    assert found.kelly.fraction == 0
    assert "ruined at some time" in found._repr_html_()


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda _: distribution(cast("Stakes", "Tie"), 5), "expected the odds of a wager"),
        (lambda each: distribution(each, cast("int", 2.5)), "expected a whole number of rounds, not 2.5"),
        (lambda each: distribution(each, 0), "expected 1 to 10,000,000 rounds, not 0"),
        (lambda each: distribution(each, 10**6, exact=True), "too large"),
        (lambda each: distribution(each, 5).quantile(2), "expected a share between 0 and 1, not 2"),
        (lambda each: distribution(each, 5).quantile(cast("float", "half")), "expected a share between 0 and 1"),
        (lambda each: flat_session(each, cast("int", 2.5), 5), "expected a bankroll in units"),
        (lambda each: flat_session(each, Fraction(1, 3), 5), "expected a bankroll in whole 1/1 of a unit"),
        (lambda each: flat_session(each, -1, 5), "expected a bankroll of 0 to"),
        (lambda each: flat_session(each, 1, 200_000), "expected 1 to 100,000 rounds"),
        (lambda each: flat_session(each, 1, 100_000, exact=True), "takes too long"),
        (lambda each: risk_of_ruin(each, 5, cast("int", "ten")), "expected a target in units"),
        (lambda each: risk_of_ruin(each, 5, 10**8), "is too far"),
        (lambda each: risk_of_ruin(each, 5, 10**8, exact=True), "takes too long"),
        (
            lambda each: bankroll(each, 100, 5, target=50),
            "at least the bankroll, 100 units, not 50",
        ),
        (lambda _: kelly(cast("Stakes", None)), "expected the odds of a wager"),
        (lambda each: distribution(each, 5, exact=cast("bool", "no")), "expected True or False as exact, found 'no'"),
        (lambda each: flat_session(each, 5, 5, exact=cast("bool", 1)), "expected True or False as exact, found 1"),
        (lambda each: risk_of_ruin(each, 5, exact=cast("bool", 1)), "expected True or False as exact, found 1"),
        (lambda each: distribution(each, 5).at_most(cast("int", "x")), "expected a result as a number, found 'x'"),
        (
            lambda each: distribution(each, 5).probability(cast("int", None)),
            "expected a result as a number, found None",
        ),
    ],
)
def test_wrong_types_and_values_get_a_sentence(call: Any, sentence: str) -> None:
    with pytest.raises((TypeError, ValueError), match=sentence):
        call(odds(TIGER)["Small Tiger"])


SMALL_TIGER = ("bankroll", "tiger", "--wager", "small tiger", "--bankroll", "100", "--rounds", "600")


def test_the_command_tells_what_the_library_computes() -> None:
    told, found = run_json(*SMALL_TIGER), bankroll(odds(TIGER)["Small Tiger"], 100, 600)
    assert told["stakes"] == [{"wager": "Small Tiger", "units": "1/1", "units_rounded": 1.0}]
    assert Fraction(told["house_edge"]) == odds(TIGER)["Small Tiger"].house_edge
    assert Fraction(told["distribution"]["expected_result"]) == found.result.mean
    assert told["distribution"]["deviation"] == found.result.deviation
    assert told["distribution"]["ahead_rounded"] == float(found.result.ahead)
    assert [Fraction(each["net_result"]) for each in told["distribution"]["quantiles"]] == [-255, -163, -94, -25, 90]
    assert told["session"]["ruin_probability_rounded"] == found.session.ruin
    assert told["session"]["ruin_probability"] is None  # computed in floating point
    assert set(told["ruin_for_ever"].values()) == {"1/1", 1.0}
    assert (told["kelly"]["fraction"], told["kelly"]["fraction_rounded"]) == ("0/1", 0)


def test_the_command_tells_people(tmp_path: Path) -> None:
    out = run(*SMALL_TIGER, "--target", "150")
    for words in ("-86.00 units, deviation 106.69", "before 150 are reached", "none: there is no edge", "independent"):
        assert words in out
    files = [tmp_path / "results.csv", tmp_path / "results.parquet"]
    run("bankroll", "baccarat", "--wager", "Player", "--rounds", "9", *(f"-o{file}" for file in files))
    frames = [polars.read_csv(files[0]), polars.read_parquet(files[1])]
    assert frames[0]["result"].to_list() == frames[1]["result"].to_list() == list(range(-9, 10))


def test_the_command_takes_several_wagers_and_any_shoe(tmp_path: Path) -> None:
    several = ("--wager", "Player=2", "--wager", "Tie=1/2", "--wager", "banker=0.5")
    told = run_json("bankroll", "baccarat", *several, "--decks", "6", "--seen", "4h Ks", "--rounds", "20")
    assert told["cards"] == 310
    assert [each["units"] for each in told["stakes"]] == ["2/1", "1/2", "1/2"]
    shoe = Composition.of_decks(6).without(parse_cards("4h Ks"))
    stakes = {"Player": Fraction(2), "Tie": Fraction(1, 2), "Banker": Fraction(1, 2)}
    assert Fraction(told["house_edge"]) == portfolio(load("baccarat"), stakes, shoe).house_edge
    few = tmp_path / "few.json"
    few.write_text('{"Qc": 1, "5d": 2, "8c": 1, "5c": 1, "Ts": 2, "3d": 1, "Kh": 1}')
    told = run_json("bankroll", "tiger", "--wager", "Banker", "--shoe", str(few))
    assert 0 < told["kelly"]["fraction_rounded"] < 1
    assert 0 < told["ruin_for_ever"]["low_rounded"] < told["ruin_for_ever"]["high_rounded"] < 0.01
    assert "of the bankroll" in run("bankroll", "tiger", "--wager", "Banker", "--shoe", str(few))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("tiger", "the following arguments are required: --wager"),
        ("tiger --wager Lucky", "--wager: Tiger Baccarat has no wager 'Lucky'"),
        ("tiger --wager Tie=many", "expected units such as 2 or 1/2 after ="),
        ("tiger --wager Tie=1/0", "expected units such as 2 or 1/2 after ="),
        ("tiger --wager Tie=0", "--wager: expected a stake above zero on Tie, not 0"),
        ("tiger --wager Tie --wager tie=2", "--wager: Tie is named twice"),
        ("tiger --wager Tie --rounds 0", "expected 1 to 100,000 rounds, not 0"),
        ("tiger --wager Tie --bankroll -1", "expected a bankroll of 0 to 1,000,000,000 units, not -1"),
        ("tiger --wager Tie --target 99999999", "is too far"),
        ("tiger --wager Tie --decks 11", "is played with 4 to 10 decks"),
        ("tiger --wager Tie -o results.svg", "expected a file name that ends in .csv or .parquet"),
    ],
)
def test_bad_input_gets_one_line(arguments: str, sentence: str) -> None:
    assert sentence in refused("bankroll", *arguments.split())
