"""What goes wrong at the practice table: each kind of irregularity in the catalogue, at a moment where it can happen.

A case makes something happen and gives the report that a Dealer would give of it. The table decides what follows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from msgspec.structs import replace

from punto.cards import DECK, Card
from punto.rules.coup import Coup, Unlawful
from punto.rules.rulebook import Rulebook
from punto.rules.table_of_play import INITIAL_DEAL, Hand
from punto.school.phrases import Money, Named, Phrase, phrase
from punto.school.practice_table import ANYBODY, PATRONS, STAKED_AT_MOST, Practice, acting
from punto.table.command import Command
from punto.table.default_settings import dealt_by_hand
from punto.table.guidance.next_step import next_face_down
from punto.table.irregularities.absent_patron import ReportAbsent
from punto.table.irregularities.cards_taken import ReportCardsTaken
from punto.table.irregularities.correction import CorrectCard, CorrectRound
from punto.table.irregularities.device_moved import ReportDeviceMoved
from punto.table.irregularities.device_reset import ReportReset
from punto.table.irregularities.differential import differential
from punto.table.irregularities.drawn_together import CardsDrawnTogether, ReportDrawnTogether
from punto.table.irregularities.exposed_in_error import ExposeInError
from punto.table.irregularities.face_up import ReportFaceUp
from punto.table.irregularities.late_wagers import (
    NoteLateWithdrawal,
    RecordWager,
    RefuseLateWager,
    SettleOverlookedWager,
)
from punto.table.irregularities.misdealt_cards import ReportMisplaced, ReportWrongNumber
from punto.table.irregularities.power_failure import ReportPowerFailure
from punto.table.irregularities.referral import Refer
from punto.table.irregularities.relaid_cards import RelayByHands, RelayByOrder
from punto.table.irregularities.void import ReportVoid
from punto.table.irregularities.withdrawal import OfferWithdrawal
from punto.table.irregularities.withdrawn_report import WithdrawReport
from punto.table.irregularities.wrong_patron import ReportWrongPass
from punto.table.play.card_handling import LookAtCards, PermitSqueeze, entitled_to
from punto.table.play.dealing import ExposeCard, ShowCuttingCard
from punto.table.play.dealing_device import GiveDevice, TakeBackDevice
from punto.table.play.unread_card import NameCard
from punto.table.play.wagers import CloseBets, PlaceWager
from punto.table.play.wrong_payout import ReportPayout
from punto.table.procedures import Procedure
from punto.table.roles import Role
from punto.table.round import Phase
from punto.table.settings import Device, Setting
from punto.table.table import Table

Fits = Callable[[Table], bool]


@dataclass(frozen=True, slots=True)
class Incident:
    """Something that went wrong: the report of it, and the story for the learner."""

    report: Command
    told: Phrase
    patron: str | None = None
    """The patron it concerns, if any."""
    after: Command | None = None
    """What a patron does right after it, before it is reported."""


@dataclass(frozen=True, slots=True)
class Case:
    """A way in which something can go wrong: at which moments, and what then happens."""

    name: str
    at: tuple[Fits, ...]
    happens: Callable[[Practice], Incident]
    method: str | None = None
    """The method it takes, where the catalogue leaves that open."""
    few_decks: bool = False
    differential: bool = False
    """Whether the house has set one."""
    rests_on: tuple[str, ...] = ()
    """The provisions that decide this case, where they are not the procedure's own."""


# --- moments ---------------------------------------------------------------------------------------------------------


def _betting(table: Table) -> bool:
    return table.phase is Phase.BETTING


def _closed(table: Table) -> bool:
    return table.phase is Phase.CLOSED


def _initial(table: Table) -> bool:
    """Return whether some of the first four cards are drawn, and another is to come."""
    return table.phase is Phase.DEALING and table.round.drawn < len(INITIAL_DEAL)


def _two_to_come(table: Table) -> bool:
    return _initial(table) and table.round.drawn <= len(INITIAL_DEAL) - 2


def _four_face_down(table: Table) -> bool:
    return table.phase is Phase.DEALING and table.round.drawn == len(INITIAL_DEAL) and not table.round.any_seen


def _four_turned(table: Table) -> bool:
    dealt = table.phase is Phase.DEALING and table.round.drawn == len(INITIAL_DEAL)
    return dealt and table.round.all_exposed


