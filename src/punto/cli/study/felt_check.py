"""``punto felt-check``: a pay table from a felt or a rack card, compared with the rulebook before it is printed."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from punto.cli.main import BadInput, Run, whole_number
from punto.cli.output import about, input_text, print_json
from punto.cli.study.rules import GAME_HELP
from punto.data_frames import exact
from punto.rules import Unlawful, load

if TYPE_CHECKING:
    from punto.report.felt.felt_check import ComparedLine, FeltCheck

DIFFERS = 1
"""The exit code for a felt that says something else than the game."""


def felt_check(parser: ArgumentParser) -> Run:
    """Compare a printed pay table with a game."""
    parser.epilog = "For example: punto felt-check tiger felt.txt, or: pbpaste | punto felt-check tiger -"
    parser.add_argument("game", metavar="GAME", help=GAME_HELP)
    parser.add_argument(
        "file", metavar="FILE", help="the pay table as text, in English or Chinese; - for standard input"
    )
    parser.add_argument("--decks", type=whole_number, help="decks for the house edges (default 8)")
    return _run


def _run(arguments: Namespace) -> None:
    from punto.report.felt.felt_check import check_felt

    book = load(arguments.game)
    try:
        found = check_felt(book, input_text(arguments.file), arguments.decks)
    except Unlawful as error:
        raise BadInput(book.cite(error)) from None
    except ValueError as error:
        raise BadInput(f"{arguments.file}: {error}") from None
    if arguments.json:
        print_json(about(book) | _told(found))
    else:
        _show(found)
    if not found.is_equal:
        sys.stdout.flush()
        sys.exit(DIFFERS)


def _told(found: FeltCheck) -> dict[str, object]:
    return {
        "decks": found.decks,
        "equal": found.is_equal,
        "lines": [_line(each) for each in found.lines],
        "edges": [
            {"wager": name, **exact(house_edge=edge, printed_edge=printed)}
            for name, (edge, printed) in found.edges.items()
        ],
    }


def _line(each: ComparedLine) -> dict[str, object]:
    return {
        "verdict": each.verdict.value,
        "line": each.printed.line if each.printed else None,
        "words": each.printed.words if each.printed else None,
        "wager": each.wager.name if each.wager else None,
        "outcome": each.line.outcome if each.line else None,
        "clause": each.line.clause if each.line else None,
        **(exact(printed=each.printed.pays) if each.printed else {"printed": None, "printed_rounded": None}),
        **(exact(pays=each.line.pays) if each.line else {"pays": None, "pays_rounded": None}),
        "misspelt": [{"printed": wrong, "meant": meant} for wrong, meant in each.misspelt],
    }


def _show(found: FeltCheck) -> None:
    from rich.text import Text

    from punto.cli import terminal
    from punto.formatting import percent
    from punto.report.dossier.pay_lines import line_name, pays
    from punto.texts import Language, text

    english = Language.ENGLISH
    columns = ("Line", "Printed", "Meant", "Printed pays", "Game pays", "Clause", "Verdict")
    table = terminal.table(columns, f"{found.book.title}, {found.decks} decks", right=("Line", *columns[3:5]))
    for each in found.lines:
        verdict = text("dossier", f"felt.verdict.{each.verdict.value}", english)
        table.add_row(
            str(each.printed.line) if each.printed else "",
            Text(each.printed.words) if each.printed else "",
            line_name(each.wager, each.line, english) if each.wager and each.line else "",
            pays(each.printed.pays, english) if each.printed else "",
            pays(each.line.pays, english) if each.line else "",
            each.line.clause if each.line else "",
            Text(verdict, "bold" if each.verdict.is_difference else "dim"),
        )
    terminal.print_whole(table)
    for each in found.lines:
        for wrong, meant in each.misspelt:
            terminal.console.print(Text(text("dossier", "felt.misspelt", english, printed=wrong, meant=meant)))
    for name, (edge, printed) in found.edges.items():
        told = text("dossier", "felt.edge", english, wager=name, edge=percent(edge), printed=percent(printed))
        terminal.console.print(Text(told))
    terminal.console.print(Text(text("dossier", "felt.equal" if found.is_equal else "felt.differs", english), "bold"))
