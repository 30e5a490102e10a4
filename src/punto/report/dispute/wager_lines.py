"""Settled wagers in the form that packets have."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from punto.report.rendering import fraction, money
from punto.store.receipts.wager_receipt import WagerReceipt
from punto.table.event import Settled


def wager_line(each: Settled | WagerReceipt, pays: Fraction) -> dict[str, object]:
    """Return a settled wager, from its event or from its receipt."""
    return {
        "patron": each.patron,
        "position": each.position,
        "wager": each.wager,
        "stake": money(each.stake),
        "settled": money(each.settled),
        "result": str(each.result) if each.result else "returned",
        "outcome": each.outcome,
        "pays": fraction(pays),
        "winnings": money(each.winnings),
        "commission": money(each.commission),
        "returned": money(each.returned),
        "clause": each.clause,
        "limit_clause": each.limit_clause,
    }


def totals(wagers: Iterable[Settled | WagerReceipt]) -> dict[str, str]:
    """Return the sums over wagers."""
    made, named = list(wagers), ("stake", "winnings", "commission", "returned")
    return {name: money(sum(getattr(each, name) for each in made)) for name in named}
