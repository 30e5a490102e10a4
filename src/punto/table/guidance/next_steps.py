"""What comes next at a table, for its staff: who gives which command, what they say, and why.

It decides nothing. What it suggests is what ``decide`` carries out, found by the same functions in the same rulebook.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from punto.rules.rulebook import Result
from punto.rules.table_of_play import INITIAL_DEAL, Hand, point_total, rulings
from punto.table.event import Settled
from punto.table.guidance.next_step import Call, NextStep, Reason, fill_first, next_face_down, on_behalf, step
from punto.table.irregularities.differential import steps_while_open
from punto.table.irregularities.withdrawal import correction_steps
from punto.table.irregularities.withdrawn_report import withdrawal_step
from punto.table.irregularities.wrong_patron import stays_with_patron
from punto.table.money import Cents
from punto.table.play.burn_cards import burn_due
from punto.table.play.card_handling import any_face_down, entitled_to, handling_begun
from punto.table.play.dealing import outcome_of, turn_step
from punto.table.play.dealing_device import may_draw
from punto.table.play.duty import call_steps, sign_on_step
from punto.table.play.requests import named_steps, requested_steps
from punto.table.play.second_person import confirming_steps
from punto.table.play.settlement import paid_from_float, settlement
from punto.table.registry import HOLD_STEPS, load_subjects
from punto.table.roles import Role
from punto.table.round import Phase
from punto.table.settings import KNOWS_ITS_CARDS
from punto.table.table import Table

load_subjects()


@dataclass(frozen=True, slots=True)
class ToSettle:
    """The settlement as it is about to be made, in the order of the hand: collect, hand back, pay."""

    wagers: tuple[Settled, ...]
    collected: Cents
    paid: Cents
    """Winnings, commission already taken off."""
    commission: Cents
    handed_back: Cents
    """Stakes of wagers that neither won nor lost, and what lay over the maximum."""


def next_steps(table: Table) -> tuple[NextStep, ...]:
    """Return what comes next, first what play waits for; every command in it can be given now."""
    if table.phase is Phase.SHUT:
        return (step(table, "OpenTable", Role.PIT_MANAGER, keyed=("setting", "float_")),)
    if table.counting:
        ends = (("CloseTable", ("counted",), True), ("DropCount", (), False))
        counted = (step(table, name, Role.PIT_MANAGER, keyed=keyed, must=must) for name, keyed, must in ends)
        return (*counted, *sign_on_step(table), *call_steps(table))
    people = (*sign_on_step(table), *confirming_steps(table), *call_steps(table))
    if table.hold:
        held = _with_records(table, HOLD_STEPS[type(table.hold)](table, table.hold))
        return (*held, *withdrawal_step(table, table.hold), *people)
    steps = {
        Phase.IDLE: _between_rounds,
        Phase.BETTING: _betting,
        Phase.CLOSED: _dealing,
        Phase.DEALING: _dealing,
        Phase.OUTCOME: _settling,
    }[table.phase](table)
    answers = correction_steps(table)
    return tuple(sorted((*_with_records(table, steps), *answers, *people), key=lambda each: not each.must))


def _with_records(table: Table, steps: Iterable[NextStep]) -> tuple[NextStep, ...]:
    """Return the steps and, for each that is a patron's, the one by which staff record it."""
    all_ = tuple(steps)
    return (*all_, *(on_behalf(table, each) for each in all_ if each.role is Role.PATRON))


def to_settle(table: Table) -> ToSettle | None:
    """Return what SettleRound will do, between the outcome and the settlement; else None."""
    if table.phase is not Phase.OUTCOME:
        return None
    wagers = sorted(settlement(table), key=lambda each: (_IN_TURN[each.result], each.position, each.wager))
    lost = sum(each.settled for each in wagers if each.result is Result.LOSE)
    winnings = sum(each.winnings for each in wagers)
    back = sum(each.returned - each.winnings - (each.settled if each.result is Result.WIN else 0) for each in wagers)
    return ToSettle(tuple(wagers), lost, winnings, sum(each.commission for each in wagers), back)


_IN_TURN: Mapping[Result | None, int] = {Result.LOSE: 0, None: 1, Result.PUSH: 1, Result.WIN: 2}


# --- a round ---------------------------------------------------------------------------------------------------------


def _between_rounds(table: Table) -> Iterator[NextStep]:
    confirms, called = table.set_up.confirms, table.book.round_of_play
    if table.shoe is None:
        yield step(table, "LoadShoe", keyed=("shoe",))
    elif burn_due(table):
        yield step(table, "BurnCards", keyed=_keyed_at_burning(table))
        yield step(table, "EndShoe", confirms, must=False)
    else:
        call = _call("commencement", called.commencement if called else "")
        yield step(table, "OpenBets", provision="commencement", call=call)
        if table.last_was_void and table.book.clauses_of("cards-replaced"):
            yield step(table, "ReplaceCards", confirms, "cards-replaced", must=False)
        yield step(table, "EndShoe", confirms, must=False)
    yield from _giving_the_device(table)
    yield from _having_the_device(table)


