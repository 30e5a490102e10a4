"""The table differential: how far apart the wagers on the two hands lie, and what the house allows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from punto.table.state import Table


@dataclass(frozen=True, slots=True)
class Differential:
    """What lies on the hand with more and on the one with less, and how far apart they may be."""

    higher: str
    """By the name of the wager on it."""
    lower: str
    on_higher: int
    on_lower: int
    difference: int
    allowed: int | None
    """None where the house has set no limit."""
    excess: int
    """By how much it is exceeded; 0 if it is not."""


def differential(table: Table, totals: Mapping[str, int] | None = None) -> Differential | None:
    """The table differential as the wagers lie, or with other totals; None in a game that has none (reading R15)."""
    between = table.book.differential
    if between is None or table.setting is None:
        return None
    totals = table.totals() if totals is None else totals
    lower, higher = sorted(between, key=lambda name: totals.get(name, 0))
    on_higher, on_lower = totals.get(higher, 0), totals.get(lower, 0)
    difference, allowed = table.book.table_differential(totals), table.setting.differential
    excess = 0 if allowed is None else max(0, difference - allowed)
    return Differential(higher, lower, on_higher, on_lower, difference, allowed, excess)
