"""A shoe that returns cards by position on request, and otherwise shows nothing."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from hashlib import sha256

from punto.cards import DECK, Card
from punto.shoe.cut import Cut
from punto.shoe.encoding import Format, ShoeError, check_decks, pack
from punto.shoe.seal import check_secret
from punto.shoe.secret import Hidden, Secret
from punto.shoe.shuffle import shuffle, words, words_of

PRACTICE = "punto-practice-1"


class ShoeKind(StrEnum):
    """Whether a shoe is for play or for practice. Practice orders follow from a seed that may be public."""

    SEALED = "sealed"
    PRACTICE = "practice"


class HiddenShoe(Hidden):
    """Cards in a fixed, hidden order. Position 0 is the first card out of the shoe."""

    __slots__ = ("_cards", "_kind", "_name")

    def __init__(self, kind: ShoeKind, name: str, cards: tuple[Card, ...]) -> None:
        self._kind, self._name, self._cards = kind, name, cards

    @property
    def kind(self) -> ShoeKind:
        """Sealed, or for practice."""
        return self._kind

    @property
    def name(self) -> str:
        """The name of the shoe."""
        return self._name

    def __len__(self) -> int:
        """Return the number of cards in the full shoe."""
        return len(self._cards)

    def card_at(self, position: int) -> Card:
        """Return the card at a position; to be called only when the card is exposed."""
        if type(position) is not int or not 0 <= position < len(self):
            raise ShoeError(f"{self!r} has positions 0 to {len(self) - 1}, not {position!r}")
        return self._cards[position]

    def __repr__(self) -> str:
        return f"<{self._kind} shoe {self._name!r}, {len(self)} cards>"


def sealed_shoe(secret: Secret, cut: Cut) -> HiddenShoe:
    """Return the shoe that the secret and a complete cut make.

    Raise ``ShoeError`` for a secret that was not sealed, and ``OutOfWords`` for a shoe that has no order.
    """
    if not cut.complete:
        waiting = f"waiting for {', '.join(cut.missing)}" if cut.list_closed else "the list is still open"
        raise ShoeError(f"shoe {cut.seal.shoe!r} cannot be opened: the cut is not complete, {waiting}")
    check_secret(secret, cut.seal)
    sealed = cut.seal
    cards = cards_in_order(sealed.version, secret.disclose(), cut.value, sealed.decks)
    return HiddenShoe(ShoeKind.SEALED, sealed.shoe, cards)


def cards_in_order(version: Format, secret: bytes, cut: bytes, decks: int) -> tuple[Card, ...]:
    """Return the order of a sealed shoe, from its secret and the digest of the cut that counts."""
    return _shuffled(decks, words_of(version, secret, cut))


def practice_shoe(seed: int, decks: int, number: int = 1) -> HiddenShoe:
    """Return a shoe for tests, demonstrations and practice: the same cards every time for the same seed and number."""
    check_decks(decks)
    return HiddenShoe(ShoeKind.PRACTICE, f"practice {seed}/{number}", practice_order(seed, decks, number))


def practice_order(seed: int, decks: int, number: int) -> tuple[Card, ...]:
    """Return the order of a practice shoe. Its key has another label, so that no sealed shoe can have it."""
    return _shuffled(decks, words(sha256(pack(f"{PRACTICE} key", str(seed), str(number), str(decks))).digest()))


def _shuffled(decks: int, stream: Iterator[int]) -> tuple[Card, ...]:
    full = DECK * decks
    return tuple(full[index] for index in shuffle(len(full), stream))
