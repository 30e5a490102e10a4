"""``punto lab``: the protection study of a game, as a folder of files."""

from __future__ import annotations

import os
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path

from punto.cli.main import BadInput, Run, interrupted, seed_number, whole_number
from punto.cli.output import print_json
from punto.cli.study.rules import GAME_HELP, game_named
from punto.cli.study.simulate import MOST_WORKERS, progress
from punto.data_frames import UNKNOWN, error_of
from punto.formatting import money
from punto.lab.study import MOST_LOSS, SHOES, STAKE, ProtectionStudy, study_protection
from punto.rules import Rulebook


def lab(parser: ArgumentParser) -> Run:
    """Study what the wagers of a game can lose."""
    parser.epilog = 'For example: punto lab tiger --wager "Small Tiger" --shoes 2000 -o study'
    parser.add_argument("game", metavar="GAME", help=GAME_HELP)
    parser.add_argument("--wager", action="append", help="a wager to study; may be repeated (default: all)")
    parser.add_argument("--shoes", type=whole_number, default=SHOES, help=f"how many shoes to deal (default {SHOES})")
    parser.add_argument("--seed", type=seed_number, default=0, help="the same seed deals the same shoes (default 0)")
    parser.add_argument("--decks", type=whole_number, help="decks of a shoe (default 8)")
    parser.add_argument("--cut", type=whole_number, help="how many cards lie behind the cutting card (default 14)")
    limit = f"the limit of a wager in whole units of money (default {STAKE // 100})"
    parser.add_argument("--limit", type=whole_number, default=STAKE // 100, help=limit)
    loss = f"the most a wager may lose in a shoe on average, in whole units of money (default {MOST_LOSS // 100})"
    parser.add_argument("--most-loss", type=whole_number, default=MOST_LOSS // 100, help=loss)
    parser.add_argument("--workers", type=whole_number, help="threads (default: one for each processor)")
    out = "the folder for study.json, study.parquet, study.pdf, study.md and the plots; made if it is not there"
    parser.add_argument("-o", "--output", metavar="FOLDER", required=True, help=out)
    return _run


def _run(arguments: Namespace) -> None:
    book = game_named(arguments.game)
    folder = output_folder(arguments.output)
    if arguments.workers is not None and not 1 <= arguments.workers <= MOST_WORKERS:
        raise BadInput(f"--workers: expected 1 to {MOST_WORKERS}, not {arguments.workers}")
    try:
        found = _studied(book, arguments)
        write_folder(folder, lambda place: _write_files(found, place))
    except KeyboardInterrupt:
        interrupted(f"{folder}: interrupted, and not written: half a study would be taken for a whole one")
    if arguments.json:
        print_json(found.to_dict())
    else:
        _show(found, folder)


def _studied(book: Rulebook, arguments: Namespace) -> ProtectionStudy:
    amounts = {"stake": arguments.limit * 100, "most_loss": arguments.most_loss * 100}
    with progress(arguments.shoes, "dealing") as tell:
        try:
            return study_protection(
                book,
                arguments.shoes,
                arguments.seed,
                wagers=arguments.wager,
                decks=arguments.decks,
                cut=arguments.cut,
                workers=arguments.workers,
                progress=tell,
                **amounts,
            )
        except ValueError as error:
            raise BadInput(str(error)) from None


def _write_files(found: ProtectionStudy, place: Path) -> None:
    from punto.report.protection.study_files import write_study

    write_study(found.to_dict(), found.to_frame(), place)


def output_folder(name: str) -> Path:
    """Return the folder to be written; raise ``BadInput`` if there is something else or it cannot be made."""
    folder = Path(name)
    place = folder if folder.is_dir() else folder.parent
    if (folder.exists() and not folder.is_dir()) or not place.is_dir() or not os.access(place, os.W_OK):
        raise BadInput(f"{name}: no folder can be written there")
    return folder


def write_folder(folder: Path, make: Callable[[Path], None]) -> None:
    """Write all files to a temporary folder and then move them, so that a failure leaves no part of a study."""
    try:
        with tempfile.TemporaryDirectory(dir=folder.absolute().parent, prefix=".punto-") as place:
            made = Path(place) / "study"
            made.mkdir()
            make(made)
            if folder.exists():
                for file in sorted(made.iterdir()):
                    file.replace(folder / file.name)
            else:
                made.rename(folder)
    except OSError as error:
        raise BadInput(f"{folder}: cannot be written: {error.strerror}") from None


def _limit(limit: int | None) -> str:
    return "no gain seen" if limit is None else money(limit, grouped=True)


def _cut(behind: int | None) -> str:
    return "none of these" if behind is None else str(behind)


def _show(found: ProtectionStudy, folder: Path) -> None:
    from punto.cli import terminal
    from punto.formatting import percent

    figures = ("House edge", "Units in 100 hands", "± error", "Units in a shoe", "Highest limit", "Cut needed")
    title = f"{found.book.title}: perfect play, {found.rounds:,} rounds from {found.shoes:,} shoes, seed {found.seed}"
    table = terminal.table(("Wager", "Verdict", *figures), title, right=figures)
    for each in found.wagers:
        played, limit = each.play.figures, each.cuts[0].limit.limit
        table.add_row(
            each.name,
            each.verdict.value,
            percent(each.odds.house_edge),
            f"{played.per_100_hands:.4f}",
            error_of(played.per_100_hands_error),
            f"{played.per_shoe:.4f}",
            *((UNKNOWN, UNKNOWN) if each.bound is None else (_limit(limit), _cut(each.cut_needed))),
        )
    terminal.print_whole(table)
    terms = f"lose at most {money(found.most_loss, grouped=True)} a shoe on average"
    told = f"Highest limit to {terms} at this cut; cut needed to do so at {money(found.stake, grouped=True)}."
    terminal.console.print(told, style="dim", soft_wrap=True)
    terminal.console.print(f"Written to {folder}", soft_wrap=True)
