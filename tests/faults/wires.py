"""Connections in memory: bytes arrive late, in pieces, in order; a connection may be cut at any byte, or half."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextvars import Context
from random import Random

AT_LEAST = 1e-6
"""Seconds between two pieces, so that they never change places."""


class Wire:
    """One direction of a connection."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, dice: Random, context: Context, arrive: Callable[[bytes], None]
    ) -> None:
        self._loop, self._dice, self._context, self._arrive = loop, dice, context, arrive
        self._last = 0.0
        self._slow = dice.choice((0.001, 0.005, 0.05))
        self.waiting = 0
        """Bytes that have not arrived yet."""
        self._left: int | None = None
        """How many more bytes will arrive, once it is cut."""

    def send(self, data: bytes) -> None:
        if self._left is not None or not data:
            return
        cut = self._dice.randrange(len(data)) if self._dice.random() < 0.05 else 0
        for piece in (data[:cut], data[cut:]) if cut else (data,):
            self.waiting += len(piece)
            self._call(self._take, piece)

    def then(self, work: Callable[[], None]) -> None:
        """Do something at the other end, after everything that was sent."""
        self._call(work)

    def cut(self) -> None:
        """Let nothing more arrive but some of what is under way."""
        self._left = self._dice.randrange(self.waiting + 1) if self._left is None else self._left

    def _call(self, work: Callable[..., None], *args: bytes) -> None:
        self._last = max(self._last + AT_LEAST, self._loop.time() + self._dice.expovariate(1 / self._slow))
        self._loop.call_at(self._last, work, *args, context=self._context)

    def _take(self, piece: bytes) -> None:
        self.waiting -= len(piece)
        if self._left is not None:
            piece, self._left = piece[: self._left], max(0, self._left - len(piece))
        if piece:
            self._arrive(piece)


class Line:
    """A connection: the server's end is a transport, the client's end two callbacks."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        dice: Random,
        contexts: tuple[Context, Context],
        received: Callable[[bytes], None],
        lost: Callable[[], None],
    ) -> None:
        server, client = contexts
        self._dice, self._received, self._lost = dice, received, lost
        self.to_server = Wire(loop, dice, server, self._server_hears)
        self.to_client = Wire(loop, dice, client, self._client_hears)
        self.protocol: asyncio.Protocol | None = None
        self._closing = self._ended = self._left = self._paused = False
        self._held: list[bytes] = []

    # --- the client's end ------------------------------------------------------------------------------------------

    def leave(self) -> None:
        """Close the connection from the client's end."""
        if not self._left:
            self._left = True
            self.to_client.cut()
            self.to_server.then(self._end)

    def _client_hears(self, data: bytes) -> None:
        if not self._left:  # what arrives after that is nobody's, and no part of the next connection
            self._received(data)

    def _client_loses(self) -> None:
        if not self._left:
            self._left = True
            self._lost()

    # --- what happens to it ----------------------------------------------------------------------------------------

    def cut(self) -> None:
        """Cut it; one end may not notice for long."""
        self.to_server.cut()
        self.to_client.cut()
        notice = self._dice.choice(("both", "both", "server", "client", "none"))
        if notice in ("both", "client"):
            self.to_client.then(self._client_loses)
        if notice in ("both", "server"):
            self.to_server.then(self._end)

    def server_died(self, machine_too: bool) -> None:
        """Lose the server's end; a machine without power says nothing."""
        self.protocol = None
        self.to_client.cut()
        if not machine_too or self._dice.random() < 0.7:
            self.to_client.then(self._client_loses)

    # --- the server's end: a transport -----------------------------------------------------------------------------

    def _server_hears(self, data: bytes) -> None:
        if self._paused:
            self._held.append(data)
        elif self.protocol and not self._closing:
            self.protocol.data_received(data)

    def _end(self) -> None:
        if not self._ended and self.protocol:
            self._ended = self._closing = True
            self.protocol.connection_lost(None)

    def write(self, data: bytes) -> None:
        if not self._closing:
            self.to_client.send(bytes(data))

    def writelines(self, parts: Sequence[bytes]) -> None:
        self.write(b"".join(parts))

    def get_write_buffer_size(self) -> int:
        return self.to_client.waiting

    def is_closing(self) -> bool:
        return self._closing

    def close(self) -> None:
        if not self._closing:
            self._closing = True
            self.to_client.then(self._client_loses)
            self.to_server.then(self._end)

    def abort(self) -> None:
        self.to_client.cut()
        self.close()

    def pause_reading(self) -> None:
        self._paused = True

    def resume_reading(self) -> None:
        self._paused = False
        held, self._held = self._held, []
        for data in held:
            self._server_hears(data)

    def get_extra_info(self, name: str, default: object = None) -> object:
        return {"peername": ("192.0.2.1", 50000), "sockname": ("192.0.2.2", 8000)}.get(name, default)