def _being_turned(table: Table) -> bool:
    """Return whether all four cards are drawn, and some are not turned yet."""
    return table.phase is Phase.DEALING and table.round.drawn == len(INITIAL_DEAL) and not table.round.all_exposed


def _one_seen(table: Table) -> bool:
    return _being_turned(table) and table.round.any_seen


def _due(table: Table) -> Hand | None:
    """Return the hand that a third card is due to."""
    turned = table.phase is Phase.DEALING and table.round.initial_deal_done and table.round.all_exposed
    return table.round.next_hand if turned else None


def _third_due(table: Table) -> bool:
    return _due(table) is not None


def _deal_over(table: Table) -> bool:
    return table.phase is Phase.DEALING and table.round.deal_over


def _outcome(table: Table) -> bool:
    return table.phase is Phase.OUTCOME


def _settled(table: Table) -> bool:
    return table.phase is Phase.IDLE and table.round_number in table.history


def _hand_with_patron(table: Table) -> bool:
    return any(next_face_down(table, hand) == 0 for hand in table.round.handlers)


def _short_of_cards(table: Table) -> bool:
    return table.phase is Phase.CLOSED and table.cards_left < len(INITIAL_DEAL)


# --- wagers ----------------------------------------------------------------------------------------------------------


def _on(area: tuple[str, int, str], **more: object) -> dict[str, object]:
    patron, position, wager = area
    return {"patron": patron, "position": position, "wager": Named("wager", wager), **more}


def _own_area(practice: Practice, taken: bool) -> tuple[str, int, str]:
    """Return an area of a patron, with or without a wager on it."""
    if taken:
        return practice.lot.pick(practice.areas())
    patron = practice.lot.pick(PATRONS)
    position = practice.position_of(patron)
    free = [each.name for each in practice.table.book.wagers if (patron, position, each.name) not in practice.areas()]
    return patron, position, practice.lot.pick(free)


def _late(raised: bool) -> Callable[[Practice], Incident]:
    def happens(practice: Practice) -> Incident:
        area = _own_area(practice, raised)
        amount = practice.some_stake(area[2])
        told = phrase("trouble-late-raise" if raised else "trouble-late-wager", **_on(area, amount=Money(amount)))
        return Incident(RefuseLateWager(ANYBODY, *area, amount), told, area[0])

    return happens


def _picked_up(practice: Practice) -> Incident:
    area = _own_area(practice, taken=True)
    return Incident(NoteLateWithdrawal(ANYBODY, *area), phrase("trouble-late-withdrawal", **_on(area)), area[0])


def _found(how: str) -> Callable[[Practice], Incident]:
    """Return the case of a wager not recorded: within the limits, under the minimum or over the maximum."""

    def happens(practice: Practice) -> Incident:
        area = _own_area(practice, taken=False)
        limits = practice.table.set_up.limits[area[2]]
        step = practice.table.set_up.stake_step
        amounts = {"under": limits.minimum - step, "over": limits.maximum + practice.lot.between(1, 9) * 10 * step}
        amount = amounts.get(how) or practice.some_stake(area[2])
        least_and_most = {"minimum": Money(limits.minimum), "maximum": Money(limits.maximum)}
        told = phrase("trouble-wager-found", **_on(area, amount=Money(amount), **least_and_most))
        return Incident(RecordWager(ANYBODY, *area, amount), told, area[0])

    return happens


_ALLOWED = len(PATRONS) * STAKED_AT_MOST
"""A table differential that what is usually staked does not exceed."""


def _too_far_apart(practice: Practice) -> Incident:
    """Have a patron on the hand with more raise beyond the differential, just before betting closes."""
    table = practice.table
    found = differential(table)
    assert found
    area = next(each for each in practice.areas() if each[2] == found.higher)
    amount = _ALLOWED - found.difference + practice.lot.between(1, 9) * 100 * table.set_up.stake_step
    practice.give(PlaceWager(acting(Role.PATRON, area[0]), *area, amount))
    told = phrase("trouble-too-far-apart", **_on(area, amount=Money(amount), allowed=Money(_ALLOWED)))
    return Incident(CloseBets(ANYBODY), told, area[0])


# --- cards -----------------------------------------------------------------------------------------------------------


def _together_told(count: int, order_known: bool) -> Phrase:
    return phrase("trouble-together-known" if order_known else "trouble-together-unknown", count=count)


