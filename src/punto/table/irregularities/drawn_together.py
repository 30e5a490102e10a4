"""Cards drawn together: dealt in their order where it is known, else fixed or void."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from punto.cards import Card
from punto.rules.table_of_play import INITIAL_DEAL, Hand
from punto.table.command import Report
from punto.table.event import Event, Irregularity
from punto.table.guards import Decision, by, in_phase, is_open, not_held, real_cards
from punto.table.guidance.next_step import NextStep, step
from punto.table.hold import Hold
from punto.table.irregularities.misdealt_cards import NOT_NEEDED, not_needed
from punto.table.irregularities.referral import ReferralHold, Referred, before_playing_on, matter
from punto.table.irregularities.relaid_cards import faces_dealt, laid_by, relaid
from punto.table.irregularities.void import after_dismissal, ask_void, reason
from punto.table.irregularities.withdrawal import after_answers, offer
from punto.table.irregularities.withdrawn_report import back_in_the_shoe, takes_out
from punto.table.refusal import Refusal, refuse
from punto.table.registry import CHANGES, decides, evolves, resolves, undoes
from punto.table.roles import Role
from punto.table.round import Phase
from punto.table.settings import KNOWS_ITS_CARDS
from punto.table.table import Table
from punto.table.visibility import Public


class ReportDrawnTogether(Report, frozen=True):
    """Several cards left the device at once: how many, and whether their order can be told."""

    count: int
    order_known: bool
    places: tuple[tuple[Hand, int], ...] = ()
    """Where they lie, if it is noticed once they are dealt: in the order in which they came, if that is known."""


class FixOrder(Report, frozen=True):
    """Fix the order of cards drawn together: their numbers, first to last."""

    order: tuple[int, ...]


class CardsDrawnTogether(Irregularity, frozen=True):
    """Cards left the device at once."""

    indices: Public[tuple[int, ...]]
    order_known: Public[bool]
    clause: Public[str | None]
    to_be_fixed: Public[bool]
    """Whether their order is the Pit Manager's to fix."""
    laid: Public[bool] = False
    """Whether they lie on the table already."""


class CardsOrdered(Irregularity, frozen=True):
    """The order of cards drawn together is established, and they are dealt in it."""

    order: Public[tuple[int, ...]]
    clause: Public[str | None]


class OrderHold(Hold, frozen=True):
    """Cards were drawn together in unknown order, which the Pit Manager has to fix."""


_AT_ONCE = reason("several-at-once", "cards drawn together")
_AFTER_SETTLEMENT = matter("drawn-together-settled", "cards of a settled round were drawn together")
_UNKNOWN_ORDER = matter("unknown-order", "cards drawn together after the initial deal, in unknown order")


@decides(ReportDrawnTogether)
def report_drawn_together(table: Table, command: ReportDrawnTogether) -> Decision:
    """Deal in their order if it is known, after a withdrawal; else void the initial deal, or have the order fixed."""
    if command.places:
        return _noticed_late(table, command)
    provision = "drawn-together-unknown-initial"
    refusal = (
        in_phase(table, Phase.CLOSED, Phase.DEALING, Phase.OUTCOME)
        or not_held(table)
        or by(table, command, Role.DEALER, provision="drawn-together")
        or real_cards(table, provision)
        or (None if _could_come(table, command.count) else refuse("not-together"))
    )
    if refusal:
        return refusal
    assert table.shoe is not None
    indices = tuple(range(table.shoe.drawn, table.shoe.drawn + command.count))
    clause, follows = _rule_for(table, command, indices)
    return (CardsDrawnTogether(indices, command.order_known, clause, to_be_fixed=not follows), *follows)


def _noticed_late(table: Table, command: ReportDrawnTogether) -> Decision:
    """Do the same about cards that lie on the table: after the answers they are laid again by their order (R81)."""
    settled = table.phase is Phase.IDLE and table.round_number in table.history
    refusal = (
        is_open(table)
        or (None if settled else in_phase(table, Phase.DEALING, Phase.OUTCOME))
        or not_held(table)
        or by(table, command, Role.DEALER, provision="drawn-together")
        or real_cards(table, "drawn-together-unknown-initial")
    )
    if refusal:
        return refusal
    if settled:
        clause = table.book.clause_of("referral")
        return (Referred("", clause, case=_AFTER_SETTLEMENT, about_round=table.round_number),)
    numbers = _lying_together(table, command)
    if numbers is None:
        return refuse("not-together")
    told = table.round_changed(laid_together=numbers)
    if command.order_known and (refusal := _can_be_laid(told)):
        return refusal
    clause, follows = _rule_for_laid(told, command)
    return (CardsDrawnTogether(numbers, command.order_known, clause, to_be_fixed=not follows, laid=True), *follows)


