"""The rules of a game as a document in the form that regulators approve: chapters, clauses, tables, appendices.

Every clause of the game's file stands in it once. The Table of Play and the pay tables are not written anywhere: they
are made from the code that deals and from the lines that settle.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime

from punto.design.clause_words import in_order, stated_by
from punto.formatting import hour_of
from punto.report.dossier.document import (
    Block,
    Document,
    Heading,
    NumberedClause,
    Paragraph,
    Picture,
    PrintedTable,
    say,
)
from punto.report.dossier.drawing_table import drawing_tables
from punto.report.dossier.foot import foot_of
from punto.report.dossier.layout_drawing import layout_svg, plan_told, positions_told
from punto.report.dossier.origin import origin_of, own_and_borrowed
from punto.report.dossier.pay_lines import pay_grid
from punto.rules.clause_texts import clause_text
from punto.rules.game_library import APPROVED
from punto.rules.provisions import PROVISIONS
from punto.rules.readings import readings_in_force
from punto.rules.rulebook import Clause, Layout, Rulebook
from punto.texts import Language, name_of

_TABLE_OF_PLAY = "table-of-play"
_DRAWING = {_TABLE_OF_PLAY, "natural-ends-deal", "player-draws", "banker-after-stand", "banker-after-draw"}


def rules_document(book: Rulebook, language: Language) -> Document:
    """Return the rules of a game in one language."""
    chapters = chapters_of(book)
    titles = chapter_titles(chapters, language)
    appendices = [say("rules.appendices", language)] if book.layouts else []
    readings = [say("rules.readings", language)] if readings_in_force(book) else []
    return Document(
        title=name_of("game", book.title, language),
        language=language,
        foot=foot_of(book),
        under=tuple(_under(book, language)),
        blocks=tuple(_blocks(book, chapters, titles, language)),
        contents=(*titles, *appendices, *readings),
        form="rules",
    )


def chapters_of(book: Rulebook) -> dict[str, list[Clause]]:
    """Return the clauses by chapter, which is the first part of their numbers."""
    chapters: dict[str, list[Clause]] = {}
    for clause in in_order(book.clauses.values()):
        chapters.setdefault(clause.number.partition(".")[0], []).append(clause)
    return chapters


def chapter_titles(chapters: Mapping[str, list[Clause]], language: Language) -> list[str]:
    """Return what each chapter is called: as the chapter that most of its provisions belong to.

    A game that borrows writes its own chapter behind the others; it adds to one that is there already.
    """
    titles: dict[str, str] = {}
    for number, clauses in chapters.items():
        (chapter, _), *_ = Counter(PROVISIONS[clause.provision].chapter for clause in clauses).most_common(1)
        name = say(f"chapter.{chapter}", language)
        titles[number] = say("chapter.additional", language) if name in titles.values() else name
    return [f"{number}. {name}" for number, name in titles.items()]


def _under(book: Rulebook, language: Language) -> Iterator[str]:
    yield say("rules.game_rules", language)
    if book.version:
        yield say("rules.version", language, version=book.version)
    if book.effective:
        yield say("rules.effective", language, date=dated(book, language))
    if book.key in APPROVED:
        yield say("rules.approved", language)
    else:
        yield say("rules.proposed", language)
        yield own_and_borrowed(book, language)


def dated(book: Rulebook, language: Language) -> str:
    """Return the day, and the hour where the rules name one, from which a game is in force."""
    assert book.effective
    day = say(
        "rules.date",
        language,
        day=book.effective.day,
        month=say(f"month.{book.effective.month}", language),
        year=book.effective.year,
    )
    if not isinstance(book.effective, datetime):
        return day
    return say("rules.date_hour", language, day=day, hour=hour_of(book.effective))


def _blocks(
    book: Rulebook, chapters: dict[str, list[Clause]], titles: list[str], language: Language
) -> Iterator[Block]:
    marked = _readings_of_clauses(book)
    for title, clauses in zip(titles, chapters.values(), strict=True):
        yield Heading(title)
        for clause in clauses:
            words = clause_text(clause, language)
            mark = origin_of(book, clause, language)
            yield NumberedClause(clause.number, words, mark, marked.get(clause.number, ()))
            if clause is _drawing_clause(book):
                yield Heading(say("play.heading", language), level=3)
                yield from drawing_tables(language)
            if stated := stated_by(book, clause.number):
                yield pay_grid(stated, language)
    if _drawing_clause(book) is None:
        yield Heading(say("play.heading", language))
        yield from drawing_tables(language)
    if book.layouts:
        yield Heading(say("rules.appendices", language))
        for layout in book.layouts:
            yield from _appendix(book, layout, language)
    yield from _readings(book, language)


def _drawing_clause(book: Rulebook) -> Clause | None:
    """Return the clause that the Table of Play follows: the last of those that state it."""
    stated = [clause for clause in in_order(book.clauses.values()) if clause.provision in _DRAWING]
    return stated[-1] if stated else None


def _appendix(book: Rulebook, layout: Layout, language: Language) -> Iterator[Block]:
    chinese = [say("rules.same_meaning", language)] if Language.CHINESE in layout.languages else []
    yield Picture(
        title=name_of("layout", layout.name, language),
        words=(positions_told(layout, language), *chinese),
        svg=layout_svg(book, layout),
        caption=say("rules.drawn", language, clause=layout.clause, plan=plan_told(book, language)),
    )


def _readings_of_clauses(book: Rulebook) -> dict[str, tuple[str, ...]]:
    """Return the readings that bear on each clause, as the table of readings lists them."""
    found: dict[str, tuple[str, ...]] = {}
    for each in readings_in_force(book):
        for number in each.clauses(book):
            found[number] = (*found.get(number, ()), f"R{each.number}")
    return found


def _readings(book: Rulebook, language: Language) -> Iterator[Block]:
    """Yield the readings whose numbers stand behind clauses; they are kept in English."""
    found = readings_in_force(book)
    if not found:
        return
    yield Heading(say("rules.readings", language))
    yield Paragraph(say("rules.readings_note", language), soft=True)
    if language is Language.ENGLISH:
        rows = tuple((f"R{each.number}", each.unclear, each.reading, ", ".join(each.clauses(book))) for each in found)
        columns = ("", *(say(f"rules.{each}", language) for each in ("unclear", "read_as", "clauses")))
        yield PrintedTable(columns, rows, wide=(1, 2), small=True)
