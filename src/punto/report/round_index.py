"""The rounds and shoes of a table: which there are, where each stands in the log, and how the table was in between.

A log may be long, so it is read once, from its beginning, some events at a time, and followed from there. What is kept
of it is little: a line for each round, and the table at intervals, from which any moment is recomputed.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import AsyncIterator, Mapping, Set

from msgspec import Struct

from punto.audit.stream_audit import LEADS_NOWHERE, Game
from punto.store.codec import UnknownEvent
from punto.store.protocol import Reader
from punto.store.records import EventRecord
from punto.store.round_events import ends_round, every_event, round_of
from punto.table.event import Event, Irregularity
from punto.table.evolve import evolve
from punto.table.irregularities.correction import CardCorrected, RoundCorrected
from punto.table.irregularities.late_wagers import OverlookedWagerSettled
from punto.table.irregularities.relaid_cards import CardsRelaid
from punto.table.irregularities.void import RoundVoided
from punto.table.play.card_handling import SqueezePermitted
from punto.table.play.chips import BoughtIn, CashedOut
from punto.table.play.dealing import OutcomeAnnounced
from punto.table.play.dealing_device import Attested
from punto.table.play.shoes import ShoeEnded, ShoeLoaded
from punto.table.play.table_management import TableOpened
from punto.table.play.wagers import BetsOpened
from punto.table.table import Table

KEPT_EACH = 2_000
MOST_KEPT = 200
"""Most tables kept; beyond that every other one is dropped."""

_AS_USUAL = (Attested, SqueezePermitted)
"""Confirmed and permitted in the course of any round, and not for anything that went wrong."""


class RoundFound(Struct):
    """A round of a table, with the fields it is searched by."""

    round: int
    first: int
    """The number of the event that opened it."""
    last: int
    """Of the last event of the round itself: the one that ended it, if it is over."""
    opened: int
    """When, in milliseconds since 1970."""
    ended: int | None = None
    shoe: str | None = None
    winner: str | None = None
    """As it stands now: after a correction, of the cards really dealt; of a void round none."""
    player_total: int | None = None
    banker_total: int | None = None
    void: bool = False
    corrected: bool = False
    irregular: bool = False
    """Whether something went wrong in it, or was found about it later."""
    later: tuple[int, ...] = ()
    """The numbers of events about it after its end."""
    patrons: Set[str] = frozenset()


class ShoeFound(Struct):
    """A shoe that was put on the table: from which event to which, and its rounds."""

    shoe: str
    first: int
    last: int | None = None
    """Of the event that ended it."""
    first_round: int | None = None
    last_round: int | None = None


class Sought(Struct, frozen=True):
    """Which rounds are looked for; what is None or false is not asked."""

    first: int | None = None
    """The lowest number of a round."""
    last: int | None = None
    since: int | None = None
    """Opened at this time or later, in milliseconds since 1970."""
    until: int | None = None
    patron: str | None = None
    outcome: str | None = None
    irregular: bool = False
    void: bool = False
    corrected: bool = False

    def fits(self, each: RoundFound) -> bool:
        if self.patron is not None and self.patron not in each.patrons:
            return False
        if self.outcome is not None and self.outcome != each.winner:
            return False
        wanted = ((self.irregular, each.irregular), (self.void, each.void), (self.corrected, each.corrected))
        if any(asked and not has for asked, has in wanted):
            return False
        return _within(self.first, each.round, self.last) and _within(self.since, each.opened, self.until)


def _within(least: int | None, value: int, most: int | None) -> bool:
    return (least is None or value >= least) and (most is None or value <= most)


class Moment(Struct, frozen=True):
    """An event, None if it cannot be read, with the table before it and after it."""

    recorded: EventRecord
    event: Event | None
    before: Table | None
    after: Table | None


class _Following:
    """A table followed event by event; None while its state is unknown."""

    def __init__(self, games: Mapping[str, Game], table: Table | None = None, played: int = 0) -> None:
        self._games, self.table, self.played = games, table, played

    def take_in(self, event: Event) -> bool:
        """Follow one more event; False if what happened before does not lead to it."""
        if isinstance(event, TableOpened):
            self._begin(event)
        if isinstance(event, BetsOpened):
            self.played = event.round
        if self.table is not None:
            try:
                self.table = evolve(self.table, event)
            except LEADS_NOWHERE:
                self.table = None
                return False
        return True

    def _begin(self, event: TableOpened) -> None:
        """Begin an opening, perhaps with a changed game file; round numbers continue."""
        game = self._games.get(event.digest)
        if game is None:
            self.table = None
        elif self.table is None or self.table.book is not game.book:
            self.table = Table(game.book).changed(round=self.played)


class Chronicle:
    """A table's rounds, and the table as it was: followed as the log grows, and asked in between."""

    def __init__(self, stream: str, games: Mapping[str, Game]) -> None:
        self.stream, self._games = stream, games
        self.number = 0
        """Of the last event that was taken in."""
        self.unreadable: int | None = None
        """The first event that cannot be read, or that what happened before does not lead to."""
        self.rounds: list[RoundFound] = []
        self._by_number: dict[int, RoundFound] = {}
        self.shoes: list[ShoeFound] = []
        self._now: RoundFound | None = None
        self._patrons: set[str] = set()
        """Of the round that is in play."""
        self._groups: dict[Set[str], Set[str]] = {}
        """Those who were there together, each group kept once."""
        self._table = _Following(games)
        self._kept: list[tuple[int, Table | None, int]] = []
        """The table after an event, and how many rounds had been played."""
        self._each = KEPT_EACH

    async def follow(self, store: Reader, most: int) -> bool:
        """Read at most ``most`` new events; return whether the end of the log was reached."""
        up_to = self.number + most
        async for recorded in every_event(store, self.stream, self.number, up_to):
            self._take_in(recorded)
        return self.number < up_to

    def round(self, number: int) -> RoundFound | None:
        """Return a round by its number."""
        return self._by_number.get(number)

    def find(self, sought: Sought, before: int | None, most: int) -> list[RoundFound]:
        """Return the last rounds that fit, the newest first; of those before a round, if one is named."""
        found: list[RoundFound] = []
        for each in reversed(self.rounds):
            if len(found) == most:
                break
            if (before is None or each.round < before) and sought.fits(each):
                found.append(each)
        return found

    # --- rounds ----------------------------------------------------------------------------------------------------

    def _take_in(self, recorded: EventRecord) -> None:
        self.number = recorded.number
        event = _read(recorded)
        if event is None:
            self._table.table = None
        if event is None or not self._table.take_in(event):
            self.unreadable = self.unreadable or self.number  # from here to the next opening the table is not known
        self._keep()
        if event is None:
            return
        self._change_shoe(event)
        if isinstance(event, BetsOpened):
            self._open(recorded, event)
        elif (about := round_of(event)) is not None and (self._now is None or self._now.round != about):
            self._add(self._by_number.get(about), recorded.number, event)
        elif self._now:
            self._go_on(self._now, recorded, event)

    def _change_shoe(self, event: Event) -> None:
        if isinstance(event, ShoeLoaded):
            self.shoes.append(ShoeFound(event.shoe, self.number))
        elif isinstance(event, ShoeEnded) and self.shoes:
            self.shoes[-1].last = self.number

    def _open(self, recorded: EventRecord, event: BetsOpened) -> None:
        shoe = self.shoes[-1] if self.shoes and self.shoes[-1].last is None else None
        self._patrons = set()
        made = RoundFound(event.round, recorded.number, recorded.number, recorded.at, patrons=self._patrons)
        if shoe:
            made.shoe, shoe.first_round, shoe.last_round = shoe.shoe, shoe.first_round or event.round, event.round
        self._now = made
        self.rounds.append(made)
        self._by_number[event.round] = made

    def _go_on(self, now: RoundFound, recorded: EventRecord, event: Event) -> None:
        """Something in the course of the round."""
        now.last = recorded.number
        self._notice(now, event)
        if (patron := getattr(event, "patron", None)) and not isinstance(event, BoughtIn | CashedOut):
            self._patrons.add(patron)
        elif isinstance(event, OutcomeAnnounced):
            now.winner, now.player_total, now.banker_total = event.winner, event.player_total, event.banker_total
        elif isinstance(event, CardCorrected | CardsRelaid):
            now.winner = now.player_total = now.banker_total = None  # it is called again
        if ends_round(event):
            together = frozenset(self._patrons)
            now.ended, now.patrons, self._now = recorded.at, self._groups.setdefault(together, together), None
        if isinstance(event, RoundVoided):
            now.void, now.winner = True, None

    def _add(self, about: RoundFound | None, number: int, event: Event) -> None:
        """Something that was found, decided or corrected about a round after its end."""
        if about is None:
            return
        about.later = (*about.later, number)
        self._notice(about, event)
        if isinstance(event, RoundCorrected):
            about.corrected, about.void = True, event.coup is None
            coup = event.coup
            about.winner = coup.winner.value if coup else None
            about.player_total = coup.player_total if coup else None
            about.banker_total = coup.banker_total if coup else None
        elif isinstance(event, OverlookedWagerSettled):
            together = frozenset({*about.patrons, event.patron})
            about.corrected, about.patrons = True, self._groups.setdefault(together, together)

    def _notice(self, about: RoundFound, event: Event) -> None:
        if isinstance(event, Irregularity) and not isinstance(event, _AS_USUAL):
            about.irregular = True

    # --- the table as it was ---------------------------------------------------------------------------------------

    def _keep(self) -> None:
        if self._kept and self.number - self._kept[-1][0] < self._each:
            return
        self._kept.append((self.number, self._table.table, self._table.played))
        if len(self._kept) > MOST_KEPT:
            self._kept = self._kept[::2]
            self._each *= 2

    async def moments(self, store: Reader, first: int, last: int) -> AsyncIterator[Moment]:
        """Yield every event from one number to another, with the table before it and after it, where that is known."""
        at = bisect_right(self._kept, first - 1, key=lambda each: each[0])
        number, table, played = self._kept[at - 1] if at else (0, None, 0)
        following = _Following(self._games, table, played)
        async for recorded in every_event(store, self.stream, number, last):
            before, event = following.table, _read(recorded)
            if event is None:
                following.table = None
            else:
                following.take_in(event)
            if recorded.number >= first:
                yield Moment(recorded, event, before, following.table)


def _read(recorded: EventRecord) -> Event | None:
    try:
        return recorded.event
    except UnknownEvent:
        return None
