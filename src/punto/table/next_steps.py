"""Guidance: what comes next at a table, for whoever conducts it: who gives which command, what he says, and why.

It decides nothing. What it suggests is what ``decide`` carries out, found by the same functions in the same rulebook.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from punto.rules.rulebook import Result
from punto.rules.table_of_play import INITIAL_DEAL, Hand, next_card, point_total, rulings
from punto.table.events import Settled
from punto.table.irregularities.cards_taken import COUNT, STEPS
from punto.table.irregularities.correction import paid_back, void_settled_round
from punto.table.irregularities.misdealt_cards import stays_with_patron
from punto.table.irregularities.void import voiding_clause
from punto.table.play.card_handling import entitled_to, may_draw
from punto.table.play.dealing import outcome_of
from punto.table.play.settlement import paid_from_float, settlement
from punto.table.roles import STAFF, Role, performs
from punto.table.settings import KNOWS_ITS_CARDS
from punto.table.state import (
    CardsTakenHold,
    DifferentialHold,
    Hold,
    MisplacedHold,
    OrderHold,
    Phase,
    ReferralHold,
    ResetHold,
    Table,
    VoidHold,
    WithdrawalHold,
)

Value = str | int | bool


@dataclass(frozen=True, slots=True)
class Call:
    """What is said aloud: which call it is, in the document's words where it has any, and the figures in it."""

    name: str
    """commencement, closing, totals or outcome."""
    words: str
    player: int | None
    banker: int | None
    winner: str | None


@dataclass(frozen=True, slots=True)
class Reason:
    """What the Table of Play says of one hand, with the clause of this game that says it."""

    hand: Hand
    total: int
    draws: bool
    against: int | None
    rule: str
    clause: str | None


@dataclass(frozen=True, slots=True)
class NextStep:
    """A command that can be given now, by whom and why."""

    command: str
    role: Role
    """Whose it is; a patron's is that of ``patron``."""
    by: tuple[Role, ...]
    """The positions that may give it: his, and those above."""
    must: bool
    """Whether play waits for it; otherwise it may be done besides."""
    values: Mapping[str, Value]
    """What of the command is known."""
    keyed: tuple[str, ...]
    """What whoever gives it has to fill in."""
    patron: str | None
    hand: Hand | None
    """The hand it is about, and the place of the card."""
    place: int | None
    call: Call | None
    provision: str | None
    clause: str | None
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class ToSettle:
    """The settlement as it is about to be made, in the order of the hand: collect, hand back, pay."""

    wagers: tuple[Settled, ...]
    collected: int
    paid: int
    """Winnings, commission already taken off."""
    commission: int
    handed_back: int
    """Stakes of wagers that neither won nor lost, and what lay over the maximum."""


def next_steps(table: Table) -> tuple[NextStep, ...]:
    """What comes next, first what play waits for; everything in it can be given now."""
    if table.phase is Phase.SHUT:
        return (_step(table, "OpenTable", Role.PIT_MANAGER, keyed=("setting", "float_")),)
    if table.hold:
        return tuple(_held(table, table.hold))
    steps = {
        Phase.IDLE: _between_rounds,
        Phase.BETTING: _betting,
        Phase.CLOSED: _dealing,
        Phase.DEALING: _dealing,
        Phase.OUTCOME: _settling,
    }[table.phase](table)
    return tuple(sorted(steps, key=lambda each: not each.must))


def to_settle(table: Table) -> ToSettle | None:
    """What SettleRound will do, while the outcome is announced and nothing is settled."""
    if table.phase is not Phase.OUTCOME:
        return None
    wagers = sorted(settlement(table), key=lambda each: (_IN_TURN[each.result], each.position, each.wager))
    lost = sum(each.settled for each in wagers if each.result is Result.LOSE)
    winnings = sum(each.winnings for each in wagers)
    back = sum(each.returned - each.winnings - (each.settled if each.result is Result.WIN else 0) for each in wagers)
    return ToSettle(tuple(wagers), lost, winnings, sum(each.commission for each in wagers), back)


_IN_TURN: Mapping[Result | None, int] = {Result.LOSE: 0, None: 1, Result.PUSH: 1, Result.WIN: 2}


@lru_cache(maxsize=64)
def _able(role: Role, interchangeable: bool) -> tuple[Role, ...]:
    if role is Role.PATRON:
        return ()
    return tuple(each for each in Role if each in STAFF and performs(role, {each}, interchangeable))


