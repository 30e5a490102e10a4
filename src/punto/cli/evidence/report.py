"""``punto report``: sheets to keep and to file."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from punto.cli.evidence.audit import DATABASE, GAME, known_games, with_database
from punto.cli.main import BadInput, Run, whole_number
from punto.cli.output import output_file, print_json, write
from punto.cli.study.rules import GAME_HELP
from punto.odds import odds
from punto.rules import Unlawful, load
from punto.store.protocol import Reader

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NEVER = 10**15
"""Later than every time in a log."""


def report(parser: ArgumentParser) -> Run:
    """Write a report."""
    parser.epilog = (
        "For example: punto report par tiger --decks 8 -o tiger.pdf; "
        "punto report shift punto.db --from '2026-03-01 06:00' --to '2026-03-01 14:00' -o morning.pdf"
    )
    kinds = "par: a PAR sheet, as a test lab files it; shift: what every table made in a span of time"
    parser.add_argument("kind", metavar="KIND", choices=("par", "shift"), help=kinds)
    subject = f"for par: {GAME_HELP}; for shift: {DATABASE}"
    parser.add_argument("subject", metavar="SUBJECT", nargs="?", help=subject)
    parser.add_argument(
        "--decks", type=whole_number, help="for a PAR sheet: how many decks are in the shoe (default 8)"
    )
    rounds = "for a PAR sheet: a number of rounds for the confidence bands; may be repeated"
    parser.add_argument("--rounds", type=whole_number, action="append", metavar="N", help=rounds)
    parser.add_argument("--from", metavar="TIME", dest="start", help="when it begins, UTC (default: with the log)")
    parser.add_argument("--to", metavar="TIME", dest="end", help="when it ends, UTC (default: with the log)")
    parser.add_argument("--language", choices=("en", "zh"), help="of a shift report (default en)")
    parser.add_argument("--game", metavar="FILE", dest="games", action="append", default=[], help=GAME)
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="the file to write: .pdf; .html for a PAR sheet, .json or .csv for a shift",
    )
    return _run


_OF_ONE_KIND = {
    "par": {"--decks": "decks", "--rounds": "rounds"},
    "shift": {"--from": "start", "--to": "end", "--language": "language", "--game": "games"},
}
"""The options that belong to one kind of report."""


def _run(arguments: Namespace) -> None:
    for kind, options in _OF_ONE_KIND.items():
        given = [option for option, name in options.items() if getattr(arguments, name) not in (None, [])]
        if given and kind != arguments.kind:
            raise BadInput(f"{given[0]}: that is for punto report {kind}")
    if arguments.kind == "par":
        _par(arguments)
    elif arguments.subject is None:
        raise BadInput("a shift report needs the database of the house")
    else:
        arguments.database = arguments.subject
        with_database(arguments, _shift)


# --- PAR sheets ------------------------------------------------------------------------------------------------------


def _par(arguments: Namespace) -> None:
    if arguments.subject is None:
        raise BadInput("a PAR sheet needs the name of a game")
    if arguments.output is None:
        raise BadInput("a PAR sheet needs -o, the file to write")
    book = load(arguments.subject)
    file = output_file(arguments.output, (".pdf", ".html"))
    if any(number < 1 for number in arguments.rounds or ()):
        raise BadInput("--rounds: expected a whole number above zero")
    decks = book.usual_decks if arguments.decks is None else arguments.decks
    try:
        found = odds(book, decks)
    except Unlawful as error:
        raise BadInput(book.cite(error)) from None

    from punto.report.par.par_sheet import ROUNDS, par_sheet, write_html, write_pdf

    sheet = par_sheet(found, decks, tuple(arguments.rounds or ROUNDS))
    write({file: lambda made: (write_pdf if file.suffix.lower() == ".pdf" else write_html)(sheet, made)})
    if arguments.json:
        print_json(sheet)
    else:
        print(f"{file}: PAR sheet of {book.title}, {decks} decks")  # noqa: T201


# --- shift reports ---------------------------------------------------------------------------------------------------


async def _shift(store: Reader, arguments: Namespace) -> None:
    file = None if arguments.output is None else output_file(arguments.output, (".pdf", ".json", ".csv"))
    start, end = _time(arguments.start, 0), _time(arguments.end, _NEVER)
    if start >= end:
        raise BadInput("--from: a span begins before it ends")
    games = known_games(arguments.games)

    from punto.books.shift_totals import Span
    from punto.report.shift.shift_csv import shift_csv
    from punto.report.shift.shift_report import last_event, shift_report
    from punto.report.shift.shift_sheet import shift_pdf
    from punto.store.codec import encoder
    from punto.texts import Language

    language = Language(arguments.language or "en")
    span = Span(start, min(end, await last_event(store) + 1))
    books = [game.book for game in games.values()]
    made = await shift_report(store, books, span, language=language)
    content = json.loads(encoder.encode(made))

    def put(where: Path) -> None:
        if where.suffix.lower() == ".pdf":
            where.write_bytes(shift_pdf(made, language))
        elif where.suffix.lower() == ".csv":
            where.write_text(shift_csv(made), "utf-8", newline="")
        else:
            where.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", "utf-8")

    if file:
        write({file: put})
    if arguments.json or not file:
        print_json(content)
    else:
        print(f"{file}: shift report of {len(made.tables)} tables")  # noqa: T201


def _time(text: str | None, otherwise: int) -> int:
    """Return a typed time in milliseconds; UTC unless it says otherwise."""
    if text is None:
        return otherwise
    try:
        told = datetime.fromisoformat(text)
        at = (told if told.tzinfo else told.replace(tzinfo=UTC)) - _EPOCH
    except (ValueError, OverflowError):
        raise BadInput(f"{text}: expected a time such as 2026-03-01 06:00") from None
    return at // timedelta(milliseconds=1)
