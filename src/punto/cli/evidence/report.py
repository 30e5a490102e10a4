"""``punto report``: sheets to keep and to file."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from msgspec.structs import replace

from punto.books.shift_totals import Span
from punto.cli.evidence.audit import DATABASE, GAME, known_games, with_database
from punto.cli.evidence.long_logs import tell_of_long_logs
from punto.cli.main import BadInput, Run, whole_number
from punto.cli.output import about, output_file, print_json, write
from punto.cli.study.cap_arguments import add_cap_arguments, cap_json, cap_title, capped_wagers
from punto.cli.study.rules import GAME_HELP, game_named
from punto.odds import odds
from punto.rules import CardsSeen, Unlawful
from punto.store.protocol import Reader

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


# --- PAR sheets ------------------------------------------------------------------------------------------------------


def report_par(parser: ArgumentParser) -> Run:
    """Write a PAR sheet."""
    parser.epilog = "For example: punto report par tiger --decks 8 -o tiger.pdf"
    parser.add_argument("game", metavar="GAME", help=GAME_HELP)
    parser.add_argument("--decks", type=whole_number, help="how many decks are in the shoe (default 8)")
    rounds = "a number of rounds for the confidence bands; may be repeated"
    parser.add_argument("--rounds", type=whole_number, action="append", metavar="N", help=rounds)
    add_cap_arguments(parser)
    out = "the file to write: .pdf or .html (default: print JSON)"
    parser.add_argument("-o", "--output", metavar="FILE", help=out)
    return _par


def _par(arguments: Namespace) -> None:
    book = game_named(arguments.game)
    file = None if arguments.output is None else output_file(arguments.output, (".pdf", ".html"))
    if any(number < 1 for number in arguments.rounds or ()):
        raise BadInput("--rounds: expected a whole number above zero")
    decks = book.usual_decks if arguments.decks is None else arguments.decks
    try:
        found = odds(book, decks)
        capped = capped_wagers(book, arguments, decks, CardsSeen())
    except Unlawful as error:
        raise BadInput(book.cite(error)) from None

    from punto.report.par.par_sheet import ROUNDS, capped_part, par_json, par_sheet, write_html, write_pdf

    rounds = tuple(arguments.rounds or ROUNDS)
    sheet = par_sheet(found, decks, rounds) | capped_part(cap_title(arguments) if capped else "", capped)
    if file:
        maker = write_pdf if file.suffix.lower() == ".pdf" else write_html
        write({file: lambda made: maker(sheet, made)})
    if arguments.json or not file:
        print_json(about(book) | par_json(found, decks, rounds) | cap_json(arguments, capped) | {"sheet": sheet})
    else:
        print(f"{file}: PAR sheet of {book.title}, {decks} decks")  # noqa: T201


# --- shift reports ---------------------------------------------------------------------------------------------------


def report_shift(parser: ArgumentParser) -> Run:
    """Write a shift report."""
    parser.epilog = (
        "For example: punto report shift punto.db --from '2026-03-01 06:00' --to '2026-03-01 14:00' -o morning.pdf,"
        " or: punto report shift punto.db --day 2026-03-01 -o day.pdf"
    )
    parser.add_argument("database", metavar="DATABASE", help=DATABASE)
    _add_span(parser)
    parser.add_argument("--language", choices=("en", "zh"), default="en", help="en or zh (default en)")
    parser.add_argument("--game", metavar="FILE", dest="games", action="append", default=[], help=GAME)
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="the file to write: .pdf, .json or .csv (default: print JSON)"
    )
    return lambda arguments: with_database(arguments, _shift)


async def _shift(store: Reader, arguments: Namespace) -> None:
    file = None if arguments.output is None else output_file(arguments.output, (".pdf", ".json", ".csv"))
    games = await known_games(store, arguments.games)

    from punto.report.shift.shift_csv import shift_csv
    from punto.report.shift.shift_report import shift_report
    from punto.report.shift.shift_sheet import shift_pdf
    from punto.store.codec import encoder
    from punto.store.house_journal import journal_of
    from punto.texts import Language

    language = Language(arguments.language)
    span = await _span(store, arguments)
    books = [game.book for game in games.values()]
    journal = await journal_of(store)
    await tell_of_long_logs(store, journal.tables)
    made = await shift_report(store, books, span, language=language, day=day_of(arguments.day), journal=journal)
    made = replace(made, made_at=(datetime.now(UTC) - _EPOCH) // timedelta(milliseconds=1))
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


# --- ratings of patrons ----------------------------------------------------------------------------------------------


def report_ratings(parser: ArgumentParser) -> Run:
    """Rate patrons."""
    parser.epilog = "For example: punto report ratings punto.db --day 2026-03-01 -o ratings.csv"
    parser.add_argument("database", metavar="DATABASE", help=DATABASE)
    _add_span(parser)
    parser.add_argument("--table", metavar="TABLE", help="only this table")
    parser.add_argument("--game", metavar="FILE", dest="games", action="append", default=[], help=GAME)
    parser.add_argument("-o", "--output", metavar="FILE", help="the file to write: .csv or .json (default: print JSON)")
    return lambda arguments: with_database(arguments, _ratings)


async def _ratings(store: Reader, arguments: Namespace) -> None:
    file = None if arguments.output is None else output_file(arguments.output, (".csv", ".json"))

    from punto.report.ratings import ratings, ratings_csv
    from punto.store.codec import encoder
    from punto.store.house_journal import journal_of

    span = await _span(store, arguments)
    books = [game.book for game in (await known_games(store, arguments.games)).values()]
    journal = await journal_of(store)
    rated = await ratings(store, books, span, journal.tables, arguments.table)
    content = json.loads(encoder.encode(rated))
    text = json.dumps(content, indent=2, ensure_ascii=False) + "\n"
    if file:
        made = ratings_csv(rated, journal.settings) if file.suffix.lower() == ".csv" else text
        write({file: lambda where: where.write_text(made, "utf-8", newline="")})
    if arguments.json or not file:
        print_json(content)
    else:
        print(f"{file}: {len(rated)} ratings")  # noqa: T201


# --- actual and theoretical returns ----------------------------------------------------------------------------------


def report_returns(parser: ArgumentParser) -> Run:
    """Compare actual with theoretical returns."""
    parser.epilog = "For example: punto report returns punto.db --day 2026-03-01 -o returns.csv"
    parser.add_argument("database", metavar="DATABASE", help=DATABASE)
    _add_span(parser)
    parser.add_argument("--table", metavar="TABLE", help="only this table")
    parser.add_argument("--game", metavar="FILE", dest="games", action="append", default=[], help=GAME)
    parser.add_argument("-o", "--output", metavar="FILE", help="the file to write: .csv or .json (default: print JSON)")
    return lambda arguments: with_database(arguments, _returns)


async def _returns(store: Reader, arguments: Namespace) -> None:
    file = None if arguments.output is None else output_file(arguments.output, (".csv", ".json"))

    from punto.report.returns.return_report import return_report, returns_csv
    from punto.store.codec import encoder
    from punto.store.house_journal import journal_of

    span, journal = await _span(store, arguments), await journal_of(store)
    if arguments.table is not None and arguments.table not in journal.tables:
        raise BadInput(f"--table: there is no table {arguments.table}")
    books = {digest: game.book for digest, game in (await known_games(store, arguments.games)).items()}
    made = await return_report(store, journal, books, span, arguments.table)
    content = json.loads(encoder.encode(made))
    text = json.dumps(content, indent=2, ensure_ascii=False) + "\n"
    if file:
        written = returns_csv(made) if file.suffix.lower() == ".csv" else text
        write({file: lambda where: where.write_text(written, "utf-8", newline="")})
    if arguments.json or not file:
        print_json(content)
    else:
        outside = sum(each.outside for each in made.returns)
        print(f"{file}: {len(made.returns)} returns, {outside} outside their bounds")  # noqa: T201


# --- times -----------------------------------------------------------------------------------------------------------


def _add_span(parser: ArgumentParser) -> None:
    parser.add_argument("--from", metavar="TIME", dest="start", help="when it begins, UTC (default: with the log)")
    parser.add_argument("--to", metavar="TIME", dest="end", help="when it ends, UTC (default: with the log)")
    day = "a gaming day by its date, as the house has set its clock; instead of --from and --to"
    parser.add_argument("--day", metavar="DATE", help=day)


def day_of(text: str | None) -> date | None:
    try:
        return None if text is None else date.fromisoformat(text)
    except ValueError:
        raise BadInput(f"{text}: expected a date such as 2026-03-01") from None


async def _span_of_day(store: Reader, day: date) -> Span:
    from punto.report.shift.shift_report import day_span, last_event
    from punto.store.house_journal import journal_of

    journal = await journal_of(store)
    try:
        span = day_span(journal.settings, day, await last_event(store, journal.tables) + 1)
    except OverflowError:
        span = Span(0, 0)
    if not 0 < span.start < span.end:
        raise BadInput(f"--day: the log ends before {day} begins, or has no such day")
    return span


async def _span(store: Reader, arguments: Namespace) -> Span:
    """Return the span that is asked for; it begins and ends with the log unless the arguments say otherwise."""
    from punto.report.shift.shift_report import first_event, last_event
    from punto.store.house_journal import journal_of

    if day := day_of(arguments.day):
        if arguments.start is not None or arguments.end is not None:
            raise BadInput("--day: say either a day, or when it begins and ends")
        return await _span_of_day(store, day)
    start, end = time_of_text(arguments.start), time_of_text(arguments.end)
    if start is not None and end is not None and start >= end:
        raise BadInput("--from: a span begins before it ends")
    tables = (await journal_of(store)).tables
    last = await last_event(store, tables) + 1
    end = last if end is None else min(end, last)
    return Span(await first_event(store, tables, end) if start is None else start, end)


def time_of_text(text: str | None) -> int | None:
    """Return a typed time in milliseconds; UTC unless it says otherwise."""
    if text is None:
        return None
    try:
        told = datetime.fromisoformat(text)
        at = (told if told.tzinfo else told.replace(tzinfo=UTC)) - _EPOCH
    except (ValueError, OverflowError):
        raise BadInput(f"{text}: expected a time such as 2026-03-01 06:00") from None
    return at // timedelta(milliseconds=1)
