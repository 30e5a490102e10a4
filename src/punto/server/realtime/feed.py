"""The feed of a table: what its subscribers are sent, encoded once for each audience.

Events are collected for a moment, so that many go out in one message. What an audience may see is written on the fields
of the events; staff are sent everything. A patron is also sent their own balance and cards, which go to nobody else.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Protocol

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from punto.server.realtime.frame_protocol import frame
from punto.server.realtime.messages import EventsMessage, MineMessage, SqueezedMessage, TableMessage, Told, encode
from punto.store.codec import encoder, version_of
from punto.store.protocol import Reader
from punto.store.records import EventRecord
from punto.store.words import KnownWords
from punto.table.event import Event
from punto.table.evolve import EVENTS
from punto.table.round import Phase
from punto.table.table import Table
from punto.table.views import CardAt, PublicView, changes, own_limit, private, public, staff
from punto.table.visibility import Audience, is_told, visible_fields

COLLECTED_FOR = 0.02
"""Seconds between two messages about a table."""
WAGERS_COLLECTED_FOR = 0.1
"""The same while bets stay open, when what happens are the chips of others: a message to each for every chip costs more
than all else that a wager takes."""
MANY_WAGERS_COLLECTED_FOR = 0.4
"""The same where the message before held several: at such a table chips come too fast to be followed one by one."""
TOGETHER, WAGERS_TOGETHER = 0.02, 0.05
"""Messages that wait are sent at multiples of this many seconds, those of all tables in one go: that takes far less
than to wake for each table. The second is for wagers."""
WAITS_FOR_MORE = 0.2
"""Seconds that events wait at most where others are about to follow."""
RETRIED_AFTER = 0.2
"""Seconds between checks whether a subscriber that was too slow has read on."""
MOST_GLIMPSES = 15
"""How often a second subscribers are shown how cards are squeezed."""
MOST_MISSED = 1_000
"""A subscriber that has missed more events than that is sent the table as it is."""


def _reader_of_part(kind: type[Event]) -> Callable[[bytes], Struct]:
    """Return what reads the public fields of an event from its body, each as it is stored."""
    parts = [(name, Raw) for name in visible_fields(kind, Audience.PUBLIC)]
    return msgspec.json.Decoder(msgspec.defstruct(kind.__name__, parts, frozen=True)).decode


_PARTS: dict[str, Callable[[bytes], Struct]] = {
    name: _reader_of_part(kind)
    for name, kind in EVENTS.items()
    if is_told(kind, Audience.PUBLIC) and visible_fields(kind, Audience.PUBLIC) != kind.__struct_fields__
}
"""By name of an event what reads its public part, where the public is told of it and not all of it is public."""
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
    read_part = _PARTS.get(record.name)
    return encoder.encode(read_part(body)) if read_part else body


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
        self._subscriptions: dict[Subscription, None] = {}
        """In the order in which they came, which is that in which they are told."""
        self._waiting: list[EventRecord] = []
        self._newest = table
        """The table after the last event that waits."""
        self._timer: asyncio.TimerHandle | None = None
        self._timed_for = 0.0
        """How long after the last message the timer sends the next."""
        self._flushed_at = 0.0
        self._held_several = False
        """Whether the last message held several events."""
        self._behind: dict[Subscription, None] = {}
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

    def publish(self, records: Sequence[EventRecord], table: Table, more_follow: bool = False) -> None:
        """Send new events, and the table after them, to all subscribers soon; together with those about to follow."""
        self._newest = table
        if not self._subscriptions:
            self._sent, self.number = table, records[-1].number
            self._views.clear()
            return
        self._waiting += records
        now = monotonic()
        # With so many wagers at once most subscribers are being answered anyway, and are told in the same write.
        most_are_answered = 2 * len(records) >= len(self._subscriptions)
        apart, together = COLLECTED_FOR, TOGETHER
        if more_follow:
            apart = WAITS_FOR_MORE
        elif self._sent.phase is table.phase is Phase.BETTING and not most_are_answered:
            apart = MANY_WAGERS_COLLECTED_FOR if self._held_several else WAGERS_COLLECTED_FOR
            together = WAGERS_TOGETHER
        if now >= self._flushed_at + apart:
            self.flush()  # in one write with the answers that are just being given
        elif self._timer is None or apart < self._timed_for:
            due = -(-(self._flushed_at + apart) // together) * together
            self._flush_in(due - now, apart)

    def _flush_in(self, seconds: float, apart: float) -> None:
        if self._timer:
            self._timer.cancel()
        self._timer, self._timed_for = asyncio.get_running_loop().call_later(seconds, self.flush), apart

    def flush(self) -> None:
        """Send everything that waits."""
        if self._timer:
            self._timer.cancel()
            self._timer = None
        if not self._waiting:
            return
        self._flushed_at = monotonic()
        waiting, self._waiting = self._waiting, []
        self._held_several = len(waiting) > 1
        before, self._sent, self.number = self._sent, self._newest, waiting[-1].number
        known, self._views = self._views, {}
        frames: dict[Audience, bytes] = {}
        table = self._sent
        chips = None if _has_more(table) else table.chips
        for each in self._up_to_date():
            data = frames.get(each.audience)
            if data is None:
                shown = known.get(each.audience) or _view(before, each.audience)
                data = frames[each.audience] = self._events_frame(waiting, shown, each.audience)
            # Most patrons have chips alone, most of them as many as before: then there is nothing of theirs to tell.
            if each.patron is not None and (chips is None or chips.get(each.patron, 0) != each.mine):
                data += self._mine(each, each.patron)
            if not each.watcher.tell(data):
                self._mark_behind(each)

    def _up_to_date(self) -> Collection[Subscription]:
        """Return the subscribers that are told what happens."""
        return (
            [each for each in self._subscriptions if each not in self._behind] if self._behind else self._subscriptions
        )

    def _mark_behind(self, subscription: Subscription) -> None:
        """Show a client that was too slow the table as it is, once it has read on, whether more happens or not."""
        self._behind[subscription] = None
        if self._retry is None:
            self._retry = asyncio.get_running_loop().call_later(RETRIED_AFTER, self._show_again)

    def _show_again(self) -> None:
        self._retry = None
        self.flush()
        behind, self._behind = self._behind, {}
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
        for each in self._up_to_date():
            if each.watcher is not sender:
                each.watcher.glimpse(shown)

    # --- one subscriber --------------------------------------------------------------------------------------------

    def subscribe(self, subscription: Subscription, missed: Sequence[EventRecord] | None) -> None:
        """Add a subscriber: first it is sent the table, with the events it missed if they are known."""
        self.flush()
        self._subscriptions[subscription] = None
        self._show(subscription, missed)

    def unsubscribe(self, subscription: Subscription) -> None:
        """Remove a subscriber."""
        self._subscriptions.pop(subscription, None)
        self._behind.pop(subscription, None)
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
        if _has_more(table):
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


def _has_more(table: Table) -> bool:
    """Whether any patron may have more than chips: debts, limits or cards."""
    return bool(table.owed or table.own_limits or table.round.handlers or table.round.single_cards)


def _view(table: Table, audience: Audience) -> PublicView:
    return staff(table) if audience is Audience.STAFF else public(table)
