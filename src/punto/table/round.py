"""What ends with a round: the cards and wagers on the layout, and who handles them."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from punto.cards import Card
from punto.rules.coup import FirstTwo
from punto.rules.table_of_play import INITIAL_DEAL, Hand, next_card, point_total
from punto.table.event import Returned
from punto.table.money import Cents


class Phase(StrEnum):
    """Where in its day and in its round a table is."""

    SHUT = "shut"
    """Not open for play."""
    IDLE = "idle"
    """Open, between rounds."""
    BETTING = "betting"
    CLOSED = "closed"
    """Bets are closed and no card is drawn."""
    DEALING = "dealing"
    OUTCOME = "outcome"
    """The outcome is announced, and the wagers wait to be settled."""


IN_ROUND = (Phase.BETTING, Phase.CLOSED, Phase.DEALING, Phase.OUTCOME)
AFTER_CLOSING = (Phase.CLOSED, Phase.DEALING, Phase.OUTCOME)


class Place(Struct, frozen=True):
    """A card in its place: its number, and the card itself once it is exposed."""

    index: int
    card: Card | None = None


class Stake(Struct, frozen=True):
    """What lies on one playing area for one patron."""

    amount: Cents
    reached: int
    """A number that tells which of two stakes reached its amount first."""
    found: Cents = 0
    """The part of it that was recorded after bets closed."""
    stood: int | None = None
    """When the part before that was reached; None if there was none."""


class OfferAnswer(Struct, frozen=True):
    """What a patron answered to the last offer of withdrawal in the round, by the record."""

    provision: str
    whole: bool
    offered: Mapping[tuple[int, str], Stake]
    """What the patron could take back, by position and wager."""
    withdrawn: frozenset[tuple[int, str]] = frozenset()
    own: bool = False
    """Whether the patron gave the answer, and not staff."""


Area = tuple[str, int, str]
"""A patron's own place on the layout: the patron's id, the position, the name of the wager."""


class Window(Struct, frozen=True):
    """A time in which patrons may do something: its number, and when it ends if the house has set a time."""

    number: int
    deadline: int | None


class SqueezeTime(Struct, frozen=True):
    """The time that a patron has for the cards of a hand; a third card has a time of its own."""

    hand: Hand
    patron: str
    cards: int
    """How many cards the hand had when the time was set."""
    window: Window


NO_CARDS: Mapping[Hand, tuple[Place, ...]] = {Hand.PLAYER: (), Hand.BANKER: ()}


class Round(Struct, frozen=True):
    """The round in play. When it ends, a new value takes its place and nothing of it is left."""

    phase: Phase = Phase.IDLE
    betting_window: Window | None = None
    """The window in which wagers were last taken."""
    stakes: Mapping[Area, Stake] = field(default_factory=dict)
    hands: Mapping[Hand, tuple[Place, ...]] = field(default_factory=lambda: NO_CARDS)
    dealt: tuple[int, ...] = ()
    """The numbers of the cards, in the order they were dealt."""
    together: tuple[int, ...] = ()
    """The numbers of cards that left the device at once, whose order is not established."""
    laid_together: tuple[int, ...] = ()
    """The numbers of cards on the table that came at once, in the order in which they came as far as told."""
    relaid: bool = False
    """Whether cards were laid again by the order in which they left the shoe."""
    ordered: tuple[int, ...] = ()
    """The cards whose order was established last."""
    cutting_card_first: bool = False
    """Whether the cutting card came out before the first card."""
    first_hand: Hand | None = None
    """The hand that is exposed first, once the Dealer has said so."""
    totals_announced: tuple[int, int] | None = None
    """The point totals of the two-card hands, Player first, as they were last announced."""
    handlers: Mapping[Hand, str] = field(default_factory=dict)
    """The patron who has the cards of a hand."""
    single_cards: Mapping[int, str] = field(default_factory=dict)
    """The person who has a single card to squeeze, by the card's number."""
    wrongly_passed: frozenset[Hand] = frozenset()
    """The hands that are with a patron who should not have them."""
    third_astray: frozenset[Hand] = frozenset()
    """Those of them of which only the third card went to that patron."""
    taken_from: Mapping[Hand, str] = field(default_factory=dict)
    """The patron who had a hand before a card of it went to the wrong patron, or is to have the card taken back."""
    permitted: Mapping[Hand, str] = field(default_factory=dict)
    """The person whom the Pit Manager has let squeeze a hand, also while a card of it is elsewhere."""
    not_passed: frozenset[Hand] = frozenset()
    """The hands that the Dealer began to turn although a patron was entitled to them."""
    handler_absent: frozenset[Hand] = frozenset()
    """The hands that the Dealer turns because the patron who had them is not there."""
    squeezers: Mapping[Hand, str] = field(default_factory=dict)
    """The person a patron has named to squeeze a hand."""
    requests: tuple[Returned, ...] = ()
    """The wagers that patrons asked staff to place and that are not placed yet."""
    declined: frozenset[tuple[Hand, str]] = frozenset()
    """The patrons who declined a hand."""
    looked: frozenset[int] = frozenset()
    """The numbers of the cards that the patron who has them has looked at."""
    any_seen: bool = False
    """Whether anyone has seen a card of the round, even one still in the device."""
    attested: frozenset[str] = frozenset()
    """Facts that a person confirmed, by their provision."""
    surplus: tuple[Place, ...] = ()
    """Exposed cards that the round does not need after all: they lie with its cards and in no hand."""
    left_lying: frozenset[int] = frozenset()
    """The numbers of those that a decision has left lying: a later report is about others."""
    set_aside: frozenset[int] = frozenset()
    """The numbers of the cards set aside when a patron left with cards."""
    unordered: bool = False
    """Whether nobody could tell in which order cards came out that left the device at once."""
    reopened: bool = False
    """Whether betting is open once more, until it is closed again."""
    answers: Mapping[str, OfferAnswer] = field(default_factory=dict)
    """By patron what is on record as their answer to the last offer of withdrawal made to them."""
    asked_to_lower: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By wager the patrons who were last asked to lower it because of the table differential."""
    squeeze_time: SqueezeTime | None = None
    """The time last set for a patron to squeeze; ``squeezing`` tells whether it is under way."""
    squeeze_over: frozenset[Hand] = frozenset()
    """The hands that the Dealer turns because the time of the patron who had them is over."""

    def changed(self, **fields: Any) -> Round:
        """Return the round with some fields replaced."""
        return replace(self, **fields)

    # --- cards -------------------------------------------------------------------------------------------------------

    @property
    def drawn(self) -> int:
        """How many cards the hands have."""
        return len(self.hands[Hand.PLAYER]) + len(self.hands[Hand.BANKER])

    @property
    def initial_deal_done(self) -> bool:
        """Whether each hand has been dealt two cards."""
        return self.drawn >= len(INITIAL_DEAL)

    @property
    def order_open(self) -> bool:
        """Whether cards are out of the shoe whose order nobody has fixed."""
        return self.unordered and len(self.together) > 1

    @property
    def all_exposed(self) -> bool:
        """Whether no card dealt is face down."""
        return all(place.card for places in self.hands.values() for place in places)

    @property
    def any_exposed(self) -> bool:
        """Whether a card dealt is face up."""
        return any(place.card for places in self.hands.values() for place in places)

    @property
    def hand_in_turn(self) -> Hand | None:
        """The hand whose cards are turned now, of two that are turned one after the other."""
        first = self.first_hand
        if first is None:
            return None
        return next((hand for hand in (first, first.other) if any(not each.card for each in self.hands[hand])), None)

    @property
    def next_hand(self) -> Hand | None:
        """The hand that the Table of Play gives the next card by the cards exposed; None when the deal is over."""
        return next_card(self.values(Hand.PLAYER), self.values(Hand.BANKER))

    @property
    def deal_over(self) -> bool:
        """Whether every card due is dealt and exposed."""
        return self.initial_deal_done and self.all_exposed and self.next_hand is None

    @property
    def order_asked(self) -> tuple[int, ...]:
        """The cards that came at once and whose order is in question, outside the device or on the table."""
        return self.laid_together or self.together

    @property
    def left_device(self) -> tuple[int, ...]:
        """The numbers of the cards dealt in the order in which they left the device, by what was told of some."""
        told = iter(self.laid_together)
        return tuple(next(told) if number in self.laid_together else number for number in self.dealt)

    def in_turn(self) -> dict[Hand, tuple[Place, ...]]:
        """Return the cards in the places that their turn in the dealing gives them."""
        lies = {place.index: place for places in self.hands.values() for place in places}
        laid: dict[Hand, tuple[Place, ...]] = dict(NO_CARDS)
        for number in self.left_device:
            # Of a card still face down the value does not matter: nothing has followed from it yet.
            values = {hand: [each.card.point_value if each.card else 0 for each in laid[hand]] for hand in laid}
            hand = next_card(values[Hand.PLAYER], values[Hand.BANKER])
            if hand is None:
                break
            laid[hand] = (*laid[hand], lies[number])
        return laid

    def values(self, hand: Hand) -> list[int]:
        """Return the point values of the exposed cards of a hand."""
        return [place.card.point_value for place in self.hands[hand] if place.card]

    def exposed(self, hand: Hand) -> tuple[Card, ...]:
        """Return the exposed cards of a hand."""
        return tuple(place.card for place in self.hands[hand] if place.card)

    @property
    def initial_totals(self) -> tuple[int, int] | None:
        """The point totals of the two-card hands, Player first; None until all four cards are exposed."""
        if not self.initial_deal_done:
            return None
        player, banker = (self.hands[hand][:2] for hand in Hand)
        values = [[each.card.point_value for each in hand if each.card] for hand in (player, banker)]
        return None if min(map(len, values)) < 2 else (point_total(values[0]), point_total(values[1]))

    def first_two(self, hand: Hand) -> FirstTwo:
        """Return the first two cards of a hand, both exposed."""
        first, second, *_ = (place.card for place in self.hands[hand])
        assert first
        assert second
        return FirstTwo.of(first, second)

    @property
    def surplus_in_question(self) -> tuple[int, ...]:
        """The numbers of the surplus cards of which nothing is decided yet."""
        return tuple(place.index for place in self.surplus if place.index not in self.left_lying)

    def leave_surplus(self) -> Round:
        """Return the round after a decision that leaves its surplus cards where they lie."""
        return self.changed(left_lying=frozenset(place.index for place in self.surplus))

    def number_at(self, hand: Hand, place: int) -> int | None:
        """Return the number of the card in a place; None if there is none."""
        places = self.hands[hand]
        return places[place].index if 0 <= place < len(places) else None

    def is_exposed(self, hand: Hand, place: int) -> bool:
        """Return whether there is a card in a place, face up."""
        places = self.hands[hand]
        return 0 <= place < len(places) and places[place].card is not None

    def handler_of(self, hand: Hand, place: int) -> str | None:
        """Return the patron who has a card: it alone, or the hand it belongs to."""
        number = self.number_at(hand, place)
        single = self.single_cards.get(number) if number is not None else None
        return single or self.handlers.get(hand)

    def holder(self, hand: Hand) -> str | None:
        """Return the patron who has a hand, or else a card of it that is face down."""
        face_down = (each.index for each in self.hands[hand] if each.card is None)
        single = next((self.single_cards[number] for number in face_down if number in self.single_cards), None)
        return self.handlers.get(hand) or single

    def has_cards(self, hand: Hand, patron: str) -> bool:
        """Return whether a patron has a hand, or a card of it."""
        singles = (self.single_cards.get(each.index) for each in self.hands[hand])
        return self.handlers.get(hand) == patron or patron in singles

    def has_face_down(self, hand: Hand, place: int, patron: str) -> bool:
        """Return whether a patron has the card in a place, and it is face down."""
        there = self.number_at(hand, place) is not None and not self.is_exposed(hand, place)
        return there and self.handler_of(hand, place) == patron

    def held_by(self, hand: Hand, patron: str) -> frozenset[int]:
        """Return the numbers of the cards of a hand that a patron has."""
        places = enumerate(self.hands[hand])
        return frozenset(each.index for place, each in places if self.handler_of(hand, place) == patron)

    def looked_at(self, hand: Hand) -> bool:
        """Return whether the patron who has the hand has looked at a card of it that is face down."""
        return any(place.card is None and place.index in self.looked for place in self.hands[hand])

    @property
    def squeezing(self) -> SqueezeTime | None:
        """The time set for cards that its patron still has face down; None if there is none."""
        time = self.squeeze_time
        if time is None or len(self.hands[time.hand]) != time.cards:
            return None
        down = next((place for place, each in enumerate(self.hands[time.hand]) if each.card is None), None)
        return time if down is not None and self.handler_of(time.hand, down) == time.patron else None

    def third_face_down(self, hand: Hand) -> bool:
        """Return whether of a hand the third card alone is face down."""
        return [place.card is None for place in self.hands[hand]] == [False, False, True]

    # --- wagers ------------------------------------------------------------------------------------------------------

    @property
    def layout(self) -> tuple[Returned, ...]:
        """Every wager that lies on the layout."""
        return tuple([Returned(whose, at, wager, stake.amount) for (whose, at, wager), stake in self.stakes.items()])

    def staked_by(self, patron: str) -> int:
        """Return all that a patron has on the layout."""
        return sum(stake.amount for (whose, _, _), stake in self.stakes.items() if whose == patron)

    def totals(self) -> dict[str, int]:
        """Return what lies on each wager, of all patrons together."""
        totals: dict[str, int] = {}
        for (_, _, wager), stake in self.stakes.items():
            totals[wager] = totals.get(wager, 0) + stake.amount
        return totals
