"""``punto rng-evidence``: statistical evidence that shoes are in random order, as a folder of files."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from punto.cli.evidence.audit import GAME, SOMETHING_FOUND, known_games, with_database
from punto.cli.main import BadInput, Run, interrupted, seed_number, whole_number
from punto.cli.output import SOFTWARE, print_json
from punto.cli.study.lab import output_folder, write_folder
from punto.store.protocol import Reader

if TYPE_CHECKING:
    from punto.evidence.randomness.battery import Judged
    from punto.evidence.randomness.card_sample import CardSample

SHOES = 40_000
MOST_SHOES = 1_000_000
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def rng_evidence(parser: ArgumentParser) -> Run:
    """Test shoes for randomness."""
    parser.epilog = (
        "For example: punto rng-evidence -o evidence, or for the cards of a house: punto rng-evidence --log punto.db "
        "--table 'table 3' -o evidence. The exit code is 1 if a test fails."
    )
    shoes = f"how many shoes to shuffle (default {SHOES})"
    parser.add_argument("--shoes", type=whole_number, default=SHOES, help=shoes)
    parser.add_argument("--decks", type=whole_number, default=8, help="decks of a shoe (default 8)")
    seed = "practice shoes of this seed, the same in every run (default: sealed shoes from fresh secrets)"
    parser.add_argument("--seed", type=seed_number, help=seed)
    log = "test the shoes in this log instead: a file, or postgresql://user@host/name"
    parser.add_argument("--log", metavar="DATABASE", dest="database", help=log)
    parser.add_argument("--table", metavar="TABLE", help="only this table of the log")
    parser.add_argument("--game", metavar="FILE", dest="games", action="append", default=[], help=GAME)
    operator = "whose shoes these are (default: the property's name in the log)"
    parser.add_argument("--operator", metavar="NAME", default="", help=operator)
    riffles = "also show what betrays a shuffler that riffles 2 to 10 times (takes minutes)"
    parser.add_argument("--riffles", action="store_true", help=riffles)
    positions = "only ask whether every card is equally likely at every position; a million shoes take minutes"
    parser.add_argument("--positions", action="store_true", help=positions)
    out = "the folder for rng.json, rng.pdf and the plots; made if it is not there"
    parser.add_argument("-o", "--output", metavar="FOLDER", required=True, help=out)
    return _run


def _run(arguments: Namespace) -> None:
    folder = output_folder(arguments.output)
    if not 1 <= arguments.shoes <= MOST_SHOES:
        raise BadInput(f"--shoes: expected 1 to {MOST_SHOES}, not {arguments.shoes}")
    if not 1 <= arguments.decks <= 8:
        raise BadInput(f"--decks: expected 1 to 8, not {arguments.decks}")
    if arguments.table is not None and arguments.database is None:
        raise BadInput("--table: names a table of a log; say which with --log")
    if arguments.positions and (arguments.database, arguments.seed, arguments.riffles) != (None, None, False):
        raise BadInput("--positions: is asked of new sealed shoes alone, without --log, --seed and --riffles")
    try:
        if arguments.positions:
            _positions(arguments, folder)
        elif arguments.database is None:
            _computed(arguments, folder)
        else:
            with_database(arguments, _logged)
    except KeyboardInterrupt:
        interrupted(f"{folder}: interrupted, and not written: half of the evidence would be taken for all of it")


def _computed(arguments: Namespace, folder: Path) -> None:
    from punto.evidence.randomness.battery import judge_shoes
    from punto.evidence.randomness.card_sample import sample_of
    from punto.evidence.randomness.shoe_source import draw_shoes

    start = datetime.now(UTC)
    drawn = draw_shoes(arguments.shoes, arguments.decks, arguments.seed)
    span = (_shown(start), _shown(datetime.now(UTC)))
    source = "sealed" if arguments.seed is None else "practice"
    about = _about(arguments, source, span=span, operator=arguments.operator)
    _finish(arguments, folder, about, judge_shoes(drawn, arguments.decks), sample_of(drawn.orders, arguments.decks))


def _positions(arguments: Namespace, folder: Path) -> None:
    """Count where the cards of new sealed shoes come to lie; exit with 1 if some place is favoured."""
    from punto.evidence.randomness.many_shoes import count_positions, judge_positions
    from punto.evidence.randomness.probabilities import LEVEL

    start = datetime.now(UTC)
    found = count_positions(arguments.shoes, arguments.decks)
    result = judge_positions(found)
    failed = result.p is not None and result.p < LEVEL
    told = {
        **_about(arguments, "sealed", span=(_shown(start), _shown(datetime.now(UTC))), operator=arguments.operator),
        "shoes": found.shoes,
        "decks": arguments.decks,
        "cards_seen": result.counted,
        "words_skipped": found.skipped,
        "shoes_spoiled": found.spoiled,
        "level": LEVEL,
        "test": result.code,
        "statistic": result.statistic,
        "degrees": result.degrees,
        "p": result.p,
        "failed": failed,
    }
    shown = json.dumps(told, indent=1, ensure_ascii=False) + "\n"
    write_folder(folder, lambda place: _write_positions(place, shown))
    if arguments.json:
        print_json(told)
    else:
        mark = "FAILS" if failed else "holds"
        statistic = f"chi-square {result.statistic:.0f} at {result.degrees:.0f} degrees"
        print(f"{result.code:36}{mark}  p = {result.p:.4f} ({statistic})")  # noqa: T201
        print(f"Shoes: {found.shoes:,}; words skipped: {found.skipped:,}; shoes spoiled: {found.spoiled}")  # noqa: T201
        print(f"Written to {folder}")  # noqa: T201
    if failed:
        sys.exit(SOMETHING_FOUND)


def _write_positions(folder: Path, shown: str) -> None:
    (folder / "positions.json").write_text(shown, "utf-8")


async def _logged(store: Reader, arguments: Namespace) -> None:
    from punto.evidence.randomness.battery import judge_cards
    from punto.report.rng_paper.logged_shoes import logged_shoes, sample_of_log
    from punto.store.house_journal import journal_of

    journal = await journal_of(store)
    if arguments.table is not None and arguments.table not in journal.tables:
        raise BadInput(f"--table: the log has no table {arguments.table!r}")
    tables = [arguments.table] if arguments.table else sorted(journal.tables)
    games = await known_games(store, arguments.games)
    sample, used = sample_of_log(await logged_shoes(store, games, tables))
    times = [_shown(_EPOCH + timedelta(milliseconds=each.at)) for each in used]
    span = (min(times), max(times)) if times else None
    operator = arguments.operator or journal.settings.property_name
    about = _about(arguments, "log", span=span, operator=operator, tables=tables)
    _finish(arguments, Path(arguments.output), about, judge_cards(sample) if used else [], sample)


def _about(
    arguments: Namespace, source: str, *, span: tuple[str, str] | None, operator: str, tables: list[str] | None = None
) -> dict[str, Any]:
    return {
        "software": SOFTWARE,
        "operator": operator,
        "source": source,
        "seed": arguments.seed if source == "practice" else None,
        "tables": tables or [],
        "from": span[0] if span else None,
        "to": span[1] if span else None,
        "made": _shown(datetime.now(UTC)),
    }


def _shown(time: datetime) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S UTC")


def _finish(arguments: Namespace, folder: Path, about: dict[str, Any], tests: list[Judged], sample: CardSample) -> None:
    """Tell, write and print what was found; exit with 1 if a test failed."""
    from punto.evidence.randomness.battery import as_dict
    from punto.evidence.randomness.probabilities import LEVEL
    from punto.evidence.randomness.shuffler_study import failed_codes, study_riffles
    from punto.report.rng_paper.randomness_sheet import probability, verdict, write_evidence

    told = {
        **about,
        "shoes": sample.shoes,
        "decks": sample.decks,
        "cards_seen": int(sample.lengths.sum()),
        "level": LEVEL,
        "correction": "holm",
        "tests_made": sum(each.result.p is not None for each in tests),
        "failed": list(failed_codes(tests)),
        "tests": [as_dict(each) for each in tests],
        "riffles": [each.to_dict() for each in study_riffles(sample.decks, 1)] if arguments.riffles else [],
    }
    write_folder(folder, lambda place: write_evidence(told, sample, place))
    if arguments.json:
        print_json(told)
    else:
        for each in tests:
            p, mark = each.result.p, "FAILS" if each.failed else "holds"
            shown = "too few shoes" if p is None else f"{mark}  p = {probability(p)}"
            print(f"{each.result.code:36}{shown}")  # noqa: T201
        print(verdict(told))  # noqa: T201
        print(f"Written to {folder}")  # noqa: T201
    if told["failed"]:
        sys.exit(SOMETHING_FOUND)
