"""The chain of a stream, verified while it is read: each hash, and each point that the house has signed."""

from __future__ import annotations

from collections.abc import Mapping

from punto.store.codec import UnknownEvent
from punto.store.protocol import Reader
from punto.store.records import FIRST_HASH, EventRecord, hash_of


class ChainBroken(UnknownEvent):
    """A stream is not what was stored: from which event on, and in which way as the code of a finding."""

    def __init__(self, stream: str, number: int, code: str) -> None:
        super().__init__(f"{stream}, event {number}: {code}")
        self.stream, self.number, self.code = stream, number, code


class Chain:
    """How far a stream has been verified, and what later events must look like by the house's signature."""

    def __init__(
        self,
        stream: str,
        number: int = 0,
        hash_: bytes = FIRST_HASH,
        signed: Mapping[int, bytes] | None = None,
        at: int = 0,
    ) -> None:
        self.stream, self.number, self.hash = stream, number, hash_
        self.at = at
        """The latest time of the events that it has moved over."""
        self._signed = {place: known for place, known in (signed or {}).items() if place > number}

    def verify(self, record: EventRecord) -> None:
        """Raise ``ChainBroken`` if this is not the event that was stored as the next."""
        number = self.number + 1
        if record.number != number:
            raise ChainBroken(self.stream, number, "missing")
        if record.hash != hash_of(self.hash, self.stream, number, record):
            raise ChainBroken(self.stream, number, "altered")
        if self._signed.get(number, record.hash) != record.hash:
            raise ChainBroken(self.stream, number, "rewritten")

    def advance(self, record: EventRecord) -> None:
        """Move on to an event that was verified, or that this process has just stored."""
        self.number, self.hash, self.at = record.number, record.hash, max(record.at, self.at)
        if self._signed:
            self._signed.pop(record.number, None)

    def end(self) -> None:
        """Raise ``ChainBroken`` if the stream ends before an event that the house has signed."""
        if self._signed:
            raise ChainBroken(self.stream, self.number + 1, "gone")


async def verified_page(store: Reader, stream: str, after: int, most: int) -> list[EventRecord]:
    """Return events after a number, each verified by the hash before it; raise ``ChainBroken`` if one is not as stored.

    It shows that events were changed where they stand. That a whole log was rewritten, signed points and heads show.
    """
    page = await store.read(stream, max(after - 1, 0), most + (after > 0))
    before = page.pop(0) if page and after > 0 else None
    if before and before.number != after:
        raise ChainBroken(stream, after, "missing")
    chain = Chain(stream, after, before.hash if before else FIRST_HASH)
    for recorded in page:
        chain.verify(recorded)
        chain.advance(recorded)
    return page