def _together(order_known: bool) -> Callable[[Practice], Incident]:
    return lambda _: Incident(ReportDrawnTogether(ANYBODY, 2, order_known), _together_told(2, order_known))


def _together_in_the_house(event: CardsDrawnTogether) -> tuple[str, Phrase] | None:
    told = _together_told(len(event.indices), event.order_known)
    return None if event.laid else ("drawn-together", told)


TOLD_ALIKE = {CardsDrawnTogether: _together_in_the_house}
"""Events of the house that are told as they are in practice: the key of the procedure and the story."""


def _together_late(_: Practice) -> Incident:
    first = ((Hand.PLAYER, 0), (Hand.BANKER, 0))
    return Incident(ReportDrawnTogether(ANYBODY, 0, order_known=False, places=first), phrase("trouble-together-late"))


def _one_too_many(_: Practice) -> Incident:
    return Incident(ReportDrawnTogether(ANYBODY, 1, order_known=True), phrase("trouble-one-too-many"))


def _face_up(_: Practice) -> Incident:
    return Incident(ReportFaceUp(ANYBODY), phrase("trouble-face-up"))


def _wrong_payout(practice: Practice) -> Incident:
    """Half the stake too much."""
    number = practice.table.round_number
    settled = practice.lot.pick(practice.table.history[number].wagers)
    area = (settled.patron, settled.position, settled.wager)
    paid = settled.returned + settled.stake // 2
    told = phrase("trouble-wrong-payout", **_on(area, amount=Money(paid)))
    return Incident(ReportPayout(ANYBODY, number, *area, paid), told)


def _overlooked(practice: Practice) -> Incident:
    """Part of a wager was not recorded."""
    number = practice.table.round_number
    area = practice.lot.pick(practice.table.history[number].wagers).area
    amount = practice.some_stake(area[2])
    told = phrase("trouble-overlooked", **_on(area, amount=Money(amount)))
    return Incident(SettleOverlookedWager(ANYBODY, number, *area, amount), told)


def _misplaced(practice: Practice) -> Incident:
    table = practice.table
    hand = (_due(table) or INITIAL_DEAL[table.round.drawn]).other
    return Incident(ReportMisplaced(ANYBODY, hand), phrase("trouble-misplaced", hand=Named("hand", hand.value)))


def _wrong_order(practice: Practice) -> Incident:
    """Dealt to Player, Player, Banker, Banker, and turned where they lay."""
    places = (*practice.table.round.hands[Hand.PLAYER], *practice.table.round.hands[Hand.BANKER])
    order = tuple(place.card for place in places)
    return Incident(RelayByOrder(ANYBODY, order), phrase("trouble-wrong-order", cards=order))


def _wrong_hands(_: Practice) -> Incident:
    hands = (Hand.PLAYER, Hand.PLAYER, Hand.BANKER, Hand.BANKER)
    return Incident(RelayByHands(ANYBODY, hands), phrase("trouble-wrong-hands"))


def _cutting_card(practice: Practice) -> Incident:
    practice.give(ShowCuttingCard(ANYBODY))
    return Incident(OfferWithdrawal(ANYBODY), phrase("trouble-cutting-card-first"))


def _wrong_number(practice: Practice) -> Incident:
    hand = practice.lot.pick(tuple(Hand))
    return Incident(ReportWrongNumber(ANYBODY), phrase("trouble-wrong-number", hand=Named("hand", hand.value)))


def _card_to_turn(practice: Practice) -> tuple[Hand, int, Card]:
    """Return a card that is turned next: of which hand, where, and which it is."""
    places = {hand: next_face_down(practice.table, hand) for hand in Hand}
    hand = practice.lot.pick([hand for hand, place in places.items() if place is not None])
    place = places[hand]
    assert place is not None
    return hand, place, practice.lies(hand, place)


def _in_error(practice: Practice) -> Incident:
    hand, place, card = _card_to_turn(practice)
    told = phrase("trouble-exposed", hand=Named("hand", hand.value), place=Named("place", str(place)), card=card)
    return Incident(ExposeInError(ANYBODY, hand, place, card), told)


# --- passing ---------------------------------------------------------------------------------------------------------


def _not_entitled(practice: Practice) -> tuple[Hand, str]:
    hand = practice.lot.pick(tuple(Hand))
    right = entitled_to(practice.table, hand)
    entitled = right.patron if right else None
    return hand, practice.lot.pick([each for each in PATRONS if each != entitled])


