"""Finding a game: one of the approved ones by its key, or anybody's own by the path of its file."""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from pathlib import Path

from punto.rules.gamefile import read_game
from punto.rules.rulebook import Rulebook
from punto.rules.section import GameFileError

APPROVED = ("baccarat", "tiger", "tiger-no-commission", "dragon-tiger", "fabulous-4")


def load(game: str | Path) -> Rulebook:
    """The rulebook of a game, by the key of an approved one or the path of a TOML file."""
    name = str(game)
    if name in APPROVED:
        return _approved(name)
    if name.endswith(".toml"):
        return read_game(_content(Path(game)), file=name, reserved=APPROVED)
    near = get_close_matches(name, APPROVED, n=1)
    hint = f"did you mean {near[0]}?" if near else f"expected one of {', '.join(APPROVED)}, or the path of a .toml file"
    raise GameFileError(f"there is no game {name!r}; {hint}")


@cache
def _approved(key: str) -> Rulebook:
    return read_game(files("punto.rules.games").joinpath(f"{key}.toml").read_bytes(), file=f"{key}.toml")


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise GameFileError(f"{path}: cannot be read: {error.strerror}") from None
