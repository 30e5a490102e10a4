"""The rack card: what patrons read before they bet, on one narrow sheet."""

from __future__ import annotations

from collections.abc import Iterator

from punto.report.dossier.document import Block, Document, Heading, Paragraph, PrintedTable, say
from punto.report.dossier.drawing_table import drawing_tables
from punto.report.dossier.foot import foot_of
from punto.report.dossier.pay_lines import line_name, paid
from punto.rules.clause_texts import clause_text
from punto.rules.rulebook import Rulebook
from punto.texts import Language, name_of

_TOLD = ("point-value-pips", "point-value-zero", "point-total-tens", "winning-hand")
"""What a patron has to know of the cards; the rules say it."""
_ENTITLED = ("late-wager", "late-withdrawal", "under-minimum", "over-maximum", "referral")
"""What a patron is asked about most, and is told in the rules' own words."""


def rack_card(book: Rulebook, language: Language) -> Document:
    """Return the rack card of a game."""
    return Document(
        title=name_of("game", book.title, language),
        language=language,
        foot=foot_of(book),
        under=(say("card.how_to_play", language),),
        blocks=tuple(_blocks(book, language)),
        form="card",
    )


def _blocks(book: Rulebook, language: Language) -> Iterator[Block]:
    yield Heading(say("card.pays", language))
    rows = tuple(
        (line_name(wager, line, language), paid(line, language)) for wager in book.wagers for line in wager.lines
    )
    yield PrintedTable((say("card.wager", language), say("pays.pays", language)), rows, right=(1,))
    yield from _clauses(book, "card.cards", _TOLD, language)
    yield Heading(say("play.heading", language))
    yield from drawing_tables(language)
    yield from _clauses(book, "card.know", _ENTITLED, language)


def _clauses(book: Rulebook, heading: str, provisions: tuple[str, ...], language: Language) -> Iterator[Block]:
    """Yield clauses of the rules, as far as the game has them, under a heading."""
    clauses = [clause for each in provisions for clause in book.clauses_of(each)]
    if clauses:
        yield Heading(say(heading, language))
    for clause in clauses:
        words = clause_text(clause, language)
        yield Paragraph(say("card.clause", language, words=words, clause=clause.number))
