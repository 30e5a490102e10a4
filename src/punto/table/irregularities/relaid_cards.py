"""Cards laid again by the order in which they left the shoe: dealt in a wrong order, or one of them taken for another.

The Table of Play then decides by the cards exposed: a card it still calls for is due, another is one too many.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from punto.cards import Card
from punto.rules.table_of_play import INITIAL_DEAL, Hand, next_card
from punto.table.command import Report
from punto.table.event import Event, Irregularity
from punto.table.guards import Decision, by, in_phase, is_open, not_held, real_cards
from punto.table.irregularities.correction import CardCorrected, CorrectCard, card_corrected
from punto.table.irregularities.misdealt_cards import MisplacedHold, not_needed, reconstructs
from punto.table.irregularities.referral import Referred, matter
from punto.table.refusal import Refusal, refuse
from punto.table.registry import decides, evolves
from punto.table.roles import Actor, Role
from punto.table.round import Phase, Place, Round
from punto.table.settings import KNOWS_ITS_CARDS
from punto.table.table import Table
from punto.table.visibility import Public


class RelayByOrder(Report, frozen=True):
    """Say in which order the round's cards left the shoe; None is a card still face down."""

    order: tuple[Card | None, ...]


class RelayByHands(Report, frozen=True):
    """Say to which hand each card of the round went, in the order the cards left the shoe."""

    hands: tuple[Hand, ...]


class CardsRelaid(Irregularity, frozen=True):
    """Cards dealt in a wrong order lie where the order in which they left the shoe puts them."""

    order: Public[tuple[Card | None, ...]]
    """The cards as they left the shoe; None is one still face down."""
    player: Public[tuple[int, ...]]
    """The numbers of the Player hand's cards, and of the Banker hand's."""
    banker: Public[tuple[int, ...]]
    surplus: Public[tuple[int, ...]]
    """The numbers of cards that the round does not need after all."""
    dealt_to: Public[tuple[Hand, ...]]
    """The hand each card went to by mistake or not; empty where that was not told."""
    clause: Public[str | None]


class Relaid(Struct, frozen=True):
    """Where cards belong, as places in the order in which they left the shoe."""

    player: tuple[int, ...]
    banker: tuple[int, ...]
    surplus: tuple[int, ...]
    """Cards that the Table of Play does not call for."""


_AFTER_SETTLEMENT = matter("dealt-in-wrong-order", "the cards of a settled round were dealt in a wrong order")


def relaid(order: Sequence[Card | None]) -> Relaid | None:
    """Return where cards that left the shoe in this order belong; None if that hangs on a card face down."""
    hands: dict[Hand, list[int]] = {Hand.PLAYER: [], Hand.BANKER: []}
    values: dict[Hand, list[int]] = {Hand.PLAYER: [], Hand.BANKER: []}
    surplus: list[int] = []
    face_down = False
    for place, card in enumerate(order):
        if face_down and place >= len(INITIAL_DEAL):
            return None
        hand = next_card(values[Hand.PLAYER], values[Hand.BANKER])
        if hand is None:
            surplus.append(place)
            continue
        face_down = face_down or card is None
        hands[hand].append(place)
        values[hand].append(card.point_value if card else 0)
    return Relaid(tuple(hands[Hand.PLAYER]), tuple(hands[Hand.BANKER]), tuple(surplus))


@decides(RelayByOrder)
def relay_by_order(table: Table, command: RelayByOrder) -> Decision:
    if refusal := _can_be_told(table, command):
        return refusal
    if table.phase is Phase.IDLE:
        fits = Counter(table.history[table.round_number].cards) == Counter(command.order)
        return _refer_settled(table) if fits else refuse("order-does-not-fit", "wrong-delivery", case="cards")
    there = tuple(faces_dealt(table.round).values())
    if len(command.order) != len(there):
        return refuse("order-does-not-fit", "wrong-delivery", case="count")
    if Counter(there) != Counter(command.order):
        return refuse("order-does-not-fit", "wrong-delivery", case="cards")
    if table.set_up.device in KNOWS_ITS_CARDS and command.order != there:
        return refuse("order-does-not-fit", "wrong-delivery", case="device")
    return _relay(table, command.order, ())


