"""A patron leaves with cards whose value nobody can tell: the steps from two cards set aside to the round's end.

What is missing follows from counting: the decks, sorted, and the round's own cards lack the cards taken and the two set
aside, which are read under the Gaming Shift Manager and told to nobody else (reading R13).
"""

from __future__ import annotations

from collections import Counter

from punto.rules.table_of_play import Hand
from punto.table.commands import AttestCardsTaken, DetermineMissing, ReportCardsTaken
from punto.table.events import CardExposed, Event
from punto.table.guards import Decision, by, is_open, procedure
from punto.table.irregular import CardsTaken, CardsTakenStep, MissingDetermined, Referred
from punto.table.refusal import Refusal, refuse
from punto.table.roles import Role
from punto.table.settings import KNOWS_ITS_CARDS
from punto.table.state import CardsTakenHold, Phase, Table

STEPS = ("cards-taken-sealed", "cards-taken-sorted", "cards-taken-computed", "cards-taken-replaced")
"""In this order; the third is the count, the others are facts that a person confirms."""
COUNT = "cards-taken-computed"


def report_cards_taken(table: Table, command: ReportCardsTaken) -> Decision:
    provision = "cards-taken"
    if isinstance(table.hold, CardsTakenHold) and command.hand is not table.hold.hand:
        # Cards missing from both hands cannot be told apart by counting (reading R13).
        refusal = by(table, command, Role.DEALER, provision=provision) or _with_a_patron(table, command.hand)
        return refusal or (Referred("cards are missing from both hands", table.book.clause_of("referral")),)
    refusal = (
        procedure(table, command, provision, Role.DEALER, Phase.DEALING)
        or (refuse("device-knows", provision) if table.set_up.device in KNOWS_ITS_CARDS else None)
        or _with_a_patron(table, command.hand)
    )
    if refusal:
        return refusal
    return (CardsTaken(command.hand, table.handlers[command.hand], table.book.clause_of(provision)),)


def _with_a_patron(table: Table, hand: Hand) -> Refusal | None:
    return None if hand in table.handlers and _taken(table, hand) else refuse("no-such-card")


def _taken(table: Table, hand: Hand) -> list[int]:
    """The places of a hand whose cards are still face down."""
    return [number for number, place in enumerate(table.hands[hand]) if place.card is None]


def attest_cards_taken(table: Table, command: AttestCardsTaken) -> Decision:
    """Confirm a step, in its turn; the Gaming Shift Manager is there and does so."""
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
    places = _taken(table, hold.hand)
    replaced = (CardExposed(hold.hand, at, card, None) for at, card in zip(places, hold.missing, strict=True))
    return (step, *replaced)


def _in_turn(hold: CardsTakenHold, provision: str) -> Refusal | None:
    due = STEPS[hold.done]
    return None if provision == due else refuse("not-this-step", due)


def determine_missing(table: Table, command: DetermineMissing) -> Decision:
    """What the sorted decks and the cards in play lack, less the two set aside, is what was taken."""
    hold, provision = table.hold, COUNT
    if not isinstance(hold, CardsTakenHold):
        return is_open(table) or refuse("not-held")
    other = hold.hand.other
    refusal = (
        by(table, command, Role.GAMING_SHIFT_MANAGER, provision=provision)
        or _in_turn(hold, provision)
        or (refuse("cards-outstanding", provision) if _taken(table, other) else None)
    )
    if refusal:
        return refusal
    lacking, aside = Counter(command.lacking), Counter(command.set_aside)
    missing = tuple((lacking - aside).elements())
    counted = not aside - lacking and aside.total() == len(table.out) and len(missing) == len(_taken(table, hold.hand))
    assert table.shoe is not None
    there = all(table.shoe.unexposed.count(card) >= number for card, number in lacking.items())
    if not counted or not there:
        return refuse("does-not-add-up", provision)
    events: tuple[Event, ...] = (MissingDetermined(missing, table.book.clause_of(provision)),)
    return events
