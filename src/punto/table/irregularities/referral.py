"""Referral: whatever no other rule covers waits for a decision, at any time (reading R51).

What may be ordered until it is decided is in ``measures.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from msgspec.structs import replace

from punto.table.command import Command, Report
from punto.table.event import FreeWords, Irregularity, Opens
from punto.table.guards import Decision, by, has_rule, is_open
from punto.table.hold import Hold
from punto.table.irregularities.correction import covered, void_settled_round
from punto.table.irregularities.differential import differential_again
from punto.table.irregularities.void import cards_short, void
from punto.table.irregularities.withdrawn_report import back_in_the_shoe, too_many
from punto.table.refusal import Refusal, refuse
from punto.table.registry import Body, decides, evolves, undoes, upcasts
from punto.table.roles import Role
from punto.table.round import Phase
from punto.table.table import Table
from punto.table.visibility import Public


class Refer(Report, frozen=True):
    """Refer something that no rule covers."""

    matter: str
    round: int | None = None
    """The settled round it is about, if it is about one."""
    covered_by: str = ""
    """The provision of a rule that covers it after all, if there is one."""


class DecideReferral(Report, frozen=True):
    """Decide what was referred: the round goes on, or is void; a settled one only if the matter is about it."""

    void: bool
    uncovered: str = ""
    """Why no rule covers the matter."""


class Referred(Irregularity, frozen=True):
    """Something no rule covers waits for a decision."""

    matter: Public[FreeWords]
    """What happened, in the words of the person who referred it."""
    clause: Public[str | None]
    """None where the game has no rule for that either, and the house decides."""
    case: Public[str | None] = None
    """The code of the matter, where the table referred it; ``matter`` is empty then."""
    about_round: Public[int | None] = None
    """The settled round it is about, if it is about one."""
    covered_by: Public[str | None] = None
    """The provision that covers it, if the person who referred it knew of one."""


PLAY_ON, VOID = "continue", "void"
"""What is decided of the round."""
CARDS_STAND, CARDS_VOID, CARDS_ONLY_VOID = "cards-stand", "cards-void", "cards-only-void"
"""What is decided of cards exposed before the device is reset."""
DECISION_CODES = (PLAY_ON, VOID, CARDS_STAND, CARDS_VOID, CARDS_ONLY_VOID)


class ReferralDecided(Irregularity, frozen=True):
    """What was referred has been decided, and the round goes on."""

    opens: ClassVar[Opens | None] = Opens.AGAIN
    decision: Public[str]
    """The code of the decision."""
    clause: Public[str | None]
    decided_by: Public[Role]
    deadline: Public[int | None] = None
    matter: Public[FreeWords] = ""
    """What was decided, in the words of the person who referred it, or the code of the table's own ``case``."""
    case: Public[str | None] = None
    uncovered: FreeWords = ""
    """Why no rule covers it, in the words of the person who decided."""
    covered_by: str | None = None
    """The provision of a rule that does cover it, which should have been applied instead."""


MATTERS: dict[str, str] = {}
"""The codes of matters that the table refers, by the words that stood for them in the log before."""
_ENDING_A_HOLD: set[str] = set()


def matter(code: str, formerly: str, ends_hold: bool = False) -> str:
    """Register a matter that the table itself refers; its decision may also end the hold in which it came up."""
    MATTERS[formerly] = code
    if ends_hold:
        _ENDING_A_HOLD.add(code)
    return code


matter("answer-recorded-wrongly", "an answer of a settled round was recorded wrongly")

_BEFORE_PLAYING_ON: dict[str, Callable[[Table], Refusal | None]] = {}


def before_playing_on(code: str) -> Callable[[Callable[[Table], Refusal | None]], Callable[[Table], Refusal | None]]:
    """Register what has to be done before play goes on, for a matter that the table refers."""

    def register(check: Callable[[Table], Refusal | None]) -> Callable[[Table], Refusal | None]:
        _BEFORE_PLAYING_ON[code] = check
        return check

    return register


@upcasts(Referred, 1)
def _referred_1(body: Body) -> Body:
    """Replace the table's own words by a code."""
    code = MATTERS.get(body["matter"])
    return body | {"matter": "" if code else body["matter"], "case": code}


@upcasts(ReferralDecided, 1)
def _referral_decided_1(body: Body) -> Body:
    """Replace words by codes."""
    codes = {"exposed cards are void": CARDS_VOID, "exposed cards stand": CARDS_STAND}
    return body | {"decision": codes.get(body["decision"], body["decision"])}


class ReferralHold(Hold, frozen=True):
    """Something no rule covers waits for a decision."""

    matter: str = ""
    case: str | None = None
    round: int | None = None
    """The settled round it is about, if it is about one."""
    covered_by: str | None = None
    acted: bool = False
    """Whether something was ordered already."""

    @property
    def rests_on(self) -> str:
        return self.covered_by or self.provision

    def followed(self) -> ReferralHold:
        return replace(self, acted=True)


def decider(table: Table) -> Role:
    """Return who decides: the Gaming Shift Manager; in a game without the rule the house, citing none."""
    return Role.GAMING_SHIFT_MANAGER if table.book.clause_of("referral") else table.set_up.confirms


