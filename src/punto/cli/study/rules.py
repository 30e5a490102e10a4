"""``punto games``, ``punto rules`` and ``punto readings``: what the documents say, as Punto carries it out."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from fractions import Fraction

from punto.cli.main import BadInput, Run, note
from punto.cli.output import SOFTWARE, about, print_json
from punto.rules import APPROVED, Rulebook, load
from punto.rules.clause_trace import refused_in, shown_by, shown_there
from punto.rules.game_library import origins_of
from punto.rules.readings import readings as all_readings
from punto.rules.rulebook import CarriedOut, Clause

GAME_HELP = "the key of an approved or known game, such as tiger or ez-baccarat, or the path of a game's TOML file"

_HOW = {
    CarriedOut.DATA: "data: it fixes a value from which everything else is derived",
    CarriedOut.ENFORCED: "enforced: the engine allows nothing else",
    CarriedOut.ATTESTED: "attested: a named person confirms it; the procedure waits for that or records the failure",
    CarriedOut.HOUSE: "house: the operator sets it",
}


def game_named(name: str) -> Rulebook:
    """Return the game of an argument; if it is not approved, print which wagers are in the patron's favour."""
    book = load(name)
    if book.key not in APPROVED:
        from punto.odds.edge_checks import Concern, checks

        for each in checks(book):
            if each.concern is Concern.FAVOURS_PATRON:
                note(each.sentence)
    return book


def games(parser: ArgumentParser) -> Run:  # noqa: ARG001
    """List the approved games."""

    def run(arguments: Namespace) -> None:
        books = [load(key) for key in APPROVED]
        if arguments.json:
            print_json({"software": SOFTWARE, "games": [_game(book) for book in books]})
        else:
            _show_games(books)

    return run


def _game(book: Rulebook) -> dict[str, object]:
    return {
        "game": book.key,
        "title": book.title,
        "version": book.version,
        "effective": book.effective.isoformat() if book.effective else None,
        "decks": {"min": book.decks.fewest, "max": book.decks.most},
        "wagers": [wager.name for wager in book.wagers],
        "clauses": len(book.clauses),
        "digest": book.digest,
        "carried_out": carried_out(book),
    }


def carried_out(book: Rulebook) -> dict[str, int]:
    """Return how many clauses of a game are carried out in each way."""
    kinds = [clause.carried_out for clause in book.clauses.values()]
    return {kind.value: kinds.count(kind) for kind in CarriedOut}


def _show_games(books: list[Rulebook]) -> None:
    from rich.padding import Padding
    from rich.text import Text

    from punto.cli import terminal

    for book in books:
        since = f"in force from {book.effective.day} {book.effective:%B %Y}, " if book.effective else ""
        kinds = ", ".join(f"{count} {kind}" for kind, count in carried_out(book).items())
        facts = f"{since}{book.decks.fewest} to {book.decks.most} decks, {len(book.clauses)} clauses ({kinds})"
        wagers = ", ".join(wager.name for wager in book.wagers)
        terminal.console.print(Text(f"{book.key:22}", "bold") + Text(heading(book)))
        for text, style in ((facts, ""), (wagers, "dim")):
            terminal.console.print(Padding(Text(text, style), (0, 0, 0, 22)))


def rules(parser: ArgumentParser) -> Run:
    """Print the clauses of a game."""
    parser.add_argument("game", metavar="GAME", help=GAME_HELP)
    help_ = "only this clause (5.8.2.1) and those under it, or the one that makes a provision (late-wager)"
    parser.add_argument("clause", metavar="CLAUSE", nargs="?", help=help_)
    diff = "show instead what changed since an older version, in clauses and in figures: another game or file"
    parser.add_argument("--diff", metavar="OLD", help=diff)

    def run(arguments: Namespace) -> None:
        book = game_named(arguments.game)
        if arguments.diff:
            if arguments.clause:
                raise BadInput("--diff compares whole games: it does not go with a clause")
            show_changes(load(arguments.diff), book, arguments.json)
            return
        chosen = _chosen(book, arguments.clause)
        if arguments.json:
            print_json({**about(book), "clauses": [_clause(book, each) for each in chosen]})
        elif arguments.clause:
            _show_one(book, chosen[0])
            _show_all(chosen[1:], book)
        else:
            _show_all(chosen, book, heading(book))

    return run


def show_changes(old: Rulebook, new: Rulebook, as_json: bool) -> None:
    """Print what changed from one version of a game to another."""
    from punto.cli import terminal
    from punto.design import changes
    from punto.formatting import fraction, percent

    def told(value: str | Fraction | None) -> str:
        return percent(value) if isinstance(value, Fraction) else value or "-"

    found = changes(old, new)
    if as_json:
        rows = [
            {
                "subject": each.subject.value,
                "name": each.name,
                "outcome": each.outcome,
                "old": fraction(each.old) if isinstance(each.old, Fraction) else each.old,
                "new": fraction(each.new) if isinstance(each.new, Fraction) else each.new,
            }
            for each in found
        ]
        print_json({**about(new), "old_digest": old.digest, "changes": rows})
        return
    table = terminal.table(("What", "Name", "Outcome", "Was", "Is"), f"{heading(new)}, since {heading(old)}")
    for each in found:
        table.add_row(each.subject.value, each.name, each.outcome or "", told(each.old), told(each.new))
    terminal.console.print(table if found else f"{heading(new)} and {heading(old)} are the same")


