"""A shoe from its loading to its record, with patrons whose contributions are fixed: the tests' own ceremony."""

from __future__ import annotations

from collections.abc import Sequence

from punto.cards import Card
from punto.shoe import NEWEST, Contribution, Cut, Format, HiddenShoe, Record, Secret, publish, seal, sealed_shoe
from punto.shoe.encoding import secret_size


def secret_of(decks: int, version: Format = NEWEST) -> Secret:
    """Return a secret that anyone can write down: 00, 01, 02 and so on."""
    return Secret(bytes(number % 256 for number in range(secret_size(version, decks))))


def secret_for(cut: Cut) -> Secret:
    """Return the secret with which ``cut_by`` sealed a shoe."""
    return secret_of(cut.seal.decks, cut.seal.version)


SECRET = secret_of(8)
NAME = "table 3, shoe 8"


def contribution(patron: str, cut: Cut) -> Contribution:
    """Return a test patron's contribution to a cut: their name in capitals, and a nonce that is new for every cut."""
    return Contribution(patron.upper().encode(), bytes([len(cut.spoiled) + 1, *patron.encode()]).ljust(32, b"."))


def committed(cut: Cut, patrons: Sequence[str]) -> Cut:
    for patron in patrons:
        own = contribution(patron, cut).commitment(cut.anchor, patron, cut.seal.version)
        cut = cut.commit(patron, own)
    return cut.close_list()


def revealed(cut: Cut, patrons: Sequence[str]) -> Cut:
    for patron in patrons:
        cut = cut.reveal(patron, contribution(patron, cut))
    return cut


def cut_by(
    *patrons: str,
    spoiled_by: Sequence[str] = (),
    decks: int = 8,
    secret: Secret | None = None,
    version: Format = NEWEST,
) -> Cut:
    """Make a complete cut; each patron who spoils one does so in a separate cut before it."""
    cut = Cut(seal(secret or secret_of(decks, version), NAME, decks, version))
    for absent in spoiled_by:
        cut = revealed(committed(cut, [*patrons, absent]), patrons).again()
    return revealed(committed(cut, patrons), patrons)


def first_cards(shoe: HiddenShoe, count: int) -> list[tuple[int, Card]]:
    return [(position, shoe.card_at(position)) for position in range(count)]


def played(
    *patrons: str, spoiled_by: Sequence[str] = (), decks: int = 8, dealt: int = 12, version: Format = NEWEST
) -> Record:
    """The record of a shoe of which so many cards were dealt."""
    cut = cut_by(*patrons, spoiled_by=spoiled_by, decks=decks, version=version)
    secret = secret_for(cut)
    return publish(secret, cut, first_cards(sealed_shoe(secret, cut), dealt))
