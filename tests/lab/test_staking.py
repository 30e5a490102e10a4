"""Staking plans: against plain reckoning round by round, and against the exact figures of flat stakes."""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
import time
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import pytest
from reference import slow_dealer
from support.command import punto, refused, run_json

from punto import load, odds, settle
from punto.lab.bankrolls.staking import PLANS, PlanInput, Terms, staking
from punto.simulate import Shoes

WIN, LOSS, PUSH = 20, -20, 0


def _stakes(plan: str, *gains: int) -> list[int]:
    """What a plan stakes, one round after the other."""
    play, staked = PlanInput(parts=20, bankroll_parts=2000), []
    for gain in (*gains, 0):
        staked.append(PLANS[plan](play))
        play.last_stake, play.last_gain = staked[-1], gain
    return staked


@pytest.mark.parametrize(
    ("plan", "gains", "stakes"),
    [
        ("flat", [LOSS, WIN, PUSH], [1, 1, 1, 1]),
        ("martingale", [LOSS, LOSS, PUSH, LOSS, WIN, PUSH], [1, 2, 4, 4, 8, 1, 1]),
        ("d-alembert", [LOSS, LOSS, WIN, PUSH, WIN, WIN], [1, 2, 3, 2, 2, 1, 1]),
        ("fibonacci", [LOSS, LOSS, LOSS, LOSS, PUSH, WIN, WIN, WIN], [1, 1, 2, 3, 5, 5, 2, 1, 1]),
        ("paroli", [WIN, PUSH, WIN, WIN, WIN, LOSS], [1, 2, 2, 4, 1, 2, 1]),
    ],
)
def test_plans_stake_what_they_say(plan: str, gains: list[int], stakes: list[int]) -> None:
    assert _stakes(plan, *gains) == stakes


def test_sessions_are_the_shoes_round_by_round() -> None:
    """The first sessions again, dealt slowly and reckoned in fractions."""
    book, terms = load("baccarat"), Terms(bankroll=12, minimum=2, maximum=6, longest=40)
    found = staking(book, "Banker", PLANS["martingale"], 30, terms, seed=8)
    wager = book.wager("Banker")
    gains = (
        settle(wager, coup).pays
        for shoe in slow_dealer.shoes(8, 40, slow_dealer.in_order(book.shoe(8).counts()), 14, 0)
        for coup in slow_dealer.rounds(shoe, 14, 0, 0)
        if coup
    )
    for session in found.sessions:
        bankroll, path, last, uncovered = Fraction(12), list[Fraction](), (0, Fraction(0)), False
        while len(path) < 40:
            units, gain = last
            units = 2 * units if units and gain < 0 else units if units and gain == 0 else 1
            stake = min(6, 2 * units)
            if stake > bankroll:
                uncovered = True
                break
            last = units, next(gains)
            bankroll += stake * last[1]
            path.append(bankroll)
        assert session.path == tuple(path)
        assert (session.final, session.uncovered, session.rounds) == (bankroll, uncovered, len(path))
        assert session.ruined == (bankroll < 2)
        peaks = [max([Fraction(12), *path[: at + 1]]) for at in range(len(path))]
        assert session.drawdown == max((peak - each for peak, each in zip(peaks, path, strict=True)), default=0)
        assert session.lowest == min([Fraction(12), *path])


@pytest.mark.long
def test_whatever_the_plan_the_house_keeps_its_edge() -> None:
    book = load("tiger")
    edge = odds(book)["Player"].house_edge
    for plan in PLANS.values():
        found = staking(book, "Player", plan, 400, Terms(bankroll=10**6, longest=500), seed=1, followed=0)
        assert found.ruin_probability == 0
        assert abs(found.lost_per_unit_staked - edge) < Fraction(1, 50)
        assert found.mean_rounds == 500


