"""Alerts of the pit, derived from the events of a table by what the house had set when each happened.

An alert is known by its table, its kind and the event that raised it, so that every process finds the same ones. It
stays until an event with a person acknowledges it: the pit has come, or ``AlertAcknowledged`` in the house's stream.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

from punto.odds import odds
from punto.rules.rulebook import Rulebook
from punto.store.house_settings import HouseSettings
from punto.store.records import EventRecord
from punto.table.event import Irregularity
from punto.table.evolve import EVENTS
from punto.table.irregularities.correction import CardCorrected, RoundCorrected
from punto.table.irregularities.differential import WagerRemoved
from punto.table.irregularities.late_wagers import OverlookedWagerSettled
from punto.table.irregularities.void import RoundVoided
from punto.table.play.duty import CallAnswered, DealerSignedOff, DealerSignedOn, PitCalled
from punto.table.play.settlement import RoundSettled
from punto.table.play.table_management import TableClosed, TableOpened
from punto.table.play.wagers import BetsOpened, WagerPlaced, WagerTakenBack
from punto.table.play.wrong_payout import PayoutCorrected
from punto.table.roles import Role

if TYPE_CHECKING:  # numpy is loaded when something is settled, and not when a server starts
    from punto.report.returns.return_bounds import ReturnWatch, WagerTheory

LOOKED_EACH = 10
"""Rounds with a wager between two looks at what the house has won on it."""
REPEATED_WITHIN = 12 * 60 * 60_000
"""Milliseconds in which faults of one Dealer count together."""
_IRREGULAR = {name for name, kind in EVENTS.items() if issubclass(kind, Irregularity)}
_FAULTS = {kind.__name__ for kind in (RoundVoided, RoundCorrected, CardCorrected, PayoutCorrected)}


class AlertKind(StrEnum):
    """What the pit is alerted of."""

    CALL = "call"
    HOLD = "hold"
    DIFFERENTIAL = "differential"
    COUNT = "count"
    REPEATS = "repeats"
    WAGER = "wager"
    WIN = "win"
    DEVIATION = "deviation"
    DEVICE = "device"
    """A device asked for what it may not; the event that raised it is the house's."""


class Alert(Struct, frozen=True):
    """Something the pit has to know of."""

    kind: AlertKind
    number: int
    """Of the event that raised it."""
    at: int
    values: dict[str, str | int]
    """What the text of the kind takes."""


class HoldSpan(Struct):
    """A matter that play is or was held for: the event by which it began, and when it was over."""

    number: int
    at: int
    provision: str
    over: int | None = None


class Fault(Struct, frozen=True):
    """A void or a correction, and the Dealer who was at the table."""

    number: int
    at: int
    dealer: str


@lru_cache(maxsize=32)
def theory_of(book: Rulebook) -> Mapping[str, WagerTheory]:
    """Return what each wager of a game makes in theory, from a full shoe."""
    from punto.report.returns.return_bounds import WagerTheory

    return {each.wager.name: WagerTheory(each) for each in odds(book, book.decks.most).wagers}


