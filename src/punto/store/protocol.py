"""What every store can do. One suite of tests holds for all of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, Protocol

from punto.store.batch import Job
from punto.store.records import Answer, Append, Recorded, Snapshot, StoreError

PAGE = 5_000
"""How many events one reads at a time who reads many."""

Heard = Callable[[Collection[str]], None]
"""Is told in which streams something was stored."""


class Reader(Protocol):
    """Streams of events, to be read."""

    async def read(self, stream: str, after: int = 0, most: int = 1000) -> list[Recorded]:
        """The events of a stream after a number, in order."""
        ...

    async def head(self, stream: str) -> tuple[int, bytes]:
        """How many events a stream has, and the hash of the last."""
        ...

    async def heads(self, streams: Sequence[str]) -> dict[str, int]:
        """How many events each of these streams has, all at one moment."""
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

    shared: bool
    """Whether other processes may append too, so that what one knows may be old."""

    async def append(self, appends: Sequence[Append], answer: Answer | None = None) -> list[Recorded]:
        """Append to one stream or to several, all or nothing, and keep the answer with it.

        Raises ``Conflict`` if a stream has another number of events than expected, and ``Repeated`` if the answer's
        key has been used; then nothing is stored.
        """
        ...

    async def append_all(self, jobs: Sequence[Job]) -> None:
        """Carry out several jobs, one after the other and each for itself; each then has its events or its error."""
        ...

    def listen(self, heard: Heard) -> None:
        """Have somebody told when other processes have stored something; it may be late, or missed altogether."""
        ...

    async def lead(self, what: str) -> bool:
        """Be the one process that does something, until it ends; False if another is."""
        ...

    async def keep(self, snapshot: Snapshot) -> None:
        """Keep a snapshot in the place of the one before."""
        ...

    async def ask(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """Carry out one statement about what is not an event, such as people; it is on disk when its rows come back.

        The same text serves every database: values are ``$1``, ``$2`` and so on, and first occur in that order.
        Raises ``StoreError`` if the database refuses it; then nothing of it is stored.
        """
        ...


def refused(statement: str, error: Exception) -> StoreError:
    """Of the database's reason only its kind: the rest may quote the values, and they may be secrets."""
    return StoreError(f"not carried out ({type(error).__name__}): {' '.join(statement.split())}")
