"""``punto completion``: what a shell offers when somebody presses Tab."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from support.command import refused, run, run_json
from support.needs import need_program

from punto import APPROVED
from punto.cli.main import COMMANDS

ROOT = Path(__file__).parents[2]
SHELLS = ("bash", "zsh", "fish")


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("completion")
    for shell in SHELLS:
        (folder / shell).write_text(run("completion", shell), "utf-8")
    return {shell: folder / shell for shell in SHELLS}


def offered(script: Path, *words: str) -> list[str]:
    """What bash puts into COMPREPLY for these words, the last of them being typed."""
    program = 'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _shtab_punto; printf "%s\\n" "${COMPREPLY[@]}"'
    command = ["bash", "--norc", "-c", program, str(script), "punto", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stderr == ""
    return done.stdout.split("\n")[:-1]


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (["od"], ["odds"]),
        (["odds", "ti"], ["tiger", "tiger-no-commission"]),
        (["odds", "tiger", "--de"], ["--decks", "--dealt"]),
        (["odds", "docs/examples/la"], ["docs/examples/lantern.toml"]),
        (["settle", "tiger", "2s", "--wager", "Tiger"], ["Tiger", r"Tiger\ Pair", r"Tiger\ Tie"]),
        (["settle", "tiger", "--wager", r"Tiger\ P"], [r"Tiger\ Pair"]),
        (["settle", "tiger", "--wager", '"Tiger P'], ["Tiger Pair"]),
        (["report", ""], ["par", "shift", "significant", "returns", "ratings"]),
        (["completion", ""], list(SHELLS)),
        (["verify-shoe", "tests/shoe/published."], ["tests/shoe/published.json"]),
        (["--ver"], ["--version"]),
        (["serve", "--pra"], ["--practice"]),
        (["nothing-such"], [""]),
    ],
)
def test_bash_offers_what_may_stand_there(scripts: dict[str, Path], words: list[str], wanted: list[str]) -> None:
    assert offered(scripts["bash"], *words) == wanted


def test_bash_offers_every_command_and_every_game(scripts: dict[str, Path]) -> None:
    assert set(offered(scripts["bash"], "")) == {name.partition(" ")[0] for name in COMMANDS}
    assert offered(scripts["bash"], "rules", "")[: len(APPROVED)] == list(APPROVED)


@pytest.mark.parametrize("shell", SHELLS)
def test_the_shell_itself_reads_its_script(scripts: dict[str, Path], shell: str) -> None:
    need_program(shell)
    done = subprocess.run([shell, "-n", str(scripts[shell])], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_fish_offers_the_same(scripts: dict[str, Path]) -> None:
    need_program("fish")
    asked = f'source {scripts["fish"]}; complete -C "punto odds ti"'
    done = subprocess.run(["fish", "--no-config", "-c", asked], capture_output=True, text=True, check=True)
    assert [line.split("\t")[0] for line in done.stdout.splitlines()] == ["tiger", "tiger-no-commission"]


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_names_every_command(scripts: dict[str, Path], shell: str) -> None:
    text = scripts[shell].read_text("utf-8")
    assert all(word in text for name in COMMANDS for word in name.split())
    assert str(ROOT) not in text


def test_the_answer_in_json_and_a_shell_nobody_knows() -> None:
    assert run_json("completion", "fish")["shell"] == "fish"
    assert "bash" in refused("completion", "csh")


def test_the_version_is_that_of_the_package() -> None:
    from punto import __version__

    assert run("--version") == f"punto {__version__}\n"
