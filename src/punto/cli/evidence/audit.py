"""``punto audit`` and ``punto heads``: check what a database holds."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any

from punto.audit.finding import Finding
from punto.audit.log_audit import StoreAudit
from punto.audit.stream_audit import Game, games_by_digest
from punto.cli.main import BadInput, Run
from punto.cli.output import input_text, output_file, print_json, write
from punto.rules.game_library import APPROVED
from punto.store.address import is_postgresql, open_reader, reading_failed
from punto.store.codec import UnknownEvent
from punto.store.house import check_key, signed_head
from punto.store.protocol import Reader
from punto.store.records import StoreError
from punto.store.trust.keys import ENVIRONMENT, BadKey, Keys, load_keys
from punto.store.trust.signed_heads import BadHead, Head, read_heads

SOMETHING_FOUND = 1
DATABASE = "the database: a file, or postgresql://user@host/name"
GAME = "a custom game played at the tables"


def audit(parser: ArgumentParser) -> Run:
    """Check a database."""
    parser.add_argument("database", metavar="DATABASE", help=DATABASE)
    head = "signed heads exported earlier and kept elsewhere; may be repeated"
    parser.add_argument("--heads", metavar="FILE", action="append", default=[], help=head)
    parser.add_argument("--game", metavar="FILE", action="append", default=[], help=GAME)
    return lambda arguments: with_database(arguments, _audit)


def heads(parser: ArgumentParser) -> Run:
    """Export signed heads."""
    parser.add_argument("database", metavar="DATABASE", help=DATABASE)
    parser.add_argument("--key", metavar="FILE", help="the key (default: PUNTO_KEY, or beside the file)")
    parser.add_argument("-o", "--output", metavar="FILE", help="write them to a .json file")
    return lambda arguments: with_database(arguments, _heads)


def with_database(arguments: Namespace, work: Callable[[Reader, Namespace], Coroutine[Any, Any, None]]) -> None:
    """Open the database read-only, run ``work`` on it, and close it."""

    async def run() -> None:
        store = await open_reader(arguments.database)
        try:
            await work(store, arguments)
        finally:
            await store.close()

    try:
        asyncio.run(run())
    except StoreError as error:
        raise BadInput(str(error)) from None
    except UnknownEvent as error:
        raise BadInput(f"the log is not in order, and punto audit says where: {error}") from None
    except reading_failed() as error:
        # Of the driver's reason only its type: the rest may quote what is in the database.
        raise BadInput(f"the database can no longer be read ({type(error).__name__})") from None


def known_games(files: Sequence[str]) -> dict[str, Game]:
    """Return, by digest, the games that tables may have been opened with: the approved ones and the given files."""
    return games_by_digest((*APPROVED, *files))


async def _audit(store: Reader, arguments: Namespace) -> None:
    exported = [head for file in arguments.heads for head in _read_heads(file)]
    done = StoreAudit(store, known_games(arguments.game), exported)
    findings = await done.run()
    if arguments.json:
        told = [_finding(each) for each in findings]
        print_json({"streams": len(done.lengths), "events": done.events, "rounds": done.rounds, "findings": told})
    else:
        for each in findings:
            print(each.line())  # noqa: T201
        looked = f"{len(done.lengths):,} streams, {done.events:,} events, {done.rounds:,} rounds"
        print(f"{looked}: {'all in order' if not findings else f'{len(findings)} findings'}")  # noqa: T201
    if findings:
        sys.exit(SOMETHING_FOUND)


def _finding(found: Finding) -> dict[str, object]:
    return {"stream": found.stream, "event": found.number, "code": found.code, "finding": found.sentence()}


def _read_heads(file: str) -> list[Head]:
    try:
        return read_heads(input_text(file))
    except BadHead as error:
        raise BadInput(f"{file}: {error}") from None


async def _heads(store: Reader, arguments: Namespace) -> None:
    out = output_file(arguments.output, (".json",)) if arguments.output is not None else None
    try:
        keys = _keys(arguments.database, arguments.key)
        await check_key(store, keys)
    except (BadKey, UnknownEvent) as error:
        raise BadInput(str(error)) from None
    content = {"heads": [(await signed_head(store, keys, stream)).as_dict() for stream in await store.streams()]}
    if out:
        write({out: lambda made: made.write_text(json.dumps(content, indent=2) + "\n", "utf-8")})
    else:
        print_json(content)


def key_file(database: Path) -> Path:
    """Return the default place of a database's key."""
    return database.with_name(f"{database.name}.key")


def _keys(database: str, named: str | None) -> Keys:
    """Return the key from the named file; by default from the environment, or from beside the database."""
    if named is not None:
        return load_keys(Path(named), {})
    if is_postgresql(database) and ENVIRONMENT not in os.environ:
        raise BadInput(f"no key lies beside a PostgreSQL database: name its file with --key, or set {ENVIRONMENT}")
    return load_keys(key_file(Path(database)))