def _keyed_at_burning(table: Table) -> tuple[str, ...]:
    """Return what the Dealer keys when cards are burnt: the first, if it is turned and no device tells it."""
    setting = table.set_up
    turned = setting.burn is not None and setting.burn.exposes_first
    return ("first",) if turned and setting.device not in KNOWS_ITS_CARDS else ()


def _call(name: str, words: str) -> Call:
    """Return a call in the words of the document."""
    return Call(name, words, None, None, None)


def _giving_the_device(table: Table) -> Iterator[NextStep]:
    """Yield that the Dealer may give the dealing device to a patron, under Method C."""
    if table.set_up.method == "C" and table.device is None and table.chips:
        yield step(table, "GiveDevice", provision="method-c-draw", must=False, keyed=("patron",))


def _betting(table: Table) -> Iterator[NextStep]:
    called = table.book.round_of_play
    yield step(table, "CloseBets", provision="closing", call=_call("closing", called.closing if called else ""))
    if table.chips:
        placing = ("patron", "position", "wager", "amount")
        yield step(table, "PlaceWager", provision="wager-on-behalf", must=False, keyed=placing)
        if table.round.stakes:
            yield step(table, "TakeBackWager", provision="wager-on-behalf", must=False, keyed=placing)
    yield from steps_while_open(table)
    yield from requested_steps(table)
    yield from _giving_the_device(table)
    yield from _having_the_device(table)


def _settling(table: Table) -> Iterator[NextStep]:
    yield from fill_first(table, paid_from_float(settlement(table))) or [
        step(table, "SettleRound", provision="round-of-play")
    ]


# --- dealing ---------------------------------------------------------------------------------------------------------


def _dealing(table: Table) -> Iterator[NextStep]:
    if not table.round.initial_deal_done:
        yield from _drawing(table, INITIAL_DEAL[table.round.drawn])
    elif not table.round.all_exposed:
        yield from _passing(table)
        yield from _exposing(table)
        yield from _declining(table)
        yield from named_steps(table)
        yield from _cutting_card(table)  # it may be told once the cards are drawn
    else:
        yield from _third_card_or_outcome(table)
    offered = table.round.cutting_card_first and table.phase is Phase.CLOSED and table.set_up.hlga
    if offered and table.book.clauses_of("cutting-card-first"):
        yield step(table, "OfferWithdrawal", provision="cutting-card-first", must=False)


def _having_the_device(table: Table) -> Iterator[NextStep]:
    """Yield what a patron who was given the dealing device may say: that they accept it, or give it up."""
    if table.device is None:
        return
    if not table.device_accepted:
        accepts = step(table, "AcceptDevice", Role.PATRON, "method-c-keeps-device", patron=table.device, must=False)
        yield on_behalf(table, accepts)
    yield on_behalf(table, step(table, "GiveUpDevice", Role.PATRON, "method-c-gives-up", patron=table.device))


def _drawing(table: Table, hand: Hand, call: Call | None = None) -> Iterator[NextStep]:
    """Yield the drawing of a card, by the Dealer, or under Method C by the patron with the dealing device."""
    device, third = table.device, table.round.drawn >= len(INITIAL_DEAL)
    said: dict[str, Any] = {
        "call": call,
        "reasons": _reasons(table),
        "hand": hand,
        "place": len(table.round.hands[hand]),
    }
    if third and table.set_up.method == "C" and "method-c-initial-placed" not in table.round.attested:
        yield _attest(table, "method-c-initial-placed", call)
        return
    if device is None:
        provision = "table-of-play" if third else f"{hand}-cards"
        yield step(table, "DrawCard", provision=provision, face_up=_turned_by_dealer(table, hand), **said)
    elif may_draw(table, device):  # refused
        yield step(
            table,
            "PermitDrawing",
            Role.ASSISTANT_CASINO_MANAGER,
            "method-c-no-wager",
            {"patron": device},
            patron=device,
        )
    elif "method-c-full-view" not in table.round.attested:
        yield _attest(table, "method-c-full-view", call)
    else:
        yield step(table, "DrawCard", Role.PATRON, "method-c-draw", patron=device, **said)
    yield from _cutting_card(table)
    yield from _giving_the_device(table)
    yield from _having_the_device(table)


def _turned_by_dealer(table: Table, hand: Hand) -> tuple[Hand, int] | None:
    """Return the place that is turned next if the Dealer draws and turns the card, and no device tells it."""
    if table.set_up.device in KNOWS_ITS_CARDS:
        return None
    if table.round.initial_deal_done:
        squeezed = table.round.handlers.get(hand) or table.round.permitted.get(hand)
        return None if squeezed else (hand, len(table.round.hands[hand]))
    return (Hand.PLAYER, 0) if table.set_up.method in (None, "B") else None


