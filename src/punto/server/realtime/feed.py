"""What is told about a table to those who watch it: every event in order, encoded once for all of them.

Events are gathered for a moment, so that many go out together. What everybody is told leaves out what is nobody's
business; staff are told all. A patron is told his own balance and cards besides, and nobody else is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Protocol

from msgspec import Raw

from punto.server.realtime.frame_protocol import frame
from punto.server.realtime.messages import EventsMessage, MineMessage, TableMessage, Told, encode
from punto.server.tables.table_actor import Happened
from punto.store.codec import encoder
from punto.store.records import Recorded
from punto.table.event import Event, Irregularity
from punto.table.evolve import EVENTS
from punto.table.irregularities.cards_taken import MissingDetermined
from punto.table.irregularities.correction import RoundCorrected
from punto.table.play.appointments import ActingAppointed, ActingEnded
from punto.table.play.chips import BoughtIn, CashedOut, Credited, Filled
from punto.table.play.loss_limits import LossLimitEased, LossLimited
from punto.table.play.table_management import TableClosed, TableOpened
from punto.table.table import Table
from punto.table.views import CardAt, PublicView, changes, own_limit, private, public, staff

GATHERED_FOR = 0.02
"""Seconds."""
SHOWN_AGAIN_AFTER = 0.2
"""Seconds: how often one looks whether somebody who was too slow has read on."""
MOST_MISSED = 1_000
"""Who has missed more events than that is shown the table as it is."""

HIDDEN: dict[type[Event], frozenset[str]] = {
    TableOpened: frozenset({"float_"}),
    TableClosed: frozenset({"counted", "float_", "commission", "difference"}),
    Filled: frozenset({"amount"}),
    Credited: frozenset({"amount"}),
    BoughtIn: frozenset({"amount"}),
    CashedOut: frozenset({"amount"}),
    LossLimited: frozenset({"limit", "brought"}),
    LossLimitEased: frozenset({"limit", "counts_from"}),
    ActingAppointed: frozenset({"person", "appointed_by"}),
    ActingEnded: frozenset({"person"}),
    MissingDetermined: frozenset({"cards"}),
    RoundCorrected: frozenset({"corrections"}),
}
"""What of an event is not for everybody; of an irregularity its circumstances besides."""


_HIDDEN: dict[type[Event], frozenset[str]] = {
    kind: HIDDEN.get(kind, frozenset()) | (frozenset({"circumstances"}) if issubclass(kind, Irregularity) else set())
    for kind in EVENTS.values()
}


class Watcher(Protocol):
    """Somebody who is told about tables."""

    def tell(self, data: bytes) -> bool:
        """Send him what is already in frames; False if he is behind and was sent nothing."""
        ...


@dataclass(slots=True, eq=False)
class Subscription:
    """A watcher at one table: what he may see, and what he was told about himself last."""

    watcher: Watcher
    feed: Feed
    is_staff: bool
    patron: str | None
    mine: object = None


def told(recorded: Recorded, event: Event, to_staff: bool) -> Told:
    """An event as it is told."""
    written = recorded.written
    if to_staff:
        return Told(recorded.number, written.name, written.at, written.position, Raw(written.body), written.by)
    body = written.body
    if hidden := _HIDDEN[type(event)]:
        shown = [name for name in event.__struct_fields__ if name not in hidden]
        body = encoder.encode({name: getattr(event, name) for name in shown})
    return Told(recorded.number, written.name, written.at, written.position, Raw(body))


class Feed:
    """Those who watch one table."""

    def __init__(self, name: str, table: Table, number: int, card_at: CardAt) -> None:
        self.name, self._card_at = name, card_at
        self._subscriptions: set[Subscription] = set()
        self._waiting: list[Happened] = []
        self._timer: asyncio.TimerHandle | None = None
        self._flushed_at = 0.0
        self._behind: set[Subscription] = set()
        self._again: asyncio.TimerHandle | None = None
        self._told, self.number = table, number
        """The table as it was last told of, and its number."""
        self._views: dict[bool, PublicView] = {}
        """What was last shown of it to staff, and to everybody."""

    def __len__(self) -> int:
        return len(self._subscriptions)

    def heard(self, happened: Sequence[Happened]) -> None:
        """Something has happened at the table."""
        if not self._subscriptions:
            self._told, self.number = happened[-1].table, happened[-1].recorded.number
            self._views.clear()
            return
        self._waiting += happened
        if monotonic() >= self._flushed_at + GATHERED_FOR:
            self.flush()  # together with the answers that are just being given
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(GATHERED_FOR, self.flush)

    def flush(self) -> None:
        """Tell all that waits."""
        if self._timer:
            self._timer.cancel()
            self._timer = None
        if not self._waiting:
            return
        self._flushed_at = monotonic()
        waiting, self._waiting = self._waiting, []
        before, self._told, self.number = self._told, waiting[-1].table, waiting[-1].recorded.number
        known, self._views = self._views, {}
        frames: dict[bool, bytes] = {}
        for each in self._subscriptions.difference(self._behind) if self._behind else self._subscriptions:
            events = frames.get(each.is_staff)
            if events is None:
                shown = known.get(each.is_staff) or _view(before, each.is_staff)
                events = frames[each.is_staff] = self._events_frame(waiting, shown, each.is_staff)
            if not each.watcher.tell(events if each.patron is None else events + self._mine(each, each.patron)):
                self._is_behind(each)

    def _is_behind(self, subscription: Subscription) -> None:
        """Somebody was too slow: he is shown the table as it is, once he has read on, whether more happens or not."""
        self._behind.add(subscription)
        if self._again is None:
            self._again = asyncio.get_running_loop().call_later(SHOWN_AGAIN_AFTER, self._show_again)

    def _show_again(self) -> None:
        self._again = None
        self.flush()
        behind, self._behind = self._behind, set()
        for each in behind:
            if each.watcher.tell(b""):
                self._show(each, None)
            else:
                self._is_behind(each)

    def _events_frame(self, waiting: Sequence[Happened], before: PublicView, to_staff: bool) -> bytes:
        after = self._views[to_staff] = _view(self._told, to_staff)
        changed = changes(before, after)
        events = [told(each.recorded, each.event, to_staff) for each in waiting]
        return frame(encode(EventsMessage(self.name, events[0].number, self.number, events, changed)))

    # --- one watcher -----------------------------------------------------------------------------------------------

    def subscribe(self, subscription: Subscription, missed: Iterable[tuple[Recorded, Event]] | None) -> None:
        """Tell somebody of the table from now on; first how it is, and what he missed if that is known."""
        self.flush()
        self._subscriptions.add(subscription)
        self._show(subscription, missed)

    def unsubscribe(self, subscription: Subscription) -> None:
        self._subscriptions.discard(subscription)
        self._behind.discard(subscription)
        if not self._subscriptions:
            self.flush()  # nobody waits for it, and what happens unwatched must not come before it

    def _show(self, to: Subscription, missed: Iterable[tuple[Recorded, Event]] | None) -> None:
        view = _view(self._told, to.is_staff)
        events = [told(recorded, event, to.is_staff) for recorded, event in missed or ()]
        to.mine = None
        shown = frame(encode(TableMessage(self.name, self.number, view, events, resync=missed is None)))
        if not to.watcher.tell(shown if to.patron is None else shown + self._mine(to, to.patron)):
            self._is_behind(to)

    def _mine(self, to: Subscription, patron: str) -> bytes:
        """What a patron has to be told about himself, if it is different from what he knows."""
        table = self._told
        known: object = table.chips.get(patron, 0)
        if table.owed or table.own_limits or table.round.handlers:
            known = (known, table.owed.get(patron, 0), own_limit(table, patron), self._in_his_hands(patron))
        if known == to.mine:
            return b""
        to.mine = known
        view = private(table, patron, self._card_at)
        return frame(encode(MineMessage(self.name, self.number, view)))

    def _in_his_hands(self, patron: str) -> object:
        """The cards he was passed, and which of them he has looked at."""
        table = self._told
        hands = [table.round.hands[hand] for hand, handler in table.round.handlers.items() if handler == patron]
        return (hands, table.round.looked) if hands else None


def _view(table: Table, to_staff: bool) -> PublicView:
    return staff(table) if to_staff else public(table)
