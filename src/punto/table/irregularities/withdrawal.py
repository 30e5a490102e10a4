"""Withdrawal as an offer to each patron: who is asked, what they may take back, what follows the answers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import lru_cache
from typing import ClassVar

from msgspec.structs import replace

from punto.cards import Composition
from punto.rules.deal_counts import CardsSeen
from punto.rules.rulebook import Rulebook
from punto.rules.standings import Standing, standings_of
from punto.rules.table_of_play import Hand
from punto.table.command import Report, patron_of, recorder_of
from punto.table.event import Event, Irregularity, Opens, Returned
from punto.table.guards import Decision, by, has_chips, has_rule, in_phase, is_open, procedure, records
from punto.table.guidance.next_step import NextStep, step
from punto.table.hold import Hold
from punto.table.irregularities.differential import differential_again, differential_now
from punto.table.irregularities.withdrawn_report import cards_put_back
from punto.table.play.layout import lies_there, redate, stake_of
from punto.table.play.loss_limits import within_allowance
from punto.table.refusal import Refusal, refuse
from punto.table.registry import decides, evolves, resolves, sensitive, undoes
from punto.table.roles import Role
from punto.table.round import AFTER_CLOSING, Area, OfferAnswer, Phase, Stake, Window
from punto.table.settings import SensitiveAct
from punto.table.table import Table, with_entry
from punto.table.visibility import Public


class OfferWithdrawal(Report, frozen=True):
    """Let patrons take back wagers because the round's first card was the cutting card."""


class AnswerWithdrawal(Report, frozen=True):
    """Say which wagers to take back, as position and name: None is all that may be, and () leaves all standing."""

    wagers: tuple[tuple[int, str], ...] | None
    patron: str | None = None
    """The patron whose answer staff record; None where the patron gives it."""


class EndWithdrawal(Report, frozen=True):
    """Take no more answers: the wagers of those who gave none stand."""


class CorrectAnswer(Report, frozen=True):
    """Say what a patron really answered to an offer, where staff recorded it wrongly or not at all."""

    patron: str
    wagers: tuple[tuple[int, str], ...] | None


class WithdrawalOffered(Irregularity, frozen=True):
    """Patrons may take back wagers: all of theirs or none, or each for itself."""

    opens: ClassVar[Opens | None] = Opens.ANSWERS
    provision: Public[str]
    clause: Public[str | None]
    whole: Public[bool]
    patrons: Public[tuple[str, ...]]
    wagers: Public[tuple[Returned, ...]]
    """What they may take back: their wagers that are not decided."""
    deadline: Public[int | None] = None


class WithdrawalAnswered(Irregularity, frozen=True):
    """A patron said which wagers to take back."""

    patron: Public[str]
    withdrawn: Public[tuple[Returned, ...]]
    recorded_by: str | None = None
    """The member of staff who recorded it on behalf of the patron; None if the patron gave it."""


class AnswerCorrected(Irregularity, frozen=True):
    """A patron's answer to an offer was another than staff had recorded."""

    patron: Public[str]
    provision: Public[str]
    clause: Public[str | None]
    put_back: Public[tuple[Returned, ...]]
    """Wagers that were handed back wrongly and lie on the layout again."""
    withdrawn: Public[tuple[Returned, ...]]
    """Wagers that stood wrongly and are handed back."""


class WithdrawalEnded(Irregularity, frozen=True):
    """No more answers are taken; wagers not taken back stand."""

    opens: ClassVar[Opens | None] = Opens.AGAIN
    provision: Public[str]
    deadline: Public[int | None] = None
    """When the answers to an older offer are no longer taken, if this one interrupted it."""


class WithdrawalHold(Hold, frozen=True):
    """Patrons are asked whether they take back wagers; those in ``pending`` have not answered."""

    whole: bool
    """All of a patron's remaining wagers or none, not each for itself."""
    pending: frozenset[str]
    window: Window
    clause: str | None = None
    wagers: tuple[Returned, ...] = ()
    """What may be taken back: the wagers that were not decided when it was offered."""

    @property
    def open_window(self) -> Window:
        return self.window

    def asked(self, patron: str, areas: Collection[Area]) -> bool:
        """Return whether a patron is asked about a wager in one of these areas."""
        return any(each.patron == patron and (patron, each.position, each.wager) in areas for each in self.wagers)

    def without(self, patron: str) -> WithdrawalHold:
        """Return the hold with a patron no longer asked: none of their wagers in it is left."""
        wagers = tuple(each for each in self.wagers if each.patron != patron)
        return replace(self, pending=self.pending - {patron}, wagers=wagers)

    def renewed(self, window: Window) -> WithdrawalHold:
        return replace(self, window=window)


