"""Find the significant events of every stream of a house, the newest first, with the alerts that were raised at them.

A search reads a number of events, from the newest back, and says where it stopped, so that its cost does not grow
with the log.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence, Set
from heapq import heappop, heappush

from msgspec import Struct

from punto.books.round_log import round_of
from punto.report.event_search import READ_AT_ONCE, backwards
from punto.report.legend import Legend
from punto.report.significant.kinds import BY_NAME, Reading, SignificantKind, Values
from punto.store.codec import UnknownEvent
from punto.store.events.cage_events import CAGE
from punto.store.events.house_events import HOUSE
from punto.store.events.limit_events import LIMITS
from punto.store.house_settings import HouseSettings
from punto.store.protocol import Reader
from punto.store.records import EventRecord
from punto.store.round_events import number_at
from punto.store.words import people_in
from punto.table.event import Event
from punto.table.play.wagers import BetsOpened

Place = tuple[int, str, int]
"""A place in the order of the search: the time, below zero, the stream and the number, below zero."""


class Raised(Struct, frozen=True):
    """An alert that was raised at an event: what its text takes."""

    kind: SignificantKind
    values: Values
    told: str


class SignificantSought(Struct, frozen=True):
    """Which significant events are looked for; what is None is not asked."""

    kinds: Set[SignificantKind] | None = None
    people: Set[str] | None = None
    """Ids: the event is by one of them, or about one."""
    table: str | None = None
    since: int | None = None
    until: int | None = None
    """Up to this time, and not at it."""


class SignificantEvent(Struct, frozen=True):
    """A significant event: when, by whom, about whom or what, and the values before and after."""

    stream: str
    number: int
    at: int
    kind: SignificantKind
    event: str
    by: str
    name: str | None
    """Of the person who gave it."""
    position: str
    about: str
    """The id of the person or device, or the game; empty if it is about none."""
    about_name: str | None
    table: str | None
    round: int | None
    before: Values
    after: Values
    reason: str
    """In the words of the person who did it."""
    told: str


class SignificantFound(Struct, frozen=True):
    """The significant events that fit, the newest first, as far as the search went."""

    events: tuple[SignificantEvent, ...]
    read: int
    back_to: int | None
    """The time of the oldest event that was read; None if there was none to read."""
    more: str | None
    """Where the search goes on; None if it has reached the beginning."""


async def streams_of(store: Reader, tables: Collection[str], with_limits: bool = True) -> list[str]:
    """Return the streams that significant events stand in; those of patrons' limits are for who sees accounts."""
    limits = [each for each in await store.streams() if each.endswith(LIMITS)] if with_limits else []
    return [*tables, HOUSE, CAGE, *limits]


