"""What every store can do. One suite of tests holds for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from punto.store.records import Answer, Append, Recorded, Snapshot


class Reader(Protocol):
    """Streams of events, to be read."""

    async def read(self, stream: str, after: int = 0, most: int = 1000) -> list[Recorded]:
        """The events of a stream after a number, in order."""
        ...

    async def head(self, stream: str) -> tuple[int, bytes]:
        """How many events a stream has, and the hash of the last."""
        ...

    async def streams(self) -> list[str]:
        """The names of all streams that have events."""
        ...

    async def answer(self, actor: str, key: str) -> Answer | None:
        """What a command of this actor with this key was answered with."""
        ...

    async def snapshot(self, stream: str) -> Snapshot | None:
        """The snapshot of a stream, if there is one."""
        ...

    async def close(self) -> None:
        """Finish what was begun, and let go."""
        ...


class Store(Reader, Protocol):
    """Streams that only grow. What has been appended is on disk before ``append`` returns."""

    async def append(self, appends: Sequence[Append], answer: Answer | None = None) -> list[Recorded]:
        """Append to one stream or to several, all or nothing, and keep the answer with it.

        Raises ``Conflict`` if a stream has another number of events than expected, and ``Repeated`` if the answer's
        key has been used; then nothing is stored.
        """
        ...

    async def keep(self, snapshot: Snapshot) -> None:
        """Keep a snapshot in the place of the one before."""
        ...
