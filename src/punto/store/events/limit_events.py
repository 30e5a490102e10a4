"""Events of a patron's stream of limits: what they allow themselves over the house, exclusions, and reservations.

A reservation is stored together with the table's event, both or neither.
"""

from __future__ import annotations

from enum import StrEnum

from punto.table.event import Event, FreeWords

LIMITS = ".limits"
"""Suffix of a patron's id for the stream of their limits."""


class LimitKind(StrEnum):
    """What a patron limits."""

    LOSS = "loss"
    """What they lose, less what they win, in cents."""
    STAKE = "stake"
    """What they stake, in cents."""
    TIME = "time"
    """How long they play, in milliseconds."""


class Period(StrEnum):
    """The time over which a limit counts, up to now."""

    DAY = "day"
    """24 hours."""
    WEEK = "week"
    """7 days."""
    MONTH = "month"
    """31 days, which cover every calendar month."""


class ExclusionKind(StrEnum):
    """Why a patron may not play."""

    COOL_OFF = "cool-off"
    SELF = "self"
    HOUSE = "house"
    INACTIVE = "inactive"
    """The house has deactivated them: they cannot sign in either."""


class PatronLimitSet(Event, frozen=True):
    """A patron has set a limit over all tables; None is no limit."""

    kind: LimitKind
    period: Period
    limit: int | None
    counts_from: int
    """When it is in force: a lower one at once, a higher one or none a day later."""
    before: int | None = None
    """What was in force until then."""


class PatronExcluded(Event, frozen=True):
    """A patron may place no wager and bring no money; they may take away what they have."""

    kind: ExclusionKind
    until: int | None
    """None: for good, or until the house lifts what it ordered."""
    reason: FreeWords = ""


class ExclusionLifted(Event, frozen=True):
    """The house lifted an exclusion that it had ordered."""

    reason: FreeWords
    kind: ExclusionKind = ExclusionKind.HOUSE


class AllowanceReserved(Event, frozen=True):
    """What a patron lost and staked at a table by the reservation before, and what the table holds for them now."""

    table: str
    lost: int
    """Below zero if they won."""
    staked: int
    loss: int | None = None
    """May be lost there from now on; None without a limit."""
    stake: int | None = None
    until: int | None = None
    """It counts as time of play up to then, or until the next event about this table."""


EVENTS: dict[str, type[Event]] = {
    kind.__name__: kind for kind in (PatronLimitSet, PatronExcluded, ExclusionLifted, AllowanceReserved)
}
