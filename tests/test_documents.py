"""README and docs are sessions that run: Python examples as doctests, commands with exactly the output shown."""

from __future__ import annotations

import doctest
import re
import shlex
import tomllib
from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet
from command import punto, refused

from punto.rules.condition import FEATURES

ROOT = Path(__file__).parents[1]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def _blocks(language: str) -> list[ParameterSet]:
    """Every fenced block in that language, named by its document and line."""
    found = []
    for document in DOCUMENTS:
        text = document.read_text("utf-8")
        for block in re.finditer(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
            line = text.count("\n", 0, block.start()) + 1
            found.append(pytest.param(block[1], id=f"{document.relative_to(ROOT)}:{line}"))
    return found


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_python_examples_run(document: Path) -> None:
    """All examples of a document in turn, each going on from those before it."""
    failed, tried = doctest.testfile(str(document), module_relative=False, globs={}, raise_on_error=False)
    assert failed == 0
    assert tried > 0 or ">>>" not in document.read_text("utf-8")


def test_the_readme_opens_with_an_example_that_runs() -> None:
    first = re.search(r"^```(\w+)$", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE)
    assert first
    assert first[1] == "python"


@pytest.mark.parametrize("session", _blocks("console"))
def test_commands_print_what_the_document_shows(session: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    command, _, shown = session.partition("\n")
    program, *arguments = shlex.split(command.removeprefix("$ "))
    assert program == "punto"
    _, out, err = punto(*arguments)
    assert [line.rstrip() for line in (out + err).rstrip().splitlines()] == shown.rstrip().splitlines()


@pytest.mark.parametrize("example", _blocks("toml"))
def test_pieces_of_game_files_are_taken_from_the_whole_example(example: str) -> None:
    """What the page shows of a game's file is in the file it links to, comments aside."""
    whole = tomllib.loads((ROOT / "docs" / "examples" / "lantern.toml").read_text("utf-8"))
    for key, value in tomllib.loads(example).items():
        if key == "wager":
            assert all(wager in whole["wager"] for wager in value)
        elif key == "clauses":
            assert value.items() <= whole["clauses"].items()
        elif key == "when":
            assert value in [line["when"] for wager in whole["wager"] for line in wager["lines"]]
        else:
            assert whole[key] == value


def test_the_mistakes_the_page_shows_are_found_as_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = " ".join((ROOT / "docs" / "adding-a-game.md").read_text("utf-8").split())
    game = (ROOT / "docs" / "examples" / "lantern.toml").read_text("utf-8")
    unreachable = re.search(r'\{ outcome = "eight".*?"3\.4" \}', page)
    assert unreachable
    last = 'pays = "5 to 1", clause = "3.4" },'
    monkeypatch.chdir(tmp_path)
    for faulty in (game.replace("margin = 9", "margn = 9"), game.replace(last, f"{last} {unreachable[0]},")):
        Path("lantern.toml").write_text(faulty, "utf-8")
        assert refused("rules", "lantern.toml").strip() in page


def test_every_condition_is_explained() -> None:
    page = (ROOT / "docs" / "adding-a-game.md").read_text("utf-8")
    assert all(f"`{feature}`" in page for feature in FEATURES)


def test_links_lead_somewhere() -> None:
    for document in DOCUMENTS:
        for target in re.findall(r"\]\(([^)#:]+)\)", document.read_text("utf-8")):
            assert (document.parent / target).exists(), f"{document.name}: {target}"
