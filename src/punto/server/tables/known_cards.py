"""What the house knows of the cards that a command is about, filled in before the command is decided."""

from __future__ import annotations

from msgspec.structs import replace

from punto.cards import Card
from punto.rules.table_of_play import Hand
from punto.table.command import Command
from punto.table.irregularities.cards_taken import ReportCardsTaken
from punto.table.irregularities.exposed_in_error import ExposeInError
from punto.table.play.burn_cards import BurnCards
from punto.table.play.dealing import ExposeCard
from punto.table.play.unread_card import NameCard
from punto.table.settings import KNOWS_ITS_CARDS
from punto.table.table import Table
from punto.table.views import CardAt

AboutACard = ExposeCard | ExposeInError | NameCard
NEED_CARDS = (BurnCards, ExposeCard, ExposeInError, NameCard, ReportCardsTaken)
"""The commands that are completed, so that each is decided by the newest state."""


def complete(table: Table, command: Command, card_at: CardAt) -> Command:
    """Return the command with what the house knows, whatever its sender said of it."""
    if table.setting is None or table.shoe is None:
        return command
    if isinstance(command, ReportCardsTaken):
        return replace(command, untold=command.untold and not _tells_all(table, command.hand, card_at))
    if isinstance(command, BurnCards):
        turned = table.set_up.burn is not None and table.set_up.burn.exposes_first
        known = turned and table.set_up.device in KNOWS_ITS_CARDS
        return replace(command, first=card_at(table.shoe.name, 0)) if known else command
    if not isinstance(command, AboutACard):
        return command
    card = _known(table, command, card_at)
    if isinstance(command, NameCard):
        return replace(command, told=card if is_set_aside(table, command) else None)
    if table.set_up.device in KNOWS_ITS_CARDS:
        return replace(command, card=card, told=None)
    return replace(command, told=card)


def is_set_aside(table: Table, command: Command) -> bool:
    """Return whether a command is about a card that was set aside, so that no other may take its place."""
    if not isinstance(command, AboutACard):
        return False
    return table.round.number_at(command.hand, command.place) in table.round.set_aside


def _known(table: Table, command: AboutACard, card_at: CardAt) -> Card | None:
    number = table.round.number_at(command.hand, command.place)
    if number is None and isinstance(command, ExposeInError):
        # One that no hand was due and that was turned lies in no place.
        number = next(iter(table.round.together), None)
    assert table.shoe is not None
    return None if number is None else card_at(table.shoe.name, number)


def _tells_all(table: Table, hand: Hand, card_at: CardAt) -> bool:
    """Return whether the device has read every card of a hand that is face down."""
    assert table.shoe is not None
    return all(card_at(table.shoe.name, place.index) for place in table.round.hands[hand] if not place.card)
