"""A SQLite writer in its own process.

The server process decides and answers, and is kept free of everything else: hashing, inserting and waiting for the
disk are done here. One message brings what is to be committed, another takes the result back. When the server ends,
however it ends, its writer finishes the commit it has begun and ends too.
"""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Any

from msgspec import Struct, msgpack

from punto.store.batch import Transaction
from punto.store.protocol import refused
from punto.store.records import Answer, Conflict, Repeated, StoreError, Unchanged
from punto.store.sqlite.file_identity import identity_of
from punto.store.sqlite.writer import Statement, Work, Writer

HASH_BYTES = 32
_LENGTH_BYTES = 4


class _Conflict(Struct, array_like=True, tag=True):
    stream: str
    expected: int
    found: int


class _Repeated(Struct, array_like=True, tag=True):
    answer: Answer


class _Failed(Struct, array_like=True, tag=True):
    sentence: str


class _Unchanged(Struct, array_like=True, tag=True):
    sentence: str


_Error = _Conflict | _Repeated | _Unchanged | _Failed


class _Reply(Struct, array_like=True):
    """The result of a request."""

    hashes: bytes
    """Of all events that were stored, in order."""
    errors: dict[int, _Error]
    """By the index of a transaction why it was not stored."""
    rows: list[tuple[list[Any], str | None]]
    """What each statement returned, or why it was refused."""


_encode = msgpack.Encoder().encode
_decode_request = msgpack.Decoder(tuple[list[Transaction], list[tuple[str, Sequence[Any]]]]).decode
_decode_reply = msgpack.Decoder(_Reply).decode


# --- in the writer's process -----------------------------------------------------------------------------------------


