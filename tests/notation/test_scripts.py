"""Every script under tests/scripts is played once for each of its games; its heading says which clauses it shows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet
from support.command import punto, refused, run_json

from punto import load
from punto.audit.recomputation import recompute
from punto.notation import NotationError, Script, parse, run
from punto.notation.script import ScriptGame
from punto.notation.script_player import Player
from punto.rules.game_library import game_file

SCRIPTS = Path(__file__).parents[1] / "scripts"


def _every_run() -> list[ParameterSet]:
    cases = []
    for file in sorted(SCRIPTS.glob("*.round")):
        script = parse(file.read_text("utf-8"))
        for each in script.runs:
            shows = pytest.mark.shows(*(f"{each.game} {clause}" for clause in each.clauses))
            marks = (shows, *_refusals(file, script, each.game))
            cases.append(pytest.param(script, each, marks=marks, id=f"{file.stem}-{each.game}"))
    return cases


def _refusals(file: Path, script: Script, game: str) -> Iterator[pytest.MarkDecorator]:
    """Yield a mark for each step that is refused because it would break a rule of this game."""
    book = load(game)
    for step in script.steps:
        for each in step.expectations:
            against = [f"{game} {clause}" for what in each.against if (clause := book.clause_of(what))]
            if against:
                code = each.words.split()[1]
                yield pytest.mark.refuses(
                    *against, step=f"tests/scripts/{file.name}: {step.who}: {step.action} ({code})"
                )


@pytest.mark.parametrize(("script", "each"), _every_run())
def test_the_script_plays_as_it_expects(script: Script, each: ScriptGame) -> None:
    """And the auditor, who knows the events alone, finds nothing wrong with it."""
    player = Player(script, each)
    assert player.play() == []
    assert recompute(player.log, game_file(each.game)).findings == []


ROUND = """
title A round
for baccarat
patron Ann 500

Dealer: load shoe one
Dealer: place your bets
Ann: wager Player 100 at 1
  expect Ann has 400
