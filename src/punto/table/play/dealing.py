"""Drawing and exposing cards, one at a time, and announcing the outcome."""

from __future__ import annotations

from typing import Protocol

from msgspec.structs import replace

from punto.cards import Card
from punto.roads import RoundMark
from punto.rules.coup import OutcomeClass, Winner
from punto.rules.table_of_play import INITIAL_DEAL, Hand, point_total
from punto.table.command import Command, PatronAct, patron_of, recorder_of
from punto.table.event import Event
from punto.table.guards import Decision, by, in_phase, not_held, records
from punto.table.guidance.next_step import NextStep, Value, step
from punto.table.irregularities.void import EMPTY_SHOE, ask_void, card_to_expose
from punto.table.irregularities.wrong_patron import not_passed, stays_with_patron
from punto.table.play.card_handling import HandPassed, method_of, passed_back_by
from punto.table.play.dealing_device import accepted, attested, has_no_device, may_draw
from punto.table.refusal import Refusal, refuse
from punto.table.registry import decides, evolves
from punto.table.roles import Role
from punto.table.round import Phase, Place
from punto.table.settings import KNOWS_ITS_CARDS
from punto.table.table import Shoe, Table, with_entry
from punto.table.visibility import Public


class DrawCard(PatronAct, frozen=True):
    """Draw the next card, face down, to the place the Table of Play gives it."""


class ShowCuttingCard(PatronAct, frozen=True):
    """The cutting card came out instead of a card, and is set aside."""


class ExposeCard(Command, frozen=True):
    """Turn a card face up: which place, and what it is, unless the dealing device tells that."""

    hand: Hand
    place: int
    card: Card | None = None
    turned_by: str | None = None
    """The patron who turned it at the table, where the Dealer keys what was turned."""
    told: Card | None = None
    """What it is known to be by the house, for a card set aside; the server fills it in, whatever a client says."""


class AnnounceTotals(Command, frozen=True):
    """Call the point totals of both hands after the initial deal."""


class AnnounceOutcome(Command, frozen=True):
    """Call the outcome of the round."""


class CardDrawn(Event, frozen=True):
    """A card left the shoe, unseen: which one by number, and the place it was given."""

    in_packets = True
    index: Public[int]
    hand: Public[Hand]
    place: Public[int]
    drawn_by: Public[str | None] = None
    """The patron who drew it under Method C; None if the Dealer did."""
    recorded_by: str | None = None
    """The member of staff who recorded it on behalf of the patron; None if the patron gave it."""


class CuttingCardShown(Event, frozen=True):
    """The cutting card came out and was set aside."""

    in_packets = True
    first_of_round: Public[bool]
    clause: Public[str | None]
    recorded_by: str | None = None
    """The member of staff who recorded it on behalf of the patron; None if the patron gave it."""


class CardExposed(Event, frozen=True):
    """A card was turned face up."""

    in_packets = True
    hand: Public[Hand]
    place: Public[int]
    card: Public[Card]
    by_patron: Public[str | None]
    recorded_by: str | None = None
    """The member of staff who recorded it on behalf of the patron; None if the patron gave it."""


class TotalsAnnounced(Event, frozen=True):
    """The Dealer called the point totals of the two-card hands."""

    in_packets = True
    player_total: Public[int]
    banker_total: Public[int]
    clause: Public[str | None]


class OutcomeAnnounced(Event, frozen=True):
    """The Dealer called the outcome."""

    in_packets = True
    player_total: Public[int]
    banker_total: Public[int]
    winner: Public[str]
    player_pair: Public[bool]
    banker_pair: Public[bool]
    natural: Public[bool]


