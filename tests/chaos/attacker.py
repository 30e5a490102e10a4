"""One client that means harm, at a quarter of a core and from an address of its own.

    python -m chaos.attacker KIND PORT TABLE SECONDS

It prints what it got done, as JSON. It attacks this machine only.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from time import monotonic, process_time

HOST, FROM = "127.0.0.1", "127.0.0.9"
SHARE = 0.25
"""Of a core."""
OFFERED = 1 << 30
HALF_OPEN, DRIPPING, UNREAD, WRONG, GUESSING = 5_000, 300, 300, 10_000, 20
HELLO = b"GET /api/tables HTTP/1.1\r\nhost: here\r\n"
UPGRADE = (
    b"GET /api/socket HTTP/1.1\r\nhost: here\r\nconnection: upgrade\r\nupgrade: websocket\r\n"
    b"sec-websocket-version: 13\r\nsec-websocket-key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n"
)


class Attacker:
    """Does its worst until its time is over."""

    def __init__(self, port: int, table: str, seconds: float) -> None:
        self.port, self.table = port, table
        self._began, self._ends = monotonic(), monotonic() + seconds
        self._spent = process_time()
        self.done: Counter[str] = Counter()
        self._kept: list[asyncio.StreamWriter] = []

    async def pace(self) -> bool:
        """Keep to the share of a core; return whether there is time left."""
        too_fast = (process_time() - self._spent) / SHARE - (monotonic() - self._began)
        await asyncio.sleep(max(0, min(too_fast, self._ends - monotonic())))
        return monotonic() < self._ends

    async def connect(self, first: bytes = b"") -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection(HOST, self.port, local_addr=(FROM, 0))
        writer.write(first)
        self._kept.append(writer)
        return reader, writer

    async def header(self) -> None:
        """Offer a header of a gigabyte, again and again."""
        while await self.pace():
            self.done["headers"] += 1
            with suppress(OSError):
                _, writer = await self.connect(HELLO + b"x: ")
                for _ in range(OFFERED >> 18):
                    writer.write(bytes(1 << 18).replace(b"\0", b"y"))
                    await writer.drain()
                    self.done["megabytes"] += self.done["pieces"] % 4 == 3
                    self.done["pieces"] += 1
                    if not await self.pace():
                        return

    async def drip(self) -> None:
        """Send one byte a second on many connections."""
        lines: list[asyncio.StreamWriter] = []
        while await self.pace():
            while len(lines) < DRIPPING and await self.pace():
                with suppress(OSError):
                    lines.append((await self.connect(b"G"))[1])
                    self.done["connections"] += 1
            for writer in lines:
                with suppress(OSError):
                    writer.write(b"E")
                    self.done["bytes"] += 1
            lines = [each for each in lines if not each.is_closing()]
            await asyncio.sleep(1)

    async def half_open(self) -> None:
        """Open connections and say nothing."""
        while await self.pace():
            if self.done["connections"] < HALF_OPEN:
                with suppress(OSError):
                    await self.connect()
                    self.done["connections"] += 1

    async def sign_in(self) -> None:
        """Guess passwords, twenty at a time."""
        await asyncio.gather(*[self._guess() for _ in range(GUESSING)])
        while await self.pace():
            await asyncio.sleep(0.1)

    async def _guess(self) -> None:
        body = json.dumps({"name": "Gaming Shift Manager", "password": "wrong-password"}).encode()
        ask = b"POST /api/sign-in HTTP/1.1\r\nhost: here\r\ncontent-length: %d\r\n\r\n%b" % (len(body), body)
        while self.done["guesses"] < WRONG and await self.pace():
            with suppress(OSError, asyncio.IncompleteReadError):
                reader, writer = await self.connect()
                while self.done["guesses"] < WRONG and await self.pace():
                    writer.write(ask)
                    head = await reader.readuntil(b"\r\n\r\n")
                    length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
                    await reader.readexactly(length)
                    self.done["guesses"] += 1
                    self.done[f"status {head[9:12].decode()}"] += 1

    async def unread(self) -> None:
        """Open sockets, ask for a table's state all the time, and read nothing."""
        ask = json.dumps({"command": "Subscribe", "table": self.table}).encode()
        frame = bytes((0x81, 0x80 | len(ask))) + bytes(4) + ask
        lines: list[asyncio.StreamWriter] = []
        while await self.pace():
            if len(lines) < UNREAD:
                with suppress(OSError):
                    reader, writer = await self.connect(UPGRADE)
                    await reader.readuntil(b"\r\n\r\n")
                    reader._transport.pause_reading()  # type: ignore[attr-defined]
                    lines.append(writer)
                    self.done["sockets"] += 1
            for writer in lines[-20:]:
                if not writer.is_closing():
                    writer.write(frame)
                    self.done["messages"] += 1


KINDS: dict[str, Callable[[Attacker], Awaitable[None]]] = {
    "header": Attacker.header,
    "drip": Attacker.drip,
    "half-open": Attacker.half_open,
    "sign-in": Attacker.sign_in,
    "unread": Attacker.unread,
}


async def _attack(kind: str, port: str, table: str, seconds: str) -> None:
    attacker = Attacker(int(port), table, float(seconds))
    with suppress(TimeoutError):
        async with asyncio.timeout(float(seconds) + 5):
            await KINDS[kind](attacker)
    print(json.dumps(attacker.done), flush=True)  # noqa: T201
    os._exit(0)  # thousands of connections need not be closed one by one


if __name__ == "__main__":
    asyncio.run(_attack(*sys.argv[1:5]))
