"""``punto backup``: a copy of a database, made while it is served."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from punto.cli.evidence.audit import with_database
from punto.cli.main import BadInput, Run
from punto.cli.output import output_file, print_json, write
from punto.store.address import is_postgresql, open_reader
from punto.store.protocol import Reader
from punto.store.sqlite.backup import back_up

_LEFT_BEHIND = ("", "-wal", "-journal")
"""Files that the copy would overwrite, or that would be taken to belong to it."""


def backup(parser: ArgumentParser) -> Run:
    """Copy a database."""
    parser.epilog = "The key is not in the copy. Check the copy with punto audit."
    parser.add_argument("database", metavar="DATABASE", help="a database file; copy a PostgreSQL database with pg_dump")
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help="the copy, a new .db file")
    return _run


def _run(arguments: Namespace) -> None:
    if is_postgresql(arguments.database):
        raise BadInput("a PostgreSQL database is copied with pg_dump; docs/operations.md says how")
    out = output_file(arguments.output, (".db",))
    for ending in _LEFT_BEHIND:
        if (there := out.with_name(f"{out.name}{ending}")).exists():
            raise BadInput(f"{there}: exists already, and a copy is a new file")
    with_database(arguments, _copy)


async def _copy(_: Reader, arguments: Namespace) -> None:
    """Copy a database that could be opened, and report how much the copy holds."""
    out = Path(arguments.output)
    write({out: lambda made: back_up(Path(arguments.database), made)})
    copied = await open_reader(arguments.output)
    heads = {stream: (await copied.head(stream))[0] for stream in await copied.streams()}
    await copied.close()
    if arguments.json:
        print_json({"copy": arguments.output, "streams": len(heads), "events": sum(heads.values())})
    else:
        print(f"{out}: {len(heads):,} streams, {sum(heads.values()):,} events; punto audit {out} checks it")  # noqa: T201