@decides(RelayByHands)
def relay_by_hands(table: Table, command: RelayByHands) -> Decision:
    """Take each exposed card to have been keyed by the place where it lay; a device that reads cards knows better."""
    if refusal := _can_be_told(table, command):
        return refusal
    settled = table.phase is Phase.IDLE
    count = len(table.history[table.round_number].cards) if settled else len(table.round.dealt)
    if len(command.hands) != count:
        return refuse("order-does-not-fit", "wrong-delivery", case="count")
    if settled:
        return _refer_settled(table)
    known = table.set_up.device in KNOWS_ITS_CARDS
    order = tuple(faces_dealt(table.round).values()) if known else _order_by_places(table.round, command.hands)
    return (
        refuse("order-does-not-fit", "wrong-delivery", case="ambiguous")
        if order is None
        else _relay(table, order, command.hands)
    )


def _can_be_told(table: Table, command: RelayByOrder | RelayByHands) -> Refusal | None:
    settled = table.phase is Phase.IDLE and table.round_number in table.history
    return (
        is_open(table)
        or reconstructs(table)
        or (None if settled else in_phase(table, Phase.DEALING, Phase.OUTCOME))
        or (None if isinstance(table.hold, MisplacedHold) else not_held(table))
        or by(table, command, Role.DEALER, provision="wrong-delivery")
        or real_cards(table, "wrong-delivery")
    )


def _refer_settled(table: Table) -> tuple[Event, ...]:
    """Refer a wrong order that comes to light after settlement: no rule says what becomes of what was paid."""
    clause = table.book.clause_of("referral")
    return (Referred("", clause, case=_AFTER_SETTLEMENT, about_round=table.round_number),)


def faces_dealt(round_: Round) -> dict[int, Card | None]:
    """Return the round's cards by number, in the order they were dealt by the record."""
    places = (*round_.hands[Hand.PLAYER], *round_.hands[Hand.BANKER], *round_.surplus)
    cards = {place.index: place.card for place in places}
    return {number: cards[number] for number in round_.dealt}


def _order_by_places(round_: Round, hands: tuple[Hand, ...]) -> tuple[Card | None, ...] | None:
    """Return the cards in the order told by hands; None if it does not tell which exposed card is which."""
    left = {hand: list(round_.hands[hand]) for hand in Hand}
    found = [left[hand].pop(0) if left[hand] else None for hand in hands]
    others = [*left[Hand.PLAYER], *left[Hand.BANKER], *round_.surplus]
    if len(others) > 1 and any(place.card for place in others):
        return None
    return tuple((place or others.pop(0)).card for place in found)


def _relay(table: Table, order: tuple[Card | None, ...], dealt_to: tuple[Hand, ...]) -> Decision:
    right = relaid(order)
    if right is None:
        return refuse("order-does-not-fit", "wrong-delivery", case="face-down")
    owner = dict.fromkeys(right.player, Hand.PLAYER) | dict.fromkeys(right.banker, Hand.BANKER)
    if dealt_to == tuple(owner.get(place) for place in range(len(order))):
        return refuse("order-does-not-fit", "wrong-delivery", case="in-order")
    return _lay(table, CardsRelaid(order, *_numbers(table, right), dealt_to, table.book.clause_of("wrong-delivery")))


def laid_by(table: Table, order: tuple[Card | None, ...], clause: str | None) -> tuple[Event, ...]:
    """Return that cards are laid again by an order that tells where each belongs, and what follows one too many."""
    right = relaid(order)
    assert right is not None
    return _lay(table, CardsRelaid(order, *_numbers(table, right), (), clause))


def _numbers(table: Table, right: Relaid) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """Return the numbers of the cards of the Player hand, of the Banker hand, and of those too many."""
    dealt = table.round.dealt
    player, banker, surplus = (tuple(dealt[at] for at in each) for each in (right.player, right.banker, right.surplus))
    return player, banker, surplus


def _lay(table: Table, event: CardsRelaid) -> tuple[Event, ...]:
    """Return that the cards are laid again, and what follows one too many."""
    faces = dict(zip(table.round.dealt, event.order, strict=True))
    # Cards that came out with others still to be dealt go back to those (reading R33).
    goes_back = table.out and all(faces[number] is None for number in event.surplus)
    return (event, not_needed(table)) if event.surplus and not goes_back else (event,)