def _wrong_pass(looked: bool) -> Callable[[Practice], Incident]:
    def happens(practice: Practice) -> Incident:
        hand, patron = _not_entitled(practice)
        words = "trouble-wrong-pass-looked" if looked else "trouble-wrong-pass"
        told = phrase(words, hand=Named("hand", hand.value), patron=patron)
        looks = LookAtCards(acting(Role.PATRON, patron), hand) if looked else None
        return Incident(ReportWrongPass(ANYBODY, hand, patron), told, patron, looks)

    return happens


def _held_hand(practice: Practice) -> Hand:
    table = practice.table
    return practice.lot.pick([hand for hand in sorted(table.round.handlers) if next_face_down(table, hand) == 0])


def _gone(taking_cards: bool) -> Callable[[Practice], Incident]:
    def happens(practice: Practice) -> Incident:
        hand = _held_hand(practice)
        patron = practice.table.round.handlers[hand]
        told = {"patron": patron, "hand": Named("hand", hand.value)}
        if taking_cards:
            return Incident(ReportCardsTaken(ANYBODY, hand), phrase("trouble-cards-taken", **told), patron)
        return Incident(ReportAbsent(ANYBODY, hand), phrase("trouble-absent", **told), patron)

    return happens


def _squeeze(practice: Practice) -> Incident:
    hand, patron = _not_entitled(practice)
    told = phrase("trouble-squeeze", hand=Named("hand", hand.value), patron=patron)
    return Incident(PermitSqueeze(ANYBODY, hand, patron), told, patron)


# --- the device, and what voids a round ------------------------------------------------------------------------------


def _device_moved(altered: bool) -> Callable[[Practice], Incident]:
    words = "trouble-device-altered" if altered else "trouble-device-exposed"
    return lambda _: Incident(ReportDeviceMoved(ANYBODY, altered), phrase(words))


def _reset(practice: Practice) -> Incident:
    words = "trouble-reset-seen" if practice.table.round.any_seen else "trouble-reset"
    return Incident(ReportReset(ANYBODY), phrase(words))


def _device_left(practice: Practice) -> Incident:
    patron = practice.lot.pick(PATRONS)
    practice.give(GiveDevice(ANYBODY, patron))
    return Incident(TakeBackDevice(ANYBODY), phrase("trouble-device-left", patron=patron), patron)


def _voiding(provision: str) -> Callable[[Practice], Incident]:
    return lambda _: Incident(ReportVoid(ANYBODY, provision), phrase(f"trouble-{provision}"))


# --- anything else ---------------------------------------------------------------------------------------------------


def _power_failure(_: Practice) -> Incident:
    return Incident(ReportPowerFailure(ANYBODY), phrase("trouble-power"))


def _miskeyed(practice: Practice) -> Incident:
    """Turn a card and key it as another one."""
    hand, place, real = _card_to_turn(practice)
    keyed = practice.lot.pick([each for each in DECK if each.suit is real.suit and each is not real])
    practice.give(ExposeCard(ANYBODY, hand, place, keyed))
    places = {"hand": Named("hand", hand.value), "place": Named("place", str(place))}
    told = phrase("trouble-miskeyed", **places, keyed=keyed, card=real)
    return Incident(CorrectCard(ANYBODY, hand, place, real), told)


def _missed(face_down: bool) -> Callable[[Practice], Incident]:
    """Return the case of a card that the device did not read: still face down, or turned since."""

    def happens(practice: Practice) -> Incident:
        hand, place, card = _card_to_turn(practice)
        where = {"hand": Named("hand", hand.value), "place": Named("place", str(place))}
        if face_down:
            return Incident(NameCard(ANYBODY, hand, place), phrase("trouble-reader-missed-face-down", **where))
        told = phrase("trouble-reader-missed", **where, card=card)
        return Incident(NameCard(ANYBODY, hand, place, card), told)

    return happens


def _misread(practice: Practice) -> Incident:
    """Turn a card that the device took for another one."""
    hand, place, real = _card_to_turn(practice)
    read = practice.lot.pick([each for each in DECK if each.suit is real.suit and each is not real])
    practice.give(ExposeCard(ANYBODY, hand, place, read))
    where = {"hand": Named("hand", hand.value), "place": Named("place", str(place))}
    told = phrase("trouble-reader-misread", **where, keyed=read, card=real)
    return Incident(NameCard(ANYBODY, hand, place, real, misread=True), told)


