"""``punto report significant``: the significant events of a house, with the values before and after."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from datetime import date
from typing import TYPE_CHECKING

from punto.cli.evidence.audit import DATABASE, GAME, known_games, with_database
from punto.cli.evidence.long_logs import tell_of_long_logs
from punto.cli.evidence.report import day_of, time_of_text
from punto.cli.main import BadInput, Run, note
from punto.cli.output import output_file, print_json, write
from punto.store.house_journal import HouseJournal
from punto.store.house_settings import HouseSettings
from punto.store.protocol import Reader
from punto.store.round_events import every_event

if TYPE_CHECKING:
    from punto.report.significant.files import SignificantReport
    from punto.report.significant.kinds import SignificantKind
    from punto.server.pit.raised_alerts import RaisedAt
    from punto.texts import Language

MOST = 1_000_000
"""Events: what is older than so many is left out, and the report says so."""


def report_significant(parser: ArgumentParser) -> Run:
    """List significant events."""
    parser.epilog = "For example: punto report significant punto.db --day 2026-03-01 -o events.csv"
    parser.add_argument("database", metavar="DATABASE", help=DATABASE)
    parser.add_argument("--from", metavar="TIME", dest="start", help="when it begins, UTC (default: with the log)")
    parser.add_argument("--to", metavar="TIME", dest="end", help="when it ends, UTC (default: with the log)")
    parser.add_argument("--day", metavar="DATE", help="a gaming day by its date; instead of --from and --to")
    kinds = "only this kind, such as large-wager; may be repeated"
    parser.add_argument("--kind", metavar="KIND", action="append", default=[], help=kinds)
    parser.add_argument("--person", metavar="PERSON", help="only what is by or about people of this name or id")
    parser.add_argument("--table", metavar="TABLE", help="only this table")
    parser.add_argument("--language", choices=("en", "zh"), default="en", help="en or zh (default en)")
    parser.add_argument("--game", metavar="FILE", dest="games", action="append", default=[], help=GAME)
    out = "the file to write: .csv, .json or .txt (default: print text)"
    parser.add_argument("-o", "--output", metavar="FILE", help=out)
    return lambda arguments: with_database(arguments, _significant)


async def _significant(store: Reader, arguments: Namespace) -> None:
    file = None if arguments.output is None else output_file(arguments.output, (".csv", ".json", ".txt"))

    from punto.report.significant.files import significant_csv, significant_text
    from punto.store.codec import encoder
    from punto.texts import Language

    made, language = await _report(store, arguments), Language(arguments.language)
    content = json.loads(encoder.encode(made))
    texts = {
        ".csv": lambda: significant_csv(made),
        ".txt": lambda: significant_text(made, language),
        ".json": lambda: json.dumps(content, indent=2, ensure_ascii=False) + "\n",
    }
    if file:
        written = texts[file.suffix.lower()]()
        write({file: lambda where: where.write_text(written, "utf-8", newline="")})
    if arguments.json:
        print_json(content)
    elif file:
        print(f"{file}: {len(made.events)} significant events")  # noqa: T201
    else:
        print(texts[".txt"](), end="")  # noqa: T201


async def _report(store: Reader, arguments: Namespace) -> SignificantReport:
    from punto.report.legend import Legend
    from punto.report.significant.files import SignificantReport
    from punto.report.significant.search import SignificantSearch, SignificantSought, streams_of
    from punto.server.running.lifecycle import clock
    from punto.store.house_journal import journal_of
    from punto.texts import Language

    journal, language, now = await journal_of(store), Language(arguments.language), clock()
    if arguments.table is not None and arguments.table not in journal.tables:
        raise BadInput(f"--table: there is no table {arguments.table}")
    start, end = _span(journal.settings, arguments)
    people = await _people(store, arguments.person)
    sought = SignificantSought(_kinds(arguments.kind), people, arguments.table, start, end)
    await tell_of_long_logs(store, journal.tables)
    raised, streams = await _raised(store, journal, arguments, language), await streams_of(store, journal.tables)
    settings_at = _settings_at(journal)
    search = SignificantSearch(store, streams, journal.tables, sought, Legend(language), settings_at, raised)
    found = [each async for each in search.every(MOST + 1)]
    return SignificantReport(journal.settings, start, end or now, now, tuple(found[:MOST]), len(found) > MOST)


def _kinds(named: list[str]) -> set[SignificantKind] | None:
    from punto.report.significant.kinds import SignificantKind

    if unknown := set(named) - set(SignificantKind):
        raise BadInput(f"--kind: there is no {min(unknown)}; kinds are {', '.join(SignificantKind)}")
    return {SignificantKind(each) for each in named} or None


def _span(settings: HouseSettings, arguments: Namespace) -> tuple[int | None, int | None]:
    if arguments.day is None:
        start, end = time_of_text(arguments.start), time_of_text(arguments.end)
        if start is not None and end is not None and start >= end:
            raise BadInput("--from: a span begins before it ends")
        return start, end
    if arguments.start is not None or arguments.end is not None:
        raise BadInput("--day: say either a day, or when it begins and ends")
    day = day_of(arguments.day)
    assert day is not None
    try:
        return settings.day_start(day), settings.day_start(date.fromordinal(day.toordinal() + 1))
    except (OverflowError, ValueError):
        raise BadInput(f"--day: there is no day {day}") from None


def _settings_at(journal: HouseJournal) -> Callable[[int], HouseSettings]:
    return lambda at: next(each for since, each in reversed(journal.settings_since) if since <= at)


async def _people(store: Reader, person: str | None) -> set[str] | None:
    """Return the ids of those whose names contain this, or the one whose id it is."""
    if person is None:
        return None
    ids = {each.id for each in await store.people()}
    if person in ids:
        return {person}
    names = await store.names(ids)
    found = {each for each, kept in names.items() if person.casefold() in (kept.words or "").casefold()}
    if not found:
        raise BadInput(f"--person: there is no person {person!r}; punto people lists them")
    return found


async def _raised(store: Reader, journal: HouseJournal, arguments: Namespace, language: Language) -> RaisedAt:
    """Return the alerts of all tables whose games are known, found as the pit finds them."""
    from punto.server.pit.alerts import TableWatch, every_alert
    from punto.server.pit.raised_alerts import raised_at
    from punto.server.running.lifecycle import clock

    games = await known_games(store, arguments.games)
    settings_at, watches = _settings_at(journal), dict[str, TableWatch]()
    for table, created in journal.tables.items():
        if created.digest not in games:
            note(f"{table}: its game is not known here, so its large wagers and wins are left out; name it with --game")
        elif arguments.table in (None, table):
            watches[table] = TableWatch(games[created.digest].book, settings_at)
            async for recorded in every_event(store, table):
                watches[table].take_in([recorded])
    alerts = every_alert(watches, settings_at, clock())
    return raised_at(((table, each.kind, each.number, each.values) for table, each in alerts), language)
