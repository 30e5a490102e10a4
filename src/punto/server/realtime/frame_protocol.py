"""WebSocket frames that are made once and sent to many, and messages that are heard at once.

A server's frames are the same for every client, as long as nothing is compressed. So one is made for all who watch a
table, and handed to their connections as it is. What comes in is given to the application where it arrives, and does
not wait in a queue to be fetched. The server's protocol offers both to an application as an extension.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

EXTENSION = "punto.frames"
_TEXT = 0x81
"""A whole text, not compressed (RFC 6455, 5.2)."""
_LENGTH_IN_2, _LENGTH_IN_8 = 126, 127
_MASKED = 0x80
_NO_MASK = bytes(4)
_AT_ONCE = 4096
_SHORTEST = 7
"""Bytes of a frame with one letter."""


def frame(text: bytes) -> bytes:
    """A text as one frame: what it is, its length, and the text."""
    length = len(text)
    if length < _LENGTH_IN_2:
        return bytes((_TEXT, length)) + text
    if length < 1 << 16:
        return bytes((_TEXT, _LENGTH_IN_2)) + length.to_bytes(2, "big") + text
    return bytes((_TEXT, _LENGTH_IN_8)) + length.to_bytes(8, "big") + text


def whole_texts(data: bytes) -> list[bytes] | None:
    """The texts, if these are whole frames with one short text each, as clients send them: masked."""
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
        texts.append(_unmasked(data[begin : begin + 4], data[begin + 4 : end]))
        at = end
    return texts


def _unmasked(mask: bytes, text: bytes) -> bytes:
    if mask == _NO_MASK:
        return text
    length = len(text)
    repeated = (mask * (length // 4 + 1))[:length]
    return (int.from_bytes(text, "big") ^ int.from_bytes(repeated, "big")).to_bytes(length, "big")


def ends_with_a_frame(data: bytes) -> bool:
    """Whether the data are whole frames, one after the other."""
    at = 0
    while at + 2 <= len(data):
        length, begin = data[at + 1] & 0x7F, at + 2
        more = {_LENGTH_IN_2: 2, _LENGTH_IN_8: 8}.get(length, 0)
        if more:
            length, begin = int.from_bytes(data[begin : begin + more], "big"), begin + more
        at = begin + 4 * bool(data[at + 1] & _MASKED) + length
    return at == len(data)


class FrameProtocol(WebSocketsSansIOProtocol):
    """The server's WebSocket protocol, which can also send frames that are already made."""

    _hear: Callable[[bytes], None] | None = None
    _out: list[bytes]
    _between_frames: bool = True
    """Whether all that came so far were whole frames."""

    def handle_connect(self, event: Any) -> None:
        self._out = []
        super().handle_connect(event)
        if hasattr(self, "scope"):
            cast(dict[str, Any], self.scope["extensions"])[EXTENSION] = self

    def hear_with(self, hear: Callable[[bytes], None]) -> None:
        """Give every message to this from now on."""
        self._hear = hear

    def data_received(self, data: bytes) -> None:
        """Almost always short texts arrive, each in one frame: these are read here, and all else by the library."""
        if self._hear is None or self.close_sent:
            super().data_received(data)
            return
        if self._between_frames and len(data) <= _AT_ONCE and (texts := whole_texts(data)):
            for text in texts:
                self._hear(text)
            return
        self._between_frames &= ends_with_a_frame(data)  # if not, the library alone knows where one ends
        for begin in range(0, len(data), _AT_ONCE):  # piece by piece, so that a flood can be stopped in its midst
            if not self.transport.is_closing():
                super().data_received(data[begin : begin + _AT_ONCE])

    def send_receive_event_to_app(self) -> None:
        if self._hear is None:
            super().send_receive_event_to_app()
            return
        data, self.frames = self.frames[0] if len(self.frames) == 1 else b"".join(self.frames), []
        if not self.close_sent:
            self._hear(data)

    def pause(self, paused: bool) -> None:
        """Read nothing more from this client, or go on."""
        if not self.transport.is_closing():
            (self.transport.pause_reading if paused else self.transport.resume_reading)()

    def write_frames(self, frames: bytes) -> None:
        """Send frames, with all else that gathers for this client at the moment."""
        if not self._out:
            _OUTGOING.append(self)
            if len(_OUTGOING) == 1:
                self.loop.call_soon(_send_all)
        self._out.append(frames)

    def unread(self) -> int:
        """How many bytes wait because the client does not read them."""
        return self.transport.get_write_buffer_size()

    def close_with(self, code: int, at_once: bool = False) -> None:
        """End the connection; ``at_once`` without waiting for what is unread."""
        if self.close_sent or self.disconnected or self.transport.is_closing():
            return
        self.send_out()
        self.conn.send_close(code)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code})
        (self.transport.abort if at_once else self.transport.close)()

    def send_out(self) -> None:
        """Send what has gathered for this client, if he is still there."""
        out, self._out = self._out, []
        if out and not (self.close_sent or self.disconnected or self.transport.is_closing()):
            self.transport.writelines(out)


_OUTGOING: list[FrameProtocol] = []
"""Those for whom something has gathered: all that goes to one client at one moment is sent in one go."""


def _send_all() -> None:
    outgoing = _OUTGOING.copy()
    _OUTGOING.clear()
    for each in outgoing:
        each.send_out()
