"""Lines that no coup reaches: the check lists every one with its place in the file and its witness."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.command import punto as command

from punto import APPROVED, Coup, GameFileError, load
from punto.design.dead_lines import DeadLine, WhyDead, dead_lines
from punto.rules.game_library import LIBRARY, load_to_check
from punto.texts import Language

HEAD = 'key = "bad"\ntitle = "Bad"\nversion = "1"\nextends = "baccarat"\n\n'
CLAUSES = """
[clauses]
"7.2" = { provision = "wager", by = "data", text = "Odd." }
"7.3" = { provision = "settlement", by = "data", text = "Odd pays." }
"""
LINES = """[[wager]]
name = "Odd"
clause = "7.2"
lines = [
  { outcome = "any six", when = { banker_total = 6 }, pays = "2 to 1", clause = "7.3" }, # { no line [
  { outcome = "six on two", when = { banker_total = 6, banker_cards = 2 }, pays = "3 to 1", clause = "7.3" },
  { outcome = "nonsense", when = { winner = "player", player_total = 0 }, pays = "5 to 1", clause = "7.3" },
  { outcome = "player", when = { winner = "player" }, pays = "1 to 2", clause = "7.3" },
  { outcome = "pair", when = { player_pair = true }, pays = "1 to 2", clause = "7.3" },
  { outcome = "banker", when = { winner = "banker" }, pays = "1 to 2", clause = "7.3" },
  { outcome = "margin", when = { margin = [1, 2] }, pays = "1 to 2", clause = "7.3" },
  { outcome = "} tie", when = { winner = "tie" }, pays = "1 to 2", clause = "7.3" },
]
"""


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    file = tmp_path / "bad.toml"
    file.write_text(HEAD + LINES + CLAUSES, "utf-8")
    return file


def found(file: Path) -> dict[str, DeadLine]:
    book, _ = load_to_check(file)
    return {each.line.outcome: each for each in dead_lines(book)}


def test_every_dead_line_is_found_with_what_takes_its_coups(bad: Path) -> None:
    dead = found(bad)
    assert [(name, each.why) for name, each in dead.items()] == [
        ("six on two", WhyDead.SHADOWED),
        ("nonsense", WhyDead.CONTRADICTORY),
        ("margin", WhyDead.COVERED),
    ]
    assert [each.outcome for each in dead["six on two"].before] == ["any six"]
    assert [each.outcome for each in dead["margin"].before] == ["player", "banker"]
    assert dead["nonsense"].before == ()


def test_the_witness_meets_the_condition_and_is_taken_before(bad: Path) -> None:
    for each in found(bad).values():
        if each.why is WhyDead.CONTRADICTORY:
            assert each.coup is None
            continue
        assert isinstance(each.coup, Coup)
        assert each.line.when.holds(each.coup.outcome_class)
        assert any(line.when.holds(each.coup.outcome_class) for line in each.before)


def test_the_command_names_all_of_them_with_their_lines_in_the_file(bad: Path) -> None:
    status, told, _ = command("check", str(bad), "--json")
    assert status == 2
    errors = [each for each in json.loads(told)["findings"] if each["severity"] == "error"]
    text = bad.read_text("utf-8").splitlines()
    assert [each["outcome"] for each in errors] == ["six on two", "nonsense", "margin"]
    for each in errors:
        assert f'"{each["outcome"]}"' in text[each["line"] - 1]
    status, told, _ = command("check", str(bad), "--language", Language.CHINESE.value)
    assert status == 2
    assert "没有任何一局能满足其条件" in told


def test_a_game_with_a_dead_line_is_still_not_dealt(bad: Path) -> None:
    with pytest.raises(GameFileError, match='"six on two" of Odd is never reached'):
        load(bad)


def test_the_games_that_come_with_punto_have_none() -> None:
    for name in (*APPROVED, "lucky-6"):
        assert dead_lines(load(name)) == (), name
    assert len(LIBRARY) > 10
