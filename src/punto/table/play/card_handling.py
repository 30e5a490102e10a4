"""Who handles the cards of a hand: which patron is passed it, declines it, squeezes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from punto.rules.rulebook import Method
from punto.rules.table_of_play import INITIAL_DEAL, Hand
from punto.table.command import Command, PatronAct, Report, patron_of, recorder_of
from punto.table.event import Event, Irregularity
from punto.table.guards import (
    Decision,
    by,
    can_be_a_patron,
    has_rule,
    in_phase,
    is_open,
    is_patron,
    not_held,
    records,
)
from punto.table.refusal import Refusal, refuse
from punto.table.registry import decides, evolves
from punto.table.roles import Role
from punto.table.round import Phase
from punto.table.table import Table, with_entry, without_entry
from punto.table.visibility import Public


class ChooseFirstHand(Command, frozen=True):
    """Say which hand is exposed first (Method A)."""

    hand: Hand


class PassHand(Command, frozen=True):
    """Pass a hand face down to the patron entitled to it (Method A), or to one the drawing patron names (C)."""

    hand: Hand
    patron: str


class DeclineHand(PatronAct, frozen=True):
    """Decline cards that were passed to the patron."""

    hand: Hand


class LookAtCards(PatronAct, frozen=True):
    """Look at cards that were passed to the patron: squeeze them."""

    hand: Hand


class PermitSqueeze(Report, frozen=True):
    """Let a patron, or a person they name, squeeze the cards of a hand, or one of them."""

    hand: Hand
    patron: str
    place: int | None = None


class FirstHandChosen(Event, frozen=True):
    """The Dealer said which hand is exposed first."""

    in_packets = True
    hand: Public[Hand]
    clause: Public[str | None]


class HandPassed(Event, frozen=True):
    """The cards of a hand, face down, to the patron who may turn them."""

    in_packets = True
    hand: Public[Hand]
    patron: Public[str]
    clause: Public[str | None]


class HandDeclined(Event, frozen=True):
    """A patron declined the cards of a hand."""

    in_packets = True
    hand: Public[Hand]
    patron: Public[str]
    recorded_by: str | None = None
    """The member of staff who recorded it on behalf of the patron; None if the patron gave it."""


class CardsLookedAt(Event, frozen=True):
    """A patron looked at the cards of a hand; what they saw is not recorded."""

    in_packets = True
    hand: Public[Hand]
    patron: Public[str]
    recorded_by: str | None = None
    """The member of staff who recorded it on behalf of the patron; None if the patron gave it."""


class SqueezePermitted(Irregularity, frozen=True):
    """A patron, or a person they named, has the cards of a hand to squeeze, or one of them."""

    hand: Public[Hand]
    patron: Public[str]
    clause: Public[str | None]
    place: Public[int | None] = None


class _OfAHand(Protocol):
    """An event or a command about one hand and a person."""

    @property
    def hand(self) -> Hand: ...
    @property
    def patron(self) -> str: ...


WAGER_ON = {Hand.PLAYER: "Player", Hand.BANKER: "Banker"}


def method_of(table: Table) -> Method | None:
    """Return the method the table deals by; None where the game has none."""
    return table.book.method(table.set_up.method)


@decides(ChooseFirstHand)
def choose_first_hand(table: Table, command: ChooseFirstHand) -> Decision:
    refusal = (
        is_open(table)
        or has_rule(table, "method-a-reveal-order")
        or in_phase(table, Phase.DEALING)
        or not_held(table)
        or _by_method(table, "A")
        or by(table, command, Role.DEALER, provision="method-a-reveal-order")
        or initial_deal_done(table)
        or _first_hand_open(table)
    )
    return refusal or (FirstHandChosen(command.hand, table.book.clause_of("method-a-reveal-order")),)


def _first_hand_open(table: Table) -> Refusal | None:
    """Refuse to change the hand that is revealed first once a card is exposed."""
    begun = table.round.first_hand and _any_exposed(table)
    return refuse("no-such-card", "method-a-reveal-order", case="revealing") if begun else None


def _by_method(table: Table, *names: str) -> Refusal | None:
    return None if table.set_up.method in names else refuse("no-handling", "method-b-no-handling")


def initial_deal_done(table: Table) -> Refusal | None:
    return (
        None if table.round.drawn >= len(INITIAL_DEAL) else refuse("no-such-card", "initial-deal", case="initial-deal")
    )


def _any_exposed(table: Table) -> bool:
    return any(place.card for places in table.round.hands.values() for place in places)


@decides(PassHand)
def pass_hand(table: Table, command: PassHand) -> Decision:
    """Pass the hand under Method A as reading R19 says, under Method C through the Dealer to any patron."""
    refusal = (
        is_open(table)
        or has_rule(table, "methods")
        or in_phase(table, Phase.DEALING)
        or not_held(table)
        or _by_method(table, "A", "C")
        or initial_deal_done(table)
        or _still_face_down(table, command)
        or (None if _is_permitted(table, command) else is_patron(table, command.patron))
    )
    if refusal:
        return refusal
    if table.set_up.method == "C":
        provision = passed_back_by(table, command) or "method-c-through-dealer"
        return by(table, command, Role.DEALER, provision=provision) or (
            HandPassed(command.hand, command.patron, table.book.clause_of(provision)),
        )
    return _pass_under_method_a(table, command)


def _still_face_down(table: Table, command: PassHand) -> Refusal | None:
    """Refuse cards that a patron has, or that are face up; a person permitted to squeeze them may be passed them."""
    hand, holder = command.hand, table.round.handlers.get(command.hand)
    if holder and not (holder == command.patron and _is_permitted(table, command)):
        return refuse("cards-with-patron", hand=hand.value, patron=holder)
    return None if any_face_down(table, hand) else refuse("no-such-card", case="all-exposed")


def _is_permitted(table: Table, command: _OfAHand) -> bool:
    return table.round.permitted.get(command.hand) == command.patron


def passed_back_by(table: Table, command: _OfAHand) -> str | None:
    """Return the provision by which a person has a hand after it was elsewhere, or by permission, if there is one."""
    if table.round.taken_from.get(command.hand) == command.patron:
        return "wrong-delivery"
    return "squeeze-permission" if _is_permitted(table, command) else None


def any_face_down(table: Table, hand: Hand) -> bool:
    return any(place.card is None for place in table.round.hands[hand])


def _pass_under_method_a(table: Table, command: PassHand) -> Decision:
    entitled = entitled_to(table, command.hand)
    if entitled is None:
        # No patron the rules name is left: the Pit Supervisor says who.
        provision = "method-a-discretion"
        refusal = by(table, command, Role.PIT_SUPERVISOR, provision=provision)
    else:
        provision = entitled.provision
        refusal = by(table, command, Role.DEALER, provision=provision)
        if command.patron != entitled.patron:
            refusal = refusal or refuse("not-entitled", provision, hand=command.hand.value, entitled=entitled.patron)
    return refusal or (HandPassed(command.hand, command.patron, table.book.clause_of(provision)),)


@dataclass(frozen=True, slots=True)
class Entitled:
    """The patron a hand is passed to, and the provision that chose them."""

    patron: str
    provision: str


def entitled_to(table: Table, hand: Hand) -> Entitled | None:
    """Return who a hand is passed to under Method A, of those who have not declined it (reading R19).

    The patron with the most on the hand; among equals the first to reach it, and when that one declines the next of
    them counter-clockwise, which is by rising number of position; then the next highest. A patron from whom a card of
    the hand was passed on by mistake gets it back, and a person permitted to squeeze the hand comes before them all.
    """
    if hand in table.round.taken_from:
        return Entitled(table.round.taken_from[hand], "wrong-delivery")
    if hand in table.round.permitted:
        return Entitled(table.round.permitted[hand], "squeeze-permission")
    wagerers = _wagerers(table, hand)
    standing = [each for each in wagerers if (hand, each.patron) not in table.round.declined]
    if not standing:
        return None
    most = max(each.amount for each in standing)
    equals = [each for each in wagerers if each.amount == most]
    first = min(equals, key=lambda each: each.reached)
    positions = table.set_up.positions
    left = [each for each in equals if each in standing]
    chosen = min(left, key=lambda each: ((each.position - first.position) % positions, each.reached))
    if chosen is not first:
        return Entitled(chosen.patron, "method-a-counter-clockwise")
    if most < max(each.amount for each in wagerers):
        return Entitled(chosen.patron, "method-a-next-highest")
    return Entitled(chosen.patron, "method-a-equal-highest" if len(equals) > 1 else "method-a-highest")


class _Wagerer:
    """What one patron has on a hand, all positions together, counted at the first of them."""

    def __init__(self, patron: str) -> None:
        self.patron, self.amount, self.reached, self.position = patron, 0, 0, 1_000_000


def _wagerers(table: Table, hand: Hand) -> list[_Wagerer]:
    found: dict[str, _Wagerer] = {}
    for (patron, position, wager), stake in table.round.stakes.items():
        if wager == WAGER_ON[hand]:
            each = found.setdefault(patron, _Wagerer(patron))
            each.amount += stake.amount
            each.reached = max(each.reached, stake.reached)
            each.position = min(each.position, position)
    return list(found.values())


@decides(DeclineHand)
def decline_hand(table: Table, command: DeclineHand) -> Decision:
    refusal = (
        in_phase(table, Phase.DEALING)
        or not_held(table)
        or records(table, command)
        or _has_the_hand(table, command)
        or _not_begun(table, command.hand)
    )
    return refusal or (HandDeclined(command.hand, patron_of(command) or "", recorder_of(command)),)


def _not_begun(table: Table, hand: Hand) -> Refusal | None:
    """Refuse to decline cards that were looked at or turned: they were accepted."""
    begun = handling_begun(table, hand)
    return refuse("no-such-card", "method-a-next-highest", case="accepted") if begun else None


def handling_begun(table: Table, hand: Hand) -> bool:
    """Return whether cards face down have been looked at, or one of the first two turned and not the other."""
    return table.round.looked_at(hand) or len({place.card is None for place in table.round.hands[hand][:2]}) == 2


def _has_the_hand(table: Table, command: DeclineHand | LookAtCards) -> Refusal | None:
    patron = patron_of(command)
    has_it = patron is not None and table.round.has_cards(command.hand, patron)
    return None if has_it else refuse("not-your-cards", hand=command.hand.value)


@decides(LookAtCards)
def look_at_cards(table: Table, command: LookAtCards) -> Decision:
    refusal = (
        in_phase(table, Phase.DEALING) or not_held(table) or records(table, command) or _has_the_hand(table, command)
    )
    return refusal or (CardsLookedAt(command.hand, patron_of(command) or "", recorder_of(command)),)


def squeezing_time(table: Table) -> Refusal | None:
    """Refuse where, or while, no cards are squeezed."""
    method = method_of(table) if table.setting else None
    return (
        is_open(table)
        or has_rule(table, "squeeze-permission")
        or in_phase(table, Phase.DEALING)
        or not_held(table)
        or (None if method and method.squeezing else refuse("no-handling", "method-b-no-handling"))
    )


@decides(PermitSqueeze)
def permit_squeeze(table: Table, command: PermitSqueeze) -> Decision:
    """Let any patron squeeze, or a person they name, by the Pit Manager's leave; never under Method B (reading R18)."""
    provision = "squeeze-permission"
    refusal = (
        squeezing_time(table)
        or by(table, command, Role.PIT_MANAGER, provision=provision)
        or can_be_a_patron(command.patron)
        or initial_deal_done(table)
        or _face_down(table, command)
    )
    clause = table.book.clause_of(provision)
    return refusal or (SqueezePermitted(command.hand, command.patron, clause, command.place),)