def _step(
    table: Table,
    command: str,
    role: Role = Role.DEALER,
    provision: str | None = None,
    values: Mapping[str, Value] | None = None,
    **more: Any,
) -> NextStep:
    clause = table.book.clause_of(provision) if provision else None
    by = _able(role, bool(table.setting and table.set_up.managers_interchangeable))
    said = {**_UNLESS_SAID, "values": values or {}, "provision": provision, "clause": clause, **more}
    return NextStep(command, role, by, **said)


_UNLESS_SAID: Mapping[str, Any] = {
    "must": True,
    "keyed": (),
    "patron": None,
    "hand": None,
    "place": None,
    "call": None,
    "reasons": (),
}


# --- a round ---------------------------------------------------------------------------------------------------------


def _between_rounds(table: Table) -> Iterator[NextStep]:
    confirms, called = table.set_up.confirms, table.book.round_of_play
    if table.shoe is None:
        yield _step(table, "LoadShoe", keyed=("shoe",))
    else:
        call = _call("commencement", called.commencement if called else "")
        yield _step(table, "OpenBets", provision="commencement", call=call)
        if table.last_was_void and table.book.clauses_of("cards-replaced"):
            yield _step(table, "ReplaceCards", confirms, "cards-replaced", must=False)
        yield _step(table, "EndShoe", confirms, must=False)
    yield from _giving_the_device(table)


def _call(name: str, words: str) -> Call:
    """A call that the document words."""
    return Call(name, words, None, None, None)


def _giving_the_device(table: Table) -> Iterator[NextStep]:
    """Under Method C the dealing device may go to a patron while the Dealer has it."""
    if table.set_up.method == "C" and table.device is None and table.chips:
        yield _step(table, "GiveDevice", provision="method-c-draw", must=False, keyed=("patron",))


def _betting(table: Table) -> Iterator[NextStep]:
    called = table.book.round_of_play
    yield _step(table, "CloseBets", provision="closing", call=_call("closing", called.closing if called else ""))
    if table.chips and table.book.clauses_of("wager-on-behalf"):
        placing = ("patron", "position", "wager", "amount")
        yield _step(table, "PlaceWager", provision="wager-on-behalf", must=False, keyed=placing)
        if table.stakes:
            yield _step(table, "TakeBackWager", provision="wager-on-behalf", must=False, keyed=placing)
    yield from _giving_the_device(table)


def _settling(table: Table) -> Iterator[NextStep]:
    yield from _short(table, paid_from_float(settlement(table))) or [
        _step(table, "SettleRound", provision="round-of-play")
    ]


def _short(table: Table, amount: int) -> list[NextStep]:
    """What the float lacks has to be brought first."""
    lacks = amount - table.float_
    return [_step(table, "Fill", Role.PIT_MANAGER, values={"amount": lacks})] if lacks > 0 else []


# --- dealing ---------------------------------------------------------------------------------------------------------


def _dealing(table: Table) -> Iterator[NextStep]:
    if table.drawn < len(INITIAL_DEAL):
        yield from _drawing(table, INITIAL_DEAL[table.drawn])
    elif not table.all_exposed:
        yield from _passing(table)
        yield from _exposing(table)
    else:
        yield from _third_card_or_outcome(table)
    offered = table.cutting_card_first and table.phase is Phase.CLOSED and table.set_up.hlga
    if offered and table.book.clauses_of("cutting-card-first"):
        yield _step(table, "OfferWithdrawal", provision="cutting-card-first", must=False)


def _drawing(table: Table, hand: Hand, call: Call | None = None) -> Iterator[NextStep]:
    """The next card, drawn by the Dealer, or under Method C by the patron with the dealing device."""
    device, third = table.device, table.drawn >= len(INITIAL_DEAL)
    said: dict[str, Any] = {"call": call, "reasons": _reasons(table), "hand": hand, "place": len(table.hands[hand])}
    if third and table.set_up.method == "C" and "method-c-initial-placed" not in table.attested:
        yield _attest(table, "method-c-initial-placed", call)
        return
    if device is None:
        yield _step(table, "DrawCard", provision="table-of-play" if third else f"{hand}-cards", **said)
    elif may_draw(table, device):  # refused
        yield _step(
            table,
            "PermitDrawing",
            Role.ASSISTANT_CASINO_MANAGER,
            "method-c-no-wager",
            {"patron": device},
            patron=device,
        )
    elif "method-c-full-view" not in table.attested:
        yield _attest(table, "method-c-full-view", call)
    else:
        yield _step(table, "DrawCard", Role.PATRON, "method-c-draw", patron=device, **said)
    if table.shoe and not table.shoe.cutting_card_shown:
        yield _step(table, "ShowCuttingCard", provision="cutting-card", must=False)
    yield from _giving_the_device(table)


