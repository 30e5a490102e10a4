"""What every event has, and the values that several of them carry. Events are never changed; names are stable."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from typing import Annotated, ClassVar

from msgspec import Struct
from msgspec.structs import replace

from punto.rules.rulebook import Result
from punto.table.money import Cents
from punto.table.roles import Role

FREE = "free words"
FreeWords = Annotated[str, FREE]
"""The type of a field that holds what a person wrote: a store keeps a digest of it, so that it can be erased."""


class Opens(StrEnum):
    """A window that an event opens for patrons."""

    BETTING = "betting"
    ANSWERS = "answers"
    SQUEEZE = "squeeze"
    AGAIN = "again"
    """Whichever a hold interrupted, if any."""


class Event(Struct, frozen=True):
    """Something that has happened. A field is for staff alone unless it is ``Public``."""

    announced: ClassVar[bool] = False
    """Whether the public learns that it happened, even where no field of it is public."""
    in_packets: ClassVar[bool] = False
    """Whether a dispute packet for one patron may show it, where it names no other patron.
    Not one with an amount that nobody is named with: it could be a sum over several patrons."""
    opens: ClassVar[Opens | None] = None
    """The window that it opens. Where the house has set a time, its field ``deadline`` is then filled in."""


class Returned(Struct, frozen=True):
    """A wager handed back whole, or one that lies on the layout."""

    patron: str
    position: int
    wager: str
    amount: Cents


class Settled(Struct, frozen=True):
    """What became of one wager."""

    patron: str
    position: int
    wager: str
    stake: Cents
    """All that lay there."""
    settled: Cents
    """The part of it that was won, lost or pushed; the rest was handed back: as over the maximum or under the minimum,
    or by a decision."""
    result: Result | None
    """None if the whole wager was handed back unsettled."""
    outcome: str
    pays: Fraction
    winnings: Cents
    commission: Cents
    returned: Cents
    clause: str
    limit_clause: str | None
    """The rule on limits that was applied, if any."""
    capped: Cents = 0
    """What a cap on the table's payouts kept back of what the line pays: the winnings are less by it (reading R86)."""

    @property
    def area(self) -> tuple[str, int, str]:
        """Whose it is, at which position, on what."""
        return self.patron, self.position, self.wager

    @property
    def seat(self) -> tuple[int, str, str]:
        """By what wagers are ordered that share a cap and would get the same: position, wager, patron (R86)."""
        return self.position, self.wager, self.patron

    def paid_only(self, winnings: int) -> Settled:
        """Return a winning wager, paid by its line alone until now, with the winnings that a cap leaves it."""
        capped = self.winnings - winnings
        return replace(self, winnings=winnings, returned=self.returned - capped, capped=capped) if capped else self

    def paid_by_line(self) -> Settled:
        """Return the wager with what its line alone pays, without a cap."""
        if not self.capped:
            return self
        winnings, returned = self.winnings + self.capped, self.returned + self.capped
        return replace(self, winnings=winnings, returned=returned, capped=0)


class Circumstances(Struct, frozen=True):
    """What is kept about every irregularity: where in play it was, who saw it, who dealt with it, what it did."""

    round: int
    shoe: str | None
    card: int | None
    """The number of the card that was next."""
    noticed_by: FreeWords
    authorised_by: str
    position: Role
    acting_in: tuple[Role, ...]
    """The positions that person was appointed to act in."""
    wagers_before: tuple[Returned, ...]
    wagers_after: tuple[Returned, ...]
    note: FreeWords
    reason: FreeWords = ""
    """Why the person who authorised it did so, in their words."""
    second_person: str = ""
    """Who confirmed it, where the house asks for a second person; the first is who authorised it."""
    held_for: tuple[str, ...] = ()
    """What play is held for after it, by provision, the newest last."""


class Irregularity(Event, kw_only=True, frozen=True):
    """Something that went wrong, or was decided because of it."""

    in_packets = True
    circumstances: Circumstances | None = None
