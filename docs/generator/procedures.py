"""Two generated pages: procedures for irregularities by clause, and the readings."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from generator.games import clause_link
from generator.markdown import page, table
from punto import APPROVED, Rulebook, load
from punto.cli.study.rules import in_figures
from punto.rules.readings import Reading, readings
from punto.table.procedures import ANYWHERE, CONFIRMS, Following, Procedure, of_game, procedures, steps_of
from punto.table.settings import Device

GROUPS = {
    "wagers": "Wagers",
    "cards": "Drawing and dealing",
    "handling": "Cards in patrons' hands",
    "device": "The dealing device",
    "void": "What voids a round",
    "other": "Everything else",
}


def pages() -> Iterator[tuple[str, str]]:
    """Yield the address of each page under docs, and its text."""
    books = [load(key) for key in APPROVED]
    yield "procedures.md", _procedures(books)
    yield "readings.md", _readings(books)


def _procedures(books: list[Rulebook]) -> str:
    parts = []
    for group, members in groupby(procedures(), key=lambda each: each.group):
        parts += [f"## {GROUPS[group]}", *(_procedure(each, books) for each in members)]
    return page(
        "# Procedures by clause",
        "What can go wrong at a table, and what is then done: by which position, and by which clause of each game. The "
        "Dealer's page walks through the same list. A game that has no clause for a step does not have the step. Where "
        "a table must continue anyway, the position that the house has chosen decides, and no clause is cited "
        "([reading R22](readings.md#r22)). A higher position may do what a lower one may ([R5](readings.md#r5)). "
        "What a patron answers or does comes from the patron's own device, or staff record it on the patron's behalf.",
        *parts,
    )


def _procedure(procedure: Procedure, books: list[Rulebook]) -> str:
    having = [book for book in books if procedure in of_game(book)]
    begins = "The table finds it when betting is closed." if procedure.found_by_table else "It is reported."
    rows = [(begins, _by(procedure.by), *(_clause(book, procedure.provision) for book in having))]
    for step in procedure.steps:
        cells = [_cell(book, procedure, step) for book in having]
        rows.append((step.words.en, _by(step.by), *cells))
    without = " and ".join(book.title for book in books if book not in having)
    return page(
        f"### {procedure.words.en} {{ #{procedure.key} }}",
        '<div class="procedure" markdown>',
        table(("what is done", "by", *map(_short, having)), rows),
        "</div>",
        _where(procedure),
        f"Command: [`{procedure.command}`](api/commands.md#{procedure.command.lower()}).",
        f"No rule for it in {without}." if without else "",
    )


def _short(book: Rulebook) -> str:
    """Return the game's title without the word that all titles share."""
    return book.title.removesuffix(" Baccarat")


def _by(position: str) -> str:
    return "chosen by the house" if position == CONFIRMS else position


def _clause(book: Rulebook, provision: str | None) -> str:
    number = book.clause_of(provision) if provision else None
    return clause_link(number, book) if number else "no clause"


def _cell(book: Rulebook, procedure: Procedure, step: Following) -> str:
    """Cite the clause of a step in this game: its own, or that of the whole procedure."""
    found = next((each for each in steps_of(book, procedure) if each.words == step.words), None)
    if found is None:
        return "–"
    return "house decides" if found.by != step.by else _clause(book, step.provision or procedure.provision)


def _where(procedure: Procedure) -> str:
    told = []
    if procedure.phases != ANYWHERE:
        told.append(f"in phase {_listed(procedure.phases)} of the round")
    if procedure.devices != tuple(Device):
        told.append(f"with a {_listed(procedure.devices)} device")
    if procedure.methods:
        told.append(f"under Method {_listed(procedure.methods)}")
    if procedure.hlga:
        told.append("in the HLGA")
    return f"It can happen {'; '.join(told)}." if told else ""


def _listed(words: tuple[str, ...]) -> str:
    *most, last = map(str, words)
    return f"{', '.join(most)} or {last}" if most else last


def _readings(books: list[Rulebook]) -> str:
    return page(
        "# Readings",
        "Where a document is unclear, Punto takes one reading, numbers it and says why. `punto readings` prints them. "
        "A reading keeps its number; a number that is missing was never used.",
        *(_reading(each, books) for each in readings()),
    )


def _reading(reading: Reading, books: list[Rulebook]) -> str:
    cited = "; ".join(
        f"{book.title} {', '.join(clause_link(each, book) for each in reading.clauses(book))}"
        for book in books
        if reading.clauses(book)
    )
    return page(
        f"## R{reading.number}",
        f"*{reading.unclear}*",
        f"**{reading.reading}** {reading.why}",
        in_figures(reading.number) or "",
        cited,
    )
