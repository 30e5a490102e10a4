"""``punto dossier``: everything that is filed for a game's approval, as a folder of files."""

from __future__ import annotations

import hashlib
from argparse import ArgumentParser, Namespace
from datetime import date
from typing import TYPE_CHECKING

from punto.cli.main import BadInput, Run, interrupted, seed_number, whole_number
from punto.cli.output import about, print_json
from punto.cli.study.rules import GAME_HELP
from punto.rules import Rulebook, Unlawful, load
from punto.rules.game_library import file_as_written, game_file

if TYPE_CHECKING:
    from pathlib import Path

    from punto.report.dossier.filing import Dossier, Filing

_MOST_SHOES = 1_000_000


def dossier(parser: ArgumentParser) -> Run:
    """Make the dossier of a game."""
    parser.epilog = "For example: punto dossier my-game.toml --date 2026-03-01 -o my-game-dossier"
    parser.add_argument("game", metavar="GAME", help=GAME_HELP)
    parser.add_argument("--decks", type=whole_number, help="how many decks are in the shoe (default 8)")
    shoes = "how many shoes the simulation deals (default 20000)"
    parser.add_argument("--shoes", type=whole_number, metavar="N", help=shoes)
    lab = "how many shoes the lab's summary deals (default 400)"
    parser.add_argument("--lab-shoes", type=whole_number, metavar="N", help=lab)
    parser.add_argument("--seed", type=seed_number, default=1, help="the same seed deals the same shoes (default 1)")
    parser.add_argument("--date", metavar="DATE", help="the day to print on it, such as 2026-03-01 (default: none)")
    out = "the folder for the files; made if it is not there"
    parser.add_argument("-o", "--output", metavar="FOLDER", required=True, help=out)
    return _run


def _run(arguments: Namespace) -> None:
    from punto.cli.study.lab import output_folder, write_folder

    book, content = load(arguments.game), game_file(arguments.game)
    folder = output_folder(arguments.output)
    made = _made(book, content, arguments, folder)
    if strange := _strange(folder, made):
        raise BadInput(f"{folder}: holds {strange}, which is not of this dossier: choose another folder")

    def put(place: Path) -> None:
        for name, file in made.files.items():
            (place / name).write_bytes(file)

    write_folder(folder, put)
    if arguments.json:
        print_json(about(book) | {"folder": str(folder), **_told(made)})
    else:
        _show(book, folder, made)


def _made(book: Rulebook, content: bytes, arguments: Namespace, folder: Path) -> Dossier:
    from punto.cli.study.simulate import progress
    from punto.report.dossier.filing import make_dossier

    filing = _filing(book, arguments)
    try:
        with progress(filing.shoes, "dealing") as tell:
            return make_dossier(book, content, filing, tell, file_as_written(arguments.game))
    except KeyboardInterrupt:
        interrupted(f"{folder}: interrupted, and not written: a part would be taken for the whole")
    except Unlawful as error:
        raise BadInput(book.cite(error)) from None
    except ValueError as error:
        raise BadInput(str(error)) from None


def _filing(book: Rulebook, arguments: Namespace) -> Filing:
    from punto.report.dossier.filing import LAB_SHOES, SHOES, Filing

    shoes = SHOES if arguments.shoes is None else arguments.shoes
    lab_shoes = LAB_SHOES if arguments.lab_shoes is None else arguments.lab_shoes
    for name, number in (("--shoes", shoes), ("--lab-shoes", lab_shoes)):
        if not 1 <= number <= _MOST_SHOES:
            raise BadInput(f"{name}: expected 1 to {_MOST_SHOES}, not {number}")
    decks = book.usual_decks if arguments.decks is None else arguments.decks
    return Filing(decks, shoes, lab_shoes, arguments.seed, _day(arguments.date))


def _day(text: str | None) -> date | None:
    try:
        return None if text is None else date.fromisoformat(text)
    except ValueError:
        raise BadInput(f"--date {text}: expected a date such as 2026-03-01") from None


def _strange(folder: Path, made: Dossier) -> str | None:
    """Return a file in the folder that the dossier would not replace: it would be taken for a part of it."""
    names = sorted(file.name for file in folder.iterdir()) if folder.is_dir() else []
    return next((name for name in names if name not in made.files), None)


def _told(made: Dossier) -> dict[str, object]:
    return {
        "files": [
            {"file": name, "subject": part.subject, "sha256": hashlib.sha256(content).hexdigest()}
            for part in made.parts
            for name, content in part.files.items()
        ],
        "checks": [{"about": about_, "finding": finding} for about_, finding in made.matters],
    }


def _show(book: Rulebook, folder: Path, made: Dossier) -> None:
    from punto.cli import terminal

    table = terminal.table(("File", "Bytes"), f"{book.title}: {folder}", right=("Bytes",))
    for name, content in made.files.items():
        table.add_row(name, f"{len(content):,}")
    terminal.console.print(table)
    for about_, finding in made.matters:
        terminal.console.print(finding if about_ in finding else f"{about_}: {finding}", markup=False)