@pytest.mark.long
def test_the_staking_command_tells_and_draws(tmp_path: Path) -> None:
    picture = tmp_path / "bankrolls.svg"
    arguments = ("staking", "tiger", "--wager", "Banker", "--plan", "paroli", "--sessions", "50", "--rounds", "80")
    told = run_json(*arguments, "-o", str(picture))
    assert (told["sessions"], told["plan"], told["bankroll"]) == (50, "paroli", 100)
    assert [each["share"] for each in told["quantiles"]] == ["1/20", "1/4", "1/2", "3/4", "19/20"]
    assert "sessions that end there" in picture.read_text("utf-8")
    code, out, _ = punto(*arguments)
    assert code == 0
    assert "lost of every unit staked" in out


def test_a_plan_of_ones_own_is_played(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    plans = """
import sys
def never(play): return 0
def nonsense(play): return 1.5
def less(play): return -1
def fails(play): raise KeyError("what")
def cheats(play):
    play.bankroll_parts = 10**9
    return 1
nothing = None
"""
    (tmp_path / "my_plans.py").write_text(plans)
    (tmp_path / "leaves.py").write_text("import sys; sys.exit(0)")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", list(sys.path))
    arguments = ("staking", "tiger", "--wager", "tie", "--sessions", "3", "--plan")
    told = run_json(*arguments, "my_plans:never")
    assert (told["mean_result"], told["mean_rounds"]) == ("0/1", "600/1")
    assert Fraction(run_json(*arguments, "my_plans:cheats")["mean_result"]) < 10**6
    assert "the plan fails in round 1: TypeError" in refused(*arguments, "my_plans:nonsense")
    assert "the plan wants to stake -1 units in round 1: 0 sits it out" in refused(*arguments, "my_plans:less")
    assert "the plan fails in round 1: KeyError: 'what'" in refused(*arguments, "my_plans:fails")
    assert "expected a function" in refused(*arguments, "my_plans:nothing")
    assert "AttributeError" in refused(*arguments, "my_plans:none")
    assert "SystemExit" in refused(*arguments, "leaves:plan")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("staking tiger --wager Lucky", "--wager: Tiger Baccarat has no wager 'Lucky'; it has Player, Banker"),
        ("staking tiger --wager Tie --burn 415", "no round can be dealt"),
        ("staking tiger --wager Tie --plan hope", "--plan: expected flat, martingale"),
        ("staking tiger --wager Tie --plan no_such_module:plan", "--plan no_such_module:plan: ModuleNotFoundError"),
        ("staking tiger --wager Tie --bankroll 0", "expected a bankroll that covers the minimum"),
        ("staking tiger --wager Tie --minimum 5 --maximum 4", "expected limits from 1 unit up"),
        ("staking tiger --wager Tie --sessions 0", "expected at least one session"),
        ("staking tiger --wager Tie -o a.txt", "expected a file name that ends in .svg"),
        ("staking tiger --wager Tie --workers 0", "--workers: expected 1 to 1024"),
    ],
)
def test_bad_input_gets_a_sentence(arguments: str, sentence: str) -> None:
    assert sentence in refused(*arguments.split())


def test_a_plan_moves_in_units_of_the_least_stake() -> None:
    found = staking(load("baccarat"), "Player", PLANS["paroli"], 5, Terms(1000, 10, 1000, 25), followed=5)
    moves = {abs(after - before) for each in found.sessions for before, after in pairwise((Fraction(1000), *each.path))}
    assert moves <= {Fraction(0), Fraction(10), Fraction(20), Fraction(40)}
    assert max(moves) > 10


def test_a_bankroll_gone_in_the_last_round_is_ruin() -> None:
    found = staking(load("baccarat"), "Player", PLANS["flat"], 400, Terms(bankroll=1, longest=1))
    assert found.uncovered_probability == 0
    assert Fraction(2, 5) < found.ruin_probability < Fraction(1, 2)


# --- names, types, errors --------------------------------------------------------------------------------------------


