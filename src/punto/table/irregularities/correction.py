"""A settled round found to be wrong: what moved is reversed and settled again, by added entries, never by editing.

The cards decide, not what was displayed or keyed. Wagers settled by the rules on limits are not reopened once another
round has begun (reading R80). What a patron can no longer pay back becomes a claim of the house, never a balance below
zero.
"""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from punto.cards import Card
from punto.roads import RoundMark
from punto.rules.coup import Coup, Unlawful
from punto.rules.rulebook import VOID, Result
from punto.rules.settlement import pay, settle
from punto.rules.table_of_play import Hand
from punto.table.command import Report
from punto.table.event import Irregularity, Settled
from punto.table.guards import Decision, by, in_float, is_open, real_cards
from punto.table.money import Cents
from punto.table.play.wrong_payout import considered_settled
from punto.table.refusal import Refusal, refuse
from punto.table.registry import decides, evolves, sensitive
from punto.table.roles import Role
from punto.table.round import Phase
from punto.table.settings import SensitiveAct, within_caps
from punto.table.table import SettledRound, Table, with_entry, without_entry
from punto.table.visibility import Public


class CorrectRound(Report, frozen=True):
    """Have a settled round settled again by the cards that were really dealt."""

    round: int
    player: tuple[Card, ...]
    banker: tuple[Card, ...]


class CorrectCard(Report, frozen=True):
    """Correct a card that was keyed wrongly, before the round is settled."""

    hand: Hand
    place: int
    card: Card


class Correction(Struct, frozen=True):
    """A wager as it was settled and as it should have been; what the patron can no longer pay back is owed.

    Below zero, what comes back to the patron goes against what they owed.
    """

    before: Settled
    after: Settled
    owed: Cents

    @property
    def change(self) -> int:
        """What the patron wins by it, over what they won before; below zero, less."""
        return self.after.returned - self.after.stake - self.before.returned + self.before.stake

    @property
    def withheld(self) -> int:
        """The commission by it, over what was withheld before."""
        return self.after.commission - self.before.commission


class RoundCorrected(Irregularity, frozen=True):
    """A settled round was reversed and settled again, or is void after all."""

    in_packets = False
    round: Public[int]
    provision: Public[str]
    clause: Public[str | None]
    coup: Public[Coup | None]
    """The cards really dealt; None if the round is void."""
    mark: Public[RoundMark | None]
    corrections: tuple[Correction, ...]


class CardCorrected(Irregularity, frozen=True):
    """A card that was keyed wrongly is recorded as what it is; an outcome already called is called again."""

    hand: Public[Hand]
    place: Public[int]
    before: Public[Card]
    card: Public[Card]
    person: Public[str]
    clause: Public[str | None] = None
    """What it rests on, where it was ordered by a decision."""


@decides(CorrectRound)
def correct_round(table: Table, command: CorrectRound) -> Decision:
    """Have a past round settled by the cards that were really dealt, at any time.

    It is the Gaming Shift Manager's. In a game without a rule on displays the rule on settlement says what is owed, and
    the position that confirms for the house has it put right (reading R52).
    """
    ruled = bool(table.book.clauses_of("display"))
    provision = "display" if ruled else "settlement"
    refusal = (
        is_open(table)
        or real_cards(table, provision)
        or by(table, command, Role.GAMING_SHIFT_MANAGER if ruled else table.set_up.confirms, provision=provision)
        or (None if command.round in table.history else refuse("no-such-round", round=command.round))
    )
    if refusal:
        return refusal
    coup = coup_of(table, command.round, command.player, command.banker)
    if isinstance(coup, Refusal):
        return coup
    record = table.history[command.round]
    if (len(coup.player), len(coup.banker)) != (len(record.player), len(record.banker)):
        # Then a card was dealt that should not have been, or one was not: more is wrong than what was displayed, and
        # what becomes of the round is for a decision about it.
        return refuse("cards-do-not-fit", "table-of-play", case="settled", round=command.round)
    clause = table.book.clauses_of(provision)[0].number
    corrected = settle_again(table, command.round, provision, clause, coup)
    return covered(table, corrected) or (corrected,)


