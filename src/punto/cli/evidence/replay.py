"""``punto replay``: a round as it happened, in sentences, with who acted and by which clause."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator

from punto.cli.evidence.audit import DATABASE, GAME, known_games, with_database
from punto.cli.evidence.export import LANGUAGES
from punto.cli.evidence.long_logs import tell_of_long_logs
from punto.cli.main import BadInput, Run, whole_number
from punto.cli.output import print_json
from punto.formatting import money
from punto.report.dispute.packet import cited
from punto.report.legend import Legend
from punto.report.round_index import events_of_round
from punto.report.verified_log import no_such_round
from punto.rules.rulebook import Rulebook
from punto.store.house_journal import journal_of
from punto.store.protocol import Reader
from punto.store.records import EventRecord
from punto.store.round_events import as_json, time_of
from punto.store.words import digests_in
from punto.table.event import Event, Irregularity, Settled
from punto.table.irregularities.correction import RoundCorrected
from punto.table.irregularities.late_wagers import OverlookedWagerSettled
from punto.table.play.settlement import RoundSettled
from punto.texts import Language, name_of, text

_INDENT = " " * 8


def replay(parser: ArgumentParser) -> Run:
    """Show a round."""
    parser.epilog = "Times are UTC. Cards of the shoe are counted from 1. --json prints the events as they are stored."
    parser.add_argument("database", metavar="DATABASE", help=DATABASE)
    parser.add_argument("table", metavar="TABLE", help="the table's name")
    parser.add_argument("round", metavar="ROUND", type=whole_number, help="the number of the round")
    parser.add_argument("--game", metavar="FILE", action="append", default=[], help=GAME)
    parser.add_argument("--language", choices=LANGUAGES, default=LANGUAGES[0], help="en or zh (default en)")
    return lambda arguments: with_database(arguments, _replay)


async def _replay(store: Reader, arguments: Namespace) -> None:
    table, round_ = arguments.table, arguments.round
    games = await known_games(store, arguments.game)
    await tell_of_long_logs(store, [table])
    events = await events_of_round(store, games, table, round_)
    if not events:
        raise BadInput(await no_such_round(store, table, round_))
    language = Language(arguments.language)
    legend = Legend(language)
    await legend.look_up(store, events)
    if arguments.json:
        told = {"table": table, "round": round_, "events": [as_json(each) for each in events]}
        kept = await store.words(digests_in(*(each.body for each in events)))
        written = {each.reference: each.words for _, each in sorted(kept.items())}
        print_json(told | {"names": legend.names, "words": written})
        return
    game = games.get((await journal_of(store)).tables[table].digest)
    for each in events:
        print("\n".join(_lines(each, game.book if game else None, legend, language)))  # noqa: T201


def _lines(recorded: EventRecord, book: Rulebook | None, legend: Legend, language: Language) -> Iterator[str]:
    """Yield what an event did in a sentence, with who gave it and when, and below it what came of each wager."""
    event, who = recorded.event, legend.name(recorded.by)
    clauses = list(cited(event, book)) if book else []
    told = f"{name_of('duty', recorded.position, language)} {who}: {legend.event(event)}"
    yield f"{recorded.number:6}  {time_of(recorded.at)}  {told}" + (f"  [{', '.join(clauses)}]" if clauses else "")
    if isinstance(event, Irregularity) and event.circumstances:
        about = legend.circumstances(event.circumstances)
        yield from (
            f"{_INDENT}{text('reports', f'dispute.circumstance.{key}', language)}: {words}"
            for key, words in (("note", about.note), ("reason", about.reason), ("second-person", about.second_person))
            if words
        )
    for each in _settled(event):
        yield _INDENT + legend.in_text(_wager(each, language))


def _settled(event: Event) -> Iterable[Settled]:
    if isinstance(event, RoundCorrected | OverlookedWagerSettled):
        return [each.after for each in event.corrections]
    return event.wagers if isinstance(event, RoundSettled) else ()


def _wager(each: Settled, language: Language) -> str:
    """Return what became of one wager."""
    result = text("reports", f"dispute.result.{each.result.value if each.result else 'returned'}", language)
    wager = {"patron": each.patron, "wager": each.wager, "amount": money(each.stake), "position": each.position}
    return text("reports", "replay.wager", language, result=result, returned=each.returned, clause=each.clause, **wager)
