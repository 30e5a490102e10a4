"""``punto witness`` and ``punto log``: checkpoints of a house's log, cosigned and kept where the house cannot reach."""

from __future__ import annotations

import asyncio
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, HTTPServer
from math import inf
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

from punto.cli.main import BadInput, Run, whole_number
from punto.cli.output import print_json
from punto.store.address import open_reader
from punto.store.records import StoreError
from punto.store.trust.checkpoints import public_key_of
from punto.store.trust.log_folder import COSIGNED, LogFolder
from punto.store.trust.log_rows import log_head, receipts_begin
from punto.store.trust.sealer import log_key
from punto.store.witness_file import WitnessFile, read_cosigned
from punto.tlog.checkpoint import LogCheckpoint, cosigned_at
from punto.tlog.note import BadNote, Note, Verifier
from punto.tlog.witness import NotCosigned, read_request

MOST_BODY = 100_000
PATIENCE = 10
"""Seconds for a witness to answer, or for a client to send what it wants cosigned."""


def log(parser: ArgumentParser) -> Run:
    """Show a log."""
    parser.add_argument("database", metavar="DATABASE", help="the database: a file, or postgresql://user@host/name")
    return _log


def _log(arguments: Namespace) -> None:
    async def looked() -> dict[str, object]:
        store = await open_reader(arguments.database)
        try:
            head, public_key = await log_head(store), await public_key_of(store)
            begin = await receipts_begin(store, head.epoch) if head else None
        finally:
            await store.close()
        if head is None or public_key is None:
            raise BadInput(f"{arguments.database}: nothing of this database was sealed yet; punto serve does so")
        key = log_key(head.origin, public_key).text
        about = {"key": key, "origin": head.origin, "size": head.size, "checkpoint": head.note}
        return {**about, "receipts_from": begin}

    try:
        found = asyncio.run(looked())
    except StoreError as error:
        raise BadInput(str(error)) from None
    if arguments.json:
        print_json(found)
    else:
        begin = "none yet" if found["receipts_from"] is None else f"from leaf {found['receipts_from']}"
        print(f"key: {found['key']}\nreceipts: {begin}\n\n{found['checkpoint']}", end="")  # noqa: T201


def witness(parser: ArgumentParser) -> Run:
    """Cosign checkpoints."""
    parser.add_argument("file", metavar="FILE", help="the witness's file; it is made if it is not there")
    parser.add_argument("--name", default="punto-witness", help="the name of a new witness (punto-witness)")
    parser.add_argument(
        "--log", metavar="KEY", action="append", default=[], help="trust this log, as punto log shows it"
    )
    folder = "cosign what is published in this folder; may be repeated"
    parser.add_argument("--folder", metavar="FOLDER", action="append", default=[], help=folder)
    publish = "put what was cosigned into the folder, so that receipts carry the cosignature"
    parser.add_argument("--publish", action="store_true", help=publish)
    parser.add_argument("--every", metavar="SECONDS", type=whole_number, help="look at the folders again and again")
    port = "answer the requests of C2SP tlog-witness on this port of the loopback address"
    parser.add_argument("--port", metavar="PORT", type=whole_number, help=port)
    return _witness


def _witness(arguments: Namespace) -> None:
    try:
        logs = [Verifier.read(text) for text in arguments.log]
        kept = WitnessFile(Path(arguments.file), arguments.name)
    except (BadNote, StoreError) as error:
        raise BadInput(str(error)) from None
    for log_ in logs:
        kept.trust(log_)
    folders = [LogFolder(Path(each)) for each in arguments.folder]
    server = None if arguments.port is None else _server(kept, arguments.port)
    notes, refused = _looked_at(kept, folders, arguments.publish)
    if refused and not (server or arguments.every):
        raise BadInput("; ".join(refused))
    if arguments.json:
        print_json({"key": kept.key.text, "checkpoints": notes})
    else:
        print("\n".join([f"key: {kept.key.text}", *notes]))  # noqa: T201
    if server:
        print(f"http://127.0.0.1:{server.server_port}", flush=True)  # noqa: T201
    try:
        _watch(kept, folders, server, arguments, refused)
    except KeyboardInterrupt:
        raise SystemExit(0) from None
    finally:
        kept.close()
        if server:
            server.server_close()


