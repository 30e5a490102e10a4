"""Follow a stream other than a table's, and append to it by the newest state."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import TypeVar

from punto.audit.table_recomputed import LEADS_NOWHERE
from punto.server.refused import Refused
from punto.store.codec import UnknownEvent
from punto.store.house import SYSTEM
from punto.store.protocol import Store
from punto.store.records import Answer, Append, Conflict, Damaged, EventRecord, Repeated
from punto.store.trust.chain import Chain, ChainBroken
from punto.store.words import put_aside
from punto.table.event import Event

T = TypeVar("T")
NONSENSE = LEADS_NOWHERE
"""Raised by reading or following an event that this program cannot have written."""
Clock = Callable[[], int]
"""The time in milliseconds since 1970."""


DOES_NOT_FOLLOW, UNREADABLE, DAMAGED = "does-not-follow", "unreadable", "damaged"
"""Codes of an audit's findings: events that are what was stored, and nonsense; rows that the database cannot read."""
NOT_AS_STORED = ("altered", DAMAGED, "gone", "missing", "rewritten")
"""Codes for a stream of which nothing is believed: what comes before the event may have been changed as well."""


class StreamClosed(Refused):
    """A stream is not as it was stored, or cannot be read or followed: nothing that depends on it is served."""

    def __init__(self, stream: str, event: int, reason: str = DOES_NOT_FOLLOW) -> None:
        super().__init__("cannot-be", case="stream-closed", stream=stream, event=event)
        self.stream, self.event, self.reason = stream, event, reason

    @classmethod
    def by(cls, error: Exception, stream: str, event: int) -> StreamClosed:
        """Return what an error means that was raised by verifying, reading or following an event."""
        if isinstance(error, ChainBroken):
            return cls(stream, error.number, error.code)
        return cls(stream, event, UNREADABLE if isinstance(error, UnknownEvent) else DOES_NOT_FOLLOW)


async def read_on(store: Store, chain: Chain, most: int = 1000) -> list[EventRecord]:
    """Return the events after those that were verified; raise ``StreamClosed`` where the database is damaged."""
    try:
        return await store.read(chain.stream, chain.number, most)
    except Damaged as error:
        raise StreamClosed(chain.stream, chain.number + 1, DAMAGED) from error


class StreamFollower:
    """The state of one stream; each subclass applies its own events."""

    def __init__(self, store: Store, name: str, clock: Clock) -> None:
        self._store, self._stream, self._clock = store, name, clock
        self.chain = Chain(name)
        self._alone = asyncio.Lock()

    @property
    def _number(self) -> int:
        return self.chain.number

    async def catch_up(self) -> bool:
        """Take in what has been stored; return whether there was anything.

        Raises ``StreamClosed``, now and at every later call, if an event cannot be read or followed.
        """
        async with self._alone:
            before = self._number
            while page := await read_on(self._store, self.chain):
                for recorded in page:
                    self._follow(recorded)
            self._check_end()
            return self._number > before

    def _check_end(self) -> None:
        try:
            self.chain.end()
        except ChainBroken as broken:
            raise StreamClosed.by(broken, self._stream, broken.number) from None

    def _follow(self, recorded: EventRecord) -> None:
        try:
            self.chain.verify(recorded)
            self._take_in(recorded)
        except NONSENSE as error:
            raise StreamClosed.by(error, self._stream, recorded.number) from None
        self.chain.advance(recorded)

    def _take_in(self, recorded: EventRecord) -> None:
        self._apply(recorded.event)

    def _apply(self, event: Event) -> None:
        raise NotImplementedError

    def append_of(self, event: Event, giver: tuple[str, str] = SYSTEM) -> Append:
        """Return what stores an event as the next of this stream, unless another process appends first."""
        return self.append_all_of([event], giver)

    def append_all_of(self, events: Iterable[Event], giver: tuple[str, str] = SYSTEM) -> Append:
        """Return what stores events as the next of this stream, unless another process appends first."""
        at = max(self._clock(), self.chain.at)  # time never goes back in a stream
        return Append(self._stream, self._number, [EventRecord.of(event, at, *giver) for event in events])

    async def _decide_and_append(
        self,
        decide: Callable[[], tuple[Event | None, T]],
        giver: tuple[str, str] = SYSTEM,
        key: tuple[str, bytes] | None = None,
    ) -> T:
        """Decide by the newest state and append the event, if there is one; again if another process appends first.

        With an idempotency key, a word and a digest, a retry raises ``Repeated``.
        """
        while True:
            await self.catch_up()
            if key and (known := await self._store.answer(giver[0], key[0])):
                raise Repeated(known)
            event, result = decide()
            if event is None:
                return result
            put, words = put_aside(event, giver[0])
            number = self._number + 1
            answer = Answer(giver[0], *key, self._stream, number, number) if key else None
            try:
                await self._store.append([self.append_of(put, giver)], answer, words)
            except Conflict:
                continue
            await self.catch_up()
            return result
