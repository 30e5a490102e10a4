"""The score sheet: what was asked, right at the first try and mistaken, by drill and by clause, with the time taken."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar

from punto.report.rendering import html_page, percent
from punto.rules.rulebook import Rulebook
from punto.school.lesson import Plan
from punto.school.question import Drill, Mark, QuestionProgress

PASS_MARK = Fraction(9, 10)
"""What has to be right at the first try, and without looking at the rule."""

K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True, slots=True)
class ScoreTally:
    """Counts of questions asked and answered right at the first try, mistakes, hints and milliseconds."""

    asked: int = 0
    first: int = 0
    mistakes: int = 0
    hints: int = 0
    milliseconds: int = 0

    def plus(self, mark: Mark, milliseconds: int) -> ScoreTally:
        return ScoreTally(
            self.asked + 1,
            self.first + mark.first,
            self.mistakes + mark.mistakes,
            self.hints + mark.hints,
            self.milliseconds + milliseconds,
        )

    @property
    def score(self) -> Fraction | None:
        """The part that was right at the first try; None if nothing was asked."""
        return Fraction(self.first, self.asked) if self.asked else None


@dataclass(frozen=True, slots=True)
class AnsweredQuestion:
    """A question that was answered, whole or in part, and how long each thing asked took."""

    standing: QuestionProgress
    milliseconds: tuple[int, ...] = ()

    def marks(self) -> Iterator[tuple[Mark, int]]:
        marks = self.standing.all_marks
        return zip(marks, (*self.milliseconds, *[0] * len(marks)), strict=False)


@dataclass(frozen=True)
class Sheet:
    """A lesson, graded."""

    plan: Plan
    software: str
    done: tuple[AnsweredQuestion, ...] = field(default_factory=tuple)

    @property
    def total(self) -> ScoreTally:
        return self._by(lambda *_: "").get("", ScoreTally())

    @property
    def passed(self) -> bool:
        score = self.total.score
        return score is not None and score >= PASS_MARK

    def by_drill(self) -> Mapping[tuple[Rulebook, Drill], ScoreTally]:
        return self._by(lambda done, _: (done.standing.question.book, done.standing.question.drill))

    def by_clause(self) -> Mapping[tuple[Rulebook, str | None], ScoreTally]:
        """Return tallies by the first clause that each answer rests on; None for what the rules leave to the house."""
        return self._by(lambda done, mark: (done.standing.question.book, next(iter(mark.clauses), None)))

    def _by(self, key: Callable[[AnsweredQuestion, Mark], K]) -> dict[K, ScoreTally]:
        tallies: dict[K, ScoreTally] = {}
        for done in self.done:
            for mark, took in done.marks():
                at = key(done, mark)
                tallies[at] = tallies.get(at, ScoreTally()).plus(mark, took)
        return tallies


def as_json(sheet: Sheet) -> dict[str, Any]:
    """Return the sheet as data; the same plan and answers give the same sheet, except for times."""
    return {
        "software": sheet.software,
        "seed": sheet.plan.seed,
        "games": [{"game": book.key, "version": book.version, "digest": book.digest} for book in sheet.plan.books],
        "drills": [drill.value for drill in sheet.plan.drills],
        "questions": sum(bool(done.standing.all_marks) for done in sheet.done),
        "pass_mark": _percent(PASS_MARK),
        "passed": sheet.passed,
        "total": _tally(sheet.total),
        "by_drill": [
            {"game": book.key, "drill": drill.value, **_tally(tally)}
            for (book, drill), tally in sheet.by_drill().items()
        ],
        "by_clause": [
            {
                "game": book.key,
                "clause": clause,
                "text": book.clauses[clause].text if clause else None,
                "provision": book.clauses[clause].provision if clause else None,
                **_tally(tally),
            }
            for (book, clause), tally in _weakest_first(sheet.by_clause())
        ],
    }


def _weakest_first(tallies: Mapping[K, ScoreTally]) -> Iterable[tuple[K, ScoreTally]]:
    return sorted(tallies.items(), key=lambda each: each[1].score or 0)


def _tally(tally: ScoreTally) -> dict[str, Any]:
    return {
        "asked": tally.asked,
        "right_first_time": tally.first,
        "mistakes": tally.mistakes,
        "hints": tally.hints,
        "seconds": round(tally.milliseconds / 1000, 1),
        "score": _percent(tally.score) if tally.score is not None else None,
    }


def _percent(part: Fraction) -> str:
    return percent(part, 1)


def as_html(sheet: Sheet) -> str:
    """Return the sheet as a self-contained HTML page."""
    titles = {book.key: book.title for book in sheet.plan.books}
    return html_page(Path(__file__).with_name("sheet.html.jinja"), {"sheet": as_json(sheet), "titles": titles})