def _chosen(book: Rulebook, wanted: str | None) -> list[Clause]:
    clauses = list(book.clauses.values())
    if wanted is None:
        return clauses
    number = wanted.rstrip(".")
    chosen = [each for each in clauses if each.number == number or each.number.startswith(f"{number}.")]
    chosen += book.clauses_of(wanted)
    if not chosen:
        raise BadInput(
            f"{book.title} has no clause {wanted!r}; its clauses run from {clauses[0].number} to {clauses[-1].number}"
        )
    return chosen


def _clause(book: Rulebook, clause: Clause) -> dict[str, object]:
    told: dict[str, object] = {
        "clause": clause.number,
        "text": clause.text,
        "provision": clause.provision,
        "carried_out": clause.carried_out.value,
        "tests": list(shown_by(book, clause.number)),
        "refused": list(refused_in(book, clause.number)),
    }
    return told | ({"from": clause.origin} if clause.origin else {})


def _show_all(clauses: list[Clause], book: Rulebook, title: str | None = None) -> None:
    from rich.text import Text

    from punto.cli import terminal

    table = terminal.table(("Clause", "What it says", "Provision", "By", "Tests"), title, right=("Tests",))
    for name in (0, 3):
        table.columns[name].no_wrap = True
    for clause in clauses:
        tests, refused = shown_by(book, clause.number), refused_in(book, clause.number)
        says = Text(clause.text)
        if origin := _origin(book, clause):
            there = len(shown_there(book, clause.number))
            tests_there = f", shown by {there} test{'s' * (there > 1)} for that game" if there else ""
            says.append(f"\nfrom {origin}{tests_there}", "dim")
        if clause.carried_out is CarriedOut.ENFORCED and refused:
            says.append(f"\nrefused: {refused[0]}", "dim")
        table.add_row(clause.number, says, clause.provision, clause.carried_out.value, str(len(tests) or "-"))
    if clauses:
        terminal.console.print(table)


def _show_one(book: Rulebook, clause: Clause) -> None:
    from punto.cli import terminal

    table = terminal.table(("", ""), f"{heading(book)}, {clause.number}")
    table.show_header = False
    table.columns[0].no_wrap = True
    table.add_row("says", clause.text)
    if origin := _origin(book, clause):
        table.add_row("borrowed from", origin)
    table.add_row("provision", clause.provision)
    table.add_row("carried out by", _HOW[clause.carried_out])
    for reading in all_readings():
        if clause.number in reading.clauses(book):
            table.add_row(f"reading R{reading.number}", reading.reading)
    if refused := refused_in(book, clause.number):
        table.add_row("contrary refused", "\n".join(refused))
    table.add_row("shown by", "\n".join(shown_by(book, clause.number)) or "no test yet")
    if there := shown_there(book, clause.number):
        table.add_row(f"shown for {origin} by", "\n".join(there))
    terminal.console.print(table)


def _origin(book: Rulebook, clause: Clause) -> str | None:
    """Return the approved game and the clause that a clause is from; None if it is the game's own."""
    base, shared = origins_of(book)
    return f"{base.key} {shared[clause.number].number}" if base and clause.number in shared else clause.origin


def heading(book: Rulebook) -> str:
    return f"{book.title}, version {book.version}" if book.version else book.title


def readings(parser: ArgumentParser) -> Run:  # noqa: ARG001
    """Print the readings taken where the documents are unclear."""

    def run(arguments: Namespace) -> None:
        books = [load(key) for key in APPROVED]
        if arguments.json:
            print_json({"software": SOFTWARE, "readings": _readings(books)})
        else:
            _show_readings(books)

    return run


def _readings(books: list[Rulebook]) -> list[dict[str, object]]:
    return [
        {
            "reading": f"R{each.number}",
            "unclear": each.unclear,
            "read_as": each.reading,
            "why": each.why,
            "in_figures": in_figures(each.number),
            "clauses": {book.key: list(each.clauses(book)) for book in books if each.clauses(book)},
        }
        for each in all_readings()
    ]


def _show_readings(books: list[Rulebook]) -> None:
    from rich.padding import Padding
    from rich.text import Text

    from punto.cli import terminal

    for each in all_readings():
        terminal.console.print(Text(f"R{each.number:<4}", "bold") + Text(each.unclear))
        cited = "; ".join(f"{book.key} {', '.join(each.clauses(book))}" for book in books if each.clauses(book))
        texts = ((each.reading, "bold"), (each.why, ""), (in_figures(each.number) or "", ""), (cited, "dim"))
        for text, style in texts:
            if text:
                terminal.console.print(Padding(Text(text, style), (0, 0, 0, 5)))
        terminal.console.print()


def in_figures(reading: int) -> str | None:
    """Return what a reading is worth, computed: for R1, the return of a pair wager if the letter were followed."""
    if reading != 1:
        return None
    from punto.odds import literal_pair_return
    from punto.report.rendering import fraction, percent

    book = load("baccarat")
    gain = literal_pair_return(book.wager("Player Pair"), book.shoe(8))
    return f"To the letter, Player Pair would return {fraction(gain)} of the stake, {percent(gain)}, with eight decks."