def coup_of(table: Table, number: int, player: tuple[Card, ...], banker: tuple[Card, ...]) -> Coup | Refusal:
    """Return the coup that was really dealt in a settled round, if these cards can be one."""
    try:
        coup = Coup(player, banker)
    except Unlawful:
        return refuse("unlawful-cards", "table-of-play")
    missing = _not_in_the_shoe(table, table.history[number], coup)
    return refuse("not-in-the-shoe", card=missing) if missing else coup


def settle_again(table: Table, number: int, provision: str, clause: str | None, coup: Coup) -> RoundCorrected:
    """Return the event that settles a settled round by other cards."""
    record = table.history[number]
    after = tuple(
        each if considered_settled(table, number, each) else _settled_by(table, each, coup) for each in record.wagers
    )
    after = shared_again(table, number, after)
    mark = RoundMark.of(coup.outcome_class)
    return RoundCorrected(number, provision, clause, coup, mark, corrections(table, record, after))


def shared_again(table: Table, number: int, after: tuple[Settled, ...]) -> tuple[Settled, ...]:
    """Return the wagers of a past round, settled again, with the caps of that round shared among them (reading R86)."""

    def keeps(each: Settled) -> bool:
        return considered_settled(table, number, each)

    whole = tuple(each if keeps(each) else each.paid_by_line() for each in after)
    return within_caps(table.setting_in(number).payout_caps, whole, keeps)


class Corrects(Protocol):
    """An event by which wagers of a settled round are settled otherwise than before."""

    @property
    def corrections(self) -> tuple[Correction, ...]: ...


def covered(table: Table, corrected: Corrects) -> Refusal | None:
    """Refuse unless the float can pay what the correction hands back."""
    return in_float(table, paid_back(corrected))


def paid_back(corrected: Corrects) -> int:
    """Return what the float gives for the correction, over what it takes in."""
    return sum(each.change + each.owed + each.withheld for each in corrected.corrections)


def _not_in_the_shoe(table: Table, record: SettledRound, coup: Coup) -> Card | None:
    """Return a card of the coup that the shoe in use cannot have dealt, given all others seen."""
    if table.shoe is None or record.shoe != table.shoes:
        return None
    there, dealt = table.shoe.unexposed.plus(record.gone), (*coup.player, *coup.banker)
    return next((card for card in dealt if dealt.count(card) > there.count(card)), None)


def void_settled_round(table: Table, provision: str, clause: str | None, number: int | None = None) -> RoundCorrected:
    """Return the event that voids a settled round, if none is named the last: everything goes back to where it was."""
    number = table.round_number if number is None else number
    record = table.history[number]
    after = tuple(handed_back(each, clause) for each in record.wagers)
    return RoundCorrected(number, provision, clause, None, None, corrections(table, record, after))


def _settled_by(table: Table, before: Settled, coup: Coup) -> Settled:
    if before.result is None:  # handed back, whatever the outcome
        return before
    line = settle(table.book.wager(before.wager), coup)
    payment = pay(before.settled, line)
    return replace(
        before,
        result=line.result,
        outcome=line.outcome,
        pays=line.pays,
        winnings=payment.winnings,
        commission=payment.commission,
        returned=payment.returned + before.stake - before.settled,
        clause=line.clause,
        capped=0,
    )


def settled_in_part(table: Table, before: Settled, settled: Cents, coup: Coup) -> Settled:
    """Return a wager of which only so much was won, lost or pushed; the rest is handed back."""
    return _settled_by(table, replace(before, settled=settled), coup)


def handed_back(before: Settled, clause: str | None) -> Settled:
    return replace(
        before,
        settled=0,
        result=None,
        outcome=VOID,
        winnings=0,
        commission=0,
        returned=before.stake,
        clause=clause or before.clause,
        capped=0,
    )


def corrections(table: Table, record: SettledRound, after: tuple[Settled, ...]) -> tuple[Correction, ...]:
    """Return each wager before and after, and what its patron can no longer pay back."""
    chips, owes = dict(table.chips), dict(table.owed)
    corrections = []
    for old, new in zip(record.wagers, after, strict=True):
        corrections.append(corrected := owing(Correction(old, new, 0), chips[old.patron], owes.get(old.patron, 0)))
        chips[old.patron] += corrected.change + corrected.owed
        owes[old.patron] = owes.get(old.patron, 0) + corrected.owed
    return tuple(corrections)


def owing(corrected: Correction, chips: int, owes: int) -> Correction:
    """Return a correction with what becomes of the debt of a patron who has so many chips and owes so much.

    What comes back to a patron pays their debt first; what they cannot pay back becomes one.
    """
    change = corrected.change
    return replace(corrected, owed=max(-owes, -change) if change > 0 else max(0, -change - chips))


