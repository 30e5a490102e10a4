"""Who handles the cards: passing a hand face down (Method A), and a patron with the dealing device (Method C)."""

from __future__ import annotations

from punto.rules.rulebook import Method
from punto.rules.table_of_play import INITIAL_DEAL, Hand
from punto.table.commands import (
    ChooseFirstHand,
    DeclineHand,
    GiveDevice,
    GiveUpDevice,
    LookAtCards,
    PassHand,
    PermitDrawing,
    TakeBackDevice,
)
from punto.table.events import (
    CardsLookedAt,
    DeviceGiven,
    DeviceReturned,
    DrawingPermitted,
    FirstHandChosen,
    HandDeclined,
    HandPassed,
)
from punto.table.guards import Decision, by, has_rule, in_phase, is_open, is_patron, not_held
from punto.table.refusal import Refusal, refuse
from punto.table.roles import Role
from punto.table.state import Phase, Table

WAGER_ON = {Hand.PLAYER: "Player", Hand.BANKER: "Banker"}


def method_of(table: Table) -> Method | None:
    """The method the table deals by; None where the game has none."""
    return table.book.method(table.set_up.method)


def choose_first_hand(table: Table, command: ChooseFirstHand) -> Decision:
    refusal = (
        is_open(table)
        or has_rule(table, "method-a-reveal-order")
        or in_phase(table, Phase.DEALING)
        or not_held(table)
        or _by_method(table, "A")
        or by(table, command, Role.DEALER, provision="method-a-reveal-order")
        or initial_deal_done(table)
        or (refuse("no-such-card") if table.first_hand and _any_exposed(table) else None)
    )
    return refusal or (FirstHandChosen(command.hand, table.book.clause_of("method-a-reveal-order")),)


def _by_method(table: Table, *names: str) -> Refusal | None:
    return None if table.set_up.method in names else refuse("no-handling", "method-b-no-handling")


def initial_deal_done(table: Table) -> Refusal | None:
    return None if table.drawn >= len(INITIAL_DEAL) else refuse("no-such-card", "initial-deal")


def _any_exposed(table: Table) -> bool:
    return any(place.card for places in table.hands.values() for place in places)


def pass_hand(table: Table, command: PassHand) -> Decision:
    """Under Method A the hand goes where reading R19 says; under Method C through the Dealer to whom it may concern."""
    refusal = (
        is_open(table)
        or has_rule(table, "methods")
        or in_phase(table, Phase.DEALING)
        or not_held(table)
        or _by_method(table, "A", "C")
        or initial_deal_done(table)
        or is_patron(table, command.patron)
        or _still_face_down(table, command.hand)
    )
    if refusal:
        return refusal
    if table.set_up.method == "C":
        provision = "method-c-through-dealer"
        return by(table, command, Role.DEALER, provision=provision) or (
            HandPassed(command.hand, command.patron, table.book.clause_of(provision)),
        )
    return _pass_under_method_a(table, command)


def _still_face_down(table: Table, hand: Hand) -> Refusal | None:
    holder = table.handlers.get(hand)
    if holder:
        return refuse("cards-with-patron", hand=hand.value, patron=holder)
    return refuse("no-such-card") if any(place.card for place in table.hands[hand]) else None


def _pass_under_method_a(table: Table, command: PassHand) -> Decision:
    entitled = entitled_to(table, command.hand)
    if entitled is None:
        # Nobody the rules name is left: the Pit Supervisor says who.
        provision = "method-a-discretion"
        refusal = by(table, command, Role.PIT_SUPERVISOR, provision=provision)
    else:
        provision = "method-a-highest"
        refusal = by(table, command, Role.DEALER, provision=provision)
        if command.patron != entitled:
            refusal = refusal or refuse("not-entitled", provision, hand=command.hand.value, entitled=entitled)
    return refusal or (HandPassed(command.hand, command.patron, table.book.clause_of(provision)),)


def entitled_to(table: Table, hand: Hand) -> str | None:
    """The patron a hand is passed to under Method A, of those who have not declined it (reading R19).

    The one with the most on the hand; among equals whoever reached it first, and after he has declined the next of
    them counter-clockwise, which is by rising number of position; then the next highest.
    """
    standing = [each for each in _wagerers(table, hand) if (hand, each.patron) not in table.declined]
    if not standing:
        return None
    most = max(each.amount for each in standing)
    equals = [each for each in _wagerers(table, hand) if each.amount == most]
    first = min(equals, key=lambda each: each.reached)
    positions = table.set_up.positions
    left = [each for each in equals if (hand, each.patron) not in table.declined]
    return min(left, key=lambda each: ((each.position - first.position) % positions, each.reached)).patron