Dealer: no more bets
"""


@pytest.mark.parametrize(
    ("old", "new", "line", "sentence"),
    [
        ("Ann has 400", "Ann has 401", 9, "expected Ann to have 401, found 400"),
        ("Ann has 400", "refused late-wager", 9, "expected the refusal late-wager, but it was done"),
        ("Ann has 400", "WagerPlaced amount=99", 9, "expected WagerPlaced amount=99, found WagerPlaced patron=Ann"),
        ("Ann has 400", "no WagerPlaced", 9, "did not expect WagerPlaced"),
        ("Ann has 400", "phase closed", 9, "expected phase closed, found betting"),
        ("Ann has 400", "hold tie", 9, "expected hold tie, found None"),
        ("Ann has 400", "float 1", 9, "expected float 1, found 99500"),
        ("Ann has 400", "player 4h", 9, "expected the player hand 4h, found"),
        ("Ann has 400", "settled Ann Player win returned 200", 9, "Ann had nothing settled on Player"),
        ("Player 100 at 1", "Player 501 at 1", 8, "refused: Ann has 500.00, not 501.00"),
    ],
)
def test_an_expectation_that_fails_is_told_with_its_line(old: str, new: str, line: int, sentence: str) -> None:
    script = parse(ROUND.replace(old, new))
    failures = Player(script, script.runs[0]).play()
    assert failures[0].line == line
    assert failures[0].sentence.startswith(sentence)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("for baccarat", "", "does not say which game"),
        ("for baccarat", "for ,", "line 3: expected games"),
        ("title A round", "subtitle A round", "line 2: expected title, for, patron"),
        ("Dealer: place your bets", "Dealer: shuffle up and deal", "line 7: unknown action"),
        ("Dealer: place your bets", "place your bets", "line 7: expected WHO: ACTION or expect"),
        ("expect Ann has 400", "expect rain", "line 9: nothing of the kind can be expected"),
        ("patron Ann 500", "decks eight", "line 4: decks: expected a number of decks, found 'eight'"),
        ("patron Ann 500", "betting seconds -5", "line 4: betting seconds: expected a number of seconds"),
        ("patron Ann 500", "device spoon", "line 4: device: expected one of manual, electronic"),
        ("patron Ann 500", "confirms patron", "line 4: confirms: expected one of Dealer"),
        ("patron Ann 500", "hlga no", "line 4: hlga: expected nothing after hlga"),
        ("patron Ann 500", "decks 8\ndecks 8", "line 5: decks was said before"),
        ("patron Ann 500", "patron Ann 1.234", "line 4: expected an amount such as 100 or 2.50"),
        ("patron Ann 500", "patron Ann 1.2.3", "line 4: expected an amount"),
        ("patron Ann 500", f"patron Ann {'9' * 1000}", "line 4: expected an amount"),
        ("patron Ann 500", f"title {'x' * 20_000}", "line 4: longer than 20000 letters"),
        ("for baccarat", "for baccarat, baccarat", "line 3: baccarat is named twice"),
        ("for baccarat", "for baccarat 99.99", "baccarat has no clause 99.99"),
        ("for baccarat", "for tests/rules/mixed.toml", "has no layout to play on"),
        ("expect Ann has 400", "expect refused x against y", "line 9: there is no provision y"),
        ("expect Ann has 400", "expect WagerPlacd", "line 9: there is no event WagerPlacd"),
        ("expect Ann has 400", "expect no WagerPlacd", "line 9: there is no event WagerPlacd"),
        ("expect Ann has 400", "expect WagerPlaced bogus=None", "line 9: WagerPlaced has no bogus"),
        ("expect Ann has 400", "expect WagerPlaced amount=abc", "line 9: expected an amount"),
        ("expect Ann has 400", "expect WagerPlaced patron='Ann", "line 9: No closing quotation"),
        (
            "patron Ann 500",
            "decks 11",
            "line 4: the table cannot be opened like this: 11 decks",
        ),
        ("patron Ann 500", "limits high", "line 4: limits: expected such as 5-1000"),
        ("patron Ann 500", "expect Ann has 5", "line 4: nothing has been done yet"),
        ("at 1\n", "at 1 (0 times)\n", "line 8: unknown action"),
    ],
)
def test_a_line_that_cannot_be_read_is_refused(old: str, new: str, sentence: str) -> None:
    with pytest.raises(NotationError) as told:
        run(parse(ROUND.replace(old, new)))
    assert sentence in str(told.value)


def test_punto_run_reports_what_failed(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.round", tmp_path / "bad.round"
    good.write_text(ROUND)
    bad.write_text(ROUND.replace("has 400", "has 401"))
    code, out, _ = punto("run", str(good))
    assert (code, out) == (0, f"{good}: baccarat: as expected\n")
    code, out, _ = punto("run", str(good), str(bad))
    assert code == 1
    assert f"{bad}:9: baccarat: expected Ann to have 401, found 400" in out
    assert run_json("run", str(good)) == {"scripts": [{"file": str(good), "game": "baccarat", "failures": []}]}


def test_punto_run_refuses_what_it_cannot_read(tmp_path: Path) -> None:
    assert "cannot be read: No such file" in refused("run", str(tmp_path / "none.round"))
    broken = tmp_path / "broken.round"
    broken.write_text("for baccarat\nDealer: dance\n")
    assert f"{broken}: line 2: unknown action" in refused("run", str(broken))
    good = tmp_path / "good.round"
    good.write_text("for baccarat\nDealer: load shoe one\n")
    code, out, told = punto("run", str(broken), str(good))  # which keeps nobody from playing the others
    assert (code, out) == (2, f"{good}: baccarat: as expected\n")
    assert f"{broken}: line 2: unknown action" in told
    other = tmp_path / "other.round"
    other.write_text("for roulette\nDealer: draw\n")
    assert "there is no game 'roulette'" in refused("run", str(other))


def test_names_that_people_have_can_be_written(tmp_path: Path) -> None:
    """Patrons in any letters, staff with several names, a file with a mark of its encoding."""
    script = tmp_path / "names.round"
    script.write_text(
        "for baccarat\npatron élodie 500\npatron ann_2 500\nDealer Mary-Ann O'Neil: load shoe one\n"
        "Dealer: place your bets\nélodie: wager Player 100 at 1\nann_2: wager Player 50 at 2\n"
        "  expect ann_2 has 450\nPit Manager Pat Smith: J. R. Doe acts as Pit Manager\n"
        "  expect ActingAppointed person='J. R. Doe' appointed_by='Pat Smith'\n",
        "utf-8-sig",
    )
    code, out, err = punto("run", str(script))
    assert (code, err) == (0, ""), out


def test_what_was_settled_before_is_not_what_this_step_settled() -> None:
    text = (SCRIPTS / "late-withdrawal.round").read_text("utf-8")
    later = text + "\nDealer: place your bets\n  expect settled Ann Banker lose returned 0\n"
    failures = run(parse(later))["baccarat"]
    assert [failure.sentence for failure in failures] == ["Ann had nothing settled on Banker by this"]


def test_an_endless_file_is_refused() -> None:
    assert "longer than" in refused("run", "/dev/zero")
