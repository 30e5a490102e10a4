"""The interface of every store. One suite of tests holds for all of them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from punto.store.batch import Transaction
from punto.store.people import LiveSession, PersonRow
from punto.store.records import Answer, Append, Change, ClosedBy, EventRecord, Snapshot, StoreError
from punto.store.trust.mark import HouseMark
from punto.store.words import KeptWords

if TYPE_CHECKING:
    from punto.store.trust.verified_points import VerifiedPoint

PAGE = 5_000
"""Events read at a time where many are read."""

ODD_ANSWERS = """
    select actor, key, digest, stream, first, last from answer where first > last or last - first + 1 <> (
        select count(*) from event where event.stream = answer.stream
        and event.number between answer.first and answer.last and event.by = answer.actor) limit 20
"""
"""Answers whose events are not all there and the actor's own; a few of them."""
StreamListener = Callable[[Mapping[str, int]], None]
"""Callback that receives the streams in which another process has stored something, and the number of the last event.

Without any, anything may have been stored: what happened before the process listened, or listened again, is not told.
"""


class Reader(Protocol):
    """Streams of events, to be read."""

    async def read(self, stream: str, after: int = 0, most: int = 1000) -> list[EventRecord]:
        """Return the events of a stream after a number, in order."""
        ...

    async def head(self, stream: str) -> tuple[int, bytes]:
        """Return how many events a stream has, and the hash of the last."""
        ...

    async def heads(self, streams: Sequence[str]) -> dict[str, int]:
        """Return how many events each of these streams has at one moment."""
        ...

    async def streams(self) -> list[str]:
        """Return the names of all streams that have events."""
        ...

    async def answer(self, actor: str, key: str) -> Answer | None:
        """Return the answer to an actor's command with this key, if it was carried out."""
        ...

    async def snapshot(self, stream: str) -> Snapshot | None:
        """Return the snapshot of a stream, if there is one."""
        ...

    async def odd_answers(self) -> list[Answer]:
        """Return answers that are not those of a command: their events are not there, or not the actor's."""
        ...

    async def faults(self) -> list[str]:
        """Return what the database itself finds wrong with its files, where it can tell."""
        ...

    async def points(self) -> list[VerifiedPoint]:
        """Return how far each stream has been verified, as it is stored; whether it is signed is not checked."""
        ...

    async def words(self, digests: Collection[str]) -> dict[str, KeptWords]:
        """Return, by digest, the words that events refer to; erased ones have none."""
        ...

    async def names(self, people: Collection[str]) -> dict[str, KeptWords]:
        """Return the names of people by their ids; an erased name has no words, an old one no salt."""
        ...

    async def people(self) -> list[PersonRow]:
        """Return what the database has of each person's rights; nothing where it is from before they were recorded."""

    async def look_up(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Return rows that are no events, such as checkpoints; none from a database that has no such table yet.

        The same text serves every database: values are ``$1``, ``$2`` and so on, and first occur in that order.
        """
        ...

    async def close(self) -> None:
        """Finish what has begun, and close the connections."""
        ...


class Store(Reader, Protocol):
    """Streams that only grow. What has been appended is on disk before ``append`` returns."""

    shared: bool
    """Whether other processes may append too, so that what this one knows may be stale."""
    mark: HouseMark | None
    """How far everything was acknowledged, outside the database; None for a store that is not served."""
    losses: int
    """How often the connection to the database was lost."""
    closed: bool
    """Whether nothing is stored any more but in the house's own stream."""
    closed_by: ClosedBy
    """Why, if it is."""
    went_back: Callable[[str, int, int], None] | None
    """Is told when the database turns out to be behind: the stream, the event it should have, how many it has."""
    away: tuple[type[Exception], ...]
    """What is raised while the database does not answer: the same may succeed later."""

    async def append(
        self,
        appends: Sequence[Append],
        answer: Answer | None = None,
        words: Sequence[KeptWords] = (),
        changes: Sequence[Change] = (),
    ) -> list[EventRecord]:
        """Append to one stream or to several, all or nothing, and keep the answer, words and changes with it.

        Raises ``Conflict`` if a stream has another number of events than expected, ``Repeated`` if the answer's
        key has been used, and ``Unchanged`` if a change returns no row; then nothing is stored.
        """
        ...

    def append_all(self, transactions: Sequence[Transaction]) -> Awaitable[None]:
        """Commit transactions in order, each on its own merits, and put the events or the error on each.

        They are accepted when it is called, and committed when what it returns is done.
        """
        ...

    def listen(self, listener: StreamListener) -> None:
        """Call back when other processes have stored something; a notice may come late, or get lost."""
        ...

    async def lead(self, what: str) -> bool:
        """Become the one process that does something, until it ends; False if another process is."""
        ...

    async def keep(self, snapshot: Snapshot) -> None:
        """Keep a snapshot, replacing the one before."""
        ...

    async def ask(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """Execute one statement about rows that are no events, such as people; they are on disk when it returns.

        The same text serves every database: values are ``$1``, ``$2`` and so on, and first occur in that order.
        Raises ``StoreError`` if the database refuses it; then nothing of it is stored.
        """
        ...

    async def last_named(self, stream: str, name: str, most: int) -> list[EventRecord]:
        """Return the last events of a stream that have a name, the newest first."""
        ...

    async def with_later(self, name: str, known: Mapping[str, int]) -> list[str]:
        """Return those of these streams that have an event with a name after the number that is given with them."""
        ...

    async def live_sessions(self, tokens: Collection[str], now: int) -> list[LiveSession]:
        """Return those of these sessions that are valid."""
        ...

    async def scrub(self) -> None:
        """Remove from the database's own files what has been erased, as far as the database can."""
        ...


def refused(statement: str, error: Exception) -> StoreError:
    """Return an error that names only the kind of the database's: its message may quote values, which may be secret."""
    return StoreError(f"not carried out ({type(error).__name__}): {' '.join(statement.split())}")
