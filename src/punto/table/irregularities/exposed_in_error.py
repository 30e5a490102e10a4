"""A card dealt face up, or exposed, by mistake."""

from __future__ import annotations

from msgspec.structs import replace

from punto.cards import Card
from punto.rules.table_of_play import Hand
from punto.table.command import Report
from punto.table.event import Irregularity
from punto.table.guards import Decision, by, has_rule, in_phase, is_open, not_held
from punto.table.irregularities.misdealt_cards import MisplacedHold
from punto.table.irregularities.referral import ReferralHold
from punto.table.irregularities.void import VoidHold, card_to_expose
from punto.table.play.dealing import CardExposed
from punto.table.refusal import refuse
from punto.table.registry import decides, evolves
from punto.table.roles import Role
from punto.table.round import Phase, Place
from punto.table.table import Table
from punto.table.visibility import Public


class ExposeInError(Report, frozen=True):
    """A card was dealt face up, or exposed, by mistake."""

    hand: Hand
    place: int
    card: Card | None = None
    told: Card | None = None
    """What it is known to be by the house, for a card set aside; the server fills it in, whatever a client says."""


class ExposedInError(Irregularity, frozen=True):
    """A card was exposed by mistake; the outcome stands."""

    clause: Public[str | None]
    index: Public[int | None] = None
    """The number of a card that the round does not need and that lies in no hand, and which it is."""
    card: Public[Card | None] = None


@decides(ExposeInError)
def expose_in_error(table: Table, command: ExposeInError) -> Decision:
    """Expose a card dealt face up or exposed by mistake; the outcome stands and play goes on.

    One that lies with the wrong hand may be face up too, and keeps its face when the cards are put right.
    """
    if command.place >= 2 and one_too_many(table):
        return _expose_too_many(table, command)
    provision = "not-wrong-delivery"
    places: tuple[Place, ...] = table.round.hands[command.hand]
    there = 0 <= command.place < len(places) and places[command.place].card is None
    refusal = (
        is_open(table)
        or has_rule(table, provision)
        or in_phase(table, Phase.DEALING)
        or (None if isinstance(table.hold, MisplacedHold) else not_held(table))
        or by(table, command, Role.DEALER, provision=provision)
        or (None if there else refuse("no-such-card"))
    )
    if refusal:
        return refusal
    card = card_to_expose(table, command.card, command.told)
    if not isinstance(card, Card):
        return card
    error = ExposedInError(table.book.clause_of(provision))
    return (error, CardExposed(command.hand, command.place, card, None))


def one_too_many(table: Table) -> bool:
    """Return whether a card is out that no hand was due: it is asked what becomes of it, and the deal is over."""
    asked = isinstance(table.hold, ReferralHold | VoidHold) and bool(table.round.together)
    return asked and table.round.deal_over and not table.round.order_open


def _expose_too_many(table: Table, command: ExposeInError) -> Decision:
    """Record which card it is: once seen it opens no other round, but lies with the cards of this one (R46)."""
    provision = "not-wrong-delivery"
    if refusal := by(table, command, Role.DEALER, provision=provision):
        return refusal
    card = card_to_expose(table, command.card)
    if not isinstance(card, Card):
        return card
    return (ExposedInError(table.book.clause_of(provision), table.round.together[0], card),)


@evolves(ExposedInError)
def _exposed_in_error(table: Table, event: ExposedInError) -> Table:
    if event.index is None or event.card is None:
        return table.changed()
    assert table.shoe is not None
    round_ = table.round.changed(
        together=table.round.together[1:],
        dealt=(*table.round.dealt, event.index),
        surplus=(*table.round.surplus, Place(event.index, event.card)),
    )
    shoe = replace(table.shoe, unexposed=table.shoe.unexposed.without([event.card]))
    return table.changed(round=round_, shoe=shoe)