class _Wagerer:
    """What one patron has on a hand, all his positions together, counted at his first position."""

    def __init__(self, patron: str) -> None:
        self.patron, self.amount, self.reached, self.position = patron, 0, 0, 1_000_000


def _wagerers(table: Table, hand: Hand) -> list[_Wagerer]:
    found: dict[str, _Wagerer] = {}
    for (patron, position, wager), stake in table.stakes.items():
        if wager == WAGER_ON[hand]:
            each = found.setdefault(patron, _Wagerer(patron))
            each.amount += stake.amount
            each.reached = max(each.reached, stake.reached)
            each.position = min(each.position, position)
    return list(found.values())


def decline_hand(table: Table, command: DeclineHand) -> Decision:
    refusal = (
        in_phase(table, Phase.DEALING)
        or not_held(table)
        or _has_the_hand(table, command)
        or (refuse("no-such-card") if _begun(table, command.hand) else None)
    )
    return refusal or (HandDeclined(command.hand, command.by.id),)


def _begun(table: Table, hand: Hand) -> bool:
    """Whether the cards have been looked at, or one of the first two turned and not the other."""
    return table.looked_at(hand) or len({place.card is None for place in table.hands[hand][:2]}) == 2


def _has_the_hand(table: Table, command: DeclineHand | LookAtCards) -> Refusal | None:
    himself = command.by.role is Role.PATRON and table.handlers.get(command.hand) == command.by.id
    return None if himself else refuse("not-your-cards", hand=command.hand.value)


def look_at_cards(table: Table, command: LookAtCards) -> Decision:
    refusal = in_phase(table, Phase.DEALING) or not_held(table) or _has_the_hand(table, command)
    return refusal or (CardsLookedAt(command.hand, command.by.id),)


def permit_drawing(table: Table, command: PermitDrawing) -> Decision:
    provision = "method-c-no-wager"
    refusal = (
        is_open(table)
        or has_rule(table, provision)
        or by(table, command, Role.ASSISTANT_CASINO_MANAGER, provision=provision)
        or is_patron(table, command.patron)
    )
    return refusal or (DrawingPermitted(command.patron, table.book.clause_of(provision)),)


def give_device(table: Table, command: GiveDevice) -> Decision:
    provision = "method-c-draw"
    refusal = (
        is_open(table)
        or has_rule(table, provision)
        or in_phase(table, Phase.IDLE, Phase.BETTING, Phase.CLOSED, Phase.DEALING)
        or (None if table.set_up.method == "C" else refuse("no-handling", "device-with-dealer"))
        or by(table, command, Role.DEALER, provision=provision)
        or is_patron(table, command.patron)
        or (refuse("device-not-held", holder=table.device) if table.device else None)
    )
    return refusal or (DeviceGiven(command.patron, table.book.clause_of(provision)),)


def give_up_device(table: Table, command: GiveUpDevice) -> Decision:
    provision = "method-c-gives-up"
    himself = command.by.role is Role.PATRON and table.device == command.by.id
    refusal = (
        is_open(table)
        or has_rule(table, provision)
        or (None if himself else refuse("device-not-held", holder=table.device or "the Dealer"))
    )
    return refusal or (DeviceReturned(command.by.id, table.book.clause_of(provision)),)


def take_back_device(table: Table, command: TakeBackDevice) -> Decision:
    """The patron with the device has left, which no other rule covers: the Gaming Shift Manager has it taken back."""
    refusal = (
        is_open(table)
        or has_rule(table, "method-c")
        or by(table, command, Role.GAMING_SHIFT_MANAGER, provision="referral")
        or (None if table.device else refuse("device-not-held", holder="the Dealer"))
    )
    return refusal or (DeviceReturned(table.device or "", table.book.clause_of("referral")),)


def may_draw(table: Table, patron: str) -> Refusal | None:
    """A patron with the device draws if he has a wager, or permission to draw without."""
    if patron in table.may_draw or any(who == patron for who, _, _ in table.stakes):
        return None
    return refuse("no-valid-wager", "method-c-no-wager", patron=patron)
