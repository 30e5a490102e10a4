"""Answers come out anywhere: on plain terminals, closed streams, full disks, and to readers who leave early."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from support.command import punto, refused, run, run_json
from support.long import others_long

from punto import load
from punto.data_frames import provenance

COUP = ["9h", "9c", "Ks", "Kd"]


def _shell(command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """What a shell makes of the command, with "punto" standing for the one under test."""
    script = re.sub(r"(?<![\w/-])punto(?= )", f"{sys.executable} -m punto", command)  # not where a path has it
    return subprocess.run(
        ["bash", "-c", f"set -o pipefail; {script}"],
        capture_output=True,
        check=False,
        env={**os.environ, **environment},
        encoding="utf-8",
        errors="replace",
    )


@pytest.mark.parametrize("encoding", others_long(["ascii", "latin-1", "cp1252"]))
@pytest.mark.parametrize("command", ["settle baccarat 9h 9c Ks Kd", "rules tiger", "games", "readings", "odds tiger"])
def test_terminals_without_the_signs_of_the_suits(command: str, encoding: str) -> None:
    done = _shell(f"punto {command}", PYTHONIOENCODING=encoding)
    assert (done.returncode, done.stderr) == (0, "")
    if command.startswith("settle"):
        assert "9h Ks" in done.stdout


def test_json_on_a_plain_terminal(tmp_path: Path) -> None:
    game = tmp_path / "game.toml"
    game.write_text(Path("docs/examples/lantern.toml").read_text("utf-8").replace('"Lantern"', '"龍虎"'), "utf-8")
    done = _shell(f"punto settle {game} 9h 9c Ks Kd --json", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert "\\u9f8d" in done.stdout


def test_closed_and_full_outputs() -> None:
    assert _shell("punto games >&-").returncode == 0
    quiet = _shell("punto nonsense 2>&-")
    assert (quiet.returncode, quiet.stdout) == (2, "")
    for command in ("games", "games --json", "settle baccarat 9h 9c Ks Kd"):
        full = _shell(f"punto {command} >/dev/full")
        assert full.returncode == 2, command
        assert full.stderr == "punto: the answer cannot be written: No space left on device\n"
    assert _shell("punto nonsense 2>/dev/full").returncode == 2


@pytest.mark.parametrize(
    "command", others_long(["rules tiger", "games", "readings", "rules tiger --json", "odds tiger"])
)
def test_readers_who_leave_at_once(command: str) -> None:
    """Nothing is told on standard error, and what nobody read to its end is no success, as with other programs."""
    done = _shell(f"punto {command} | true")
    assert (done.returncode, done.stderr) in [(0, ""), (141, "")]
    assert _shell(f"(punto {command}; echo $? >&2) | true").stderr == "141\n"


@pytest.mark.parametrize("reader", others_long(["true", "head -1", "cat"]))
def test_what_fails_does_not_succeed_because_nobody_read_it(reader: str, tmp_path: Path) -> None:
    script = tmp_path / "bad.round"
    script.write_text("for baccarat\npatron Ann 1000\nDealer: load shoe one\n  expect refused held\n", "utf-8")
    assert _shell(f"punto run {script} tests/scripts/method-*.round | {reader}").returncode in (1, 141)


def test_a_terminal_of_no_width() -> None:
    assert "Baccarat" in _shell("punto games", COLUMNS="0").stdout
    assert "tie" in _shell("punto settle baccarat 9h 9c Ks Kd", COLUMNS="0").stdout


def test_figures_are_never_cut() -> None:
    done = _shell("punto settle tiger 2s Ah 3d Ad Ks 4c --wager Banker=1000000", COLUMNS="40")
    assert "1950000.00" in done.stdout
    assert "…" not in done.stdout


def test_enormous_and_odd_arguments_get_one_line() -> None:
    assert "in whole cents" in refused("settle", "baccarat", *COUP, "--wager", f"Tie={'9' * 5000}")
    assert "expected a value after =" in refused("settle", "baccarat", *COUP, "--wager=--")
    assert "expected a value after =" in refused("odds", "tiger", "--decks=--")
    assert "found '８'" in refused("settle", "baccarat", *COUP, "--decks", "８")
    assert "unrecognized arguments: --wag" in refused("settle", "baccarat", *COUP, "--wag", "Tie=5")
    assert "there is no game '?[31m'" in refused("settle", "\x1b[31m", *COUP).replace("\\x1b", "?")
    assert "gives a hand that was given before" in refused("odds", "tiger", "--dealt", "P:4h P:5h")
    assert "cannot be read" in refused("odds", "tiger", "--shoe", "")


def test_a_card_named_twice_in_a_shoe_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "shoe.json"
    file.write_text('{"4h": 1, "4h": 2}')
    assert "4h is named twice" in refused("odds", "tiger", "--shoe", str(file))


def test_cards_may_be_given_in_one_word() -> None:
    assert run_json("settle", "baccarat", "9h 9c, Ks Kd") == run_json("settle", "baccarat", *COUP)


def test_the_usual_number_of_decks_is_one_the_game_allows(tmp_path: Path) -> None:
    game = tmp_path / "few.toml"
    lantern = Path("docs/examples/lantern.toml").read_text("utf-8")
    game.write_text(lantern.replace("min = 6, max = 8", "min = 1, max = 2"), "utf-8")
    assert "tie" in run("settle", str(game), *COUP)
    assert run_json("odds", str(game))["cards"] == 104
    assert "4h appears 2 times, but the shoe holds it once" in refused(
        "settle", str(game), "4h", "Kh", "4h", "Kc", "--decks", "1"
    )


@pytest.mark.parametrize(
    ("typed", "meant"), [("odd", "odds"), ("simluate", "simulate"), ("Settle", "settle"), ("reprot", "report")]
)
def test_a_mistyped_command_is_told_with_the_one_meant(typed: str, meant: str) -> None:
    assert refused(typed) == f"punto: there is no command {typed!r}; did you mean {meant}?\n"


def test_an_unknown_command_is_told_with_all() -> None:
    assert "commands are games, rules" in refused("zzzz")


@pytest.mark.parametrize("command", ["odds tiger", "rules tiger", "games", "settle baccarat 9h 9c Ks Kd", "readings"])
def test_lines_in_a_pipe_have_no_blanks_at_their_end(command: str) -> None:
    lines = run(*command.split()).splitlines()
    assert [line for line in lines if line != line.rstrip()] == []
    assert len(lines) > 5


def test_seeds_have_any_length() -> None:
    dealt = {seed: _rounds(seed) for seed in ("0", "9999999999", "18446744073709551615", str(2**64), "-12345678901")}
    assert len(set(dealt.values())) > 1
    assert "expected a whole number up to 18446744073709551616" in refused(
        "simulate", "baccarat", "--shoes", "5", "--seed", str(2**64 + 1)
    )


def _rounds(seed: str) -> int:
    told = run_json("simulate", "baccarat", "--shoes", "20", "--workers", "1", "--seed", seed)
    assert told["seed"] == int(seed)
    return int(told["rounds"])


def test_every_interrupted_command_ends_with_one_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """The code is the one a shell reports; what was finished is printed before."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    none = "punto: interrupted\n"
    lost = "punto: rounds.parquet: interrupted, and not written: it would lack rounds\n"
    for command, module, called, told in (
        ("odds tiger", "punto.cli.study.odds", "exact_odds", none),
        ("report par tiger -o x.pdf", "punto.cli.evidence.report", "odds", none),
        ("simulate tiger --shoes 9", "punto.cli.study.simulate", "deal", none),
        ("bench rules", "punto.cli.bench.bench", "_best", "punto: interrupted: no figure is finished\n"),
        ("simulate tiger --shoes 9 -o rounds.parquet", "punto.simulate.round_file", "write_rounds", lost),
    ):
        monkeypatch.setattr(import_module(module), called, stop)
        assert punto(*command.split()) == (130, "", told)


