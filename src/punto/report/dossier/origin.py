"""Where a clause of a game comes from: its own file, or Punto's file of the approved game that it borrows from."""

from __future__ import annotations

from collections.abc import Mapping

from punto.report.dossier.document import say
from punto.rules.clause_texts import clause_text
from punto.rules.game_library import game_file, origins_of
from punto.rules.rulebook import Clause, Rulebook
from punto.texts import Language, name_of


def origin_of(book: Rulebook, clause: Clause, language: Language) -> str:
    """Return a mark for a borrowed clause: the game and the number it has there; empty for the game's own."""
    base, shared = origins_of(book)
    if base is None or clause.number not in shared:
        return ""
    return f"{name_of('game', base.title, language)} {shared[clause.number].number}"


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
