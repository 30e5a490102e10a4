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


def frame(text: bytes) -> bytes:
    """A text as one frame: what it is, its length, and the text."""
    length = len(text)
    if length < _LENGTH_IN_2:
        return bytes((_TEXT, length)) + text
    if length < 1 << 16:
        return bytes((_TEXT, _LENGTH_IN_2)) + length.to_bytes(2, "big") + text
    return bytes((_TEXT, _LENGTH_IN_8)) + length.to_bytes(8, "big") + text


class FrameProtocol(WebSocketsSansIOProtocol):
    """The server's WebSocket protocol, which can also send frames that are already made."""

    _hear: Callable[[bytes], None] | None = None

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        if hasattr(self, "scope"):
            cast(dict[str, Any], self.scope["extensions"])[EXTENSION] = self

    def hear_with(self, hear: Callable[[bytes], None]) -> None:
        """Give every message to this from now on."""
        self._hear = hear

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

    def write_frames(self, frames: bytes) -> int:
        """Send frames; how many bytes wait to be sent then, below zero if nobody is there any more."""
        if self.close_sent or self.disconnected or self.transport.is_closing():
            return -1
        if frames:
            self.transport.write(frames)
        return self.transport.get_write_buffer_size()
