"""A patron leaves with cards of unknown value: the steps from two cards set aside to the round's end.

What is missing follows from counting: the decks, sorted, and the round's own cards lack the cards taken and the two set
aside, which are read under the Gaming Shift Manager and told to no other person (reading R13). Those two stand in no
event and no state: a server stores them encrypted, as it does a card that a device has read, and ``SetAside`` remembers
them where there is no server. They are dealt in the order they were drawn, and no other card is taken for them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from punto.cards import Card
from punto.rules.table_of_play import Hand
from punto.table.command import Command, Report
from punto.table.event import Event, Irregularity
from punto.table.guards import Decision, by, is_open, is_patron, procedure
from punto.table.guidance.next_step import NextStep, step
from punto.table.hold import Hold
from punto.table.irregularities.exposed_in_error import ExposeInError
from punto.table.irregularities.referral import Referred, matter
from punto.table.play.card_handling import handler_gone, numbers_of
from punto.table.play.dealing import CardExposed, ExposeCard, turn_step
from punto.table.play.unread_card import NameCard
from punto.table.refusal import Refusal, refuse
from punto.table.registry import decides, evolves, resolves, undoes
from punto.table.roles import Role
from punto.table.round import Phase
from punto.table.settings import Device
from punto.table.table import Table, with_entry
from punto.table.visibility import Public


class ReportCardsTaken(Report, frozen=True):
    """A patron has left with the cards of a hand, whose value is unknown.

    Where the dealing device reads cards, the report also attests that neither it nor surveillance can tell these.
    """

    hand: Hand
    untold: bool = False
    patron: str | None = None
    """The patron who left; None is the one who has the hand. Another took what lay face down, not being passed it."""


class AttestCardsTaken(Report, frozen=True):
    """Confirm a step of that procedure, by its provision."""

    provision: str


class DetermineMissing(Report, frozen=True):
    """Say what the sorted decks and the cards in play lack, and which two of it are the cards set aside."""

    lacking: tuple[Card, ...]
    set_aside: tuple[Card, ...]


class CardsTaken(Irregularity, frozen=True):
    """A patron left with the cards of a hand."""

    hand: Public[Hand]
    patron: Public[str]
    clause: Public[str | None]
    untold: Public[bool] = False
    """Whether it was attested that neither a device that reads cards nor surveillance can tell them."""


class CardsTakenStep(Irregularity, frozen=True):
    """A step towards replacing them was confirmed."""

    in_packets = False
    provision: Public[str]
    clause: Public[str | None]
    person: Public[str]


class MissingDetermined(Irregularity, frozen=True):
    """The cards taken are known by counting; the two cards set aside are not recorded."""

    cards: tuple[Card, ...]
    clause: Public[str | None]


class CardsTakenHold(Hold, frozen=True):
    """A patron has left with the cards of a hand: how many steps are done, and what was found to be missing."""

    hand: Hand
    done: int = 0
    missing: tuple[Card, ...] = ()
    places: tuple[int, ...] = ()
    """The places of the cards taken."""
    patron: str = ""
    """The patron who had the cards."""
    looked: frozenset[int] = frozenset()
    """Which of them had been looked at."""
    handler: str | None = None
    """The patron who had been passed the hand."""
    single_cards: Mapping[int, str] = {}
    """The persons who had single cards of the round."""
    wrongly_passed: bool = False
    change_due: bool = False
    """Whether a change of cards was due already."""

    @property
    def exposable(self) -> Hand:
        """The other hand, whose cards take part in the count."""
        return self.hand.other

    def permits_exposing(self, hand: Hand, place: int) -> bool:
        """Return whether the card is still at the table, and so takes part in the count."""
        return hand is not self.hand or place not in self.places

    @property
    def permits_relaying(self) -> bool:
        """Refuse it: the count is about the places of the cards taken."""
        return False


STEPS = ("cards-taken-sealed", "cards-taken-sorted", "cards-taken-computed", "cards-taken-replaced")
"""In this order; the third is the count, the others are facts that a person confirms."""


COUNT = "cards-taken-computed"


_BOTH_HANDS = matter("both-hands", "cards are missing from both hands", ends_hold=True)


@decides(ReportCardsTaken)
def report_cards_taken(table: Table, command: ReportCardsTaken) -> Decision:
    provision = "cards-taken"
    if isinstance(table.hold, CardsTakenHold) and command.hand is not table.hold.hand:
        # Cards missing from both hands cannot be told apart by counting (reading R13).
        refusal = by(table, command, Role.DEALER, provision=provision) or _with_a_patron(table, command)
        return refusal or (Referred("", table.book.clause_of("referral"), case=_BOTH_HANDS),)
    refusal = (
        procedure(table, command, provision, Role.DEALER, Phase.DEALING)
        or _known_to_the_device(table, command)
        or _with_a_patron(table, command)
    )
    if refusal:
        return refusal
    patron = command.patron or table.round.holder(command.hand) or ""
    return (CardsTaken(command.hand, patron, table.book.clause_of(provision), command.untold),)


def _known_to_the_device(table: Table, command: ReportCardsTaken) -> Refusal | None:
    """Refuse on a sealed shoe, and on a device that reads cards unless it is attested that it did not read these."""
    device = table.set_up.device
    known = device is Device.SEALED or (device is Device.CARD_READING and not command.untold)
    return refuse("device-knows", "cards-taken") if known else None


def _with_a_patron(table: Table, command: ReportCardsTaken) -> Refusal | None:
    """Refuse if no patron has cards of the hand face down, and none is named who took them from where they lay."""
    patron = command.patron or table.round.holder(command.hand)
    there = patron and _taken_by(table, command.hand, patron)
    named = is_patron(table, command.patron) if command.patron else None
    return named or (None if there else refuse("no-such-card", "cards-taken", case="with-nobody"))


def _taken_by(table: Table, hand: Hand, patron: str) -> tuple[int, ...]:
    """Return the places whose cards, still face down, a patron has; of one who was passed none, all of the hand."""
    held = table.round.held_by(hand, patron)
    down = [(number, place) for number, place in enumerate(table.round.hands[hand]) if place.card is None]
    return tuple(number for number, place in down if place.index in held or not held)


def _outstanding(table: Table, hold: CardsTakenHold) -> tuple[Hand, int] | None:
    """Return a card still at the table that has to be turned for the count, those of the other hand first."""
    for hand in (hold.hand.other, hold.hand):
        for number, place in enumerate(table.round.hands[hand]):
            if place.card is None and hold.permits_exposing(hand, number):
                return hand, number
    return None


@decides(AttestCardsTaken)
def attest_cards_taken(table: Table, command: AttestCardsTaken) -> Decision:
    """Let the Gaming Shift Manager confirm the step that is due."""
    hold = table.hold
    if not isinstance(hold, CardsTakenHold):
        return is_open(table) or refuse("not-held")
    refusal = (
        (None if command.provision in STEPS else refuse("not-attestable"))
        or by(table, command, Role.GAMING_SHIFT_MANAGER, provision=command.provision)
        or _in_turn(hold, command.provision)
        or (refuse("not-this-step", COUNT) if command.provision == COUNT else None)
    )
    if refusal:
        return refusal
    step = CardsTakenStep(command.provision, table.book.clause_of(command.provision), command.by.id)
    if command.provision != "cards-taken-replaced":
        return (step,)
    replaced = (CardExposed(hold.hand, at, card, None) for at, card in zip(hold.places, hold.missing, strict=True))
    return (step, *replaced)


def _in_turn(hold: CardsTakenHold, provision: str) -> Refusal | None:
    due = STEPS[hold.done]
    return None if provision == due else refuse("not-this-step", due)


@decides(DetermineMissing)
def determine_missing(table: Table, command: DetermineMissing) -> Decision:
    """Find what was taken: what the sorted decks and the cards in play lack, less the two set aside."""
    hold, provision = table.hold, COUNT
    if not isinstance(hold, CardsTakenHold):
        return is_open(table) or refuse("not-held")
    refusal = (
        by(table, command, Role.GAMING_SHIFT_MANAGER, provision=provision)
        or _in_turn(hold, provision)
        or (refuse("cards-outstanding", provision) if _outstanding(table, hold) else None)
    )
    if refusal:
        return refusal
    lacking, aside = Counter(command.lacking), Counter(command.set_aside)
    missing = tuple((lacking - aside).elements())
    counted = not aside - lacking and aside.total() == len(table.out) and len(missing) == len(hold.places)
    assert table.shoe is not None
    there = all(table.shoe.unexposed.count(card) >= number for card, number in lacking.items())
    if not counted or not there:
        return refuse("does-not-add-up", provision)
    events: tuple[Event, ...] = (MissingDetermined(missing, table.book.clause_of(provision)),)
    return events


@evolves(CardsTaken)
def _cards_taken(table: Table, event: CardsTaken) -> Table:
    hold = CardsTakenHold(
        "cards-taken",
        event.hand,
        places=_taken_by(table, event.hand, event.patron),
        patron=event.patron,
        looked=table.round.looked & numbers_of(table, event.hand),
        handler=table.round.handlers.get(event.hand),
        single_cards=table.round.single_cards,
        wrongly_passed=event.hand in table.round.wrongly_passed,
        change_due=table.change_cards,
    )
    return handler_gone(table, event).changed(holds=(*table.holds, hold), change_cards=True)


@evolves(CardsTakenStep)
def _cards_taken_step(table: Table, event: CardsTakenStep) -> Table:
    assert isinstance(table.hold, CardsTakenHold)
    assert table.shoe is not None
    hold = replace(table.hold, done=table.hold.done + 1)
    if event.provision == "cards-taken-sealed":
        # Two cards leave the device, in their order, in case the hands need them; fewer if some are out already, or
        # if there are no more.
        first, more = table.shoe.drawn, min(max(0, 2 - len(table.out)), table.shoe.size - table.shoe.drawn)
        out = (*table.out, *range(first, first + more))
        shoe = replace(table.shoe, drawn=first + more)
        aside = table.round.changed(set_aside=frozenset(out))
        return table.changed(holds=(*table.holds[:-1], hold), out=out, shoe=shoe, round=aside)
    ended = event.provision == "cards-taken-replaced"
    return table.changed(holds=table.holds[:-1] if ended else (*table.holds[:-1], hold))


@evolves(MissingDetermined)
def _missing_determined(table: Table, event: MissingDetermined) -> Table:
    assert isinstance(table.hold, CardsTakenHold)
    hold = replace(table.hold, done=table.hold.done + 1, missing=event.cards)
    return table.changed(holds=(*table.holds[:-1], hold))


@undoes(CardsTakenHold)
def _still_there(table: Table, hold: CardsTakenHold) -> Table | Refusal:
    """Return the table with the cards where they were, as long as the order of those in the device is kept.

    The values may turn out to be known after all. Cards set aside meanwhile are the next ones, in their order.
    """
    if hold.done > 1:
        return refuse("already-followed", STEPS[1], case="sorted")
    there = table.round_changed(
        handlers=with_entry(table.round.handlers, hold.hand, hold.handler) if hold.handler else table.round.handlers,
        single_cards=hold.single_cards,
        looked=table.round.looked | hold.looked,
        set_aside=frozenset(),
        wrongly_passed=table.round.wrongly_passed | ({hold.hand} if hold.wrongly_passed else set()),
    )
    return there.changed(change_cards=hold.change_due)


@resolves(CardsTakenHold)
def _steps(table: Table, hold: CardsTakenHold) -> Iterator[NextStep]:
    """Yield the manager's next step; before the count, also the turning of the cards that take part in it."""
    manager, due = Role.GAMING_SHIFT_MANAGER, STEPS[hold.done]
    outstanding = _outstanding(table, hold)
    if due != COUNT:
        yield step(table, "AttestCardsTaken", manager, due, {"provision": due})
    elif outstanding is None:
        yield step(table, "DetermineMissing", manager, due, keyed=("lacking", "set_aside"))
    if outstanding is not None:
        yield turn_step(table, *outstanding)


class SetAside:
    """The cards set aside at a table that no server keeps: completes commands with them, and shows them to no one."""

    def __init__(self) -> None:
        self._cards: dict[tuple[int, int], Card] = {}
        """By the number of the shoe and of the card."""

    def learn(self, table: Table, command: Command) -> None:
        """Remember the cards that a count, carried out at this table, names in the order they were drawn."""
        if isinstance(command, DetermineMissing):
            for number, card in zip(table.out, command.set_aside, strict=True):
                self._cards[table.shoes, number] = card

    def complete(self, table: Table, command: Command) -> Command:
        """Return the command with what the house knows of the card it names."""
        if not isinstance(command, ExposeCard | ExposeInError | NameCard):
            return command
        number = table.round.number_at(command.hand, command.place)
        told = None if number is None else self._cards.get((table.shoes, number))
        return replace(command, told=told)
