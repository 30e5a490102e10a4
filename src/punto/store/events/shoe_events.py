"""Events of a table's shoe stream: the life of a shoe whose cards the house could know.

A sealed shoe is sealed, cut by the patrons, opened for play, published. A card-reading device reports each card as it
leaves the shoe. Secrets and cards stand in these events only encrypted with the house's key.
"""

from __future__ import annotations

from punto.shoe.encoding import Format
from punto.table.event import Event

SHOES = ".shoes"
"""Suffix of a table's name for the stream of its shoes."""


class ShoeSealed(Event, frozen=True):
    """The house has committed to a secret."""

    shoe: str
    decks: int
    commitment: str
    cipher: str
    """The secret, encrypted."""
    until: int | None = None
    """When the list of the cut is closed, in milliseconds, where the house has set a time."""
    format: Format = Format.ONE
    """The scheme of the shoe; an event that does not say is of the first."""


class CutPledged(Event, frozen=True):
    """A patron has committed to a contribution."""

    shoe: str
    patron: str
    commitment: str


class CutDeclined(Event, frozen=True):
    """A patron does not want to cut the shoe; the list need not wait for them."""

    shoe: str
    patron: str


class CutListClosed(Event, frozen=True):
    """No more commitments are taken; from now on contributions are revealed."""

    shoe: str
    closed_list: str
    until: int | None = None
    """When the time to reveal is over."""
    due: int | None = None
    """When the time to commit was over; an earlier event does not say it."""
    absent: tuple[str, ...] = ()
    """Patrons with chips at the table who were neither in the list nor had declined."""


class CutRevealed(Event, frozen=True):
    """A patron has revealed their contribution."""

    shoe: str
    patron: str
    words: str
    nonce: str


class CutSpoiled(Event, frozen=True):
    """A patron did not reveal: the others cut again."""

    shoe: str
    missing: tuple[str, ...]
    until: int | None = None
    """When the new list is closed."""
    due: int | None = None
    """When the time to reveal was over; an earlier event does not say it."""


class ShoeOpened(Event, frozen=True):
    """The shoe was put on the table; that happens once."""

    shoe: str


class CardRead(Event, frozen=True):
    """The dealing device has read a card as it left the shoe: its number, and its cipher."""

    shoe: str
    index: int
    cipher: str


class CardNamed(Event, frozen=True):
    """People, not the device, told the house a card: one the device missed or misread, or one set aside."""

    shoe: str
    index: int
    """Its number among the cards that left the shoe."""
    cipher: str
    """The card, encrypted; empty if it is not known and the device merely missed it."""
    missed: bool = False
    """Whether the device did not read it, so that what it read next is the card after it."""


class ShoePublished(Event, frozen=True):
    """The shoe has ended, and its secret is public: the record that anyone can check."""

    shoe: str
    record: str


EVENTS: dict[str, type[Event]] = {
    kind.__name__: kind
    for kind in (
        ShoeSealed,
        CutPledged,
        CutDeclined,
        CutListClosed,
        CutRevealed,
        CutSpoiled,
        ShoeOpened,
        CardRead,
        CardNamed,
        ShoePublished,
    )
}