def _wrong_record(practice: Practice) -> Incident:
    """Report that one card of the settled round was another one."""
    table = practice.table
    record = table.history[table.round_number]
    while True:
        cards = [list(record.player), list(record.banker)]
        at = practice.lot.below(len(record.cards))
        hand, place = (0, at) if at < len(record.player) else (1, at - len(record.player))
        keyed, real = cards[hand][place], practice.lot.pick(DECK)
        cards[hand][place] = real
        if real != keyed and (coup := _lawful(cards)) and coup.winner != Coup(record.player, record.banker).winner:
            break
    where = {"hand": Named("hand", tuple(Hand)[hand].value), "place": Named("place", str(place))}
    told = phrase("trouble-wrong-record", **where, round=table.round_number, keyed=keyed, card=real)
    return Incident(CorrectRound(ANYBODY, table.round_number, coup.player, coup.banker), told)


def _lawful(cards: list[list[Card]]) -> Coup | None:
    try:
        return Coup(tuple(cards[0]), tuple(cards[1]))
    except Unlawful:
        return None


def _uncovered(what: str) -> Callable[[Practice], Incident]:
    def happens(_: Practice) -> Incident:
        told = phrase(f"trouble-uncovered-{what}")
        return Incident(Refer(ANYBODY, told.text()), told)

    return happens


def _settled_referred(practice: Practice) -> Incident:
    """Have something come out about the settled round that no rule covers."""
    number, told = practice.table.round_number, phrase("trouble-settled-referred", round=practice.table.round_number)
    return Incident(Refer(ANYBODY, told.text(), round=number), told)


def _mistaken(practice: Practice) -> Incident:
    """Report the cards as wrong, and have a second count find them all there."""
    book = practice.table.book
    practice.give(ReportVoid(ANYBODY, "wrong-cards" if book.clauses_of("wrong-cards") else "foreign-cards"))
    told = phrase("trouble-mistaken-report")
    return Incident(WithdrawReport(ANYBODY, reason=told.text()), told)


_DRAWING = (_initial, _being_turned, _third_due)
_ANY_TIME = (_betting, _closed, *_DRAWING, _outcome)

