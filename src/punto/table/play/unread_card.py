"""A card that the dealing device missed or misread: staff name it, and the house confirms it as an override.

No clause gives this. A card is named when it lies face up; one that is still face down can only be reported as missed,
so that the cards the device reads after it are again those that are dealt.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from punto.cards import Card
from punto.rules.table_of_play import Hand
from punto.table.command import Report
from punto.table.event import Event, Irregularity
from punto.table.guards import Decision, by, in_phase, is_open, not_held
from punto.table.guidance.next_step import NextStep, step
from punto.table.hold import Hold
from punto.table.irregularities.correction import CorrectCard
from punto.table.irregularities.exposed_in_error import ExposedInError
from punto.table.irregularities.relaid_cards import correct_card
from punto.table.irregularities.void import card_to_expose
from punto.table.play.dealing import CardExposed, in_turn
from punto.table.refusal import Refusal, refuse
from punto.table.registry import decides, evolves, resolves, undoes
from punto.table.roles import Actor, Role
from punto.table.round import Phase
from punto.table.settings import Device
from punto.table.table import Table
from punto.table.visibility import Public


class NameCard(Report, frozen=True):
    """The dealing device missed or misread a card; missed and still face down, it has no name yet."""

    hand: Hand
    place: int
    card: Card | None = None
    misread: bool = False
    told: Card | None = None
    """What it is known to be by the house, for a card set aside; the server fills it in, whatever a client says."""


class ConfirmCard(Report, frozen=True):
    """Confirm what was said of a card that the dealing device missed or misread."""


class ReaderFailed(Irregularity, frozen=True):
    """The dealing device is said to have missed or misread a card."""

    hand: Public[Hand]
    place: Public[int]
    misread: Public[bool]
    card: Card | None


class ReadingOverridden(Irregularity, frozen=True):
    """A person, not the dealing device, says what a card is; None if it was missed and is still face down."""

    hand: Public[Hand]
    place: Public[int]
    misread: Public[bool]
    card: Public[Card | None]
    person: Public[str]


class UnreadHold(Hold, frozen=True):
    """Play waits until the house confirms what a card is."""

    hand: Hand
    place: int
    misread: bool
    card: Card | None
    number: int
    """Of the card in the shoe: cards may be laid again while another matter is dealt with."""


PROVISION = "unread-card"
"""What the hold is called; no game has a clause for it."""


@decides(NameCard)
def name_card(table: Table, command: NameCard) -> Decision:
    refusal = (
        in_phase(table, Phase.DEALING, Phase.OUTCOME)
        or _not_held_for(table, command)
        or by(table, command, Role.DEALER)
        or _is_read(table)
        or (refuse("no-such-card") if table.round.number_at(command.hand, command.place) is None else None)
        or _can_be_named(table, command)
    )
    return refusal or (ReaderFailed(command.hand, command.place, command.misread, command.card),)


def _not_held_for(table: Table, command: NameCard) -> Refusal | None:
    """Refuse in a hold in which the card could be neither exposed nor corrected; that it was missed is noted in any."""
    hold, place = table.hold, command.place
    if hold is None or (command.card is None and not isinstance(hold, UnreadHold)):
        return None
    exposed = table.round.is_exposed(command.hand, place)
    allowed = hold.permits_correcting if exposed else hold.permits_exposing(command.hand, place)
    return None if allowed else not_held(table)


def _is_read(table: Table) -> Refusal | None:
    """Refuse where no device reads cards, and on a sealed shoe, whose cards are known for certain."""
    if table.set_up.device is Device.CARD_READING:
        return None
    sealed = table.set_up.device is Device.SEALED
    return refuse("device-knows") if sealed else refuse("cannot-be", case="no-card-reader")


def _can_be_named(table: Table, command: NameCard) -> Refusal | None:
    """Refuse a card that cannot lie there: not in the shoe, not the one set aside, or not lawfully followed."""
    exposed = table.round.hands[command.hand][command.place].card
    if command.card is None:
        return refuse("no-such-card") if exposed or command.misread else None
    if exposed:
        confirms = Actor(command.by.id, table.set_up.confirms)
        corrected = correct_card(table, CorrectCard(confirms, command.hand, command.place, command.card))
        return corrected if isinstance(corrected, Refusal) else None
    if command.told is not None:
        # The house knows it: to take the right card and refuse another would answer guesses at a card face down.
        return refuse("not-set-aside", "cards-taken-completion")
    found = card_to_expose(table, command.card)
    if isinstance(found, Card | Refusal):
        return found if isinstance(found, Refusal) else None
    return refuse("not-in-the-shoe", card=command.card)


@decides(ConfirmCard)
def confirm_card(table: Table, command: ConfirmCard) -> Decision:
    hold = table.hold
    if not isinstance(hold, UnreadHold):
        return is_open(table) or refuse("not-held")
    found = _found(table, hold)
    if refusal := by(table, command, table.set_up.confirms) or (None if found else refuse("no-such-card")):
        return refusal
    assert found is not None
    hold = found
    overridden = ReadingOverridden(hold.hand, hold.place, hold.misread, hold.card, command.by.id)
    if hold.card is None:
        return (overridden,)
    after = table.changed(holds=table.holds[:-1])
    if table.round.hands[hold.hand][hold.place].card:
        corrected = correct_card(after, CorrectCard(command.by, hold.hand, hold.place, hold.card, at=command.at))
        return corrected if isinstance(corrected, Refusal) else (overridden, *corrected)
    return _still_in_the_shoe(table, hold) or (overridden, *_exposed(after, hold, hold.card))


def _found(table: Table, hold: UnreadHold) -> UnreadHold | None:
    """Return the hold with the place where its card lies now; None if it has left play."""
    for hand, places in table.round.hands.items():
        for place, each in enumerate(places):
            if each.index == hold.number:
                return replace(hold, hand=hand, place=place)
    return None


def _still_in_the_shoe(table: Table, hold: UnreadHold) -> Refusal | None:
    """Refuse a card face down that cannot be the one named: a correction since has found the last of its kind."""
    card, exposed = hold.card, table.round.hands[hold.hand][hold.place].card
    if card is None or exposed or table.shoe is None or table.shoe.unexposed.count(card):
        return None
    return refuse("not-in-the-shoe", card=card)


def _exposed(table: Table, hold: UnreadHold, card: Card) -> tuple[Event, ...]:
    """Return the exposure of the card; out of turn it was one by mistake."""
    clause = table.book.clause_of("not-wrong-delivery")
    if not table.hold and in_turn(table, hold) and clause:
        return (ExposedInError(clause), CardExposed(hold.hand, hold.place, card, None))
    return (CardExposed(hold.hand, hold.place, card, table.round.handler_of(hold.hand, hold.place)),)


@evolves(ReaderFailed)
def _reader_failed(table: Table, event: ReaderFailed) -> Table:
    number = table.round.hands[event.hand][event.place].index
    hold = UnreadHold(PROVISION, event.hand, event.place, event.misread, event.card, number)
    return table.changed(holds=(*table.holds, hold))


@evolves(ReadingOverridden)
def _reading_overridden(table: Table, _: ReadingOverridden) -> Table:
    return table.changed(holds=table.holds[:-1])


@undoes(UnreadHold)
def _was_read(table: Table, _: UnreadHold) -> Table:
    """Return the table as it is: nothing follows from what was said of a card before it is confirmed."""
    return table


@resolves(UnreadHold)
def _steps(table: Table, hold: UnreadHold) -> Iterator[NextStep]:
    """Yield the confirmation; what cannot be confirmed, or no longer, is left to a report withdrawn."""
    found = _found(table, hold)
    if found and not _still_in_the_shoe(table, found):
        yield step(table, "ConfirmCard", table.set_up.confirms, PROVISION, hand=found.hand, place=found.place)
