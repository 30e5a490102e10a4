"""Follows the log of a table for the pit's guard: which cards are unseen, and whose wagers follow them.

Everything here is read from exposed cards: the order of the cards that are left is never looked at, also where the
house could know it. The statistics are in ``punto.lab.pit_guard``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from msgspec import Struct

from punto.audit.table_followed import summary_of, table_at
from punto.cards import CardError, Composition
from punto.lab.pit_guard import NOTHING_TO_WEIGH, Advice, PatronEvidence, RoundWeights, watched_wagers, weigh_round
from punto.rules.coup import Coup, Unlawful
from punto.rules.rulebook import Rulebook
from punto.store.protocol import Reader
from punto.store.records import EventRecord
from punto.store.trust.checkpoints import Checkpoints
from punto.table.evolve import evolve
from punto.table.irregularities.void import RoundVoided
from punto.table.play.settlement import RoundSettled
from punto.table.play.shoes import ShoeEnded, ShoeLoaded
from punto.table.play.table_management import TableOpened
from punto.table.play.wagers import BetsClosed, BetsOpened
from punto.table.table import Table

MOST_SHOES = 30
"""A table that was not shut for longer is followed from so many shoes back."""
HIGHEST_RATIO = 1e12
"""A higher one is told as this."""

_Dealt = tuple[Composition, Coup]
"""A coup, and the cards that were unseen before it."""


@dataclass(frozen=True, slots=True)
class RoundPlaced:
    """The wagers of a round as the betting closed, and the coup before it that may have led to them."""

    name: str
    """Of table, shoe and round; the lookalikes are drawn by it, so that every process finds the same ratios."""
    at: int
    dealt: _Dealt | None
    """None where the coup before was not dealt as usual, or in another shoe."""
    stakes: dict[str, dict[str, int]]
    """By patron and wager, in cents; all at the table are named, also without a wager."""


@dataclass(slots=True)
class PatronFollowed:
    """A patron who has placed watched wagers since the table was opened."""

    since: int
    """When they first did."""
    evidence: PatronEvidence


class PatronWeighed(Struct, frozen=True):
    """How a patron's side wagers stand to the cards."""

    patron: str
    since: int
    """When they placed the first of them since the table was opened."""
    rounds: int
    """Weighed since then."""
    ratio: float
    """The likelihood ratio of a counter against a patron who does not count."""
    wager: str | None
    """The wager that follows the cards most; None before any was weighed."""
    advice: Advice


@dataclass(slots=True)
class TableGuard:
    """What the log of a table says about who follows its cards, since it was opened last."""

    name: str
    table: Table
    number: int = 0
    """The last event taken in."""
    waiting: list[RoundPlaced] = field(default_factory=list)
    """Rounds that are not weighed yet."""
    followed: dict[str, PatronFollowed] = field(default_factory=dict)
    _unseen: Composition | None = None
    """The cards unseen when the betting opened; None once a round is not as usual."""
    _dealt: _Dealt | None = None
    _closed: int = 0
    """The last round whose betting was closed: after a reset of the device it may be closed once more."""

    @property
    def book(self) -> Rulebook:
        return self.table.book

    # --- the log ---------------------------------------------------------------------------------------------------

    def take_in(self, events: Iterable[EventRecord]) -> None:
        """Take in the events that come next."""
        for recorded in events:
            event = recorded.event
            self.table, self.number = evolve(self.table, event), recorded.number
            match event:
                case TableOpened():
                    self.waiting, self.followed, self._closed = [], {}, self.table.round_number
                case ShoeLoaded() | ShoeEnded() | RoundVoided():
                    self._dealt = self._unseen = None
                case BetsOpened():
                    self._open_bets()
                case BetsClosed() if self.table.round_number > self._closed:
                    self._close_bets(recorded.at)
                case RoundSettled(round=number):
                    self._settle(number)

    def _open_bets(self) -> None:
        assert self.table.shoe
        now = self._unseen = self.table.shoe.unexposed
        # Cards that were exposed, put back or corrected since then are not what the lookalikes are drawn by.
        if self._dealt and self._dealt[0].without(self._dealt[1].in_dealing_order()) != now:
            self._dealt = None

    def _close_bets(self, at: int) -> None:
        table = self.table
        self._closed = table.round_number
        stakes: dict[str, dict[str, int]] = {patron: {} for patron, chips in table.chips.items() if chips}
        for (patron, _, wager), stake in table.round.stakes.items():
            placed = stakes.setdefault(patron, {})
            placed[wager] = placed.get(wager, 0) + stake.amount
        shoe = table.shoe.name if table.shoe else ""
        self.waiting.append(RoundPlaced(f"{self.name} {shoe} {table.round_number}", at, self._dealt, stakes))

    def _settle(self, number: int) -> None:
        before, settled = self._unseen, self.table.history[number]
        if before is None:
            self._dealt = None
            return
        try:
            coup = Coup(settled.player, settled.banker)
            before.without(coup.in_dealing_order())
            self._dealt = before, coup
        except (Unlawful, CardError):  # a decision settled the round by cards that were not dealt so
            self._dealt = None

    # --- evidence --------------------------------------------------------------------------------------------------

    def weigh_next(self) -> None:
        """Weigh the oldest round that waits. It takes some milliseconds for each wager that is played."""
        placed = self.waiting[0]
        watched = {each.name for each in watched_wagers(self.book)}
        went_for = {}
        for patron, stakes in placed.stakes.items():
            if patron not in self.followed and watched & stakes.keys():
                self.followed[patron] = PatronFollowed(placed.at, PatronEvidence(self.book))
            if patron in self.followed:
                went_for[patron] = self.followed[patron].evidence.place(stakes)
        weights = self._weights(placed, {wager for played in went_for.values() for wager in played})
        for patron, went in went_for.items():
            self.followed[patron].evidence.take_in(weights, went)
        del self.waiting[0]

    def _weights(self, placed: RoundPlaced, wagers: set[str]) -> RoundWeights:
        if placed.dealt is None or not wagers:
            return NOTHING_TO_WEIGH
        return weigh_round(self.book, sorted(wagers), *placed.dealt, chance_of(placed.name))

    def found(self) -> tuple[PatronWeighed, ...]:
        """Return what is known of every patron, the highest ratio first."""
        rows = [
            PatronWeighed(
                patron=patron,
                since=each.since,
                rounds=each.evidence.rounds,
                ratio=min(each.evidence.ratio, HIGHEST_RATIO),
                wager=each.evidence.most_followed,
                advice=each.evidence.advice,
            )
            for patron, each in self.followed.items()
        ]
        return tuple(sorted(rows, key=lambda each: (-each.ratio, each.since, each.patron)))


def chance_of(name: str) -> Any:
    """Return the generator of a round: the same in every process, and independent of cards and wagers."""
    import numpy as np

    return np.random.default_rng(list(sha256(name.encode()).digest()))


async def begin_guard(store: Reader, name: str, book: Rulebook, head: int) -> TableGuard:
    """Return a guard at the place where the log of a table is to be read on: where it was shut last."""
    checkpoints = await Checkpoints.of(store, name)
    listed = await checkpoints.newest_first("", (), head + 1, MOST_SHOES)
    shut = next((each for each in listed if not summary_of(each).books.open), None)
    start = shut or (listed[-1] if len(listed) == MOST_SHOES else None)
    whole = await checkpoints.before_event(start.number + 1) if start else None
    table = table_at(whole, book) if whole else None
    return TableGuard(name, table, whole.number) if whole and table else TableGuard(name, Table(book))