def by_decider(table: Table, command: Command) -> Refusal | None:
    """Refuse unless the person may decide what was referred."""
    ruled = "referral" if table.book.clause_of("referral") else None
    return by(table, command, decider(table), provision=ruled)


@decides(Refer)
def refer(table: Table, command: Refer) -> Decision:
    """Refer what no rule covers, at any time; in a game without that rule the house decides, citing none."""
    refusal = (
        is_open(table)
        or by(table, command, Role.DEALER)
        or (None if command.matter.strip() else refuse("no-matter"))
        or _is_settled(table, command.round)
        or (has_rule(table, command.covered_by) if command.covered_by else None)
    )
    if refusal:
        return refusal
    clause, covered_by = table.book.clause_of("referral"), command.covered_by or None
    return (Referred(command.matter, clause, None, command.round, covered_by),)


def _is_settled(table: Table, number: int | None) -> Refusal | None:
    """Refuse a round that cannot be corrected any more, or not yet."""
    return None if number is None or number in table.history else refuse("no-such-round", round=number)


@decides(DecideReferral)
def decide_referral(table: Table, command: DecideReferral) -> Decision:
    hold = table.hold
    if not isinstance(hold, ReferralHold):
        return is_open(table) or refuse("not-held")
    if refusal := by_decider(table, command):
        return refusal
    ruled = table.book.clause_of("referral")
    decided = ReferralDecided(
        VOID if command.void else PLAY_ON,
        ruled,
        decider(table),
        matter=hold.matter,
        case=hold.case,
        uncovered=command.uncovered,
        covered_by=covering(table, hold, command.void),
    )
    if not command.void:
        if refusal := playing_on(table, hold):
            return refusal
        return (decided, *differential_again(table))
    if hold.round is not None:
        if refusal := outcome_stands(table, hold):
            return refusal
        voided = void_settled_round(table, "referral", ruled, hold.round)
        return covered(table, voided) or (decided, voided)
    if table.phase is Phase.IDLE:
        return refuse("no-round-in-question", "referral" if ruled else None)
    return (decided, *void(table, "referral", ruled, decider(table)))


def outcome_stands(table: Table, hold: ReferralHold) -> Refusal | None:
    """Refuse to undo a settled round under a rule that lets outcomes of earlier rounds stand."""
    if hold.round is not None and hold.covered_by in ("wrong-cards", "foreign-cards"):
        return refuse("outcome-stands", f"{hold.covered_by}-past")
    if hold.round is not None and hold.round < table.round_number and hold.covered_by == "wrong-number-of-cards":
        # Under it a round is void only if that is noticed before the next one commences (reading R84).
        return refuse("outcome-stands", hold.covered_by)
    return void_since(table, hold)


def void_since(table: Table, hold: ReferralHold) -> Refusal | None:
    """Refuse what would change a settled round that a decision about another matter has made void."""
    gone = hold.round is not None and hold.round not in table.history
    return refuse("no-such-round", round=hold.round) if gone else None


def playing_on(table: Table, hold: ReferralHold) -> Refusal | None:
    """Refuse to play on before what the matter needs first is done."""
    check = _BEFORE_PLAYING_ON.get(hold.case or "")
    return check(table) if check else None


def covering(table: Table, hold: ReferralHold, void: bool) -> str | None:
    """Return the provision of a rule that covers the matter, as far as a person or the table can name one."""
    if hold.covered_by or not void or hold.round is not None:
        return hold.covered_by
    older = [each.provision for each in table.holds[:-1] if not isinstance(each, ReferralHold)]
    if older:
        return older[-1]
    return "insufficient-cards" if cards_short(table) else None


@evolves(Referred)
def _referred(table: Table, event: Referred) -> Table:
    hold = ReferralHold("referral", event.matter, event.case, event.about_round, event.covered_by)
    return table.changed(holds=(*table.holds, hold))


@evolves(ReferralDecided)
def _referral_decided(table: Table, event: ReferralDecided) -> Table:
    hold, over = table.hold, table.released(event.deadline)
    if not isinstance(hold, ReferralHold) or hold.case is None:
        return over
    # Cards out of the device in an unknown order are dealt as they lie, if the decision is to play on.
    holds = over.holds[:-1] if hold.case in _ENDING_A_HOLD else over.holds
    return over.changed(
        round=over.round.leave_surplus().changed(together=(), laid_together=(), unordered=False),
        out=(*table.out, *table.round.together),
        holds=holds,
    )


@undoes(ReferralHold)
def _not_referred(table: Table, hold: ReferralHold) -> Table | Refusal:
    """Return the table as it was before something was referred, as long as nothing was ordered about it."""
    if hold.acted or hold.case in _NOT_UNDONE:
        return refuse("already-followed", hold.provision, case="ordered")
    if hold.case == "first-card-face-up":
        # Then no person has seen a card of this round, or else of the next.
        seen = table.round.any_seen and table.round.drawn > 0
        return table.changed(round=table.round.changed(any_seen=seen), next_card_seen=False)
    if hold.case is None:
        return table
    return back_in_the_shoe(table.round_changed(laid_together=()), too_many(table))


_NOT_UNDONE = ("wager-outside-limits",)
"""Matters that come with something on the layout: whether it stays is for the decision to say."""