_RECORDED_WRONGLY = "answer-recorded-wrongly"
Follow = Callable[[Table], tuple[Event, ...]]
_AFTER_ANSWERS: dict[str, Follow] = {}


def after_answers(provision: str) -> Callable[[Follow], Follow]:
    """Register what follows, under a provision, when the answers to an offer are in."""

    def register(follow: Follow) -> Follow:
        _AFTER_ANSWERS[provision] = follow
        return follow

    return register


def standings(table: Table) -> dict[str, Standing]:
    """Return how each wager of the game stands by the exposed cards (reading R10)."""
    assert table.shoe is not None
    misplaced = any(hold.provision == "wrong-delivery" for hold in table.holds)
    hands = table.round.in_turn() if misplaced or table.round.laid_together else table.round.hands
    player, banker = (tuple(place.card for place in hands[hand]) for hand in (Hand.PLAYER, Hand.BANKER))
    return _decided(table.book, CardsSeen(player, banker), table.shoe.unexposed)


@lru_cache(maxsize=64)
def _decided(book: Rulebook, seen: CardsSeen, unexposed: Composition) -> dict[str, Standing]:
    """Return how each wager stands; kept, because every patron's answer and every next step asks for the same."""
    return standings_of(book.wagers, seen, unexposed)


def established(table: Table) -> tuple[str, ...]:
    """Return the wagers of the game, placed or not, that are conclusively won or lost (reading R10)."""
    decided = (Standing.WON, Standing.LOST)
    return tuple(name for name, standing in standings(table).items() if standing in decided)


def open_stakes(table: Table, patron: str) -> list[tuple[int, str]]:
    """Return the wagers of a patron that may be taken back: those not yet decided (reading R11)."""
    standing = standings(table)
    return [
        (position, wager)
        for who, position, wager in table.round.stakes
        if who == patron and standing[wager] is Standing.OPEN
    ]


def offer(table: Table, provision: str, whole: bool) -> tuple[Event, ...]:
    """Offer withdrawal to every patron with a wager that is not decided; with no patron to ask, go on at once."""
    offered = offer_of(table, provision, whole)
    return (offered,) if offered.patrons else (offered, *_afterwards(table, provision))


def offer_of(table: Table, provision: str, whole: bool, patrons: tuple[str, ...] = ()) -> WithdrawalOffered:
    """Return the offer to every patron, or to those named, with a wager that is not decided."""
    standing = standings(table)
    lies = (each for each in table.round.layout if not patrons or each.patron in patrons)
    wagers = tuple(each for each in lies if standing[each.wager] is Standing.OPEN)
    asked = tuple(dict.fromkeys(each.patron for each in wagers))
    return WithdrawalOffered(provision, table.book.clause_of(provision), whole, asked, wagers)


def _afterwards(table: Table, provision: str, withdrawn: tuple[Returned, ...] = ()) -> tuple[Event, ...]:
    """Return what follows when the answers are in, the last of which takes back these wagers."""
    follow = _AFTER_ANSWERS.get(provision)
    follows = follow(table) if follow else ()
    asked = isinstance(table.hold, WithdrawalHold)
    return (WithdrawalEnded(provision), *(follows or (differential_again(table, withdrawn) if asked else ())))


def without_wager(table: Table, lost: Returned) -> tuple[Event, ...]:
    """Return the end of an offer that waits only for a patron whose last wager in it comes off the layout."""
    hold, stake = table.hold, table.round.stakes[lost.patron, lost.position, lost.wager]
    if not isinstance(hold, WithdrawalHold) or hold.pending != {lost.patron} or stake.amount > lost.amount:
        return ()
    others = hold.asked(lost.patron, table.round.stakes.keys() - {(lost.patron, lost.position, lost.wager)})
    return () if others else _afterwards(table, hold.provision, (lost,))