class TableWatch:
    """What the log of one table says that the pit has to know of."""

    def __init__(self, book: Rulebook, settings_at: Callable[[int], HouseSettings]) -> None:
        self.number = 0
        self.alerts: list[Alert] = []
        self.answered: dict[int, EventRecord] = {}
        """By the number of a call, the event by which the pit had come."""
        self.holds: list[HoldSpan] = []
        """What play is held for now, the newest last."""
        self.held: list[HoldSpan] = []
        """What play was held for before."""
        self.faults: list[Fault] = []
        self._book, self._settings_at = book, settings_at
        self._calls: list[int] = []
        self._dealer = ""
        self._begin_opening(None)

    def take_in(self, events: Iterable[EventRecord]) -> None:
        """Take in the events that come next."""
        for recorded in events:
            self.number, name = recorded.number, recorded.name
            if name in _IRREGULAR:
                self._follow_holds(recorded)
            if name in _FAULTS:
                self.faults.append(Fault(recorded.number, recorded.at, self._dealer))
            if (take := self._BY_NAME.get(name)) is not None:
                take(self, recorded)
            elif recorded.position == Role.DEALER.value and not self._signed_on:
                self._dealer = recorded.by

    def _raise(self, kind: AlertKind, recorded: EventRecord, **values: str | int) -> None:
        self.alerts.append(Alert(kind, recorded.number, recorded.at, values))

    def _follow_holds(self, recorded: EventRecord) -> None:
        event = recorded.event
        assert isinstance(event, Irregularity)
        held_for = event.circumstances.held_for if event.circumstances else ()
        for provision in held_for[len(self.holds) :]:
            self.holds.append(HoldSpan(recorded.number, recorded.at, provision))
        while len(self.holds) > len(held_for):
            ended = self.holds.pop()
            ended.over = recorded.at
            self.held.append(ended)

    # --- an opening and its rounds ---------------------------------------------------------------------------------

    def _begin_opening(self, allowed: int | None) -> None:
        self._allowed, self._signed_on = allowed, False
        self._returns: dict[str, ReturnWatch] = {}
        """By wager what the house has won on it in this opening."""
        self._far: set[str] = set()
        self._begin_round()

    def _begin_round(self) -> None:
        self._laid: dict[tuple[str, int, str], int] = {}
        self._is_near = False
        self._is_large: set[tuple[str, int, str]] = set()

    def _opened(self, recorded: EventRecord) -> None:
        assert isinstance(recorded.event, TableOpened)
        self._begin_opening(recorded.event.setting.differential)

    def _closed(self, recorded: EventRecord) -> None:
        event, allowed = recorded.event, self._settings_at(recorded.at).alert_variance
        assert isinstance(event, TableClosed)
        if allowed and abs(event.difference) >= allowed:
            self._raise(AlertKind.COUNT, recorded, difference=event.difference, counted=event.counted)
        self._signed_on, self._calls = False, []

    def _bets_opened(self, _: EventRecord) -> None:
        self._begin_round()

    def _wagered(self, recorded: EventRecord) -> None:
        event, settings = recorded.event, self._settings_at(recorded.at)
        assert isinstance(event, WagerPlaced | WagerTakenBack | WagerRemoved)
        area = (event.patron, event.position, event.wager)
        self._laid[area] = event.total
        if isinstance(event, WagerPlaced):
            self._check_wager(recorded, area, event.total, settings.alert_wager)
            self._check_differential(recorded, settings.alert_differential_percent)

    def _check_wager(self, recorded: EventRecord, area: tuple[str, int, str], total: int, large: int) -> None:
        if large and total >= large and area not in self._is_large:
            self._is_large.add(area)
            patron, position, wager = area
            self._raise(AlertKind.WAGER, recorded, patron=patron, position=position, wager=wager, amount=total)

    def _check_differential(self, recorded: EventRecord, percent: int) -> None:
        if self._allowed is None or self._is_near or not percent or self._book.differential is None:
            return
        totals = Counter[str]()
        for (_, _, wager), total in self._laid.items():
            totals[wager] += total
        difference = self._book.table_differential(totals)
        if 100 * difference >= percent * self._allowed:
            self._is_near = True
            self._raise(AlertKind.DIFFERENTIAL, recorded, apart=difference, allowed=self._allowed)

    def _settled(self, recorded: EventRecord) -> None:
        event, settings = recorded.event, self._settings_at(recorded.at)
        assert isinstance(event, RoundSettled)
        won = Counter[str]()
        for each in event.wagers:
            won[each.patron] += each.returned - each.stake
        for patron, amount in won.items():
            if settings.alert_win and amount >= settings.alert_win:
                self._raise(AlertKind.WIN, recorded, patron=patron, amount=amount, round=event.round)
        self._follow_returns(recorded, event, settings.alert_deviations)

    def _follow_returns(self, recorded: EventRecord, event: RoundSettled, deviations: int) -> None:
        """Compare what the house has won on each wager with theory; alert once in an opening of each."""
        staked, won = Counter[str](), Counter[str]()
        for each in event.wagers:
            staked[each.wager] += each.settled
            won[each.wager] += each.stake - each.returned
        for wager, stake in staked.items():
            followed = self._return_of(wager)
            followed.take_in(stake, won[wager])
            if stake and deviations and wager not in self._far and followed.rounds % LOOKED_EACH == 0:
                self._check_deviation(recorded, wager, followed, deviations)

    def _check_deviation(self, recorded: EventRecord, wager: str, followed: ReturnWatch, deviations: int) -> None:
        from punto.report.returns.return_bounds import log_alarm

        alarm = log_alarm(deviations, len(self._book.wagers))
        if followed.is_outside(alarm):
            self._far.add(wager)
            (low, high), expected = followed.bounds(alarm), round(followed.expected)
            figures = {"won": followed.won, "expected": expected, "low": low, "high": high, "rounds": followed.rounds}
            self._raise(AlertKind.DEVIATION, recorded, wager=wager, **figures)

    def _return_of(self, wager: str) -> ReturnWatch:
        from punto.report.returns.return_bounds import ReturnWatch

        if wager not in self._returns:
            self._returns[wager] = ReturnWatch(theory_of(self._book)[wager])
        return self._returns[wager]

    def _corrected(self, recorded: EventRecord) -> None:
        assert isinstance(recorded.event, RoundCorrected | OverlookedWagerSettled)
        for each in recorded.event.corrections:
            self._return_of(each.after.wager).correct(-each.change)

    # --- people ----------------------------------------------------------------------------------------------------

    def _called(self, recorded: EventRecord) -> None:
        assert isinstance(recorded.event, PitCalled)
        self._calls.append(recorded.number)
        self._raise(AlertKind.CALL, recorded, person=recorded.event.called_by, note=recorded.event.note)

    def _came(self, recorded: EventRecord) -> None:
        self.answered |= dict.fromkeys(self._calls, recorded)
        self._calls = []

    def _signed(self, recorded: EventRecord) -> None:
        event = recorded.event
        self._signed_on = isinstance(event, DealerSignedOn)
        if isinstance(event, DealerSignedOn):
            self._dealer = event.dealer

    _BY_NAME: Mapping[str, Callable[[TableWatch, EventRecord], None]] = {
        TableOpened.__name__: _opened,
        TableClosed.__name__: _closed,
        BetsOpened.__name__: _bets_opened,
        WagerPlaced.__name__: _wagered,
        WagerTakenBack.__name__: _wagered,
        WagerRemoved.__name__: _wagered,
        RoundSettled.__name__: _settled,
        RoundCorrected.__name__: _corrected,
        OverlookedWagerSettled.__name__: _corrected,
        PitCalled.__name__: _called,
        CallAnswered.__name__: _came,
        DealerSignedOn.__name__: _signed,
        DealerSignedOff.__name__: _signed,
    }

    def long_holds(self, now: int) -> Iterator[Alert]:
        """Yield an alert for every matter that play was held for too long, or still is."""
        for each in (*self.held, *self.holds):
            seconds = self._settings_at(each.at).alert_hold_seconds
            if seconds and (each.over or now) - each.at >= 1_000 * seconds:
                values: dict[str, str | int] = {"provision": each.provision}
                yield Alert(AlertKind.HOLD, each.number, each.at, values)


