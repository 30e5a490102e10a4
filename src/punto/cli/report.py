"""``punto report``: sheets to keep and to file."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from punto.cli.main import BadInput, Run, whole_number
from punto.cli.output import output_file, print_json, write
from punto.cli.rules import GAME_HELP
from punto.odds import odds
from punto.rules import Unlawful, load


def report(parser: ArgumentParser) -> Run:
    """Write a report."""
    parser.epilog = "For example: punto report par tiger --decks 8 -o tiger.pdf"
    parser.add_argument("kind", metavar="KIND", choices=("par",), help="par: a PAR sheet, as a test lab files it")
    parser.add_argument("game", metavar="GAME", help=GAME_HELP)
    parser.add_argument("--decks", type=whole_number, help="how many decks are in the shoe (default 8)")
    rounds = "a number of rounds for the confidence bands; may be given again"
    parser.add_argument("--rounds", type=whole_number, action="append", metavar="N", help=rounds)
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help="the file to write: .pdf or .html")
    return _run


def _run(arguments: Namespace) -> None:
    book = load(arguments.game)
    file = output_file(arguments.output, (".pdf", ".html"))
    if any(number < 1 for number in arguments.rounds or ()):
        raise BadInput("--rounds: expected a whole number above zero")
    decks = book.usual_decks if arguments.decks is None else arguments.decks
    try:
        found = odds(book, decks)
    except Unlawful as error:
        raise BadInput(book.cite(error)) from None

    from punto.report.par import ROUNDS, par_sheet, write_html, write_pdf

    sheet = par_sheet(found, decks, tuple(arguments.rounds or ROUNDS))
    write({file: lambda made: (write_pdf if file.suffix.lower() == ".pdf" else write_html)(sheet, made)})
    if arguments.json:
        print_json(sheet)
    else:
        print(f"{file}: PAR sheet of {book.title}, {decks} decks")  # noqa: T201