@decides(OfferWithdrawal)
def offer_withdrawal(table: Table, command: OfferWithdrawal) -> Decision:
    """Let the Dealer offer it in the HLGA if the round's first card was the cutting card."""
    provision = "cutting-card-first"
    refusal = (
        is_open(table)
        or has_rule(table, provision)
        or (_not_first(table, provision) if table.phase is Phase.DEALING else None)
        or procedure(table, command, provision, Role.DEALER, Phase.CLOSED)
        or (None if table.set_up.hlga else refuse("hlga-only", provision))
        or _not_first(table, provision)
    )
    return refusal or offer(table, provision, whole=False)


def _not_first(table: Table, provision: str) -> Refusal | None:
    return None if table.round.cutting_card_first else refuse("no-cutting-card", provision)


@decides(AnswerWithdrawal)
def answer_withdrawal(table: Table, command: AnswerWithdrawal) -> Decision:
    hold, patron = table.hold, patron_of(command)
    if not isinstance(hold, WithdrawalHold):
        return is_open(table) or refuse("not-held")
    if refusal := records(table, command, hold.provision):
        return refusal
    if patron is None or patron not in hold.pending:
        return refuse("not-asked", hold.provision)
    may_go = open_stakes(table, patron)
    wanted = may_go if command.wagers is None else list(dict.fromkeys(command.wagers))
    if wanted and hold.provision == "power-failure-open" and established(table):
        # A card was corrected since: the outcome had been established when the power failed.
        return refuse("not-withdrawable", "power-failure-decided", case="established")
    if not set(wanted) <= set(may_go):
        return refuse("not-withdrawable", hold.provision)
    if hold.whole and wanted and set(wanted) != set(may_go):
        return refuse("all-or-none", hold.provision)
    withdrawn = tuple(Returned(patron, *area, table.round.stakes[patron, *area].amount) for area in wanted)
    answered = WithdrawalAnswered(patron, withdrawn, recorder_of(command))
    last = hold.pending == {patron}
    return (answered, *_afterwards(table, hold.provision, withdrawn)) if last else (answered,)


@decides(CorrectAnswer)
def correct_answer(table: Table, command: CorrectAnswer) -> Decision:
    """Put right an answer that staff recorded wrongly, as long as the round is not settled (reading R82)."""
    answer = table.round.answers.get(command.patron)
    if table.phase is Phase.IDLE and table.round_number in table.history:
        return _reasoned(table, command, table.set_up.confirms, "referral") or _refer_settled(table)
    refusal = in_phase(table, *AFTER_CLOSING) or _is_answered(table, command.patron, answer)
    if refusal or answer is None:
        return refusal or refuse("not-answered", patron=command.patron)
    open_ = isinstance(table.hold, WithdrawalHold) and table.hold.provision == answer.provision
    role = Role.PIT_SUPERVISOR if open_ else table.set_up.confirms
    wanted = {*answer.offered} if command.wagers is None else {*command.wagers}
    refusal = _reasoned(table, command, role, answer.provision) or _can_be_the_answer(answer, command.patron, wanted)
    if refusal:
        return refusal
    before = {*answer.withdrawn}
    put_back, taken = (_returned(command.patron, answer, areas) for areas in (before - wanted, wanted - before))
    taken = tuple(replace(each, amount=min(each.amount, stake_of(table, each) or each.amount)) for each in taken)
    return _as_answered(table, answer, command.patron, put_back, taken, command.at)


def _reasoned(table: Table, command: CorrectAnswer, role: Role, provision: str) -> Refusal | None:
    ruled = provision if table.book.clauses_of(provision) else None
    return by(table, command, role, provision=ruled) or (None if command.reason.strip() else refuse("no-reason"))


def _refer_settled(table: Table) -> tuple[Event, ...]:
    from punto.table.irregularities.referral import Referred  # which needs offers itself

    clause = table.book.clause_of("referral")
    return (Referred("", clause, case=_RECORDED_WRONGLY, about_round=table.round_number),)


def _is_answered(table: Table, patron: str, answer: OfferAnswer | None) -> Refusal | None:
    """Refuse while the patron has still to answer, was not asked, or gave the answer themselves."""
    waiting = isinstance(table.hold, WithdrawalHold) and patron in table.hold.pending
    if answer is None or waiting:
        return refuse("not-answered", patron=patron)
    return refuse("own-answer", answer.provision, patron=patron) if answer.own else None


