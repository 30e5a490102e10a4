"""``punto audit`` and ``punto heads``: check what a database holds."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any

import apsw

from punto.audit.audit_processes import AuditProcesses, collect_seldom
from punto.audit.beside_log import damage, file_faults
from punto.audit.finding import Finding
from punto.audit.log_audit import Elsewhere, StoreAudit
from punto.audit.table_recomputed import LEADS_NOWHERE, Game, games_by_digest
from punto.cli.evidence.witness import witness_at
from punto.cli.main import BadInput, Run, whole_number
from punto.cli.output import input_text, output_file, print_json, write
from punto.rules.game_library import APPROVED
from punto.store.address import is_postgresql, open_reader, reading_failed
from punto.store.codec import UnknownEvent
from punto.store.house import check_key, signed_head
from punto.store.house_journal import journal_of
from punto.store.protocol import Reader
from punto.store.records import Damaged, StoreError
from punto.store.trust.keys import ENVIRONMENT, BadKey, Keys, load_keys
from punto.store.trust.signed_heads import BadHead, Head, read_heads

SOMETHING_FOUND = 1
DATABASE = "the database: a file, or postgresql://user@host/name"
GAME = "a custom game played at the tables"
MOST_PROCESSES = 256
WORTH_A_PROCESS = 30_000
"""Events: fewer are audited before another process has started."""


def audit(parser: ArgumentParser) -> Run:
    """Check a database."""
    parser.add_argument("database", metavar="DATABASE", help=DATABASE)
    head = "signed heads exported earlier and kept elsewhere; may be repeated"
    parser.add_argument("--heads", metavar="FILE", action="append", default=[], help=head)
    parser.add_argument("--game", metavar="FILE", action="append", default=[], help=GAME)
    seen = "the file or http:// address of a witness, with whose last checkpoint the log has to agree"
    parser.add_argument("--witness", metavar="WITNESS", help=seen)
    key = "the key that the witness signs with (default: the one in its file)"
    parser.add_argument("--witness-key", metavar="KEY", help=key)
    published = "the folder in which the log is published: each leaf is compared with the one there"
    parser.add_argument("--log", metavar="FOLDER", help=published)
    several = "processes to audit tables with (default: one for each core, if the log is long)"
    parser.add_argument("--processes", metavar="N", type=whole_number, help=several)
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


async def known_games(store: Reader, files: Sequence[str]) -> dict[str, Game]:
    """Return, by digest, the games tables may have been opened with: approved, given as files, saved in the house."""
    return games_by_digest((*APPROVED, *files), await _saved(store))


async def _saved(store: Reader) -> tuple[bytes, ...]:
    """Return the texts of the house's own games; none where its stream cannot be read, which an audit finds."""
    try:
        return tuple(each.text.encode() for each in (await journal_of(store)).games.values())
    except (Damaged, UnknownEvent, apsw.Error, *LEADS_NOWHERE):
        return ()


async def _audit(store: Reader, arguments: Namespace) -> None:
    exported = [head for file in arguments.heads for head in _read_heads(file)]
    games = await known_games(store, arguments.game)
    done = StoreAudit(store, games, exported)
    if arguments.witness is not None:
        done.witness = witness_at(arguments.witness, arguments.witness_key)
    if arguments.log is not None:
        done.log_folder = _folder(arguments.log)
    collect_seldom()
    faults, found = await asyncio.gather(_file_faults(arguments.database), _found(done, arguments))
    findings = [*faults, *found]
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


async def _file_faults(database: str) -> list[Finding]:
    """Return what the database finds wrong with its own file; it looks at all of it while the audit goes on."""
    store = await open_reader(database)
    try:
        return await file_faults(store)
    finally:
        await store.close()


async def _found(done: StoreAudit, arguments: Namespace) -> list[Finding]:
    """Return what an audit finds; a database that is damaged is a finding, and ends it."""
    try:
        with await _elsewhere(done.store, arguments) as done.elsewhere:
            return await done.run()
    except BadInput:
        raise
    except (Damaged, apsw.Error, *LEADS_NOWHERE) as error:
        return [*done.findings, damage(error)]


async def _elsewhere(store: Reader, arguments: Namespace) -> AbstractContextManager[Sequence[Elsewhere]]:
    """Return what audits streams in other processes; nothing where that is not asked for, or not worth while."""
    asked = arguments.processes
    if asked is not None and not 1 <= asked <= MOST_PROCESSES:
        raise BadInput(f"--processes: expected 1 to {MOST_PROCESSES}, not {asked}")
    ends = sorted((await store.heads(await store.streams())).values())
    processes = min(asked or os.cpu_count() or 1, len(ends))
    # What stands in the longest stream cannot be shared out.
    if processes < 2 or (asked is None and sum(ends[:-1]) < WORTH_A_PROCESS):
        return nullcontext(())
    others = processes - 1  # this one audits as well
    return _processes(
        AuditProcesses(arguments.database, (*APPROVED, *arguments.game), others, await _saved(store)), others
    )


@contextmanager
def _processes(pool: AuditProcesses, processes: int) -> Iterator[Sequence[Elsewhere]]:
    """Give work to other processes, and end them; at once if this one is interrupted or fails."""
    try:
        yield [pool.look_at] * processes
    except BaseException:
        pool.close(at_once=True)
        raise
    pool.close()


def _folder(text: str) -> Path:
    if not Path(text).is_dir():
        raise BadInput(f"--log: {text}: there is no such folder")
    return Path(text)


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
