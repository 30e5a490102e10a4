"""``punto run``: play rounds written in Punto's notation and check what they expect."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path

from punto.cli.main import BadInput, Run
from punto.cli.output import print_json
from punto.notation import Failure, NotationError, parse
from punto.notation import run as play
from punto.rules import GameFileError

A_CHECK_FAILED = 1
_LONGEST = 10_000_000


def run(parser: ArgumentParser) -> Run:
    """Play rounds."""
    parser.add_argument("files", metavar="FILE", nargs="+", help="a round in Punto's notation (docs/notation.md)")
    return _run


_Played = tuple[str, str, list[Failure]]
"""A file, a game it was played in, and what did not come as expected."""


def _run(arguments: Namespace) -> None:
    played, unread = _play_all(arguments.files)
    if arguments.json and not unread:
        print_json({"scripts": [_as_json(*each) for each in played]})
    elif not arguments.json:
        _print(played)
    if unread:
        raise BadInput("\n".join(unread))
    if any(failures for _, _, failures in played):
        sys.exit(A_CHECK_FAILED)


def _play_all(files: Sequence[str]) -> tuple[list[_Played], list[str]]:
    """Play every file that can be read, and return what is wrong with the others."""
    played, unread = list[_Played](), list[str]()
    for file in files:
        try:
            played += [(file, game, failures) for game, failures in _play(file).items()]
        except BadInput as error:
            unread.append(str(error))
    return played, unread


def _print(played: Sequence[_Played]) -> None:
    for file, game, failures in played:
        for failure in failures:
            print(f"{file}:{failure.line}: {game}: {failure.sentence}")  # noqa: T201
        if not failures:
            print(f"{file}: {game}: as expected")  # noqa: T201


def _play(file: str) -> dict[str, list[Failure]]:
    try:
        with Path(file).open(encoding="utf-8-sig") as script:
            text = script.read(_LONGEST + 1)
        if len(text) > _LONGEST:
            raise BadInput(f"{file}: longer than {_LONGEST:,} letters")
        return play(parse(text))
    except OSError as error:
        raise BadInput(f"{file}: cannot be read: {error.strerror}") from None
    except (NotationError, GameFileError, UnicodeDecodeError) as error:
        raise BadInput(f"{file}: {error}") from None


def _as_json(file: str, game: str, failures: list[Failure]) -> dict[str, object]:
    told = [{"line": failure.line, "sentence": failure.sentence} for failure in failures]
    return {"file": file, "game": game, "failures": told}