def _can_be_the_answer(answer: OfferAnswer, patron: str, wanted: set[tuple[int, str]]) -> Refusal | None:
    if not wanted <= {*answer.offered}:
        return refuse("not-withdrawable", answer.provision)
    if answer.whole and wanted and wanted != {*answer.offered}:
        return refuse("all-or-none", answer.provision)
    same = wanted == {*answer.withdrawn}
    return refuse("already-said", answer.provision, case="answer", patron=patron) if same else None


def _returned(patron: str, answer: OfferAnswer, areas: set[tuple[int, str]]) -> tuple[Returned, ...]:
    return tuple(Returned(patron, *area, answer.offered[area].amount) for area in answer.offered if area in areas)


def _as_answered(
    table: Table,
    answer: OfferAnswer,
    patron: str,
    put_back: tuple[Returned, ...],
    taken: tuple[Returned, ...],
    at: int | None,
) -> Decision:
    """Return the correction and what has become of the differential, if the chips are where they were."""
    for each in taken:
        if refusal := lies_there(table, each, each.amount):
            return refusal
    if refusal := _can_lie_again(table, patron, sum(each.amount for each in put_back), at):
        return refusal
    corrected = AnswerCorrected(patron, answer.provision, table.book.clause_of(answer.provision), put_back, taken)
    return (corrected, *differential_now(table, put_back, taken))


def _can_lie_again(table: Table, patron: str, amount: int, at: int | None) -> Refusal | None:
    """Refuse if the patron no longer has the chips, or wagers elsewhere have used the limits over the house since."""
    if not amount:
        return None
    return has_chips(table, patron, amount) or within_allowance(table, patron, amount, at)


@decides(EndWithdrawal)
def end_withdrawal(table: Table, command: EndWithdrawal) -> Decision:
    """Take no more answers; the wagers of patrons who gave none stand."""
    hold = table.hold
    if not isinstance(hold, WithdrawalHold):
        return is_open(table) or refuse("not-held")
    return by(table, command, Role.DEALER, provision=hold.provision) or _afterwards(table, hold.provision)


@sensitive(WithdrawalAnswered)
def _withdraws(table: Table, event: WithdrawalAnswered) -> tuple[SensitiveAct, ...]:
    """A withdrawal that staff record for a patron is sensitive if it comes to more than the house has set."""
    back = sum(each.amount for each in event.withdrawn)
    large = event.recorded_by is not None and back > table.set_up.second_person_above
    return (SensitiveAct.WITHDRAWAL,) if large else ()


@sensitive(AnswerCorrected)
def _withdraws_or_restores(table: Table, event: AnswerCorrected) -> tuple[SensitiveAct, ...]:
    moved = sum(each.amount for each in (*event.put_back, *event.withdrawn))
    return (SensitiveAct.WITHDRAWAL,) if moved > table.set_up.second_person_above else ()


@evolves(WithdrawalOffered)
def _withdrawal_offered(table: Table, event: WithdrawalOffered) -> Table:
    window = Window(table.steps, event.deadline)
    asked = frozenset(event.patrons)
    hold = WithdrawalHold(event.provision, event.whole, asked, window, event.clause, event.wagers)
    ordered = table.followed() if event.provision == "referral" else table
    answers = {**table.round.answers, **_unanswered(table, event)}
    return table.changed(holds=(*ordered.holds, hold), round=table.round.changed(answers=answers))


def _unanswered(table: Table, event: WithdrawalOffered) -> dict[str, OfferAnswer]:
    offered: dict[str, dict[tuple[int, str], Stake]] = {}
    for each in event.wagers:
        stake = table.round.stakes[each.patron, each.position, each.wager]
        offered.setdefault(each.patron, {})[each.position, each.wager] = stake
    return {patron: OfferAnswer(event.provision, event.whole, own) for patron, own in offered.items()}


