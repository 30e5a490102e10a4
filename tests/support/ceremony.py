"""A shoe from its loading to its record, with patrons whose contributions are fixed: the tests' own ceremony."""

from __future__ import annotations

from collections.abc import Sequence

from punto.cards import Card
from punto.shoe import Contribution, Cut, HiddenShoe, Record, Secret, publish, seal, sealed_shoe

SECRET = Secret(bytes(range(32)))
NAME = "table 3, shoe 8"


def contribution(patron: str, cut: Cut) -> Contribution:
    """Return a test patron's contribution to a cut: their name in capitals, and a nonce that is new for every cut."""
    return Contribution(patron.upper().encode(), bytes([len(cut.spoiled) + 1, *patron.encode()]).ljust(32, b"."))


def committed(cut: Cut, patrons: Sequence[str]) -> Cut:
    for patron in patrons:
        cut = cut.commit(patron, contribution(patron, cut).commitment(cut.anchor, patron))
    return cut.close_list()


def revealed(cut: Cut, patrons: Sequence[str]) -> Cut:
    for patron in patrons:
        cut = cut.reveal(patron, contribution(patron, cut))
    return cut


def cut_by(*patrons: str, spoiled_by: Sequence[str] = (), decks: int = 8, secret: Secret = SECRET) -> Cut:
    """Make a complete cut; each patron who spoils one does so in a separate cut before it."""
    cut = Cut(seal(secret, NAME, decks))
    for absent in spoiled_by:
        cut = revealed(committed(cut, [*patrons, absent]), patrons).again()
    return revealed(committed(cut, patrons), patrons)


def first_cards(shoe: HiddenShoe, count: int) -> list[tuple[int, Card]]:
    return [(position, shoe.card_at(position)) for position in range(count)]


def played(*patrons: str, spoiled_by: Sequence[str] = (), decks: int = 8, dealt: int = 12) -> Record:
    """The record of a shoe of which so many cards were dealt."""
    cut = cut_by(*patrons, spoiled_by=spoiled_by, decks=decks)
    return publish(SECRET, cut, first_cards(sealed_shoe(SECRET, cut), dealt))