def _face_down(table: Table, command: PermitSqueeze) -> Refusal | None:
    """Refuse unless the card is face down, or one of the hand's."""
    places = table.round.hands[command.hand]
    wanted = range(len(places)) if command.place is None else (command.place,)
    there = any(0 <= at < len(places) and places[at].card is None for at in wanted)
    return None if there else refuse("no-such-card", case="all-exposed")


@evolves(FirstHandChosen)
def _first_hand_chosen(table: Table, event: FirstHandChosen) -> Table:
    return table.round_changed(first_hand=event.hand)


@evolves(HandPassed)
def _hand_passed(table: Table, event: HandPassed) -> Table:
    handlers = with_entry(table.round.handlers, event.hand, event.patron)
    passed = table.round_changed(handlers=handlers, taken_from=without_entry(table.round.taken_from, event.hand))
    return passed if _is_permitted(table, event) else permission_over(passed, event.hand)


def permission_over(table: Table, hand: Hand) -> Table:
    """Return the table with no person permitted to squeeze a hand."""
    return table.round_changed(permitted=without_entry(table.round.permitted, hand))


@evolves(HandDeclined)
def _hand_declined(table: Table, event: HandDeclined) -> Table:
    # A patron who declines a hand passed in error may still be passed it rightly.
    whole = table.round.handlers.get(event.hand) == event.patron
    rightly = whole and event.hand not in table.round.wrongly_passed
    declined = table.round.declined | {(event.hand, event.patron)} if rightly else table.round.declined
    gone = handler_gone(table, event).round_changed(declined=declined)
    return permission_over(gone, event.hand) if _is_permitted(table, event) else gone


