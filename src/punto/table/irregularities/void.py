"""Void rounds: what the rules void a round for, who confirms it, and every wager handed back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import ClassVar

from punto.cards import DECK, Card
from punto.rules.deal_counts import LONGEST_COUP
from punto.rules.table_of_play import INITIAL_DEAL
from punto.table.command import Report
from punto.table.event import Event, Irregularity, Opens, Returned
from punto.table.guards import Decision, by, has_rule, in_phase, is_open, real_cards
from punto.table.guidance.next_step import NextStep, fill_first, step
from punto.table.hold import Hold
from punto.table.irregularities.correction import covered, reversal, void_settled_round
from punto.table.irregularities.withdrawal import Follow
from punto.table.irregularities.withdrawn_report import cards_put_back
from punto.table.play.shoes import ShoeEnded
from punto.table.refusal import Refusal, refuse
from punto.table.registry import Body, decides, evolves, resolves, sensitive, undoes, upcasts
from punto.table.roles import Role
from punto.table.round import IN_ROUND, Phase, Round
from punto.table.settings import Device, SensitiveAct
from punto.table.table import Table
from punto.table.visibility import Public


class ReportVoid(Report, frozen=True):
    """Report something for which the rules void the round, by its provision."""

    provision: str


class ConfirmVoid(Report, frozen=True):
    """Confirm that the round is void."""


class DismissVoid(Report, frozen=True):
    """Find that the round is not void after all, such as when a card was keyed wrongly."""


class VoidAsked(Irregularity, frozen=True):
    """Something happened that voids the round, and waits for the person who confirms it."""

    provision: Public[str]
    clause: Public[str | None]
    why: Public[str]
    """The code of the reason; in old logs the words of the person who reported it."""
    wrong_card: Public[Card | None] = None
    """The card that the shoe cannot hold, where that is the reason."""


class RoundVoided(Irregularity, frozen=True):
    """The round is void, and every wager was handed back."""

    round: Public[int]
    provision: Public[str]
    clause: Public[str | None]
    confirmed_by: Public[Role]
    wagers: Public[tuple[Returned, ...]]


class VoidDismissed(Irregularity, frozen=True):
    """What was to void the round has turned out not to, and the round goes on."""

    opens: ClassVar[Opens | None] = Opens.AGAIN
    provision: Public[str]
    clause: Public[str | None]
    deadline: Public[int | None] = None
    """When the betting closes, or answers are no longer taken, if it was held meanwhile: patrons have time again."""


REASONS: dict[str, str] = {}
"""The codes of reasons for a void round, by the words that stood for them in the log before."""


def reason(code: str, formerly: str) -> str:
    """Register a reason for a void round."""
    REASONS[formerly] = code
    return code


AS_REPORTED = reason("reported", "reported")
EMPTY_SHOE = reason("shoe-empty", "the shoe is empty")
UNKNOWN_CARD = reason("not-in-the-shoe", "is one more than the shoe holds")


_BY_NAME = {str(card): card for card in DECK}


@upcasts(VoidAsked, 1)
def _void_asked_1(body: Body) -> Body:
    """Move the note to ``why``; the circumstances now say who noticed it."""
    why = body.pop("note") or "reported"
    body.pop("noticed_by")
    return body | {"why": why}


@upcasts(VoidAsked, 2)
def _void_asked_2(body: Body) -> Body:
    """Replace words by a code, and a card in them by a value. A person's own words stay."""
    why = body["why"]
    first, _, rest = why.partition(" ")
    card = _BY_NAME.get(first) if REASONS.get(rest) == UNKNOWN_CARD else None
    code = REASONS.get(why) or (REASONS.get(rest) if card or first.isdecimal() else None)
    return body | {"why": code or why, "wrong_card": card}


class VoidHold(Hold, frozen=True):
    """Something voids the round, and waits to be confirmed."""

    clause: str | None

    @property
    def ends_when_voided(self) -> bool:
        return True


_AFTER_DISMISSAL: dict[str, Follow] = {}


def after_dismissal(provision: str) -> Callable[[Follow], Follow]:
    """Register what follows when a round is found not to be void under a provision."""

    def register(follow: Follow) -> Follow:
        _AFTER_DISMISSAL[provision] = follow
        return follow

    return register


