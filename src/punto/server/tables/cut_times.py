"""The time that patrons have for a cut, and how each cut of a shoe was conducted.

The list of a cut is closed once everyone with chips at the table has committed or declined, or when the time to commit
is over. A cut is given up for another only when the time to reveal is over. So the house cannot leave a patron out by
being quick, nor have a cut repeated before those in its list could reveal.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from msgspec import Struct, field

from punto.shoe.conduct import Conduct
from punto.shoe.cut import Cut, CutError
from punto.store.events.shoe_events import CutDeclined, CutListClosed, CutSpoiled, ShoeSealed
from punto.store.records import EventRecord
from punto.table.table import Table

TIME_TO_CUT = 30_000
"""Milliseconds to commit, and then to reveal, where the house has set no other time."""


def seated_at(table: Table) -> list[str]:
    """Return the patrons who have chips at a table."""
    return [patron for patron, chips in table.chips.items() if chips]


class CutTimesState(Struct, array_like=True):
    """The cuts of every shoe of a table, each by the shoe's name."""

    conducts: dict[str, tuple[Conduct, ...]] = field(default_factory=dict)
    """All cuts in order; the last one is under way."""
    due: dict[str, int] = field(default_factory=dict)
    """When the time for the step under way is over."""
    declined: dict[str, frozenset[str]] = field(default_factory=dict)


class CutTimes:
    """The cuts of every shoe of a table: when each step began, and who declined."""

    def __init__(self, time_to_cut: int = TIME_TO_CUT) -> None:
        self.time_to_cut = time_to_cut
        self.state = CutTimesState()

    @property
    def conducts(self) -> Mapping[str, tuple[Conduct, ...]]:
        """All cuts of each shoe in order; the last one is under way."""
        return self.state.conducts

    def take_in(self, recorded: EventRecord) -> None:
        """Follow the event of the shoes' stream that comes next."""
        at, event = recorded.at, recorded.event
        match event:
            case ShoeSealed(shoe=shoe, until=until):
                self._begin(shoe, at, until)
            case CutDeclined(shoe=shoe, patron=patron):
                self.state.declined[shoe] = self.declined(shoe) | {patron}
            case CutListClosed(shoe=shoe, until=until, due=due, absent=absent):
                self._change(
                    shoe,
                    due=due,
                    closed=at,
                    closed_by=recorded.by,
                    position=recorded.position,
                    absent=len(absent),
                    left_out=absent,
                    declined=len(self.declined(shoe)),
                )
                self.state.due[shoe] = until or at + self.time_to_cut
            case CutSpoiled(shoe=shoe, until=until, due=due):
                self._change(shoe, reveal_due=due, spoiled=at, spoiled_by=recorded.by)
                self._begin(shoe, at, until)

    def declined(self, shoe: str) -> frozenset[str]:
        """Return who does not want to take part in the cut under way."""
        return self.state.declined.get(shoe, frozenset())

    def due(self, shoe: str) -> int:
        """Return when the time for the step under way is over: to commit or, with the list closed, to reveal."""
        return self.state.due[shoe]

    def absent(self, shoe: str, cut: Cut, seated: Collection[str]) -> tuple[str, ...]:
        """Return who has chips at the table and has neither committed nor declined; one who was left out cannot."""
        answered = {each.patron for each in cut.pledges} | self.declined(shoe) | cut.left_out
        return tuple(sorted(set(seated) - answered))

    def check_due(self, shoe: str, now: int) -> None:
        """Raise ``CutError`` while the time for the step under way is not over."""
        if now < self.due(shoe):
            raise CutError("cut-time-left", seconds=-(-(self.due(shoe) - now) // 1000))

    def _begin(self, shoe: str, at: int, until: int | None) -> None:
        self.state.conducts[shoe] = (*self.conducts.get(shoe, ()), Conduct(at))
        self.state.due[shoe], self.state.declined[shoe] = until or at + self.time_to_cut, frozenset()

    def _change(self, shoe: str, **told: int | str | tuple[str, ...] | None) -> None:
        *before, last = self.conducts[shoe]
        self.state.conducts[shoe] = (*before, replace(last, **told))  # type: ignore[arg-type]
