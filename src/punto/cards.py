"""Cards, their point values, and compositions: how many of each card a shoe holds."""

from __future__ import annotations

from collections.abc import ItemsView, Iterable, Iterator, KeysView, Mapping, ValuesView
from enum import Enum
from typing import Any, NamedTuple, Self

from punto.data_frames import whole_numbers
from punto.given_values import as_whole
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
        given: object = text
        if not isinstance(given, str):
            raise TypeError(f"expected a card, such as 4h, found {given!r}")
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


def parse_cards(text: str | Iterable[Card | str]) -> tuple[Card, ...]:
    """Return the cards in a text, separated by spaces or commas; or of a series of texts of one card each.

    >>> parse_cards("4h Td, 10s") == parse_cards(["4h", "Td", "10s"])
    True
    """
    if not isinstance(text, str):
        return cards_of(text)
    return tuple(Card.parse(word) for word in text.replace(",", " ").split())


def cards_of(given: object) -> tuple[Card, ...]:
    """Return cards from a text or from a series of cards and texts of one card each; refuse anything else.

    >>> cards_of("4h Td") == cards_of(["4h", Card.parse("Td")])
    True
    >>> cards_of(8)
    Traceback (most recent call last):
    TypeError: expected cards, such as "4h Td", found 8
    """
    if isinstance(given, str):
        return parse_cards(given)
    if isinstance(given, Card) or not isinstance(given, list | tuple | Iterable):
        raise TypeError(f'expected cards, such as "4h Td", found {given!r}')
    return tuple(each if type(each) is Card else card_of(each) for each in given)


def card_of(given: object) -> Card:
    """Return a card from a card or its text; refuse anything else."""
    return given if isinstance(given, Card) else Card.parse(given)  # type: ignore[arg-type]  # refuses what is no text


class Composition:
    """How many of each card there are: a full shoe, the rest of one, or any pile of cards.

    Make one from cards, from a text, or from a mapping of cards to counts. It reads as a mapping of the distinct cards
    to their counts, 0 for a card that is missing, but ``len`` counts all cards, and it never changes.

    >>> shoe = Composition.of_decks(8) - "4h 4h Ks"
    >>> len(shoe), shoe["4h"], "Ks" in shoe
    (413, 6, True)
    >>> dict(Composition("4h 4h Ks"))
    {Card('4h'): 2, Card('Ks'): 1}
    """

    __slots__ = ("_counts",)

    def __init__(self, cards: Cards = ()) -> None:
        self._counts = _counted(cards)

    @classmethod
    def of_decks(cls, decks: int) -> Self:
        """Return a full shoe of ``decks`` decks."""
        number = _whole(decks, "decks")
        return cls._of(dict.fromkeys(DECK, number) if number else {})

    @classmethod
    def from_array(cls, counts: Iterable[int]) -> Self:
        """Return the cards whose 52 counts these are, in the order of ``DECK``: As, 2s ... Ks, Ah ... Kh, Ac ... Kc,
        Ad ... Kd.

        >>> Composition.from_array([2] * 52) == Composition.of_decks(2)
        True
        """
        given: object = counts
        if not isinstance(given, Iterable):
            raise TypeError(f"expected {len(DECK)} counts, one of each card, found {given!r}")
        found = [_whole(count) for count in counts]
        if len(found) != len(DECK):
            raise ValueError(f"expected {len(DECK)} counts, one of each card, found {len(found)}")
        return cls._of({card: count for card, count in zip(DECK, found, strict=True) if count})

    @classmethod
    def _of(cls, counts: dict[Card, int]) -> Self:
        made = object.__new__(cls)
        made._counts = counts
        return made

    def to_array(self) -> Any:
        """Return the counts of the 52 cards as a numpy array, in the order of ``DECK``."""
        return whole_numbers([self._counts.get(card, 0) for card in DECK])

    def count(self, card: Card | str) -> int:
        """Return the number of one card."""
        return self._counts.get(card_of(card), 0)

    def counts(self) -> dict[Card, int]:
        """Return the number of each card that is present."""
        return dict(self._counts)

    def without(self, cards: Cards) -> Self:
        """Return the composition without these cards; raise ``CardError`` if one of them is missing."""
        left = self._counts.copy()  # a counter would take several times as long
        for card, gone in _counted(cards).items():
            there = left.get(card, 0)
            if there < gone:
                raise CardError(f"there is no {card} left to take")
            if there == gone:
                del left[card]
            else:
                left[card] = there - gone
        return self._of(left)

    def plus(self, cards: Cards) -> Self:
        """Return the composition with these cards put back."""
        more = self._counts.copy()
        for card, count in _counted(cards).items():
            more[card] = more.get(card, 0) + count
        return self._of(more)

    def __sub__(self, cards: Cards) -> Self:
        return self.without(cards)

    def __add__(self, cards: Cards) -> Self:
        return self.plus(cards)

    def __getitem__(self, card: Card | str) -> int:
        return self.count(card)

    def __contains__(self, card: object) -> bool:
        return card_of(card) in self._counts

    def __iter__(self) -> Iterator[Card]:
        return iter(self._counts)

    def keys(self) -> KeysView[Card]:
        """Return the distinct cards."""
        return self._counts.keys()

    def values(self) -> ValuesView[int]:
        """Return the count of each distinct card."""
        return self._counts.values()

    def items(self) -> ItemsView[Card, int]:
        """Return the distinct cards with their counts."""
        return self._counts.items()

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


Cards = str | Iterable[Card | str] | Mapping[Card, int] | Mapping[str, int] | Composition
"""Cards as a caller may give them: a text, cards or texts of a card each, or how many there are of each."""


def _counted(given: Cards) -> dict[Card, int]:
    """Return how many of each card are given."""
    if isinstance(given, Composition):
        return given._counts.copy()
    counts: dict[Card, int] = {}
    if not isinstance(given, list | tuple) and isinstance(given, Mapping):  # lists are tried first: they are usual
        for name, number in given.items():
            card, count = card_of(name), _whole(number)
            if count:
                counts[card] = counts.get(card, 0) + count
        return counts
    for card in cards_of(given):
        counts[card] = counts.get(card, 0) + 1
    return counts


def _whole(count: object, of: str = "cards") -> int:
    """Return a count; refuse what is not a whole number of zero or more."""
    found = as_whole(count)
    if found is None:
        raise TypeError(f"expected a whole number of {of}, found {count!r}")
    if found < 0:
        raise ValueError(f"expected a whole number of {of}, found {found}")
    return found