def _attest(table: Table, provision: str, call: Call | None) -> NextStep:
    return _step(table, "Attest", provision=provision, values={"provision": provision}, call=call)


def _passing(table: Table) -> Iterator[NextStep]:
    """Face-down hands for a patron: under Method A for the one entitled, under Method C for whom it may concern."""
    method = table.set_up.method
    if method not in ("A", "C"):
        return
    for hand in Hand:
        if hand in table.handlers or any(place.card for place in table.hands[hand]):
            continue
        if method == "C":
            passing = _step(table, "PassHand", provision="method-c-through-dealer", must=False, **_to_somebody(hand))
        elif entitled := entitled_to(table, hand):
            values = {"hand": hand, "patron": entitled}
            passing = _step(table, "PassHand", Role.DEALER, "method-a-highest", values, hand=hand, patron=entitled)
        else:
            role = Role.PIT_SUPERVISOR
            passing = _step(table, "PassHand", role, "method-a-discretion", must=False, **_to_somebody(hand))
        if table.chips:
            yield passing


def _to_somebody(hand: Hand) -> dict[str, Any]:
    return {"values": {"hand": hand}, "hand": hand, "keyed": ("patron",)}


def _exposing(table: Table) -> Iterator[NextStep]:
    """The next card of each hand to be turned, the hand that goes first before the other."""
    method_a, first = table.set_up.method == "A", table.first_hand
    if method_a and first is None:
        wrong = [hand for hand in sorted(table.wrongly_passed) if not stays_with_patron(table, hand)]
        yield from (_turn(table, hand, 0) for hand in wrong)
        yield _step(table, "ChooseFirstHand", provision="method-a-reveal-order", keyed=("hand",))
        return
    order = (first, first.other) if first else (Hand.PLAYER, Hand.BANKER)
    for hand in order:
        at = next_face_down(table, hand)
        if at is not None:
            step = _turn(table, hand, at)
            yield step
            if step.role is not Role.PATRON or (method_a and at < 2):
                return  # the other hand waits until this one is turned


def next_face_down(table: Table, hand: Hand) -> int | None:
    """The place of the hand's first card that is not exposed."""
    return next((number for number, place in enumerate(table.hands[hand]) if place.card is None), None)


def _turn(table: Table, hand: Hand, place: int) -> NextStep:
    """A patron turns the cards he has, unless they are taken back from him first.

    Where no device tells what they are, the Dealer keys what he turned.
    """
    if hand in table.wrongly_passed and not stays_with_patron(table, hand):
        from_whom = {"hand": hand, "patron": table.handlers[hand]}
        return _step(table, "RetrieveHand", Role.DEALER, "wrong-delivery", {"hand": hand}, **from_whom)
    holder, known = table.handlers.get(hand), table.set_up.device in KNOWS_ITS_CARDS
    values: dict[str, Value] = {"hand": hand, "place": place}
    if holder and not known:
        values["turned_by"] = holder
    role = Role.PATRON if holder and known else Role.DEALER
    keyed = () if known else ("card",)
    return _step(table, "ExposeCard", role, None, values, hand=hand, place=place, patron=holder, keyed=keyed)


def _third_card_or_outcome(table: Table) -> Iterator[NextStep]:
    player, banker = (point_total(table.values(hand)) for hand in Hand)
    totals = Call("totals", "", player, banker, None) if table.drawn == len(INITIAL_DEAL) else None
    if due := next_card(table.values(Hand.PLAYER), table.values(Hand.BANKER)):
        yield from _drawing(table, due, totals)
    elif table.set_up.method == "C" and "method-c-placed" not in table.attested:
        yield _attest(table, "method-c-placed", totals)
    else:
        call = Call("outcome", "", player, banker, outcome_of(table).winner.value)
        yield _step(table, "AnnounceOutcome", provision="winning-hand", call=call, reasons=_reasons(table))