@evolves(WithdrawalAnswered)
def _withdrawal_answered(table: Table, event: WithdrawalAnswered) -> Table:
    assert isinstance(table.hold, WithdrawalHold)
    stakes = dict(table.round.stakes)
    for each in event.withdrawn:
        del stakes[each.patron, each.position, each.wager]
    redate(stakes, event.patron, {each.wager for each in event.withdrawn}, table.steps)
    hold = replace(table.hold, pending=table.hold.pending - {event.patron})
    back = sum(each.amount for each in event.withdrawn)
    chips = table.chips_after(event.patron, back)
    taken = frozenset((each.position, each.wager) for each in event.withdrawn)
    # A late part of it may have come off since the offer.
    before = {area[1:]: stake for area, stake in table.round.stakes.items() if area[0] == event.patron}
    areas = ((each.position, each.wager) for each in hold.wagers if each.patron == event.patron)
    offered = {area: before[area] for area in areas if area in before}
    answer = OfferAnswer(hold.provision, hold.whole, offered, taken, own=event.recorded_by is None)
    round_ = table.round.changed(stakes=stakes, answers=with_entry(table.round.answers, event.patron, answer))
    return table.changed(round=round_, chips=chips, holds=(*table.holds[:-1], hold))


@evolves(AnswerCorrected)
def _answer_corrected(table: Table, event: AnswerCorrected) -> Table:
    stakes, answer = dict(table.round.stakes), table.round.answers[event.patron]
    for each in event.put_back:
        area, stood = (each.patron, each.position, each.wager), answer.offered[each.position, each.wager]
        # More may have been found there since.
        since = stakes.get(area)
        stakes[area] = replace(since, amount=since.amount + each.amount) if since else stood
    for each in event.withdrawn:
        stake = stakes.pop((each.patron, each.position, each.wager))
        if left := stake.amount - each.amount:
            stakes[each.patron, each.position, each.wager] = replace(stake, amount=left, found=min(left, stake.found))
    redate(stakes, event.patron, {each.wager for each in event.withdrawn}, table.steps)
    restored = {(each.position, each.wager) for each in event.put_back}
    taken = {(each.position, each.wager) for each in event.withdrawn}
    answer = replace(answer, withdrawn=(answer.withdrawn - restored) | taken)
    back = sum(each.amount for each in event.withdrawn) - sum(each.amount for each in event.put_back)
    round_ = table.round.changed(stakes=stakes, answers=with_entry(table.round.answers, event.patron, answer))
    return table.changed(round=round_, chips=table.chips_after(event.patron, back))


@evolves(WithdrawalEnded)
def _withdrawal_ended(table: Table, event: WithdrawalEnded) -> Table:
    return table.released(event.deadline)


@undoes(WithdrawalHold)
def _not_to_be_asked(table: Table, hold: WithdrawalHold) -> Table | Refusal:
    """Take the offer back as long as no patron has answered; cards that came with it are in the shoe again."""
    if hold.pending != {each.patron for each in hold.wagers}:
        return refuse("already-followed", hold.provision, case="answered")
    answers = {patron: each for patron, each in table.round.answers.items() if patron not in hold.pending}
    return cards_put_back(table.round_changed(answers=answers), hold.provision)


@resolves(WithdrawalHold)
def _withdrawal(table: Table, hold: WithdrawalHold) -> Iterator[NextStep]:
    for patron in sorted(hold.pending):
        yield step(table, "AnswerWithdrawal", Role.PATRON, hold.provision, patron=patron, keyed=("wagers",))
    yield step(table, "EndWithdrawal", provision=hold.provision, must=False)
    yield from correction_steps(table)


def correction_steps(table: Table) -> Iterator[NextStep]:
    """Yield that answers which staff recorded may be corrected, until the round is settled."""
    for patron, answer in table.round.answers.items():
        if table.phase not in AFTER_CLOSING or _is_answered(table, patron, answer):
            continue
        there = {area for area in answer.offered if (patron, *area) in table.round.stakes}
        could_be_taken = there and (not answer.whole or there == answer.offered.keys())
        if not (answer.withdrawn or could_be_taken):
            continue
        open_ = isinstance(table.hold, WithdrawalHold) and table.hold.provision == answer.provision
        role, about = Role.PIT_SUPERVISOR if open_ else table.set_up.confirms, {"patron": patron}
        keyed = ("wagers", "reason")
        yield step(table, "CorrectAnswer", role, answer.provision, about, patron=patron, keyed=keyed, must=False)
