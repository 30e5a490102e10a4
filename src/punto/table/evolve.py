"""``evolve``: the state after an event. It takes every event as a fact and never refuses one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from typing import Any, Protocol, TypeVar

from msgspec.structs import force_setattr, replace

from punto.cards import Composition
from punto.roads import RoundMark
from punto.rules.coup import Winner
from punto.rules.rulebook import Result
from punto.rules.table_of_play import Hand
from punto.table import events, irregular
from punto.table.events import Event
from punto.table.state import (
    NO_CARDS,
    Area,
    CardsTakenHold,
    DifferentialHold,
    MisplacedHold,
    OrderHold,
    OwnLimit,
    Phase,
    Place,
    ReferralHold,
    ResetHold,
    SettledRound,
    Shoe,
    Stake,
    Table,
    VoidHold,
    Window,
    WithdrawalHold,
)

K = TypeVar("K")
V = TypeVar("V")


def evolve(table: Table, event: Event) -> Table:
    """The state of the table after the event."""
    after = _EVOLUTIONS[type(event)](table, event)
    assert after is not table
    force_setattr(after, "steps", table.steps + 1)  # it is new, and nobody has seen it yet
    return after


def replay(table: Table, happened: Iterable[Event]) -> Table:
    """The state of the table after all these events."""
    return reduce(evolve, happened, table)


def _with(mapping: Mapping[K, V], key: K, value: V) -> dict[K, V]:
    return {**mapping, key: value}


def _without(mapping: Mapping[K, V], key: K) -> dict[K, V]:
    return {each: value for each, value in mapping.items() if each != key}


def _chips(table: Table, patron: str, change: int) -> dict[str, int]:
    return _with(table.chips, patron, table.chips.get(patron, 0) + change)


# --- opening, closing, money -----------------------------------------------------------------------------------------


def _opened(table: Table, event: events.TableOpened) -> Table:
    kept = _closed(table, event)
    return kept.changed(phase=Phase.IDLE, setting=event.setting, float_=event.float_)


def _closed(table: Table, _: Event) -> Table:
    return Table(table.book).changed(round=table.round, own_limits=table.own_limits)


def _filled(table: Table, event: events.Filled) -> Table:
    return table.changed(float_=table.float_ + event.amount)


def _credited(table: Table, event: events.Credited) -> Table:
    return table.changed(float_=table.float_ - event.amount)


def _bought_in(table: Table, event: events.BoughtIn) -> Table:
    chips = _chips(table, event.patron, event.amount)
    return _brought(table, event.patron, event.amount).changed(float_=table.float_ - event.amount, chips=chips)


def _cashed_out(table: Table, event: events.CashedOut) -> Table:
    chips = _chips(table, event.patron, -event.amount)
    return _brought(table, event.patron, -event.amount).changed(chips=chips)


def _brought(table: Table, patron: str, amount: int) -> Table:
    """What he brings is not won, and what he takes away not lost."""
    own = table.own_limits.get(patron)
    if own is None:
        return table
    return table.changed(own_limits=_with(table.own_limits, patron, replace(own, brought=own.brought + amount)))


def _loss_limited(table: Table, event: events.LossLimited) -> Table:
    return table.changed(own_limits=_with(table.own_limits, event.patron, OwnLimit(event.limit, event.brought)))


def _loss_limit_eased(table: Table, event: events.LossLimitEased) -> Table:
    eased = replace(table.own_limits[event.patron], eased_to=event.limit, eased_from=event.counts_from)
    return table.changed(own_limits=_with(table.own_limits, event.patron, eased))


def _limits_changed(table: Table, event: events.LimitsChanged) -> Table:
    return table.changed(setting=replace(table.set_up, limits={**table.set_up.limits, **event.limits}))


def _method_changed(table: Table, event: events.MethodChanged) -> Table:
    return table.changed(setting=replace(table.set_up, method=event.method), device=None)


def _area_restricted(table: Table, event: events.AreaRestricted) -> Table:
    return table.changed(setting=replace(table.set_up, area_capacity=event.capacity))


def _acting_appointed(table: Table, event: events.ActingAppointed) -> Table:
    return table.changed(acting=_with(table.acting, (event.person, event.role), event.until))


def _acting_ended(table: Table, event: events.ActingEnded) -> Table:
    return table.changed(acting=_without(table.acting, (event.person, event.role)))


def _shoe_loaded(table: Table, event: events.ShoeLoaded) -> Table:
    full = Composition.of_decks(event.decks)
    history = {number: round_ for number, round_ in table.history.items() if round_.shoe == table.shoes}
    return table.changed(shoe=Shoe(event.shoe, full, len(full)), shoes=table.shoes + 1, marks=(), history=history)


def _shoe_ended(table: Table, _: events.ShoeEnded) -> Table:
    return table.changed(shoe=None, change_cards=False, out=())


# --- wagers ----------------------------------------------------------------------------------------------------------


def _bets_opened(table: Table, event: events.BetsOpened) -> Table:
    window = Window(table.steps, event.deadline)
    opened = table.changed(phase=Phase.BETTING, round=event.round, betting_window=window, last_was_void=False)
    return opened.changed(any_seen=table.next_card_seen, next_card_seen=False)


def _wager_placed(table: Table, event: events.WagerPlaced) -> Table:
    area: Area = (event.patron, event.position, event.wager)
    stakes = _with(table.stakes, area, Stake(event.total, table.steps))
    return table.changed(stakes=stakes, chips=_chips(table, event.patron, -event.amount))


def _wager_found(table: Table, event: events.WagerFound) -> Table:
    area: Area = (event.patron, event.position, event.wager)
    before = table.stakes.get(area)
    total = event.amount + (before.amount if before else 0)
    stakes = _with(table.stakes, area, Stake(total, table.steps))
    return table.changed(stakes=stakes, chips=_chips(table, event.patron, -event.amount))


def _wager_lowered(table: Table, event: events.WagerTakenBack | events.WagerRemoved) -> Table:
    area: Area = (event.patron, event.position, event.wager)
    stakes = _with(table.stakes, area, Stake(event.total, table.steps)) if event.total else _without(table.stakes, area)
    _redate(stakes, event.patron, {event.wager}, table.steps)
    return table.changed(stakes=stakes, chips=_chips(table, event.patron, event.amount))


def _redate(stakes: dict[Area, Stake], patron: str, wagers: set[str], step: int) -> None:
    """What the patron has on these wagers in all was reached just now, wherever it lies (reading R19)."""
    for area in stakes:
        if area[0] == patron and area[2] in wagers:
            stakes[area] = replace(stakes[area], reached=step)


def _bets_closed(table: Table, _: events.BetsClosed) -> Table:
    # After a reset of the device cards may be out already, and keep their places.
    return table.changed(phase=Phase.DEALING if table.drawn else Phase.CLOSED)


def _differential_exceeded(table: Table, event: events.DifferentialExceeded) -> Table:
    return table.changed(hold=DifferentialHold("differential-exceeded", event.higher, event.lower))


def _hold_ended(table: Table, _: Event) -> Table:
    return table.changed(hold=None)


def _card_seen(table: Table, _: Event) -> Table:
    return table.changed(any_seen=True)


def _face_up_card_found(table: Table, event: irregular.FaceUpCardFound) -> Table:
    # Without a clause it is the first card of a round, of this one or of the next.
    return table.changed(any_seen=True, next_card_seen=event.clause is None and table.drawn > 0)


def _nothing_changed(table: Table, _: Event) -> Table:
    return table.changed()


# --- dealing ---------------------------------------------------------------------------------------------------------


def _card_drawn(table: Table, event: events.CardDrawn) -> Table:
    assert table.shoe is not None
    hands = _with(table.hands, event.hand, (*table.hands[event.hand], Place(event.index)))
    dealt = (*table.dealt, event.index)
    # A new card has still to be laid in its place.
    after = table.changed(phase=Phase.DEALING, hands=hands, dealt=dealt, attested=table.attested - {"method-c-placed"})
    if table.out:  # it had left the shoe with others
        return after.changed(out=table.out[1:])
    return after.changed(shoe=replace(table.shoe, drawn=table.shoe.drawn + 1))


def _cutting_card_shown(table: Table, event: events.CuttingCardShown) -> Table:
    assert table.shoe is not None
    shoe = replace(table.shoe, cutting_card_shown=True)
    return table.changed(shoe=shoe, cutting_card_first=event.first_of_round)


def _first_hand_chosen(table: Table, event: events.FirstHandChosen) -> Table:
    return table.changed(first_hand=event.hand)


def _hand_passed(table: Table, event: events.HandPassed) -> Table:
    return table.changed(handlers=_with(table.handlers, event.hand, event.patron))


def _hand_declined(table: Table, event: events.HandDeclined) -> Table:
    # Declining what was not his to have, he does not decline what will be.
    his = event.hand not in table.wrongly_passed
    declined = table.declined | {(event.hand, event.patron)} if his else table.declined
    return _handler_gone(table, event).changed(declined=declined)


def _cards_looked_at(table: Table, event: events.CardsLookedAt) -> Table:
    return table.changed(looked=table.looked | _numbers(table, event.hand), any_seen=True)


def _numbers(table: Table, hand: Hand) -> frozenset[int]:
    return frozenset(place.index for place in table.hands[hand])


def _device_given(table: Table, event: events.DeviceGiven) -> Table:
    return table.changed(device=event.patron)


def _device_returned(table: Table, _: events.DeviceReturned) -> Table:
    return table.changed(device=None)


def _drawing_permitted(table: Table, event: events.DrawingPermitted) -> Table:
    return table.changed(may_draw=table.may_draw | {event.patron})


def _card_exposed(table: Table, event: events.CardExposed) -> Table:
    assert table.shoe is not None
    places = list(table.hands[event.hand])
    places[event.place] = replace(places[event.place], card=event.card)
    shoe = replace(table.shoe, unexposed=table.shoe.unexposed.without([event.card]))
    return table.changed(hands=_with(table.hands, event.hand, tuple(places)), shoe=shoe, any_seen=True)


def _outcome_announced(table: Table, event: events.OutcomeAnnounced) -> Table:
    mark = RoundMark(Winner(event.winner), event.player_pair, event.banker_pair, event.natural)
    return table.changed(phase=Phase.OUTCOME, marks=(*table.marks, mark))


# --- the end of a round ----------------------------------------------------------------------------------------------


def _round_settled(table: Table, event: events.RoundSettled) -> Table:
    chips, float_, commission = dict(table.chips), table.float_, table.commission
    under = set(table.under_minimum)
    for each in event.wagers:
        chips[each.patron] += each.returned
        float_ += each.stake - each.returned - each.commission
        commission += each.commission
        # A push is neither paid nor collected (reading R8).
        decided = each.result in (Result.WIN, Result.LOSE)
        if decided and each.stake < table.set_up.limits[each.wager].minimum:
            under.add(each.patron)
    player, banker = (tuple(place.card for place in places if place.card) for places in table.hands.values())
    first_under = frozenset(under) - table.under_minimum
    settled = SettledRound(event.wagers, player, banker, len(table.marks) - 1, table.shoes, first_under)
    history = _with(table.history, event.round, settled)
    return _cleared(table).changed(
        chips=chips, float_=float_, commission=commission, under_minimum=frozenset(under), history=history
    )


def _round_corrected(table: Table, event: irregular.RoundCorrected) -> Table:
    chips, owed, float_, commission = dict(table.chips), dict(table.owed), table.float_, table.commission
    for each in event.corrections:
        patron = each.after.patron
        back = each.after.returned - each.before.returned + each.owed
        withheld = each.after.commission - each.before.commission
        chips[patron] += back
        owed[patron] = owed.get(patron, 0) + each.owed
        float_ -= back + withheld
        commission += withheld
    # A round found void after it was settled was held for that; a correction of the cards ends no hold.
    hold = table.hold if event.coup else None
    moved = table.changed(chips=chips, owed=owed, float_=float_, commission=commission, hold=hold)
    return _record_corrected(moved, event)


def _record_corrected(table: Table, event: irregular.RoundCorrected) -> Table:
    """The record of the round, its mark on the roads and the cards known to be gone from the shoe, put right."""
    record = table.history[event.round]
    if event.coup is None:
        history = _without(table.history, event.round)
    else:
        wagers = tuple(each.after for each in event.corrections)
        player, banker = event.coup.player, event.coup.banker
        corrected = replace(record, wagers=wagers, player=player, banker=banker, corrected=True)
        history = _with(table.history, event.round, corrected)
    if event.coup is None:
        # What was drawn in excess goes with the cards of the round (R33), and nothing was paid or collected in it (R8).
        under = table.under_minimum - record.first_under
        table = table.changed(out=(), last_was_void=True, under_minimum=under)
    if record.shoe != table.shoes:
        return table.changed(history=history)
    marks = list(table.marks)
    marks[record.mark] = event.mark
    shoe = table.shoe
    if shoe and event.coup:
        shoe = replace(shoe, unexposed=shoe.unexposed.plus(record.cards).without(history[event.round].cards))
    return table.changed(history=history, marks=tuple(marks), shoe=shoe)


def _void_asked(table: Table, event: events.VoidAsked) -> Table:
    return table.changed(hold=VoidHold(event.provision, event.clause, table.hold))


def _round_voided(table: Table, event: events.RoundVoided) -> Table:
    chips = dict(table.chips)
    for each in event.wagers:
        chips[each.patron] += each.amount
    # A round that had its outcome announced and is then void leaves no mark.
    marks = table.marks[:-1] if table.phase is Phase.OUTCOME else table.marks
    return _cleared(table).changed(chips=chips, marks=marks, hold=None, out=(), last_was_void=True)


def _cleared(table: Table) -> Table:
    """The layout cleared, ready for the next round; a card drawn in excess is the first of it (reading R33)."""
    return table.changed(
        phase=Phase.IDLE,
        betting_window=None,
        stakes={},
        hands=NO_CARDS,
        first_hand=None,
        handlers={},
        declined=frozenset(),
        looked=frozenset(),
        any_seen=False,
        wrongly_passed=frozenset(),
        attested=frozenset(),
        dealt=(),
        together=(),
        cutting_card_first=False,
    )


# --- irregularities --------------------------------------------------------------------------------------------------


def _attested(table: Table, event: irregular.Attested) -> Table:
    return table.changed(attested=table.attested | {event.provision})


def _squeeze_permitted(table: Table, event: irregular.SqueezePermitted) -> Table:
    handlers = _with(table.handlers, event.hand, event.patron)
    return _handler_gone(table, event).changed(handlers=handlers)


def _withdrawal_offered(table: Table, event: irregular.WithdrawalOffered) -> Table:
    window = Window(table.steps, event.deadline)
    asked = frozenset(event.patrons)
    hold = WithdrawalHold(event.provision, event.whole, asked, window, event.clause, event.wagers)
    return table.changed(hold=hold)


def _withdrawal_answered(table: Table, event: irregular.WithdrawalAnswered) -> Table:
    assert isinstance(table.hold, WithdrawalHold)
    stakes = dict(table.stakes)
    for each in event.withdrawn:
        del stakes[each.patron, each.position, each.wager]
    _redate(stakes, event.patron, {each.wager for each in event.withdrawn}, table.steps)
    hold = replace(table.hold, pending=table.hold.pending - {event.patron})
    back = sum(each.amount for each in event.withdrawn)
    return table.changed(stakes=stakes, chips=_chips(table, event.patron, back), hold=hold)


def _cards_drawn_together(table: Table, event: irregular.CardsDrawnTogether) -> Table:
    assert table.shoe is not None
    hold = OrderHold("drawn-together-unknown-later") if event.to_be_fixed else None
    shoe = replace(table.shoe, drawn=table.shoe.drawn + len(event.indices))
    phase = table.phase if table.phase is Phase.OUTCOME else Phase.DEALING
    return table.changed(phase=phase, together=event.indices, shoe=shoe, hold=hold)


def _cards_ordered(table: Table, event: irregular.CardsOrdered) -> Table:
    return table.changed(out=(*table.out, *event.order), together=(), hold=None)


def _referred(table: Table, _: irregular.Referred) -> Table:
    return table.changed(hold=ReferralHold("referral"))


def _void_dismissed(table: Table, event: irregular.VoidDismissed) -> Table:
    assert isinstance(table.hold, VoidHold)
    under = table.hold.under
    if isinstance(under, WithdrawalHold):
        under = replace(under, window=Window(table.steps, event.deadline))
    return _time_again(table, event).changed(hold=under)


def _referral_decided(table: Table, event: irregular.ReferralDecided) -> Table:
    # Cards drawn together in an order nobody knows are dealt as they lie, if it is so decided.
    return _time_again(table, event).changed(hold=None, out=(*table.out, *table.together), together=())


def _time_again(table: Table, event: irregular.ReferralDecided | irregular.VoidDismissed) -> Table:
    """Betting that was held while open goes on in a window of its own."""
    window = Window(table.steps, event.deadline) if table.phase is Phase.BETTING else table.betting_window
    return table.changed(betting_window=window)


class _OfAHand(Protocol):
    """An event about one hand."""

    @property
    def hand(self) -> Hand: ...


def _handler_gone(table: Table, event: _OfAHand) -> Table:
    """Nobody has the cards of the hand any more, so nobody has them wrongly or has looked at them."""
    return table.changed(
        handlers=_without(table.handlers, event.hand),
        wrongly_passed=table.wrongly_passed - {event.hand},
        looked=table.looked - _numbers(table, event.hand),
    )


def _hand_wrongly_passed(table: Table, event: irregular.HandWronglyPassed) -> Table:
    handlers = _with(table.handlers, event.hand, event.patron)
    wrongly = table.wrongly_passed | {event.hand}
    return _handler_gone(table, event).changed(handlers=handlers, wrongly_passed=wrongly)


def _card_misplaced(table: Table, event: irregular.CardMisplaced) -> Table:
    place = len(table.hands[event.hand])
    drawn = _card_drawn(table, events.CardDrawn(event.index, event.hand, place))
    return drawn.changed(hold=MisplacedHold("wrong-delivery"))


def _cards_reconstructed(table: Table, event: irregular.CardsReconstructed) -> Table:
    by_index = {place.index: place for places in table.hands.values() for place in places}
    hands = {
        Hand.PLAYER: tuple(by_index[index] for index in event.player),
        Hand.BANKER: tuple(by_index[index] for index in event.banker),
    }
    return table.changed(hands=hands, hold=None)


def _cards_taken(table: Table, event: irregular.CardsTaken) -> Table:
    hold = CardsTakenHold("cards-taken", event.hand)
    return _handler_gone(table, event).changed(hold=hold, change_cards=True)


def _cards_taken_step(table: Table, event: irregular.CardsTakenStep) -> Table:
    assert isinstance(table.hold, CardsTakenHold)
    assert table.shoe is not None
    hold = replace(table.hold, done=table.hold.done + 1)
    if event.provision == "cards-taken-sealed":
        # Two cards leave the device, in their order, in case the hands need them; fewer if some are out already, or
        # if there are no more.
        first, more = table.shoe.drawn, min(max(0, 2 - len(table.out)), table.shoe.size - table.shoe.drawn)
        out = (*table.out, *range(first, first + more))
        return table.changed(hold=hold, out=out, shoe=replace(table.shoe, drawn=first + more))
    return table.changed(hold=None if event.provision == "cards-taken-replaced" else hold)


def _missing_determined(table: Table, event: irregular.MissingDetermined) -> Table:
    assert isinstance(table.hold, CardsTakenHold)
    return table.changed(hold=replace(table.hold, done=table.hold.done + 1, missing=event.cards))


def _card_corrected(table: Table, event: irregular.CardCorrected) -> Table:
    assert table.shoe is not None
    places = list(table.hands[event.hand])
    places[event.place] = replace(places[event.place], card=event.card)
    unexposed = table.shoe.unexposed.plus([event.before]).without([event.card])
    hands = _with(table.hands, event.hand, tuple(places))
    # An outcome that was called by the wrong card is called anew, and its mark taken off the roads.
    marks = table.marks[:-1] if table.phase is Phase.OUTCOME else table.marks
    return table.changed(hands=hands, shoe=replace(table.shoe, unexposed=unexposed), phase=Phase.DEALING, marks=marks)


def _device_reset(table: Table, event: irregular.DeviceReset) -> Table:
    return table.changed(hold=ResetHold("device-reset") if event.cards_seen else None)


def _bets_reopened(table: Table, event: irregular.BetsReopened) -> Table:
    # Whoever has the most on a hand then may be another: nobody has its cards yet.
    free = table.changed(handlers={}, declined=frozenset(), wrongly_passed=frozenset())
    return free.changed(phase=Phase.BETTING, betting_window=Window(table.steps, event.deadline))


_EVOLUTIONS: dict[type[Event], Callable[[Table, Any], Table]] = {
    events.TableOpened: _opened,
    events.TableClosed: _closed,
    events.Filled: _filled,
    events.Credited: _credited,
    events.BoughtIn: _bought_in,
    events.CashedOut: _cashed_out,
    events.LossLimited: _loss_limited,
    events.LossLimitEased: _loss_limit_eased,
    events.LimitsChanged: _limits_changed,
    events.MethodChanged: _method_changed,
    events.AreaRestricted: _area_restricted,
    events.ActingAppointed: _acting_appointed,
    events.ActingEnded: _acting_ended,
    events.ShoeLoaded: _shoe_loaded,
    events.ShoeEnded: _shoe_ended,
    events.BetsOpened: _bets_opened,
    events.WagerPlaced: _wager_placed,
    events.WagerFound: _wager_found,
    events.WagerTakenBack: _wager_lowered,
    events.WagerRemoved: _wager_lowered,
    events.LateWagerRefused: _nothing_changed,
    events.LateWithdrawalNoted: _nothing_changed,
    events.BetsClosed: _bets_closed,
    events.DifferentialExceeded: _differential_exceeded,
    events.DifferentialMet: _hold_ended,
    events.CardDrawn: _card_drawn,
    events.CuttingCardShown: _cutting_card_shown,
    events.FirstHandChosen: _first_hand_chosen,
    events.HandPassed: _hand_passed,
    events.HandDeclined: _hand_declined,
    events.CardsLookedAt: _cards_looked_at,
    events.DeviceGiven: _device_given,
    events.DeviceReturned: _device_returned,
    events.DrawingPermitted: _drawing_permitted,
    events.CardExposed: _card_exposed,
    events.OutcomeAnnounced: _outcome_announced,
    events.RoundSettled: _round_settled,
    irregular.RoundCorrected: _round_corrected,
    events.VoidAsked: _void_asked,
    events.RoundVoided: _round_voided,
    irregular.Attested: _attested,
    irregular.SqueezePermitted: _squeeze_permitted,
    irregular.WithdrawalOffered: _withdrawal_offered,
    irregular.WithdrawalAnswered: _withdrawal_answered,
    irregular.WithdrawalEnded: _hold_ended,
    irregular.PowerFailed: _nothing_changed,
    irregular.Referred: _referred,
    irregular.ReferralDecided: _referral_decided,
    irregular.VoidDismissed: _void_dismissed,
    irregular.CardsDrawnTogether: _cards_drawn_together,
    irregular.CardsOrdered: _cards_ordered,
    irregular.FaceUpCardFound: _face_up_card_found,
    irregular.HandlerAbsent: _handler_gone,
    irregular.DeviceMoved: _card_seen,
    irregular.HandWronglyPassed: _hand_wrongly_passed,
    irregular.HandRetrieved: _handler_gone,
    irregular.CardMisplaced: _card_misplaced,
    irregular.CardsReconstructed: _cards_reconstructed,
    irregular.ExposedInError: _nothing_changed,
    irregular.CardsTaken: _cards_taken,
    irregular.CardsTakenStep: _cards_taken_step,
    irregular.MissingDetermined: _missing_determined,
    irregular.CardCorrected: _card_corrected,
    irregular.DeviceReset: _device_reset,
    irregular.BetsReopened: _bets_reopened,
}

EVENTS = {kind.__name__: kind for kind in _EVOLUTIONS}
"""Every kind of event there is, by name."""
