"""Two versions of a game compared: every change of a clause, a line and a figure, and nothing that is the same."""

from __future__ import annotations

from pathlib import Path

from support.command import punto as command

from punto import load, loads, odds
from punto.design import changes
from punto.design.version_diff import Subject

LANTERN = Path(__file__).parents[2] / "docs" / "examples" / "lantern.toml"


def test_a_changed_ratio_is_told_in_clause_line_and_edge(tmp_path: Path) -> None:
    text = LANTERN.read_text("utf-8")
    newer = text.replace('version = "1"', 'version = "2"').replace('pays = "30 to 1"', 'pays = "25 to 1"')
    newer = newer.replace("Lantern pays 30 to 1 for", "Lantern pays 25 to 1 for")
    old, new = load(LANTERN), loads(newer)
    found = {(each.subject, each.name): (each.old, each.new) for each in changes(old, new)}
    assert found.keys() == {
        (Subject.GAME, "version"),
        (Subject.CLAUSE, "3.4"),
        (Subject.LINE, "Lantern"),
        (Subject.HOUSE_EDGE, "Lantern"),
    }
    assert found[Subject.LINE, "Lantern"] == ("30 to 1", "25 to 1")
    edges = tuple(odds(book, 8)["Lantern"].house_edge for book in (old, new))
    assert found[Subject.HOUSE_EDGE, "Lantern"] == edges
    file = tmp_path / "newer.toml"
    file.write_text(newer, "utf-8")
    code, out, _ = command("rules", str(file), "--diff", str(LANTERN))
    assert code == 0
    assert "30 to 1" in out
    assert "25 to 1" in out


def test_versions_that_agree_have_no_changes() -> None:
    assert changes(load("tiger"), load("tiger")) == ()
    code, out, _ = command("rules", "tiger", "--diff", "tiger")
    assert code == 0
    assert "are the same" in out


def test_what_came_and_went_is_told() -> None:
    found = changes(load("baccarat"), load("lucky-6"))
    assert [(each.old is None, each.name) for each in found if each.subject is Subject.WAGER] == [(True, "Lucky 6")]
    back = changes(load("lucky-6"), load("baccarat"))
    assert [(each.new is None, each.name) for each in back if each.subject is Subject.WAGER] == [(True, "Lucky 6")]
