"""Burning cards of a new shoe before its first round, where the house has it so (reading R17)."""

from __future__ import annotations

from msgspec.structs import replace

from punto.cards import Card
from punto.table.command import Command
from punto.table.event import Event
from punto.table.guards import Decision, by, in_phase, not_held
from punto.table.refusal import Refusal, refuse
from punto.table.registry import decides, evolves
from punto.table.roles import Role
from punto.table.round import Phase
from punto.table.table import Table
from punto.table.visibility import Public


class BurnCards(Command, frozen=True):
    """Burn the first cards of a new shoe: what the first is, if the house exposes it and no device tells it."""

    first: Card | None = None


class CardsBurned(Event, frozen=True):
    """The first cards of a shoe were laid off: which by number, and the first of them if it was exposed."""

    in_packets = True
    indices: Public[tuple[int, ...]]
    first: Public[Card | None]


def burn_due(table: Table) -> bool:
    """Return whether cards of the shoe have to be burnt before bets are opened."""
    return table.set_up.burn is not None and table.shoe is not None and table.shoe.drawn == 0


@decides(BurnCards)
def burn_cards(table: Table, command: BurnCards) -> Decision:
    refusal = (
        in_phase(table, Phase.IDLE)
        or not_held(table)
        or by(table, command, Role.DEALER)
        or (None if table.shoe else refuse("no-shoe"))
        or (None if burn_due(table) else refuse("no-burn"))
        or _first_is_told(table, command)
    )
    if refusal:
        return refusal
    burn, shoe = table.set_up.burn, table.shoe
    assert burn is not None
    assert shoe is not None
    number = burn.number(command.first)
    return (CardsBurned(tuple(range(number)), command.first),)


def _first_is_told(table: Table, command: BurnCards) -> Refusal | None:
    """Refuse if the first card is exposed and not told, or told and not exposed."""
    burn, shoe = table.set_up.burn, table.shoe
    assert burn is not None
    assert shoe is not None
    if not burn.exposes_first:
        return None if command.first is None else refuse("no-such-card")
    if command.first is None:
        return refuse("card-not-told", device=table.set_up.device.value)
    return None if shoe.unexposed.count(command.first) else refuse("not-in-the-shoe", card=command.first)


@evolves(CardsBurned)
def _cards_burned(table: Table, event: CardsBurned) -> Table:
    """Cards burnt face down stay among those that nobody has seen."""
    assert table.shoe is not None
    unexposed = table.shoe.unexposed.without([event.first] if event.first else [])
    return table.changed(shoe=replace(table.shoe, drawn=table.shoe.drawn + len(event.indices), unexposed=unexposed))
