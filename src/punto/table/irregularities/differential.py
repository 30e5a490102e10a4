"""The table differential: how far apart the wagers on the two hands lie, and what the house allows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from msgspec.structs import replace

from punto.table.command import Report
from punto.table.event import Event, Irregularity, Returned
from punto.table.guards import Decision, by, is_open
from punto.table.guidance.next_step import NextStep, step
from punto.table.hold import Hold
from punto.table.money import Cents
from punto.table.play.layout import can_come_off, lower, stake_of
from punto.table.refusal import Refusal, refuse
from punto.table.registry import decides, evolves, resolves, sensitive, undoes
from punto.table.roles import Role
from punto.table.round import Phase
from punto.table.settings import SensitiveAct
from punto.table.table import Table, with_entry
from punto.table.visibility import Public


class AskForDecreases(Report, frozen=True):
    """Ask the patrons on the hand with more on it to lower their wagers."""


class RemoveWager(Report, frozen=True):
    """Take a wager, or part of it, off the layout because the table differential is exceeded."""

    patron: str
    position: int
    wager: str
    amount: Cents


class DifferentialExceeded(Irregularity, frozen=True):
    """The wagers on the two hands lie further apart than the house allows."""

    in_packets = False
    higher: Public[str]
    lower: Public[str]
    difference: Public[Cents]
    allowed: Public[Cents]
    clause: Public[str | None]


class DecreasesAsked(Irregularity, frozen=True):
    """The Dealer asked the patrons on the hand with more on it to lower their wagers."""

    in_packets = False
    higher: Public[str]
    patrons: Public[tuple[str, ...]]
    clause: Public[str | None]


class DifferentialMet(Irregularity, frozen=True):
    """They no longer do."""

    in_packets = False
    difference: Public[Cents]


class WagerRemoved(Irregularity, frozen=True):
    """The Pit Manager had a wager, or part of it, taken off the layout."""

    patron: Public[str]
    position: Public[int]
    wager: Public[str]
    amount: Public[Cents]
    total: Public[Cents]
    clause: Public[str | None]


class DifferentialHold(Hold, frozen=True):
    """The table differential is exceeded: the hand with more on it, and the one with less."""

    higher: str
    lower: str
    asked: bool = False
    """Whether the patrons on the higher hand have been asked to lower their wagers."""
    wagers: tuple[Returned, ...] = ()
    """What lay on the layout when it was exceeded."""

    @property
    def wagers_before(self) -> tuple[Returned, ...]:
        return self.wagers


@dataclass(frozen=True, slots=True)
class Differential:
    """What lies on the hand with more and on the one with less, and how far apart they may be."""

    higher: str
    """By the name of the wager on it."""
    lower: str
    on_higher: Cents
    on_lower: Cents
    difference: Cents
    allowed: Cents | None
    """None where the house has set no limit."""
    excess: Cents
    """By how much it is exceeded; 0 if it is not."""


def differential(table: Table, totals: Mapping[str, int] | None = None) -> Differential | None:
    """Return the table differential as the wagers lie, or with other totals; None in games without one (R15)."""
    between = table.book.differential
    if between is None or table.setting is None:
        return None
    totals = table.round.totals() if totals is None else totals
    lower, higher = sorted(between, key=lambda name: totals.get(name, 0))
    on_higher, on_lower = totals.get(higher, 0), totals.get(lower, 0)
    difference, allowed = table.book.table_differential(totals), table.setting.differential
    excess = 0 if allowed is None else max(0, difference - allowed)
    return Differential(higher, lower, on_higher, on_lower, difference, allowed, excess)


def check_differential(table: Table, totals: Mapping[str, int]) -> DifferentialExceeded | None:
    """Return that the differential of these totals is more than the house allows, if it is (reading R15)."""
    found = differential(table, totals)
    if found is None or found.allowed is None or not found.excess:
        return None
    clause = table.book.clause_of("differential-exceeded")
    return DifferentialExceeded(found.higher, found.lower, found.difference, found.allowed, clause)


def and_differential(table: Table, event: Event, wager: str, change: int) -> tuple[Event, ...]:
    """Return an event and, in a hold for the differential, that it is now met or exceeded the other way round."""
    hold = table.hold
    if hold is None or not isinstance(hold, DifferentialHold):
        return (event,)
    totals = table.round.totals()
    totals[wager] = totals.get(wager, 0) + change
    exceeded = check_differential(table, totals)
    if exceeded is None:
        return (event, DifferentialMet(table.book.table_differential(totals)))
    return (event,) if exceeded.higher == hold.higher else (event, exceeded)


def differential_now(table: Table, more: Iterable[Returned], less: Iterable[Returned]) -> tuple[Event, ...]:
    """Return what has become of the differential by wagers put on the layout and taken off it, before a card is out."""
    totals = table.round.totals()
    for sign, wagers in ((1, more), (-1, less)):
        for each in wagers:
            totals[each.wager] = totals.get(each.wager, 0) + sign * each.amount
    exceeded, hold = check_differential(table, totals), table.hold
    if not isinstance(hold, DifferentialHold):
        free = exceeded and not hold and _checked_before_dealing(table)
        return (exceeded,) if exceeded and free else ()
    if exceeded is None:
        return (DifferentialMet(table.book.table_differential(totals)),)
    return () if exceeded.higher == hold.higher else (exceeded,)


def differential_again(table: Table, taken_off: Iterable[Returned] = ()) -> tuple[Event, ...]:
    """Return what has become of the differential once the newest hold is over: of an older hold for it too.

    It is checked again as long as no card of the round is out (reading R68).
    """
    hold = table.holds[-2] if len(table.holds) > 1 else None
    totals = table.round.totals()
    for each in taken_off:
        totals[each.wager] -= each.amount
    exceeded = check_differential(table, totals)
    if not isinstance(hold, DifferentialHold):
        return (exceeded,) if exceeded and _checked_before_dealing(table) else ()
    if exceeded is None:
        return (DifferentialMet(table.book.table_differential(totals)),)
    return () if exceeded.higher == hold.higher else (exceeded,)


def _checked_before_dealing(table: Table) -> bool:
    held = any(isinstance(hold, DifferentialHold) for hold in table.holds)
    return table.phase is Phase.CLOSED and not held


def not_helped(hold: DifferentialHold) -> Refusal:
    return refuse("differential-not-helped", hold.provision, higher=hold.higher, lower=hold.lower)


def _in_excess(table: Table) -> DifferentialHold | None:
    """Return what play is held for, or would be if bets closed now: it may be dealt with before (reading R15)."""
    if isinstance(table.hold, DifferentialHold):
        return table.hold
    found = differential(table) if table.phase is Phase.BETTING and not table.hold else None
    return _hold_for(table, found.higher, found.lower) if found and found.excess else None


def _hold_for(table: Table, higher: str, lower: str) -> DifferentialHold:
    return DifferentialHold("differential-exceeded", higher, lower, _all_asked(table, higher))


def _all_asked(table: Table, higher: str) -> bool:
    """Return whether every patron with a wager on a hand has been asked to lower it."""
    on = set(_patrons_on(table, higher))
    return bool(on) and on <= {*table.round.asked_to_lower.get(higher, ())}


def _patrons_on(table: Table, name: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(patron for patron, _, wager in table.round.stakes if wager == name))


@decides(AskForDecreases)
def ask_for_decreases(table: Table, command: AskForDecreases) -> Decision:
    provision, hold = "differential-decrease", _in_excess(table)
    if hold is None:
        return is_open(table) or refuse("not-held")
    if refusal := by(table, command, Role.DEALER, provision=provision):
        return refusal
    return (DecreasesAsked(hold.higher, _patrons_on(table, hold.higher), table.book.clause_of(provision)),)


def _asked(hold: DifferentialHold) -> Refusal | None:
    """Refuse a removal before the patrons were asked: it is for what they leave."""
    return None if hold.asked else refuse("decreases-not-asked", "differential-decrease")


@decides(RemoveWager)
def remove_wager(table: Table, command: RemoveWager) -> Decision:
    """Let the Pit Manager take wagers off the hand with more, where asking was not enough."""
    hold, total = _in_excess(table), stake_of(table, command) - command.amount
    if hold is None:
        return is_open(table) or refuse("not-held")
    refusal = (
        by(table, command, Role.PIT_MANAGER, provision="differential-removal")
        or (None if command.wager == hold.higher else not_helped(hold))
        or _asked(hold)
        or can_come_off(table, command)
    )
    if refusal:
        return refusal
    area = (command.patron, command.position, command.wager)
    clause = table.book.clause_of("differential-removal")
    removed = WagerRemoved(*area, command.amount, total, clause)
    return and_differential(table, removed, command.wager, -command.amount)


@sensitive(WagerRemoved)
def _removes(_table: Table, _event: WagerRemoved) -> tuple[SensitiveAct, ...]:
    return (SensitiveAct.REMOVAL,)


@evolves(DifferentialExceeded)
def _differential_exceeded(table: Table, event: DifferentialExceeded) -> Table:
    former = table.hold if isinstance(table.hold, DifferentialHold) else None
    wagers = former.wagers if former else table.round.layout
    hold = replace(_hold_for(table, event.higher, event.lower), wagers=wagers)
    return table.changed(holds=(*(table.holds[:-1] if former else table.holds), hold))


@evolves(DecreasesAsked)
def _decreases_asked(table: Table, event: DecreasesAsked) -> Table:
    asked = table.round_changed(asked_to_lower=with_entry(table.round.asked_to_lower, event.higher, event.patrons))
    if not isinstance(table.hold, DifferentialHold):
        return asked
    return asked.changed(holds=(*table.holds[:-1], replace(table.hold, asked=True)))


@evolves(DifferentialMet)
def _differential_met(table: Table, _: DifferentialMet) -> Table:
    return table.changed(holds=table.holds[:-1])


@evolves(WagerRemoved)
def _wager_removed(table: Table, event: WagerRemoved) -> Table:
    return lower(table, event)


@undoes(DifferentialHold)
def _not_reported(_: Table, hold: DifferentialHold) -> Refusal:
    """Refuse: the table computes it, and no person reported it."""
    return refuse("not-reported", hold.provision)


@resolves(DifferentialHold)
def _differential(table: Table, hold: DifferentialHold) -> Iterator[NextStep]:
    keyed, higher = ("patron", "position", "amount"), {"wager": hold.higher}
    on = {wager for _, _, wager in table.round.stakes}
    if not hold.asked:
        yield step(table, "AskForDecreases", Role.DEALER, "differential-decrease")
    yield step(table, "TakeBackWager", Role.DEALER, "differential-decrease", higher, keyed=keyed)
    if hold.asked:
        yield step(table, "RemoveWager", Role.PIT_MANAGER, "differential-removal", higher, keyed=keyed)
    if hold.lower in on:
        lower = {"wager": hold.lower}
        yield step(table, "PlaceWager", Role.DEALER, "differential-increase", lower, keyed=keyed, must=False)


def steps_while_open(table: Table) -> Iterator[NextStep]:
    """Yield what may be done about it while bets are open, if it is exceeded as the wagers lie."""
    hold = _in_excess(table)
    if hold is None:
        return
    if not hold.asked:
        yield step(table, "AskForDecreases", Role.DEALER, "differential-decrease", must=False)
        return
    keyed, higher = ("patron", "position", "amount"), {"wager": hold.higher}
    yield step(table, "RemoveWager", Role.PIT_MANAGER, "differential-removal", higher, keyed=keyed, must=False)
