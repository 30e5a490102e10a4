"""The lines of a game that no coup reaches, each with its witness, and where they stand in the game's file."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from punto.rules.coup import Coup
from punto.rules.deal_counts import LONGEST_COUP, CardsSeen
from punto.rules.possible_lines import possible_lines
from punto.rules.rulebook import Line, Rulebook, Wager
from punto.rules.table_of_play import next_card

COUPS_TRIED = 20_000
"""For a witness; a condition that none of so many meets has the lines that shadow it as its witness."""
_SEED = 23


class WhyDead(StrEnum):
    """Why no coup reaches a line."""

    CONTRADICTORY = "line-contradictory"
    """No coup meets its condition."""
    SHADOWED = "line-shadowed"
    """One line before it takes every coup that meets its condition."""
    COVERED = "line-covered"
    """Several lines before it take every such coup together, and none of them alone."""


@dataclass(frozen=True, slots=True)
class DeadLine:
    """A line that no coup reaches."""

    wager: Wager
    at: int
    """Its place among the lines of the wager, from 0."""
    why: WhyDead
    before: tuple[Line, ...] = ()
    """The lines that take its coups; each of them is needed for that."""
    coup: Coup | None = None
    """A coup that meets its condition and is taken by one of them; None where none was found."""

    @property
    def line(self) -> Line:
        """The line itself."""
        return self.wager.lines[self.at]


def dead_lines(book: Rulebook) -> tuple[DeadLine, ...]:
    """Return every line that no coup from the largest shoe reaches, in the order of the file."""
    possible = possible_lines(book.wagers, CardsSeen(), book.shoe(book.decks.most))
    return tuple(
        _dead(book, wager, at)
        for wager in book.wagers
        for at, line in enumerate(wager.lines)
        if line not in possible[wager.name].lines
    )


def _dead(book: Rulebook, wager: Wager, at: int) -> DeadLine:
    line, before = wager.lines[at], wager.lines[:at]

    def reached(*lines: Line) -> bool:
        shortened = replace(wager, lines=(*lines, line))
        return line in possible_lines((shortened,), CardsSeen(), book.shoe(book.decks.most))[wager.name].lines

    if not reached():
        return DeadLine(wager, at, WhyDead.CONTRADICTORY)
    coup = next((each for each in _coups(book) if line.when.holds(each.outcome_class)), None)
    alone = next((each for each in before if not reached(each)), None)
    if alone:
        return DeadLine(wager, at, WhyDead.SHADOWED, (alone,), coup)
    needed = list(before)
    for each in before:
        without = [other for other in needed if other is not each]
        if not reached(*without):
            needed = without
    return DeadLine(wager, at, WhyDead.COVERED, tuple(needed), coup)


def _coups(book: Rulebook) -> Iterator[Coup]:
    """Yield coups from a full shoe by chance that is always the same."""
    chance = random.Random(_SEED)
    shoe = [card for card, count in book.shoe(book.decks.most).counts().items() for _ in range(count)]
    for _ in range(COUPS_TRIED):
        waiting, dealt = chance.sample(shoe, LONGEST_COUP), []
        values: dict[str, list[int]] = {"player": [], "banker": []}
        while hand := next_card(values["player"], values["banker"]):
            dealt.append(waiting.pop())
            values[hand.value].append(dealt[-1].point_value)
        yield Coup.deal(dealt)
