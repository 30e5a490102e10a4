"""A question of the school: what is seen, what is asked, what is right and why; and how answers to it are graded.

A question is a row of moments. At each the learner is asked one thing; after a right answer, or the last try, the
right thing is done and the next moment comes. So a question can be made whole beforehand, and an answer, however wrong,
leads nowhere but to its grade.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from punto.cards import Card
from punto.notation.actions import AMOUNT, cents
from punto.rules.rulebook import Rulebook
from punto.rules.table_of_play import Hand
from punto.school.phrases import Money, Phrase, phrase
from punto.table.event import Returned
from punto.table.refusal import Refusal
from punto.table.table import Table

TRIES = 2
"""Wrong answers after which the right one is given."""
HINT = "?"
"""The answer that asks for the rule instead."""
LONGEST_ANSWER = 80


class Drill(StrEnum):
    """What is practised."""

    TABLE_OF_PLAY = "table-of-play"
    PAYOUTS = "payouts"
    COMMISSION = "commission"
    IRREGULARITIES = "irregularities"
    ON_BEHALF = "on-behalf"
    HOUSE = "house"
    """What went wrong at the tables of the house."""


OF_GAMES = tuple(each for each in Drill if each is not Drill.HOUSE)
"""The drills that follow from the rules of a game alone."""


class AnswerKind(StrEnum):
    """What an answer is: one of several, an amount of money, or a point total."""

    CHOICE = "choice"
    AMOUNT = "amount"
    TOTAL = "total"


@dataclass(frozen=True, slots=True)
class Option:
    """One of several answers."""

    key: str
    words: Phrase


@dataclass(frozen=True, slots=True)
class Ask:
    """What is asked."""

    words: Phrase
    kind: AnswerKind
    options: tuple[Option, ...] = ()


@dataclass(frozen=True, slots=True)
class Scene:
    """What is seen while something is asked."""

    told: tuple[Phrase, ...]
    """What has happened, in words."""
    hands: Mapping[Hand, tuple[Card | None, ...]] = field(default_factory=dict)
    """Each hand's cards; None is one face down."""
    wagers: tuple[Returned, ...] = ()
    table: Table | None = None
    """The practice table, where there is one."""


@dataclass(frozen=True, slots=True)
class Remark:
    """What is said of one wrong answer: in words, and by the table if it refused what was asked of it."""

    words: Phrase | None = None
    refusal: Refusal | None = None


def _no_remark(_: str) -> Remark:
    return Remark()


@dataclass(frozen=True, slots=True)
class QuestionPart:
    """One thing asked, with the right answer and the reason for it."""

    ask: Ask
    scene: Scene
    right: str
    """As ``read`` gives it: the key of an option, cents, or a total."""
    why: Phrase
    clauses: tuple[str, ...]
    """The clauses of the game that make it right; none where it is the house's own choice."""
    remark: Callable[[str], Remark] = _no_remark
    """What is to be said of a wrong answer in particular."""


@dataclass(frozen=True, slots=True)
class DrillQuestion:
    """A question, whole. Only its moments up to the one that is asked are for the learner to see."""

    book: Rulebook
    drill: Drill
    subject: str
    """What it practises: a row of the Table of Play, a line of a wager, a kind of irregularity."""
    moments: tuple[QuestionPart, ...]
    close: Scene
    """What is seen when all is answered."""


class Unreadable(ValueError):
    """Raised for text that is no answer: the question is asked again, and no mistake is counted."""

    def __init__(self, words: Phrase) -> None:
        super().__init__(words.text())
        self.words = words


def read(ask: Ask, text: str) -> str:
    """Return the answer in the form that is compared: the key of an option, cents, or a total."""
    plain = text.strip().casefold()[:LONGEST_ANSWER]
    match ask.kind:
        case AnswerKind.CHOICE:
            return _option(ask.options, plain)
        case AnswerKind.AMOUNT:
            return str(_amount(plain))
        case AnswerKind.TOTAL:
            if re.fullmatch(r"[0-9]", plain):
                return plain
            raise Unreadable(phrase("unreadable-total"))


