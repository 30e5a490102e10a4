"""What a person who approves a game should look at: findings about its odds, its words and the dossier itself."""

from __future__ import annotations

from collections.abc import Iterator

from punto.cards import DECK
from punto.design import check
from punto.odds import Odds
from punto.report.dossier.document import Block, Document, Paragraph, PrintedTable, say
from punto.report.dossier.example_coups import example_coups
from punto.report.dossier.foot import foot_of
from punto.report.dossier.simulated_rounds import MOST_Z, furthest
from punto.rules.rulebook import Rulebook
from punto.simulate.result import Simulation
from punto.texts import Language

_ENGLISH = Language.ENGLISH
FoundMatter = tuple[str, str]
"""What a finding is about, and the finding."""


def found_matters(found: Odds, dealt: Simulation) -> tuple[FoundMatter, ...]:
    """Return all findings; none is a reason to refuse a game, each is one to ask."""
    return (*game_matters(found.book, found.cards // len(DECK)), *_evidence(found), *_simulation(dealt, found))


def checks_document(found: Odds, matters: tuple[FoundMatter, ...]) -> Document:
    """Return the findings on paper."""
    return Document(
        title=say("checks.title", _ENGLISH, game=found.book.title),
        language=_ENGLISH,
        foot=foot_of(found.book),
        blocks=tuple(_blocks(matters)),
    )


def _blocks(matters: tuple[FoundMatter, ...]) -> Iterator[Block]:
    yield Paragraph(say("checks.note", _ENGLISH), soft=True)
    if matters:
        columns = (say("checks.about", _ENGLISH), say("checks.finding", _ENGLISH))
        yield PrintedTable(columns, matters, wide=(1,))
    else:
        yield Paragraph(say("checks.none", _ENGLISH))


def game_matters(book: Rulebook, decks: int | None = None) -> Iterator[FoundMatter]:
    """Yield the findings of ``punto check``, each with the wager or the clauses that it is about."""
    for each in check(book, book.shoe(book.usual_decks if decks is None else decks)):
        yield each.wager or ", ".join(each.clauses) or book.title, each.sentence()


def _evidence(found: Odds) -> Iterator[FoundMatter]:
    shown = example_coups(found.book)
    for wager in found.book.wagers:
        for line in wager.outcomes:
            if (wager.name, line.outcome) not in shown:
                yield wager.name, say("evidence.missing", _ENGLISH, outcome=line.outcome)


def _simulation(dealt: Simulation, found: Odds) -> Iterator[FoundMatter]:
    if (z := furthest(dealt, found)) > MOST_Z:
        yield say("checks.simulation", _ENGLISH), say("checks.far", _ENGLISH, z=f"{z:.1f}", most=f"{MOST_Z:g}")
