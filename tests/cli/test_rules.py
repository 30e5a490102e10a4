"""``punto games``, ``punto rules`` and ``punto readings``, and the command itself."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from support.command import refused, run, run_json

from punto import APPROVED, Rulebook, __version__, load


def test_games_are_the_five_approved_ones() -> None:
    told = run_json("games")["games"]
    assert [each["game"] for each in told] == list(APPROVED)
    assert [each["clauses"] for each in told] == [109, 127, 121, 118, 55]
    assert all(each["decks"] == {"min": 4, "max": 10} for each in told)
    shown = run("games")
    for book in map(load, APPROVED):
        assert book.title in shown


def test_rules_lists_every_clause_with_its_tests(book: Rulebook) -> None:
    told = run_json("rules", book.key)
    assert told["game"] == book.key
    assert [each["clause"] for each in told["clauses"]] == list(book.clauses)
    keys = {"clause", "text", "provision", "carried_out", "tests", "refused"}
    assert all(set(each) == keys for each in told["clauses"])
    by_number = {each["clause"]: each for each in told["clauses"]}
    named = by_number[book.clause_of("natural") or ""]
    assert any(test.startswith("tests/rules/test_definitions.py::") for test in named["tests"])
    assert all(Path(test.split("::")[0]).suffix == ".py" for each in told["clauses"] for test in each["tests"])


def test_one_clause_is_told_whole() -> None:
    shown = run("rules", "tiger", "1.1.14")
    for word in ("Tiger Pair", "provision", "R1", "1.1.14.3"):
        assert word in shown
    one = run("rules", "tiger", "5.8.2.1")
    for word in ("the round is void", "drawn-together-unknown-initial", "enforced", "tests/notation"):
        assert word in one
    (clause,) = run_json("rules", "tiger", "5.8.2.1")["clauses"]
    assert any(each.endswith("[drawn-together-initial-tiger]") for each in clause["tests"])
    assert "R2" in run("rules", "tiger", "1.1.14.3")


def test_a_clause_brings_those_under_it_and_may_be_found_by_provision() -> None:
    assert [each["clause"] for each in run_json("rules", "tiger", "5.8")["clauses"]] == [
        "5.8",
        "5.8.1",
        "5.8.2",
        "5.8.2.1",
        "5.8.2.2",
    ]
    assert [each["clause"] for each in run_json("rules", "fabulous-4", "late-wager")["clauses"]] == ["5.6"]
    assert len(run_json("rules", "baccarat", "6.")["clauses"]) == 3


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("rules tiger 9.9", "Tiger Baccarat has no clause '9.9'; its clauses run from 1.1 to 6.3"),
        ("rules fabulous-4 power-failure", "Fabulous 4 Baccarat has no clause 'power-failure'"),
        ("rules tigr", "did you mean tiger?"),
        ("rules", "the following arguments are required: GAME"),
        ("games tiger", "unrecognized arguments: tiger"),
        ("deal", "there is no command 'deal'; commands are games"),
        ("--frobnicate", "unrecognized arguments: --frobnicate"),
    ],
)
def test_bad_input_gets_one_line(arguments: str, sentence: str) -> None:
    assert sentence in refused(*arguments.split())


def test_readings_are_all_told_with_clauses() -> None:
    told = run_json("readings")["readings"]
    numbers = [int(each["reading"].removeprefix("R")) for each in told]
    assert numbers[:40] == list(range(1, 41))
    assert numbers == sorted(set(numbers))
    assert told[0]["clauses"] == {"baccarat": ["1.1.6"], "tiger": ["1.1.14"], "tiger-no-commission": ["1.1.13"]}
    assert "R31" in run("readings")


def test_help_and_version() -> None:
    assert run("--version") == f"punto {__version__}\n"
    assert run() == run("--help")
    for command in ("games", "rules", "readings", "settle"):
        assert command in run("--help")
        assert "--json" in run(command, "--help")


def test_a_reader_who_has_seen_enough_ends_the_command_quietly() -> None:
    program = "from punto.cli.main import main; main(['rules', 'tiger'])"
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as command:
        assert command.stdout is not None
        assert command.stderr is not None
        command.stdout.read(1)
        command.stdout.close()
        assert command.stderr.read() == ""
        assert command.wait() in (0, 141)


def test_tests_of_a_borrowed_clause_are_said_to_be_for_the_approved_game() -> None:
    told = {each["clause"]: each for each in run_json("rules", "super-6")["clauses"]}
    assert told["5.4"]["tests"] == []
    shown = " ".join(run("rules", "super-6", "5.4").split())
    assert "shown by no test yet" in shown
    assert "shown for baccarat 5.4 by tests/" in shown
    assert "tests for that game" in " ".join(run("rules", "super-6").split())
