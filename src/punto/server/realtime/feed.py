"""The feed of a table: what its subscribers are sent, encoded once for each audience.

Events are collected for a moment, so that many go out in one message. What an audience may see is written on the fields
of the events; staff are sent everything. A patron is also sent their own balance and cards, which go to nobody else.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Protocol

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from punto.server.realtime.frame_protocol import frame
from punto.server.realtime.messages import EventsMessage, MineMessage, SqueezedMessage, TableMessage, Told, encode
from punto.store.codec import encoder, version_of
from punto.store.protocol import Reader
from punto.store.records import EventRecord
from punto.store.words import KnownWords
from punto.table.evolve import EVENTS
from punto.table.table import Table
from punto.table.views import CardAt, PublicView, changes, own_limit, private, public, staff
from punto.table.visibility import Audience, is_told, visible_fields

COLLECTED_FOR = 0.02
"""Seconds between two messages about a table."""
RETRIED_AFTER = 0.2
"""Seconds between checks whether a subscriber that was too slow has read on."""
MOST_GLIMPSES = 15
"""How often a second subscribers are shown how cards are squeezed."""
MOST_MISSED = 1_000
"""A subscriber that has missed more events than that is sent the table as it is."""

_PARTS: dict[str, tuple[str, ...]] = {
    name: visible_fields(kind, Audience.PUBLIC)
    for name, kind in EVENTS.items()
    if is_told(kind, Audience.PUBLIC) and visible_fields(kind, Audience.PUBLIC) != kind.__struct_fields__
}
"""By name of an event its public fields, where the public is told of it and not all of it is public."""
_WHOLE = {
    name: version_of(name)
    for name, kind in EVENTS.items()
    if is_told(kind, Audience.PUBLIC) and visible_fields(kind, Audience.PUBLIC) == kind.__struct_fields__
}
"""By name of an event that is public as it is stored, the version it is stored in."""
_HIDDEN = frozenset(name for name, kind in EVENTS.items() if not is_told(kind, Audience.PUBLIC))
"""Events that the public is not told of."""
_NO_MORE = (0, None, None)
"""What most patrons have besides chips: no debt, no limit, no cards."""
_decode_fields = msgspec.json.Decoder(dict[str, Raw]).decode


def told(record: EventRecord, audience: Audience) -> Told | None:
    """Return an event as an audience is told it; None if the audience is not told of it."""
    if audience is Audience.STAFF:
        return Told(record.number, record.name, record.at, record.position, Raw(record.body), record.by)
    if record.name in _HIDDEN:
        return None
    body = record.body if _WHOLE.get(record.name) == record.version else _public_part(record)
    return Told(record.number, record.name, record.at, record.position, Raw(body))


def _public_part(record: EventRecord) -> bytes:
    body = record.body if record.version == version_of(record.name) else encoder.encode(record.event)
    if record.name not in _PARTS:
        return body
    content = _decode_fields(body)
    return encoder.encode({name: content[name] for name in _PARTS[record.name]})


def all_told(records: Sequence[EventRecord], audience: Audience) -> list[Told]:
    """Return those of these events that an audience is told of."""
    return [each for record in records if (each := told(record, audience)) is not None]


async def read_told(
    store: Reader, table: str, after: int, most: int, audience: Audience, words: KnownWords
) -> list[Told]:
    """Read the next events of a table that an audience is told of, up to a number of them."""
    found: list[Told] = []
    while len(found) < most and (page := await store.read(table, after, most)):
        await words.look_up(store, *(record.body for record in page))
        found += [replace(each, body=Raw(words.in_json(bytes(each.body)))) for each in all_told(page, audience)]
        after = page[-1].number
    return found[:most]


class Watcher(Protocol):
    """A client that subscribes to tables."""

    def tell(self, data: bytes) -> bool:
        """Send encoded frames; False if the client is behind and was sent nothing."""
        ...

    def glimpse(self, data: bytes) -> None:
        """Send encoded frames unless the client is behind: then they are dropped."""
        ...


@dataclass(slots=True, eq=False)
class Subscription:
    """A client at one table: what it may see, and what it was last told about its own patron."""

    watcher: Watcher
    feed: Feed
    audience: Audience
    patron: str | None
    mine: object = None


class Feed:
    """The subscribers of one table."""

    def __init__(self, name: str, table: Table, number: int, card_at: CardAt, words: KnownWords | None = None) -> None:
        self.name, self._card_at, self._words = name, card_at, words or KnownWords()
        self._subscriptions: set[Subscription] = set()
        self._waiting: list[EventRecord] = []
        self._newest = table
        """The table after the last event that waits."""
        self._timer: asyncio.TimerHandle | None = None
        self._flushed_at = 0.0
        self._behind: set[Subscription] = set()
        self._retry: asyncio.TimerHandle | None = None
        self._sent, self.number = table, number
        """The table as it was last sent, and its number."""
        self._views: dict[Audience, PublicView] = {}
        """The view of it that each audience was sent."""
        self._frames: dict[tuple[Audience, int, bool], tuple[float, bytes]] = {}
        """The table as it was shown to new subscribers a moment ago, and when."""
        self._glimpses: deque[float] = deque(maxlen=MOST_GLIMPSES)
        """When subscribers were last shown how a card is squeezed."""

    def __len__(self) -> int:
        return len(self._subscriptions)

    def publish(self, records: Sequence[EventRecord], table: Table) -> None:
        """Send new events, and the table after them, to all subscribers soon."""
        self._newest = table
        if not self._subscriptions:
            self._sent, self.number = table, records[-1].number
            self._views.clear()
            return
        self._waiting += records
        if monotonic() >= self._flushed_at + COLLECTED_FOR:
            self.flush()  # in one write with the answers that are just being given
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(COLLECTED_FOR, self.flush)

    def flush(self) -> None:
        """Send everything that waits."""
        if self._timer:
            self._timer.cancel()
            self._timer = None
        if not self._waiting:
            return
        self._flushed_at = monotonic()
        waiting, self._waiting = self._waiting, []
        before, self._sent, self.number = self._sent, self._newest, waiting[-1].number
        known, self._views = self._views, {}
        frames: dict[Audience, bytes] = {}
        for each in self._subscriptions.difference(self._behind) if self._behind else self._subscriptions:
            events = frames.get(each.audience)
            if events is None:
                shown = known.get(each.audience) or _view(before, each.audience)
                events = frames[each.audience] = self._events_frame(waiting, shown, each.audience)
            if not each.watcher.tell(events if each.patron is None else events + self._mine(each, each.patron)):
                self._mark_behind(each)

    def _mark_behind(self, subscription: Subscription) -> None:
        """Show a client that was too slow the table as it is, once it has read on, whether more happens or not."""
        self._behind.add(subscription)
        if self._retry is None:
            self._retry = asyncio.get_running_loop().call_later(RETRIED_AFTER, self._show_again)

    def _show_again(self) -> None:
        self._retry = None
        self.flush()
        behind, self._behind = self._behind, set()
        for each in behind:
            if each.watcher.tell(b""):
                self._show(each, None)
            else:
                self._mark_behind(each)

    def _events_frame(self, waiting: Sequence[EventRecord], before: PublicView, audience: Audience) -> bytes:
        """Encode a message that covers all these events; it holds those that its audience is told of."""
        after = self._views[audience] = _view(self._sent, audience)
        events = all_told(waiting, audience)
        message = EventsMessage(self.name, waiting[0].number, self.number, events, changes(before, after))
        return frame(self._words.in_json(encode(message)))

    def show_glimpse(self, message: SqueezedMessage, sender: Watcher, now: float) -> None:
        """Show the other subscribers how a card lies now, so many times a second and no more: what is over is dropped.

        It has no number and is kept nowhere.
        """
        if len(self._glimpses) == MOST_GLIMPSES and now - self._glimpses[0] < 1:
            return
        self._glimpses.append(now)
        shown = frame(encode(message))
        for each in self._subscriptions.difference(self._behind):
            if each.watcher is not sender:
                each.watcher.glimpse(shown)

    # --- one subscriber --------------------------------------------------------------------------------------------

    def subscribe(self, subscription: Subscription, missed: Sequence[EventRecord] | None) -> None:
        """Add a subscriber: first it is sent the table, with the events it missed if they are known."""
        self.flush()
        self._subscriptions.add(subscription)
        self._show(subscription, missed)

    def unsubscribe(self, subscription: Subscription) -> None:
        """Remove a subscriber."""
        self._subscriptions.discard(subscription)
        self._behind.discard(subscription)
        if not self._subscriptions:
            self.flush()  # so that what happens without subscribers does not come before it

    def _show(self, to: Subscription, missed: Sequence[EventRecord] | None) -> None:
        if self._sent.counting and to.audience is Audience.STAFF:
            missed = None  # from what happened before it could be told what the count should find
        events = all_told(missed or (), to.audience)
        to.mine = None
        shown = self._table_frame(to.audience, events, missed is None)
        if not to.watcher.tell(shown if to.patron is None else shown + self._mine(to, to.patron)):
            self._mark_behind(to)

    def _table_frame(self, audience: Audience, events: list[Told], resync: bool) -> bytes:
        """Encode the table as it is; for many who come at once, or one who asks all the time, once."""
        key, now = (audience, self.number, resync), monotonic()
        made, known = self._frames.get(key, (0.0, b""))
        if not events and now - made < COLLECTED_FOR:
            return known
        message = TableMessage(self.name, self.number, _view(self._sent, audience), events, resync=resync)
        shown = frame(self._words.in_json(encode(message)))
        if not events:
            self._frames = {each: kept for each, kept in self._frames.items() if now - kept[0] < COLLECTED_FOR}
            self._frames[key] = now, shown
        return shown

    def _mine(self, to: Subscription, patron: str) -> bytes:
        """Return the frame with a patron's own view, if it differs from the last; otherwise nothing."""
        table = self._sent
        known: object = table.chips.get(patron, 0)
        if table.owed or table.own_limits or table.round.handlers or table.round.single_cards:
            more = table.owed.get(patron, 0), own_limit(table, patron), self._cards_held(patron)
            if more != _NO_MORE:  # so that nobody is sent anything because of another patron
                known = known, more
        if known == to.mine:
            return b""
        to.mine = known
        view = private(table, patron, self._card_at)
        return frame(encode(MineMessage(self.name, self.number, view)))

    def _cards_held(self, patron: str) -> object:
        """Return the cards a patron was passed, and which of them they have looked at."""
        table = self._sent
        hands = [places for hand, places in table.round.hands.items() if table.round.has_cards(hand, patron)]
        return (hands, table.round.looked) if hands else None


def _view(table: Table, audience: Audience) -> PublicView:
    return staff(table) if audience is Audience.STAFF else public(table)
