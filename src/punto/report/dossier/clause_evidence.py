"""Clause by clause: how each is carried out, which tests show it, and where its contrary is refused."""

from __future__ import annotations

from punto.design.clause_words import in_order
from punto.report.dossier.document import Document, Paragraph, PrintedTable, say
from punto.report.dossier.foot import foot_of
from punto.report.dossier.origin import evidence_for, origin_of
from punto.rules.rulebook import CarriedOut, Clause, Rulebook
from punto.texts import Language

_ENGLISH = Language.ENGLISH


def clause_evidence(book: Rulebook) -> Document:
    """Return the trace from clauses to tests."""
    clauses = in_order(book.clauses.values())
    kinds = [clause.carried_out for clause in clauses]
    return Document(
        title=say("trace.title", _ENGLISH, game=book.title),
        language=_ENGLISH,
        foot=foot_of(book),
        facts=(
            *((say(f"trace.{kind.value}", _ENGLISH), str(kinds.count(kind))) for kind in CarriedOut),
            (say("trace.tested", _ENGLISH), str(sum(bool(evidence_for(book, each)[0]) for each in clauses))),
        ),
        blocks=(
            Paragraph(say("trace.note", _ENGLISH), soft=True),
            PrintedTable(
                tuple(say(f"trace.column.{each}", _ENGLISH) for each in ("clause", "by", "tests", "refused")),
                tuple(_row(book, each) for each in clauses),
                wide=(2, 3),
                small=True,
            ),
        ),
    )


def _row(book: Rulebook, clause: Clause) -> tuple[str, ...]:
    tests, refused = evidence_for(book, clause)
    number = f"{clause.number} [{mark}]" if (mark := origin_of(book, clause, _ENGLISH)) else clause.number
    return number, clause.carried_out.value, "; ".join(tests) or "–", "; ".join(refused) or "–"
