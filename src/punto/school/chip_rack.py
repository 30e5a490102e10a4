"""Chips: the rack, an amount laid out in chips, and stakes as patrons place them."""

from __future__ import annotations

from dataclasses import dataclass

from punto.school.phrases import Money, Phrase, phrase
from punto.school.seeded_chance import Lot
from punto.table.settings import Limits

RACK = (500_000, 100_000, 50_000, 10_000, 2_500, 500, 100)
"""The chips of the practice table, in cents, the highest first. A house has its own; the rules name none."""


@dataclass(frozen=True, slots=True)
class Stack:
    """A number of chips of one value."""

    value: int
    count: int


def in_chips(amount: int) -> tuple[Stack, ...]:
    """Return the fewest chips that make an amount; what is less than the least chip comes last, in coin."""
    stacks, left = [], amount
    for value in RACK:
        count, left = divmod(left, value)
        if count:
            stacks.append(Stack(value, count))
    return (*stacks, Stack(left, 1)) if left else tuple(stacks)


def laid_out(amount: int) -> Phrase:
    """Return an amount in chips, in words."""
    stacks = tuple(
        phrase("chips" if each.value in RACK else "coin", count=each.count, value=Money(each.value))
        for each in in_chips(amount)
    )
    return phrase("plainly", what=stacks or phrase("no-chips"))


def stake(limits: Limits, lot: Lot) -> int:
    """Return a stake as a patron would put it down: a few chips of one or two values, within the limits."""
    fitting = [value for value in RACK if limits.minimum <= value <= limits.maximum // 2]
    while True:
        amount = sum(lot.pick(fitting) * lot.between(1, 4) for _ in range(lot.between(1, 2)))
        if limits.minimum <= amount <= limits.maximum:
            return amount
