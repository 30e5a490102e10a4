"""A page for each game and one that compares them: wagers, ratios, exact house edges, restated clauses."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache

from generator.markdown import page, table
from punto import APPROVED, Rulebook, load, odds
from punto.cli.study.rules import heading
from punto.report.rendering import fraction, pays_or_push, percent
from punto.rules.clause_trace import refused_in, shown_by
from punto.rules.readings import readings_in_force
from punto.rules.rulebook import Wager


def pages() -> Iterator[tuple[str, str]]:
    """Yield the address of each page under docs, and its text."""
    books = [load(key) for key in APPROVED]
    yield "games/index.md", _index(books)
    for book in books:
        yield f"games/{book.key}.md", _game(book)


@cache
def edges(book: Rulebook, decks: int | None = None) -> dict[str, Fraction]:
    """Return the exact house edge of every wager from a full shoe."""
    found = odds(book, book.usual_decks if decks is None else decks)
    return {wager.name: found[wager.name].house_edge for wager in book.wagers}


def house_edges(books: list[Rulebook], link: str | None = None) -> str:
    """Compare the games, each wager with its house edge from eight decks; ``link`` is the address of a game's page.

    Wagers that all games have get columns.
    """
    everywhere = [wager.name for wager in books[0].wagers if all(wager.name in edges(book) for book in books)]

    def row(book: Rulebook) -> tuple[str, ...]:
        found = {name: percent(edge, 2) for name, edge in edges(book).items()}
        others = ", ".join(f"{name} {edge}" for name, edge in found.items() if name not in everywhere)
        title = f"[{book.title}]({link.format(book.key)})" if link else book.title
        return title, f"`{book.key}`", *(found[name] for name in everywhere), others

    return table(("game", "key", *everywhere, "other wagers"), map(row, books), right=everywhere)


def _index(books: list[Rulebook]) -> str:
    facts = [
        (
            f"[{book.title}]({book.key}.md)",
            book.version or "",
            f"{book.effective.day} {book.effective:%B %Y}" if book.effective else "",
            f"{book.decks.fewest} to {book.decks.most}",
            len(book.wagers),
            ", ".join(method.name for method in book.methods) or "house setting",
            len(book.clauses),
        )
        for book in books
    ]
    columns = ("game", "version", "in force from", "decks", "wagers", "methods", "clauses")
    return page(
        "# The five games",
        "Each page is generated from the game's file, which tables, odds and simulator read too.",
        table(columns, facts, right=("wagers", "clauses")),
        "## House edges",
        "Exact, from eight decks, then rounded.",
        house_edges(books, "{}.md"),
        "A game of your own is one more file: [adding a game](../adding-a-game.md).",
    )


def _game(book: Rulebook) -> str:
    return page(
        f"# {heading(book)}",
        f"Played with {book.decks.fewest} to {book.decks.most} decks. `punto rules {book.key}` prints the clauses, "
        f"`punto odds {book.key}` the odds; [{book.key}.toml](../../src/punto/rules/games/{book.key}.toml) is the "
        "file this page is generated from.",
        "## Wagers",
        "The first line that holds decides. Chances are those of a full shoe of "
        f"{book.usual_decks} decks, exact, then rounded.",
        _wagers(book),
        "## House edges by number of decks",
        _edges_by_decks(book),
        f"Exactly, from {book.usual_decks} decks:",
        table(("wager", "house edge"), [(name, fraction(edge)) for name, edge in edges(book).items()]),
        _layouts(book),
        _methods(book),
        _readings(book),
        "## Clauses",
        "Each in one line. *data*: it fixes a value; *enforced*: the engine allows nothing else; *attested*: a "
        "named person confirms it, and play waits for that or records the failure; *house*: the operator sets it. The "
        "last columns count the tests "
        f"that show the clause, and where its contrary is refused or cannot be written; `punto rules {book.key} "
        "CLAUSE` lists both.",
        _clauses(book),
    )


def clause_link(number: str, book: Rulebook | None = None) -> str:
    """Link a clause to its row, on this page or on that of a game."""
    path = f"games/{book.key}.md" if book else ""
    return f"[{number}]({path}#c{number})"


def _wagers(book: Rulebook) -> str:
    found = odds(book, book.usual_decks)

    def rows(wager: Wager) -> Iterator[tuple[str, ...]]:
        chances = {chance.outcome: chance.probability for chance in found[wager.name].outcomes}
        for line in wager.outcomes:
            name = f"**{wager.name}** ({clause_link(wager.clause)})" if line is wager.outcomes[0] else ""
            pays = pays_or_push(line.pays)
            clause = clause_link(line.clause) if pays else ""
            yield name, line.outcome, pays, clause, percent(chances[line.outcome])

    columns = ("wager", "outcome", "pays", "clause", "chance")
    return table(columns, [row for wager in book.wagers for row in rows(wager)], right=("pays", "chance"))


def _edges_by_decks(book: Rulebook) -> str:
    counts = range(book.decks.fewest, book.decks.most + 1)
    by_decks = {decks: edges(book, decks) for decks in counts}
    rows = [(wager.name, *(percent(by_decks[decks][wager.name]) for decks in counts)) for wager in book.wagers]
    return table(("wager", *map(str, counts)), rows, right=tuple(map(str, counts)))


def _layouts(book: Rulebook) -> str:
    rows = [
        (
            layout.name,
            f"{layout.positions.fewest} to {layout.positions.most}" if layout.positions else "house setting",
            clause_link(layout.clause) if layout.clause in book.clauses else layout.clause,
        )
        for layout in book.layouts
    ]
    return page("## Layouts", table(("layout", "playing positions", "clause"), rows)) if rows else ""


def _methods(book: Rulebook) -> str:
    rows = [
        (
            f"{method.name} ({clause_link(method.clause)})",
            method.draws,
            "patrons" if method.patrons_handle_cards else "Dealer only",
            "yes" if method.squeezing else "no",
            "HLGA" if method.hlga_only else "anywhere",
            method.device or "any",
            method.chosen_by,
        )
        for method in book.methods
    ]
    columns = ("method", "draws", "handle cards", "squeezing", "where", "device", "chosen by")
    return page("## Methods", table(columns, rows)) if rows else ""


def _readings(book: Rulebook) -> str:
    rows = [(f"[R{each.number}](../readings.md#r{each.number})", each.reading) for each in readings_in_force(book)]
    return page("## Readings in force", table(("reading", "read as"), rows))


def _clauses(book: Rulebook) -> str:
    rows = [
        (
            f'<span id="c{clause.number}">{clause.number}</span>',
            clause.text,
            f"`{clause.provision}`",
            clause.carried_out.value,
            len(shown_by(book, clause.number)),
            len(refused_in(book, clause.number)),
        )
        for clause in book.clauses.values()
    ]
    columns = ("clause", "says", "provision", "by", "tests", "refusals")
    return table(columns, rows, right=("tests", "refusals"))
