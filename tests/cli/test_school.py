"""``punto school``, as typed at a terminal or read from a pipe."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from support.command import punto, refused
from support.learners import right, wrong

from punto import APPROVED, load
from punto.school import Drill, Plan, QuestionProgress
from punto.school.question import OF_GAMES


def _typed(monkeypatch: pytest.MonkeyPatch, lines: str, *arguments: str) -> tuple[str, str]:
    monkeypatch.setattr("sys.stdin", io.StringIO(lines))
    code, out, err = punto("school", *arguments)
    assert code == 0, err
    return out, err


def _answers(plan: Plan, questions: int, wrong_first: bool = False) -> str:
    lines = []
    for number in range(questions):
        standing = QuestionProgress(plan.question(number))
        while moment := standing.moment:
            lines += [wrong(moment)] if wrong_first else []
            lines.append(right(moment))
            standing = standing.answered(lines[-1])
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("drill", OF_GAMES)
@pytest.mark.parametrize("game", APPROVED)
def test_right_answers_pass_in_every_drill_of_every_game(
    game: str, drill: Drill, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = _answers(Plan((load(game),), (drill,), 3), 3)
    out, err = _typed(monkeypatch, typed, game, "--drill", drill.value, "--questions", "3", "--seed", "3")
    assert err == ""
    assert f"3 of 3: {load(game).title}, {drill.value}" in out
    assert "100.0% right first time: passed (pass mark 90.0%)." in out
    assert "seed 3" in out
    assert "No." not in out.split()


def test_wrong_answers_are_explained_by_clause_and_counted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    plan = Plan((load("tiger"),), OF_GAMES, 8)
    sheets = [tmp_path / "sheet.json", tmp_path / "sheet.html"]
    for file in sheets:
        arguments = ("tiger", "--questions", "4", "--seed", "8", "-o", str(file))
        out, _ = _typed(monkeypatch, _answers(plan, 4, wrong_first=True), *arguments)
    assert "0.0% right first time: not passed" in out
    assert "Tiger Baccarat 3.15: Once the point total of each two-card hand is announced" in out
    assert "Try once more." in out
    content = json.loads(sheets[0].read_text("utf-8"))
    assert content["total"]["right_first_time"] == 0
    assert content["total"]["mistakes"] == content["total"]["asked"] > 10
    assert "<h1>Score sheet</h1>" in sheets[1].read_text("utf-8")


def test_whoever_leaves_early_is_graded_on_what_he_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    first = right(Plan((load("tiger"),), (Drill.PAYOUTS,), 1).question(0).moments[0])
    for end in ("q\n", "quit\n", ""):
        out, _ = _typed(monkeypatch, f"{first}\n{end}", "tiger", "--drill", "payouts", "--seed", "1")
        assert "100.0% right first time" in out
    out, _ = _typed(monkeypatch, "", "tiger", "--seed", "1")
    assert "Nothing was answered." in out


def test_the_rule_can_be_asked_for_and_nonsense_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    first = right(Plan((load("fabulous-4"),), (Drill.COMMISSION,), 1).question(0).moments[0])
    typed = f"help\nnothing\n\n?\n{first}\nq\n"
    out, _ = _typed(monkeypatch, typed, "fabulous-4", "--drill", "commission", "--seed", "1", "--json")
    sheet = json.loads(out)["total"]
    assert (sheet["asked"], sheet["right_first_time"], sheet["mistakes"], sheet["hints"]) == (1, 0, 0, 1)


def test_with_json_only_the_sheet_is_printed_and_the_rest_goes_aside(monkeypatch: pytest.MonkeyPatch) -> None:
    typed = _answers(Plan(tuple(map(load, APPROVED)), OF_GAMES, 5), 2)
    out, err = _typed(monkeypatch, typed, "--questions", "2", "--seed", "5", "--json")
    sheet = json.loads(out)
    assert sheet["seed"] == 5
    assert sheet["passed"] is True
    assert [each["game"] for each in sheet["games"]] == list(APPROVED)
    assert "2 of 2" in err


OWN_GAME = """
key = "own"
title = "Own Game"
decks = { min = 4, max = 8 }
layout = [{ name = "One", clause = "1", languages = ["en"] }]

[[wager]]
name = "Low Win"
clause = "1"
lines = [{ when = { winner = "player", player_total = [1, 2, 3] }, pays = "9 to 1", clause = "1" }]

[clauses]
"1" = { provision = "wager", by = "data", text = "Low Win wins if Player wins on 1, 2 or 3." }
"""


def test_answers_can_come_from_a_file_and_take_no_time(tmp_path: Path) -> None:
    plan, file = Plan((load("baccarat"),), (Drill.COMMISSION,), 4), tmp_path / "answers.txt"
    file.write_text("\n" + _answers(plan, 2), "utf-8")  # an empty line is no answer, and not the end
    code, out, _ = punto("school", "baccarat", "--drill", "commission", "--seed", "4", "--answers", str(file), "--json")
    sheet = json.loads(out)
    assert code == 0
    assert sheet["questions"] == 2
    assert sheet["passed"]
    assert sheet["total"]["seconds"] == 0
    assert "cannot be read" in refused("school", "--answers", str(tmp_path / "none.txt"))


def test_a_game_of_ones_own_can_be_practised(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text(OWN_GAME, "utf-8")
    plan = Plan((load(file),), OF_GAMES, 1)
    out, _ = _typed(monkeypatch, _answers(plan, 6), str(file), "--seed", "1", "--questions", "6")
    assert "100.0% right first time: passed" in out
    assert "Own Game, irregularities" in out
    assert "Own Game has nothing to ask about commission" in refused("school", str(file), "--drill", "commission")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("roulette",), "there is no game 'roulette'"),
        (("tiger", "--questions", "0"), "--questions: expected 1 to 500, not 0"),
        (("tiger", "--questions", "501"), "--questions: expected 1 to 500, not 501"),
        (("tiger", "--seed", "-1"), "--seed: expected a number that is not below zero"),
        (("tiger", "--drill", "dice"), "invalid choice: 'dice'"),
        (("tiger", "-o", "sheet.doc"), "expected a file name that ends in .json or .html"),
        (("tiger", "-o", "/nowhere/sheet.json"), "cannot be written there"),
    ],
)
def test_what_cannot_be_asked_gets_a_sentence(arguments: tuple[str, ...], sentence: str) -> None:
    assert sentence in refused("school", *arguments)
