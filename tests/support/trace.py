"""Which tests show which clauses of the documents, read from their ``shows`` marks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import pytest

from punto import APPROVED, Rulebook, load
from punto.rules.provisions import PROVISIONS

Trace = dict[str, dict[str, list[str]]]
"""The tests that show a clause, by game and clause."""


def trace(items: list[pytest.Item]) -> Trace:
    """Return for each game and clause the tests of ``make test`` that show it, in the order of the document."""
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for item in items:
        if item.get_closest_marker("long"):
            continue
        callspec = getattr(item, "callspec", None)
        # Each script is a test of its own, told apart by its name.
        scripted = callspec is not None and "script" in callspec.params
        test = item.nodeid if scripted else item.nodeid.split("[")[0]
        for game, clause in _clauses_shown(item):
            found[game, clause].add(test)
    return {key: {n: sorted(found[key, n]) for n in load(key).clauses if (key, n) in found} for key in APPROVED}


def _clauses_shown(item: pytest.Item) -> Iterator[tuple[str, str]]:
    callspec = getattr(item, "callspec", None)
    book: Rulebook | None = callspec.params.get("book") if callspec else None
    for what in (what for mark in item.iter_markers("shows") for what in mark.args):
        game, _, clause = what.partition(" ")
        if clause:
            assert clause in load(game).clauses, f"{item.nodeid}: {game} has no clause {clause}"
            yield game, clause
        else:
            assert what in PROVISIONS, f"{item.nodeid}: there is no provision {what}"
            assert book, f"{item.nodeid}: a test that shows a provision takes 'book'"
            if number := book.clause_of(what):
                yield book.key, number