@decides(CorrectCard)
def correct_card(table: Table, command: CorrectCard) -> Decision:
    """Correct a card keyed wrongly before settlement; what the Table of Play then gives counts."""
    refusal = (
        in_phase(table, Phase.DEALING, Phase.OUTCOME)
        or (None if table.hold and table.hold.permits_correcting else not_held(table))
        or real_cards(table, None)
        or by(table, command, table.set_up.confirms)
    )
    return refusal or corrected_card(table, command, command.card)


class _OfAPlace(Protocol):
    """A command about one card on the table."""

    @property
    def by(self) -> Actor: ...
    @property
    def hand(self) -> Hand: ...
    @property
    def place(self) -> int: ...


def corrected_card(table: Table, command: _OfAPlace, card: Card, clause: str | None = None) -> Decision:
    """Return that an exposed card is another one, if the shoe can hold it, and that the cards lie where they belong."""
    places = table.round.hands[command.hand]
    before = places[command.place].card if 0 <= command.place < len(places) else None
    if before is None or table.shoe is None:
        return refuse("no-such-card")
    if places[command.place].index in table.round.set_aside:
        # It was known before it was exposed.
        return refuse("not-set-aside", "cards-taken-completion")
    if not table.shoe.unexposed.plus([before]).count(card):
        return refuse("not-in-the-shoe", card=card)
    corrected = CardCorrected(command.hand, command.place, before, card, command.by.id, clause)
    follows = _third_cards_again(table, card_corrected(table, corrected), clause)
    return follows if isinstance(follows, Refusal) else (corrected, *follows)


def _third_cards_again(table: Table, after: Table, clause: str | None) -> Decision:
    """Return that the cards are laid again, if by the card corrected the Table of Play gives other third cards."""
    round_ = after.round
    if len(round_.dealt) <= len(INITIAL_DEAL):
        return ()
    order = tuple(faces_dealt(round_).values())
    right = relaid(order)
    movable = not (round_.together or round_.laid_together) and all(hold.permits_relaying for hold in table.holds)
    if right is None:
        return refuse("cards-do-not-fit", "table-of-play")
    numbers = _numbers(after, right)
    lie = (*round_.hands.values(), round_.surplus)
    if numbers == tuple(tuple(place.index for place in places) for places in lie):
        return ()
    if not movable:
        return refuse("cards-do-not-fit", "table-of-play")
    return _lay(after, CardsRelaid(order, *numbers, (), clause or table.book.clause_of("table-of-play")))


@evolves(CardsRelaid)
def _cards_relaid(table: Table, event: CardsRelaid) -> Table:
    faces = dict(zip(table.round.dealt, event.order, strict=True))
    hands = {
        Hand.PLAYER: tuple(Place(number, faces[number]) for number in event.player),
        Hand.BANKER: tuple(Place(number, faces[number]) for number in event.banker),
    }
    unseen = tuple(number for number in event.surplus if faces[number] is None)
    turned = {hand for hand, places in hands.items() if all(place.card for place in places)}
    # Where a card only leaves a hand, none has to be placed on the layout again.
    placed = all({*hands[hand]} <= {*places} for hand, places in table.round.hands.items())
    round_ = table.round.changed(
        phase=Phase.DEALING,
        hands=hands,
        dealt=tuple(number for number in table.round.dealt if number not in unseen),
        surplus=tuple(Place(number, faces[number]) for number in event.surplus if number not in unseen),
        left_lying=frozenset(),
        together=() if table.out else unseen,
        relaid=True,
        # Cards face down are taken back to be laid where they belong, and passed again.
        handlers={hand: patron for hand, patron in table.round.handlers.items() if hand in turned},
        wrongly_passed=table.round.wrongly_passed & turned,
        third_astray=table.round.third_astray & turned,
        taken_from={},
        looked=frozenset(),
        attested=table.round.attested if placed else table.round.attested - {"method-c-placed"},
    )
    return table.changed(
        round=round_,
        out=(*unseen, *table.out) if table.out else (),
        # An outcome called by cards in the wrong places is called again, and its mark taken off the roads.
        marks=table.marks[:-1] if table.phase is Phase.OUTCOME else table.marks,
        holds=table.holds[:-1] if isinstance(table.hold, MisplacedHold) else table.holds,
    )
