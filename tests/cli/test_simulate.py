"""``punto simulate``, as typed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path

import polars
import psutil  # type: ignore[import-untyped]
import pytest
from support.command import punto, refused, run_json

from punto import APPROVED, __version__, load, odds

PUNTO = [sys.executable, "-m", "punto"]


@pytest.mark.parametrize("game", APPROVED)
def test_the_answer_has_the_promised_shape(game: str) -> None:
    told = run_json("simulate", game, "--shoes", "300", "--seed", "5", "--decks", "6")
    assert (told["game"], told["shoes"], told["seed"], told["decks"], told["cut"]) == (game, 300, 5, 6, 14)
    exact = odds(game, 6)
    for each, wager in zip(told["wagers"], load(game).wagers, strict=True):
        assert each["return"] == each["mean_return"]
        expected = exact[wager.name].expected_return
        assert Fraction(each["exact"]["expected_return"]) == expected
        error = each["standard_error"]
        assert each["z"] == pytest.approx(float(Fraction(each["mean_return"]) - expected) / error)
        assert [one["outcome"] for one in each["outcomes"]] == [line.outcome for line in wager.outcomes]
        assert sum(one["count"] for one in each["outcomes"]) == told["rounds"]
        gained = sum(one["count"] * Fraction(one["pays"]) for one in each["outcomes"])
        assert Fraction(each["return"]) == gained / told["rounds"] == -Fraction(each["house_edge"])
        assert 0 < each["standard_error"] < 1


def test_people_are_shown_exact_odds_beside_it() -> None:
    code, out, err = punto("simulate", "tiger", "--shoes", "2000", "--timing")
    assert code == 0
    assert "Tiger Baccarat, 16" in out
    assert "14.3596%" in out  # the exact edge of Tie
    assert err.startswith("dealing ")
    assert punto("simulate", "tiger", "--shoes", "50")[2] == ""  # no bar where there is no terminal


def test_shoes_are_dealt_as_asked(tmp_path: Path) -> None:
    few = tmp_path / "few.json"
    few.write_text(json.dumps({"As": 4, "9h": 4, "Kd": 4, "4c": 4}))
    arguments = ("simulate", "tiger", "--shoes", "500", "--shoe", str(few), "--cut", "0", "--seen", "As")
    told = run_json(*arguments)
    assert told["wagers"][0]["outcomes"][-1]["outcome"] == "void"
    burnt = run_json(*arguments, "--burn", "first-card", "--rounds-after", "1")
    assert 0 < burnt["rounds"] < told["rounds"]


def test_every_round_is_written_to_a_file(tmp_path: Path) -> None:
    file, picture = tmp_path / "rounds.parquet", tmp_path / "returns.svg"
    told = run_json("simulate", "baccarat", "--shoes", "700", "-o", str(file), "-o", str(picture))
    frame = polars.read_parquet(file)
    assert len(frame) == told["rounds"]
    assert (frame["shoe"].min(), frame["shoe"].max(), frame["shoe"].n_unique()) == (1, 700, 700)
    ties = told["wagers"][2]["outcomes"][0]["count"]
    assert frame.filter(polars.col("winner") == "tie").height == ties
    assert "standard errors from exact" in picture.read_text("utf-8")


def test_a_file_of_rounds_says_where_it_comes_from(tmp_path: Path) -> None:
    file, book = tmp_path / "rounds.parquet", load("tiger")
    dealt = ("--shoes", "50", "--decks", "6", "--cut", "30", "--burn", "3", "--seed", str(2**64))
    told = run_json("simulate", "tiger", *dealt, "-o", str(file))
    about = json.loads(polars.read_parquet_metadata(file)["punto"])
    assert (about["game"], about["version"], about["digest"]) == ("tiger", "3", book.digest)
    assert about["software"] == f"punto {__version__}"
    for name in ("seed", "shoes", "cards", "decks", "cut", "burn", "rounds_after"):
        assert about[name] == told[name], name
    frame = polars.read_parquet(file)
    assert list(about["columns"]) == frame.columns
    assert [each["class"] for each in about["classes"]] == list(range(1, len(about["classes"]) + 1))
    assert set(frame["class"]) <= {each["class"] for each in about["classes"]}
    for each in told["wagers"]:
        name = each["wager"]
        parts = about["parts_per_unit"][name] * frame.height
        assert Fraction(int(frame[f"return_{name}"].sum()), parts) == Fraction(each["mean_return"]), name


@pytest.mark.long
def test_memory_does_not_grow_with_the_number_of_shoes(tmp_path: Path) -> None:
    measured = "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
    program = f"import resource, sys; from punto.cli.main import main; main(sys.argv[1:]); {measured}"

    def peak(shoes: int) -> int:
        arguments = ["simulate", "tiger", "--shoes", str(shoes), "--workers", "1"]
        written = ["-o", str(tmp_path / "rounds.parquet")] if shoes <= 40_000 else []
        done = subprocess.run(
            [sys.executable, "-c", program, *arguments, *written], capture_output=True, text=True, check=True
        )
        return int(done.stderr.split()[-1])

    assert peak(400_000) < 1.15 * peak(60_000)
    assert peak(20_000) < 1.25 * peak(5_000)


@pytest.mark.long
def test_an_interruption_gives_what_is_finished() -> None:
    endless = [*PUNTO, "simulate", "tiger", "--shoes", "999999999", "--workers", "2", "--json"]
    alone = os.environ | {"OPENBLAS_NUM_THREADS": "1"}  # no threads but those that deal
    with subprocess.Popen(endless, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=alone) as process:
        until = time.monotonic() + 60
        while psutil.Process(process.pid).num_threads() < 3 and time.monotonic() < until:
            time.sleep(0.1)  # its threads begin when everything is compiled
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert err == "punto: interrupted: the answer covers what was finished\n"
    told = json.loads(out)
    assert told["partial"] is True
    assert 0 < told["shoes"] < 999_999_999
    exact = odds(load("tiger"))
    for each in told["wagers"]:
        z = (Fraction(each["return"]) - exact[each["wager"]].expected_return) / Fraction(each["standard_error"])
        assert abs(z) < 5


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("tiger", "--shoes"),
        ("tiger --shoes 0", "--shoes: expected a number above zero"),
        ("tiger --shoes many", "expected a whole number"),
        ("tiger --shoes 1 --decks 11", "is played with 4 to 10 decks"),
        ("tiger --shoes 1 --cut 416", "the cutting card lies 0 to 415 cards from the end"),
        ("tiger --shoes 1 --burn some", "expected a whole number or first-card"),
        ("tiger --shoes 1 --burn -1", "burn first-card, or 0 to 415"),
        ("tiger --shoes 1 --rounds-after -1", "rounds after the cutting card"),
        ("tiger --shoes 1 --workers 0", "--workers: expected 1 to 1024"),
        ("tiger --shoes 1 --workers 99999", "--workers: expected 1 to 1024"),
        ("tiger --shoes 1 --burn 415", "no round can be dealt"),
        ("tiger --shoes 9999999999", "of at most nine digits"),
        ("tiger --shoes 1 --on paper", "invalid choice: 'paper'"),
        ("tiger --shoes 1 -o a.csv", "expected a file name that ends in .parquet"),
        ("tiger --shoes 1 -o /none/a.parquet", "cannot be written"),
        ("tiger --shoes 1 -o a.doc", "expected a file name that ends in .parquet, .svg"),
        ("roulette --shoes 1", "there is no game 'roulette'"),
    ],
)
def test_bad_input_gets_a_sentence(arguments: str, sentence: str) -> None:
    assert sentence in refused("simulate", *arguments.split())


def test_with_rounds_that_run_out_there_is_no_z() -> None:
    code, out, _ = punto("simulate", "tiger", "--shoes", "300", "--cut", "0")
    assert code == 0
    assert "Some rounds ran out of cards" in out
    assert "void" in out
