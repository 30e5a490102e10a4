"""A hand passed to the wrong patron, or to no patron."""

from __future__ import annotations

from punto.rules.table_of_play import Hand
from punto.table.command import Report
from punto.table.event import Irregularity
from punto.table.guards import Decision, by, has_rule, in_phase, is_open, is_patron, procedure
from punto.table.play.card_handling import any_face_down, entitled_to, handler_gone, initial_deal_done
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
    instead_of: Public[str | None] = None
    """The patron who had the hand, where the record had it with another."""
    third: Public[bool] = False
    """Whether it was only the third card."""
    turned: Public[bool] = False
    """Whether no card of it was face down any more, so that nothing is left to retrieve."""


class HandNotPassed(Irregularity, frozen=True):
    """The Dealer turned a hand that should have been passed to a patron; the outcome stands."""

    hand: Public[Hand]
    entitled: Public[str]
    """The patron it should have been passed to."""
    clause: Public[str | None]


class HandRetrieved(Irregularity, frozen=True):
    """A hand was taken back from the wrong patron."""

    hand: Public[Hand]
    patron: Public[str]
    clause: Public[str | None]


@decides(ReportWrongPass)
def report_wrong_pass(table: Table, command: ReportWrongPass) -> Decision:
    """Record which patron really has a hand, or had it, whatever the record says.

    Once the wrong patron has turned cards of a first hand under Method A, the outcome stands (reading R26).
    """
    provision, hand = "wrong-delivery", command.hand
    refusal = (
        procedure(table, command, provision, Role.DEALER, Phase.DEALING, Phase.OUTCOME)
        or is_patron(table, command.patron)
        or initial_deal_done(table)
        or _not_astray(table, hand)
    )
    if refusal:
        return refusal
    holder, down = table.round.handlers.get(hand), any_face_down(table, hand)
    instead_of = holder if holder != command.patron else None
    third = table.round.third_face_down(hand)
    stands = not third and table.set_up.method == "A" and any(place.card for place in table.round.hands[hand])
    clause = table.book.clause_of("not-wrong-delivery" if stands else provision)
    return (HandWronglyPassed(hand, command.patron, clause, instead_of, third, not down),)


def _not_astray(table: Table, hand: Hand) -> Refusal | None:
    """Refuse a second report about a hand that is with the wrong patron, unless a third card has come since."""
    third = table.round.third_face_down(hand) and hand not in table.round.third_astray
    astray = hand in table.round.wrongly_passed and not third
    return refuse("cards-with-patron", hand=hand.value, patron=table.round.handlers[hand]) if astray else None


def not_passed(table: Table, hand: Hand) -> HandNotPassed | None:
    """Return that the Dealer, who turns the first cards of a hand, has passed it to no patron, if one was entitled."""
    entitled = entitled_to(table, hand) if table.set_up.method == "A" else None
    round_ = table.round
    left_to_dealer = round_.not_passed | round_.handler_absent | round_.squeeze_over
    if entitled is None or table.hold or hand in left_to_dealer:
        return None
    return HandNotPassed(hand, entitled.patron, table.book.clause_of("not-wrong-delivery"))


@decides(RetrieveHand)
def retrieve_hand(table: Table, command: RetrieveHand) -> Decision:
    """Take the cards back, unless a first hand has been looked at under Method A: then play goes on (reading R26).

    Third cards and cards passed under Method C go back in any case (reading R45), and so they do where patrons do not
    handle cards: only the Dealer could turn them. What is face up stays as it is.
    """
    stays = stays_with_patron(table, command.hand) and not table.round.third_face_down(command.hand)
    wrongly = command.hand in table.round.wrongly_passed and (stays or any_face_down(table, command.hand))
    refusal = (
        is_open(table)
        or has_rule(table, "wrong-delivery")
        or in_phase(table, Phase.DEALING)
        or by(table, command, Role.DEALER, provision="wrong-delivery")
        or (None if wrongly else refuse("no-such-card", "wrong-delivery", case="not-astray"))
        or (refuse("looked-at", "not-wrong-delivery") if stays else None)
    )
    clause = table.book.clause_of("wrong-delivery") or ""
    return refusal or (HandRetrieved(command.hand, table.round.handlers[command.hand], clause),)


def stays_with_patron(table: Table, hand: Hand) -> bool:
    """Return whether a first hand stays with the wrong patron, who has looked at it under Method A."""
    first = hand not in table.round.third_astray
    seen = table.round.looked_at(hand) or any(place.card for place in table.round.hands[hand])
    return first and seen and table.setting is not None and table.setting.method == "A"


@evolves(HandWronglyPassed)
def _hand_wrongly_passed(table: Table, event: HandWronglyPassed) -> Table:
    if event.turned:
        return table.changed()
    handlers = with_entry(table.round.handlers, event.hand, event.patron)
    wrongly, taken_from = table.round.wrongly_passed | {event.hand}, table.round.taken_from
    if event.instead_of and event.hand not in table.round.wrongly_passed:
        taken_from = with_entry(taken_from, event.hand, event.instead_of)
    third = {event.hand} if event.third else set()
    passed = handler_gone(table, event).round_changed(handlers=handlers, wrongly_passed=wrongly, taken_from=taken_from)
    return passed.round_changed(third_astray=passed.round.third_astray | third)


@evolves(HandNotPassed)
def _hand_not_passed(table: Table, event: HandNotPassed) -> Table:
    return table.round_changed(not_passed=table.round.not_passed | {event.hand})


@evolves(HandRetrieved)
def _hand_retrieved(table: Table, event: HandRetrieved) -> Table:
    """Return the table with the cards taken back; a third card then goes to the patron entitled to the hand."""
    retrieved = handler_gone(table, event)
    entitled = entitled_to(retrieved, event.hand) if table.set_up.method == "A" else None
    if entitled is None or not table.round.third_face_down(event.hand):
        return retrieved
    return retrieved.round_changed(taken_from=with_entry(table.round.taken_from, event.hand, entitled.patron))
