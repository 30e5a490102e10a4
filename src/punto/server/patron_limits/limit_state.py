"""What a patron's stream of limits has led to: limits in force, what was used of them, and what tables hold.

A reservation holds for at most a quarter of an hour. What was lost by its wagers counts from its end and what was won
from its beginning, so that within it everything counts against the patron.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from punto.store.events.limit_events import (
    AllowanceReserved,
    ExclusionKind,
    ExclusionLifted,
    LimitKind,
    PatronExcluded,
    PatronLimitSet,
    Period,
)
from punto.store.records import EventRecord
from punto.table.refusal import Refusal, refuse

DAY = 24 * 3_600_000
LENGTHS = {Period.DAY: DAY, Period.WEEK: 7 * DAY, Period.MONTH: 31 * DAY}
"""Milliseconds."""
LONGEST = max(LENGTHS.values())
EASED_AFTER = DAY
"""Milliseconds until a higher limit, or none, is in force; a lower one is at once."""
RENEWED_EACH = 15 * 60_000
"""Milliseconds after which a table reports what was lost and staked, and reserves again."""


class Limit(Struct, frozen=True):
    """A limit, and what it will be later."""

    limit: int | None
    eased_to: int | None = None
    eased_from: int | None = None

    def in_force(self, now: int) -> int | None:
        """Return the limit at a time."""
        return self.eased_to if self.eased_from is not None and now >= self.eased_from else self.limit


class Reserved(Struct, frozen=True):
    """What a table holds of a patron's limits, and since when."""

    since: int
    loss: int | None
    stake: int | None
    until: int | None


class Use(Struct, frozen=True):
    """What was lost and staked, and when that counts."""

    at: int
    lost: int
    staked: int


class LimitState(Struct):
    """Everything that a patron's stream says."""

    limits: dict[tuple[LimitKind, Period], Limit] = field(default_factory=dict)
    excluded: dict[ExclusionKind, int | None] = field(default_factory=dict)
    """By kind until when; None is for good."""
    tables: dict[str, Reserved] = field(default_factory=dict)
    uses: list[Use] = field(default_factory=list)
    played: list[tuple[int, int]] = field(default_factory=list)
    """When the patron played, from and to."""

    def copied(self) -> LimitState:
        """Return limits that can be followed on without changing these."""
        return LimitState(
            dict(self.limits), dict(self.excluded), dict(self.tables), [*self.uses], [*self.played]
        )  # fmt: skip

    def take_in(self, recorded: EventRecord) -> None:
        """Follow the event that comes next; raise ``ValueError`` for one that has no place in this stream."""
        match recorded.event:
            case PatronLimitSet(kind=kind, period=period, limit=limit, counts_from=counts_from):
                self._set(kind, period, limit, counts_from, recorded.at)
            case PatronExcluded(kind=kind, until=until):
                self.excluded[kind] = until
            case ExclusionLifted(kind=kind):
                self.excluded.pop(kind, None)
            case AllowanceReserved() as reserved:
                self._reserve(reserved, recorded.at)
            case _:
                raise ValueError("is nothing that happens to a patron's limits")

    def _set(self, kind: LimitKind, period: Period, limit: int | None, counts_from: int, at: int) -> None:
        now = self.in_force(kind, period, at)
        eased = counts_from > at
        self.limits[kind, period] = Limit(now, limit, counts_from) if eased else Limit(limit)

    def _reserve(self, reserved: AllowanceReserved, at: int) -> None:
        before = self.tables.get(reserved.table)
        if before:
            ended = at if before.until is None else min(at, max(before.since, before.until))
            self.uses.append(Use(ended if reserved.lost > 0 else before.since, reserved.lost, 0))
            self.uses.append(Use(ended, 0, reserved.staked))
            if before.until is not None and before.until > before.since:
                self.played.append((before.since, min(at, before.until)))
        self.tables[reserved.table] = Reserved(at, reserved.loss, reserved.stake, reserved.until)
        self.uses = [each for each in self.uses if each.at > at - LONGEST and (each.lost or each.staked)]
        self.played = [each for each in self.played if each[1] > at - LONGEST]

    # --- what holds now --------------------------------------------------------------------------------------------

    def in_force(self, kind: LimitKind, period: Period, now: int) -> int | None:
        """Return a limit at a time; None without one."""
        limit = self.limits.get((kind, period))
        return limit.in_force(now) if limit else None

    def holds_any(self, now: int) -> bool:
        """Whether a limit was ever set, or the patron is excluded."""
        return bool(self.limits) or self.exclusion(now) is not None

    def used(self, kind: LimitKind, period: Period, now: int) -> int:
        """Return what was used of a limit up to now, as far as it was reported."""
        since = now - LENGTHS[period]
        if kind is LimitKind.TIME:
            return self._time_played(since, now)
        within = [each for each in self.uses if each.at > since]
        return sum(each.lost if kind is LimitKind.LOSS else each.staked for each in within)

    def _time_played(self, since: int, now: int) -> int:
        """Return how long the patron played, at whichever tables: time at two tables at once counts once."""
        running = [(each.since, min(now, each.until)) for each in self.tables.values() if each.until is not None]
        total, counted = 0, since
        for begun, ended in sorted([*self.played, *running]):
            if ended > counted:
                total += ended - max(begun, counted)
                counted = ended
        return total

    def left(self, kind: LimitKind, now: int, but_at: str = "") -> tuple[int, Period] | None:
        """Return the least that any limit leaves, beside what other tables hold, and over which period; None: no limit.

        Below zero where a limit was lowered after it was used.
        """
        held = 0 if kind is LimitKind.TIME else sum(self._held(kind, but_at))
        lefts = [
            (limit - self.used(kind, period, now) - held, period)
            for period in Period
            if (limit := self.in_force(kind, period, now)) is not None
        ]
        return min(lefts, default=None)

    def _held(self, kind: LimitKind, but_at: str) -> Iterator[int]:
        for table, each in self.tables.items():
            if table != but_at:
                yield (each.loss if kind is LimitKind.LOSS else each.stake) or 0

    def exclusion(self, now: int) -> tuple[ExclusionKind, int | None] | None:
        """Return the exclusion that holds longest, and until when."""
        holding = [each for each in self.excluded.items() if each[1] is None or each[1] > now]
        return max(holding, key=lambda each: (each[1] is None, each[1] or 0), default=None)

    def refusal(self, now: int) -> Refusal | None:
        """Return why the patron may not play at all, if they may not."""
        if excluded := self.exclusion(now):
            kind, until = excluded
            return refuse(
                "excluded",
                case={
                    ExclusionKind.COOL_OFF: "cool-off",
                    ExclusionKind.SELF: "self-until" if until else "self",
                    ExclusionKind.HOUSE: "house-until" if until else "house",
                    ExclusionKind.INACTIVE: "inactive",
                }[kind],
            )
        return None
