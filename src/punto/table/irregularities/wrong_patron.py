"""A hand passed to the wrong patron."""

from __future__ import annotations

from punto.rules.table_of_play import Hand
from punto.table.command import Report
from punto.table.event import Irregularity
from punto.table.guards import Decision, by, has_rule, in_phase, is_open, is_patron, procedure
from punto.table.play.card_handling import handler_gone, initial_deal_done, method_of
from punto.table.refusal import Refusal, refuse
from punto.table.registry import decides, evolves
from punto.table.roles import Role
from punto.table.round import Phase
from punto.table.table import Table, with_entry
from punto.table.visibility import Public


class ReportWrongPass(Report, frozen=True):
    """A hand was passed to the wrong patron."""

    hand: Hand
    patron: str


class RetrieveHand(Report, frozen=True):
    """Take back a hand passed to the wrong patron."""

    hand: Hand


class HandWronglyPassed(Irregularity, frozen=True):
    """A hand went to the wrong patron."""

    hand: Public[Hand]
    patron: Public[str]
    clause: Public[str | None]


class HandRetrieved(Irregularity, frozen=True):
    """A hand was taken back from the wrong patron."""

    hand: Public[Hand]
    patron: Public[str]
    clause: Public[str | None]


@decides(ReportWrongPass)
def report_wrong_pass(table: Table, command: ReportWrongPass) -> Decision:
    provision = "wrong-delivery"
    refusal = (
        procedure(table, command, provision, Role.DEALER, Phase.DEALING)
        or is_patron(table, command.patron)
        or initial_deal_done(table)
        or _with_nobody(table, command.hand)
        or _all_face_down(table, command.hand)
    )
    return refusal or (HandWronglyPassed(command.hand, command.patron, table.book.clause_of(provision)),)


def _with_nobody(table: Table, hand: Hand) -> Refusal | None:
    holder = table.round.handlers.get(hand)
    return refuse("cards-with-patron", hand=hand.value, patron=holder) if holder else None


def _all_face_down(table: Table, hand: Hand) -> Refusal | None:
    places = table.round.hands[hand]
    return None if len(places) >= 2 and not any(place.card for place in places) else refuse("no-such-card")


@decides(RetrieveHand)
def retrieve_hand(table: Table, command: RetrieveHand) -> Decision:
    """Take the cards back unless the patron has looked at them; then play goes on (reading R26).

    Where patrons do not handle cards they go back in any case: only the Dealer could turn them.
    """
    wrongly, stays = command.hand in table.round.wrongly_passed, stays_with_patron(table, command.hand)
    refusal = (
        is_open(table)
        or has_rule(table, "wrong-delivery")
        or in_phase(table, Phase.DEALING)
        or by(table, command, Role.DEALER, provision="wrong-delivery")
        or (None if wrongly else refuse("no-such-card"))
        or (refuse("looked-at", "not-wrong-delivery") if stays else None)
    )
    clause = table.book.clause_of("wrong-delivery") or ""
    return refusal or (HandRetrieved(command.hand, table.round.handlers[command.hand], clause),)


def stays_with_patron(table: Table, hand: Hand) -> bool:
    """Return whether a hand stays with the wrong patron: one who handles cards and has looked at it."""
    method = method_of(table) if table.setting else None
    seen = table.round.looked_at(hand) or any(place.card for place in table.round.hands[hand])
    return seen and method is not None and method.patrons_handle_cards


@evolves(HandWronglyPassed)
def _hand_wrongly_passed(table: Table, event: HandWronglyPassed) -> Table:
    handlers = with_entry(table.round.handlers, event.hand, event.patron)
    wrongly = table.round.wrongly_passed | {event.hand}
    return handler_gone(table, event).round_changed(handlers=handlers, wrongly_passed=wrongly)


@evolves(HandRetrieved)
def _hand_retrieved(table: Table, event: HandRetrieved) -> Table:
    return handler_gone(table, event)
