"""The house's own stream, verified and followed event by event."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from punto.server.tables.stream_follower import NONSENSE, StreamClosed, read_on
from punto.store.events.house_events import HOUSE
from punto.store.house_journal import HouseJournal
from punto.store.protocol import Store
from punto.store.records import EventRecord
from punto.store.trust.chain import Chain, ChainBroken


class HouseStream:
    """Follows the house's stream to its end, also past an event that closes it: an auditor sees what comes after."""

    state_kind = HouseJournal

    def __init__(
        self,
        store: Store,
        take_in: Callable[[EventRecord], None],
        close: Callable[[StreamClosed], None],
        begin: Callable[[HouseJournal], None],
    ) -> None:
        self._store, self._take_in, self._close, self._begin = store, take_in, close, begin
        self.chain = Chain(HOUSE)
        """How far it has been followed."""
        self.journal = HouseJournal()
        """What it has said so far."""
        self.snapshot_at = 0
        self._alone = asyncio.Lock()

    def state(self) -> HouseJournal:
        """Return what it has said so far: all that follows from it is in there."""
        return self.journal

    def begin(self, state: HouseJournal, chain: Chain) -> None:
        """Begin with what the stream has said up to a place in its chain."""
        self.journal, self.chain = state, chain
        self._begin(state)

    async def follow(self) -> None:
        """Take in what has been stored; close the stream at the first event that is not as it was, or is nonsense."""
        async with self._alone:
            try:
                while page := await read_on(self._store, self.chain):
                    for recorded in page:
                        self._follow_event(recorded)
                self.chain.end()
            except StreamClosed as closed:
                self._close(closed)
            except ChainBroken as broken:
                self._close(StreamClosed.by(broken, HOUSE, broken.number))

    def _follow_event(self, recorded: EventRecord) -> None:
        for step in (self.chain.verify, self.journal.take_in, self._take_in):
            try:
                step(recorded)
            except NONSENSE as error:
                self._close(StreamClosed.by(error, HOUSE, recorded.number))
        self.chain.advance(recorded)
