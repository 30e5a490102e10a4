"""Partitions of the 52 cards into classes: what a person who knows a card can tell about it.

A card seen is known by itself; a card squeezed at its edge by its value; the sorted or marked back of a card says no
more than which of two classes it is in.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from punto.cards import DECK, Card, Rank

OTHER = "other"
"""The class of all cards that no group names."""

NAMED: dict[str, Callable[[Card], str]] = {
    "value": lambda card: str(card.point_value),
    "rank": lambda card: card.rank.value,
    "colour": lambda card: "red" if card.suit.is_red else "black",
    "suit": lambda card: card.suit.value,
    "card": str,
}
"""Partitions that have a name: the class of each card."""

_WORD = re.compile(r"(10|[A2-9TJQK])([SHCD♠♥♣♦]?)[\s,]*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CardPartition:
    """The 52 cards in classes. Get one with ``CardPartition.of``."""

    name: str
    classes: tuple[str, ...]
    """The names of the classes; at least one."""
    numbers: tuple[int, ...]
    """The number of each card's class, in the order of ``DECK``."""

    @classmethod
    def of(cls, by: str | Mapping[Card, str] | CardPartition) -> CardPartition:
        """Return a partition by its name, by groups of ranks or cards, or by the class of each card.

        >>> CardPartition.of("6789").classes, CardPartition.of("A2345/TJQK/4h").classes
        (('6789', 'other'), ('A2345', 'TJQK', '4h', 'other'))
        """
        if isinstance(by, CardPartition):
            return by
        if isinstance(by, str):
            if by.strip().casefold() in NAMED:
                name = by.strip().casefold()
                return cls._by(name, {card: NAMED[name](card) for card in DECK})
            return cls._by(by, _by_groups(by))
        if not isinstance(by, Mapping):
            raise TypeError(f"expected a partition by name, by groups such as '6789', or by card, not {by!r}")
        if missing := [str(card) for card in DECK if not isinstance(by.get(card), str)]:
            raise ValueError(f"expected the name of a class for every card of the deck: {missing[0]} has none")
        return cls._by("own", by)

    @classmethod
    def _by(cls, name: str, classes: Mapping[Card, str]) -> CardPartition:
        names = {card: classes[card] for card in sorted(DECK, key=_order)} if name in NAMED else classes
        found = tuple(dict.fromkeys(names.values()))
        return cls(name, found, tuple(found.index(classes[card]) for card in DECK))

    def __len__(self) -> int:
        return len(self.classes)

    def class_of(self, card: Card) -> str:
        """Return the name of a card's class."""
        return self.classes[self.numbers[DECK.index(card)]]


def _order(card: Card) -> tuple[int, int]:
    """Sort cards by point value, ranks of value zero first."""
    return card.point_value, list(Rank).index(card.rank)


def _by_groups(text: str) -> dict[Card, str]:
    """Return the class of each card from groups such as ``6789/TJQK``; a card by itself comes before its rank."""
    ranks: dict[Rank, str] = {}
    cards: dict[Card, str] = {}
    for group in text.split("/"):
        words = list(_words(text, group))
        name = "".join(words)
        for word in words:
            alone = len(word) == 2
            already = Card.parse(word) in cards if alone else Rank(word) in ranks
            if already:
                raise ValueError(f"{text!r}: {word} is in two classes")
            if alone:
                cards[Card.parse(word)] = name
            else:
                ranks[Rank(word)] = name
    # Named groups come first, the rest last.
    named = {card: cards.get(card) or ranks.get(card.rank) for card in DECK}
    order = [*dict.fromkeys([*ranks.values(), *cards.values()])]
    first = sorted((card for card in DECK if named[card]), key=lambda card: order.index(named[card] or ""))
    return {card: named[card] or "" for card in first} | {card: OTHER for card in DECK if not named[card]}


def _words(text: str, group: str) -> Iterator[str]:
    """Yield the ranks and cards of a group, as Punto writes them."""
    rest = group.strip()
    if not rest:
        raise ValueError(f"{text!r}: a class without cards")
    while rest:
        found = _WORD.match(rest)
        if not found:
            known = ", ".join(NAMED)
            raise ValueError(f"{text!r}: expected {known}, or ranks and cards such as 6789 or TJQK/4h, found {rest!r}")
        rank, suit = found.groups()
        yield str(Card.parse(rank + suit)) if suit else rank.upper().replace("10", "T")
        rest = rest[found.end() :]
