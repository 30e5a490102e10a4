"""WebSocket frames: one frame made once and sent to many clients, and messages handled as they arrive.

A server's frames are the same for every client, as long as nothing is compressed, so one is made for all subscribers of
a table. A message goes to the application where it arrives, instead of through a queue. The protocol offers both to an
application as an extension.

Almost all messages are short texts in one frame: these are read here. Everything else, and every error, is left to the
``websockets`` library, which closes the connection as RFC 6455 says.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import uvicorn
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from punto.server.running.connections import ClientLimits, ClientLine
from punto.server.running.metrics import METRICS
from punto.server.running.rate_limit import TokenBucket

KNOWN_UVICORN = ("0.54",)
"""Versions whose internals this module uses and tests: of the base class its handlers, ``frames`` and ``queue``."""
if uvicorn.__version__.rpartition(".")[0] not in KNOWN_UVICORN:
    raise ImportError(
        f"punto.server knows the internals of uvicorn {', '.join(KNOWN_UVICORN)}, not of {uvicorn.__version__}: "
        "install a known version, or run tests/server/test_frames.py with the new one and add it to KNOWN_UVICORN"
    )

EXTENSION = "punto.frames"
_TEXT = 0x81
"""A whole text, not compressed (RFC 6455, 5.2): FIN is set, the reserved bits are not."""
TOO_MUCH = 4429
"""Close code of a client that sends more than it may."""
PARTS_BURST, PARTS_REFILL = 400, 100
"""Of pings, pongs and parts of messages: as many a second as whole messages, and at first twice as many, because one
message may come in several parts. Clients that keep a connection alive need one in many seconds."""
_INVALID_TEXT = 1007
"""Close code of a text that is no UTF-8 (RFC 6455, 8.1)."""
_LENGTH_IN_2, _LENGTH_IN_8 = 126, 127
_MASKED = 0x80
_NO_MASK = bytes(4)
_AT_ONCE = 4096
_SHORTEST = 7
"""Bytes of a frame with one letter."""


def frame(text: bytes) -> bytes:
    """Return a text as one frame: its kind, its length, and the text."""
    length = len(text)
    if length < _LENGTH_IN_2:
        return bytes((_TEXT, length)) + text
    if length < 1 << 16:
        return bytes((_TEXT, _LENGTH_IN_2)) + length.to_bytes(2, "big") + text
    return bytes((_TEXT, _LENGTH_IN_8)) + length.to_bytes(8, "big") + text


def whole_texts(data: bytes) -> list[bytes] | None:
    """Return the texts if these are whole masked frames with one short, valid text each; otherwise None."""
    texts, at, size = [], 0, len(data)
    while at < size:
        if size - at < _SHORTEST or data[at] != _TEXT:
            return None
        length, begin = data[at + 1] - _MASKED, at + 2
        if length == _LENGTH_IN_2:
            length, begin = data[begin] << 8 | data[begin + 1], begin + 2
        end = begin + 4 + length
        if length <= 0 or length == _LENGTH_IN_8 or end > size:
            return None
        text = _unmasked(data[begin : begin + 4], data[begin + 4 : end])
        if not is_text(text):
            return None
        texts.append(text)
        at = end
    return texts


def is_text(data: bytes) -> bool:
    """Whether these bytes are valid UTF-8."""
    if data.isascii():
        return True
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _unmasked(mask: bytes, text: bytes) -> bytes:
    if mask == _NO_MASK:
        return text
    length = len(text)
    repeated = (mask * (length // 4 + 1))[:length]
    return (int.from_bytes(text, "big") ^ int.from_bytes(repeated, "big")).to_bytes(length, "big")


def ends_with_a_frame(data: bytes) -> bool:
    """Whether the data are whole frames, so that the next byte begins a frame."""
    at = 0
    while at + 2 <= len(data):
        length, begin = data[at + 1] & 0x7F, at + 2
        more = {_LENGTH_IN_2: 2, _LENGTH_IN_8: 8}.get(length, 0)
        if more:
            length, begin = int.from_bytes(data[begin : begin + more], "big"), begin + more
        at = begin + 4 * bool(data[at + 1] & _MASKED) + length
    return at == len(data)


class FrameProtocol(WebSocketsSansIOProtocol):
    """The server's WebSocket protocol, with frames that are made elsewhere and messages that skip the queue."""

    _hear: Callable[[bytes], None] | None = None
    _between_frames: bool = True
    """Whether everything so far was whole frames; if not, the library alone knows where one ends."""
    _line: ClientLine | None = None
    _limits: ClientLimits
    _since: float = 0.0
    _unread_since: float = 0.0
    _out: list[bytes]
    _parts: TokenBucket
    """Of pings, pongs and parts of messages, which no limit on messages counts."""

    def counted_as(self, line: ClientLine, limits: ClientLimits) -> None:
        """Go on as a connection that was counted when it was made."""
        self._line, self._limits, self._since = line, limits, self.loop.time()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._line:
            self._line.release()
        super().connection_lost(exc)

    def overdue(self, now: float) -> bool:
        """Whether the socket is not open in time, or its client has not read for long."""
        if not self.handshake_complete:
            return now - self._since > self._limits.handshake_time
        if self.unread() <= self._limits.unread:
            self._unread_since = 0.0
        elif not self._unread_since:
            self._unread_since = now
        return bool(self._unread_since) and now - self._unread_since > self._limits.unread_time

    def end_overdue(self) -> None:
        """End the connection without waiting for a client that does not read."""
        self.transport.abort()

    def handle_connect(self, event: Any) -> None:
        self._out, self._parts = [], TokenBucket(PARTS_BURST, PARTS_REFILL)
        super().handle_connect(event)
        if hasattr(self, "scope"):
            cast(dict[str, Any], self.scope["extensions"])[EXTENSION] = self

    def hear_with(self, hear: Callable[[bytes], None]) -> None:
        """Pass every message to this function from now on."""
        self._hear = hear

    def data_received(self, data: bytes) -> None:
        """Read short texts here, unless a fragmented message is under way; leave the rest to the library."""
        if self._hear is not None and not self.close_sent:
            is_simple = self._between_frames and not self.frames and len(data) <= _AT_ONCE
            if is_simple and (texts := whole_texts(data)):
                for text in texts:
                    self._hear(text)
                return
            self._between_frames &= ends_with_a_frame(data)
        for begin in range(0, len(data), _AT_ONCE):  # in pieces, so that a flood can be stopped in its midst
            if not self.transport.is_closing():
                super().data_received(data[begin : begin + _AT_ONCE])

    def handle_cont(self, event: Any) -> None:
        if self._count_part():
            super().handle_cont(event)

    def handle_ping(self) -> None:
        if self._count_part():
            super().handle_ping()

    def handle_pong(self, event: Any) -> None:
        if self._count_part():
            super().handle_pong(event)

    def _count_part(self) -> bool:
        """Count a frame that is no whole message; close the connection if there are too many of them."""
        if self._parts.take(self.loop.time()):
            return True
        if not self.close_sent:
            METRICS.connections_ended["too-many-parts"] += 1
            self.close_with(TOO_MUCH)
        return False

    def send_receive_event_to_app(self) -> None:
        if self._hear is None:
            super().send_receive_event_to_app()
            return
        data, self.frames = self.frames[0] if len(self.frames) == 1 else b"".join(self.frames), []
        if self.close_sent:
            return
        if self.curr_msg_data_type == "text" and not is_text(data):
            self.close_with(_INVALID_TEXT)
        else:
            self._hear(data)

    def pause(self, paused: bool) -> None:
        """Stop reading from this client, or go on."""
        if not self.transport.is_closing():
            (self.transport.pause_reading if paused else self.transport.resume_reading)()

    def write_frames(self, frames: bytes) -> None:
        """Send frames, in one write with everything else for this client in this turn of the loop.

        The loop would send each at once, and an answer and its event would cost two system calls.
        """
        if not self._out:
            _OUTGOING.append(self)
            if len(_OUTGOING) == 1:
                self.loop.call_soon(_send_all)
        self._out.append(frames)

    def unread(self) -> int:
        """Return how many bytes wait because the client does not read them."""
        return self.transport.get_write_buffer_size()

    def close_with(self, code: int, at_once: bool = False) -> None:
        """Close the connection; ``at_once`` drops what is unread."""
        if self.close_sent or self.disconnected or self.transport.is_closing():
            return
        self.send_out()
        self.conn.send_close(code)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code})
        (self.transport.abort if at_once else self.transport.close)()

    def send_out(self) -> None:
        """Send what waits for this client, if it is still connected."""
        out, self._out = self._out, []
        if out and not (self.close_sent or self.disconnected or self.transport.is_closing()):
            self.transport.writelines(out)


_OUTGOING: list[FrameProtocol] = []
"""Connections with something to send: what goes to one client in one turn of the loop is sent in one write."""


def _send_all() -> None:
    outgoing = _OUTGOING.copy()
    _OUTGOING.clear()
    for each in outgoing:
        each.send_out()
