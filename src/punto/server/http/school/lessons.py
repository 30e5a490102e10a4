"""The dealer school.

The server keeps nothing of a lesson: a question follows from its seed and number, and the client sends all answers so
far, so that grading repeats the question.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Annotated, Any, TypeVar

from msgspec import Meta, Struct, convert
from msgspec.structs import replace
from starlette.requests import Request

from punto import __version__
from punto.cards import Card
from punto.report.replay import ClauseCited
from punto.rules.clause_texts import clause_text
from punto.rules.rulebook import Rulebook
from punto.rules.table_of_play import Hand
from punto.school.chip_rack import RACK, Stack, in_chips
from punto.school.lesson import Plan, subjects
from punto.school.question import (
    LONGEST_ANSWER,
    OF_GAMES,
    AnswerKind,
    Ask,
    Drill,
    DrillQuestion,
    QuestionProgress,
    Unreadable,
    Verdict,
    graded,
)
from punto.school.score_sheet import PASS_MARK, AnsweredQuestion, Sheet, as_json
from punto.server.access.identity import Duty, Person
from punto.server.gateway import Gateway
from punto.server.http.school.house_cases import HouseCases, house_plan
from punto.server.http.school.results import keep_lesson
from punto.server.realtime.messages import RefusedMessage, refused
from punto.server.refused import Refused
from punto.server.routing.guard import throttle
from punto.server.routing.routes import Routes
from punto.server.running.rate_limit import TokenBuckets
from punto.store.events.house_events import LessonGraded
from punto.table.views import PublicView, public
from punto.texts import Language

MOST_IN_A_LESSON = 20
_KEPT = 128
"""Questions kept in the cache, for the next answer to them."""

T = TypeVar("T")
Time = Annotated[int, Meta(ge=0, lt=2**53)]
Seed = Annotated[int, Meta(ge=0, le=999_999_999)]
Number = Annotated[int, Meta(ge=0, lt=MOST_IN_A_LESSON)]
Answers = Annotated[tuple[Annotated[str, Meta(max_length=LONGEST_ANSWER)], ...], Meta(max_length=32)]
Times = Annotated[tuple[Annotated[int, Meta(ge=0, le=86_400_000)], ...], Meta(max_length=16)]


@dataclass(slots=True)
class Schoolroom:
    """How much one address may ask, and the background thread in which questions are made."""

    asked: TokenBuckets = field(default_factory=lambda: TokenBuckets(60, 8))
    thread: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "school"))

    async def run(self, work: Callable[[], T]) -> T:
        """Run work in the background thread."""
        return await asyncio.get_running_loop().run_in_executor(self.thread, work)


class DrillShown(Struct, frozen=True):
    """A drill, and how many subjects it has in a game."""

    drill: Drill
    subjects: int


class GameTaught(Struct, frozen=True):
    """A game that can be practised."""

    game: str
    title: str
    drills: tuple[DrillShown, ...]


class SchoolShown(Struct, frozen=True):
    """What can be practised, and the pass mark: the percentage right at the first try."""

    games: tuple[GameTaught, ...]
    pass_mark: int
    most_questions: int
    rack: tuple[int, ...]
    """The chips there are, in cents."""


class QuestionAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """Which question of which lesson, and all answers to it so far. ``?`` as an answer asks for the rule."""

    seed: Seed
    number: Number
    game: str | None = None
    """None: all games take turns."""
    drill: Drill | None = None
    answers: Answers = ()
    language: Language = Language.ENGLISH
    begun: Time | None = None
    """When the lesson began: what happened at the tables after that is not asked in it."""


class AnswersGiven(Struct, frozen=True, forbid_unknown_fields=True):
    """All answers to one question, and how long each took, in milliseconds."""

    number: Number
    answers: Answers
    milliseconds: Times = ()


class LessonDone(Struct, frozen=True, forbid_unknown_fields=True):
    """A lesson to be graded."""

    seed: Seed
    done: Annotated[tuple[AnswersGiven, ...], Meta(max_length=MOST_IN_A_LESSON)]
    game: str | None = None
    drill: Drill | None = None
    begun: Time | None = None


class OptionShown(Struct, frozen=True):
    """One of several answers."""

    key: str
    words: str


class AnswerWanted(Struct, frozen=True):
    """What is asked."""

    words: str
    kind: AnswerKind
    options: tuple[OptionShown, ...]


class VerdictShown(Struct, frozen=True):
    """The verdict on the last answer."""

    right: bool
    hint: bool
    told: bool
    """Whether the right answer is shown now."""
    answer: str | None
    why: str | None
    remark: str | None
    refused: RefusedMessage | None
    """The practice table's refusal, if it refused the answer."""
    clauses: tuple[ClauseCited, ...]
    """Empty where it is left to the house."""


