"""Follow a stream other than a table's, and append to it by the newest state."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Generic, TypeVar

from msgspec import Struct

from punto.audit.table_recomputed import LEADS_NOWHERE
from punto.server.refused import Refused
from punto.server.running.server_log import log
from punto.server.tables.stream_snapshots import drop, restore
from punto.store.codec import UnknownEvent
from punto.store.house import SYSTEM
from punto.store.protocol import Store
from punto.store.records import Answer, Append, Conflict, Damaged, EventRecord, Repeated
from punto.store.trust.chain import Chain, ChainBroken
from punto.store.trust.house_trust import HouseTrust
from punto.store.words import put_aside
from punto.table.event import Event

T = TypeVar("T")
S = TypeVar("S", bound=Struct)
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


class StreamFollower(Generic[S]):
    """The state of one stream; each subclass applies its own events."""

    state_kind: type[S]

    def __init__(self, store: Store, name: str, clock: Clock) -> None:
        self._store, self._stream, self._clock = store, name, clock
        self.chain = Chain(name)
        self.snapshot_at = 0
        self.told = 0
        """The last event that another process is known to have stored."""
        self._alone = asyncio.Lock()

    async def restore(self, trust: HouseTrust) -> None:
        """Begin with the snapshot of the stream, if that can be used."""
        await restore(trust, self._stream, self)

    async def follow_log(self, trust: HouseTrust) -> None:
        """Read the log from where the state is; if it does not follow from a snapshot, from its first event."""
        try:
            await self.catch_up()
        except StreamClosed as closed:
            if not self.snapshot_at or closed.reason != DOES_NOT_FOLLOW:
                raise
            log.exception("snapshot dropped", stream=self._stream)
            drop(trust, self._stream, self)
            await self.catch_up()

    def state(self) -> S:
        """Return what the events have led to."""
        raise NotImplementedError

    def begin(self, state: S, chain: Chain) -> None:
        """Begin with a state and the place in the chain that belongs to it."""
        raise NotImplementedError

    @property
    def _number(self) -> int:
        return self.chain.number

    @property
    def is_behind(self) -> bool:
        """Whether another process has stored more than was taken in here."""
        return self.told > self.chain.number

    async def catch_up(self) -> bool:
        """Take in what has been stored; return whether there was anything.

        Raises ``StreamClosed``, now and at every later call, if an event cannot be read or followed.
        """
        async with self._alone:
            return await self._catch_up()

    async def refresh(self) -> None:
        """Take in what other processes are known to have stored, unless that was done meanwhile."""
        async with self._alone:
            if self.is_behind:
                await self._catch_up()

    async def _catch_up(self) -> bool:
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
        check: Callable[[], Awaitable[None]] | None = None,
    ) -> T:
        """Decide by the newest state and append the event, if there is one; again if another process appends first.

        With an idempotency key, a word and a digest, a retry raises ``Repeated``. ``check`` reads another stream, and
        raises if nothing may be appended: it is repeated unless this stream stays as it was until the commit.
        """
        while True:
            await self.catch_up()
            if key and (known := await self._store.answer(giver[0], key[0])):
                raise Repeated(known)
            before = self._number
            if check:
                await check()
            if self._number != before:
                continue
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
