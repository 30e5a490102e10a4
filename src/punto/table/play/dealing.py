"""Drawing and exposing cards, one at a time, and announcing the outcome."""

from __future__ import annotations

from punto.cards import Card
from punto.roads import RoundMark
from punto.rules.coup import OutcomeClass
from punto.rules.table_of_play import INITIAL_DEAL, Hand, next_card, point_total
from punto.table.commands import AnnounceOutcome, DrawCard, ExposeCard, ShowCuttingCard
from punto.table.events import CardDrawn, CardExposed, CuttingCardShown, OutcomeAnnounced
from punto.table.guards import Decision, by, in_phase, not_held
from punto.table.irregularities.void import ask_void, card_to_expose
from punto.table.play.card_handling import may_draw, method_of
from punto.table.refusal import Refusal, refuse
from punto.table.roles import Role
from punto.table.settings import KNOWS_ITS_CARDS
from punto.table.state import CardsTakenHold, Phase, Shoe, Table


def draw_card(table: Table, command: DrawCard) -> Decision:
    refusal = in_phase(table, Phase.CLOSED, Phase.DEALING) or not_held(table) or _draws(table, command)
    if refusal:
        return refusal
    hand = _next_hand(table)
    if isinstance(hand, Refusal):
        return hand
    if table.cards_left == 0:
        return (ask_void(table, "insufficient-cards", "the shoe is empty"),)
    return (CardDrawn(table.next_index, hand, len(table.hands[hand])),)


def _draws(table: Table, command: DrawCard | ShowCuttingCard) -> Refusal | None:
    """The Dealer draws; under Method C the patron with the dealing device does."""
    if table.device is None:
        return by(table, command, Role.DEALER, provision="device-with-dealer")
    if (command.by.role, command.by.id) != (Role.PATRON, table.device):
        return refuse("device-not-held", "method-c-draw", holder=table.device)
    return may_draw(table, table.device) or attested(table, "method-c-full-view")


def attested(table: Table, provision: str) -> Refusal | None:
    """A fact of Method C that a person has to confirm before the procedure goes on."""
    return None if provision in table.attested else refuse("not-attested", provision)


def _next_hand(table: Table) -> Hand | Refusal:
    """Where the next card goes. A third card is drawn only when exposed cards call for it."""
    if table.drawn < len(INITIAL_DEAL):
        return INITIAL_DEAL[table.drawn]
    if not table.all_exposed:
        return refuse("no-card-due", "table-of-play", why="the cards dealt so far are not all exposed")
    hand = next_card(table.values(Hand.PLAYER), table.values(Hand.BANKER))
    if hand and table.set_up.method == "C" and (refusal := attested(table, "method-c-initial-placed")):
        return refusal
    return hand or refuse("no-card-due", "table-of-play", why="the deal is over")


def _shoe(table: Table) -> Shoe:
    assert table.shoe is not None
    return table.shoe


def show_cutting_card(table: Table, command: ShowCuttingCard) -> Decision:
    refusal = (
        in_phase(table, Phase.CLOSED, Phase.DEALING)
        or not_held(table)
        or (_draws(table, command) if command.by.role is Role.PATRON else by(table, command, Role.DEALER))
        or (refuse("no-card-due", why="the cutting card is out already") if _shoe(table).cutting_card_shown else None)
    )
    return refusal or (CuttingCardShown(table.drawn == 0 and not table.out, table.book.clause_of("cutting-card")),)


def expose_card(table: Table, command: ExposeCard) -> Decision:
    refusal = (
        in_phase(table, Phase.DEALING)
        or _not_held_for(table, command.hand)
        or _is_face_down(table, command)
        or (None if table.hold else _in_turn(table, command))
        or _exposes(table, command)
    )
    if refusal:
        return refusal
    card = card_to_expose(table, command)
    if not isinstance(card, Card):
        return card
    patron = command.by.id if command.by.role is Role.PATRON else command.turned_by
    return (CardExposed(command.hand, command.place, card, patron),)