def test_an_interrupted_benchmark_is_no_success(monkeypatch: pytest.MonkeyPatch) -> None:
    from punto.simulate import benchmark, simulation

    def stopped(_: object, __: int, totals: simulation.CountTotals, *___: object) -> None:
        totals.interrupted = True

    monkeypatch.setattr(benchmark, "on_threads", stopped)
    code, out, err = punto("bench", "simulate", "--json")
    assert (code, json.loads(out), err) == (130, {"partial": True}, "punto: interrupted: no figure is finished\n")


def test_an_interrupted_search_for_a_count_gives_what_was_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    best_counts = import_module("punto.lab.counts.best_counts")
    whole, calls, stop_in_call = best_counts.record, list[Any](), 2

    def stopped(*given: Any) -> Any:
        calls.append(given)
        for number, block in enumerate(whole(*given)):
            if len(calls) == stop_in_call and number == 1:
                raise KeyboardInterrupt
            yield block

    monkeypatch.setattr(best_counts, "record", stopped)
    command = ("best-count", "tiger", "--wager", "Tie", "--level", "1", "--shoes", "1500", "--search-shoes", "600")
    code, out, err = punto(*command, "--json")
    told = json.loads(out)
    assert (code, told["partial"], told["shoes"]) == (130, True, 512)
    assert err == "punto: interrupted: the answer covers what was finished\n"
    calls.clear()
    stop_in_call = 1
    nothing = "punto: interrupted before any count was measured: nothing is finished\n"
    assert punto(*command, "--json") == (130, "", nothing)


