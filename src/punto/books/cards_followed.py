"""The cards of one round in their places, followed by its events."""

from __future__ import annotations

from collections.abc import Sequence

from punto.cards import Card
from punto.rules.table_of_play import Hand
from punto.table.event import Event
from punto.table.irregularities.correction import CardCorrected
from punto.table.irregularities.device_reset import CardsVoided
from punto.table.irregularities.exposed_in_error import ExposedInError
from punto.table.irregularities.misdealt_cards import CardMisplaced, CardsReconstructed
from punto.table.irregularities.relaid_cards import CardsRelaid
from punto.table.irregularities.withdrawn_report import ReportWithdrawn
from punto.table.play.dealing import CardDrawn, CardExposed

CARD_EVENTS = frozenset(
    kind.__name__
    for kind in (
        CardDrawn,
        CardMisplaced,
        CardExposed,
        CardCorrected,
        ExposedInError,
        CardsRelaid,
        CardsReconstructed,
        CardsVoided,
        ReportWithdrawn,
    )
)
"""The names of all events that move or show a card."""


class CardsFollowed:
    """The cards of one round in their places, by its events."""

    def __init__(self) -> None:
        self._faces: dict[int, Card | None] = {}
        """By their numbers, in the order in which they were dealt."""
        self._hands: dict[Hand, list[int]] = {Hand.PLAYER: [], Hand.BANKER: []}

    def hand(self, hand: Hand) -> tuple[Card | None, ...]:
        """Return the cards of a hand; None is one face down."""
        return tuple(self._faces[number] for number in self._hands[hand])

    def take_in(self, event: Event) -> None:
        match event:
            case CardDrawn() | CardMisplaced():
                self._faces[event.index] = None
                self._hands[event.hand].append(event.index)
            case CardExposed() | CardCorrected():
                self._faces[self._hands[event.hand][event.place]] = event.card
            case ExposedInError(index=int(index), card=card):
                self._faces[index] = card  # in no hand yet
            case CardsRelaid():
                # Cards put aside meanwhile, or in the shoe again, are not among them.
                laid = {*event.player, *event.banker, *event.surplus}
                self._faces = dict(zip([each for each in self._faces if each in laid], event.order, strict=True))
                self._lay(event.player, event.banker)
            case CardsReconstructed():
                self._lay(event.player, event.banker)
            case CardsVoided():
                self._faces = {}
                self._lay((), ())
            case ReportWithdrawn(provision="wrong-delivery"):
                self._take_up()

    def _lay(self, player: Sequence[int], banker: Sequence[int]) -> None:
        self._hands = {Hand.PLAYER: list(player), Hand.BANKER: list(banker)}

    def _take_up(self) -> None:
        """The card dealt last goes back to where it came from."""
        last, _ = self._faces.popitem()
        for numbers in self._hands.values():
            if numbers[-1:] == [last]:
                numbers.pop()