@decides(DrawCard)
def draw_card(table: Table, command: DrawCard) -> Decision:
    waits_for = "device-reset" if table.round.reopened else None
    refusal = (
        in_phase(table, Phase.CLOSED, Phase.DEALING, provision=waits_for) or not_held(table) or _draws(table, command)
    )
    if refusal:
        return refusal
    hand = _next_hand(table)
    if isinstance(hand, Refusal):
        return hand
    if table.cards_left == 0:
        return (ask_void(table, "insufficient-cards", EMPTY_SHOE),)
    recorder = recorder_of(command) if table.device else None
    drawn = CardDrawn(table.next_index, hand, len(table.round.hands[hand]), table.device, recorder)
    takes = (accepted(table, recorder),) if table.device and not table.device_accepted else ()
    return (*takes, *_totals_first(table), drawn)


def _totals_first(table: Table) -> tuple[Event, ...]:
    """Return the announcement of the initial totals, where a third card or the outcome follows it and it is not made.

    Calling the outcome, or giving a card by the totals, says them: what is on record is then what was said.
    """
    totals, announced = table.round.initial_totals, table.round.totals_announced
    return () if totals in (None, announced) else (_announced(table, *totals),)


def _announced(table: Table, player: int, banker: int) -> TotalsAnnounced:
    return TotalsAnnounced(player, banker, table.book.clause_of("table-of-play"))


def _draws(table: Table, command: DrawCard | ShowCuttingCard) -> Refusal | None:
    """Refuse unless the Dealer draws, or under Method C the patron with the dealing device."""
    patron = patron_of(command)
    if table.device is None and table.set_up.method == "C" and patron:
        return has_no_device(table, patron)
    if table.device is None:
        return by(table, command, Role.DEALER, provision="device-with-dealer") or _drawn_by_dealer(command)
    if patron != table.device:
        return refuse("device-not-held", "method-c-draw", holder=table.device)
    return (
        records(table, command, "method-c-draw")
        or may_draw(table, table.device)
        or attested(table, "method-c-full-view")
    )


def _drawn_by_dealer(command: DrawCard | ShowCuttingCard) -> Refusal | None:
    """Refuse the claim that a patron drew who does not have the dealing device."""
    return refuse("device-not-held", case="with-dealer") if command.patron else None


def _next_hand(table: Table) -> Hand | Refusal:
    """Return where the next card goes. A third card is drawn only when exposed cards call for it."""
    if table.round.drawn < len(INITIAL_DEAL):
        return INITIAL_DEAL[table.round.drawn]
    if not table.round.all_exposed:
        return refuse("no-card-due", "table-of-play", case="cards-face-down")
    hand = table.round.next_hand
    if hand and table.set_up.method == "C" and (refusal := attested(table, "method-c-initial-placed")):
        return refusal
    return hand or refuse("no-card-due", "table-of-play", case="deal-over")


def _shoe(table: Table) -> Shoe:
    assert table.shoe is not None
    return table.shoe


@decides(ShowCuttingCard)
def show_cutting_card(table: Table, command: ShowCuttingCard) -> Decision:
    refusal = (
        in_phase(table, Phase.CLOSED, Phase.DEALING)
        or not_held(table)
        or (_draws(table, command) if patron_of(command) else by(table, command, Role.DEALER))
        or (refuse("no-card-due", case="cutting-card-out") if _shoe(table).cutting_card_shown else None)
    )
    first, recorder = table.round.drawn == 0 and not table.out, recorder_of(command) if command.patron else None
    return refusal or (CuttingCardShown(first, table.book.clause_of("cutting-card"), recorder),)


@decides(ExposeCard)
def expose_card(table: Table, command: ExposeCard) -> Decision:
    refusal = (
        in_phase(table, Phase.DEALING)
        or _not_held_for(table, command)
        or _is_face_down(table, command)
        or (None if table.hold else in_turn(table, command))
        or _exposes(table, command)
    )
    if refusal:
        return refusal
    card = card_to_expose(table, command.card, command.told)
    if not isinstance(card, Card):
        return card
    patron = command.by.id if command.by.role is Role.PATRON else command.turned_by
    exposed = CardExposed(command.hand, command.place, card, patron, recorder_of(command) if patron else None)
    missed = not_passed(table, command.hand) if patron is None and command.place < 2 else None
    first = missed or _passed_unsaid(table, exposed)
    return (first, exposed) if first else (exposed,)


