"""Cards drawn together, found face up, or disturbed by moving the device; new cards after a void round."""

from __future__ import annotations

from punto.rules.table_of_play import INITIAL_DEAL, Hand, next_card
from punto.table.commands import FixOrder, ReplaceCards, ReportDeviceMoved, ReportDrawnTogether, ReportFaceUp
from punto.table.events import Event, ShoeEnded
from punto.table.guards import Decision, by, has_rule, in_phase, is_open, not_held, procedure, real_cards
from punto.table.irregular import CardsDrawnTogether, CardsOrdered, DeviceMoved, FaceUpCardFound, Referred
from punto.table.irregularities.void import IN_ROUND, ask_void
from punto.table.irregularities.withdrawal import offer, order_known
from punto.table.refusal import refuse
from punto.table.roles import Role
from punto.table.state import OrderHold, Phase, Table


def report_drawn_together(table: Table, command: ReportDrawnTogether) -> Decision:
    """Known order: withdrawal, then dealt in it. Unknown: void in the initial deal, later the Pit Manager's to fix."""
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
    follows, clause = _what_follows(table, command, indices), _rule_for(table, command)
    return (CardsDrawnTogether(indices, command.order_known, clause, to_be_fixed=not follows), *follows)


def _could_come(table: Table, count: int) -> bool:
    """Two cards or more that the shoe still has; one, if that is one too many."""
    assert table.shoe is not None
    return (1 if _too_soon(table) or _none_due(table) else 2) <= count <= table.shoe.size - table.shoe.drawn


def _too_soon(table: Table) -> bool:
    """Whether the next card has to wait until those dealt are exposed."""
    return table.drawn >= len(INITIAL_DEAL) and not table.all_exposed


def _none_due(table: Table) -> bool:
    """Whether the deal is over, so that a card drawn is one too many (reading R27)."""
    dealt = table.drawn >= len(INITIAL_DEAL) and table.all_exposed
    return dealt and next_card(table.values(Hand.PLAYER), table.values(Hand.BANKER)) is None


def _one_too_many(table: Table, command: ReportDrawnTogether) -> bool:
    return _none_due(table) or (command.count == 1 and _too_soon(table))


def _too_many(table: Table) -> tuple[Event, ...]:
    if table.book.clauses_of("wrong-number-of-cards"):
        return (ask_void(table, "wrong-number-of-cards", "a card was drawn that the round does not need"),)
    return (Referred("a card was drawn that the round does not need", table.book.clause_of("referral")),)


def _what_follows(table: Table, command: ReportDrawnTogether, indices: tuple[int, ...]) -> tuple[Event, ...]:
    book = table.book
    if _one_too_many(table, command):
        return _too_many(table)
    if command.order_known:
        return order_known(table.with_together(indices))
    if table.drawn < len(INITIAL_DEAL):
        note = f"{command.count} cards drawn together"
        return (ask_void(table, "drawn-together-unknown-initial", note),)
    if book.clauses_of("drawn-together-unknown-later"):
        return ()
    return (Referred("cards drawn together after the initial deal, in unknown order", None),)


def _rule_for(table: Table, command: ReportDrawnTogether) -> str | None:
    """The clause that says what follows, which depends on whether the order is known, and when it happened."""
    book = table.book
    if _one_too_many(table, command):
        return book.clause_of("wrong-number-of-cards") or book.clause_of("referral")
    if command.order_known:
        return book.clause_of("drawn-together")
    initial = table.drawn < len(INITIAL_DEAL)
    return book.clause_of("drawn-together-unknown-initial" if initial else "drawn-together-unknown-later")


def fix_order(table: Table, command: FixOrder) -> Decision:
    """The Pit Manager fixes the order, and each patron takes back all that is left of his wagers or plays on."""
    provision = "drawn-together-unknown-later"
    refusal = (
        is_open(table)
        or (None if isinstance(table.hold, OrderHold) else refuse("not-held"))
        or by(table, command, Role.PIT_MANAGER, provision=provision)
        or (None if sorted(command.order) == sorted(table.together) else refuse("not-together", provision))
    )
    if refusal:
        return refusal
    return (CardsOrdered(command.order, table.book.clause_of(provision)), *offer(table, provision, whole=True))


def report_face_up(table: Table, command: ReportFaceUp) -> Decision:
    """After the round's first card it is played as if face down; the first card itself is referred (reading R24)."""
    provision = "card-face-up"
    refusal = procedure(table, command, provision, Role.DEALER, *IN_ROUND) or real_cards(table, provision)
    if refusal:
        return refusal
    if table.drawn == 0 or _none_due(table):
        referred = Referred("the first card of a round lies face up", table.book.clause_of("referral"))
        return (FaceUpCardFound(table.next_index, None), referred)
    return (FaceUpCardFound(table.next_index, table.book.clause_of(provision)),)


def report_device_moved(table: Table, command: ReportDeviceMoved) -> Decision:
    """Under Method C: exposed cards are played on; an order altered beyond repair voids the round."""
    provision = "device-moved-altered" if command.altered else "device-moved-exposed"
    refusal = (
        is_open(table)
        or has_rule(table, "device-moved")
        or in_phase(table, *IN_ROUND)
        or not_held(table)
        or (
            None
            if table.set_up.method == "C"
            else refuse("method-not-allowed", "device-moved", method="C", why="it is not in use")
        )
        or by(table, command, Role.DEALER, provision=provision)
        or real_cards(table, provision)
    )
    if refusal:
        return refusal
    if command.altered:
        return (ask_void(table, provision, "the device was moved"),)
    return (DeviceMoved(table.book.clause_of(provision)),)


def replace_cards(table: Table, command: ReplaceCards) -> Decision:
    """New cards may be brought after a void round, and only then."""
    provision = "cards-replaced"
    refusal = (
        is_open(table)
        or has_rule(table, provision)
        or in_phase(table, Phase.IDLE)
        or by(table, command, table.set_up.confirms, provision=provision)
        or (None if table.last_was_void and table.shoe else refuse("no-void-round", provision))
    )
    if refusal:
        return refusal
    assert table.shoe is not None
    return (ShoeEnded(table.shoe.name, provision),)