class WagerSeen(Struct, frozen=True):
    """A wager on the layout, in chips."""

    patron: str
    position: int
    wager: str
    amount: int
    chips: tuple[Stack, ...]


class QuestionShown(Struct, frozen=True):
    """A question as far as it has come. It holds the right answer only once that has been given."""

    game: str
    title: str
    drill: Drill
    told: tuple[str, ...]
    hands: Mapping[Hand, tuple[Card | None, ...]]
    wagers: tuple[WagerSeen, ...]
    table: PublicView | None
    """The practice table, where there is one."""
    ask: AnswerWanted | None
    """None when all is answered."""
    verdict: VerdictShown | None
    first: tuple[bool, ...]
    """For each part answered, whether it was right at the first try."""
    unreadable: str | None = None
    """Why the last answer could not be read; it does not count."""


class TallyShown(Struct, frozen=True):
    """Counts of what was asked, and how it was answered."""

    asked: int
    right_first_time: int
    mistakes: int
    hints: int
    seconds: float
    score: str | None


class DrillTally(TallyShown, frozen=True):
    """The counts of one drill of one game."""

    game: str
    drill: Drill


class ClauseTally(TallyShown, frozen=True):
    """The counts of what rests on one clause; None for what is left to the house."""

    game: str
    clause: str | None
    text: str | None
    provision: str | None


class GameGraded(Struct, frozen=True):
    """The rules by which a lesson was graded."""

    game: str
    version: str | None
    digest: str


class SheetShown(Struct, frozen=True):
    """The score sheet of a lesson."""

    software: str
    seed: int
    games: tuple[GameGraded, ...]
    drills: tuple[Drill, ...]
    questions: int
    pass_mark: str
    passed: bool
    total: TallyShown
    by_drill: tuple[DrillTally, ...]
    by_clause: tuple[ClauseTally, ...]


routes = Routes("/api/school", "school")


@routes.get("")
async def show_school(gateway: Gateway, cases: HouseCases, person: Person | None) -> SchoolShown:
    """Return what can be practised here; members of the house also practise what went wrong at its tables."""
    games = tuple([await _taught(gateway, cases, person, book) for book in _books(gateway, None)])
    return SchoolShown(games, int(PASS_MARK * 100), MOST_IN_A_LESSON, tuple(reversed(RACK)))


async def _taught(gateway: Gateway, cases: HouseCases, person: Person | None, book: Rulebook) -> GameTaught:
    own = await cases.count(gateway, book) if _is_staff(person) else 0
    of_house = (DrillShown(Drill.HOUSE, own),) if own else ()
    return GameTaught(book.key, book.title, (*_drills(book), *of_house))


def _is_staff(person: Person | None) -> bool:
    return person is not None and person.duty.role is not None and person.duty is not Duty.PATRON


def _drills(book: Rulebook) -> tuple[DrillShown, ...]:
    counts = {drill: sum(map(len, set(subjects(book, drill)))) for drill in OF_GAMES}
    return tuple(DrillShown(drill, count) for drill, count in counts.items() if count)


@routes.post("/question")
async def ask_question(
    gateway: Gateway,
    room: Schoolroom,
    cases: HouseCases,
    request: Request,
    person: Person | None,
    body: QuestionAsked,
) -> QuestionShown:
    """Return a question, with the last answer to it graded and what is asked next."""
    throttle(room.asked, request)
    plan = await _plan(gateway, cases, person, body)
    return await room.run(partial(_shown, plan, body))


@routes.post("/sheet")
async def grade_lesson(
    gateway: Gateway,
    room: Schoolroom,
    cases: HouseCases,
    request: Request,
    person: Person | None,
    body: LessonDone,
) -> SheetShown:
    """Return the score sheet of a lesson; the result of a member of the house is kept."""
    throttle(room.asked, request)
    plan = await _plan(gateway, cases, person, body)
    sheet = await room.run(partial(_sheet, plan, body))
    if person and _is_staff(person):
        await keep_lesson(gateway, person, _result(person, body, sheet))
    return sheet