def _lying_together(table: Table, command: ReportDrawnTogether) -> tuple[int, ...] | None:
    """Return the numbers of the cards named, in the order told or else as dealt; None if they did not come together."""
    numbers = tuple(table.round.number_at(hand, place) for hand, place in command.places)
    dealt = table.round.dealt
    if command.count not in (0, len(numbers)) or len({*numbers}) < 2 or not {*numbers} <= {*dealt}:
        return None
    at = sorted(dealt.index(number) for number in numbers if number is not None)
    if at != list(range(at[0], at[0] + len(numbers))):
        return None
    as_dealt = tuple(dealt[each] for each in at)
    return tuple(each for each in numbers if each is not None) if command.order_known else as_dealt


def _rule_for_laid(table: Table, command: ReportDrawnTogether) -> tuple[str | None, tuple[Event, ...]]:
    """Return the clause that applies to cards on the table, and what follows."""
    clause_of, first = table.book.clause_of, min(map(table.round.dealt.index, table.round.laid_together))
    if command.order_known:
        return clause_of("drawn-together"), _order_known(table)
    if first < len(INITIAL_DEAL):
        provision = "drawn-together-unknown-initial"
        return clause_of(provision), (ask_void(table, provision, _AT_ONCE),)
    if clause := clause_of("drawn-together-unknown-later"):
        return clause, ()
    return None, (Referred("", None, case=_UNKNOWN_ORDER),)


def _true_order(table: Table) -> tuple[Card | None, ...]:
    """Return the cards on the table in the order in which they left the device, by what was told of some of them."""
    faces = faces_dealt(table.round)
    return tuple(faces[number] for number in table.round.left_device)


def _can_be_laid(table: Table) -> Refusal | None:
    """Refuse an order that the device read otherwise, or that hangs on a card still face down."""
    order = _true_order(table)
    if table.set_up.device in KNOWS_ITS_CARDS and order != tuple(faces_dealt(table.round).values()):
        return refuse("order-does-not-fit", "drawn-together", case="device")
    return refuse("order-does-not-fit", "drawn-together", case="face-down") if relaid(order) is None else None


def _established(table: Table, order: tuple[int, ...], provision: str) -> tuple[Event, ...]:
    """Return that the order is established, and that cards on the table are laid by it where it is another."""
    clause = table.book.clause_of(provision)
    ordered = CardsOrdered(order, clause)
    if not table.round.laid_together:
        return (ordered,)
    told = table.round_changed(laid_together=order)
    if order == tuple(number for number in table.round.dealt if number in order):
        return (ordered,)
    return (ordered, *laid_by(told, _true_order(told), clause))


def _could_come(table: Table, count: int) -> bool:
    """Return whether the shoe has this many cards, two or more; one, if that is one too many."""
    assert table.shoe is not None
    return (1 if _too_soon(table) or table.round.deal_over else 2) <= count <= table.shoe.size - table.shoe.drawn


def _too_soon(table: Table) -> bool:
    """Return whether the next card has to wait until those dealt are exposed."""
    return table.round.initial_deal_done and not table.round.all_exposed


def _rule_for(
    table: Table, command: ReportDrawnTogether, indices: tuple[int, ...]
) -> tuple[str | None, tuple[Event, ...]]:
    """Return the clause that applies and what follows: it depends on when it happened and whether the order is known.

    Nothing follows at once where the order is the Pit Manager's to fix.
    """
    clause_of = table.book.clause_of
    if table.round.deal_over or (command.count == 1 and _too_soon(table)):  # one too many (reading R27)
        return clause_of("wrong-number-of-cards") or clause_of("referral"), (not_needed(table),)
    if command.order_known:
        return clause_of("drawn-together"), _order_known(table.round_changed(together=indices))
    if not table.round.initial_deal_done:
        provision = "drawn-together-unknown-initial"
        return clause_of(provision), (ask_void(table, provision, _AT_ONCE),)
    if clause := clause_of("drawn-together-unknown-later"):
        return clause, ()
    return None, (Referred("", None, case=_UNKNOWN_ORDER),)


@decides(FixOrder)
def fix_order(table: Table, command: FixOrder) -> Decision:
    """Let the Pit Manager fix the order; each patron then takes back all remaining wagers or plays on."""
    provision = "drawn-together-unknown-later"
    refusal = (
        is_open(table)
        or (None if isinstance(table.hold, OrderHold) or _order_in_question(table) else refuse("not-held"))
        or by(table, command, Role.PIT_MANAGER, provision=provision)
        or (None if sorted(command.order) == sorted(table.round.order_asked) else refuse("not-together", provision))
    )
    if refusal:
        return refusal
    if table.round.laid_together:
        return _fix_laid(table, command.order, provision)
    ordered = CardsOrdered(command.order, table.book.clause_of(provision))
    # Of cards that the round does not need nothing is decided.
    return (ordered,) if _order_in_question(table) else (ordered, *offer(table, provision, whole=True))