@evolves(CardsLookedAt)
def _cards_looked_at(table: Table, event: CardsLookedAt) -> Table:
    seen = table.round.held_by(event.hand, event.patron)
    return table.round_changed(looked=table.round.looked | seen, any_seen=True)


@evolves(SqueezePermitted)
def _squeeze_permitted(table: Table, event: SqueezePermitted) -> Table:
    round_, hand = table.round, event.hand
    if event.place is not None:
        number = round_.hands[hand][event.place].index
        singles = with_entry(round_.single_cards, number, event.patron)
        return table.round_changed(single_cards=singles, looked=round_.looked - {number})
    numbers = numbers_of(table, hand)
    others = {number: who for number, who in round_.single_cards.items() if number not in numbers}
    handlers = with_entry(round_.handlers, hand, event.patron)
    return handler_gone(table.round_changed(single_cards=others), event).round_changed(
        handlers=handlers,
        taken_from=without_entry(round_.taken_from, hand),
        permitted=with_entry(round_.permitted, hand, event.patron),
    )


def handler_gone(table: Table, event: _OfAHand) -> Table:
    """Return the table with the patron no longer having cards of the hand, wrongly or having looked at them.

    Where others have single cards of it, those stay with them.
    """
    round_, hand = table.round, event.hand
    numbers = numbers_of(table, hand)
    singles = {number: who for number, who in round_.single_cards.items() if number in numbers}
    own = {number for number, who in singles.items() if who == event.patron}
    if own and round_.handlers.get(hand) != event.patron:
        left = {number: who for number, who in round_.single_cards.items() if number not in own}
        return table.round_changed(single_cards=left, looked=round_.looked - own)
    return table.round_changed(
        handlers=without_entry(round_.handlers, hand),
        single_cards={number: who for number, who in round_.single_cards.items() if number not in own},
        wrongly_passed=round_.wrongly_passed - {hand},
        third_astray=round_.third_astray - {hand},
        looked=round_.looked - (numbers - (singles.keys() - own)),
    )


def numbers_of(table: Table, hand: Hand) -> frozenset[int]:
    return frozenset(place.index for place in table.round.hands[hand])