@pytest.mark.parametrize(
    "command",
    [
        "counting tiger --wager Tiger --wager Tie --tags 8:1 --trigger 1 --shoes 5",
        "staking tiger --wager Tiger --wager Tie",
        "pays tiger --wager Tiger --wager Tie",
        "best-count tiger --wager Tiger --wager Tie --level 1",
        "known tiger --wager 1 --positions 1 --positions 2",
        "odds tiger --decks 6 --decks=8",
        "report par tiger --decks 6 --decks 8",
    ],
)
def test_an_option_that_takes_one_value_is_given_once(command: str) -> None:
    repeated = "--positions" if "--positions" in command else "--decks" if "--decks" in command else "--wager"
    told = refused(*command.replace("--wager 1 ", "").split())
    assert told.startswith(f"punto: {repeated}: given twice, and it takes one value (see punto ")


@pytest.mark.parametrize(
    ("command", "column"),
    [
        ("bankroll tiger --wager Tie --rounds 3", "net_result"),
        ("odds tiger --decks 6", "expected_return"),
        ("odds tiger --decks 6 --removal", "change"),
        ("known tiger --positions 1 --decks 6", "expected_return"),
        ("pays tiger --wager Tie --decks 6", "contribution"),
    ],
)
def test_a_file_of_figures_says_where_they_come_from(command: str, column: str, tmp_path: Path) -> None:
    import polars

    files = [str(tmp_path / "made.csv"), str(tmp_path / "made.parquet")]
    run(*command.split(), "-o", files[0], "-o", files[1])
    told = json.loads(polars.read_parquet_metadata(files[1])["punto"])
    tiger = load("tiger")
    assert {name: told[name] for name in ("game", "version", "digest", "software")} == provenance(tiger)
    decks = 6 if "--decks" in command else 8
    assert (told["decks"], told["cards"]) == (decks, 52 * decks)
    rows, whole = polars.read_csv(files[0], infer_schema_length=None), polars.read_parquet(files[1])
    assert column in whole.columns
    assert whole.columns == rows.columns
    assert rows["digest"].unique().to_list() == [tiger.digest]
    assert rows["software"].unique().to_list() == [told["software"]]