REPORTED = ("wrong-cards", "foreign-cards", "order-altered", "insufficient-cards")
"""What staff may report to have the round voided outright."""


_SHOE_ENDS = ("insufficient-cards", "device-moved-altered")
"""What also ends the shoe: it is empty, or the rule has its cards replaced."""


_REAL_CARDS_ONLY = ("wrong-cards", "foreign-cards", "order-altered")
"""What can only happen to real cards: on a sealed shoe a false report would void a lost round."""


@decides(ReportVoid)
def report_void(table: Table, command: ReportVoid) -> Decision:
    provision = command.provision
    refusal = (
        is_open(table)
        or (None if provision in REPORTED else refuse("not-reportable", given=provision[:100]))
        or has_rule(table, provision)
        or in_phase(table, *IN_ROUND)
        or by(table, command, Role.DEALER, provision=provision)
        or (refuse("held", provision) if _reported(table, provision) else None)
        or _can_happen(table, provision)
    )
    return refusal or (ask_void(table, provision, AS_REPORTED),)


def _reported(table: Table, provision: str) -> bool:
    """Return whether the same thing waits to be confirmed already; another one is reported all the same."""
    return any(isinstance(hold, VoidHold) and hold.provision == provision for hold in table.holds)


def _can_happen(table: Table, provision: str) -> Refusal | None:
    if provision in _REAL_CARDS_ONLY:
        return real_cards(table, provision)
    short = cards_short(table) or (real_cards(table, provision) is None and _may_be_missing(table))
    return None if provision != "insufficient-cards" or short else refuse("enough-cards", provision)


def _may_be_missing(table: Table) -> bool:
    """Return whether a card is to come out of the device, so that people may find real cards lacking there.

    What the device really holds decides, not the count: a card may have been lost, or never have been in it.
    """
    if table.out or table.round.together or table.phase is Phase.OUTCOME:
        return False
    due = table.round.all_exposed and table.round.next_hand
    return not table.round.initial_deal_done or bool(due)


def cards_short(table: Table) -> bool:
    """Return whether the cards do not suffice: for the longest round before it is dealt, then for the card due."""
    if table.shoe is None or table.phase is Phase.OUTCOME:
        return False
    if table.phase is not Phase.DEALING:
        return table.cards_left < LONGEST_COUP - table.round.drawn
    if table.round.drawn < len(INITIAL_DEAL):
        return table.cards_left < len(INITIAL_DEAL) - table.round.drawn
    due = table.round.all_exposed and table.round.next_hand
    return bool(due) and not table.cards_left


def ask_void(table: Table, provision: str, why: str, card: Card | None = None) -> VoidAsked:
    """Hold the round until the person the house has chosen confirms that it is void."""
    return VoidAsked(provision, table.book.clause_of(provision), why, card)


def card_to_expose(table: Table, card: Card | None, told: Card | None = None) -> Card | Decision:
    """Return the card that the Dealer keyed or the device read; else what follows a missing or impossible card.

    One that the shoe cannot hold is not taken in: it opens a hold for wrong or foreign cards. A sealed shoe has none.
    A card set aside is ``told`` by the house, and no other is taken in its place; which it is, is not said.
    """
    device = table.set_up.device
    if card is None:
        return refuse("card-not-told", device=device.value)
    if told is not None and card != told:
        return refuse("not-set-aside", "cards-taken-completion")
    if table.shoe and table.shoe.unexposed.count(card):
        return card
    if device is Device.SEALED:
        return refuse("not-in-the-shoe", card=card)
    return (_wrong_card(table, card),)


def _wrong_card(table: Table, card: Card) -> VoidAsked:
    provision = "wrong-cards" if table.book.clauses_of("wrong-cards") else "foreign-cards"
    return ask_void(table, provision, UNKNOWN_CARD, card)


def cards_seen_in_device(table: Table, cards: tuple[Card, ...]) -> tuple[Event, ...]:
    """Return that a card is wrong which was seen in the device and which the shoe cannot hold; nothing if all fit."""
    assert table.shoe is not None
    left = table.shoe.unexposed
    return next(((_wrong_card(table, card),) for card in cards if cards.count(card) > left.count(card)), ())


