"""The Dealer's procedure cards: what can go wrong in this game, and who does what, step by step."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from punto.report.dossier.document import Block, CardOfSteps, Document, Heading, Paragraph, say
from punto.report.dossier.foot import foot_of
from punto.rules.rulebook import Rulebook
from punto.table.procedures import CONFIRMS, Following, Procedure, begun_by, of_game, steps_of
from punto.texts import Language, name_of, text


def procedure_cards(book: Rulebook, language: Language) -> Document:
    """Return a card for each procedure of the game."""
    return Document(
        title=say("procedures.title", language, game=name_of("game", book.title, language)),
        language=language,
        foot=foot_of(book),
        blocks=tuple(_blocks(book, language)),
    )


def _blocks(book: Rulebook, language: Language) -> Iterator[Block]:
    yield Paragraph(say("procedures.note", language), soft=True)
    for group, procedures in groupby(of_game(book), key=lambda each: each.group):
        yield Heading(text("pages", f"irregular.{group}", language))
        for procedure in procedures:
            yield _card(book, procedure, language)


def _card(book: Rulebook, procedure: Procedure, language: Language) -> CardOfSteps:
    about = [say("procedures.begun", language, who=_who(begun_by(book, procedure), language))]
    if clauses := _clauses(book, (procedure.provision, *procedure.also_with), language):
        about.append(clauses)
    if procedure.methods:
        key = "procedures.methods" if len(procedure.methods) == 1 else "procedures.several_methods"
        about.append(say(key, language, methods=procedure.methods))
    if procedure.hlga:
        about.append(say("procedures.hlga", language))
    if procedure.found_by_table:
        about.append(say("procedures.found", language))
    return CardOfSteps(
        title=getattr(procedure.words, language.value),
        about=" · ".join(about),
        steps=tuple(_step(book, step, language) for step in steps_of(book, procedure)),
    )


def _step(book: Rulebook, step: Following, language: Language) -> tuple[str, str]:
    cited = _clauses(book, (step.provision,), language)
    who = _who(step.by, language)
    head = "procedures.step_by" if cited else "procedures.step"
    return say(head, language, who=who, clause=cited), getattr(step.words, language.value)


def _clauses(book: Rulebook, provisions: tuple[str | None, ...], language: Language) -> str:
    found = [clause.number for each in provisions if each for clause in book.clauses_of(each)]
    return say("procedures.clause", language, clauses=tuple(dict.fromkeys(found))) if found else ""


def _who(position: str, language: Language) -> str:
    return say("procedures.confirms", language) if position == CONFIRMS else name_of("duty", position, language)
