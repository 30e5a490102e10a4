"""Measures: what may be ordered while something that no rule covers waits for a decision.

Each rests on the rule on referrals, or in a game without one on the house's own decision, and uses what other rules
use. They are about the round in play; about a settled one only if the matter is about it (reading R53).
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from punto.cards import Card
from punto.roads import RoundMark
from punto.rules.coup import Coup
from punto.rules.table_of_play import Hand
from punto.table.command import Command, Report
from punto.table.event import Event, Irregularity
from punto.table.guards import Decision, above_zero, is_open, is_patron, real_cards
from punto.table.guidance.next_step import NextStep, Value, fill_first, step
from punto.table.irregularities.correction import (
    RoundCorrected,
    corrections,
    coup_of,
    covered,
    handed_back,
    paid_back,
    settle_again,
    settled_in_part,
    shared_again,
    void_settled_round,
)
from punto.table.irregularities.misdealt_cards import NOT_NEEDED
from punto.table.irregularities.referral import (
    ReferralHold,
    Referred,
    by_decider,
    decider,
    matter,
    outcome_stands,
    playing_on,
    void_since,
)
from punto.table.irregularities.relaid_cards import (
    CardsRelaid,
    RelayByOrder,
    corrected_card,
    faces_dealt,
    relaid,
    relay_by_order,
)
from punto.table.irregularities.withdrawal import offer_of
from punto.table.money import Cents
from punto.table.play.layout import lies_there, lower, stake_of
from punto.table.play.shoes import ShoeEnded
from punto.table.play.wrong_payout import considered_settled
from punto.table.refusal import Refusal, refuse
from punto.table.registry import decides, evolves, resolves, sensitive
from punto.table.roles import Role
from punto.table.round import IN_ROUND, Phase
from punto.table.settings import Device, SensitiveAct
from punto.table.table import Table
from punto.table.visibility import Public

_NOT_NEEDED_EITHER = matter("card-not-needed-either", "by the card ordered another is not needed", ends_hold=True)
"""A card too many by a card that was ordered: one decision ends both."""


class OrderWithdrawal(Report, frozen=True):
    """Have patrons asked whether they take back wagers: all of theirs or none, or each for itself."""

    whole: bool
    patrons: tuple[str, ...] = ()
    """Who is asked; every patron with a wager that is not decided, if none is named."""


class OrderCardsAside(Report, frozen=True):
    """Have the next cards burned or set aside, first those that are out of the shoe already: they leave play."""

    count: int
    burned: bool


class OrderReturn(Report, frozen=True):
    """Have one wager handed back, or a part of it."""

    patron: str
    position: int
    wager: str
    amount: Cents | None = None
    """How much of it; all of it if none is named."""


class OrderCard(Report, frozen=True):
    """Have an exposed card recorded as another one, and the cards laid where they then belong."""

    hand: Hand
    place: int
    card: Card


class OrderRelaying(Report, frozen=True):
    """Have the round's cards laid again by the order in which they left the shoe; None is a card still face down."""

    order: tuple[Card | None, ...]


class OrderCoup(Report, frozen=True):
    """Have the settled round that the matter is about settled by other cards."""

    player: tuple[Card, ...]
    banker: tuple[Card, ...]


class OrderNewCards(Report, frozen=True):
    """Have the cards replaced before the next round."""


class CardsPutAside(Irregularity, frozen=True):
    """Cards left play: burned, or set aside. Unseen, but for an exposed card that the round does not need."""

    indices: Public[tuple[int, ...]]
    burned: Public[bool]
    clause: Public[str | None]


class WagerReturned(Irregularity, frozen=True):
    """One wager was handed back by a decision."""

    patron: Public[str]
    position: Public[int]
    wager: Public[str]
    amount: Public[Cents]
    clause: Public[str | None]
    total: Public[Cents] = 0
    """What is left there."""


class NewCardsOrdered(Irregularity, frozen=True):
    """The cards are replaced before the next round, by a decision."""

    clause: Public[str | None]


def _referred(table: Table, command: Command) -> ReferralHold | Refusal:
    """Return the referral that is open, if the person may decide it."""
    hold = table.hold
    if not isinstance(hold, ReferralHold):
        return is_open(table) or refuse("not-held")
    return by_decider(table, command) or hold


def _ruled(table: Table) -> str | None:
    """Return the provision that a refusal cites; None where the house decides."""
    return "referral" if table.book.clauses_of("referral") else None


@decides(OrderWithdrawal)
def order_withdrawal(table: Table, command: OrderWithdrawal) -> Decision:
    """Offer withdrawal of what is not decided; while bets are open, patrons take back what they like anyway."""
    hold = _referred(table, command)
    if isinstance(hold, Refusal):
        return hold
    for patron in command.patrons:
        if refusal := is_patron(table, patron):
            return refusal
    if hold.round is not None or table.phase not in (Phase.CLOSED, Phase.DEALING):
        return refuse("no-meaning", _ruled(table), case="withdrawal")
    offered = offer_of(table, "referral", command.whole, command.patrons)
    return (offered,) if offered.patrons else refuse("no-meaning", _ruled(table), case="withdrawal")


