"""A connection to a session, as the watch over sessions sees it."""

from __future__ import annotations

from punto.server.access.identity import token_digest


class BoundSession:
    """A connection that knows whether it was ended."""

    def __init__(self, token: str) -> None:
        self.session: str | None = token_digest(token)
        self.is_device = self.ended = self.is_locked = False
        self.active_at: int | None = None

    def end(self) -> None:
        self.ended = True

    def lock(self) -> None:
        self.is_locked = True

    async def extend(self) -> bool:
        raise AssertionError