def test_a_plan_is_given_by_its_name() -> None:
    book = load("baccarat")
    assert staking(book, "banker", "paroli", 5).sessions == staking(book, "Banker", PLANS["paroli"], 5).sessions


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"game": 8}, "expected a game: a rulebook, a key such as tiger"),
        ({"wager": 3}, "expected the name of a wager, not 3"),
        ({"plan": "hope"}, "there is no plan 'hope'; plans are flat, martingale"),
        ({"plan": 2}, "expected a plan: a function, or one of flat"),
        ({"sessions": 2.5}, "sessions: expected a whole number, not 2.5"),
        ({"sessions": 0}, "expected at least one session"),
        ({"terms": 100}, "expected Terms, not 100"),
        ({"seed": "x"}, "seed: expected a whole number, not 'x'"),
        ({"shoe": 8}, "expected Shoes, not 8"),
        ({"followed": None}, "followed: expected a whole number"),
        ({"workers": 0}, "expected a number of workers above zero"),
        ({"seed": True}, "seed: expected a whole number, not True"),
        ({"progress": "x"}, "expected a function as progress, found 'x'"),
    ],
)
def test_what_is_given_wrongly_gets_a_sentence(wrong: dict[str, Any], sentence: str) -> None:
    given: dict[str, Any] = {"game": load("tiger"), "wager": "Tie", "plan": "flat", "sessions": 1}
    with pytest.raises((TypeError, ValueError), match=sentence):
        staking(**(given | wrong))


def test_all_processors_play_unless_a_number_is_given() -> None:
    one = staking("baccarat", "Banker", "paroli", 401, workers=1)
    assert one.sessions == staking("baccarat", "Banker", "paroli", 401, workers=None).sessions


def test_terms_are_whole_numbers() -> None:
    with pytest.raises(TypeError, match="bankroll: expected a whole number, not"):
        Terms(bankroll=cast("int", 2.5))


@pytest.mark.long
def test_every_figure_has_the_error_that_repeated_samples_show() -> None:
    """Twenty-five samples of forty sessions: their figures spread as the standard error says."""
    book, terms = load("baccarat"), Terms(bankroll=6, longest=30)
    samples = [staking(book, "Banker", "d-alembert", 40, terms, seed=each, followed=0) for each in range(25)]
    figures = {
        "uncovered_probability": "uncovered_standard_error",
        "ruin_probability": "ruin_standard_error",
        "ahead": "ahead_standard_error",
        "mean_result": "mean_result_standard_error",
        "mean_rounds": "mean_rounds_standard_error",
        "lost_per_unit_staked": "lost_standard_error",
    }
    for figure, error in figures.items():
        values = [float(getattr(each, figure)) for each in samples]
        mean = sum(values) / len(values)
        spread = (sum((value - mean) ** 2 for value in values) / (len(values) - 1)) ** 0.5
        stated = (sum(getattr(each, error) ** 2 for each in samples) / len(samples)) ** 0.5
        assert 0.6 < spread / stated < 1.5, figure


def test_flat_stakes_agree_with_the_exact_figures() -> None:
    """A bankroll of 30 chips in stakes of 2, through shoes of six decks."""
    book, shoe = load("tiger"), Shoes.of(load("tiger"), 6)
    found = staking(book, "Tie", "flat", 1500, Terms(30, 2, 1000, 60), seed=4, shoe=shoe, followed=0)
    exact = found.exact
    assert exact
    assert exact.bankroll == 15
    pairs = [
        (found.ruin_probability, found.ruin_standard_error, float(exact.ruin)),
        (found.uncovered_probability, found.uncovered_standard_error, float(exact.uncovered)),
        (found.ahead, found.ahead_standard_error, float(exact.ahead)),
        (found.mean_rounds, found.mean_rounds_standard_error, float(exact.mean_rounds)),
        (found.mean_result, found.mean_result_standard_error, 2 * float(exact.mean_result)),
        (found.lost_per_unit_staked, found.lost_standard_error, float(odds(book, 6)["Tie"].house_edge)),
    ]
    for simulated, error, expected in pairs:
        assert error is not None
        assert abs(float(simulated) - expected) < 4 * error
    assert staking(book, "Tie", "paroli", 1).exact is None
    assert found.odds.house_edge == odds(book, 6)["Tie"].house_edge


