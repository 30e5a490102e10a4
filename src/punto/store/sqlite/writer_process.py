"""Writing to a SQLite file in a process of its own.

A server decides and answers in one process, and that process is as busy as one can be. Hashing, inserting and waiting
for the disk are done beside it: what is to be committed goes over as one message, and what came of it comes back as
another. When the server is no more, however it ended, its writer finishes what it has begun and ends too.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec import Struct, msgpack

from punto.store.batch import Job
from punto.store.protocol import refused
from punto.store.records import Answer, Append, Conflict, Recorded, Repeated, StoreError
from punto.store.sqlite.writer import Statement, Work, Writer

HASH_BYTES = 32
_LENGTH_BYTES = 4


class _Asked(Struct, array_like=True):
    """What is to be committed together."""

    jobs: list[tuple[Sequence[Append], Answer | None]]
    statements: list[tuple[str, Sequence[Any]]]


class _Conflict(Struct, array_like=True, tag=True):
    stream: str
    expected: int
    found: int


class _Repeated(Struct, array_like=True, tag=True):
    answer: Answer


class _Failed(Struct, array_like=True, tag=True):
    sentence: str


_Wrong = _Conflict | _Repeated | _Failed


class _Done(Struct, array_like=True):
    """What came of it: the hashes of all that was stored, in order; what was not, by its place; rows asked for."""

    hashes: bytes
    not_stored: dict[int, _Wrong]
    rows: list[tuple[list[Any], str | None]]


_encode = msgpack.Encoder().encode
_read_asked = msgpack.Decoder(_Asked).decode
_read_done = msgpack.Decoder(_Done).decode


# --- in the writer's process -----------------------------------------------------------------------------------------


def write_for(server: socket.socket, file: Path) -> None:
    """Commit what the server asks for, as long as it is there."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # meant for the server, which has more to finish and then lets go
    try:
        writer = Writer(file, os.getppid())
    except StoreError as error:
        _send(server, str(error).encode())
        return
    _send(server, b"")
    while asked := _receive(server):
        _send(server, _carried_out(writer, _read_asked(asked)))
    writer.close()


def _carried_out(writer: Writer, asked: _Asked) -> bytes:
    jobs = [Job(appends, answer) for appends, answer in asked.jobs]
    statements = [Statement(text, values) for text, values in asked.statements]
    writer.commit([*jobs, *statements])
    hashes = b"".join([each.hash for job in jobs if job.error is None for each in job.recorded])
    wrong = {place: _written_down(job.error) for place, job in enumerate(jobs) if job.error}
    rows = [([*map(list, each.rows)], str(each.error) if each.error else None) for each in statements]
    return _encode(_Done(hashes, wrong, rows))


def _written_down(error: Exception) -> _Wrong:
    if isinstance(error, Conflict):
        return _Conflict(error.stream, error.expected, error.found)
    return _Repeated(error.answer) if isinstance(error, Repeated) else _Failed(str(error))


def _framed(message: bytes) -> bytes:
    return len(message).to_bytes(_LENGTH_BYTES, "big") + message


def _send(to: socket.socket, message: bytes) -> None:
    with suppress(ConnectionError):  # nobody may wait for it any more
        to.sendall(_framed(message))


def _receive(come_from: socket.socket) -> bytes:
    """The next message; nothing if there will be none."""
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


class Apart:
    """A writer in a process of its own, as its server sees it; should it end, the next commit starts another."""

    PROGRAM: Sequence[str] = ("-m", "punto.store.sqlite.writer_process")

    def __init__(self, file: Path) -> None:
        self._file = file
        self._process, self._socket = self._started()
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    def _started(self) -> tuple[subprocess.Popen[bytes], socket.socket]:
        """A writer that has opened the file."""
        ours, theirs = socket.socketpair()
        with theirs:
            # Its own session, since what a terminal tells the server is not for it. Nothing is imported from a folder
            # (-P) that somebody happens to be in.
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
        """Have all of this carried out in one transaction; each then has what came of it, or its error."""
        jobs = [each for each in together if isinstance(each, Job)]
        others = [each for each in together if isinstance(each, Statement) and _can_be_sent(each)]
        asked = _Asked([(job.appends, job.answer) for job in jobs], [(each.text, each.values) for each in others])
        try:
            if self._process.poll() is not None:
                await self._start_again()
            done = _read_done(await self._answer(_encode(asked)))
        except (StoreError, TypeError, ValueError, OverflowError) as error:
            _all_failed(together, f"nothing was stored: {error}")
        except (OSError, EOFError):
            await self._let_go()
            _all_failed(together, "it is not known whether it was stored: the process that writes has ended")
        except asyncio.CancelledError:
            self._hang_up()  # an answer that nobody reads would be taken for that of the next commit
            raise
        else:
            _take_in(jobs, others, done)

    async def _start_again(self) -> None:
        await self._let_go()
        self._process, self._socket = await asyncio.to_thread(self._started)

    async def _answer(self, message: bytes) -> bytes:
        if self._streams is None:
            self._streams = await asyncio.open_unix_connection(sock=self._socket)
        reader, writer = self._streams
        writer.write(_framed(message))
        length = int.from_bytes(await reader.readexactly(_LENGTH_BYTES), "big")
        return await reader.readexactly(length)

    async def _let_go(self) -> None:
        """End the connection, upon which the writer ends, and wait for that."""
        self._hang_up()
        await asyncio.to_thread(self._process.wait)

    def _hang_up(self) -> None:
        if self._streams:
            self._streams[1].close()
            self._streams = None
        self._socket.close()

    async def close(self) -> None:
        await self._let_go()


def _first_answer(of: socket.socket) -> str:
    """Nothing if the file is open, and else why not."""
    length = _exactly(of, _LENGTH_BYTES)
    if not length:
        return "the process that writes to it could not be started"
    return _exactly(of, int.from_bytes(length, "big")).decode()


def _can_be_sent(statement: Statement) -> bool:
    """Values that are no text or number of any database fail alone."""
    try:
        _encode(statement.values)
    except (TypeError, ValueError, OverflowError) as error:
        statement.error = refused(statement.text, error)
    return statement.error is None


def _all_failed(together: Work, sentence: str) -> None:
    for each in together:
        each.error = StoreError(sentence)


def _take_in(jobs: Sequence[Job], others: Sequence[Statement], done: _Done) -> None:
    hashes, at = done.hashes, 0
    for place, job in enumerate(jobs):
        if wrong := done.not_stored.get(place):
            job.error = _read(wrong)
            continue
        for append in job.appends:
            for number, each in enumerate(append.events, append.expected + 1):
                job.recorded.append(Recorded(append.stream, number, each, hashes[at : at + HASH_BYTES]))
                at += HASH_BYTES
    for statement, (rows, refusal) in zip(others, done.rows, strict=True):
        statement.rows = [tuple(row) for row in rows]
        statement.error = StoreError(refusal) if refusal else None


def _read(wrong: _Wrong) -> Exception:
    if isinstance(wrong, _Conflict):
        return Conflict(wrong.stream, wrong.expected, wrong.found)
    return Repeated(wrong.answer) if isinstance(wrong, _Repeated) else StoreError(wrong.sentence)


if __name__ == "__main__":
    write_for(socket.socket(fileno=int(sys.argv[2])), Path(sys.argv[1]))
