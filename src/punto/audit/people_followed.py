"""The people of a table followed by its events: which Dealer is on duty, and who confirmed what needs a second person.

Part of the auditor: it shares nothing with the engine that brought the events about.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from punto.table.event import Irregularity
from punto.table.irregularities.correction import RoundCorrected
from punto.table.irregularities.differential import WagerRemoved
from punto.table.irregularities.late_wagers import LateWagerRefused, OverlookedWagerSettled
from punto.table.irregularities.measures import WagerReturned
from punto.table.irregularities.void import RoundVoided
from punto.table.irregularities.withdrawal import WithdrawalAnswered
from punto.table.play.duty import DealerSignedOff, DealerSignedOn
from punto.table.play.second_person import ActConfirmed, ActDropped, ActProposed
from punto.table.play.settlement import RoundSettled
from punto.table.play.table_management import TableClosed, TableOpened
from punto.table.play.wagers import BetsOpened


class PeopleFollowed:
    """Follows the people of a table and reports to ``find`` what does not agree: a code and its values."""

    def __init__(self, find: Callable[..., None]) -> None:
        self._find = find
        self._on_duty: str | None = None
        self._setting: Any = None
        self._round = 0
        self._in_round = False
        self._proposed: dict[int, ActProposed] = {}
        self._second = ""
        """The person who confirmed the act under way."""

    def TableOpened(self, event: TableOpened) -> None:
        self._setting, self._on_duty, self._proposed, self._in_round = event.setting, None, {}, False

    def TableClosed(self, _: TableClosed) -> None:
        self._on_duty, self._proposed = None, {}

    def DealerSignedOn(self, event: DealerSignedOn) -> None:
        self._was_on_duty(event.relieved)
        self._on_duty = event.dealer

    def DealerSignedOff(self, event: DealerSignedOff) -> None:
        self._was_on_duty(event.dealer)
        self._on_duty = None

    def _was_on_duty(self, recorded: str | None) -> None:
        if recorded != self._on_duty:
            self._find("differs.on-duty", recorded=recorded, recomputed=self._on_duty)

    # --- a second person -------------------------------------------------------------------------------------------

    def BetsOpened(self, event: BetsOpened) -> None:
        self._round, self._in_round, self._second = event.round, True, ""

    def RoundSettled(self, _: RoundSettled) -> None:
        self._in_round = False

    def ActProposed(self, event: ActProposed) -> None:
        if not event.reason:
            self._find("act-without-reason")
        self._proposed[event.act] = event

    def ActConfirmed(self, event: ActConfirmed) -> None:
        act = self._proposed.pop(event.act, None)
        last = act.until_round if act else 0
        lapsed = self._round > last or (self._round == last and not self._in_round)
        if act is None or act.proposed_by != event.proposed_by or lapsed:
            self._find("act-not-proposed")
        if event.confirmed_by == event.proposed_by:
            self._find("act-by-one-person")
        self._second = event.confirmed_by

    def ActDropped(self, event: ActDropped) -> None:
        if self._proposed.pop(event.act, None) is None:
            self._find("act-not-proposed")

    def RoundVoided(self, event: RoundVoided) -> None:
        self._in_round = False
        self._check(event, "void")

    def RoundCorrected(self, event: RoundCorrected) -> None:
        self._check(event, *(("correction",) if event.coup else ("correction", "void")))

    def OverlookedWagerSettled(self, event: OverlookedWagerSettled) -> None:
        self._check(event, "correction")

    def WagerRemoved(self, event: WagerRemoved) -> None:
        self._check(event, "removal")

    def WagerReturned(self, event: WagerReturned) -> None:
        self._check(event, "removal")

    def LateWagerRefused(self, event: LateWagerRefused) -> None:
        if event.taken_off:
            self._check(event, "removal")

    def WithdrawalAnswered(self, event: WithdrawalAnswered) -> None:
        if event.recorded_by and sum(each.amount for each in event.withdrawn) > self._setting.second_person_above:
            self._check(event, "withdrawal")

    def _check(self, event: Irregularity, *acts: str) -> None:
        """A sensitive act was confirmed by another person, where the house asks for it, and has a reason."""
        asked = not {*acts}.isdisjoint(self._setting.second_person)
        told = event.circumstances
        if asked and (told is None or not told.second_person or told.second_person != self._second):
            self._find("act-not-confirmed")
        if (asked or self._setting.reasons_required) and (told is None or not told.reason):
            self._find("act-without-reason")
