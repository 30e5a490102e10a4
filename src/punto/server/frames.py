"""WebSocket frames that are made once and sent to many.

A server's frames are the same for every client, as long as nothing is compressed. So one is made for all who watch a
table, and handed to their connections as it is: the server's protocol offers that to an application as an extension.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, Opcode

EXTENSION = "punto.frames"

Write = Callable[[bytes], int]
"""Sends frames, and answers with how many bytes wait to be sent; below zero if nobody is there any more."""


def frame(text: bytes) -> bytes:
    """A text as one frame."""
    return Frame(Opcode.TEXT, text).serialize(mask=False)


class FrameProtocol(WebSocketsSansIOProtocol):
    """The server's WebSocket protocol, which can also send frames that are already made."""

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        if hasattr(self, "scope"):
            extensions = cast(dict[str, Any], self.scope["extensions"])
            extensions[EXTENSION] = self.write_frames

    def write_frames(self, frames: bytes) -> int:
        if self.close_sent or self.disconnected or self.transport.is_closing():
            return -1
        if frames:
            self.transport.write(frames)
        return self.transport.get_write_buffer_size()
