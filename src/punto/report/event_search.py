"""Search the events of every stream of a house: by person, clause, amount, override and time, the newest first.

A search reads a number of events, from the newest back, and says where it stopped, so that its cost does not grow
with the log.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Set
from heapq import heappop, heappush

from msgspec import Struct

from punto.books.round_log import round_of
from punto.report.dispute.packet import cited
from punto.report.legend import Legend
from punto.rules.rulebook import Rulebook
from punto.store.codec import UnknownEvent
from punto.store.protocol import PAGE, Reader
from punto.store.records import EventRecord
from punto.store.round_events import CLOCK_MARGIN, number_at
from punto.store.words import people_in
from punto.table.event import Event
from punto.table.play.unread_card import ReadingOverridden
from punto.table.play.wagers import BetsOpened
from punto.table.registry import SENSITIVE

READ_AT_ONCE = 20_000
_AMOUNTS = ("amount", "counted", "difference", "due", "float_", "limit", "owed")
_OF_WAGERS = ("stake", "returned", "amount")


FIRST_PAGE = 50
"""Events: a round is seldom longer."""


class EventSought(Struct, frozen=True):
    """Which events are looked for; what is None or false is not asked."""

    people: Set[str] | None = None
    """Ids: the event is by one of them, or about one."""
    clause: str | None = None
    least: int | None = None
    """An amount of the event is at least this, in cents."""
    most: int | None = None
    overrides: bool = False
    """Only what takes a decision of people back or instead of the device: voids, corrections, cards named by staff."""
    since: int | None = None
    until: int | None = None


class EventFound(Struct, frozen=True):
    """An event that fits."""

    stream: str
    number: int
    at: int
    by: str
    name: str | None
    """Of the person who gave it."""
    position: str
    event: str
    told: str
    clauses: tuple[str, ...]
    round: int | None
    """The round it is about or happened in."""
    override: bool


class EventsFound(Struct, frozen=True):
    """The events that fit, the newest first, as far as the search went."""

    events: tuple[EventFound, ...]
    read: int
    back_to: int | None
    """The time of the oldest event that was read; None if there was none to read."""
    more: str | None
    """Where the search goes on; None if it has reached the beginning."""


def is_override(event: Event) -> bool:
    """Return whether people decided against what was recorded or shown before."""
    return type(event) in SENSITIVE or isinstance(event, ReadingOverridden)


def amounts(event: Event) -> set[int]:
    """Return every amount of money that an event names, in cents."""
    found = {getattr(event, name, None) for name in _AMOUNTS}
    for each in getattr(event, "wagers", ()):
        found |= {getattr(each, name, None) for name in _OF_WAGERS}
    return {each for each in found if isinstance(each, int)}


def fits(sought: EventSought, recorded: EventRecord, event: Event, book: Rulebook | None) -> bool:
    """Return whether an event is one that is looked for."""
    if sought.people is not None and not sought.people & {recorded.by, *people_in(recorded.body)}:
        return False
    if sought.overrides and not is_override(event):
        return False
    if sought.clause and not (book and sought.clause in cited(event, book)):
        return False
    if sought.least is None and sought.most is None:
        return True
    least, most = sought.least or 0, sought.most
    return any(least <= each and (most is None or each <= most) for each in amounts(event))


def starting_points(cursor: str, streams: Mapping[str, int]) -> dict[str, int]:
    """Return the number in each stream up to which is read: from a cursor, or its last event."""
    if not cursor:
        return dict(streams)
    parts = (each.rpartition(":") for each in cursor.split(","))
    found = {stream: int(number) for stream, _, number in parts if number.isdecimal() and len(number) < 19}
    return {stream: min(found.get(stream, 0), last) for stream, last in streams.items()}


async def backwards(store: Reader, stream: str, last: int) -> AsyncIterator[EventRecord]:
    """Yield the events of a stream from one back to its first."""
    most = FIRST_PAGE
    while last > 0:
        first = max(0, last - most)
        for recorded in reversed(await store.read(stream, first, last - first)):
            yield recorded
        last, most = first, min(2 * most, PAGE)


class _Found(Struct):
    """An event that fits, before its round is known."""

    recorded: EventRecord
    stream: str
    round: int | None


async def search_events(
    store: Reader,
    streams: Mapping[str, int],
    books: Mapping[str, Rulebook | None],
    sought: EventSought,
    legend: Legend,
    cursor: str = "",
    most: int = 50,
    is_shown: Callable[[Event], bool] = lambda _: True,
) -> EventsFound:
    """Search streams, each from an event back; ``books`` has the game of each table, ``is_shown`` what may be found."""
    points = starting_points(cursor, streams)
    if sought.until is not None:
        until = sought.until + CLOCK_MARGIN
        points = {stream: min(last, await number_at(store, stream, until)) for stream, last in points.items()}
    readers = {stream: backwards(store, stream, last) for stream, last in points.items()}
    ahead: list[tuple[int, str, EventRecord]] = []

    async def push(stream: str) -> None:
        if (recorded := await anext(readers[stream], None)) is not None:
            heappush(ahead, (-recorded.at, stream, recorded))

    for stream in readers:
        await push(stream)
    found: list[_Found] = []
    read, back_to = 0, None
    while ahead and read < READ_AT_ONCE and len(found) < most:
        _, stream, recorded = heappop(ahead)
        if sought.since is not None and recorded.at < sought.since:
            ahead, points = [], dict.fromkeys(points, 0)
            break
        read, back_to, points[stream] = read + 1, recorded.at, recorded.number - 1
        if (event := _read(recorded)) is not None and is_shown(event):
            _take(found, sought, stream, recorded, event, books.get(stream))
        await push(stream)
    more = ",".join(f"{stream}:{number}" for stream, number in points.items() if number) if ahead else None
    return EventsFound(tuple([await _shown(store, each, books, legend) for each in found]), read, back_to, more)


def _take(
    found: list[_Found], sought: EventSought, stream: str, recorded: EventRecord, event: Event, book: Rulebook | None
) -> None:
    if (sought.until is None or recorded.at <= sought.until) and fits(sought, recorded, event, book):
        found.append(_Found(recorded, stream, round_of(event)))


async def _shown(store: Reader, found: _Found, books: Mapping[str, Rulebook | None], legend: Legend) -> EventFound:
    recorded, event, book = found.recorded, found.recorded.event, books.get(found.stream)
    await legend.look_up(store, [recorded])
    return EventFound(
        stream=found.stream,
        number=recorded.number,
        at=recorded.at,
        by=recorded.by,
        name=legend.names.get(recorded.by),
        position=recorded.position,
        event=recorded.name,
        told=legend.event(event),
        clauses=tuple(cited(event, book)) if book else (),
        round=found.round if found.round or found.stream not in books else await _round(store, found),
        override=is_override(event),
    )


async def _round(store: Reader, found: _Found) -> int | None:
    """Return the round in which an event happened, or after which: the last that was opened before it."""
    async for recorded in backwards(store, found.stream, found.recorded.number):
        if recorded.name == BetsOpened.__name__ and isinstance(event := _read(recorded), BetsOpened):
            return event.round
    return None


def _read(recorded: EventRecord) -> Event | None:
    try:
        return recorded.event
    except UnknownEvent:
        return None