def _passed_unsaid(table: Table, exposed: CardExposed) -> HandPassed | None:
    """Return that the cards were passed to a person permitted to squeeze them, who turns one that nobody has."""
    patron = exposed.by_patron
    if patron is None or table.round.handler_of(exposed.hand, exposed.place):
        return None
    passed = HandPassed(exposed.hand, patron, None)
    provision = passed_back_by(table, passed)
    return replace(passed, clause=table.book.clause_of(provision)) if provision else None


def _not_held_for(table: Table, command: ExposeCard) -> Refusal | None:
    exposed = table.hold is not None and table.hold.permits_exposing(command.hand, command.place)
    return None if exposed else not_held(table)


def _is_face_down(table: Table, command: ExposeCard) -> Refusal | None:
    places = table.round.hands[command.hand]
    there = 0 <= command.place < len(places) and places[command.place].card is None
    return None if there else refuse("no-such-card")


class OfAPlace(Protocol):
    """Something about the card in one place."""

    @property
    def hand(self) -> Hand: ...
    @property
    def place(self) -> int: ...


def in_turn(table: Table, command: OfAPlace) -> Refusal | None:
    """Refuse before the initial deal is complete, and under Method A the hand that is not first."""
    if table.round.drawn < len(INITIAL_DEAL):
        return refuse("no-card-due", "initial-deal", case="initial-deal")
    if table.set_up.method != "A" or command.place >= 2:
        return None
    if table.round.first_hand is None:
        return refuse("first-hand-not-chosen", "method-a-reveal-order")
    first_done = all(place.card for place in table.round.hands[table.round.first_hand])
    if command.hand is table.round.first_hand or first_done:
        return None
    return refuse("other-hand-first", "method-a-reveal-order", hand=table.round.first_hand.value)


def _exposes(table: Table, command: ExposeCard) -> Refusal | None:
    """Refuse unless the patron passed the hand exposes it, else the Dealer, or the patron with the dealing device."""
    method, holder = method_of(table), table.round.handler_of(command.hand, command.place)
    handled = method is not None and method.patrons_handle_cards
    own = holder or table.round.permitted.get(command.hand) or table.device if handled else None
    if command.by.role is not Role.PATRON:
        if holder and (command.turned_by != holder or not handled):
            return refuse("cards-with-patron", hand=command.hand.value, patron=holder)
        return by(table, command, Role.DEALER) or _said_to_turn(command, own)
    if command.turned_by or (handled and command.by.id != own):
        return refuse("not-your-cards", hand=command.hand.value)
    return None if handled else refuse("no-handling", "method-b-no-handling")


def _said_to_turn(command: ExposeCard, own: str | None) -> Refusal | None:
    """Refuse the claim that a patron turned a card who does not have it."""
    ours = command.turned_by in (None, own)
    return None if ours else refuse("not-your-cards", hand=command.hand.value)


@decides(AnnounceTotals)
def announce_totals(table: Table, command: AnnounceTotals) -> Decision:
    provision, totals = "table-of-play", table.round.initial_totals
    refusal = in_phase(table, Phase.DEALING) or not_held(table) or by(table, command, Role.DEALER, provision=provision)
    if refusal:
        return refusal
    if totals is None:
        return refuse("cards-outstanding", provision)
    if totals == table.round.totals_announced:
        return refuse("already-said", provision, case="totals", player=totals[0], banker=totals[1])
    return (_announced(table, *totals),)


@decides(AnnounceOutcome)
def announce_outcome(table: Table, command: AnnounceOutcome) -> Decision:
    refusal = (
        in_phase(table, Phase.DEALING)
        or not_held(table)
        or by(table, command, Role.DEALER, provision="round-of-play")
        or (None if table.round.deal_over else refuse("cards-outstanding", "table-of-play"))
        or (attested(table, "method-c-placed") if table.set_up.method == "C" else None)
    )
    if refusal:
        return refusal
    outcome = outcome_of(table)
    mark = RoundMark.of(outcome)
    totals = outcome.player_total, outcome.banker_total
    called = OutcomeAnnounced(*totals, outcome.winner.value, mark.player_pair, mark.banker_pair, mark.natural)
    return (*_totals_first(table), called)


