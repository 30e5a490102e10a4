"""The life of a shoe whose cards the house could know. Kept beside its table's stream.

A sealed shoe is sealed, cut by the patrons, opened for play, published. A dealing device that reads cards tells each as
it leaves the shoe. Secrets and cards are in these events only as ciphers that the house's key opens.
"""

from __future__ import annotations

from dataclasses import dataclass

from punto.table.events import Event

SHOES = ".shoes"
"""What is added to a table's name for the stream of its shoes."""


@dataclass(frozen=True, slots=True)
class ShoeSealed(Event):
    """The house has committed itself to a secret."""

    shoe: str
    decks: int
    commitment: str
    cipher: str
    """The secret, encrypted."""
    until: int | None = None
    """When the list of the cut is closed, in milliseconds, where the house has set a time."""


@dataclass(frozen=True, slots=True)
class CutPledged(Event):
    """A patron has committed himself to a contribution."""

    shoe: str
    patron: str
    commitment: str


@dataclass(frozen=True, slots=True)
class CutListClosed(Event):
    """No more commitments are taken; from now on contributions are revealed."""

    shoe: str
    closed_list: str
    until: int | None = None
    """By when everybody in the list has to reveal."""


@dataclass(frozen=True, slots=True)
class CutRevealed(Event):
    """A patron has revealed his contribution."""

    shoe: str
    patron: str
    words: str
    nonce: str


@dataclass(frozen=True, slots=True)
class CutSpoiled(Event):
    """Somebody did not reveal: the others cut again."""

    shoe: str
    missing: tuple[str, ...]
    until: int | None = None
    """When the new list is closed."""


@dataclass(frozen=True, slots=True)
class ShoeOpened(Event):
    """The shoe was put on the table; it can be no second time."""

    shoe: str


@dataclass(frozen=True, slots=True)
class CardRead(Event):
    """The dealing device has read a card, as it left the shoe: which one by number, and its cipher."""

    shoe: str
    index: int
    cipher: str


@dataclass(frozen=True, slots=True)
class ShoePublished(Event):
    """The shoe has ended, and its secret is public: the record as anybody can check it."""

    shoe: str
    record: str


EVENTS: dict[str, type[Event]] = {
    kind.__name__: kind
    for kind in (
        ShoeSealed,
        CutPledged,
        CutListClosed,
        CutRevealed,
        CutSpoiled,
        ShoeOpened,
        CardRead,
        ShoePublished,
    )
}
