"""Which tests show that the code keeps a clause; ``make trace`` generates the list from the tests."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from punto.rules.rulebook import Rulebook


def shown_by(book: Rulebook, clause: str) -> tuple[str, ...]:
    """Return the tests that show this clause of an approved game, as ``file::test``; empty for any other game."""
    return tuple(_trace().get(book.key, {}).get(clause, ()))


@cache
def _trace() -> dict[str, dict[str, list[str]]]:
    content: dict[str, dict[str, list[str]]] = json.loads(
        Path(__file__).with_name("clause_trace.json").read_text("utf-8")
    )
    return content
