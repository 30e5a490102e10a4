"""What a table's log says of something, kept up to date by reading on as the log grows."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Generic, Protocol, TypeVar

from punto.server.tables.served_table import ServedTable
from punto.store.protocol import Reader
from punto.store.records import EventRecord
from punto.store.trust.chain import verified_page

READ_AT_ONCE = 1_000
"""Events."""


class Digest(Protocol):
    """Something derived from the events of a table."""

    number: int
    """The last event it has taken in."""

    def take_in(self, events: Iterable[EventRecord]) -> None:
        """Take in the events that come next."""
        ...


D = TypeVar("D", bound=Digest)


class LogDigests(Generic[D]):
    """One digest for each table, begun when it is first asked for."""

    def __init__(self, store: Reader, begin: Callable[[ServedTable], D]) -> None:
        self._store, self._begin = store, begin
        self._by_table: dict[str, D] = {}

    async def of(self, served: ServedTable) -> D:
        """Return the digest of a table, up to the last event that this process knows of, also if another stored it."""
        if served.name not in self._by_table:
            self._by_table[served.name] = self._begin(served)
        known = self._by_table[served.name]
        while known.number < max(served.actor.number, served.actor.told):
            after = known.number
            events = await verified_page(self._store, served.name, after, READ_AT_ONCE)
            if known.number == after:  # another request may have read the same meanwhile
                known.take_in(events)
            if not events:
                break
        return known