def reversal(table: Table, provision: str) -> int:
    """Return what the float gives back if the round, settled already, is found void."""
    return paid_back(void_settled_round(table, provision, None)) if table.phase is Phase.IDLE else 0


@sensitive(RoundCorrected)
def _corrects(_table: Table, event: RoundCorrected) -> tuple[SensitiveAct, ...]:
    return (SensitiveAct.CORRECTION,) if event.coup else (SensitiveAct.CORRECTION, SensitiveAct.VOID)


@evolves(RoundCorrected)
def _round_corrected(table: Table, event: RoundCorrected) -> Table:
    # A round found void after it was settled was held for that; a correction of the cards ends no hold.
    over = event.coup is None and table.hold is not None and table.hold.ends_when_voided
    holds = table.holds[:-1] if over else table.holds
    moved = money_moved(table, event).changed(holds=holds)
    ordered = event.provision == "referral" and event.coup is not None
    return _record_corrected(moved.followed() if ordered else moved, event)


def money_moved(table: Table, event: Corrects) -> Table:
    """Return the table with what patrons win and lose otherwise than before, and what they owe."""
    chips, owed, commission = dict(table.chips), dict(table.owed), table.commission
    for each in event.corrections:
        patron = each.after.patron
        chips[patron] += each.change + each.owed
        owed[patron] = owed.get(patron, 0) + each.owed
        commission += each.withheld
    return table.changed(chips=chips, owed=owed, float_=table.float_ - paid_back(event), commission=commission)


def _record_corrected(table: Table, event: RoundCorrected) -> Table:
    """Return the table with the round's record, its mark and the cards gone from the shoe put right."""
    record = table.history[event.round]
    # Who had a wager under the minimum paid or collected in it is said again by its wagers, if it has any (R8).
    others = table.under_minimum - record.first_under
    first_under = frozenset[str]()
    if event.coup is None:
        history = without_entry(table.history, event.round)
    else:
        wagers = tuple(each.after for each in event.corrections)
        player, banker = event.coup.player, event.coup.banker
        first_under = frozenset(each.patron for each in wagers if decided_under(each)) - others
        corrected = replace(
            record,
            wagers=wagers,
            player=player,
            banker=banker,
            corrected=True,
            left_shoe=(),
            first_under=first_under,
        )
        if len(corrected.cards) != len(record.gone):  # so many were not dealt: the shoe stays as it is
            corrected = replace(corrected, left_shoe=record.gone)
        history = with_entry(table.history, event.round, corrected)
    table = table.changed(under_minimum=others | first_under)
    if event.coup is None and table.phase is Phase.IDLE and event.round == table.round_number:
        # What was drawn in excess goes with the cards of the round (R33).
        table = table.changed(out=(), last_was_void=True)
    if record.shoe != table.shoes:
        return table.changed(history=history)
    marks = list(table.marks)
    marks[record.mark] = event.mark
    shoe = table.shoe
    if shoe and event.coup:
        shoe = replace(shoe, unexposed=shoe.unexposed.plus(record.gone).without(history[event.round].gone))
    return table.changed(history=history, marks=tuple(marks), shoe=shoe)


def decided_under(settled: Settled) -> bool:
    """Return whether a wager under the minimum was won or lost; one over the maximum is settled in part."""
    under = settled.limit_clause is not None and settled.settled == settled.stake
    return under and settled.result in (Result.WIN, Result.LOSE)


@evolves(CardCorrected)
def card_corrected(table: Table, event: CardCorrected) -> Table:
    """Return the table with the card recorded as what it is."""
    assert table.shoe is not None
    places = list(table.round.hands[event.hand])
    places[event.place] = replace(places[event.place], card=event.card)
    unexposed = table.shoe.unexposed.plus([event.before]).without([event.card])
    hands = with_entry(table.round.hands, event.hand, tuple(places))
    # An outcome that was called by the wrong card is called again, and its mark taken off the roads.
    marks = table.marks[:-1] if table.phase is Phase.OUTCOME else table.marks
    corrected = table.round.changed(phase=Phase.DEALING, hands=hands)
    return table.changed(round=corrected, shoe=replace(table.shoe, unexposed=unexposed), marks=marks)
