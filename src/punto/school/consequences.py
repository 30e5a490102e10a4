"""Reading the table after something went wrong: what it now waits for, and what each patron is handed back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from punto.rules.rulebook import Result
from punto.school.phrases import Money, Named, Phrase, phrase
from punto.table.event import Event, Settled
from punto.table.guidance.next_steps import next_steps
from punto.table.irregularities.correction import CardCorrected, RoundCorrected
from punto.table.irregularities.late_wagers import (
    LateWagerRefused,
    LateWithdrawalNoted,
    OverlookedWagerSettled,
    WagerFound,
)
from punto.table.irregularities.relaid_cards import CardsRelaid
from punto.table.irregularities.void import RoundVoided
from punto.table.irregularities.withdrawal import WithdrawalHold
from punto.table.play.settlement import RoundSettled
from punto.table.play.wrong_payout import PayoutCorrected
from punto.table.table import Table

GOES_ON = "goes-on"
_OF_COMMAND = {
    "ConfirmVoid": "void",
    "AskForDecreases": "decrease",
    "TakeBackWager": "decrease",
    "FixOrder": "order",
    "DecideReferral": "referral",
    "DecideReset": "reset",
    "ReconstructCards": "reconstruct",
    "AttestCardsTaken": "count",
    "RetrieveHand": "retrieve",
    "ConfirmCard": "confirm-card",
}
"""What the table waits for, by the command that it takes next."""
_OF_EVENT: dict[type[Event], str] = {
    LateWagerRefused: "turned-down",
    LateWithdrawalNoted: "still-settles",
    WagerFound: "recorded",
    RoundCorrected: "settled-again",
    OverlookedWagerSettled: "overlooked",
    CardCorrected: "corrected",
    CardsRelaid: "reconstruct",
    PayoutCorrected: "payout",
}
"""Where play goes on, but with this done."""
_COMMON = ("void", "referral", "each", "whole", GOES_ON, "order", "reconstruct")
"""What follows most irregularities: offered as wrong answers."""


def what_follows(table: Table, events: Iterable[Event]) -> str:
    """Return what the table does about an irregularity: the key of an answer."""
    if isinstance(table.hold, WithdrawalHold):
        return "whole" if table.hold.whole else "each"
    due = (_OF_COMMAND.get(each.command) for each in next_steps(table) if each.must)
    found = next((each for each in due if each and (table.hold or each == "retrieve")), None)
    return found or next((_OF_EVENT[type(each)] for each in events if type(each) in _OF_EVENT), GOES_ON)


_TRUE_TOO: dict[str, set[str]] = {
    GOES_ON: {"reconstruct"},
    "retrieve": {GOES_ON},
    "reconstruct": {GOES_ON},
    "order": {"whole"},
    "each": {"reconstruct", GOES_ON},
    "reset": {"each", "referral"},
    "decrease": {"each"},
    **{name: {GOES_ON} for name in _OF_EVENT.values()},
}
"""What an answer brings with it, or may: the order is fixed and wagers may go, cards are put right and play goes on."""


def followed_by(right: str) -> list[str]:
    """Return answers to offer with the right one; none that is true as well."""
    return [each for each in _COMMON if each != right and each not in _TRUE_TOO.get(right, ())]


@dataclass(frozen=True, slots=True)
class HandedBack:
    """What a patron is handed back for all of their wagers, and why."""

    amount: int
    how: Phrase
    why: Phrase
    clauses: tuple[str, ...]
    asked: str = "ask-handed-back"
    """The key of the question."""


def handed_back(events: Sequence[Event], number: int) -> dict[str, HandedBack]:
    """Return by patron what the end of a round hands back; empty while it has not ended."""
    for event in events:
        match event:
            case RoundSettled(round=at) if at == number:
                return _by_settlement(event.wagers, phrase("how-settled"))
            case RoundVoided(round=at) if at == number:
                return _by_void(event)
            case PayoutCorrected(round=at) if at == number:
                return _by_payout(event)
            case OverlookedWagerSettled(round=at) if at == number:
                told = _added_up([event.correction.after], phrase("how-settled"))
                return {event.patron: replace(told, asked="ask-payout")}
            case RoundCorrected(round=at) if at == number:
                how = phrase("how-settled-again" if event.coup else "how-void")
                return _by_settlement(tuple(each.after for each in event.corrections), how)
    return {}


def _by_payout(event: PayoutCorrected) -> dict[str, HandedBack]:
    clauses = (event.clause,) if event.clause else ()
    return {event.patron: HandedBack(event.due, phrase("how-settled"), phrase("why-payout"), clauses, "ask-payout")}


def _by_settlement(wagers: Iterable[Settled], how: Phrase) -> dict[str, HandedBack]:
    of: dict[str, list[Settled]] = {}
    for each in wagers:
        of.setdefault(each.patron, []).append(each)
    return {patron: _added_up(own, how) for patron, own in of.items()}


def _added_up(wagers: list[Settled], how: Phrase) -> HandedBack:
    cites = (clause for each in wagers for clause in (each.clause, each.limit_clause) if clause)
    why = phrase("why-handed-back", wagers=tuple(map(_one, wagers)), total=Money(sum(each.returned for each in wagers)))
    return HandedBack(sum(each.returned for each in wagers), how, why, tuple(dict.fromkeys(cites)))


def _one(settled: Settled) -> Phrase:
    result = settled.result.value if settled.result else "unsettled"
    told = {"wager": Named("wager", settled.wager), "stake": Money(settled.stake), "returned": Money(settled.returned)}
    if settled.result is Result.WIN and settled.settled < settled.stake:
        result = "win-in-part"
    return phrase(f"one-{result}", **told, settled=Money(settled.settled), pays=settled.pays)


def _by_void(event: RoundVoided) -> dict[str, HandedBack]:
    clauses = (event.clause,) if event.clause else ()
    totals: dict[str, int] = {}
    for each in event.wagers:
        totals[each.patron] = totals.get(each.patron, 0) + each.amount
    how, why = phrase("how-void"), phrase("why-void")
    return {patron: HandedBack(total, how, why, clauses) for patron, total in totals.items()}
