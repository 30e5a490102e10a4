"""The certificate of a lesson passed at the dealer school, as texts in one language, and the PDF."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from punto.report.paper.letterhead import HERE, Letterhead, printed
from punto.report.rendering import breakable
from punto.rules.clause_texts import clause_text
from punto.rules.rulebook import Rulebook
from punto.store.events.house_events import LessonGraded
from punto.store.house_settings import HouseSettings
from punto.texts import Language, name_of, text, texts_under


def certificate_pdf(
    lesson: LessonGraded,
    *,
    at: int,
    due: int,
    name: str,
    duty: str,
    settings: HouseSettings,
    games: Mapping[str, Rulebook],
    language: Language,
) -> bytes:
    """Return the certificate of a lesson that was passed; it names every clause that was asked about."""
    texts, paper = texts_under("reports", "certificate", language), Letterhead(settings, language)
    score = text("reports", "certificate.score_is", language, right=lesson.right, asked=lesson.asked)
    book = games.get(lesson.game or "")
    subject = book.title if book else texts["all_games"]
    sheet: dict[str, Any] = paper.head() | {
        "texts": texts,
        "name": breakable(name),
        "duty": name_of("duty", duty, language),
        "facts": [
            [texts["game"], name_of("game", subject, language)],
            [texts["score"], score],
            [texts["passed"], paper.with_zone(at)],
            [texts["due"], paper.minute(due)[:10]],
            [texts["seed"], str(lesson.seed)],
        ],
        "clauses": list(_clauses(lesson, games, language)),
    }
    return printed(HERE / "certificate.typ", sheet)


def _clauses(lesson: LessonGraded, games: Mapping[str, Rulebook], language: Language) -> list[list[str]]:
    found = []
    for each in lesson.clauses:
        game, _, clause = each.partition(" ")
        book = games.get(game)
        if book and clause in book.clauses:
            found.append(
                [name_of("game", book.title, language), clause, breakable(clause_text(book.clauses[clause], language))]
            )
    return found
