"""HTTP as uvicorn reads it, within limits: of a request, of its time, and of connections.

The parser has no limits of its own and keeps what it was given of a head, so bytes are counted before it gets them.
"""

from __future__ import annotations

from typing import Any, cast

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

from punto.server.realtime.frame_protocol import FrameProtocol
from punto.server.running.connections import ClientLine, ClientLines
from punto.server.running.metrics import METRICS

PIECE = 16_384
"""Bytes that are parsed at a time; more of a head than its limit and one piece is never kept."""
MOST_PIPELINED = 16
"""Requests that may wait for the answers before them; the library would keep any number, of a few bytes each."""
_REFUSALS = {
    408: b"the request took too long",
    413: b"the body is too large",
    414: b"the address is too long",
    431: b"the headers are too large",
    503: b"too many connections",
}


class TooMuch(Exception):
    """Raised to the parser, which then stops; the client has been answered."""


class BoundedHttp(HttpToolsProtocol):
    """One HTTP connection within limits, until it is closed or becomes a socket."""

    def __init__(self, lines: ClientLines, **arguments: Any) -> None:
        super().__init__(**arguments)
        self._lines, self._limits = lines, lines.limits
        self._line: ClientLine | None = None
        self._refused = False
        self._in_head = True
        self._head = 0
        """Bytes of the headers that the parser has found."""
        self._seen = 0
        """Bytes of the head, or of the body, that is being read."""
        self._since = 0.0
        """When the head or the body that is being read began; 0 while nothing is awaited from the client."""
        self._unread_since = 0.0

    # --- the connection --------------------------------------------------------------------------------------------

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._since = self.loop.time()
        self._line = self._lines.admit(transport, self, self.client[0] if self.client else "")
        if self._line is None:
            self._refuse(503)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._line:
            self._line.release()
        super().connection_lost(exc)

    def overdue(self, now: float) -> bool:
        """Whether the client takes too long to send its request, or to read the answer."""
        if not self.transport.get_write_buffer_size():
            self._unread_since = 0.0
        elif not self._unread_since:
            self._unread_since = now
        elif now - self._unread_since > self._limits.answer_time:
            return True
        if not self._since:
            return False
        return now - self._since > (self._limits.head_time if self._in_head else self._limits.body_time)

    def end_overdue(self) -> None:
        """End the connection; a client that has sent a part of a request is told why."""
        if self._unread_since or (self._in_head and not self._seen):
            self.transport.abort()
        else:
            self._refuse(408)

    # --- what arrives ----------------------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        for begin in range(0, len(data), PIECE):
            if self._refused or self.transport.is_closing() or self.transport.get_protocol() is not self:
                return
            self._take(data[begin : begin + PIECE])

    def _take(self, piece: bytes) -> None:
        """Parse a piece, and count it for the head or the body that it belongs to."""
        if not self._since and self._in_head:
            self._since = self.loop.time()
        self._seen += len(piece)
        super().data_received(piece)
        if self._refused or self.transport.is_closing():
            return
        if self._in_head and self._seen > self._limits.head:
            self._refuse(431)
        elif not self._in_head and self._seen > 2 * self._limits.body + PIECE:  # with what frames its chunks
            self._refuse(413)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._in_head, self._head, self._since = True, 0, self.loop.time()

    def on_url(self, url: bytes) -> None:
        super().on_url(url)
        if len(self.url) > self._limits.target:
            self._stop_with(414)

    def on_header(self, name: bytes, value: bytes) -> None:
        super().on_header(name, value)
        self._head += len(name) + len(value) + len(b": \r\n")
        if len(self.headers) > self._limits.headers or self._head > self._limits.head:
            self._stop_with(431)

    def on_headers_complete(self) -> None:
        self._in_head, self._seen, self._since = False, 0, self.loop.time()
        if self._line and self.client and not self._line.take_address(
            self._lines.proxies.client(self.client[0], self.headers)
        ):  # fmt: skip
            self._stop_with(503)
        super().on_headers_complete()
        if len(self.pipeline) > MOST_PIPELINED:
            METRICS.connections_ended["pipelined"] += 1
            self._refused = True  # without an answer: it would come before those that are due
            self.transport.close()
            raise TooMuch

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._in_head, self._seen, self._since = True, 0, 0.0

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection to the protocol of sockets, which goes on to be counted."""
        super().handle_websocket_upgrade()
        protocol = cast(FrameProtocol, self.transport.get_protocol())
        if self._line:
            self._line.protocol = protocol
            protocol.counted_as(self._line, self._limits)

    # --- refusing --------------------------------------------------------------------------------------------------

    def _stop_with(self, status: int) -> None:
        self._refuse(status)
        raise TooMuch

    def send_400_response(self, msg: str) -> None:
        """Answer what is no HTTP, unless the client has been answered already."""
        if not self._refused:
            super().send_400_response(msg)

    def _refuse(self, status: int) -> None:
        """Answer with a status, unless another answer has begun, and close; nothing more is read."""
        self._refused = True
        cycle: RequestResponseCycle | None = self.cycle
        if self.transport.is_closing():
            return
        if cycle is None or (cycle.response_complete if self._in_head else not cycle.response_started):
            self.transport.write(_answer(status))
        if cycle is not None and not cycle.response_complete:
            cycle.disconnected = True  # what the application answers now goes nowhere
            cycle.message_event.set()
        self.transport.close()


def _answer(status: int) -> bytes:
    text = _REFUSALS[status]
    headers = b"content-type: text/plain; charset=utf-8\r\ncontent-length: %d\r\nconnection: close" % len(text)
    return STATUS_LINE[status] + headers + b"\r\n\r\n" + text