# --- workers, progress, interruptions --------------------------------------------------------------------------------


def test_the_answer_does_not_depend_on_the_number_of_workers() -> None:
    told: list[tuple[int, int]] = []
    book, terms = load("tiger"), Terms(longest=12)
    alone = staking(book, "Tie", "fibonacci", 450, terms, seed=2, progress=lambda *done: told.append(done))
    shared = staking(book, "Tie", lambda play: PLANS["fibonacci"](play), 450, terms, seed=2, workers=2)
    assert alone.sessions == shared.sessions
    first, second = ([each.final for each in alone.sessions[at : at + 50]] for at in (0, 200))
    assert first != second
    assert told[-1] == (450, sum(each.rounds for each in alone.sessions))
    assert [done for done, _ in told] == list(range(1, 451))


def test_a_plan_that_fails_fails_in_every_process() -> None:
    with pytest.raises(ValueError, match="the plan wants to stake -1 units"):
        staking(load("tiger"), "Tie", lambda _: -1, 450, workers=2)


def test_an_interruption_gives_the_sessions_that_are_finished() -> None:
    def stop(sessions: int, _: int) -> None:
        if sessions == 7:
            raise KeyboardInterrupt

    book = load("tiger")
    found = staking(book, "Tie", "flat", 30, progress=stop)
    assert (len(found.sessions), found.partial) == (7, True)
    assert found.sessions == staking(book, "Tie", "flat", 7).sessions
    assert repr(found).endswith(", partial>")
    assert "stopped before the end" in found._repr_html_()


@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.long
def test_an_interrupted_command_tells_what_is_finished(workers: str, tmp_path: Path) -> None:
    """Interrupted as a terminal does it, with all its processes, after the first chunk of sessions."""
    (tmp_path / "marked.py").write_text(MARKED_PLAN)
    endless = [sys.executable, "-m", "punto", "staking", "tiger", "--wager", "Tie", "--sessions", "99999999", "--json"]
    arguments = [*endless, "--rounds", "5", "--workers", workers, "--plan", "marked:plan"]
    alone = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    with subprocess.Popen(
        arguments, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=alone, start_new_session=True
    ) as process:
        until = time.monotonic() + 60
        while process.poll() is None and not (tmp_path / "begun").exists() and time.monotonic() < until:
            time.sleep(0.05)
        time.sleep(0.5)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert b"Traceback" not in err
    told = json.loads(out)
    assert told["partial"] is True
    assert 0 < told["sessions"] < 99_999_999


MARKED_PLAN = """
from pathlib import Path
asked = 0
def plan(play):
    global asked
    asked += 1
    if asked == 2000:
        Path("begun").touch()
    return 1
"""


def test_the_command_tells_exact_figures_beside_simulated_ones() -> None:
    arguments = ("staking", "tiger", "--wager", "Tie", "--sessions", "40", "--rounds", "50", "--bankroll", "20")
    told = run_json(*arguments)
    assert told["exact"]["ruin_probability_rounded"] == pytest.approx(
        run_json("bankroll", "tiger", "--wager", "Tie", "--rounds", "50", "--bankroll", "20")["session"][
            "ruin_probability_rounded"
        ]
    )
    assert (told["rounds"], told["minimum"], told["maximum"], told["cards"]) == (50, 1, 1000, 416)
    for figure in ("uncovered", "ruin", "ahead", "mean_result", "mean_rounds", "lost"):
        assert f"{figure}_standard_error" in told
    assert run_json(*arguments, "--plan", "paroli")["exact"] is None
    code, out, _ = punto(*arguments)
    assert code == 0
    assert "Exact: for independent rounds" in out


def test_sessions_can_be_pickled() -> None:
    found = staking(load("tiger"), "Tie", "flat", 3)
    assert pickle.loads(pickle.dumps(found.sessions)) == found.sessions