@decides(OrderCardsAside)
def order_cards_aside(table: Table, command: OrderCardsAside) -> Decision:
    hold = _referred(table, command)
    if isinstance(hold, Refusal):
        return hold
    if table.shoe is None:
        return refuse("no-meaning", _ruled(table), case="cards-aside")
    surplus, first = _surplus(table, hold), table.shoe.drawn
    left = len(surplus) + table.cards_left
    if not 0 < command.count <= left:
        return refuse("no-such-cards", count=command.count, left=left)
    indices = (*surplus, *_out(table), *range(first, first + command.count))[: command.count]
    return (CardsPutAside(indices, command.burned, table.book.clause_of("referral")),)


def _surplus(table: Table, hold: ReferralHold) -> tuple[int, ...]:
    """Return the exposed cards that the round does not need, where they are what is referred."""
    return table.round.surplus_in_question if hold.case in (NOT_NEEDED, _NOT_NEEDED_EITHER) else ()


def _out(table: Table) -> tuple[int, ...]:
    """Return the cards that are out of the shoe and in no hand: first those whose order is in question."""
    return (*table.round.together, *table.out)


@decides(OrderReturn)
def order_return(table: Table, command: OrderReturn) -> Decision:
    """Hand back one wager, or a part: off the layout, or after the settlement by a correction."""
    hold = _referred(table, command)
    if isinstance(hold, Refusal):
        return hold
    if command.amount is not None and (refusal := above_zero(command.amount)):
        return refusal
    clause = table.book.clause_of("referral")
    if hold.round is not None:
        return outcome_stands(table, hold) or _return_settled(table, command, hold.round, clause)
    if table.phase not in IN_ROUND:
        return refuse("no-meaning", _ruled(table), case="return")
    if refusal := lies_there(table, command, command.amount or 0):
        return refusal
    lies = stake_of(table, command)
    amount = lies if command.amount is None else command.amount
    area = (command.patron, command.position, command.wager)
    return (WagerReturned(*area, amount, clause, lies - amount),)


def _return_settled(table: Table, command: OrderReturn, number: int, clause: str | None) -> Decision:
    record = table.history[number]
    named = (command.patron, command.position, command.wager)
    lay = next((each for each in record.wagers if (each.patron, each.position, each.wager) == named), None)
    settled = lay.settled if lay else 0
    if lay is None or (command.amount or 0) > settled:
        return refuse("no-such-stake", patron=named[0], amount=settled, wager=named[2], position=named[1])
    if considered_settled(table, number, lay):
        return refuse("no-meaning", "limits-settled", case="limits")
    coup = Coup(record.player, record.banker)
    part = command.amount is not None and command.amount < settled
    back = settled_in_part(table, lay, settled - (command.amount or 0), coup) if part else handed_back(lay, clause)
    after = shared_again(table, number, tuple(back if each is lay else each for each in record.wagers))
    mark = RoundMark.of(coup.outcome_class)
    corrected = RoundCorrected(number, "referral", clause, coup, mark, corrections(table, record, after))
    return covered(table, corrected) or (corrected,)


@decides(OrderCard)
def order_card(table: Table, command: OrderCard) -> Decision:
    hold = _referred(table, command)
    if isinstance(hold, Refusal):
        return hold
    if hold.round is not None or table.phase not in (Phase.DEALING, Phase.OUTCOME):
        return refuse("no-meaning", _ruled(table), case="card")
    refusal, clause = real_cards(table, None), table.book.clause_of("referral")
    corrected = refusal or corrected_card(table, command, command.card, clause)
    if isinstance(corrected, Refusal):
        return corrected
    # A card that is then too many belongs to the same matter.
    return tuple(replace(each, case=_NOT_NEEDED_EITHER) if isinstance(each, Referred) else each for each in corrected)


@decides(OrderRelaying)
def order_relaying(table: Table, command: OrderRelaying) -> Decision:
    """Lay the cards again, as after a wrong delivery; a card that is too many is referred in its turn."""
    hold = _referred(table, command)
    if isinstance(hold, Refusal):
        return hold
    if hold.round is not None or table.round.together or table.phase not in (Phase.DEALING, Phase.OUTCOME):
        return refuse("no-meaning", _ruled(table), case="card")
    told = relay_by_order(table.changed(holds=()), RelayByOrder(command.by, command.order))
    if isinstance(told, Refusal):
        return told
    clause = table.book.clause_of("referral")
    return tuple(replace(each, clause=clause) if isinstance(each, CardsRelaid) else each for each in told)


