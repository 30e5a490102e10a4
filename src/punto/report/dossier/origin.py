"""Where a clause of a game comes from: its own file, or Punto's file of the approved game that it borrows from."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from punto.report.dossier.document import say
from punto.rules.clause_texts import clause_text
from punto.rules.clause_trace import refused_in, shown_by
from punto.rules.game_library import APPROVED, game_file, load
from punto.rules.rulebook import Clause, Rulebook
from punto.texts import Language, name_of

_NUMBER = re.compile(r"(?<![\d.])\d+(?:\.\d+)+(?![\d.]*\d)(?! to 1)")
"""A clause that a clause names; a ratio is none."""

Origins = Mapping[str, Clause]
"""By the number of a borrowed clause: the clause of the approved game."""


@lru_cache(maxsize=16)
def origins_of(book: Rulebook) -> tuple[Rulebook | None, Origins]:
    """Return the approved game that a game borrows most clauses from, and which; none for an approved game."""
    if book.key in APPROVED or book.variant_of:
        return None, {}
    found = [(base, _shared(book, base)) for base in map(load, APPROVED)]
    base, shared = max(found, key=lambda each: len(each[1]))
    return (base, shared) if shared else (None, {})


def _shared(book: Rulebook, base: Rulebook) -> Origins:
    """Return the clauses that say the same and make the same provision, one of the same number where there are two."""
    there = {(clause.text, clause.provision): clause for clause in base.clauses.values()}
    shared = {}
    for clause in book.clauses.values():
        same = base.clauses.get(clause.number)
        said = clause.text, clause.provision
        if same and (same.text, same.provision) == said:
            shared[clause.number] = same
        elif said in there:
            shared[clause.number] = there[said]
    return shared


def left_out(book: Rulebook) -> tuple[tuple[str, str], ...]:
    """Return the clauses whose words name what the game does not have: clause and name, of a clause or wager of the
    approved game that it borrows from.
    """
    base, _ = origins_of(book)
    if base is None:
        return ()
    gone = base.clauses.keys() - book.clauses.keys()
    own = {each.name for each in book.wagers}
    missing = {each.name for each in base.wagers} - own
    names = re.compile("|".join(rf"\b{re.escape(each)}\b" for each in sorted(own | missing, key=len, reverse=True)))
    found: list[tuple[str, str]] = []
    for clause in book.clauses.values():
        found += ((clause.number, each) for each in _NUMBER.findall(clause.text) if each in gone)
        found += ((clause.number, each) for each in names.findall(clause.text) if each in missing)
    return tuple(dict.fromkeys(found))


def unnamed(book: Rulebook) -> tuple[tuple[str, str], ...]:
    """Return the wagers that a game adds and its clause on the available wagers does not name: its number and the
    wager.
    """
    base, _ = origins_of(book)
    listing = [each for each in book.clauses.values() if each.provision == "available-wagers"] if base else []
    known = {wager.name for wager in base.wagers} if base else set()
    added = [wager.name for wager in book.wagers if wager.name not in known]
    return tuple((clause.number, name) for clause in listing for name in added if name not in clause.text)


def origin_of(book: Rulebook, clause: Clause, language: Language) -> str:
    """Return a mark for a borrowed clause: the game and the number it has there; empty for the game's own."""
    base, shared = origins_of(book)
    if base is None or clause.number not in shared:
        return ""
    return f"{name_of('game', base.title, language)} {shared[clause.number].number}"


def evidence_for(book: Rulebook, clause: Clause) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the tests that show a clause, and where its contrary is refused; a borrowed one has those of its game."""
    base, shared = origins_of(book)
    if base and clause.number in shared:
        book, clause = base, shared[clause.number]
    return shown_by(book, clause.number), refused_in(book, clause.number)


def borrowed_files(book: Rulebook) -> Mapping[str, bytes]:
    """Return the file of the game that this one borrows from."""
    base, _ = origins_of(book)
    return {f"{base.key}.toml": game_file(base.key)} if base else {}


def borrowed_from(book: Rulebook) -> str:
    """Return the game that this one borrows from, with its version; empty if there is none."""
    base, _ = origins_of(book)
    return say("fact.base", Language.ENGLISH, game=base.title, version=base.version) if base else ""


def own_and_borrowed(book: Rulebook, language: Language) -> str:
    """Return how many clauses are the game's own, and how many are borrowed."""
    base, shared = origins_of(book)
    own = len(book.clauses) - len(shared)
    if base is None:
        return say("origin.own", language, count=own)
    game = name_of("game", base.title, language)
    return say("origin.borrowed", language, own=own, borrowed=len(shared), game=game, version=base.version)


def has_chinese(book: Rulebook) -> bool:
    """Return whether any clause of the game is there in Chinese."""
    return any(clause_text(clause, Language.CHINESE) != clause.text for clause in book.clauses.values())
