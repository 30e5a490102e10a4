"""A sealer in its own process, so that reading and hashing cost the server's process nearly nothing.

It only reads the database. What it gathers goes to the server, which signs and keeps it. When the server ends, however
it ends, its sealer finds its input closed and ends too.
"""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct, msgpack

from punto.store.address import open_reader
from punto.store.records import StoreError
from punto.store.trust.log_folder import LogForked
from punto.store.trust.log_rows import LogHead, LogRange
from punto.store.trust.sealer import Gathered, Sealer
from punto.tlog.note import Verifier

_LENGTH_BYTES = 4
_PATIENCE = 2
"""Seconds to wait for the process to end by itself."""
_NICER = 5
"""By how much play comes before sealing, where there are too few cores for both."""


class _Begin(Struct, array_like=True, tag=True):
    address: str
    folder: str
    key: str
    epoch: int


class _Gather(Struct, array_like=True, tag=True):
    pass


class _Publish(Struct, array_like=True, tag=True):
    head: LogHead
    ranges: list[LogRange]


class _Reply(Struct, array_like=True):
    gathered: Gathered | None = None
    forked: str | None = None
    failed: str | None = None


_read_request = msgpack.Decoder(_Begin | _Gather | _Publish).decode
_read_reply = msgpack.Decoder(_Reply).decode
_encode = msgpack.Encoder().encode


class SealerProcess:
    """The server's side of a sealer in another process; it has the methods of ``Sealer``."""

    def __init__(self, address: str, folder: Path, key: Verifier, epoch: int) -> None:
        self._begin = _Begin(address, str(folder), key.text, epoch)
        self._process: Process | None = None

    async def begin(self) -> None:
        command = (sys.executable, "-P", "-m", "punto.store.trust.sealer_process")
        self._process = await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, start_new_session=True
        )
        await self._ask(self._begin)

    async def gather(self) -> Gathered | None:
        return (await self._ask(_Gather())).gathered

    async def publish(self, head: LogHead, ranges: Sequence[LogRange]) -> None:
        await self._ask(_Publish(head, list(ranges)))

    async def _ask(self, request: Struct) -> _Reply:
        """Send a request and return the reply; raise ``StoreError`` if the process has ended."""
        process, body = self._process, _encode(request)
        assert process
        assert process.stdin
        assert process.stdout
        try:
            process.stdin.write(len(body).to_bytes(_LENGTH_BYTES, "big") + body)
            await process.stdin.drain()
            length = int.from_bytes(await process.stdout.readexactly(_LENGTH_BYTES), "big")
            reply = _read_reply(await process.stdout.readexactly(length))
        except (OSError, asyncio.IncompleteReadError):
            raise StoreError("the sealer's process has ended") from None
        if reply.forked is not None:
            raise LogForked(reply.forked)
        if reply.failed is not None:
            raise StoreError(f"the sealer failed ({reply.failed})")
        return reply

    async def close(self) -> None:
        """Let the process end: its input is closed. Kill it if it takes long; the next one completes what it wrote."""
        if self._process and self._process.stdin:
            self._process.stdin.close()
            try:
                await asyncio.wait_for(self._process.wait(), _PATIENCE)
            except TimeoutError:
                self._process.kill()
                await self._process.wait()


# --- in the sealer's process -----------------------------------------------------------------------------------------


async def seal_for(server: BinaryIO, answers: BinaryIO) -> None:
    """Do what the server asks for until it hangs up."""
    begin = _read_request(_received(server))
    assert isinstance(begin, _Begin)
    store = await open_reader(begin.address)
    sealer = Sealer(store, Path(begin.folder), Verifier.read(begin.key), begin.epoch)
    request: Struct | None = begin
    while request is not None:
        body = _encode(await _replied(sealer, request))
        answers.write(len(body).to_bytes(_LENGTH_BYTES, "big") + body)
        answers.flush()
        request = _read_request(content) if (content := _received(server)) else None


async def _replied(sealer: Sealer, request: Struct) -> _Reply:
    try:
        match request:
            case _Begin():
                await sealer.begin()
            case _Gather():
                return _Reply(await sealer.gather())
            case _Publish(head, ranges):
                await sealer.publish(head, ranges)
    except LogForked as error:
        return _Reply(forked=str(error))
    except Exception as error:  # the server says so, and begins another sealer
        return _Reply(failed=type(error).__name__)
    return _Reply()


def _received(server: BinaryIO) -> bytes:
    """Return the next request; nothing once the server has hung up."""
    head = server.read(_LENGTH_BYTES)
    return server.read(int.from_bytes(head, "big")) if len(head) == _LENGTH_BYTES else b""


if __name__ == "__main__":
    os.nice(_NICER)
    asyncio.run(seal_for(sys.stdin.buffer, sys.stdout.buffer))
