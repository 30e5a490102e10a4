"""Every numbered clause is there, and every clause is shown by a test."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from support.trace import Trace

from punto import APPROVED, Rulebook, load
from punto.rules.clause_trace import shown_by
from punto.rules.provisions import PROVISIONS
from punto.rules.readings import readings, readings_in_force

ROOT = Path(__file__).parents[2]

# All clauses, and those with none under them, as counted in the documents.
COUNTED = {
    "baccarat": (109, 85),
    "tiger": (127, 102),
    "tiger-no-commission": (121, 96),
    "dragon-tiger": (118, 94),
    "fabulous-4": (55, 46),
}


def _order(number: str) -> list[int]:
    return [int(part) for part in number.split(".")]


def test_every_numbered_clause_is_there(book: Rulebook) -> None:
    numbers = list(book.clauses)
    leaves = [n for n in numbers if not any(other.startswith(f"{n}.") for other in numbers)]
    assert (len(numbers), len(leaves)) == COUNTED[book.key]
    assert numbers == sorted(numbers, key=_order)


def test_no_clause_number_is_skipped(book: Rulebook) -> None:
    for number in book.clauses:
        *above, last = _order(number)
        if last > 1:
            assert ".".join(map(str, [*above, last - 1])) in book.clauses
        if len(above) > 1:
            assert ".".join(map(str, above)) in book.clauses


def test_every_clause_has_a_restatement_of_one_line(book: Rulebook) -> None:
    for clause in book.clauses.values():
        assert clause.text.endswith(".")
        assert "\n" not in clause.text
        assert len(clause.text) > 15


def test_every_provision_is_made_by_some_game() -> None:
    made = {clause.provision for key in APPROVED for clause in load(key).clauses.values()}
    assert made == set(PROVISIONS)


def test_every_clause_is_shown_by_a_test(book: Rulebook) -> None:
    assert [number for number in book.clauses if not shown_by(book, number)] == []


def test_the_trace_is_current(traced: tuple[set[Path], Trace], tmp_path: Path) -> None:
    """The tests of this run are all there are; if only some were asked for, another pytest lists them all."""
    files, found = traced
    pages = ROOT / "tests" / "browser"
    if files < {file for file in (ROOT / "tests").rglob("test_*.py") if pages not in file.parents}:
        collect = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
        done = subprocess.run(
            [*collect, f"--trace-out={tmp_path}"], cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        found = {name: json.loads((tmp_path / name).read_text("utf-8")) for name in found}
    kept = {name: json.loads((ROOT / "src/punto/rules" / name).read_text("utf-8")) for name in found}
    assert found == kept, "run: make trace"


def test_readings_are_numbered_and_concern_provisions_that_exist() -> None:
    numbers = [reading.number for reading in readings()]
    assert numbers == sorted(set(numbers)), "in order, and none twice; a number may be left out but never given again"
    assert numbers[0] == 1
    for reading in readings():
        assert set(reading.concerns) <= set(PROVISIONS)
        assert set(reading.games) <= set(APPROVED)
        assert any(reading.clauses(load(key)) for key in APPROVED)
        assert all(reading.clauses(load(key)) for key in reading.games)


def test_readings_bear_on_the_games_that_need_them() -> None:
    numbers = {key: [reading.number for reading in readings_in_force(load(key))] for key in APPROVED}
    assert [key for key in APPROVED if 1 in numbers[key]] == ["baccarat", "tiger", "tiger-no-commission"]
    assert [key for key in APPROVED if 2 in numbers[key]] == ["tiger", "tiger-no-commission"]
    assert [key for key in APPROVED if 28 in numbers[key]] == ["baccarat", "fabulous-4"]
    assert readings()[0].clauses(load("tiger")) == ("1.1.14",)
