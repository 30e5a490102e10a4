"""Cards with the wrong patron or in the wrong place, exposed by mistake, or left by a patron who is not there."""

from __future__ import annotations

from punto.cards import Card
from punto.rules.table_of_play import INITIAL_DEAL, Hand, next_card
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
from punto.table.guards import (
    Decision,
    by,
    can_be_a_patron,
    has_rule,
    in_phase,
    is_open,
    is_patron,
    not_held,
    procedure,
    real_cards,
)
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
from punto.table.irregularities.void import ask_void, card_to_expose
from punto.table.play.card_handling import initial_deal_done, method_of
from punto.table.refusal import Refusal, refuse
from punto.table.roles import Role
from punto.table.state import MisplacedHold, Phase, Place, Table

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
        or (None if provision == "method-c-full-view" else _all_exposed(table))
    )
    return refusal or (Attested(provision, table.book.clause_of(provision), command.by.id),)


def _all_exposed(table: Table) -> Refusal | None:
    """Cards are laid in their places once they are exposed."""
    exposed = table.drawn >= len(INITIAL_DEAL) and table.all_exposed
    return None if exposed else refuse("cards-outstanding", "table-of-play")


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
        or can_be_a_patron(command.patron)
        or initial_deal_done(table)
        or (None if any(place.card is None for place in table.hands[command.hand]) else refuse("no-such-card"))
    )
    return refusal or (SqueezePermitted(command.hand, command.patron, table.book.clause_of(provision)),)


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
    return refusal or (HandlerAbsent(command.hand, table.handlers[command.hand], table.book.clause_of(provision)),)


def _with_nobody(table: Table, hand: Hand) -> Refusal | None:
    holder = table.handlers.get(hand)
    return refuse("cards-with-patron", hand=hand.value, patron=holder) if holder else None


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


def retrieve_hand(table: Table, command: RetrieveHand) -> Decision:
    """Not yet looked at, the cards go back; once looked at they stay, and play goes on (reading R26).

    Where patrons do not handle cards they go back in any case: nobody else could turn them.
    """
    wrongly, stays = command.hand in table.wrongly_passed, stays_with_patron(table, command.hand)
    refusal = (
        is_open(table)
        or has_rule(table, "wrong-delivery")
        or in_phase(table, Phase.DEALING)
        or by(table, command, Role.DEALER, provision="wrong-delivery")
        or (None if wrongly else refuse("no-such-card"))
        or (refuse("looked-at", "not-wrong-delivery") if stays else None)
    )
    clause = table.book.clause_of("wrong-delivery") or ""
    return refusal or (HandRetrieved(command.hand, table.handlers[command.hand], clause),)


def stays_with_patron(table: Table, hand: Hand) -> bool:
    """Whether a hand passed to the wrong patron stays with him: he has looked at it, and patrons handle cards here."""
    method = method_of(table) if table.setting else None
    seen = table.looked_at(hand) or any(place.card for place in table.hands[hand])
    return seen and method is not None and method.patrons_handle_cards


def report_misplaced(table: Table, command: ReportMisplaced) -> Decision:
    """The next card went to the wrong hand: play waits until the cards are reconstructed."""
    provision = "wrong-delivery"
    refusal = (
        is_open(table)
        or _reconstructs(table)
        or in_phase(table, Phase.CLOSED, Phase.DEALING)
        or (None if isinstance(table.hold, MisplacedHold) else not_held(table))
        or by(table, command, Role.DEALER, provision=provision)
        or _due_elsewhere(table, command.hand)
        or (None if table.cards_left else refuse("no-card-due", "insufficient-cards", why="the shoe is empty"))
    )
    return refusal or (CardMisplaced(table.next_index, command.hand, table.book.clause_of(provision)),)


def _reconstructs(table: Table) -> Refusal | None:
    """The game has a rule for it, or a rule on what cannot be reconstructed, and so means the rest to be (R22)."""
    return None if table.book.clauses_of("wrong-number-of-cards") else has_rule(table, "wrong-delivery")


def _due_elsewhere(table: Table, hand: Hand) -> Refusal | None:
    """In the initial deal any hand can be the wrong one; a third card's only if the Table of Play says the other."""
    if table.drawn < len(INITIAL_DEAL):
        return None if len(table.hands[hand]) < 3 else refuse("no-such-card")
    due = next_card(table.values(Hand.PLAYER), table.values(Hand.BANKER)) if table.all_exposed else None
    return None if due is hand.other else refuse("no-card-due", "table-of-play", why="none is due to the other hand")


def reconstruct_cards(table: Table, command: ReconstructCards) -> Decision:
    """Each card goes to the place that its turn in the dealing gives it."""
    provision = "wrong-delivery"
    refusal = (
        is_open(table)
        or (None if isinstance(table.hold, MisplacedHold) else refuse("not-held"))
        or by(table, command, Role.DEALER, provision=provision)
    )
    if refusal:
        return refusal
    cards = {place.index: place.card for places in table.hands.values() for place in places}
    hands: dict[Hand, list[int]] = {Hand.PLAYER: [], Hand.BANKER: []}
    values: dict[Hand, list[int]] = {Hand.PLAYER: [], Hand.BANKER: []}
    for number in table.dealt:
        hand = next_card(values[Hand.PLAYER], values[Hand.BANKER])
        assert hand is not None
        hands[hand].append(number)
        # Of a card still face down the value does not matter: nothing has followed from it yet.
        values[hand].append(card.point_value if (card := cards[number]) else 0)
    clause = table.book.clause_of(provision)
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
    card = card_to_expose(table, command)
    if not isinstance(card, Card):
        return card
    error = ExposedInError(table.book.clause_of(provision))
    return (error, CardExposed(command.hand, command.place, card, None))


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
