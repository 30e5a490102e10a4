"""``punto run``: play rounds written in Punto's notation and check what they expect."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
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


def _run(arguments: Namespace) -> None:
    played = [(file, game, failures) for file in arguments.files for game, failures in _play(file).items()]
    if arguments.json:
        print_json({"scripts": [_as_json(*each) for each in played]})
    else:
        for file, game, failures in played:
            for failure in failures:
                print(f"{file}:{failure.line}: {game}: {failure.sentence}")  # noqa: T201
            if not failures:
                print(f"{file}: {game}: as expected")  # noqa: T201
    if any(failures for _, _, failures in played):
        sys.exit(A_CHECK_FAILED)


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