@decides(OrderCoup)
def order_coup(table: Table, command: OrderCoup) -> Decision:
    """Settle the round in question by other cards, of which there may be more or fewer than were dealt."""
    hold = _referred(table, command)
    if isinstance(hold, Refusal):
        return hold
    if hold.round is None:
        return refuse("no-meaning", _ruled(table), case="coup")
    coup = (
        real_cards(table, None) or void_since(table, hold) or coup_of(table, hold.round, command.player, command.banker)
    )
    if isinstance(coup, Refusal):
        return coup
    corrected = settle_again(table, hold.round, "referral", table.book.clause_of("referral"), coup)
    return covered(table, corrected) or (corrected,)


@decides(OrderNewCards)
def order_new_cards(table: Table, command: OrderNewCards) -> Decision:
    """Replace the cards: at once between rounds, else when the round is over."""
    hold = _referred(table, command)
    if isinstance(hold, Refusal):
        return hold
    if table.shoe is None or table.new_cards_ordered:
        return refuse("no-meaning", _ruled(table), case="new-cards")
    ordered = NewCardsOrdered(table.book.clause_of("referral"))
    ended: tuple[Event, ...] = (ShoeEnded(table.shoe.name, "referral"),) if table.phase is Phase.IDLE else ()
    return (ordered, *ended)


@evolves(CardsPutAside)
def _cards_put_aside(table: Table, event: CardsPutAside) -> Table:
    assert table.shoe is not None
    gone = frozenset(event.indices)
    out, together = (tuple(each for each in some if each not in gone) for some in (table.out, table.round.together))
    round_ = table.round.changed(
        together=together,
        dealt=tuple(each for each in table.round.dealt if each not in gone),
        surplus=tuple(each for each in table.round.surplus if each.index not in gone),
        # A card that was seen before its round went with them.
        any_seen=table.round.any_seen and table.round.drawn > 0,
    )
    shoe = replace(table.shoe, drawn=max(table.shoe.drawn, max(gone) + 1))
    next_seen = table.next_card_seen and table.next_index not in gone
    return table.changed(round=round_, out=out, shoe=shoe, next_card_seen=next_seen).followed()


@sensitive(WagerReturned)
def _removes(_table: Table, _event: WagerReturned) -> tuple[SensitiveAct, ...]:
    return (SensitiveAct.REMOVAL,)


@evolves(WagerReturned)
def _wager_returned(table: Table, event: WagerReturned) -> Table:
    return lower(table, event).followed()


@evolves(NewCardsOrdered)
def _new_cards_ordered(table: Table, _: NewCardsOrdered) -> Table:
    return table.changed(new_cards_ordered=True).followed()


@resolves(ReferralHold)
def _referral(table: Table, hold: ReferralHold) -> Iterator[NextStep]:
    """Yield the decision, which says why no rule covers the matter, and what may be ordered before it."""
    decides, about = decider(table), hold.round
    if about is not None and not void_since(table, hold):
        yield from fill_first(table, paid_back(void_settled_round(table, hold.provision, None, about)))
    voidable = (about is not None or table.phase is not Phase.IDLE) and not outcome_stands(table, hold)
    first = playing_on(table, hold)
    if first:
        yield step(table, "FixOrder", Role.PIT_MANAGER, first.provision, keyed=("order",))
    for void in (*(() if first else (False,)), *((True,) if voidable else ())):
        yield step(table, "DecideReferral", decides, hold.rests_on, {"void": void}, keyed=("uncovered",))
    for command, values, keyed in _measures(table, hold):
        yield step(table, command, decides, hold.provision, values, must=False, keyed=keyed)


_Measure = tuple[str, dict[str, Value], tuple[str, ...]]


def _measures(table: Table, hold: ReferralHold) -> Iterator[_Measure]:
    """Yield the measures that have a meaning now: the command, what of it is known, and what is to be filled in."""
    real = table.set_up.device is not Device.SEALED
    settled = table.history.get(hold.round) if hold.round is not None else None
    about = settled.wagers if settled else table.round.stakes
    if about and not outcome_stands(table, hold):
        yield "OrderReturn", {}, ("patron", "position", "wager")
    if real:
        yield from _measures_on_cards(table, hold)
    if hold.round is None and about and table.phase in (Phase.CLOSED, Phase.DEALING):
        for whole in (False, True) if offer_of(table, hold.provision, whole=False).patrons else ():
            yield "OrderWithdrawal", {"whole": whole}, ()
    if table.shoe and table.cards_left:
        count = len(_surplus(table, hold)) + len(table.round.together) or 1
        yield "OrderCardsAside", {"count": count, "burned": True}, ()
        yield "OrderCardsAside", {"count": count, "burned": False}, ()
    if table.shoe and not table.new_cards_ordered:
        yield "OrderNewCards", {}, ()


def _measures_on_cards(table: Table, hold: ReferralHold) -> Iterator[_Measure]:
    """Yield the measures about what cards are, and where they lie."""
    if hold.round is not None:
        if not void_since(table, hold):
            yield "OrderCoup", {}, ("player", "banker")
    elif table.round.any_exposed:
        yield "OrderCard", {}, ("hand", "place", "card")
        if not table.round.together and relaid(tuple(faces_dealt(table.round).values())):
            yield "OrderRelaying", {}, ("order",)
