"""Withdrawal as an offer to each patron: who is asked, what he may take back, and what follows the answers."""

from __future__ import annotations

from punto.rules.deal_counts import CardsSeen
from punto.rules.standings import Standing, decided
from punto.rules.table_of_play import Hand
from punto.table.commands import AnswerWithdrawal, EndWithdrawal, OfferWithdrawal
from punto.table.events import Event, Returned
from punto.table.guards import Decision, by, is_open, procedure, time_is_up
from punto.table.irregular import BetsReopened, CardsOrdered, WithdrawalAnswered, WithdrawalEnded, WithdrawalOffered
from punto.table.refusal import refuse
from punto.table.roles import Role
from punto.table.state import Phase, Table, WithdrawalHold


def standings(table: Table) -> dict[str, Standing]:
    """Which wagers of the game the exposed cards have already decided (reading R10)."""
    assert table.shoe is not None
    player, banker = (tuple(place.card for place in table.hands[hand]) for hand in (Hand.PLAYER, Hand.BANKER))
    return decided(table.book.wagers, CardsSeen(player, banker), table.shoe.unexposed)


def open_stakes(table: Table, patron: str) -> list[tuple[int, str]]:
    """The wagers of a patron that may be taken back: those not yet decided (reading R11)."""
    standing = standings(table)
    return [
        (position, wager) for who, position, wager in table.stakes if who == patron and standing[wager] is Standing.OPEN
    ]


def offer(table: Table, provision: str, whole: bool) -> tuple[Event, ...]:
    """Offer withdrawal to every patron with a wager that is not decided; with nobody to ask, go on at once."""
    standing = standings(table)
    wagers = tuple(each for each in table.layout if standing[each.wager] is Standing.OPEN)
    asked = tuple(dict.fromkeys(each.patron for each in wagers))
    offered = WithdrawalOffered(provision, table.book.clause_of(provision), whole, asked, wagers)
    return (offered,) if asked else (offered, *_afterwards(table, provision))


def order_known(table: Table) -> tuple[Event, ...]:
    """Cards drawn together whose order is known: withdrawal first, where the game has it, then dealt in that order."""
    if table.book.clauses_of("drawn-together-withdrawal"):
        return offer(table, "drawn-together-withdrawal", whole=False)
    return (CardsOrdered(table.together, None),)  # Fabulous 4: what can be reconstructed is (reading R22)


def _afterwards(table: Table, provision: str) -> tuple[Event, ...]:
    """What follows when the answers are in."""
    ended = WithdrawalEnded(provision)
    if provision == "drawn-together-withdrawal":
        return (ended, CardsOrdered(table.together, table.book.clause_of("drawn-together")))
    if provision == "device-reset" and not table.any_seen:  # nobody wagers on cards already seen (reading R32)
        return (ended, BetsReopened(table.book.clause_of(provision)))
    return (ended,)


def offer_withdrawal(table: Table, command: OfferWithdrawal) -> Decision:
    """In the HLGA the Dealer may offer it if the round's first card was the cutting card."""
    provision = "cutting-card-first"
    refusal = (
        procedure(table, command, provision, Role.DEALER, Phase.CLOSED)
        or (None if table.set_up.hlga else refuse("hlga-only", provision))
        or (None if table.cutting_card_first else refuse("no-cutting-card", provision))
    )
    return refusal or offer(table, provision, whole=False)


def answer_withdrawal(table: Table, command: AnswerWithdrawal) -> Decision:
    hold, patron = table.hold, command.by.id
    if not isinstance(hold, WithdrawalHold):
        return is_open(table) or refuse("not-held")
    if time_is_up(table, command):
        return refuse("window-over")
    if command.by.role is not Role.PATRON or patron not in hold.pending:
        return refuse("not-asked", hold.provision)
    may_go = open_stakes(table, patron)
    wanted = may_go if command.wagers is None else list(dict.fromkeys(command.wagers))
    if not set(wanted) <= set(may_go):
        return refuse("not-withdrawable", hold.provision)
    if hold.whole and wanted and set(wanted) != set(may_go):
        return refuse("all-or-none", hold.provision)
    withdrawn = tuple(Returned(patron, *area, table.stakes[patron, *area].amount) for area in wanted)
    answered = WithdrawalAnswered(patron, withdrawn)
    last = hold.pending == {patron}
    return (answered, *_afterwards(table, hold.provision)) if last else (answered,)


def end_withdrawal(table: Table, command: EndWithdrawal) -> Decision:
    """The Dealer takes no more answers; whoever gave none lets his wagers stand."""
    hold = table.hold
    if not isinstance(hold, WithdrawalHold):
        return is_open(table) or refuse("not-held")
    return by(table, command, Role.DEALER, provision=hold.provision) or _afterwards(table, hold.provision)
