"""A power failure, at any time: where no wager can be taken back because of it, it is recorded (reading R54)."""

from __future__ import annotations

from punto.rules.standings import Standing
from punto.table.command import Report
from punto.table.event import Irregularity
from punto.table.guards import Decision, by, has_rule, is_open
from punto.table.irregularities.withdrawal import offer, standings
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


_DECIDED = (Standing.WON, Standing.LOST)


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
    established = tuple(name for name, standing in standings(table).items() if standing in _DECIDED)
    if established:
        return (PowerFailed(established, table.book.clause_of("power-failure-decided")),)
    asked_already = any(hold.provision == "power-failure-open" for hold in table.holds)
    return (failed,) if asked_already else (failed, *offer(table, "power-failure-open", whole=True))


@evolves(PowerFailed)
def _power_failed(table: Table, _: PowerFailed) -> Table:
    return table.changed()
