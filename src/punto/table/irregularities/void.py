"""Void rounds: what the rules void a round for, who confirms it, and every wager handed back."""

from __future__ import annotations

from punto.cards import Card
from punto.rules.deal_counts import LONGEST_COUP
from punto.rules.table_of_play import INITIAL_DEAL, Hand, next_card
from punto.table.commands import ConfirmVoid, DismissVoid, ExposeCard, ExposeInError, ReportVoid
from punto.table.events import Event, RoundVoided, ShoeEnded, VoidAsked
from punto.table.guards import Decision, by, has_rule, in_phase, is_open, real_cards
from punto.table.irregular import CardsOrdered, VoidDismissed
from punto.table.irregularities.correction import covered, void_settled_round
from punto.table.irregularities.withdrawal import order_known
from punto.table.refusal import Refusal, refuse
from punto.table.roles import Role
from punto.table.settings import Device
from punto.table.state import Phase, Table, VoidHold

IN_ROUND = (Phase.BETTING, Phase.CLOSED, Phase.DEALING, Phase.OUTCOME)

REPORTED = ("wrong-cards", "foreign-cards", "order-altered", "insufficient-cards")
"""What staff may report to have the round voided outright."""

_SHOE_ENDS = ("insufficient-cards", "device-moved-altered")
"""What also ends the shoe: it is empty, or the rule has its cards replaced."""

_REAL_CARDS_ONLY = ("wrong-cards", "foreign-cards", "order-altered")
"""What can only happen to real cards: on a sealed shoe a false report would void a lost round."""


def report_void(table: Table, command: ReportVoid) -> Decision:
    provision = command.provision
    refusal = (
        is_open(table)
        or (None if provision in REPORTED else refuse("not-held"))
        or has_rule(table, provision)
        or in_phase(table, *IN_ROUND)
        or by(table, command, Role.DEALER, provision=provision)
        or (refuse("held", table.hold.provision) if isinstance(table.hold, VoidHold) else None)
        or _can_happen(table, provision)
    )
    return refusal or (ask_void(table, provision, "reported"),)


def _can_happen(table: Table, provision: str) -> Refusal | None:
    if provision in _REAL_CARDS_ONLY:
        return real_cards(table, provision)
    if provision == "insufficient-cards" and not _cards_short(table):
        return refuse("enough-cards", provision)
    return None


def _cards_short(table: Table) -> bool:
    """Whether the cards do not suffice: for the longest round before it is dealt, and then for the card that is due."""
    if table.shoe is None or table.phase is Phase.OUTCOME:
        return False
    if table.phase is not Phase.DEALING:
        return table.cards_left < LONGEST_COUP - table.drawn
    if table.drawn < len(INITIAL_DEAL):
        return table.cards_left < len(INITIAL_DEAL) - table.drawn
    due = table.all_exposed and next_card(table.values(Hand.PLAYER), table.values(Hand.BANKER))
    return bool(due) and not table.cards_left


def ask_void(table: Table, provision: str, why: str) -> VoidAsked:
    """Hold the round until the person the house has chosen confirms that it is void."""
    return VoidAsked(provision, table.book.clause_of(provision), why)


def card_to_expose(table: Table, command: ExposeCard | ExposeInError) -> Card | Decision:
    """The card that the Dealer keyed or the device read; or what follows if there is none, or it is not in the shoe.

    One that the shoe cannot hold is not taken in: it opens a hold for wrong or foreign cards. A sealed shoe has none.
    """
    card, device = command.card, table.set_up.device
    if card is None:
        return refuse("card-not-told", device=device.value)
    if table.shoe and table.shoe.unexposed.count(card):
        return card
    if device is Device.SEALED:
        return refuse("not-in-the-shoe", card=card)
    provision = "wrong-cards" if table.book.clauses_of("wrong-cards") else "foreign-cards"
    return (ask_void(table, provision, f"{card} is one more than the shoe holds"),)


def _void_in_question(table: Table, command: ConfirmVoid | DismissVoid) -> VoidHold | Refusal:
    """The void the table is held for, if this person is the one the house has chosen to say whether it is one."""
    hold = table.hold
    if not isinstance(hold, VoidHold):
        return is_open(table) or refuse("not-held")
    return by(table, command, table.set_up.confirms, provision=hold.provision) or hold


def voiding_clause(table: Table, hold: VoidHold) -> str | None:
    """What a void rests on: where what is found has a clause and what follows from it another, the latter."""
    return table.book.clause_of(f"{hold.provision}-void") or hold.clause


def confirm_void(table: Table, command: ConfirmVoid) -> Decision:
    hold = _void_in_question(table, command)
    if isinstance(hold, Refusal):
        return hold
    clause = voiding_clause(table, hold)
    if table.phase is Phase.IDLE:
        corrected = void_settled_round(table, hold.provision, clause)
        return covered(table, corrected) or (corrected,)
    return void(table, hold.provision, clause, table.set_up.confirms)


def dismiss_void(table: Table, command: DismissVoid) -> Decision:
    """Whoever would confirm the void may find that there is none; if a card is due and none left, it is asked again."""
    hold = _void_in_question(table, command)
    if isinstance(hold, Refusal):
        return hold
    dismissed = VoidDismissed(hold.provision, hold.clause)
    if hold.under or not table.together:
        return (dismissed,)
    if hold.provision == "drawn-together-unknown-initial":
        # Their order can be told after all: what follows that follows now.
        return (dismissed, *order_known(table))
    # A card too many that does not void the round is the first of the next one (reading R33).
    return (dismissed, CardsOrdered(table.together, None))


def void(table: Table, provision: str, clause: str | None, confirmed_by: Role) -> tuple[Event, ...]:
    """The round is void: every wager handed back, and the shoe ended where its cards must be replaced."""
    voided = RoundVoided(table.round, provision, clause, confirmed_by, table.layout)
    if table.shoe and (reason := _why_shoe_ends(table, provision)):
        return (voided, ShoeEnded(table.shoe.name, reason))
    return (voided,)


def _why_shoe_ends(table: Table, provision: str) -> str | None:
    """Cards that have to be changed, a rule that has them replaced, or the cutting card (reading R17)."""
    if table.change_cards:
        return "cards-taken-changed"
    if provision in _SHOE_ENDS:
        return provision
    return "cutting-card" if table.shoe and table.shoe.cutting_card_shown else None
