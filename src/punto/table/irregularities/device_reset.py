"""A Dealer's error that requires an electronic dealing device to be reset after bets were closed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from punto.table.command import Report
from punto.table.event import Event, Irregularity, Opens
from punto.table.guards import Decision, by, is_open, procedure
from punto.table.guidance.next_step import NextStep, either
from punto.table.hold import Hold
from punto.table.irregularities.referral import CARDS_STAND, CARDS_VOID, ReferralDecided
from punto.table.irregularities.void import void
from punto.table.irregularities.withdrawal import after_answers, offer
from punto.table.refusal import refuse
from punto.table.registry import decides, evolves, resolves
from punto.table.roles import Role
from punto.table.round import Phase, Window
from punto.table.settings import Device
from punto.table.table import Table
from punto.table.visibility import Public


class ReportReset(Report, frozen=True):
    """The electronic dealing device has to be reset because of a Dealer's error."""


class DecideReset(Report, frozen=True):
    """Decide what becomes of cards already exposed when the device is reset: they stand, or the round is void."""

    void: bool


class DeviceReset(Irregularity, frozen=True):
    """The dealing device has to be reset."""

    cards_seen: Public[bool]
    """Whether any card of the round is exposed, or a patron has looked at it."""
    clause: Public[str | None]


class BetsReopened(Irregularity, frozen=True):
    """Patrons may wager again until the Dealer closes the betting once more."""

    opens: ClassVar[Opens | None] = Opens.BETTING
    clause: Public[str | None]
    deadline: Public[int | None] = None


class ResetHold(Hold, frozen=True):
    """The device has to be reset with cards exposed, about which the Gaming Shift Manager decides."""


_ELECTRONIC = (Device.ELECTRONIC, Device.CARD_READING)


@decides(ReportReset)
def report_reset(table: Table, command: ReportReset) -> Decision:
    """Offer withdrawal at once if no card was seen; else the Gaming Shift Manager decides first (reading R12)."""
    provision = "device-reset"
    refusal = procedure(table, command, provision, Role.DEALER, Phase.CLOSED, Phase.DEALING) or (
        None if table.set_up.device in _ELECTRONIC else refuse("not-electronic", provision)
    )
    if refusal:
        return refusal
    reset = DeviceReset(table.round.any_seen, table.book.clause_of(provision))
    return (reset,) if table.round.any_seen else (reset, *offer(table, provision, whole=False))


@decides(DecideReset)
def decide_reset(table: Table, command: DecideReset) -> Decision:
    if not isinstance(table.hold, ResetHold):
        return is_open(table) or refuse("not-held")
    needed = Role.GAMING_SHIFT_MANAGER
    if refusal := by(table, command, needed, provision="device-reset"):
        return refusal
    clause = table.book.clause_of("device-reset")
    decided = ReferralDecided(CARDS_VOID if command.void else CARDS_STAND, clause, needed)
    if command.void:
        return (decided, *void(table, "device-reset", clause, needed))
    return (decided, *offer(table, "device-reset", whole=False))


@after_answers("device-reset")
def _reopen_bets(table: Table) -> tuple[Event, ...]:
    """Open the betting once more, but not with a card already seen (reading R32)."""
    return () if table.round.any_seen else (BetsReopened(table.book.clause_of("device-reset")),)


@evolves(DeviceReset)
def _device_reset(table: Table, event: DeviceReset) -> Table:
    holds = (*table.holds, ResetHold("device-reset")) if event.cards_seen else table.holds
    return table.changed(holds=holds)


@evolves(BetsReopened)
def _bets_reopened(table: Table, event: BetsReopened) -> Table:
    # Another patron may then have the most on a hand, so no patron has its cards yet.
    return table.round_changed(
        phase=Phase.BETTING,
        betting_window=Window(table.steps, event.deadline),
        handlers={},
        declined=frozenset(),
        wrongly_passed=frozenset(),
        third_astray=frozenset(),
        taken_from={},
    )


@resolves(ResetHold)
def _reset(table: Table, hold: ResetHold) -> Iterator[NextStep]:
    yield from either(table, "DecideReset", Role.GAMING_SHIFT_MANAGER, hold.provision)
