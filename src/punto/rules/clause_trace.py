"""Which tests show that a clause is kept. The trace is generated from the tests themselves (``make trace``)."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from punto.rules.rulebook import Rulebook


def shown_by(book: Rulebook, clause: str) -> tuple[str, ...]:
    """The tests that show this clause of an approved game, as ``file::test``; none for a game of one's own."""
    return tuple(_trace().get(book.key, {}).get(clause, ()))


@cache
def _trace() -> dict[str, dict[str, list[str]]]:
    content: dict[str, dict[str, list[str]]] = json.loads(
        Path(__file__).with_name("clause_trace.json").read_text("utf-8")
    )
    return content
