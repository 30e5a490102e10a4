"""Games in the patron's favour load, and are told with the figure."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from support.command import punto as command

import punto

LANTERN = Path(__file__).parents[2] / "docs" / "examples" / "lantern.toml"


def _generous(folder: Path) -> str:
    text = LANTERN.read_text("utf-8")
    file = folder / "generous.toml"
    file.write_text(text.replace('pays = "5 to 1"', 'pays = "60 to 1"'), "utf-8")
    assert file.read_text("utf-8") != text
    return str(file)


def test_a_wager_in_the_patrons_favour_is_found_with_its_figure(tmp_path: Path) -> None:
    found = punto.checks(_generous(tmp_path))
    edge = punto.odds(_generous(tmp_path), 8)["Lantern"].house_edge
    assert edge < 0
    assert (found[0].wager, found[0].concern.value, found[0].house_edge) == ("Lantern", "favours-patron", edge)
    assert [(each.wager, each.concern.value) for each in found[1:]] == [("Red Pair", "above-a-quarter")]


def test_an_edge_above_a_quarter_is_found_too() -> None:
    assert [(each.wager, each.house_edge > Fraction(1, 4)) for each in punto.checks("tiger", 6)] == [
        ("Tiger Tie", True)
    ]
    assert punto.checks("baccarat") == ()


def test_commands_tell_of_a_game_that_is_not_approved(tmp_path: Path) -> None:
    file = _generous(tmp_path)
    on = ("--wager", "Lantern")
    for arguments in (
        ("odds", file),
        ("rules", file),
        ("simulate", file, "--shoes", "5"),
        ("staking", file, *on, "--sessions", "2", "--rounds", "3", "--workers", "1"),
        ("bankroll", file, *on, "--rounds", "3"),
        ("counting", file, *on, "--tags", "A:1", "--trigger", "1", "--shoes", "5"),
        ("best-count", file, *on, "--level", "1", "--shoes", "5", "--search-shoes", "5"),
        ("known", file, "--positions", "1"),
        ("pays", file, *on),
    ):
        code, out, err = command(*arguments, "--json")
        assert (code, out[0]) == (0, "{")
        assert err.startswith("punto: Lantern is in the patron's favour: house edge -")
        assert err.count("\n") == 1
    assert command("odds", "tiger")[2] == ""
    assert command("rules", str(LANTERN))[2] == ""
