"""The channel of a connection in a test: it has no client, and keeps what the connection does."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from punto.server.realtime.frame_protocol import frame


class FakeChannel:
    """Keeps what is written to it, and the code it is closed with."""

    def __init__(self, unread: int = 0) -> None:
        self.waiting = unread
        """Bytes that the client has not read."""
        self.written: list[bytes] = []
        self.closed = 0

    @property
    def told(self) -> list[dict[str, Any]]:
        """The messages that were written as one frame each."""
        texts = ((each, each[_header(each) :]) for each in self.written)
        return [json.loads(text) for each, text in texts if frame(text) == each]

    def hear_with(self, _: Callable[[bytes], None]) -> None: ...

    def pause(self, _: bool) -> None: ...

    def unread(self) -> int:
        return self.waiting

    def write_frames(self, frames: bytes) -> None:
        self.written.append(frames)

    def close_with(self, code: int, at_once: bool = False) -> None:  # noqa: ARG002
        self.closed = code


def _header(framed: bytes) -> int:
    """Return the length of a frame's header: the second byte says how the length of the text is written."""
    return {126: 4, 127: 10}.get(framed[1], 2)
