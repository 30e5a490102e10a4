"""Cards, their point values, and compositions: how many of each card a shoe holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from enum import Enum
from typing import NamedTuple, Self

from punto.notebook import Markup, element, table
from punto.notebook import card as drawn


class CardError(ValueError):
    """A card that cannot be read, or that is not there to be taken."""


class Suit(Enum):
    """One of the four suits; the value is its letter in Punto's notation."""

    SPADES = "s"
    HEARTS = "h"
    CLUBS = "c"
    DIAMONDS = "d"

    __hash__ = object.__hash__  # members are singletons, and cards are looked up often

    def __init__(self, letter: str) -> None:
        self.symbol = "♠♥♣♦"["shcd".index(letter)]
        self.is_red = letter in "hd"


class Rank(Enum):
    """One of the thirteen ranks; the value is its letter in Punto's notation."""

    ACE = "A"
    TWO = "2"
    THREE = "3"
    FOUR = "4"
    FIVE = "5"
    SIX = "6"
    SEVEN = "7"
    EIGHT = "8"
    NINE = "9"
    TEN = "T"
    JACK = "J"
    QUEEN = "Q"
    KING = "K"

    __hash__ = object.__hash__

    def __init__(self, letter: str) -> None:
        # An ace counts one, two to nine their face value, tens and face cards nothing.
        self.point_value = "A23456789".find(letter) + 1


class Card(NamedTuple):
    """A card, without the deck it comes from."""

    rank: Rank
    suit: Suit

    @classmethod
    def parse(cls, text: str) -> Card:
        """Return the card that ``4h``, ``Td``, ``10d`` or ``Q♦`` names; case is ignored.

        >>> Card.parse("10d"), Card.parse("q♥").point_value
        (Card('Td'), 0)
        """
        # Some keyboards append a variation selector that asks for a suit's coloured form.
        plain = text.strip().rstrip("\ufe0e\ufe0f")
        card = _BY_TEXT.get(plain.upper()) if plain.isascii() or plain.endswith(_SYMBOLS) else None
        if card is None:
            raise CardError(f"{text!r} is not a card: write a rank A 2-9 T J Q K and a suit s h c d, such as 4h or Td")
        return card

    @property
    def point_value(self) -> int:
        """What the card adds to a hand's total."""
        return self.rank.point_value

    def __str__(self) -> str:
        return self.rank.value + self.suit.value

    def __repr__(self) -> str:
        return f"Card({str(self)!r})"

    def _repr_html_(self) -> Markup:
        rank = "10" if self.rank is Rank.TEN else self.rank.value
        name = f"{self.rank.name} of {self.suit.name}".lower()
        return drawn(rank + self.suit.symbol, name, red=self.suit.is_red)


DECK: tuple[Card, ...] = tuple(Card(rank, suit) for suit in Suit for rank in Rank)
"""The 52 cards in a fixed order: spades, hearts, clubs, diamonds, each from ace to king."""


def _spellings(card: Card) -> Iterator[str]:
    ranks = ("T", "10") if card.rank is Rank.TEN else (card.rank.value,)
    return (rank + suit for rank in ranks for suit in (card.suit.value.upper(), card.suit.symbol))


_SYMBOLS = tuple(suit.symbol for suit in Suit)
_BY_TEXT = {text: card for card in DECK for text in _spellings(card)}


def expect_cards(found: Iterable[object]) -> None:
    """Raise ``CardError`` for anything that is not a card: text has to be parsed first."""
    for each in found:
        if not isinstance(each, Card):
            raise CardError(f"expected cards, found {each!r}: parse_cards reads them from text")


def parse_cards(text: str) -> tuple[Card, ...]:
    """Return the cards in a text, separated by spaces or commas.

    >>> parse_cards("4h Td, 10s")
    (Card('4h'), Card('Td'), Card('Ts'))
    """
    return tuple(Card.parse(word) for word in text.replace(",", " ").split())


class Composition:
    """A multiset of cards: a full shoe, the rest of one, or any pile of cards.

    >>> shoe = Composition.of_decks(8).without(parse_cards("4h 4h Ks"))
    >>> len(shoe), shoe.count(Card.parse("4h"))
    (413, 6)
    """

    __slots__ = ("_counts",)

    def __init__(self, cards: Iterable[Card] = ()) -> None:
        # A counter takes several times as long to copy as a dictionary.
        self._counts = dict(Counter(cards))

    @classmethod
    def of_decks(cls, decks: int) -> Self:
        """Return a full shoe of ``decks`` decks."""
        full = cls()
        full._counts = dict.fromkeys(DECK, decks)
        return full

    def count(self, card: Card) -> int:
        """Return the number of one card."""
        return self._counts.get(card, 0)

    def counts(self) -> dict[Card, int]:
        """Return the number of each card that is present."""
        return dict(self._counts)

    def without(self, cards: Iterable[Card]) -> Self:
        """Return the composition without these cards; raise ``CardError`` if one of them is missing."""
        left = self._counts.copy()
        for card in cards:
            there = left.get(card, 0)
            if not there:
                raise CardError(f"there is no {card} left to take")
            if there == 1:
                del left[card]
            else:
                left[card] = there - 1
        rest = type(self)()
        rest._counts = left
        return rest

    def plus(self, cards: Iterable[Card]) -> Self:
        """Return the composition with these cards put back."""
        more = type(self)()
        more._counts = dict(Counter(self._counts) + Counter(cards))
        return more

    def __len__(self) -> int:
        return sum(self._counts.values())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Composition) and self._counts == other._counts

    def __hash__(self) -> int:
        return hash(frozenset(self._counts.items()))

    def __repr__(self) -> str:
        return f"Composition({len(self)} cards)"

    def _repr_html_(self) -> Markup:
        ranks = [rank.value for rank in Rank]
        rows = [
            [element("span", suit.symbol, role="img", aria_label=suit.name.lower())]
            + [f"{self.count(Card(rank, suit)):,}" for rank in Rank]
            for suit in Suit
        ]
        return table(f"{len(self):,} cards", ["Suit", *ranks], rows, ranks)
