"""Shoes: loading one, ending one, and new cards after a void round."""

from __future__ import annotations

from punto.cards import Composition
from punto.table.command import Command, Report
from punto.table.event import Event
from punto.table.guards import Decision, by, has_rule, in_phase, is_open, not_held
from punto.table.refusal import Refusal, refuse
from punto.table.registry import decides, evolves
from punto.table.roles import Role
from punto.table.round import Phase
from punto.table.table import Shoe, Table, with_entry
from punto.table.visibility import Public


class LoadShoe(Command, frozen=True):
    """Put a full shoe on the table."""

    shoe: str


class EndShoe(Report, frozen=True):
    """Take the shoe off the table between rounds, because the house so decides."""


class ReplaceCards(Report, frozen=True):
    """Bring new cards after a void round."""


class ShoeLoaded(Event, frozen=True):
    """A full shoe was put on the table."""

    shoe: Public[str]
    decks: Public[int]


class ShoeEnded(Event, frozen=True):
    """The shoe is finished, and why."""

    shoe: Public[str]
    reason: Public[str]


@decides(LoadShoe)
def load_shoe(table: Table, command: LoadShoe) -> Decision:
    refusal = (
        in_phase(table, Phase.IDLE)
        or not_held(table)
        or by(table, command, Role.DEALER)
        or (refuse("shoe-in-use") if table.shoe else None)
        or _new_cards(table, command.shoe)
    )
    return refusal or (ShoeLoaded(command.shoe, table.set_up.decks),)


def _new_cards(table: Table, shoe: str) -> Refusal | None:
    """Refuse a shoe whose cards were replaced, or that was here before they were: new cards are really new."""
    replaced_by = table.labels.get(shoe)
    return refuse("same-cards", replaced_by, shoe=shoe) if replaced_by else None


def no_shoe(table: Table) -> Refusal | None:
    """Refuse without a shoe, and for the rule that had the cards of the last one replaced."""
    # What replaces cards replaces those of all shoes here before, so the last one tells.
    replaced_by = [None, *table.labels.values()][-1]
    return None if table.shoe else refuse("no-shoe", replaced_by)


@decides(EndShoe)
def end_shoe(table: Table, command: EndShoe) -> Decision:
    """Take the shoe off the table: when, is the house's to say (reading R17)."""
    refusal = (
        in_phase(table, Phase.IDLE)
        or not_held(table)
        or by(table, command, table.set_up.confirms)
        or (None if table.shoe else refuse("no-shoe"))
    )
    if refusal:
        return refusal
    assert table.shoe is not None
    return (ShoeEnded(table.shoe.name, "house"),)


@decides(ReplaceCards)
def replace_cards(table: Table, command: ReplaceCards) -> Decision:
    """Bring new cards, after a void round and only then."""
    provision = "cards-replaced"
    refusal = (
        is_open(table)
        or has_rule(table, provision)
        or in_phase(table, Phase.IDLE)
        or by(table, command, table.set_up.confirms, provision=provision)
        or (None if table.last_was_void else refuse("no-void-round", provision))
        or no_shoe(table)
    )
    if refusal:
        return refusal
    assert table.shoe is not None
    return (ShoeEnded(table.shoe.name, provision),)


REPLACED = ("cards-taken-changed", "cards-replaced", "device-moved-altered", "referral")
"""Why a shoe ends whose cards the rules, or a decision, have replaced by new ones."""


@evolves(ShoeLoaded)
def _shoe_loaded(table: Table, event: ShoeLoaded) -> Table:
    full = Composition.of_decks(event.decks)
    history = {number: round_ for number, round_ in table.history.items() if round_.shoe == table.shoes}
    first = min(history, default=table.round_number + 1)
    return table.changed(
        shoe=Shoe(event.shoe, full, len(full)),
        shoes=table.shoes + 1,
        labels=with_entry(table.labels, event.shoe, None),
        marks=(),
        history=history,
        former_settings={last: each for last, each in table.former_settings.items() if last >= first},
    )


@evolves(ShoeEnded)
def _shoe_ended(table: Table, event: ShoeEnded) -> Table:
    """After a replacement no shoe used here before comes back: its cards would not be new."""
    due = event.reason if event.reason in REPLACED else None
    labels = {label: replaced or due for label, replaced in table.labels.items()}
    return table.changed(shoe=None, change_cards=False, new_cards_ordered=False, out=(), labels=labels)