def _result(person: Person, lesson: LessonDone, sheet: SheetShown) -> LessonGraded:
    clauses = tuple(f"{each.game} {each.clause}" for each in sheet.by_clause if each.clause)
    drill = lesson.drill.value if lesson.drill else None
    total = sheet.total
    return LessonGraded(
        person.id, lesson.game, drill, lesson.seed, total.asked, total.right_first_time, sheet.passed, clauses
    )


def _books(gateway: Gateway, game: str | None) -> tuple[Rulebook, ...]:
    """Return the games that can be practised: those with a layout."""
    books = gateway.floor.games.values() if game is None else [gateway.floor.games.get(game)]
    return tuple(book for book in books if book is not None and book.layouts)


async def _plan(gateway: Gateway, cases: HouseCases, person: Person | None, lesson: QuestionAsked | LessonDone) -> Plan:
    books = _books(gateway, lesson.game)
    if lesson.drill is Drill.HOUSE:
        if not _is_staff(person):
            raise Refused("not-permitted", duty=person.duty.value) if person else Refused("not-signed-in")
        return await house_plan(gateway, cases, books, lesson.seed, lesson.begun)
    plan = Plan(books, (lesson.drill,) if lesson.drill else OF_GAMES, lesson.seed)
    if not plan.turns:
        raise Refused("not-found")
    return plan


@lru_cache(maxsize=_KEPT)
def _question(plan: Plan, number: int) -> DrillQuestion:
    return plan.question(number)


def _shown(plan: Plan, asked: QuestionAsked) -> QuestionShown:
    """Return the question after all answers; if the last one cannot be read, say why."""
    question, language = _question(plan, asked.number), asked.language
    standing, unreadable = QuestionProgress(question), None
    for at, each in enumerate(asked.answers):
        try:
            standing = standing.answered(each)
        except Unreadable as error:
            if at < len(asked.answers) - 1:
                raise Refused("bad-message", case="answer", question=asked.number, answer=at) from None
            unreadable = error.words.text(language)
    scene, moment = standing.scene, standing.moment
    return QuestionShown(
        game=question.book.key,
        title=question.book.title,
        drill=question.drill,
        told=tuple(each.text(language) for each in scene.told),
        hands=scene.hands,
        wagers=tuple(WagerSeen(w.patron, w.position, w.wager, w.amount, in_chips(w.amount)) for w in scene.wagers),
        # The name of the practice shoe would give away its cards.
        table=replace(public(scene.table), shoe=None) if scene.table else None,
        ask=_ask(moment.ask, language) if moment else None,
        verdict=_verdict(standing.last, question.book, language) if standing.last else None,
        first=tuple(mark.first for mark in standing.marks),
        unreadable=unreadable,
    )


def _ask(ask: Ask, language: Language) -> AnswerWanted:
    options = tuple(OptionShown(each.key, each.words.text(language)) for each in ask.options)
    return AnswerWanted(ask.words.text(language), ask.kind, options)


def _verdict(verdict: Verdict, book: Rulebook, language: Language) -> VerdictShown:
    words, refusal = verdict.remark.words, verdict.remark.refusal
    return VerdictShown(
        right=verdict.right,
        hint=verdict.hint,
        told=verdict.told,
        answer=verdict.answer.text(language) if verdict.answer else None,
        why=verdict.why.text(language) if verdict.why else None,
        remark=words.text(language) if words else None,
        refused=refused(refusal, book) if refusal else None,
        clauses=tuple(ClauseCited(each, clause_text(book.clauses[each], language)) for each in verdict.clauses),
    )


def _sheet(plan: Plan, lesson: LessonDone) -> SheetShown:
    if len({each.number for each in lesson.done}) < len(lesson.done):
        raise Refused("bad-message", case="answered-twice")
    done = tuple(_done(plan, each) for each in lesson.done)
    content: dict[str, Any] = as_json(Sheet(plan, f"punto {__version__}", done))
    return convert(content, SheetShown)


def _done(plan: Plan, given: AnswersGiven) -> AnsweredQuestion:
    try:
        return AnsweredQuestion(graded(_question(plan, given.number), given.answers), given.milliseconds)
    except Unreadable:
        raise Refused("bad-message", case="answer", question=given.number, answer=len(given.answers) - 1) from None
