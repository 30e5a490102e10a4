"""Check documents: every command and example runs and prints what is shown; names, files and links exist."""

from __future__ import annotations

import os
import pydoc
import re
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from generator import figures, pages, parts
from support.command import punto, refused
from support.long import some_long
from support.needs import need_program
from support.sessions import DONE_ELSEWHERE, ROOT, blocks, done_elsewhere, looks_like, session, targets

from punto import load, odds
from punto.cli.main import COMMANDS, GROUPS
from punto.rules.conditions import FEATURES

DOCUMENTS = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]
LANGUAGES = {"console", "python", "sh", "toml"}
SITE = ROOT / "dist" / "docs"


LONG = {
    *("docs/benchmarks.md", "docs/installation.md", "docs/operations.md", "docs/simulation.md"),
    *("docs/adding-a-game.md", "docs/randomness.md", "docs/best-counts.md", "docs/start/designer.md"),
    "docs/studies/index.md",
}
"""Documents whose sessions take long."""


@pytest.mark.parametrize(
    "document",
    some_long(DOCUMENTS, [ROOT / each for each in LONG]),
    ids=lambda document: str(document.relative_to(ROOT)),
)
def test_everything_a_document_shows_is_so(
    document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """Run a whole document in order; each command and example continues from those before it."""
    server: Callable[[], str] = lambda: str(request.getfixturevalue("postgresql_server"))  # noqa: E731
    with session(tmp_path, monkeypatch, server) as at_the_shell:
        for block in blocks(document):
            where = f"{block.document}:{block.line}"
            if block.language == "python":
                if ">>>" not in block.text:
                    assert done_elsewhere(f"{block.document} python"), where
                else:
                    told = at_the_shell.examples(block)
                    assert not told, told
            elif block.language in ("console", "sh"):
                for command, shown in block.commands:
                    code, printed = at_the_shell.run(command)
                    if shown is None:
                        assert code == 0, f"{where}: {command}\n{printed}"
                    else:
                        assert looks_like(shown, printed), f"{where}: {command}\n{printed}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: str(document.relative_to(ROOT)))
def test_no_command_stands_where_no_test_would_run_it(document: Path) -> None:
    """Commands are in blocks marked sh or console, never in indented ones; every block names its language."""
    assert {block.language for block in blocks(document)} <= LANGUAGES
    outside = re.sub(r"^( *)```.*?^\1```$", "", document.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    assert not re.findall(r"^ {4,}(?:\$ )?(?:punto|make|pip|uv|npm|docker|git) .*", outside, re.MULTILINE)


def test_what_is_shown_is_compared_and_dots_stand_for_what_varies() -> None:
    assert looks_like("a\nb ... d\n", "a\nb c d\n")
    assert looks_like("a\n...\nd\n", "a\nb\nc\nd\n")
    assert looks_like("a\n...\n", "a\n")
    assert not looks_like("a\nb ... d\n", "a\nb c e\n")
    assert not looks_like("a\n", "a\nb\n")
    assert not looks_like("a.c\n", "abc\n")


def test_what_is_done_elsewhere_is_done() -> None:
    for test in DONE_ELSEWHERE.values():
        file, name = test.split("::")
        assert f"def {name}(" in (ROOT / "tests" / file).read_text("utf-8"), test


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: str(document.relative_to(ROOT)))
def test_what_is_named_in_passing_exists(document: Path) -> None:
    """A command within a sentence names an existing command, options and target."""
    text = re.sub(r"^( *)```.*?^\1```$", "", document.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    for command in re.findall(r"`(punto [a-z][^`]*|make [a-z][^`]*)`", text):
        program, what, *more = command.split()
        if program == "make":
            assert what in targets(), command
            continue
        if "⇥" in command:  # half typed, for the shell to complete
            continue
        words = [what, *more[:1]] if what in GROUPS else [what]
        assert " ".join(words) in {*COMMANDS, *GROUPS}, command
        _, told, _ = punto(*words, "--help")
        for option in re.findall(r"(?<!\S)--?[a-z][a-z-]*", command):
            assert re.search(rf"(?<![\w-]){option}(?![\w-])", told), command


PATH = re.compile(r"`((?:src|web|tests|docs|requirements|examples)/[\w./-]*|\w[\w-]*\.(?:md|toml|yml))`")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: str(document.relative_to(ROOT)))
def test_files_named_in_a_document_exist(document: Path) -> None:
    """A name in capitals stands for one to be chosen: then its folder exists."""
    for path in PATH.findall(document.read_text("utf-8")):
        folder, *placeholder = re.split(r"[^/]*[A-Z]{3,}", path)
        assert (ROOT / path).exists() or (placeholder and (ROOT / folder).exists()), path


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: str(document.relative_to(ROOT)))
def test_python_names_in_a_document_exist(document: Path) -> None:
    text = re.sub(r"^( *)```.*?^\1```$", "", document.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    for dotted in re.findall(r"`(punto(?!\.(?:db|key|dump|mark)\b)(?:\.\w+)+)[(`]", text):
        assert pydoc.locate(dotted) is not None, dotted


def test_the_readme_begins_with_both_commands_and_then_python() -> None:
    readme = blocks(ROOT / "README.md")
    assert [block.language for block in readme[:2]] == ["sh", "python"]
    assert [command.partition("#")[0].strip() for command, _ in readme[0].commands] == ["make serve", "make test"]


LONG_PARTS = {"docs/known-cards.md"}


@pytest.mark.parametrize("document", some_long(parts.PARTS, LONG_PARTS))
def test_tables_made_from_the_project_are_current(document: str) -> None:
    """``make parts`` updates them."""
    assert parts.current(document) == (ROOT / document).read_text("utf-8")


def test_the_commands_of_the_figures_are_in_the_pages() -> None:
    """``make figures`` runs the commands that the page shows, and ``make serve`` and ``make test``."""
    shown = {command for block in blocks(ROOT / "docs" / "benchmarks.md") for command, _ in block.commands}
    assert set(figures.BENCHES) <= shown
    assert {command for _, command, _ in figures.FIGURES} <= {*figures.BENCHES, figures.SERVE, figures.TEST}


def test_the_yardsticks_do_the_work_they_say(tmp_path: Path) -> None:
    """Their counts match the exact odds: one counts all deals, the other a sample of rounds."""
    need_program("cc", "a C compiler")

    def run(source: str, *words: str) -> dict[str, int]:
        program = tmp_path / "yardstick"
        subprocess.run(["cc", "-O2", "-Wall", "-Wextra", "-Werror", "-o", program, ROOT / source], check=True)
        done = subprocess.run([program, *words], capture_output=True, text=True, check=True)
        return {name: int(count) for name, count in re.findall(r"(Player Pair|Player|Banker|Tie) (\d+)", done.stdout)}

    exact = odds(load("baccarat"), 8)
    chances = {name: exact[name].outcomes[0] for name in ("Player", "Banker", "Tie", "Player Pair")}
    counted = run("tests/reference/counting.c")
    assert counted == {name: chances[name].deals for name in ("Player", "Banker", "Tie")}
    dealt = run("tests/reference/dealing.c", "4000")
    rounds = sum(dealt[name] for name in ("Player", "Banker", "Tie"))
    for name, count in dealt.items():
        chance = float(chances[name].probability)
        assert abs(count - rounds * chance) < 6 * (rounds * chance) ** 0.5, name


@pytest.mark.site
def test_the_site_needs_nothing_from_elsewhere() -> None:
    """It can be read from disk without a network: no page loads anything from elsewhere."""
    if not SITE.exists():
        pytest.skip("needs the documentation's site")
    for file in SITE.rglob("*.html"):
        text = file.read_text("utf-8")
        fetched = re.findall(r"<(?:script|img|iframe|source)[^>]* src=\"?([^\">\s]+)", text)
        fetched += re.findall(r"<link[^>]* rel=\"?(?:stylesheet|icon|preload|preconnect)[^>]*", text)
        assert not [each for each in fetched if "//" in each], file
    for file in SITE.rglob("*.css"):
        assert not re.findall(r"url\((?:https?:)?//[^)]*|@import[^;]*//[^;]*", file.read_text("utf-8")), file


def _toml() -> list[object]:
    return [
        pytest.param(block.text, id=f"{block.document}:{block.line}")
        for document in DOCUMENTS
        for block in blocks(document)
        if block.language == "toml"
    ]


@pytest.mark.parametrize("example", _toml())
def test_pieces_of_game_files_are_taken_from_the_whole_example(example: str) -> None:
    """Excerpts on the page are in the file it links to, comments aside."""
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
    """A link leads to a file of the project or to a generated page."""
    made = {ROOT / "docs" / address for address, _ in pages.made()}
    for document in DOCUMENTS:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", document.read_text("utf-8")):
            place = Path(os.path.normpath(document.parent / target))
            assert place.exists() or place in made, f"{document.name}: {target}"