def _option(options: Sequence[Option], plain: str) -> str:
    """Find an option by its number, its key, or enough letters of the key."""
    if re.fullmatch(r"[1-9][0-9]?", plain) and int(plain) <= len(options):
        return options[int(plain) - 1].key
    begun = [each.key for each in options if plain and each.key.casefold().startswith(plain)]
    whole = [key for key in begun if key.casefold() == plain]
    if len(found := whole or begun) == 1:
        return found[0]
    raise Unreadable(phrase("unreadable-choice", most=len(options)))


def _amount(plain: str) -> int:
    """Return an amount such as 356.25, or the chips that make it, such as 3x100 + 2x25 + 5 + 1.25."""
    total = 0
    for part in plain.replace(" ", "").replace("×", "x").split("+"):
        chips = re.fullmatch(rf"(?:([0-9]{{1,4}})x)?{AMOUNT}", part)
        if not chips:
            raise Unreadable(phrase("unreadable-amount"))
        total += int(chips[1] or 1) * cents(chips[2])
    return total


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is said to an answer."""

    right: bool
    hint: bool
    """The rule was asked for instead of an answer."""
    told: bool
    """Whether the right answer is told now, because the learner has it or has no tries left."""
    answer: Phrase | None
    why: Phrase | None
    remark: Remark
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Mark:
    """How one thing asked was answered."""

    clauses: tuple[str, ...]
    first: bool
    """Right at the first try, and without looking at the rule."""
    mistakes: int
    hints: int


@dataclass(frozen=True, slots=True)
class QuestionProgress:
    """How far a question has come: what is asked now, how what came before was answered, and the last verdict."""

    question: DrillQuestion
    marks: tuple[Mark, ...] = ()
    mistakes: int = 0
    """At the moment that is asked now."""
    hints: int = 0
    last: Verdict | None = None

    @property
    def moment(self) -> QuestionPart | None:
        """What is asked now; None when all is answered."""
        at = len(self.marks)
        return self.question.moments[at] if at < len(self.question.moments) else None

    @property
    def all_marks(self) -> tuple[Mark, ...]:
        """Every mark, also of what was answered wrong and then left."""
        moment = self.moment
        if moment is None or not self.mistakes:
            return self.marks
        return (*self.marks, Mark(moment.clauses, False, self.mistakes, self.hints))

    @property
    def scene(self) -> Scene:
        moment = self.moment
        return moment.scene if moment else self.question.close

    def answered(self, text: str) -> QuestionProgress:
        """Return the standing after one more answer; raise ``Unreadable`` if the text is no answer."""
        moment = self.moment
        if moment is None:
            raise Unreadable(phrase("all-answered"))
        if text.strip() == HINT:
            hint = Verdict(False, True, False, None, None, Remark(), moment.clauses)
            return QuestionProgress(self.question, self.marks, self.mistakes, self.hints + 1, hint)
        said = read(moment.ask, text)
        right = said == moment.right
        mistakes = self.mistakes + (not right)
        done = right or mistakes == TRIES
        remark = Remark() if right else moment.remark(said)
        answer = _right_answer(moment) if done else None
        verdict = Verdict(right, False, done, answer, moment.why if done else None, remark, moment.clauses)
        if not done:
            return QuestionProgress(self.question, self.marks, mistakes, self.hints, verdict)
        mark = Mark(moment.clauses, not mistakes and not self.hints, mistakes, self.hints)
        return QuestionProgress(self.question, (*self.marks, mark), last=verdict)


def graded(question: DrillQuestion, answers: Iterable[str]) -> QuestionProgress:
    """Return a question after all these answers."""
    standing = QuestionProgress(question)
    for each in answers:
        standing = standing.answered(each)
    return standing


def _right_answer(moment: QuestionPart) -> Phrase:
    if moment.ask.kind is AnswerKind.CHOICE:
        return next(each.words for each in moment.ask.options if each.key == moment.right)
    value: object = Money(int(moment.right)) if moment.ask.kind is AnswerKind.AMOUNT else moment.right
    return phrase("plainly", what=value)


def cited(book: Rulebook, *provisions: str | None) -> tuple[str, ...]:
    """Return the clauses of this game that make the provisions, each once; the game may have none."""
    found = (book.clause_of(each) for each in provisions if each)
    return tuple(dict.fromkeys(each for each in found if each))