def repeated_faults(
    watches: Mapping[str, TableWatch], settings_at: Callable[[int], HouseSettings]
) -> Iterator[tuple[str, Alert]]:
    """Yield an alert, with its table, for each fault by which those of one Dealer became too many, at all tables."""
    faults = sorted(
        ((fault, table) for table, watch in watches.items() for fault in watch.faults),
        key=lambda each: (each[0].at, each[1], each[0].number),
    )
    recent: dict[str, list[int]] = {}
    for fault, table in faults:
        if not fault.dealer:
            continue
        counted = [at for at in recent.get(fault.dealer, ()) if at > fault.at - REPEATED_WITHIN] + [fault.at]
        recent[fault.dealer] = counted
        most = settings_at(fault.at).alert_repeats
        if most and len(counted) >= most:
            values: dict[str, str | int] = {"person": fault.dealer, "count": len(counted)}
            yield table, Alert(AlertKind.REPEATS, fault.number, fault.at, values)


def every_alert(
    watches: Mapping[str, TableWatch], settings_at: Callable[[int], HouseSettings], now: int
) -> Iterator[tuple[str, Alert]]:
    """Yield all alerts that the logs of tables have raised, each with its table."""
    for table, watch in watches.items():
        yield from ((table, each) for each in (*watch.alerts, *watch.long_holds(now)))
    yield from repeated_faults(watches, settings_at)
