"""Lessons: from a seed, a game or all of them and a drill or all of them, one question after the other.

A question follows from the plan and its number alone, so a lesson can be repeated, and a server need keep none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from punto.rules.rulebook import Rulebook
from punto.school.drills import commission, irregularity_drill, on_behalf, payouts, third_card_drill
from punto.school.question import Drill, DrillQuestion
from punto.school.seeded_chance import Lot

MOST_QUESTIONS = 500

Subjects = Callable[[Rulebook], tuple[tuple[str, ...], ...]]
_DRILLS: dict[Drill, tuple[Subjects, Callable[[Rulebook, str, Lot], DrillQuestion]]] = {
    Drill.TABLE_OF_PLAY: (lambda _: third_card_drill.subjects(), third_card_drill.question),
    Drill.PAYOUTS: (payouts.subjects, payouts.question),
    Drill.COMMISSION: (commission.subjects, commission.question),
    Drill.IRREGULARITIES: (irregularity_drill.subjects, irregularity_drill.question),
    Drill.ON_BEHALF: (on_behalf.subjects, on_behalf.question),
}


@cache
def subjects(book: Rulebook, drill: Drill) -> tuple[tuple[str, ...], ...]:
    """Return what can be asked in a drill of a game, in groups of which one at a time comes up."""
    return _DRILLS[drill][0](book)


def asked(book: Rulebook, drill: Drill, subject: str, *lot: object) -> DrillQuestion:
    """Return a question on one subject."""
    return _DRILLS[drill][1](book, subject, Lot(book.key, drill.value, subject, *lot))


@dataclass(frozen=True)
class Plan:
    """What is asked: which games and drills take turns, and the seed that all else follows from."""

    books: tuple[Rulebook, ...]
    drills: tuple[Drill, ...]
    seed: int

    def question(self, number: int) -> DrillQuestion:
        """Return the question of a number, counted from 0."""
        turns = Lot(self.seed, "turns").shuffled(self.turns)
        book, drill = turns[number % len(turns)]
        return nth(book, drill, self.seed, number // len(turns))

    @property
    def turns(self) -> list[tuple[Rulebook, Drill]]:
        """What takes turns: a game may have nothing for some drill."""
        return [(book, drill) for book in self.books for drill in self.drills if subjects(book, drill)]


def nth(book: Rulebook, drill: Drill, seed: int, number: int) -> DrillQuestion:
    """Return the question of a number in one drill of one game. Every group comes up once before any comes again."""
    groups = subjects(book, drill)
    turn, at = divmod(number, len(groups))
    group = Lot(seed, book.key, drill.value, turn).shuffled(groups)[at]
    # Within a group one after the other, so that in time every subject is asked.
    begin = Lot(seed, book.key, drill.value, *group).below(len(group))
    return asked(book, drill, group[(begin + turn) % len(group)], seed, number)