def write_for(server: socket.socket, file: Path) -> None:
    """Commit what the server asks for until it hangs up."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # meant for the server, which has more to finish and then lets go
    try:
        writer = Writer(file, os.getppid())
    except StoreError as error:
        _send(server, str(error).encode())
        return
    gc.freeze()  # what exists now stays for good: the collector need not look at it after every few commits
    gc.set_threshold(100_000, 20, 50)
    _send(server, b"")
    while request := _receive(server):
        _send(server, _commit(writer, *_decode_request(request)))
    writer.close()


def _commit(writer: Writer, transactions: Sequence[Transaction], asked: Sequence[tuple[str, Sequence[Any]]]) -> bytes:
    statements = [Statement(text, values) for text, values in asked]
    writer.commit([*transactions, *statements])
    stored = [each for each in transactions if each.error is None]
    hashes = b"".join([record.hash for each in stored for record in each.records])
    errors = {at: _encodable(each.error) for at, each in enumerate(transactions) if each.error}
    rows = [([*map(list, each.rows)], str(each.error) if each.error else None) for each in statements]
    return _encode(_Reply(hashes, errors, rows))


def _encodable(error: Exception) -> _Error:
    if isinstance(error, Conflict):
        return _Conflict(error.stream, error.expected, error.found)
    if isinstance(error, Repeated):
        return _Repeated(error.answer)
    return (_Unchanged if isinstance(error, Unchanged) else _Failed)(str(error))


def _framed(message: bytes) -> bytes:
    return len(message).to_bytes(_LENGTH_BYTES, "big") + message


def _send(to: socket.socket, message: bytes) -> None:
    with suppress(ConnectionError):  # the other side may have ended
        to.sendall(_framed(message))


def _receive(come_from: socket.socket) -> bytes:
    """Return the next message, or nothing once the other side has hung up."""
    length = int.from_bytes(_exactly(come_from, _LENGTH_BYTES), "big")
    return _exactly(come_from, length)


def _exactly(come_from: socket.socket, number: int) -> bytes:
    data = bytearray()
    while len(data) < number:
        try:
            more = come_from.recv(number - len(data))
        except ConnectionError:
            more = b""
        if not more:
            return b""
        data += more
    return bytes(data)


# --- in the server's process -----------------------------------------------------------------------------------------


class WriterGone(Exception):
    """The writer ended before it was sent a request, of which nothing can be stored then."""


class _Replies(asyncio.Protocol):
    """What the writer answers: one message for each request."""

    def __init__(self) -> None:
        self._data = bytearray()
        self._reply: asyncio.Future[bytes] | None = None
        self.is_lost = False

    def next_reply(self) -> asyncio.Future[bytes]:
        """Return the reply to the request just sent; ``EOFError`` if the writer ends before it has replied."""
        self._reply = asyncio.get_running_loop().create_future()
        return self._reply

    def data_received(self, data: bytes) -> None:
        self._data += data
        end = _LENGTH_BYTES + int.from_bytes(self._data[:_LENGTH_BYTES], "big")
        if len(self._data) >= max(end, _LENGTH_BYTES + 1) and self._reply and not self._reply.done():
            self._reply.set_result(bytes(self._data[_LENGTH_BYTES:end]))
            del self._data[:end]

    def connection_lost(self, _: Exception | None) -> None:
        self.is_lost = True
        if self._reply and not self._reply.done():
            self._reply.set_exception(EOFError())


class WriterProcess:
    """The server's side of a writer in another process; should that process end, the next commit starts another."""

    PROGRAM: Sequence[str] = ("-m", "punto.store.sqlite.writer_process")

    def __init__(self, file: Path) -> None:
        self._file, self._closed = file, False
        self._process, self._socket = self._started()
        self._identity = identity_of(file)
        self._connection: tuple[asyncio.Transport, _Replies] | None = None

    def _started(self) -> tuple[subprocess.Popen[bytes], socket.socket]:
        """Start a writer, and return once it has opened the file."""
        ours, theirs = socket.socketpair()
        with theirs:
            # In its own session, because signals from a terminal are for the server alone. -P keeps it from importing
            # modules from the current folder.
            process = subprocess.Popen(
                [sys.executable, "-P", *self.PROGRAM, str(self._file), str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                start_new_session=True,
            )
        if refusal := _first_answer(ours):
            ours.close()
            process.wait()
            raise StoreError(refusal)
        return process, ours

    async def commit(self, together: Work) -> None:
        """Commit all of this at once, and put the result or the error on each."""
        transactions = [each for each in together if isinstance(each, Transaction)]
        others = [each for each in together if isinstance(each, Statement) and _can_be_sent(each)]
        # In an array the fields that are left out have their defaults: a transaction goes over without its result.
        appended = [(each.appends, each.answer, each.words, each.changes) for each in transactions]
        request = appended, [(each.text, each.values) for each in others]
        try:
            if self._closed:
                raise StoreError("the store is closed")  # no other writer may be started now
            message = _framed(_encode(request))
            try:
                answered = await self._reply_to(message)
            except WriterGone:
                await self._start_again()
                answered = await self._reply_to(message)
            reply = _decode_reply(answered)
        except (StoreError, TypeError, ValueError, OverflowError) as error:
            _fail_all(together, f"nothing was stored: {error}")
        except (OSError, EOFError, WriterGone):
            await self._let_go()
            _fail_all(together, "it is not known whether it was stored: the process that writes has ended")
        except asyncio.CancelledError:
            self._hang_up()  # an answer that nobody reads would be taken for that of the next commit
            raise
        else:
            _apply(reply, transactions, others)

    async def _start_again(self) -> None:
        await self._let_go()
        if identity_of(self._file) != self._identity:
            raise StoreError(f"{self._file}: was moved or removed while it was served")  # and another is not begun
        self._process, self._socket = await asyncio.to_thread(self._started)

    async def _reply_to(self, message: bytes) -> bytes:
        """Send a request, and return the reply; raise ``WriterGone`` if it cannot be sent any more."""
        if self._socket.fileno() < 0:  # it was let go
            raise WriterGone
        if self._connection is None:
            self._connection = await asyncio.get_running_loop().create_unix_connection(_Replies, sock=self._socket)
        transport, replies = self._connection
        if replies.is_lost:
            raise WriterGone
        # At once, and not at the end of this turn of the loop: the writer can begin.
        try:
            sent = self._socket.send(message)
        except BlockingIOError:
            sent = 0
        except ConnectionError:
            raise WriterGone from None
        if sent < len(message):
            transport.write(message[sent:])
        return await replies.next_reply()

    async def _let_go(self) -> None:
        """End the connection, upon which the writer ends, and wait for that."""
        self._hang_up()
        await asyncio.to_thread(self._process.wait)

    def _hang_up(self) -> None:
        if self._connection:
            self._connection[0].close()
            self._connection = None
        self._socket.close()

    async def close(self) -> None:
        self._closed = True
        await self._let_go()


def _first_answer(of: socket.socket) -> str:
    """Return an empty text if the file is open, and otherwise why it is not."""
    length = _exactly(of, _LENGTH_BYTES)
    if not length:
        return "the process that writes to it could not be started"
    return _exactly(of, int.from_bytes(length, "big")).decode()


def _can_be_sent(statement: Statement) -> bool:
    """Whether its values can be encoded; if not, this statement alone fails."""
    try:
        _encode(statement.values)
    except (TypeError, ValueError, OverflowError) as error:
        statement.error = refused(statement.text, error)
    return statement.error is None


def _fail_all(together: Work, sentence: str) -> None:
    for each in together:
        each.error = StoreError(sentence)


def _apply(reply: _Reply, transactions: Sequence[Transaction], others: Sequence[Statement]) -> None:
    hashes, at = reply.hashes, 0
    for index, transaction in enumerate(transactions):
        if error := reply.errors.get(index):
            transaction.error = _exception(error)
            continue
        records = []
        for append in transaction.appends:
            for number, each in enumerate(append.events, append.expected + 1):
                records.append(each.stored(append.stream, number, hashes[at : at + HASH_BYTES]))
                at += HASH_BYTES
        transaction.records = records
    for statement, (rows, refusal) in zip(others, reply.rows, strict=True):
        statement.rows = [tuple(row) for row in rows]
        statement.error = StoreError(refusal) if refusal else None


def _exception(error: _Error) -> Exception:
    if isinstance(error, _Conflict):
        return Conflict(error.stream, error.expected, error.found)
    if isinstance(error, _Repeated):
        return Repeated(error.answer)
    return (Unchanged if isinstance(error, _Unchanged) else StoreError)(error.sentence)


def _end_on_error(*error: Any) -> None:
    """Print what went wrong and end, also if nothing reads what is printed: the server waits for the end."""
    printing = Thread(target=sys.__excepthook__, args=error, daemon=True)
    printing.start()
    printing.join(1)
    os._exit(1)


if __name__ == "__main__":
    sys.excepthook = _end_on_error
    write_for(socket.socket(fileno=int(sys.argv[2])), Path(sys.argv[1]))
