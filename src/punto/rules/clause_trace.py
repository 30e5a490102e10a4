"""Which tests show that the code keeps a clause, and in which its contrary is refused.

``make trace`` generates both lists from the tests.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from punto.rules.game_library import origins_of
from punto.rules.rulebook import Rulebook


def shown_by(book: Rulebook, clause: str) -> tuple[str, ...]:
    """Return the tests that show this clause of an approved game, as ``file::test``; empty for any other game."""
    return tuple(_listed("clause_trace.json").get(book.key, {}).get(clause, ()))


def refused_in(book: Rulebook, clause: str) -> tuple[str, ...]:
    """Return where the contrary of this clause is refused or cannot be written; empty if it is not an approved game's.

    A step of a script is ``file: WHO: ACTION (CODE)``, and a test ``file::test``.
    """
    return tuple(_listed("clause_refusals.json").get(book.key, {}).get(clause, ()))


def shown_there(book: Rulebook, clause: str) -> tuple[str, ...]:
    """Return the tests that show a borrowed clause for the approved game that it is from, and for no other game."""
    base, shared = origins_of(book)
    return shown_by(base, shared[clause].number) if base and clause in shared else ()


def refused_there(book: Rulebook, clause: str) -> tuple[str, ...]:
    """Return where the contrary of a borrowed clause is refused for the approved game that it is from."""
    base, shared = origins_of(book)
    return refused_in(base, shared[clause].number) if base and clause in shared else ()


@cache
def _listed(file: str) -> dict[str, dict[str, list[str]]]:
    content: dict[str, dict[str, list[str]]] = json.loads(Path(__file__).with_name(file).read_text("utf-8"))
    return content
