"""Broken files: mutations of valid ones. Each loads whole or is refused in one sentence that names the file."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from support.command import punto as command

from punto import GameFileError, load
from punto.rules.game_library import APPROVED, LIBRARY, file_as_written

SEED = 20261118
LANTERN = Path(__file__).parents[2] / "docs" / "examples" / "lantern.toml"
FILES = [*(file_as_written(key).decode() for key in LIBRARY), LANTERN.read_text("utf-8")]
FILES += [file_as_written(key).decode().replace(f'key = "{key}"', f'key = "my-{key}"') for key in APPROVED]
WORDS = ('"banker"', "true", "7", "[]", "{}", "{ any = [] }", '"push"', "0.5", "2024-01-01", '"\\u0000"', "'K'", "nan")


def mutated(text: str, random: Random) -> str:
    """A file with one thing wrong, or two: a line or letters lost, doubled or changed, or a value of another kind."""
    for _ in range(random.randint(1, 2)):
        at = random.randrange(len(text))
        to = min(len(text), at + random.randint(1, 12))
        lines = text.splitlines(keepends=True)
        line = random.randrange(len(lines))
        value = text.find("= ", at)
        match random.randrange(6):
            case 0:
                text = text[:at] + text[to:]
            case 1:
                text = text[:to] + text[at:to] + text[to:]
            case 2:
                text = text[:at] + random.choice("abx_=[]{}\",'\n\0é") + text[at + 1 :]
            case 3:
                text = "".join(lines[:line] + lines[line + 1 :])
            case 4:
                text = "".join(lines[: line + 1] + lines[line:])
            case 5 if value > 0:
                end = min(each for mark in ",}\n" if (each := text.find(mark, value)) > 0)
                text = f"{text[: value + 2]}{random.choice(WORDS)}{text[end:]}"
    return text


def broken(number: int, folder: Path) -> Path:
    """The first mutation of that seed that does not load; one that loads is as good a game as any."""
    random = Random(f"{SEED} {number}")
    file = folder / "broken.toml"
    while True:
        file.write_text(mutated(random.choice(FILES), random), "utf-8")
        try:
            load(file)
        except GameFileError:
            return file


def expect_one_sentence(number: int, folder: Path) -> None:
    broken_file = broken(number, folder)
    code, out, err = command("odds", str(broken_file))
    assert (code, out) == (2, ""), err
    assert err.startswith(f"punto: {broken_file}: ")
    assert err.count("\n") == 1, err
    assert "Traceback" not in err


@pytest.mark.parametrize("number", range(20))
def test_a_broken_file_gives_one_sentence(number: int, tmp_path: Path) -> None:
    expect_one_sentence(number, tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("number", range(20, 220))
def test_two_hundred_broken_files_give_one_sentence_each(number: int, tmp_path: Path) -> None:
    expect_one_sentence(number, tmp_path)
