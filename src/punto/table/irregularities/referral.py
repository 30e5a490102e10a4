"""Referral: whatever no other rule covers waits for a decision."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from punto.table.command import Report
from punto.table.event import FreeWords, Irregularity, Opens
from punto.table.guards import Decision, by, in_phase, is_open, not_held
from punto.table.guidance.next_step import NextStep, either, fill_first
from punto.table.hold import Hold
from punto.table.irregularities.correction import covered, reversal, void_settled_round
from punto.table.irregularities.void import void
from punto.table.play.wagers import resume_betting
from punto.table.refusal import refuse
from punto.table.registry import Body, decides, evolves, resolves, upcasts
from punto.table.roles import Role
from punto.table.round import IN_ROUND, Phase
from punto.table.table import Table
from punto.table.visibility import Public


class Refer(Report, frozen=True):
    """Refer something that no rule covers."""

    matter: str


class DecideReferral(Report, frozen=True):
    """Decide what was referred: the round goes on, or is void."""

    void: bool


class Referred(Irregularity, frozen=True):
    """Something no rule covers waits for a decision."""

    matter: Public[FreeWords]
    """What happened, in the words of the person who referred it."""
    clause: Public[str | None]
    """None where the game has no rule for that either, and the house decides."""
    case: Public[str | None] = None
    """The code of the matter, where the table referred it; ``matter`` is empty then."""


PLAY_ON, VOID = "continue", "void"
"""What is decided of the round."""
CARDS_STAND, CARDS_VOID = "cards-stand", "cards-void"
"""What is decided of cards exposed before the device is reset."""
DECISION_CODES = (PLAY_ON, VOID, CARDS_STAND, CARDS_VOID)


class ReferralDecided(Irregularity, frozen=True):
    """What was referred has been decided, and the round goes on."""

    opens: ClassVar[Opens | None] = Opens.AGAIN
    decision: Public[str]
    """The code of the decision."""
    clause: Public[str | None]
    decided_by: Public[Role]
    deadline: Public[int | None] = None


MATTERS: dict[str, str] = {}
"""The codes of matters that the table refers, by the words that stood for them in the log before."""


def matter(code: str, formerly: str) -> str:
    """Register a matter that the table itself refers."""
    MATTERS[formerly] = code
    return code


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


@decides(Refer)
def refer(table: Table, command: Refer) -> Decision:
    """Refer what no rule covers; in a game without that rule the house decides, citing none."""
    settled = table.phase is Phase.IDLE and table.round_number in table.history
    refusal = (
        (None if settled else in_phase(table, *IN_ROUND))
        or not_held(table)
        or by(table, command, Role.DEALER)
        or (None if command.matter.strip() else refuse("no-matter"))
    )
    return refusal or (Referred(command.matter, table.book.clause_of("referral")),)


@decides(DecideReferral)
def decide_referral(table: Table, command: DecideReferral) -> Decision:
    if not isinstance(table.hold, ReferralHold):
        return is_open(table) or refuse("not-held")
    ruled = table.book.clause_of("referral")
    needed = Role.GAMING_SHIFT_MANAGER if ruled else table.set_up.confirms
    if refusal := by(table, command, needed, provision="referral" if ruled else None):
        return refusal
    decided = ReferralDecided(VOID if command.void else PLAY_ON, ruled, needed)
    if not command.void:
        return (decided,)
    if table.phase is not Phase.IDLE:
        return (decided, *void(table, "referral", ruled, needed))
    voided = void_settled_round(table, "referral", ruled)
    return covered(table, voided) or (decided, voided)


@evolves(Referred)
def _referred(table: Table, _: Referred) -> Table:
    return table.changed(holds=(*table.holds[:-1], ReferralHold("referral")))


@evolves(ReferralDecided)
def _referral_decided(table: Table, event: ReferralDecided) -> Table:
    # Cards out of the device in an unknown order are dealt as they lie, if the decision is to play on.
    out = (*table.out, *table.round.together)
    dealt = resume_betting(table, event.deadline).round_changed(together=())
    return dealt.changed(holds=table.holds[:-1], out=out)


@resolves(ReferralHold)
def _referral(table: Table, hold: ReferralHold) -> Iterator[NextStep]:
    decides = Role.GAMING_SHIFT_MANAGER if table.book.clause_of("referral") else table.set_up.confirms
    yield from fill_first(table, reversal(table, hold.provision))
    yield from either(table, "DecideReferral", decides, hold.provision)