def _fix_laid(table: Table, order: tuple[int, ...], provision: str) -> Decision:
    """Lay the cards by the order that was fixed, and offer withdrawal of what is not decided by them then."""
    if refusal := _can_be_laid(table.round_changed(laid_together=order)):
        return refusal
    ordered, *laid = _established(table, order, provision)
    after = _cards_ordered(table, CardsOrdered(order, None))
    for event in laid:
        after = CHANGES[type(event)](after, event)
    if after.hold:  # a card is too many by that order, and referred: a decision may offer withdrawal
        return (ordered, *laid)
    return (ordered, *laid, *offer(after, provision, whole=True))


def _order_in_question(table: Table) -> bool:
    """Return whether cards too many, in unknown order, are what is referred."""
    return isinstance(table.hold, ReferralHold) and table.hold.case == NOT_NEEDED and table.round.order_open


@before_playing_on(NOT_NEEDED)
def _order_first(table: Table) -> Refusal | None:
    """Refuse before the order of cards too many is fixed, where that is a rule, or they have left play.

    They would be dealt in the next round (reading R33).
    """
    provision = "drawn-together-unknown-later"
    waits = table.round.order_open and table.book.clauses_of(provision)
    return refuse("order-not-fixed", provision) if waits else None


@after_dismissal("drawn-together-unknown-initial")
def _order_known(table: Table) -> tuple[Event, ...]:
    """Offer withdrawal first, where the game has it, and deal the cards in their known order."""
    if table.book.clauses_of("drawn-together-withdrawal"):
        return offer(table, "drawn-together-withdrawal", whole=False)
    # Fabulous 4: what can be reconstructed is (reading R22)
    return _established(table, table.round.order_asked, "drawn-together")


@after_answers("drawn-together-withdrawal")
def _deal_in_order(table: Table) -> tuple[Event, ...]:
    return _established(table, table.round.order_asked, "drawn-together")


@after_dismissal("wrong-number-of-cards")
def _deal_next_round(table: Table) -> tuple[Event, ...]:
    """Make a card too many, which does not void the round, the first of the next one (reading R33)."""
    if table.round.order_open:
        return (Referred("", None, case=_UNKNOWN_ORDER),)
    return (CardsOrdered(table.round.together, None),) if table.round.together else ()


@evolves(CardsDrawnTogether)
def _cards_drawn_together(table: Table, event: CardsDrawnTogether) -> Table:
    assert table.shoe is not None
    holds = (*table.holds, OrderHold("drawn-together-unknown-later")) if event.to_be_fixed else table.holds
    if event.laid:
        return table.changed(round=table.round.changed(laid_together=event.indices), holds=holds)
    shoe = replace(table.shoe, drawn=table.shoe.drawn + len(event.indices))
    phase = table.phase if table.phase is Phase.OUTCOME else Phase.DEALING
    drawn = table.round.changed(phase=phase, together=event.indices, unordered=not event.order_known)
    return table.changed(round=drawn, shoe=shoe, holds=holds)


@evolves(CardsOrdered)
def _cards_ordered(table: Table, event: CardsOrdered) -> Table:
    # What comes before it in the same command has ended any other hold.
    holds = table.holds[:-1] if isinstance(table.hold, OrderHold) else table.holds
    if _order_in_question(table):
        holds = table.followed().holds
    if table.round.laid_together:
        return table.changed(round=table.round.changed(laid_together=(), ordered=event.order), holds=holds)
    ordered = table.round.changed(together=(), ordered=event.order, unordered=False)
    return table.changed(round=ordered, out=(*table.out, *event.order), holds=holds)


@takes_out("drawn-together-unknown-initial", "drawn-together-withdrawal")
def _to_be_ordered(table: Table) -> tuple[int, ...]:
    return table.round.together


@takes_out("drawn-together-unknown-later")
def _in_fixed_order(table: Table) -> tuple[int, ...]:
    """Return the cards whose order was fixed: only then is withdrawal offered under this provision."""
    return table.round.ordered


@undoes(OrderHold)
def _not_together(table: Table, _: OrderHold) -> Table | Refusal:
    return back_in_the_shoe(table.round_changed(laid_together=()), table.round.together)


@resolves(OrderHold)
def _order(table: Table, hold: OrderHold) -> Iterator[NextStep]:
    yield step(table, "FixOrder", Role.PIT_MANAGER, hold.provision, keyed=("order",))
