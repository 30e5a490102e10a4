"""``punto audit``, ``punto heads`` and ``punto replay``: what a database holds, checked and told."""

from __future__ import annotations

import asyncio
import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Coroutine
from dataclasses import fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from punto.cli.main import BadInput, Run, whole_number
from punto.cli.output import input_text, output_file, print_json, write
from punto.rules.library import APPROVED, game_file, load
from punto.store.audit import Game, StoreAudit
from punto.store.contract import Reader
from punto.store.founding import check_key, signed_head
from punto.store.heads import BadHead, Head, read_heads
from punto.store.keys import BadKey, load_keys
from punto.store.records import Recorded, StoreError
from punto.store.sqlite import SqliteReader
from punto.table.events import BetsOpened, RoundSettled, RoundVoided

SOMETHING_FOUND = 1
_DATABASE = "the database, a file"


def audit(parser: ArgumentParser) -> Run:
    """Check a database."""
    parser.add_argument("database", metavar="DATABASE", help=_DATABASE)
    head = "heads that were exported from it and kept elsewhere; may be given again"
    parser.add_argument("--heads", metavar="FILE", action="append", default=[], help=head)
    parser.add_argument("--game", metavar="FILE", action="append", default=[], help="a game of your own that is played")
    return lambda arguments: _with(arguments, _audit)


def heads(parser: ArgumentParser) -> Run:
    """Export signed heads."""
    parser.add_argument("database", metavar="DATABASE", help=_DATABASE)
    parser.add_argument("--key", metavar="FILE", help="the key (default: beside the database, or PUNTO_KEY)")
    parser.add_argument("--out", metavar="FILE", help="write them to a .json file")
    return lambda arguments: _with(arguments, _heads)


def replay(parser: ArgumentParser) -> Run:
    """Tell a round."""
    parser.add_argument("database", metavar="DATABASE", help=_DATABASE)
    parser.add_argument("table", metavar="TABLE", help="the table's name")
    parser.add_argument("round", metavar="ROUND", type=whole_number, help="the number of the round")
    return lambda arguments: _with(arguments, _replay)


def _with(arguments: Namespace, work: Any) -> None:
    """Open the database, do it, and close it again."""

    async def run() -> None:
        try:
            store = SqliteReader.open(Path(arguments.database))
        except StoreError as error:
            raise BadInput(str(error)) from None
        try:
            done: Coroutine[Any, Any, None] = work(store, arguments)
            await done
        finally:
            await store.close()

    asyncio.run(run())


async def _audit(store: Reader, arguments: Namespace) -> None:
    exported = [head for file in arguments.heads for head in _read_heads(file)]
    games = [Game(load(game), game_file(game)) for game in (*APPROVED, *arguments.game)]
    done = StoreAudit(store, {game.book.digest: game for game in games}, exported)
    findings = await done.run()
    if arguments.json:
        told = [{"stream": each.stream, "event": each.number, "finding": each.sentence} for each in findings]
        print_json({"streams": len(done.lengths), "events": done.events, "rounds": done.rounds, "findings": told})
    else:
        for each in findings:
            print(each)  # noqa: T201
        looked = f"{len(done.lengths):,} streams, {done.events:,} events, {done.rounds:,} rounds"
        print(f"{looked}: {'all in order' if not findings else f'{len(findings)} findings'}")  # noqa: T201
    if findings:
        sys.exit(SOMETHING_FOUND)


def _read_heads(file: str) -> list[Head]:
    try:
        return read_heads(input_text(file))
    except BadHead as error:
        raise BadInput(f"{file}: {error}") from None


async def _heads(store: Reader, arguments: Namespace) -> None:
    file = Path(arguments.key) if arguments.key else key_file(Path(arguments.database))
    out = output_file(arguments.out, (".json",)) if arguments.out is not None else None
    try:
        keys = load_keys(file)
        await check_key(store, keys)
    except BadKey as error:
        raise BadInput(str(error)) from None
    content = {"heads": [(await signed_head(store, keys, stream)).as_dict() for stream in await store.streams()]}
    if out:
        write({out: lambda made: made.write_text(json.dumps(content, indent=2) + "\n", "utf-8")})
    else:
        print_json(content)


def key_file(database: Path) -> Path:
    """Where the key of a database lies if nothing else is said."""
    return database.with_name(f"{database.name}.key")


async def _replay(store: Reader, arguments: Namespace) -> None:
    events = await _events_of_round(store, arguments.table, arguments.round)
    if not events:
        raise BadInput(f"{arguments.table} has no round {arguments.round}")
    if arguments.json:
        print_json({"table": arguments.table, "round": arguments.round, "events": [_as_json(each) for each in events]})
        return
    for each in events:
        print(_line(each))  # noqa: T201


async def _events_of_round(store: Reader, table: str, round_: int) -> list[Recorded]:
    """From the opening of the round to its end, with what was corrected about it later."""
    found: list[Recorded] = []
    after, inside = 0, False
    while page := await store.read(table, after, 5_000):
        for recorded in page:
            event = recorded.event
            inside = event.round == round_ if isinstance(event, BetsOpened) else inside
            about = getattr(event, "round", None) == round_
            if inside or about:
                found.append(recorded)
            if isinstance(event, RoundSettled | RoundVoided):
                inside = False
        after = page[-1].number
    return found


def _as_json(recorded: Recorded) -> dict[str, object]:
    written = recorded.written
    return {
        "number": recorded.number,
        "at": _time(written.at),
        "by": written.by,
        "position": written.position,
        "event": written.name,
        "hash": recorded.hash.hex(),
        "body": json.loads(written.body),
    }


def _time(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S.%f")[:-3]


def _line(recorded: Recorded) -> str:
    written, event = recorded.written, recorded.event
    clause = getattr(event, "clause", None)
    named = [each.name for each in fields(event)]
    told = [name for name in named if name not in ("clause", "circumstances", "wagers")]
    words = ", ".join(f"{name.rstrip('_')} {_word(getattr(event, name))}" for name in told)
    lines = [f"{recorded.number:6}  {_time(written.at)}  {written.position} {written.by}: {written.name}  {words}"]
    lines[0] += f"  [{clause}]" if clause else ""
    for wager in getattr(event, "wagers", ()):
        each = ", ".join(f"{one.name} {_word(getattr(wager, one.name))}" for one in fields(wager))
        lines.append(f"{'':8}{each}")
    return "\n".join(line.rstrip() for line in lines)


def _word(value: object) -> str:
    return "-" if value is None else "yes" if value is True else "no" if value is False else str(value)
