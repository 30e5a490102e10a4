"""Learners for the tests: one who always has the right answer, and one who never has."""

from __future__ import annotations

from collections.abc import Callable

from punto.school.question import AnswerKind, DrillQuestion, QuestionPart, QuestionProgress


def typed(moment: QuestionPart, answer: str) -> str:
    """Return an answer as a learner types it."""
    if moment.ask.kind is not AnswerKind.AMOUNT:
        return answer
    return f"{int(answer) // 100}.{int(answer) % 100:02d}"


def right(moment: QuestionPart) -> str:
    return typed(moment, moment.right)


def wrong(moment: QuestionPart) -> str:
    """Some answer that is not the right one."""
    match moment.ask.kind:
        case AnswerKind.CHOICE:
            return next(each.key for each in moment.ask.options if each.key != moment.right)
        case AnswerKind.TOTAL:
            return str((int(moment.right) + 1) % 10)
        case AnswerKind.AMOUNT:
            return typed(moment, str(int(moment.right) + 1))


def taken(question: DrillQuestion, answer: Callable[[QuestionPart], str]) -> QuestionProgress:
    """A question answered to its end."""
    standing = QuestionProgress(question)
    while standing.moment:
        standing = standing.answered(answer(standing.moment))
    return standing
