"""Events of a stream one after the other, and an event as JSON."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

from punto.store.protocol import PAGE, Reader
from punto.store.records import EventRecord

FIRST_PAGE = 500
CLOCK_MARGIN = 24 * 60 * 60_000
"""Milliseconds: by no more are clocks set back."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


async def every_event(
    store: Reader, stream: str, after: int = 0, up_to: int | None = None
) -> AsyncIterator[EventRecord]:
    """Yield the events of a stream after a number, in order, to the end or up to a number."""
    most = FIRST_PAGE  # growing, so that a caller who needs little does not have much read
    while up_to is None or after < up_to:
        page = await store.read(stream, after, most if up_to is None else min(most, up_to - after))
        for recorded in page:
            if up_to is not None and recorded.number > up_to:
                return  # events are missing before it
            yield recorded
        if not page:
            return
        after, most = page[-1].number, min(2 * most, PAGE)


async def number_at(store: Reader, stream: str, at: int) -> int:
    """Return the number of the last event before a time, found by halving; 0 if there is none.

    A clock that went back can make it wrong by as much: ask for a time that is ``CLOCK_MARGIN`` away.
    """
    before, after = 0, (await store.head(stream))[0] + 1
    while after - before > 1:
        middle = (before + after) // 2
        read = await store.read(stream, middle - 1, 1)
        if read and read[0].at < at:
            before = middle
        else:
            after = middle
    return before


def as_json(recorded: EventRecord) -> dict[str, object]:
    """Return an event with who gave it, when and in which position, for machine-readable answers."""
    written = recorded
    return {
        "number": recorded.number,
        "at": time_of(written.at),
        "by": written.by,
        "position": written.position,
        "event": written.name,
        "hash": recorded.hash.hex(),
        "body": json.loads(written.body),
    }


def time_of(at: int) -> str:
    """Format a time in milliseconds since 1970 as people write it; UTC."""
    try:
        return (_EPOCH + timedelta(milliseconds=at)).strftime("%Y-%m-%d %H:%M:%S.%f")[:-3]
    except OverflowError:
        return str(at)  # not a time this program wrote; a replay shows what is stored