def outcome_of(table: Table) -> OutcomeClass:
    """Return the outcome class of the cards on the table, all of them exposed."""
    return OutcomeClass(
        player_total=point_total(table.round.values(Hand.PLAYER)),
        banker_total=point_total(table.round.values(Hand.BANKER)),
        player_cards=len(table.round.hands[Hand.PLAYER]),
        banker_cards=len(table.round.hands[Hand.BANKER]),
        player_first_two=table.round.first_two(Hand.PLAYER),
        banker_first_two=table.round.first_two(Hand.BANKER),
        player=table.round.exposed(Hand.PLAYER),
        banker=table.round.exposed(Hand.BANKER),
    )


@evolves(CardDrawn)
def draw_to_place(table: Table, event: CardDrawn) -> Table:
    """Return the table with the next card face down in its place."""
    assert table.shoe is not None
    round_ = table.round
    drawn = round_.changed(
        phase=Phase.DEALING,
        hands=with_entry(round_.hands, event.hand, (*round_.hands[event.hand], Place(event.index))),
        dealt=(*round_.dealt, event.index),
        attested=round_.attested - {"method-c-placed"},  # a new card has still to be laid in its place
    )
    if table.out:  # it had left the shoe with others
        return table.changed(round=drawn, out=table.out[1:])
    return table.changed(round=drawn, shoe=replace(table.shoe, drawn=table.shoe.drawn + 1))


@evolves(CuttingCardShown)
def _cutting_card_shown(table: Table, event: CuttingCardShown) -> Table:
    assert table.shoe is not None
    shoe = replace(table.shoe, cutting_card_shown=True)
    return table.changed(shoe=shoe, round=table.round.changed(cutting_card_first=event.first_of_round))


@evolves(CardExposed)
def _card_exposed(table: Table, event: CardExposed) -> Table:
    assert table.shoe is not None
    places = list(table.round.hands[event.hand])
    places[event.place] = replace(places[event.place], card=event.card)
    shoe = replace(table.shoe, unexposed=table.shoe.unexposed.without([event.card]))
    hands = with_entry(table.round.hands, event.hand, tuple(places))
    return table.changed(round=table.round.changed(hands=hands, any_seen=True), shoe=shoe)


@evolves(TotalsAnnounced)
def _totals_announced(table: Table, event: TotalsAnnounced) -> Table:
    return table.round_changed(totals_announced=(event.player_total, event.banker_total))


@evolves(OutcomeAnnounced)
def _outcome_announced(table: Table, event: OutcomeAnnounced) -> Table:
    mark = RoundMark(Winner(event.winner), event.player_pair, event.banker_pair, event.natural)
    return table.changed(round=table.round.changed(phase=Phase.OUTCOME), marks=(*table.marks, mark))


def turn_step(table: Table, hand: Hand, place: int) -> NextStep:
    """Return the turning of a card, by the patron who has it unless it is taken back first.

    Where no device tells what it is, the Dealer keys what was turned.
    """
    if hand in table.round.wrongly_passed and not stays_with_patron(table, hand):
        from_whom = {"hand": hand, "patron": table.round.handlers[hand]}
        return step(table, "RetrieveHand", Role.DEALER, "wrong-delivery", {"hand": hand}, **from_whom)
    holder, known = table.round.handler_of(hand, place), table.set_up.device in KNOWS_ITS_CARDS
    values: dict[str, Value] = {"hand": hand, "place": place}
    if holder and not known:
        values["turned_by"] = holder
    role = Role.PATRON if holder and known else Role.DEALER
    keyed = () if known else ("card",)
    return step(table, "ExposeCard", role, None, values, hand=hand, place=place, patron=holder, keyed=keyed)
