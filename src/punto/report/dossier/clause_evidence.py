"""Clause by clause: how each is carried out, which tests show it, and where its contrary is refused."""

from __future__ import annotations

from collections.abc import Iterator

from punto.design.clause_words import in_order, questioned
from punto.report.dossier.document import Block, Document, Heading, Paragraph, PrintedTable, say
from punto.report.dossier.foot import foot_of
from punto.report.dossier.origin import origin_of
from punto.rules.clause_trace import refused_in, refused_there, shown_by, shown_there
from punto.rules.game_library import origins_of
from punto.rules.rulebook import CarriedOut, Clause, Rulebook
from punto.texts import Language

_ENGLISH = Language.ENGLISH


def clause_evidence(book: Rulebook) -> Document:
    """Return the trace from clauses to tests; those of borrowed clauses are tests for the approved game."""
    return Document(
        title=say("trace.title", _ENGLISH, game=book.title),
        language=_ENGLISH,
        foot=foot_of(book),
        facts=tuple(_facts(book)),
        blocks=tuple(_blocks(book)),
    )


def _facts(book: Rulebook) -> Iterator[tuple[str, str]]:
    kinds = [clause.carried_out for clause in book.clauses.values()]
    for kind in CarriedOut:
        yield say(f"trace.{kind.value}", _ENGLISH), str(kinds.count(kind))
    base, shared = origins_of(book)
    asked = questioned(book)
    own = [number for number in book.clauses if shown_by(book, number) and number not in asked]
    yield say("trace.tested", _ENGLISH), str(len(own))
    if base:
        there = [number for number in shared if shown_there(book, number) and number not in asked]
        yield say("trace.tested_there", _ENGLISH, game=base.title), str(len(there))
    if asked:
        yield say("trace.asked", _ENGLISH), str(len(asked))


def _blocks(book: Rulebook) -> Iterator[Block]:
    base, shared = origins_of(book)
    yield Paragraph(say("trace.note", _ENGLISH), soft=True)
    clauses = in_order(book.clauses.values())
    if base is None:
        yield _table(book, clauses, "tests")
        return
    yield Paragraph(say("trace.borrowed_note", _ENGLISH, game=base.title))
    if own := [each for each in clauses if each.number not in shared]:
        yield Heading(say("trace.own", _ENGLISH))
        yield _table(book, own, "tests")
    yield Heading(say("trace.borrowed", _ENGLISH, game=base.title))
    yield _table(book, [each for each in clauses if each.number in shared], "tests_there", base.title)


def _table(book: Rulebook, clauses: list[Clause], tests: str, game: str = "") -> PrintedTable:
    asked = questioned(book)
    return PrintedTable(
        tuple(say(f"trace.column.{each}", _ENGLISH, game=game) for each in ("clause", "by", tests, "refused")),
        tuple(_row(book, each, asked) for each in clauses),
        wide=(2, 3),
        small=True,
    )


def _row(book: Rulebook, clause: Clause, asked: frozenset[str]) -> tuple[str, ...]:
    mark = origin_of(book, clause, _ENGLISH)
    number = f"{clause.number} [{mark}]" if mark else clause.number
    if clause.number in asked:
        return number, clause.carried_out.value, say("trace.questioned", _ENGLISH), "–"
    tests, refused = (shown_there, refused_there) if mark else (shown_by, refused_in)
    found = ("; ".join(of(book, clause.number)) or "–" for of in (tests, refused))
    return number, clause.carried_out.value, *found