CASES: dict[str, tuple[Case, ...]] = {
    "late-wager": (Case("new", (_closed, *_DRAWING), _late(False)), Case("raised", (_closed, *_DRAWING), _late(True))),
    "late-withdrawal": (Case("picked-up", (_closed, *_DRAWING, _deal_over), _picked_up),),
    "wager-found": (
        Case("unseen", (_closed, _initial), _found("within")),
        Case("seen", (_one_seen, _third_due), _found("within")),
        Case("under", (_closed,), _found("under"), rests_on=("under-minimum",)),
        Case("over", (_closed,), _found("over"), rests_on=("over-maximum",)),
    ),
    "wager-overlooked": (Case("in-part", (_settled,), _overlooked),),
    "wrong-payout": (Case("too-much", (_settled,), _wrong_payout),),
    "differential-exceeded": (Case("raised", (_betting,), _too_far_apart, differential=True),),
    "drawn-together": (
        Case(
            "known",
            (_two_to_come,),
            _together(order_known=True),
            rests_on=("drawn-together", "drawn-together-withdrawal"),
        ),
        Case(
            "unknown-initial",
            (_closed, _two_to_come),
            _together(order_known=False),
            rests_on=("drawn-together-unknown-initial",),
        ),
        Case("unknown-later", (_third_due,), _together(order_known=False), rests_on=("drawn-together-unknown-later",)),
        Case("one-too-many", (_deal_over,), _one_too_many, rests_on=("wrong-number-of-cards", "referral")),
    ),
    "drawn-together-late": (
        Case("initial", (_four_turned,), _together_late, rests_on=("drawn-together-unknown-initial",)),
    ),
    "card-face-up": (
        Case("later", (_initial, _third_due), _face_up),
        Case("first", (_closed,), _face_up, rests_on=("referral",)),
    ),
    "misplaced": (Case("initial", (_closed, _initial), _misplaced), Case("third", (_third_due,), _misplaced)),
    "wrong-order": (Case("turned", (_four_turned,), _wrong_order),),
    "wrong-hands": (Case("laid", (_four_face_down,), _wrong_hands),),
    "cutting-card-first": (Case("offered", (_closed,), _cutting_card),),
    "wrong-number-of-cards": (
        Case("found", (_deal_over, _outcome), _wrong_number),
        Case("settled", (_settled,), _wrong_number),
    ),
    "exposed-in-error": (Case("turned", (_initial, _being_turned), _in_error),),
    "wrong-pass": (
        Case("not-looked", (_four_face_down,), _wrong_pass(looked=False), "A"),
        Case("looked", (_four_face_down,), _wrong_pass(looked=True), "A", rests_on=("not-wrong-delivery",)),
    ),
    "handler-absent": (Case("absent", (_hand_with_patron,), _gone(taking_cards=False), "A"),),
    "squeeze": (Case("asked", (_four_face_down,), _squeeze, "A"),),
    "cards-taken": (Case("taken", (_hand_with_patron,), _gone(taking_cards=True), "A"),),
    "reader-missed": (Case("open", (_being_turned,), _missed(face_down=False)),),
    "reader-missed-face-down": (Case("face-down", (_four_face_down,), _missed(face_down=True)),),
    "reader-misread": (Case("shown", (_being_turned,), _misread),),
    "device-moved-exposed": (Case("exposed", (_closed, *_DRAWING), _device_moved(altered=False)),),
    "device-moved-altered": (Case("altered", (_closed, *_DRAWING), _device_moved(altered=True)),),
    "device-reset": (
        Case("unseen", (_closed, _initial), _reset),
        Case("seen", (_one_seen, _third_due), _reset),
    ),
    "device-left": (Case("left", (_betting,), _device_left, rests_on=("referral",)),),
    "wrong-cards": (Case("found", _ANY_TIME, _voiding("wrong-cards")),),
    "foreign-cards": (Case("found", _ANY_TIME, _voiding("foreign-cards")),),
    "order-altered": (Case("altered", _ANY_TIME, _voiding("order-altered")),),
    "insufficient-cards": (Case("short", (_short_of_cards,), _voiding("insufficient-cards"), few_decks=True),),
    "power-failure": (
        Case("open", (_closed, _initial), _power_failure),
        Case("decided", (_deal_over, _outcome), _power_failure),
    ),
    "miskeyed": (Case("keyed", (_being_turned,), _miskeyed),),
    "round-corrected": (Case("settled", (_settled,), _wrong_record),),
    "referral": tuple(
        Case(what, (_betting, _closed, *_DRAWING), _uncovered(what)) for what in ("drink", "dispute", "chips")
    ),
    "settled-round-referred": (Case("claim", (_settled,), _settled_referred),),
    "mistaken-report": (Case("recounted", _ANY_TIME, _mistaken),),
}
"""For each procedure of the catalogue that begins with something going wrong, the ways in which it is practised."""


ALIKE = (
    {"device-moved-altered", "order-altered"},
    {"device-moved-exposed", "card-face-up", "exposed-in-error"},
    {"wrong-number-of-cards", "drawn-together"},
    {"drawn-together-late", "drawn-together", "wrong-order", "wrong-hands"},
    {"wrong-number-of-cards", "misplaced", "wrong-order", "wrong-hands"},
    {"wrong-cards", "cards-taken"},
    {"handler-absent", "cards-taken"},
    {"reader-missed", "reader-missed-face-down"},
    {"reader-missed", "exposed-in-error"},
    {"reader-misread", "miskeyed"},
    {"referral", "settled-round-referred"},
    {"mistaken-report", "wrong-cards", "foreign-cards", "order-altered"},
)
"""Procedures that fit the same story: never offered together."""


def setting_for(book: Rulebook, procedure: Procedure, case: Case) -> Setting:
    """Return a table at which that can happen: dealt by hand, unless it takes another device, method or place."""
    plain = dealt_by_hand(book)
    name = case.method or (procedure.methods[0] if procedure.methods else plain.method)
    method = next((each for each in book.methods if each.name == name), None)
    device = plain.device if plain.device in procedure.devices else procedure.devices[0]
    return replace(
        plain,
        method=name if book.methods else None,
        hlga=procedure.hlga or bool(method and method.hlga_only),
        device=Device(method.device) if method and method.device else device,
        decks=book.decks.fewest if case.few_decks else plain.decks,
        differential=_ALLOWED if case.differential else plain.differential,
    )