def _cutting_card(table: Table) -> Iterator[NextStep]:
    if table.shoe and not table.shoe.cutting_card_shown:
        yield step(table, "ShowCuttingCard", provision="cutting-card", must=False)


def _attest(table: Table, provision: str, call: Call | None) -> NextStep:
    return step(table, "Attest", provision=provision, values={"provision": provision}, call=call)


def _passing(table: Table) -> Iterator[NextStep]:
    """Yield the passing of face-down hands: under Method A to the patron entitled, under Method C to any."""
    method = table.set_up.method
    if method not in ("A", "C"):
        return
    for hand in Hand:
        turned = any(place.card for place in table.round.hands[hand])
        late = turned and any_face_down(table, hand) and hand in {*table.round.not_passed, *table.round.taken_from}
        if hand in table.round.handlers or hand in table.round.squeeze_over or (turned and not late):
            continue
        entitled = entitled_to(table, hand) if method == "A" or hand in table.round.taken_from else None
        if entitled:
            must = not late or hand in table.round.taken_from
            to = {"hand": hand, "patron": entitled.patron}
            passing = step(table, "PassHand", Role.DEALER, entitled.provision, to, must=must, **to)
        elif method == "C":
            passing = step(table, "PassHand", provision="method-c-through-dealer", must=False, **_to_somebody(hand))
        else:
            role = Role.PIT_SUPERVISOR
            passing = step(table, "PassHand", role, "method-a-discretion", must=False, **_to_somebody(hand))
        if table.chips:
            yield passing


def _to_somebody(hand: Hand) -> dict[str, Any]:
    return {"values": {"hand": hand}, "hand": hand, "keyed": ("patron",)}


def _declining(table: Table) -> Iterator[NextStep]:
    """Yield that a patron who was passed a hand may decline it, or look at it first; staff record what they see."""
    for hand, patron in table.round.handlers.items():
        values, about = {"hand": hand}, {"hand": hand, "patron": patron, "must": False}
        if not handling_begun(table, hand):
            provision = "method-a-next-highest" if table.set_up.method == "A" else None
            yield on_behalf(table, step(table, "DeclineHand", Role.PATRON, provision, values, **about))
        if any(place.card is None and place.index not in table.round.looked for place in table.round.hands[hand]):
            yield on_behalf(table, step(table, "LookAtCards", Role.PATRON, None, values, **about))


def _exposing(table: Table) -> Iterator[NextStep]:
    """Yield the next card of each hand to be turned, the hand that goes first before the other."""
    method_a, first = table.set_up.method == "A", table.round.first_hand
    if method_a and first is None:
        wrong = [hand for hand in sorted(table.round.wrongly_passed) if not stays_with_patron(table, hand)]
        yield from (turn_step(table, hand, 0) for hand in wrong)
        yield step(table, "ChooseFirstHand", provision="method-a-reveal-order", keyed=("hand",))
        return
    order = (first, first.other) if first else (Hand.PLAYER, Hand.BANKER)
    for hand in order:
        at = next_face_down(table, hand)
        if at is not None:
            turn = turn_step(table, hand, at)
            yield turn
            if turn.role is not Role.PATRON or (method_a and at < 2):
                return  # the other hand waits until this one is turned


def _third_card_or_outcome(table: Table) -> Iterator[NextStep]:
    player, banker = (point_total(table.round.values(hand)) for hand in Hand)
    totals = Call("totals", "", player, banker, None) if table.round.drawn == len(INITIAL_DEAL) else None
    if totals and table.round.initial_totals != table.round.totals_announced:
        yield step(table, "AnnounceTotals", provision="table-of-play", must=False, call=totals)
    if due := table.round.next_hand:
        yield from _drawing(table, due, totals)
    elif table.set_up.method == "C" and "method-c-placed" not in table.round.attested:
        yield _attest(table, "method-c-placed", totals)
    else:
        call = Call("outcome", "", player, banker, outcome_of(table).winner.value)
        yield step(table, "AnnounceOutcome", provision="winning-hand", call=call, reasons=_reasons(table))


def _reasons(table: Table) -> tuple[Reason, ...]:
    """Return why the Table of Play gives a third card, or none; nothing while a card is face down."""
    if not table.round.initial_deal_done or not table.round.all_exposed:
        return ()
    clause_of = table.book.clause_of
    whole = clause_of("table-of-play")
    return tuple(
        Reason(each.hand, each.total, each.draws, each.against, each.rule, clause_of(each.rule) or whole)
        for each in rulings(table.round.values(Hand.PLAYER), table.round.values(Hand.BANKER))
    )
