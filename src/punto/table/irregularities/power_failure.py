"""A power failure, at any time: where no wager can be taken back because of it, it is recorded (reading R54)."""

from __future__ import annotations

from punto.table.command import Report
from punto.table.event import Event, Irregularity
from punto.table.guards import Decision, by, has_rule, is_open
from punto.table.hold import Hold
from punto.table.irregularities.withdrawal import WithdrawalEnded, WithdrawalHold, established, offer
from punto.table.registry import decides, evolves
from punto.table.round import AFTER_CLOSING
from punto.table.table import Table
from punto.table.visibility import Public


class ReportPowerFailure(Report, frozen=True):
    """The power failed."""


class PowerFailed(Irregularity, frozen=True):
    """The power failed, with or without a wager of the game already decided."""

    decided: Public[tuple[str, ...]]
    clause: Public[str | None]


_OFFER = "power-failure-open"


@decides(ReportPowerFailure)
def report_power_failure(table: Table, command: ReportPowerFailure) -> Decision:
    """Play on if any wager of the game is decided, placed or not; else patrons may take back all or none.

    The rules name no position, and wagers may go: so it takes the one that confirms for the house.
    """
    provision = "power-failure"
    refusal = (
        is_open(table) or has_rule(table, provision) or by(table, command, table.set_up.confirms, provision=provision)
    )
    if refusal:
        return refusal
    failed = PowerFailed((), table.book.clause_of(provision))
    if table.phase not in AFTER_CLOSING:
        # Nothing is to be concluded between rounds, and while bets are open patrons take back what they like.
        return (failed,)
    if wagers := established(table):
        return (PowerFailed(wagers, table.book.clause_of("power-failure-decided")),)
    return (failed,) if _asked(table) else (*_asked_before(table), failed, *offer(table, _OFFER, whole=True))


def _asked(table: Table) -> bool:
    """Return whether patrons are asked already and none has answered, or they are when something newer is over."""
    offers = [hold for hold in table.holds if hold.provision == _OFFER]
    return bool(offers) and not (table.hold is offers[-1] and _answered(table.hold))


def _answered(hold: Hold) -> bool:
    return isinstance(hold, WithdrawalHold) and hold.pending != {each.patron for each in hold.wagers}


def _asked_before(table: Table) -> tuple[Event, ...]:
    """Return the end of an offer that some have answered: what happened since, they could not know."""
    return (WithdrawalEnded(_OFFER),) if table.hold and table.hold.provision == _OFFER else ()


@evolves(PowerFailed)
def _power_failed(table: Table, _: PowerFailed) -> Table:
    return table.changed()
