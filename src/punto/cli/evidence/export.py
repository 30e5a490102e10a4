"""``punto export``: the dispute packet of a round, for people outside the house."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from punto.cli.evidence.audit import DATABASE, GAME, SOMETHING_FOUND, known_games, with_database
from punto.cli.evidence.long_logs import tell_of_long_logs
from punto.cli.main import BadInput, Run, whole_number
from punto.cli.output import output_file, print_json, write
from punto.store.protocol import Reader

if TYPE_CHECKING:
    from punto.store.receipts.receipt_file import PublishedLog

LANGUAGES = ("en", "zh")


def export(parser: ArgumentParser) -> Run:
    """Export a round."""
    parser.epilog = "The exit code is 1 if the auditor has findings; the packet lists them and is written anyway."
    parser.add_argument("database", metavar="DATABASE", help=DATABASE)
    parser.add_argument("table", metavar="TABLE", help="the table's name")
    parser.add_argument("round", metavar="ROUND", type=whole_number, help="the number of the round")
    out = "write the packet to a .json or .pdf file; may be repeated (default: print it as JSON)"
    parser.add_argument("-o", "--output", metavar="FILE", action="append", default=[], help=out)
    parser.add_argument("--game", metavar="FILE", action="append", default=[], help=GAME)
    to_head = "include every event from the round to the next signed head, so that the signature covers the round"
    language = "the language of the account: en or zh (default: en)"
    parser.add_argument("--language", metavar="LANGUAGE", choices=LANGUAGES, default=LANGUAGES[0], help=language)
    parser.add_argument("--to-head", action="store_true", help=to_head)
    patron = "the packet for one patron, by their id: it holds proofs instead of what belongs to other patrons"
    parser.add_argument("--patron", metavar="ID", help=patron)
    published = "the folder in which the log is published, for --patron (default: the tree is computed again)"
    parser.add_argument("--log", metavar="FOLDER", help=published)
    return lambda arguments: with_database(arguments, _export)


async def _export(store: Reader, arguments: Namespace) -> None:
    files = [output_file(text, (".json", ".pdf")) for text in arguments.output]
    games = await known_games(store, arguments.game)

    from punto.report.dispute.dispute_sheet import packet_json, packet_pdf
    from punto.report.dispute.packet import dispute_packet
    from punto.report.dispute.patron_packet import patron_packet
    from punto.report.verified_log import NoPacket
    from punto.texts import Language

    await tell_of_long_logs(store, [arguments.table])
    table, number, language = arguments.table, arguments.round, Language(arguments.language)
    try:
        if arguments.patron is None:
            packet = await dispute_packet(store, games, table, number, arguments.to_head, language)
            found = packet["audit"]["findings"]
        else:
            logs = await _logs(store, arguments.log)
            packet = await patron_packet(store, games, table, number, arguments.patron, logs, language)
            found = packet["stated"]["findings"]
    except NoPacket as error:
        raise BadInput(str(error)) from None
    makers: dict[str, Callable[[dict[str, Any]], bytes]] = {".json": packet_json, ".pdf": packet_pdf}
    write({file: lambda made: _write(made, makers[made.suffix.lower()](packet)) for file in files})
    if arguments.json or not files:
        print_json(packet)
    else:
        for file in files:
            print(f"{file}: round {number} of {table}")  # noqa: T201
    if found:
        sys.exit(SOMETHING_FOUND)


async def _logs(store: Reader, folder: str | None) -> list[PublishedLog]:
    """Return the log as it is published, or else as the database has it."""
    from punto.store.receipts.receipt_file import published_logs, recomputed_log
    from punto.store.trust.checkpoints import public_key_of

    if (key := await public_key_of(store)) is None:
        return []
    if folder is not None:
        return await published_logs(store, key, Path(folder))
    log = await recomputed_log(store, key)
    return [log] if log else []


def _write(file: Path, content: bytes) -> None:
    file.write_bytes(content)