def _not_held_for(table: Table, hand: Hand) -> Refusal | None:
    """While cards that were taken are made out, those of the other hand are turned: they take part in the count."""
    other_taken = isinstance(table.hold, CardsTakenHold) and table.hold.hand is hand.other
    return None if other_taken else not_held(table)


def _is_face_down(table: Table, command: ExposeCard) -> Refusal | None:
    places = table.hands[command.hand]
    there = 0 <= command.place < len(places) and places[command.place].card is None
    return None if there else refuse("no-such-card")


def _in_turn(table: Table, command: ExposeCard) -> Refusal | None:
    """Nothing is exposed before the initial deal is complete; under Method A the Dealer's choice goes first."""
    if table.drawn < len(INITIAL_DEAL):
        return refuse("no-card-due", "initial-deal", why="the initial deal is not complete")
    if table.set_up.method != "A" or command.place >= 2:
        return None
    if table.first_hand is None:
        return refuse("first-hand-not-chosen", "method-a-reveal-order")
    first_done = all(place.card for place in table.hands[table.first_hand])
    if command.hand is table.first_hand or first_done:
        return None
    return refuse("other-hand-first", "method-a-reveal-order", hand=table.first_hand.value)


def _exposes(table: Table, command: ExposeCard) -> Refusal | None:
    """Whoever was passed the hand, and otherwise the Dealer, or under Method C the patron with the dealing device."""
    method, holder = method_of(table), table.handlers.get(command.hand)
    handled = method is not None and method.patrons_handle_cards
    if command.by.role is not Role.PATRON:
        keys_for_him = command.turned_by == holder and handled and table.set_up.device not in KNOWS_ITS_CARDS
        if holder and not keys_for_him:
            return refuse("cards-with-patron", hand=command.hand.value, patron=holder)
        return _said_to_turn(command, holder) or by(table, command, Role.DEALER)
    if command.turned_by:
        return refuse("not-your-cards", hand=command.hand.value)
    if not handled:
        return refuse("no-handling", "method-b-no-handling")
    draws_himself = table.device == command.by.id and holder is None
    return None if holder == command.by.id or draws_himself else refuse("not-your-cards", hand=command.hand.value)


def _said_to_turn(command: ExposeCard, holder: str | None) -> Refusal | None:
    """Nobody is said to have turned a card but the patron who has it."""
    ours = command.turned_by in (None, holder)
    return None if ours else refuse("not-your-cards", hand=command.hand.value)


def announce_outcome(table: Table, command: AnnounceOutcome) -> Decision:
    over = table.drawn >= len(INITIAL_DEAL) and table.all_exposed
    over = over and next_card(table.values(Hand.PLAYER), table.values(Hand.BANKER)) is None
    refusal = (
        in_phase(table, Phase.DEALING)
        or not_held(table)
        or by(table, command, Role.DEALER, provision="round-of-play")
        or (None if over else refuse("cards-outstanding", "table-of-play"))
        or (attested(table, "method-c-placed") if table.set_up.method == "C" else None)
    )
    if refusal:
        return refusal
    outcome = outcome_of(table)
    mark = RoundMark.of(outcome)
    totals = outcome.player_total, outcome.banker_total
    return (OutcomeAnnounced(*totals, outcome.winner.value, mark.player_pair, mark.banker_pair, mark.natural),)


def outcome_of(table: Table) -> OutcomeClass:
    """The outcome class of the cards on the table, all of them exposed."""
    return OutcomeClass(
        player_total=point_total(table.values(Hand.PLAYER)),
        banker_total=point_total(table.values(Hand.BANKER)),
        player_cards=len(table.hands[Hand.PLAYER]),
        banker_cards=len(table.hands[Hand.BANKER]),
        player_first_two=table.first_two(Hand.PLAYER),
        banker_first_two=table.first_two(Hand.BANKER),
    )