def _reasons(table: Table) -> tuple[Reason, ...]:
    """Why the Table of Play gives a third card, or none; nothing while a card is face down."""
    if table.drawn < len(INITIAL_DEAL) or not table.all_exposed:
        return ()
    clause_of = table.book.clause_of
    whole = clause_of("table-of-play")
    return tuple(
        Reason(each.hand, each.total, each.draws, each.against, each.rule, clause_of(each.rule) or whole)
        for each in rulings(table.values(Hand.PLAYER), table.values(Hand.BANKER))
    )


# --- in a hold -------------------------------------------------------------------------------------------------------


def _held(table: Table, hold: Hold) -> Iterator[NextStep]:
    """Which decisions are open, and whose they are."""
    return _HELD[type(hold)](table, hold)


def _void(table: Table, hold: VoidHold) -> Iterator[NextStep]:
    yield from _short(table, _reversed(table, hold.provision))
    confirms, provision = table.set_up.confirms, hold.provision
    yield _step(table, "ConfirmVoid", confirms, provision, clause=voiding_clause(table, hold))
    yield _step(table, "DismissVoid", confirms, provision, clause=hold.clause)


def _withdrawal(table: Table, hold: WithdrawalHold) -> Iterator[NextStep]:
    for patron in sorted(hold.pending):
        yield _step(table, "AnswerWithdrawal", Role.PATRON, hold.provision, patron=patron, keyed=("wagers",))
    yield _step(table, "EndWithdrawal", provision=hold.provision, must=False)


def _order(table: Table, hold: OrderHold) -> Iterator[NextStep]:
    yield _step(table, "FixOrder", Role.PIT_MANAGER, hold.provision, keyed=("order",))


def _referral(table: Table, hold: ReferralHold) -> Iterator[NextStep]:
    decides = Role.GAMING_SHIFT_MANAGER if table.book.clause_of("referral") else table.set_up.confirms
    yield from _short(table, _reversed(table, hold.provision))
    yield from _either(table, "DecideReferral", decides, hold.provision)


def _reset(table: Table, hold: ResetHold) -> Iterator[NextStep]:
    yield from _either(table, "DecideReset", Role.GAMING_SHIFT_MANAGER, hold.provision)


def _misplaced(table: Table, hold: MisplacedHold) -> Iterator[NextStep]:
    yield _step(table, "ReconstructCards", provision=hold.provision)


def _either(table: Table, command: str, role: Role, provision: str) -> Iterator[NextStep]:
    for void in (False, True):
        yield _step(table, command, role, provision, {"void": void})


def _reversed(table: Table, provision: str) -> int:
    """What the float gives back if the round, settled already, is found void."""
    return paid_back(void_settled_round(table, provision, None)) if table.phase is Phase.IDLE else 0


def _differential(table: Table, hold: DifferentialHold) -> Iterator[NextStep]:
    keyed, higher = ("patron", "position", "amount"), {"wager": hold.higher}
    on = {wager for _, _, wager in table.stakes}
    yield _step(table, "TakeBackWager", Role.DEALER, "differential-decrease", higher, keyed=keyed)
    yield _step(table, "RemoveWager", Role.PIT_MANAGER, "differential-removal", higher, keyed=keyed)
    if hold.lower in on:
        lower = {"wager": hold.lower}
        yield _step(table, "PlaceWager", Role.DEALER, "differential-increase", lower, keyed=keyed, must=False)


def _cards_taken(table: Table, hold: CardsTakenHold) -> Iterator[NextStep]:
    """The other hand takes part in the count, so it is turned before; the rest is the manager's, step by step."""
    manager, other, due = Role.GAMING_SHIFT_MANAGER, hold.hand.other, STEPS[hold.done]
    outstanding = next_face_down(table, other)
    if due != COUNT:
        yield _step(table, "AttestCardsTaken", manager, due, {"provision": due})
    elif outstanding is None:
        yield _step(table, "DetermineMissing", manager, due, keyed=("lacking", "set_aside"))
    if outstanding is not None:
        yield _turn(table, other, outstanding)


_HELD: Mapping[type[Hold], Callable[[Table, Any], Iterator[NextStep]]] = {
    VoidHold: _void,
    WithdrawalHold: _withdrawal,
    DifferentialHold: _differential,
    OrderHold: _order,
    ReferralHold: _referral,
    ResetHold: _reset,
    MisplacedHold: _misplaced,
    CardsTakenHold: _cards_taken,
}
