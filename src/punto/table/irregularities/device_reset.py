"""A Dealer's error that requires an electronic dealing device to be reset after bets were closed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from punto.table.command import Report
from punto.table.event import Event, Irregularity, Opens
from punto.table.guards import Decision, by, has_rule, is_open
from punto.table.guidance.next_step import NextStep, either, step
from punto.table.hold import Hold
from punto.table.irregularities.cards_taken import CardsTakenHold
from punto.table.irregularities.differential import DifferentialHold
from punto.table.irregularities.referral import CARDS_ONLY_VOID, CARDS_STAND, CARDS_VOID, ReferralDecided
from punto.table.irregularities.void import void
from punto.table.irregularities.withdrawal import after_answers, offer
from punto.table.play.unread_card import UnreadHold
from punto.table.refusal import Refusal, refuse
from punto.table.registry import decides, evolves, resolves, undoes
from punto.table.roles import Actor, Role
from punto.table.round import Phase, Round, Window
from punto.table.settings import Device
from punto.table.table import Table
from punto.table.visibility import Public


class ReportReset(Report, frozen=True):
    """The electronic dealing device has to be reset because of a Dealer's error."""


class DecideReset(Report, frozen=True):
    """Decide what becomes of cards already exposed when the device is reset: they stand, or the round is void."""

    void: bool
    cards_only: bool = False
    """Whether the cards are void and not the round, which is dealt from the first card again."""


class DeviceReset(Irregularity, frozen=True):
    """The dealing device has to be reset."""

    cards_seen: Public[bool]
    """Whether any card of the round is exposed, or a patron has looked at it."""
    clause: Public[str | None]
    only_recorded: Public[bool] = False
    """Whether nothing follows, because bets are open, or the outcome is announced, or no round is in play."""


class BetsReopened(Irregularity, frozen=True):
    """Patrons may wager again until the Dealer closes the betting once more."""

    opens: ClassVar[Opens | None] = Opens.BETTING
    clause: Public[str | None]
    deadline: Public[int | None] = None


class CardsVoided(Irregularity, frozen=True):
    """The cards of the round leave play, by a decision, and it is dealt from the first card again."""

    indices: Public[tuple[int, ...]]
    clause: Public[str | None]


class ResetHold(Hold, frozen=True):
    """The device has to be reset with cards exposed, about which the Gaming Shift Manager decides."""


_ELECTRONIC = (Device.ELECTRONIC, Device.CARD_READING)


@decides(ReportReset)
def report_reset(table: Table, command: ReportReset) -> Decision:
    """Offer withdrawal at once if no card was seen; else the Gaming Shift Manager decides first (reading R12).

    It is recorded at any time. After bets have closed and until the outcome the rule has something to act on (R54).
    """
    provision = "device-reset"
    refusal = (
        is_open(table)
        or has_rule(table, provision)
        or by(table, command, Role.DEALER, provision=provision)
        or (None if table.set_up.device in _ELECTRONIC else refuse("not-electronic", provision))
    )
    if refusal:
        return refusal
    seen, clause = _any_seen(table), table.book.clause_of(provision)
    under_way = any(hold.provision == provision for hold in table.holds)
    if under_way or table.phase not in (Phase.CLOSED, Phase.DEALING):
        return (DeviceReset(seen, clause, only_recorded=True),)
    reset = DeviceReset(seen, clause)
    return (reset,) if seen else (reset, *offer(table, provision, whole=False))


def _any_seen(table: Table) -> bool:
    """Return whether a card was seen: also one that a person has named, which the house has still to confirm."""
    return table.round.any_seen or any(isinstance(hold, UnreadHold) and hold.card for hold in table.holds)


@decides(DecideReset)
def decide_reset(table: Table, command: DecideReset) -> Decision:
    """Let the Gaming Shift Manager decide about cards seen, of which the rule on resets says nothing (R12)."""
    if not isinstance(table.hold, ResetHold):
        return is_open(table) or refuse("not-held")
    needed = Role.GAMING_SHIFT_MANAGER
    if refusal := by(table, command, needed, provision="referral"):
        return refusal
    clause = table.book.clause_of("referral")
    if command.cards_only:
        return _cards_can_go(table, command) or _void_cards(table, clause)
    decided = ReferralDecided(CARDS_VOID if command.void else CARDS_STAND, clause, needed)
    if command.void:
        return (decided, *void(table, "referral", clause, needed))
    return (decided, *offer(table, "device-reset", whole=False))


def _cards_can_go(table: Table, command: DecideReset) -> Refusal | None:
    """Refuse where the round cannot go on without its cards: none is dealt, or something else is open about them."""
    if len(table.holds) > 1:
        return refuse("held", table.holds[-2].provision)
    meant = not command.void and table.round.dealt and not table.round.set_aside
    return None if meant else refuse("no-meaning", "referral", case="cards-only")


def _void_cards(table: Table, clause: str | None) -> tuple[Event, ...]:
    voided = CardsVoided(table.round.dealt, clause)
    without_cards = _cards_voided(table.released(None), voided)
    decided = ReferralDecided(CARDS_ONLY_VOID, clause, Role.GAMING_SHIFT_MANAGER)
    return (decided, voided, *offer(without_cards, "device-reset", whole=False))


@after_answers("device-reset")
def _reopen_bets(table: Table) -> tuple[Event, ...]:
    """Open the betting once more, but not with a card already seen (reading R32), or missing."""
    missing = any(isinstance(hold, CardsTakenHold) for hold in table.holds)
    return () if _any_seen(table) or missing else (BetsReopened(table.book.clause_of("device-reset")),)


@evolves(DeviceReset)
def _device_reset(table: Table, event: DeviceReset) -> Table:
    decide_first = event.cards_seen and not event.only_recorded
    return table.changed(holds=(*table.holds, ResetHold("device-reset")) if decide_first else table.holds)


@evolves(CardsVoided)
def _cards_voided(table: Table, _: CardsVoided) -> Table:
    """Return the table as it was when bets had closed; cards that came out with those of the round are still out."""
    begun = table.round
    return table.changed(
        round=Round(
            phase=Phase.CLOSED,
            betting_window=begun.betting_window,
            stakes=begun.stakes,
            cutting_card_first=begun.cutting_card_first,
            requests=begun.requests,
            answers=begun.answers,
        )
    )


@evolves(BetsReopened)
def _bets_reopened(table: Table, event: BetsReopened) -> Table:
    # Another patron may then have the most on a hand, so no patron has its cards yet.
    reopened = table.round_changed(
        phase=Phase.BETTING,
        reopened=True,
        betting_window=Window(table.steps, event.deadline),
        handlers={},
        declined=frozenset(),
        wrongly_passed=frozenset(),
        third_astray=frozenset(),
        taken_from={},
        permitted={},
        asked_to_lower={},
    )
    # The table differential is looked at again when bets close.
    return reopened.changed(holds=tuple(hold for hold in table.holds if not isinstance(hold, DifferentialHold)))


@undoes(ResetHold)
def _not_reset(table: Table, _: ResetHold) -> Table:
    return table


@resolves(ResetHold)
def _reset(table: Table, _: ResetHold) -> Iterator[NextStep]:
    decides = Role.GAMING_SHIFT_MANAGER
    yield from either(table, "DecideReset", decides, "referral")
    if not _cards_can_go(table, DecideReset(Actor("", decides), void=False, cards_only=True)):
        yield step(table, "DecideReset", decides, "referral", {"void": False, "cards_only": True})
