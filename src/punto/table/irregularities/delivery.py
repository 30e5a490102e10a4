"""Cards with the wrong patron or in the wrong place, exposed by mistake, or left by a patron who is not there."""

from __future__ import annotations

from punto.rules.table_of_play import INITIAL_DEAL, Hand
from punto.table.commands import (
    Attest,
    ExposeInError,
    PermitSqueeze,
    ReconstructCards,
    ReportAbsent,
    ReportMisplaced,
    ReportWrongNumber,
    ReportWrongPass,
    RetrieveHand,
)
from punto.table.events import CardExposed
from punto.table.guards import Decision, by, has_rule, in_phase, is_open, is_patron, not_held, procedure, real_cards
from punto.table.handling import method_of
from punto.table.irregular import (
    Attested,
    CardMisplaced,
    CardsReconstructed,
    ExposedInError,
    HandlerAbsent,
    HandRetrieved,
    HandWronglyPassed,
    SqueezePermitted,
)
from punto.table.refusals import Refusal, refuse
from punto.table.roles import Role
from punto.table.state import MisplacedHold, Phase, Place, Table
from punto.table.voiding import ask_void

ATTESTED_BY_DEALER = ("method-c-full-view", "method-c-initial-placed", "method-c-placed")
"""Facts of Method C that software cannot see, and that the Dealer confirms."""


def attest(table: Table, command: Attest) -> Decision:
    provision = command.provision
    refusal = (
        is_open(table)
        or (None if provision in ATTESTED_BY_DEALER else refuse("not-attestable"))
        or has_rule(table, provision)
        or in_phase(table, Phase.CLOSED, Phase.DEALING)
        or by(table, command, Role.DEALER, provision=provision)
    )
    return refusal or (Attested(provision, table.book.cited(provision), command.by.id),)


def permit_squeeze(table: Table, command: PermitSqueeze) -> Decision:
    """The Pit Manager lets any patron, or whom he names, squeeze; never under Method B (reading R18)."""
    provision = "squeeze-permission"
    method = method_of(table) if table.setting else None
    refusal = (
        is_open(table)
        or has_rule(table, provision)
        or in_phase(table, Phase.DEALING)
        or not_held(table)
        or (None if method and method.squeezing else refuse("no-handling", "method-b-no-handling"))
        or by(table, command, Role.PIT_MANAGER, provision=provision)
        or _all_face_down(table, command.hand)
    )
    return refusal or (SqueezePermitted(command.hand, command.patron, table.book.cited(provision)),)


def _all_face_down(table: Table, hand: Hand) -> Refusal | None:
    places = table.hands[hand]
    return None if len(places) >= 2 and not any(place.card for place in places) else refuse("no-such-card")


def report_absent(table: Table, command: ReportAbsent) -> Decision:
    provision = "handler-absent"
    refusal = (
        is_open(table)
        or has_rule(table, provision)
        or in_phase(table, Phase.DEALING)
        or by(table, command, Role.DEALER, provision=provision)
        or (None if command.hand in table.handlers else refuse("no-such-card"))
    )
    return refusal or (HandlerAbsent(command.hand, table.handlers[command.hand], table.book.cited(provision)),)


def report_wrong_pass(table: Table, command: ReportWrongPass) -> Decision:
    provision = "wrong-delivery"
    refusal = (
        procedure(table, command, provision, Role.DEALER, Phase.DEALING)
        or is_patron(table, command.patron)
        or _all_face_down(table, command.hand)
    )
    return refusal or (HandWronglyPassed(command.hand, command.patron, table.book.cited(provision)),)


def retrieve_hand(table: Table, command: RetrieveHand) -> Decision:
    """Not yet looked at, the cards go back; once looked at they stay, and play goes on (reading R26)."""
    wrongly = command.hand in table.wrongly_passed
    refusal = (
        is_open(table)
        or has_rule(table, "wrong-delivery")
        or in_phase(table, Phase.DEALING)
        or by(table, command, Role.DEALER, provision="wrong-delivery")
        or (None if wrongly else refuse("no-such-card"))
        or (refuse("looked-at", "not-wrong-delivery") if command.hand in table.looked else None)
    )
    clause = table.book.clause_of("wrong-delivery") or ""
    return refusal or (HandRetrieved(command.hand, table.handlers[command.hand], clause),)


def report_misplaced(table: Table, command: ReportMisplaced) -> Decision:
    """The next card of the initial deal went to the wrong hand: play waits until the cards are reconstructed."""
    provision = "wrong-delivery"
    refusal = (
        is_open(table)
        or has_rule(table, provision)
        or in_phase(table, Phase.CLOSED, Phase.DEALING)
        or (None if isinstance(table.hold, MisplacedHold) else not_held(table))
        or by(table, command, Role.DEALER, provision=provision)
        or (None if table.drawn < len(INITIAL_DEAL) else refuse("no-card-due", why="the initial deal is complete"))
        or (None if len(table.hands[command.hand]) < 3 else refuse("no-such-card"))
        or (None if table.cards_left else refuse("no-card-due", "insufficient-cards", why="the shoe is empty"))
    )
    assert refusal or table.shoe is not None
    return refusal or (CardMisplaced(table.next_index, command.hand, table.book.cited(provision)),)


def reconstruct_cards(table: Table, command: ReconstructCards) -> Decision:
    """Each card goes to the place its number gives it in the dealing order."""
    provision = "wrong-delivery"
    refusal = (
        is_open(table)
        or (None if isinstance(table.hold, MisplacedHold) else refuse("not-held"))
        or by(table, command, Role.DEALER, provision=provision)
    )
    if refusal:
        return refusal
    numbers = sorted(place.index for places in table.hands.values() for place in places)
    hands: dict[Hand, list[int]] = {Hand.PLAYER: [], Hand.BANKER: []}
    for number, hand in zip(numbers, INITIAL_DEAL, strict=False):
        hands[hand].append(number)
    clause = table.book.cited(provision)
    return (CardsReconstructed(tuple(hands[Hand.PLAYER]), tuple(hands[Hand.BANKER]), clause),)


def expose_in_error(table: Table, command: ExposeInError) -> Decision:
    """A card dealt face up or exposed by mistake is exposed; the outcome stands and play goes on."""
    provision = "not-wrong-delivery"
    places: tuple[Place, ...] = table.hands[command.hand]
    there = 0 <= command.place < len(places) and places[command.place].card is None
    refusal = procedure(table, command, provision, Role.DEALER, Phase.DEALING) or (
        None if there else refuse("no-such-card")
    )
    if refusal:
        return refusal
    if table.shoe is None or not table.shoe.unexposed.count(command.card):
        return (ask_void(table, "wrong-cards", f"{command.card} is one more than the shoe holds"),)
    error = ExposedInError(table.book.cited(provision))
    return (error, CardExposed(command.hand, command.place, command.card, None))


def report_wrong_number(table: Table, command: ReportWrongNumber) -> Decision:
    """Fabulous 4: a wrong number of cards that cannot be put right voids the round, until the next one opens."""
    provision = "wrong-number-of-cards"
    between = table.phase is Phase.IDLE and table.round in table.history
    refusal = (
        is_open(table)
        or has_rule(table, provision)
        or (None if between else in_phase(table, Phase.DEALING, Phase.OUTCOME))
        or not_held(table)
        or by(table, command, Role.DEALER, provision=provision)
        or real_cards(table, provision)
    )
    return refusal or (ask_void(table, provision, "a wrong number of cards"),)
