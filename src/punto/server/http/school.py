"""Requests of the dealer school. The server keeps nothing of a lesson: a question follows from its seed and number, and
whoever answers sends all he has answered so far, so that grading it is doing the question over."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Request, Response
from msgspec import Meta, Struct, convert
from msgspec.structs import replace

from punto import __version__
from punto.cards import Card
from punto.report.replay import ClauseCited
from punto.rules.rulebook import Rulebook
from punto.rules.table_of_play import Hand
from punto.school.chips import RACK, Stack, in_chips
from punto.school.lesson import Plan, subjects
from punto.school.question import (
    LONGEST_ANSWER,
    AnswerKind,
    Ask,
    Drill,
    Question,
    Standing,
    Unreadable,
    Verdict,
    graded,
)
from punto.school.score_sheet import PASS_MARK, Done, Sheet, as_json
from punto.server.gateway import Desk, Refused
from punto.server.http.answers import AtDesk, answered, read
from punto.server.http.house import slowly
from punto.server.http.openapi import gives, takes
from punto.server.rate_limit import Allowances
from punto.server.realtime.messages import RefusedMessage, refused
from punto.table.views import PublicView, public
from punto.texts import Language

MOST_IN_A_LESSON = 20
_KEPT = 128
"""Questions that are likely to be asked for again, for the next answer to them."""

T = TypeVar("T")
Seed = Annotated[int, Meta(ge=0, le=999_999_999)]
Number = Annotated[int, Meta(ge=0, lt=MOST_IN_A_LESSON)]
Answers = Annotated[tuple[Annotated[str, Meta(max_length=LONGEST_ANSWER)], ...], Meta(max_length=32)]
Times = Annotated[tuple[Annotated[int, Meta(ge=0, le=86_400_000)], ...], Meta(max_length=16)]


@dataclass(slots=True)
class Schoolroom:
    """How much anybody may ask in a short time, and the one thread in which questions are made beside the tables."""

    asked: Allowances = field(default_factory=lambda: Allowances(60, 8))
    thread: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "school"))

    async def aside(self, work: Callable[[], T]) -> T:
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
    """What can be practised, and when a lesson is passed: so many in a hundred right at the first try."""

    games: tuple[GameTaught, ...]
    pass_mark: int
    most_questions: int
    rack: tuple[int, ...]
    """The chips there are, in cents."""


class QuestionAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """Which question of which lesson, and what has been answered to it so far. ``?`` as an answer asks for the rule."""

    seed: Seed
    number: Number
    game: str | None = None
    """None: all games take turns."""
    drill: Drill | None = None
    answers: Answers = ()
    language: Language = Language.ENGLISH


class AnswersGiven(Struct, frozen=True, forbid_unknown_fields=True):
    """All that was answered to one question, and how long each thing asked took, in milliseconds."""

    number: Number
    answers: Answers
    milliseconds: Times = ()


class LessonDone(Struct, frozen=True, forbid_unknown_fields=True):
    """A lesson to be graded."""

    seed: Seed
    done: Annotated[tuple[AnswersGiven, ...], Meta(max_length=MOST_IN_A_LESSON)]
    game: str | None = None
    drill: Drill | None = None


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
    """What is said to the last answer."""

    right: bool
    hint: bool
    told: bool
    """Whether the right answer is told now."""
    answer: str | None
    why: str | None
    remark: str | None
    refused: RefusedMessage | None
    """What the practice table said to it, if it refused it."""
    clauses: tuple[ClauseCited, ...]
    """None of them: it is left to the house."""


class WagerSeen(Struct, frozen=True):
    """A wager on the layout, in chips."""

    patron: str
    position: int
    wager: str
    amount: int
    chips: tuple[Stack, ...]


class QuestionShown(Struct, frozen=True):
    """A question as far as it has come. What is right is in it only once it has been answered."""

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
    """Of everything answered, whether it was right at the first try."""
    unreadable: str | None = None
    """Why the last answer could not be read: it does not count."""


class TallyShown(Struct, frozen=True):
    """So much was asked, and answered so."""

    asked: int
    right_first_time: int
    mistakes: int
    hints: int
    seconds: float
    score: str | None


class DrillTally(TallyShown, frozen=True):
    """The figures of one drill of one game."""

    game: str
    drill: Drill


class ClauseTally(TallyShown, frozen=True):
    """The figures of what rests on one clause; None for what is left to the house."""

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


school = APIRouter(prefix="/api/school", tags=["school"])
"""Practising; for everybody, signed in or not."""


@school.get("", responses=gives(SchoolShown))
async def show_school(desk: AtDesk) -> Response:
    """What can be practised here."""
    games = tuple(GameTaught(book.key, book.title, _drills(book)) for book in _books(desk, None))
    return answered(SchoolShown(games, int(PASS_MARK * 100), MOST_IN_A_LESSON, tuple(reversed(RACK))))


def _drills(book: Rulebook) -> tuple[DrillShown, ...]:
    counts = {drill: sum(map(len, set(subjects(book, drill)))) for drill in Drill}
    return tuple(DrillShown(drill, count) for drill, count in counts.items() if count)


@school.post("/question", responses=gives(QuestionShown), openapi_extra=takes(QuestionAsked))
async def ask(desk: AtDesk, request: Request) -> Response:
    """A question, with the last answer to it graded and what is asked next."""
    asked = await read(request, QuestionAsked)
    plan = _plan(desk, asked.game, asked.drill, asked.seed)
    return answered(await _room(desk, request).aside(partial(_shown, plan, asked)))


@school.post("/sheet", responses=gives(SheetShown), openapi_extra=takes(LessonDone))
async def grade(desk: AtDesk, request: Request) -> Response:
    """The score sheet of all that was answered in a lesson."""
    lesson = await read(request, LessonDone)
    plan = _plan(desk, lesson.game, lesson.drill, lesson.seed)
    return answered(await _room(desk, request).aside(partial(_sheet, plan, lesson)))


def _room(desk: Desk, request: Request) -> Schoolroom:
    room: Schoolroom = request.app.state.school
    slowly(room.asked, request, desk)
    return room


def _books(desk: Desk, game: str | None) -> tuple[Rulebook, ...]:
    """The games that can be practised: those with a layout to practise on."""
    books = desk.floor.games.values() if game is None else [desk.floor.games.get(game)]
    return tuple(book for book in books if book is not None and book.layouts)


def _plan(desk: Desk, game: str | None, drill: Drill | None, seed: int) -> Plan:
    plan = Plan(_books(desk, game), (drill,) if drill else tuple(Drill), seed)
    if not plan.turns:
        raise Refused("not-found")
    return plan


@lru_cache(maxsize=_KEPT)
def _question(plan: Plan, number: int) -> Question:
    return plan.question(number)


def _shown(plan: Plan, asked: QuestionAsked) -> QuestionShown:
    """The question after all answers; the last one may be none, and then what it was is said."""
    question, language = _question(plan, asked.number), asked.language
    standing, unreadable = Standing(question), None
    for at, each in enumerate(asked.answers):
        try:
            standing = standing.answered(each)
        except Unreadable as error:
            if at < len(asked.answers) - 1:
                raise Refused("bad-message", why=f"answers.{at}: {error}") from None
            unreadable = error.words.text(language)
    scene, moment = standing.scene, standing.moment
    return QuestionShown(
        game=question.book.key,
        title=question.book.title,
        drill=question.drill,
        told=tuple(each.text(language) for each in scene.told),
        hands=scene.hands,
        wagers=tuple(WagerSeen(w.patron, w.position, w.wager, w.amount, in_chips(w.amount)) for w in scene.wagers),
        # Whoever knew which practice shoe it is could work out its cards.
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
        clauses=tuple(ClauseCited(each, book.clauses[each].text) for each in verdict.clauses),
    )


def _sheet(plan: Plan, lesson: LessonDone) -> SheetShown:
    try:
        done = [Done(graded(_question(plan, each.number), each.answers), each.milliseconds) for each in lesson.done]
    except Unreadable as error:
        raise Refused("bad-message", why=str(error)) from None
    if len({each.number for each in lesson.done}) < len(done):
        raise Refused("bad-message", why="a question is answered twice")
    content: dict[str, Any] = as_json(Sheet(plan, f"punto {__version__}", tuple(done)))
    return convert(content, SheetShown)
