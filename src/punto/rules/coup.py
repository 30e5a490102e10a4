"""A coup: the cards of one round of play, and the outcome class they make."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from punto.cards import Card, Rank, Suit, cards_of
from punto.notebook import Markup, element, table
from punto.rules.table_of_play import INITIAL_DEAL, Hand, next_card, point_total


class Unlawful(ValueError):
    """Raised for what the rules do not allow; carries the provision that forbids it, for which a game file has the
    clause.
    """

    def __init__(self, sentence: str, provision: str | None = None) -> None:
        super().__init__(sentence)
        self.provision = provision


class Winner(StrEnum):
    """The hand that won the round, or a tie."""

    PLAYER = "player"
    BANKER = "banker"
    TIE = "tie"


@dataclass(frozen=True, slots=True)
class FirstTwo:
    """What a wager may ask about the first two cards of a hand."""

    pair: Rank | None = None
    """The rank of both cards; None if they are not a pair."""
    suit: Suit | None = None
    """The suit of both cards; None if the suits differ."""

    @classmethod
    def of(cls, first: Card, second: Card) -> FirstTwo:
        """Return what two cards have in common."""
        return cls(
            pair=first.rank if first.rank is second.rank else None,
            suit=first.suit if first.suit is second.suit else None,
        )


@dataclass(frozen=True, slots=True)
class OutcomeClass:
    """Everything that any wager of any game may depend on. Coups of one class settle alike."""

    player_total: int
    banker_total: int
    player_cards: int
    banker_cards: int
    player_first_two: FirstTwo = FirstTwo()
    banker_first_two: FirstTwo = FirstTwo()
    player: tuple[Card, ...] = ()
    """Player's cards, or an example of them, for conditions on the cards themselves."""
    banker: tuple[Card, ...] = ()

    @property
    def winner(self) -> Winner:
        """The hand with the larger total, or a tie."""
        if self.player_total > self.banker_total:
            return Winner.PLAYER
        return Winner.BANKER if self.banker_total > self.player_total else Winner.TIE


@dataclass(frozen=True, slots=True)
class Coup:
    """Both hands of a finished round, dealt as the Table of Play requires. Make one with ``Coup.deal``."""

    player: tuple[Card, ...]
    banker: tuple[Card, ...]

    def __post_init__(self) -> None:
        if not all(type(hand) is tuple and all(type(card) is Card for card in hand) for hand in self._hands):
            raise TypeError("expected two hands of cards: Coup.deal makes a coup from a text or from cards")
        if _dealt(self.in_dealing_order()) != (self.player, self.banker):
            raise Unlawful("the Table of Play does not deal these hands", "table-of-play")

    @classmethod
    def deal(cls, cards: Iterable[Card | str] | str) -> Coup:
        """Return the coup that these cards make in dealing order; raise ``Unlawful`` for a card too few or too many.

        >>> coup = Coup.deal("2s Ah 3d Ad Ks 4c")
        >>> coup.player, coup.banker_total, coup.winner.value
        ((Card('2s'), Card('3d'), Card('Ks')), 6, 'banker')
        >>> Coup.deal("2s 3h 3d 3d")
        Traceback (most recent call last):
        punto.rules.coup.Unlawful: too few cards: Player has 5 on 2 cards, Banker 6 on 2, and Player draws
        """
        player, banker = _dealt(cards_of(cards))
        coup = object.__new__(cls)  # by the constructor these hands would be dealt and checked once more
        object.__setattr__(coup, "player", player)
        object.__setattr__(coup, "banker", banker)
        return coup

    @property
    def _hands(self) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
        return self.player, self.banker

    def in_dealing_order(self) -> tuple[Card, ...]:
        """Return the cards in the order they left the shoe."""
        initial = (card for pair in zip(self.player[:2], self.banker[:2], strict=False) for card in pair)
        return (*initial, *self.player[2:], *self.banker[2:])

    @property
    def player_total(self) -> int:
        """The point total of Player's hand."""
        return hand_total(self.player)

    @property
    def banker_total(self) -> int:
        """The point total of Banker's hand."""
        return hand_total(self.banker)

    @property
    def winner(self) -> Winner:
        """The hand that won, or a tie."""
        return self.outcome_class.winner

    @property
    def outcome_class(self) -> OutcomeClass:
        """Everything that a wager may depend on."""
        return OutcomeClass(
            player_total=self.player_total,
            banker_total=self.banker_total,
            player_cards=len(self.player),
            banker_cards=len(self.banker),
            player_first_two=FirstTwo.of(*self.player[:2]),
            banker_first_two=FirstTwo.of(*self.banker[:2]),
            player=self.player,
            banker=self.banker,
        )

    def _repr_html_(self) -> Markup:
        hands = (("Player", self.player), ("Banker", self.banker))
        rows = [
            [name, element("span", *(card._repr_html_() for card in cards)), str(hand_total(cards))]
            for name, cards in hands
        ]
        won = "Tie" if self.winner is Winner.TIE else f"{self.winner.capitalize()} wins"
        return table(won, ("Hand", "Cards", "Total"), rows, figures=("Total",))


def hand_total(cards: Sequence[Card]) -> int:
    """Return the point total of a hand of cards."""
    return point_total([card.point_value for card in cards])


def exposed_total(cards: Sequence[Card | None]) -> int | None:
    """Return the point total of a hand; None while it is empty or has a card face down."""
    exposed = [card for card in cards if card]
    return hand_total(exposed) if exposed and len(exposed) == len(cards) else None


def _dealt(cards: Sequence[Card]) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Deal the cards into the two hands; raise ``Unlawful`` for a card too few or too many."""
    hands: dict[Hand, list[Card]] = {Hand.PLAYER: [], Hand.BANKER: []}
    values: dict[Hand, list[int]] = {Hand.PLAYER: [], Hand.BANKER: []}
    player, banker = values.values()
    for card in cards:
        hand = next_card(player, banker)
        if hand is None:
            sentence = f"{card} is one card too many: {_standing(player, banker)}, and the deal is over"
            raise Unlawful(sentence, "table-of-play")
        hands[hand].append(card)
        values[hand].append(card.point_value)
    if len(cards) < len(INITIAL_DEAL):
        raise Unlawful(f"too few cards: the initial deal takes {len(INITIAL_DEAL)}, not {len(cards)}", "initial-deal")
    if hand := next_card(player, banker):
        raise Unlawful(f"too few cards: {_standing(player, banker)}, and {hand.capitalize()} draws", "table-of-play")
    return tuple(hands[Hand.PLAYER]), tuple(hands[Hand.BANKER])


def _standing(player: Sequence[int], banker: Sequence[int]) -> str:
    return f"Player has {point_total(player)} on {len(player)} cards, Banker {point_total(banker)} on {len(banker)}"