def _watch(
    kept: WitnessFile, folders: list[LogFolder], server: HTTPServer | None, arguments: Namespace, refused: list[str]
) -> None:
    """Answer requests, and look at the folders each few seconds. What is refused is told once, and ends nothing."""
    _tell(refused)
    due = time.monotonic() + arguments.every if arguments.every and folders else inf
    while server or due < inf:
        rest = max(0.0, due - time.monotonic())
        if server:
            server.timeout = rest if due < inf else None
            server.handle_request()
        else:
            time.sleep(rest)
        if time.monotonic() >= due:
            before, (_, refused) = refused, _looked_at(kept, folders, arguments.publish)
            _tell([each for each in refused if each not in before])
            due = time.monotonic() + arguments.every


def _tell(refused: list[str]) -> None:
    for each in refused:
        print(f"punto: {each}", file=sys.stderr, flush=True)  # noqa: T201


def _looked_at(kept: WitnessFile, folders: list[LogFolder], publish: bool) -> tuple[list[str], list[str]]:
    """Cosign what folders publish; return the checkpoints, and what was refused. One folder does not stop another."""
    notes, refused = list[str](), list[str]()
    for folder in folders:
        try:
            note = kept.look_at(folder, int(time.time()))
            if note and publish:
                folder.publish(str(note), COSIGNED)
        except (NotCosigned, BadNote) as error:
            refused.append(f"{folder.path}: not cosigned: {error}")
        except OSError as error:
            refused.append(f"{folder.path}: cannot be written: {error.strerror}")
        else:
            (notes if note else refused).append(str(note or f"{folder.path}: there is no checkpoint"))
    return notes, refused


def _server(kept: WitnessFile, port: int) -> HTTPServer:
    try:
        return HTTPServer(("127.0.0.1", port), _handler(kept))
    except (OSError, OverflowError) as error:
        raise BadInput(f"port {port}: cannot listen there: {error}") from None


def _handler(kept: WitnessFile) -> type[BaseHTTPRequestHandler]:
    return type("_Handler", (_Requests,), {"kept": kept})


class _Requests(BaseHTTPRequestHandler):
    """Requests of C2SP tlog-witness, one at a time."""

    kept: WitnessFile
    timeout = PATIENCE

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        if self.path != "/add-checkpoint":
            self._answer(404, "")
        elif not length.isdigit() or int(length) > MOST_BODY:
            self._answer(400, "")
        else:
            self._add(self.rfile.read(int(length)).decode(errors="replace"))

    def _add(self, body: str) -> None:
        """Cosign a checkpoint, or say why not; with the size that is known here if the client has another."""
        try:
            note = self.kept.add(read_request(body), int(time.time()))
        except NotCosigned as error:
            if error.size is None:
                self._answer(error.status, f"{error}\n")
            else:
                self._answer(error.status, f"{error.size}\n", "text/x.tlog.size")
        else:
            self._answer(200, "".join(each.line for each in note.signatures if self.kept.key.made(each)))

    def do_GET(self) -> None:
        for each in self.kept.logs():
            note = self.kept.cosigned(each.name)
            if self.path == f"/{sha256(each.name.encode()).hexdigest()}/checkpoint" and note:
                self._answer(200, str(note))
                return
        self._answer(404, "")

    def _answer(self, status: int, body: str, kind: str = "text/plain; charset=utf-8") -> None:
        content = body.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""


def witness_at(place: str, key: str | None) -> Callable[[str], Note | None]:
    """Return what asks a witness, by its file or address, for what it has cosigned last of a log."""
    try:
        given = Verifier.read(key) if key is not None else None
    except BadNote as error:
        raise BadInput(f"--witness-key: {error}") from None
    is_web = place.startswith("http://")
    if is_web and given is None:
        raise BadInput("--witness: the key of a witness at an address has to be given with --witness-key")
    if not is_web and not Path(place).exists():
        raise BadInput(f"{place}: there is no such file")

    def asked(origin: str) -> Note | None:
        try:
            found = (_fetched(place, origin), given) if is_web else read_cosigned(Path(place), origin)
            note, verifier = found or (None, None)
            verifier = given or verifier
            if note and (verifier is None or cosigned_at(note, verifier) is None):
                raise BadInput(f"{place}: the checkpoint is not cosigned with the witness's key")
            if note:
                LogCheckpoint.read(note.text)
        except (BadNote, StoreError) as error:
            raise BadInput(f"{place}: {error}") from None
        return note

    return asked


def _fetched(place: str, origin: str) -> Note | None:
    address = f"{place.rstrip('/')}/{sha256(origin.encode()).hexdigest()}/checkpoint"
    try:
        with urlopen(address, timeout=PATIENCE) as answer:
            return Note.read(answer.read(MOST_BODY).decode())
    except HTTPError as error:
        if error.code == 404:
            return None
        raise BadInput(f"{place}: the witness answers {error.code}") from None
    except (URLError, OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{place}: the witness does not answer ({type(error).__name__})") from None
