"""A round in the log: which events belong to it, and an event as JSON."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

from punto.store.protocol import PAGE, Reader
from punto.store.records import EventRecord
from punto.table.event import Event, Irregularity
from punto.table.irregularities.void import RoundVoided
from punto.table.play.settlement import RoundSettled
from punto.table.play.wagers import BetsOpened

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


async def every_event(
    store: Reader, stream: str, after: int = 0, up_to: int | None = None
) -> AsyncIterator[EventRecord]:
    """Yield the events of a stream after a number, in order, to the end or up to a number."""
    while page := await store.read(stream, after, PAGE):
        for recorded in page:
            if up_to is not None and recorded.number > up_to:
                return
            yield recorded
        after = page[-1].number


async def events_of_round(store: Reader, table: str, round_: int) -> list[EventRecord]:
    """Return the events from the opening of a round to its end, and those that later name the round."""
    found: list[EventRecord] = []
    inside = False
    async for recorded in every_event(store, table):
        event = recorded.event
        inside = event.round == round_ if isinstance(event, BetsOpened) else inside
        if inside or round_of(event) == round_:
            found.append(recorded)
        if ends_round(event):
            inside = False
    return found


def ends_round(event: Event) -> bool:
    """Whether this event ends the round in play."""
    return isinstance(event, RoundSettled | RoundVoided)


def round_of(event: Event) -> int | None:
    """Return the round an event is about. A correction names an earlier round than the one it happens in."""
    if hasattr(event, "round"):
        named: int = event.round
        return named
    circumstances = event.circumstances if isinstance(event, Irregularity) else None
    return circumstances.round if circumstances else None


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