class SignificantSearch:
    """A search of some streams, for a reader who may see what ``is_shown`` says."""

    def __init__(
        self,
        store: Reader,
        streams: Collection[str],
        tables: Collection[str],
        sought: SignificantSought,
        legend: Legend,
        settings_at: Callable[[int], HouseSettings],
        raised: Mapping[tuple[str, int], Sequence[Raised]] | None = None,
        is_shown: Callable[[Event], bool] = lambda _: True,
    ) -> None:
        """``raised`` has the alerts by table and number of the event that raised them."""
        self._store, self._streams, self._tables = store, streams, tables
        self._sought, self._legend, self._settings_at = sought, legend, settings_at
        self._raised, self._is_shown = raised or {}, is_shown

    async def find(self, cursor: str = "", most: int = 50) -> SignificantFound:
        """Return the next events from a cursor back, or from the newest."""
        after = _place_of(cursor)
        found: list[SignificantEvent] = []
        read, back_to, more, last = 0, None, None, (0, "", 0)
        async for place, recorded in self._merged(after):
            if self._sought.since is not None and recorded.at < self._sought.since:
                break
            if read >= READ_AT_ONCE or len(found) >= most:
                more = _cursor_of(last)
                break
            read, back_to, last = read + 1, recorded.at, place
            found += await self._of(recorded)
        return SignificantFound(tuple(found), read, back_to, more)

    async def every(self, most: int) -> AsyncIterator[SignificantEvent]:
        """Yield all events that fit, up to a number of them."""
        cursor, given = "", 0
        while given < most:
            found = await self.find(cursor, most - given)
            for each in found.events[: most - given]:
                yield each
            given += len(found.events)
            if found.more is None:
                return
            cursor = found.more

    async def _merged(self, after: Place | None) -> AsyncIterator[tuple[Place, EventRecord]]:
        """Yield the events of all streams from a place back."""
        until = self._sought.until
        newest = min(each for each in (None if after is None else -after[0] + 1, until, 2**63) if each is not None)
        readers, ahead = dict[str, AsyncIterator[EventRecord]](), list[tuple[Place, EventRecord]]()

        async def push(stream: str) -> None:
            if (recorded := await anext(readers[stream], None)) is not None:
                heappush(ahead, ((-recorded.at, stream, -recorded.number), recorded))

        for stream in self._streams:
            last = await number_at(self._store, stream, newest)
            readers[stream] = backwards(self._store, stream, last)
            await push(stream)
        while ahead:
            place, recorded = heappop(ahead)
            if after is None or place > after:
                yield place, recorded
            await push(place[1])

    async def _of(self, recorded: EventRecord) -> list[SignificantEvent]:
        """Return what is significant in an event: itself, and the alerts raised at it."""
        raised = self._raised.get((recorded.stream, recorded.number), ())
        significance = BY_NAME.get(recorded.name)
        kinds = self._sought.kinds
        if significance and kinds is not None and significance.kind not in kinds:
            significance = None
        raised = [each for each in raised if kinds is None or each.kind in kinds]
        if not (raised or significance) or (event := _read(recorded)) is None or not self._fits(recorded, event):
            return []
        found = [await self._alert(recorded, event, each) for each in raised]
        if significance and significance.holds(event, self._settings_at(recorded.at)):
            reading, about = significance.read(event), getattr(event, significance.about, "")
            found.append(await self._shown(recorded, event, significance.kind, reading, about))
        return found

    def _fits(self, recorded: EventRecord, event: Event) -> bool:
        sought = self._sought
        if sought.table is not None and sought.table not in (recorded.stream, getattr(event, "table", None)):
            return False
        people = {recorded.by, *people_in(recorded.body, recorded.stream.encode())}
        return self._is_shown(event) and (sought.people is None or bool(sought.people & people))

    async def _alert(self, recorded: EventRecord, event: Event, raised: Raised) -> SignificantEvent:
        about = str(raised.values.get("patron", raised.values.get("person", "")))
        shown = await self._shown(recorded, event, raised.kind, ({}, raised.values), about)
        return _told(shown, self._legend.in_text(raised.told))

    async def _shown(
        self, recorded: EventRecord, event: Event, kind: SignificantKind, reading: Reading, about: str
    ) -> SignificantEvent:
        stream, legend = recorded.stream, self._legend
        about = about or (stream.removesuffix(LIMITS) if stream.endswith(LIMITS) else "")
        await legend.look_up(self._store, [recorded])
        await legend.look_up_people(self._store, people_in(about.encode()))
        reason = getattr(getattr(event, "circumstances", None), "reason", "") or getattr(event, "reason", "")
        table = stream if stream in self._tables else getattr(event, "table", None) or None
        return SignificantEvent(
            stream=stream,
            number=recorded.number,
            at=recorded.at,
            kind=kind,
            event=recorded.name,
            by=recorded.by,
            name=legend.names.get(recorded.by),
            position=recorded.position,
            about=about,
            about_name=legend.names.get(about),
            table=table,
            round=await self._round(recorded, event) if table == stream else None,
            before=reading[0],
            after=reading[1],
            reason=legend.in_text(str(reason)) if isinstance(reason, str) else "",
            told=legend.event(event),
        )

    async def _round(self, recorded: EventRecord, event: Event) -> int | None:
        """Return the round that an event is about, or after whose opening it happened."""
        if (named := round_of(event)) is not None:
            return named
        async for each in backwards(self._store, recorded.stream, recorded.number):
            if each.name == BetsOpened.__name__ and isinstance(opened := _read(each), BetsOpened):
                return opened.round
        return None


def _told(shown: SignificantEvent, told: str) -> SignificantEvent:
    return SignificantEvent(**{name: getattr(shown, name) for name in shown.__struct_fields__} | {"told": told})


def _cursor_of(place: Place) -> str:
    return f"{-place[0]}:{-place[2]}:{place[1]}"


def _place_of(cursor: str) -> Place | None:
    """Return the place that a cursor names; one that names none begins with the newest."""
    at, _, rest = cursor.partition(":")
    number, _, stream = rest.partition(":")
    if not all(each.isascii() and each.isdecimal() and len(each) < 17 for each in (at, number)):
        return None
    return -int(at), stream, -int(number)


def _read(recorded: EventRecord) -> Event | None:
    try:
        return recorded.event
    except UnknownEvent:
        return None
