"""A report withdrawn because it was a mistake: play is where it was before, as long as nothing has followed from it.

Each kind of hold says with its subject what the report changed (``@undoes``), so that no false statement is ever needed
to get out of one (reading R50).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import ClassVar

from msgspec.structs import replace

from punto.table.command import Report
from punto.table.event import Irregularity, Opens
from punto.table.guards import Decision, by, is_open
from punto.table.guidance.next_step import NextStep, step
from punto.table.hold import Hold
from punto.table.refusal import Refusal, refuse
from punto.table.registry import HOLD_STEPS, UNDOINGS, decides, evolves
from punto.table.roles import Role
from punto.table.round import Phase
from punto.table.table import Table
from punto.table.visibility import Public


class WithdrawReport(Report, frozen=True):
    """Withdraw the report that play is held for: it was a mistake."""


class ReportWithdrawn(Irregularity, frozen=True):
    """The report that play was held for was a mistake, and everything is as it was before it."""

    opens: ClassVar[Opens | None] = Opens.AGAIN
    provision: Public[str]
    """What play was held for."""
    clause: Public[str | None]
    deadline: Public[int | None] = None
    """When the betting closes, or answers are no longer taken, if it was held meanwhile: patrons have time again."""


@decides(WithdrawReport)
def withdraw_report(table: Table, command: WithdrawReport) -> Decision:
    """Let the position that would confirm or decide it withdraw a report; where there is none, a Pit Supervisor."""
    hold = table.hold
    if hold is None:
        return is_open(table) or refuse("not-held")
    restored = UNDOINGS[type(hold)](table, hold)
    refusal = (
        by(table, command, withdrawn_by(table, hold), provision=hold.provision)
        or (None if command.reason.strip() else refuse("no-reason"))
        or (restored if isinstance(restored, Refusal) else None)
    )
    return refusal or (ReportWithdrawn(hold.provision, table.book.clause_of(hold.provision)),)


def withdrawn_by(table: Table, hold: Hold) -> Role:
    """Return the position that may withdraw a report: of those that decide about it the lowest above the Dealer."""
    steps = HOLD_STEPS[type(hold)](table, hold)
    deciding = {each.role for each in steps if each.must and each.command != "Fill"} - {Role.PATRON, Role.DEALER}
    return next((role for role in Role if role in deciding), Role.PIT_SUPERVISOR)


@evolves(ReportWithdrawn)
def _report_withdrawn(table: Table, event: ReportWithdrawn) -> Table:
    assert table.hold is not None
    restored = UNDOINGS[type(table.hold)](table, table.hold)
    assert not isinstance(restored, Refusal)
    return restored.released(event.deadline)


CardsOut = Callable[[Table], tuple[int, ...]]
_CARDS_OUT: dict[str, CardsOut] = {}


def takes_out(*provisions: str) -> Callable[[CardsOut], CardsOut]:
    """Register which cards left the shoe by a report that play is now held for under these provisions."""

    def register(cards: CardsOut) -> CardsOut:
        _CARDS_OUT.update(dict.fromkeys(provisions, cards))
        return cards

    return register


def cards_put_back(table: Table, provision: str) -> Table | Refusal:
    """Return the table with the cards in the shoe again that a report under a provision took out, if it took any."""
    cards = _CARDS_OUT.get(provision)
    return back_in_the_shoe(table.round_changed(laid_together=()), cards(table)) if cards else table


def back_in_the_shoe(table: Table, cards: tuple[int, ...]) -> Table | Refusal:
    """Return the table with cards that had not left the shoe in it again; refuse if they cannot just go back.

    Where cards were laid again, a card too many was in a hand: the true order is told again instead.
    """
    if not cards:
        return table
    assert table.shoe is not None
    turned = {place.index: place.card for place in table.round.surplus if place.index in cards and place.card}
    untouched = {*cards} <= {*table.out, *table.round.together, *turned}
    if table.round.relaid or not untouched or table.shoe.drawn - min(cards) != len(cards):
        return refuse("already-followed")
    out, together, dealt = (_without(some, cards) for some in (table.out, table.round.together, table.round.dealt))
    surplus = tuple(place for place in table.round.surplus if place.index not in turned)
    phase = Phase.CLOSED if table.phase is Phase.DEALING and not table.round.drawn else table.phase
    round_ = table.round.changed(phase=phase, together=together, dealt=dealt, surplus=surplus)
    shoe = replace(table.shoe, drawn=min(cards), unexposed=table.shoe.unexposed.plus(turned.values()))
    return table.changed(round=round_, out=out, shoe=shoe)


def _without(numbers: tuple[int, ...], gone: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(each for each in numbers if each not in gone)


def too_many(table: Table) -> tuple[int, ...]:
    """Return the cards in question that no hand was due, also one that was turned; not those laid again."""
    turned = () if table.round.relaid else table.round.surplus_in_question
    return (*turned, *table.round.together)


def withdrawal_step(table: Table, hold: Hold) -> Iterator[NextStep]:
    """Yield that the report may be withdrawn, as long as nothing has followed that cannot be undone."""
    if not isinstance(UNDOINGS[type(hold)](table, hold), Refusal):
        role = withdrawn_by(table, hold)
        yield step(table, "WithdrawReport", role, hold.rests_on, must=False, keyed=("reason",))
