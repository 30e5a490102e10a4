"""A load generator to measure a server: many patrons, each on a socket, each with one message under way.

The client does as little as possible, so that the server is what is measured: it looks at where frames end and at their
first bytes, and at nothing else.
"""

from __future__ import annotations

import asyncio
import struct
from collections import deque
from collections.abc import Callable, Sequence
from random import Random
from threading import Thread
from time import perf_counter, sleep
from typing import cast
from urllib.parse import urlsplit

_HANDSHAKE = (
    "GET {path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n{token}\r\n"
)
_SHORT, _MEDIUM = 126, 127
_PING, _PONG = 0x89, 0x8A


def client_frame(text: bytes) -> bytes:
    """Return a text as a client frame, masked with zeros."""
    length = len(text)
    head = bytes([0x81, 0x80 | length]) if length < _SHORT else b"\x81\xfe" + struct.pack(">H", length)
    return head + bytes(4) + text


class LoadConnection(asyncio.Protocol):
    """One socket: reports the first bytes of each message as it arrives."""

    def __init__(
        self, address: str, path: str, token: str | None, heard: Callable[[LoadConnection, bytes], None]
    ) -> None:
        self._address, self._path, self._token, self._heard = address, path, token, heard
        self._rest, self._begun = b"", False
        self.opened = asyncio.Event()
        self.transport: asyncio.WriteTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = written = cast(asyncio.WriteTransport, transport)
        token = f"Authorization: Bearer {self._token}\r\n" if self._token else ""
        host = urlsplit(self._address).netloc
        written.write(_HANDSHAKE.format(path=self._path, host=host, token=token).encode())

    def send(self, frame: bytes) -> None:
        assert self.transport is not None
        self.transport.write(frame)

    def _begin(self, data: bytes) -> bytes:
        """Wait for the end of the handshake; return what comes after it."""
        head, end, rest = data.partition(b"\r\n\r\n")
        if not end:
            self._rest = head
            return b""
        if b" 101 " not in head[:20]:
            raise ConnectionError(head.decode("latin-1").splitlines()[0])
        self._begun = True
        self.opened.set()
        return rest

    def data_received(self, data: bytes) -> None:
        rest = self._rest + data if self._rest else data
        self._rest = b""
        if not self._begun:
            rest = self._begin(rest)
            if not self._begun:
                return
        at, size = 0, len(rest)
        while size - at >= 2:
            length, begin = rest[at + 1], at + 2
            if length == _SHORT:
                length, begin = int.from_bytes(rest[begin : begin + 2], "big"), begin + 2
            elif length == _MEDIUM:
                length, begin = int.from_bytes(rest[begin : begin + 8], "big"), begin + 8
            if begin + length > size:
                break
            if rest[at] == _PING:
                self.send(bytes((_PONG, 0x80 | length)) + bytes(4) + rest[begin : begin + length])
            else:
                self._heard(self, rest[begin : begin + 16])
            at = begin + length
        self._rest = rest[at:]


async def connect(
    address: str, path: str, token: str | None, heard: Callable[[LoadConnection, bytes], None]
) -> LoadConnection:
    """Open a connection."""
    parts = urlsplit(address)
    assert parts.hostname
    assert parts.port
    loop = asyncio.get_running_loop()
    _, made = await loop.create_connection(
        lambda: LoadConnection(address, path, token, heard), parts.hostname, parts.port
    )
    await asyncio.wait_for(made.opened.wait(), 30)
    return made


class Answers:
    """Many connections, each of which sends its next message as soon as the one before is answered."""

    def __init__(self, answer: bytes, depth: int = 1) -> None:
        self._answer, self._depth = answer, depth
        """The first bytes of an answer, and how many messages of each connection are under way."""
        self._frames: dict[LoadConnection, Callable[[], bytes]] = {}
        self._sent: dict[LoadConnection, deque[float]] = {}
        self.took: list[float] = []
        self.answered = 0
        """Answers so far, also those before and after what is timed."""
        self.others = 0
        """Messages that were no answers, such as events."""
        self.refused: list[bytes] = []
        self._going_on = False

    def heard(self, connection: LoadConnection, begins: bytes) -> None:
        if not begins.startswith(self._answer):
            self.others += 1
            if begins.startswith(b'{"type":"refused'):
                self.refused.append(begins)
            return
        now = perf_counter()
        self.answered += 1
        self.took.append(now - self._sent[connection].popleft())
        if self._going_on:
            self._send(connection, now)

    def add(self, connection: LoadConnection, frames: Callable[[], bytes]) -> None:
        self._frames[connection], self._sent[connection] = frames, deque()

    def _send(self, connection: LoadConnection, now: float) -> None:
        self._sent[connection].append(now)
        connection.send(self._frames[connection]())

    async def run(self, warm_up: float, seconds: float) -> float:
        """Run for this long; return the answers per second."""
        self._going_on = True
        for connection in self._frames:
            for _ in range(self._depth):
                self._send(connection, perf_counter())
        await asyncio.sleep(warm_up)
        self.took.clear()
        began = perf_counter()
        await asyncio.sleep(seconds)
        rate = len(self.took) / (perf_counter() - began)
        self._going_on = False
        await asyncio.sleep(0.3)
        return rate

    async def run_at_random(self, rate: float, seconds: float, chance: Random) -> None:
        """Send messages at random moments for this long, whether those before are answered or not.

        The time of an answer counts from the moment at which its message was due, so that a server that is slow for a
        while is charged for all that waited.
        """
        loop, connections = asyncio.get_running_loop(), list(self._frames)
        self.took.clear()

        def arrive() -> None:  # in a thread, because a timer of the loop wakes no finer than a millisecond
            due = perf_counter()
            end = due + seconds
            while (due := due + chance.expovariate(rate)) < end:
                sleep(max(0.0, due - perf_counter()))
                loop.call_soon_threadsafe(self._send, chance.choice(connections), due)

        arriving = Thread(target=arrive)
        arriving.start()
        await asyncio.sleep(seconds + 0.5)
        arriving.join()


def percentile(values: Sequence[float], part: float) -> float:
    """Return the value that this part of the values does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))]
