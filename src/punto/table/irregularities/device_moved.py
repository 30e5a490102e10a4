"""Moving the dealing device exposed cards, or altered their order."""

from __future__ import annotations

from punto.cards import Card
from punto.table.command import Report
from punto.table.event import Event, Irregularity
from punto.table.guards import Decision, by, has_rule, in_phase, is_open, not_held, real_cards
from punto.table.irregularities.void import ask_void, cards_seen_in_device, reason
from punto.table.refusal import refuse
from punto.table.registry import decides, evolves
from punto.table.roles import Role
from punto.table.round import IN_ROUND
from punto.table.table import Table
from punto.table.visibility import Public


class ReportDeviceMoved(Report, frozen=True):
    """Moving the dealing device exposed cards, or altered their order beyond repair."""

    altered: bool
    cards: tuple[Card, ...] = ()
    """The cards that were seen, as far as anyone can name them."""


class DeviceMoved(Irregularity, frozen=True):
    """Moving the device exposed cards, which are played as if it had not."""

    clause: Public[str | None]
    cards: tuple[Card, ...] = ()
    """The cards that were seen, as far as anyone could name them."""


_MOVED = reason("device-moved", "the device was moved")


@decides(ReportDeviceMoved)
def report_device_moved(table: Table, command: ReportDeviceMoved) -> Decision:
    """Under Method C play on with exposed cards; ask for a void if the order is altered beyond repair."""
    provision = "device-moved-altered" if command.altered else "device-moved-exposed"
    refusal = (
        is_open(table)
        or has_rule(table, "device-moved")
        or in_phase(table, *IN_ROUND)
        or not_held(table)
        or (
            None
            if table.set_up.method == "C"
            else refuse("method-not-allowed", "device-moved", case="not-in-use", method="C")
        )
        or by(table, command, Role.DEALER, provision=provision)
        or real_cards(table, provision)
    )
    if refusal:
        return refusal
    if command.altered:
        return (ask_void(table, provision, _MOVED),)
    wrong = cards_seen_in_device(table, command.cards)
    return wrong or (DeviceMoved(table.book.clause_of(provision), command.cards),)


@evolves(DeviceMoved)
def _card_seen(table: Table, _: Event) -> Table:
    return table.round_changed(any_seen=True)
