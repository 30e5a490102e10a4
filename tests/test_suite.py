"""The suite itself: its parts exist, it counts what they say, and it says what a machine cannot run."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import programs, suite
from support.needs import HOW_TO_GET, left_out
from support.sessions import made_by_ci, targets
from support.suite import AGAIN, MOST_AGAIN, STEPS, SUITES, Outcome, table, tried_again


def test_every_part_is_a_target_and_ci_makes_them_all() -> None:
    parts = {part for step in STEPS.values() for queue in step for part in queue}
    assert parts <= targets().keys()
    assert parts | SUITES.keys() <= made_by_ci()


@pytest.mark.parametrize(
    ("output", "tests"),
    [
        ("4620 passed, 3 skipped in 266.05s (0:04:26)\n", 4620),
        ("=== 1 failed, 12 passed, 2 deselected in 1.05s ===\n", 12),
        ("ℹ tests 31\nℹ pass 31\nℹ fail 0\n", 31),
        ("# tests 31\n# pass 30\n# fail 1\n", 30),
        ("All checks passed!\n", 0),
    ],
)
def test_the_tests_of_a_part_are_counted(output: str, tests: int) -> None:
    assert Outcome("tests", 0, 1.0, 2.0, output).tests == tests


def test_times_are_told_by_part_and_whole() -> None:
    told = table([Outcome("lint", 0, 4.4, 7.6, ""), Outcome("tests", 1, 100.0, 180.0, "5 passed in 3s")], wall=100.2)
    assert [line.split() for line in told.splitlines()] == [
        ["part", "seconds", "processor", "tests"],
        ["lint", "4", "8"],
        ["tests", "100", "180", "5", "FAILED"],
        ["all", "100", "188", "5"],
    ]


SHORT_SUMMARY = "FAILED tests/a.py::test_one[a b] - assert 1 == 2\nERROR tests/b.py::test_two - AssertionError\n"


@pytest.mark.parametrize("code", [0, 1])
def test_a_few_tests_that_fail_are_tried_again_alone_and_named(monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    calls = list[tuple[object, ...]]()

    def run(*arguments: object) -> Outcome:
        calls.append(arguments)
        return Outcome("tests", code, 2.0, 1.0, "2 passed in 1s\n")

    monkeypatch.setattr(suite, "run", run)
    found = tried_again(Outcome("tests", 1, 100.0, 180.0, SHORT_SUMMARY + "2 failed, 7 passed in 9s\n"))
    assert calls == [("tests", True, AGAIN)]
    assert (found.code, found.wall, found.tests) == (code, 102.0, 9)
    assert found.unsteady == (() if code else ("tests/a.py::test_one[a b]", "tests/b.py::test_two"))


@pytest.mark.parametrize(
    "output", ["crashed", "".join(f"FAILED tests/a.py::test_{each}\n" for each in range(MOST_AGAIN + 1))]
)
def test_nothing_else_is_tried_again(monkeypatch: pytest.MonkeyPatch, output: str) -> None:
    monkeypatch.delattr(suite, "run")
    failed = Outcome("tests", 1, 1.0, 1.0, output)
    passed = Outcome("tests", 0, 1.0, 1.0, SHORT_SUMMARY)
    assert tried_again(failed) is failed
    assert tried_again(passed) is passed


def test_what_is_left_out_is_told_once_with_the_way_to_get_it() -> None:
    reports = [_skipped(f"Skipped: needs {what}") for what in ("Chromium", "Chromium", "fish")]
    assert left_out([*reports, _skipped("Skipped: not a git checkout")]) == [
        f"left out: 2 tests that need Chromium; to run them, {HOW_TO_GET['Chromium']}",
        f"left out: 1 tests that need fish; to run them, {HOW_TO_GET['fish']}",
    ]


def _skipped(reason: str) -> pytest.TestReport:
    return pytest.TestReport("test", ("test", 1, ""), {}, "skipped", ("test.py", 1, reason), "call")


def test_a_browser_is_named_found_or_hidden(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("PLAYWRIGHT_BROWSERS_PATH", raising=False)
    monkeypatch.setattr(programs, "MAC", ())
    monkeypatch.setenv("CHROMIUM", "/opt/browser")
    assert programs.find_chromium() == "/opt/browser"
    monkeypatch.delenv("CHROMIUM")
    assert programs.find_chromium() is None
    cached = tmp_path / ".cache/ms-playwright/chromium-1200/chrome-linux64/chrome"
    cached.parent.mkdir(parents=True)
    cached.touch()
    assert programs.find_chromium() == str(cached)
    installed = tmp_path / "chromium"
    installed.touch(0o755)
    assert programs.find_chromium() == str(installed)
    monkeypatch.setenv("CHROMIUM", "none")
    assert programs.find_chromium() is None
