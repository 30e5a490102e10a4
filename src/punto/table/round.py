"""What ends with a round: the cards and wagers on the layout, and who handles them."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from punto.cards import Card
from punto.rules.table_of_play import Hand


class Place(Struct, frozen=True):
    """A card in its place: which one it is by number, and the card itself once it is exposed."""

    index: int
    card: Card | None = None


class Stake(Struct, frozen=True):
    """What lies on one playing area for one patron."""

    amount: int
    reached: int
    """A number that tells which of two stakes reached its amount first."""


Area = tuple[str, int, str]
"""A patron's own place on the layout: his id, the position, the name of the wager."""


class Window(Struct, frozen=True):
    """A time in which patrons may do something: its number, and when it ends if the house has set a time."""

    number: int
    deadline: int | None


NO_CARDS: Mapping[Hand, tuple[Place, ...]] = {Hand.PLAYER: (), Hand.BANKER: ()}
