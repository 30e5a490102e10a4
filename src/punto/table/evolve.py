"""``evolve``: the state after an event. It takes every event as a fact and never refuses one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import reduce
from typing import Any, TypeVar

from punto.cards import Composition
from punto.roads import RoundMark
from punto.rules.coup import Winner
from punto.rules.table_of_play import Hand
from punto.table import events
from punto.table.events import Event
from punto.table.state import (
    Area,
    DifferentialHold,
    Phase,
    Place,
    Shoe,
    Stake,
    Table,
    VoidHold,
)

K = TypeVar("K")
V = TypeVar("V")

_NO_CARDS: Mapping[Hand, tuple[Place, ...]] = {Hand.PLAYER: (), Hand.BANKER: ()}


def evolve(table: Table, event: Event) -> Table:
    """The state of the table after the event."""
    return replace(_EVOLUTIONS[type(event)](table, event), steps=table.steps + 1)


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
    return replace(Table(table.book), phase=Phase.IDLE, setting=event.setting, float_=event.float_, round=table.round)


def _closed(table: Table, _: events.TableClosed) -> Table:
    return replace(Table(table.book), round=table.round)


def _filled(table: Table, event: events.Filled) -> Table:
    return replace(table, float_=table.float_ + event.amount)


def _credited(table: Table, event: events.Credited) -> Table:
    return replace(table, float_=table.float_ - event.amount)


def _bought_in(table: Table, event: events.BoughtIn) -> Table:
    return replace(table, float_=table.float_ - event.amount, chips=_chips(table, event.patron, event.amount))


def _cashed_out(table: Table, event: events.CashedOut) -> Table:
    return replace(table, chips=_chips(table, event.patron, -event.amount))


def _limits_changed(table: Table, event: events.LimitsChanged) -> Table:
    return replace(table, setting=replace(table.set_up, limits={**table.set_up.limits, **event.limits}))


def _method_changed(table: Table, event: events.MethodChanged) -> Table:
    return replace(table, setting=replace(table.set_up, method=event.method), device=None)


def _area_restricted(table: Table, event: events.AreaRestricted) -> Table:
    return replace(table, setting=replace(table.set_up, area_capacity=event.capacity))


def _acting_appointed(table: Table, event: events.ActingAppointed) -> Table:
    return replace(table, acting=table.acting | {(event.person, event.role)})


def _acting_ended(table: Table, event: events.ActingEnded) -> Table:
    return replace(table, acting=table.acting - {(event.person, event.role)})


def _shoe_loaded(table: Table, event: events.ShoeLoaded) -> Table:
    return replace(table, shoe=Shoe(event.shoe, Composition.of_decks(event.decks)), marks=())


def _shoe_ended(table: Table, _: events.ShoeEnded) -> Table:
    return replace(table, shoe=None)


# --- wagers ----------------------------------------------------------------------------------------------------------


def _bets_opened(table: Table, event: events.BetsOpened) -> Table:
    return replace(table, phase=Phase.BETTING, round=event.round)


def _wager_placed(table: Table, event: events.WagerPlaced) -> Table:
    area: Area = (event.patron, event.position, event.wager)
    stakes = _with(table.stakes, area, Stake(event.total, table.steps))
    return replace(table, stakes=stakes, chips=_chips(table, event.patron, -event.amount))


def _wager_found(table: Table, event: events.WagerFound) -> Table:
    area: Area = (event.patron, event.position, event.wager)
    before = table.stakes.get(area)
    total = event.amount + (before.amount if before else 0)
    stakes = _with(table.stakes, area, Stake(total, table.steps))
    return replace(table, stakes=stakes, chips=_chips(table, event.patron, -event.amount))


def _wager_lowered(table: Table, event: events.WagerTakenBack | events.WagerRemoved) -> Table:
    area: Area = (event.patron, event.position, event.wager)
    stakes = _with(table.stakes, area, Stake(event.total, table.steps)) if event.total else _without(table.stakes, area)
    return replace(table, stakes=stakes, chips=_chips(table, event.patron, event.amount))


def _bets_closed(table: Table, _: events.BetsClosed) -> Table:
    return replace(table, phase=Phase.CLOSED)


def _differential_exceeded(table: Table, event: events.DifferentialExceeded) -> Table:
    return replace(table, hold=DifferentialHold("differential-exceeded", event.higher, event.lower))


def _hold_ended(table: Table, _: Event) -> Table:
    return replace(table, hold=None)


def _nothing_changed(table: Table, _: Event) -> Table:
    return table


# --- dealing ---------------------------------------------------------------------------------------------------------


def _card_drawn(table: Table, event: events.CardDrawn) -> Table:
    assert table.shoe is not None
    hands = _with(table.hands, event.hand, (*table.hands[event.hand], Place(event.index)))
    return replace(table, phase=Phase.DEALING, hands=hands, shoe=replace(table.shoe, drawn=table.shoe.drawn + 1))


def _cutting_card_shown(table: Table, _: events.CuttingCardShown) -> Table:
    assert table.shoe is not None
    return replace(table, shoe=replace(table.shoe, cutting_card_shown=True))


def _first_hand_chosen(table: Table, event: events.FirstHandChosen) -> Table:
    return replace(table, first_hand=event.hand)


def _hand_passed(table: Table, event: events.HandPassed) -> Table:
    return replace(table, handlers=_with(table.handlers, event.hand, event.patron))


def _hand_declined(table: Table, event: events.HandDeclined) -> Table:
    declined = table.declined | {(event.hand, event.patron)}
    return replace(table, handlers=_without(table.handlers, event.hand), declined=declined)


def _cards_looked_at(table: Table, event: events.CardsLookedAt) -> Table:
    return replace(table, looked=table.looked | {event.hand})


def _device_given(table: Table, event: events.DeviceGiven) -> Table:
    return replace(table, device=event.patron)


def _device_returned(table: Table, _: events.DeviceReturned) -> Table:
    return replace(table, device=None)


def _drawing_permitted(table: Table, event: events.DrawingPermitted) -> Table:
    return replace(table, may_draw=table.may_draw | {event.patron})


def _card_exposed(table: Table, event: events.CardExposed) -> Table:
    assert table.shoe is not None
    places = list(table.hands[event.hand])
    places[event.place] = replace(places[event.place], card=event.card)
    shoe = replace(table.shoe, unexposed=table.shoe.unexposed.without([event.card]))
    return replace(table, hands=_with(table.hands, event.hand, tuple(places)), shoe=shoe)


def _outcome_announced(table: Table, event: events.OutcomeAnnounced) -> Table:
    mark = RoundMark(Winner(event.winner), event.player_pair, event.banker_pair, event.natural)
    return replace(table, phase=Phase.OUTCOME, marks=(*table.marks, mark))


# --- the end of a round ----------------------------------------------------------------------------------------------


def _round_settled(table: Table, event: events.RoundSettled) -> Table:
    chips, float_, commission = dict(table.chips), table.float_, table.commission
    under = set(table.under_minimum)
    for each in event.wagers:
        chips[each.patron] += each.returned
        float_ += each.stake - each.returned - each.commission
        commission += each.commission
        if each.result and each.stake < table.set_up.limits[each.wager].minimum:
            under.add(each.patron)
    return replace(_cleared(table), chips=chips, float_=float_, commission=commission, under_minimum=frozenset(under))


def _void_asked(table: Table, event: events.VoidAsked) -> Table:
    return replace(table, hold=VoidHold(event.provision, event.clause))


def _round_voided(table: Table, event: events.RoundVoided) -> Table:
    chips = dict(table.chips)
    for each in event.wagers:
        chips[each.patron] += each.amount
    # A round that had its outcome announced and is then void leaves no mark.
    marks = table.marks[:-1] if table.phase is Phase.OUTCOME else table.marks
    return replace(_cleared(table), chips=chips, marks=marks, hold=None)


def _cleared(table: Table) -> Table:
    """The layout cleared, ready for the next round."""
    return replace(
        table,
        phase=Phase.IDLE,
        stakes={},
        hands=_NO_CARDS,
        first_hand=None,
        handlers={},
        declined=frozenset(),
        looked=frozenset(),
    )


_EVOLUTIONS: dict[type[Event], Callable[[Table, Any], Table]] = {
    events.TableOpened: _opened,
    events.TableClosed: _closed,
    events.Filled: _filled,
    events.Credited: _credited,
    events.BoughtIn: _bought_in,
    events.CashedOut: _cashed_out,
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
    events.VoidAsked: _void_asked,
    events.RoundVoided: _round_voided,
}
