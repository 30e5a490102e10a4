"""What play waits for at a table, followed by its events: voids to be confirmed, decisions, answers to offers.

Part of the auditor: it shares nothing with the engine that brought the events about.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from punto.table.event import Returned, Settled
from punto.table.irregularities.correction import CardCorrected
from punto.table.irregularities.device_reset import CardsVoided, DeviceReset
from punto.table.irregularities.measures import WagerReturned
from punto.table.irregularities.referral import ReferralDecided, Referred
from punto.table.irregularities.void import VoidAsked, VoidDismissed
from punto.table.irregularities.withdrawal import WithdrawalEnded, WithdrawalOffered
from punto.table.irregularities.withdrawn_report import ReportWithdrawn
from punto.table.play.unread_card import ReadingOverridden
from punto.table.play.wagers import BetsOpened

Area = tuple[str, int, str]
"""An area of the layout: patron, position and wager."""
_VOIDING = {"void", "cards-void"}
"""Decisions after which a round may be void."""


def area_of(wager: Returned | Settled | WagerReturned) -> Area:
    """Return where a wager lies or lay."""
    return wager.patron, wager.position, wager.wager


@dataclass
class OpenMatter:
    """Something that play waits for: a void to be confirmed, a decision, or the answers to an offer."""

    kind: str
    provision: str
    offered: dict[Area, bool] = field(default_factory=dict)
    """Wagers that may be taken back, and whether all of a patron's or none."""
    asked: set[str] = field(default_factory=set)
    cards_changed: bool = False
    """Whether a card was corrected since, so that other wagers may be decided than when they were offered."""


class OpenMatters:
    """Follows what play waits for and reports to ``find`` what does not agree: a code and its values."""

    def __init__(self, find: Callable[..., None]) -> None:
        self._find = find
        self._held: list[OpenMatter] = []
        """What was reported, referred or offered and is not dealt with, the newest last."""
        self.offered_to: dict[str, dict[Area, int]] = {}
        """What each patron was last offered to take back in the round."""
        self._decided_void = False
        """Whether it has just been decided that a round is void."""
        self._decided_cards_only = False
        """Whether it was last decided that the cards are void and not the round."""
        self.was_reset = False
        """Whether the device was reset without a card seen, so that betting may open again."""

    def _add(self, kind: str, provision: str) -> OpenMatter:
        self._held.append(OpenMatter(kind, provision))
        return self._held[-1]

    def newest_is(self, *kinds: str) -> bool:
        """Return whether what came up last and is still open is of one of these kinds."""
        return bool(self._held) and self._held[-1].kind in kinds

    @property
    def offer(self) -> OpenMatter:
        """The offer that patrons answer; an empty one if none is open."""
        return self._held[-1] if self.newest_is("offer") else OpenMatter("offer", "")

    def may_void(self) -> bool:
        """Whether a round is void by a decision just made, or because a report of what voids it is confirmed."""
        decided, self._decided_void = self._decided_void, False
        if decided:
            return True
        return self.newest_is("void") and bool(self._held.pop())

    def clear(self) -> None:
        """Forget what play waited for: the round is void."""
        self._held = []

    def BetsOpened(self, _: BetsOpened) -> None:
        self._held, self._decided_void, self.was_reset, self.offered_to = [], False, False, {}

    def VoidAsked(self, event: VoidAsked) -> None:
        self._add("void", event.provision)

    def VoidDismissed(self, _: VoidDismissed) -> None:
        if self.newest_is("void"):
            self._held.pop()

    def Referred(self, _: Referred) -> None:
        self._add("referral", "referral")

    def ReferralDecided(self, event: ReferralDecided) -> None:
        if not self.newest_is("referral", "reset"):
            self._find("not-referred")
            return
        self._held.pop()
        if event.case == "card-not-needed-either" and self.newest_is("referral"):
            self._held.pop()  # it came up by an order about the older matter
        self._decided_void = event.decision in _VOIDING
        self._decided_cards_only = event.decision == "cards-only-void"

    def DeviceReset(self, event: DeviceReset) -> None:
        if event.only_recorded:
            return
        if event.cards_seen:
            self._add("reset", "device-reset")
        self.was_reset = not event.cards_seen

    def CardsVoided(self, _: CardsVoided) -> None:
        """The cards seen have left play, so betting may open again."""
        self.was_reset = self._decided_cards_only
        if not self._decided_cards_only:
            self._find("not-referred")

    def ReportWithdrawn(self, event: ReportWithdrawn) -> None:
        """The newest matter is none after all; some kinds are not followed here."""
        if not self._held or self._held[-1].provision != event.provision:
            return
        matter = self._held.pop()
        if matter.kind == "offer" and matter.asked != {area[0] for area in matter.offered}:
            self._find("withdrawn-answered")

    def WithdrawalOffered(self, event: WithdrawalOffered) -> None:
        offer = self._add("offer", event.provision)
        offer.offered = {area_of(each): event.whole for each in event.wagers}
        offer.asked = {each.patron for each in event.wagers}
        for patron in offer.asked:
            self.offered_to[patron] = {area_of(each): each.amount for each in event.wagers if each.patron == patron}

    def CardCorrected(self, _: CardCorrected | ReadingOverridden) -> None:
        for matter in self._held:
            matter.cards_changed = True

    ReadingOverridden = CardCorrected

    def WithdrawalEnded(self, _: WithdrawalEnded) -> None:
        if self.newest_is("offer"):
            self._held.pop()
