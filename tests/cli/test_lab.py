"""``punto lab``: a study as a folder of files, whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars
import pytest
from support.command import punto, refused, run, run_json
from support.json_answers import documented, paths
from support.pdf_text import pdf_text

from punto.lab import study
from punto.lab.perfect_play import PerfectPlayStudy, perfect_play
from punto.report.protection import study_files

LAB = ("lab", "tiger", "--wager", "small tiger", "--wager", "Tie", "--shoes", "50")
FILES = {
    "frequencies.svg",
    "gains.svg",
    "shoes.svg",
    "study.json",
    "study.md",
    "study.parquet",
    "study.pdf",
}


@pytest.mark.long
def test_a_study_is_written_to_a_new_folder(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    told = run_json(*LAB, "--seed", "3", "--limit", "500", "-o", str(folder))
    assert {file.name for file in folder.iterdir()} == FILES
    assert json.loads((folder / "study.json").read_text("utf-8")) == told
    assert (told["seed"], told["stake_cents"], [each["wager"] for each in told["wagers"]]) == (
        3,
        500_00,
        ["Tie", "Small Tiger"],
    )
    assert polars.read_parquet(folder / "study.parquet").height == 16
    assert polars.read_parquet_metadata(folder / "study.parquet")["seed"] == "3"
    page = (folder / "study.md").read_text("utf-8")
    assert "![Units gained in a shoe by cut depth](gains.svg)" in page
    paper = pdf_text((folder / "study.pdf").read_bytes())
    for words in ("Tiger Baccarat: protection study", "Small Tiger", "14.3325%", "Method and limits"):
        assert words in paper
    assert_documented(told)


def assert_documented(told: dict[str, Any]) -> None:
    """Every key of an answer is on the page, with its type, and no other."""
    page, found = documented()["lab"], dict[str, set[str]]()
    for path, kind in paths(told):
        found.setdefault(path, set()).add(kind)
    assert found.keys() == page.keys()
    assert all(kinds <= page[path] for path, kinds in found.items())


@pytest.mark.long
def test_a_folder_that_is_there_keeps_what_else_it_holds(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    shown = run(*LAB, "-o", str(tmp_path))
    assert "Small Tiger" in shown
    assert "14.3325%" in shown
    assert {file.name for file in tmp_path.iterdir()} == {*FILES, "notes.txt"}


@pytest.mark.long
def test_the_same_seed_gives_the_same_files_but_for_the_parquet_writer(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    run(*LAB, "--workers", "1", "-o", str(one))
    run(*LAB, "--workers", "2", "-o", str(other))
    for name in FILES - {"study.parquet", "study.pdf"}:
        assert (one / name).read_bytes() == (other / name).read_bytes(), name


def failing(error: BaseException) -> Callable[..., None]:
    def fail(*_: object) -> None:
        raise error

    return fail


def test_a_failure_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(study_files, "write_plots", failing(OSError(28, "No space left on device")))
    assert "No space left on device" in refused(*LAB, "-o", str(tmp_path / "study"))
    assert list(tmp_path.iterdir()) == []


def assert_interrupted(folder: Path) -> None:
    """The exit code says so, a sentence too, and no file is left."""
    code, out, err = punto(*LAB, "-o", str(folder / "study"))
    assert (code, out, err.count("\n")) == (130, "", 1)
    assert "interrupted, and not written" in err
    assert list(folder.iterdir()) == []


def test_an_interrupt_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(study_files, "write_plots", failing(KeyboardInterrupt()))
    assert_interrupted(tmp_path)


def test_half_the_shoes_are_no_study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = perfect_play

    def interrupted(*arguments: object, **options: object) -> PerfectPlayStudy:
        return replace(whole(*arguments, **options), partial=True)  # type: ignore[arg-type]

    monkeypatch.setattr(study, "perfect_play", interrupted)
    assert_interrupted(tmp_path)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("tiger", "--wager", "Small Tigre"), "has no wager 'Small Tigre'"),
        (("tiger", "--shoes", "0"), "a number of shoes above zero"),
        (("tiger", "--workers", "0"), "--workers: expected 1 to"),
        (("tiger", "--cut", "416"), "the cutting card lies 0 to 415 cards from the end"),
        (("tiger", "--decks", "3"), "4 to 10"),
        (("tiger", "--limit", "0"), "the limit of a wager in whole cents above zero"),
    ],
)
def test_bad_input_gets_one_sentence(tmp_path: Path, arguments: tuple[str, ...], sentence: str) -> None:
    assert sentence in refused("lab", *arguments, "-o", str(tmp_path / "study"))
    assert list(tmp_path.iterdir()) == []


def test_the_folder_must_be_one(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert "no folder can be written there" in refused(*LAB, "-o", str(tmp_path / "file"))
    assert "no folder can be written there" in refused(*LAB, "-o", str(tmp_path / "missing" / "study"))