def _void_in_question(table: Table, command: ConfirmVoid | DismissVoid) -> VoidHold | Refusal:
    """Return the void the table is held for, if the person may say whether it is one."""
    hold = table.hold
    if not isinstance(hold, VoidHold):
        return is_open(table) or refuse("not-held")
    return by(table, command, table.set_up.confirms, provision=hold.provision) or hold


def voiding_clause(table: Table, hold: VoidHold) -> str | None:
    """Return the clause a void rests on: that of the consequence, where the finding has another."""
    return table.book.clause_of(f"{hold.provision}-void") or hold.clause


@decides(ConfirmVoid)
def confirm_void(table: Table, command: ConfirmVoid) -> Decision:
    hold = _void_in_question(table, command)
    if isinstance(hold, Refusal):
        return hold
    clause = voiding_clause(table, hold)
    if table.phase is Phase.IDLE:
        corrected = void_settled_round(table, hold.provision, clause)
        return covered(table, corrected) or (corrected,)
    return void(table, hold.provision, clause, table.set_up.confirms)


@decides(DismissVoid)
def dismiss_void(table: Table, command: DismissVoid) -> Decision:
    """Let the person who would confirm the void find that there is none; a card due from an empty shoe asks again."""
    hold = _void_in_question(table, command)
    if isinstance(hold, Refusal):
        return hold
    dismissed = VoidDismissed(hold.provision, hold.clause)
    follow = None if table.holds[:-1] else _AFTER_DISMISSAL.get(hold.provision)
    return (dismissed, *(follow(table) if follow else ()))


def void(table: Table, provision: str, clause: str | None, confirmed_by: Role) -> tuple[Event, ...]:
    """Return the events of a void: every wager handed back, and the shoe ended where its cards must be replaced."""
    voided = RoundVoided(table.round_number, provision, clause, confirmed_by, table.round.layout)
    if table.shoe and (reason := _why_shoe_ends(table, provision)):
        return (voided, ShoeEnded(table.shoe.name, reason))
    return (voided,)


def _why_shoe_ends(table: Table, provision: str) -> str | None:
    """Return why the shoe ends: a change of cards that is due, a rule, or the cutting card (reading R17)."""
    if why := table.why_cards_change:
        return why
    if provision in _SHOE_ENDS:
        return provision
    return "cutting-card" if table.shoe and table.shoe.cutting_card_shown else None


@sensitive(RoundVoided)
def _voids(_table: Table, _event: RoundVoided) -> tuple[SensitiveAct, ...]:
    return (SensitiveAct.VOID,)


@evolves(VoidAsked)
def _void_asked(table: Table, event: VoidAsked) -> Table:
    return table.changed(holds=(*table.holds, VoidHold(event.provision, event.clause)))


@evolves(RoundVoided)
def _round_voided(table: Table, event: RoundVoided) -> Table:
    chips = dict(table.chips)
    for each in event.wagers:
        chips[each.patron] += each.amount
    # A round that had its outcome announced and is then void leaves no mark.
    marks = table.marks[:-1] if table.phase is Phase.OUTCOME else table.marks
    return table.changed(round=Round(), holds=(), chips=chips, marks=marks, out=(), last_was_void=True)


@evolves(VoidDismissed)
def _void_dismissed(table: Table, event: VoidDismissed) -> Table:
    over = table.released(event.deadline)
    return over.changed(round=over.round.leave_surplus()) if event.provision == "wrong-number-of-cards" else over


@undoes(VoidHold)
def _not_reported(table: Table, hold: VoidHold) -> Table | Refusal:
    return cards_put_back(table, hold.provision)


@resolves(VoidHold)
def _void(table: Table, hold: VoidHold) -> Iterator[NextStep]:
    yield from fill_first(table, reversal(table, hold.provision))
    confirms, provision = table.set_up.confirms, hold.provision
    yield step(table, "ConfirmVoid", confirms, provision, clause=voiding_clause(table, hold))
    yield step(table, "DismissVoid", confirms, provision, clause=hold.clause)
