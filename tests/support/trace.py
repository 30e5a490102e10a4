"""Which tests show which clauses of the documents, and which show the contrary refused, read from their marks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

import pytest

from punto import APPROVED, Rulebook, load
from punto.rules.provisions import PROVISIONS

Listed = dict[str, dict[str, list[str]]]
"""By game and clause, the tests."""
Trace = dict[str, Listed]
"""By file, what ``make trace`` writes into it."""

SHOWN, REFUSED = "clause_trace.json", "clause_refusals.json"


def trace(items: Iterable[pytest.Item]) -> Trace:
    """Return for each game and clause the tests of ``make test`` that show it, and those in which its contrary is
    refused, in the order of the document.
    """
    shown: dict[tuple[str, str], set[str]] = defaultdict(set)
    refused: dict[tuple[str, str], set[str]] = defaultdict(set)
    for item in (item for item in items if not item.get_closest_marker("long")):
        callspec = getattr(item, "callspec", None)
        # Each script is a test of its own, told apart by its name.
        scripted = callspec is not None and "script" in callspec.params
        test = item.nodeid if scripted else item.nodeid.split("[")[0]
        for mark in (*item.iter_markers("shows"), *item.iter_markers("refuses")):
            for game, clause in _clauses(item, mark):
                shown[game, clause].add(test)
                if mark.name == "refuses":
                    refused[game, clause].add(mark.kwargs.get("step", test))
    return {SHOWN: _in_order(shown), REFUSED: _in_order(refused)}


def _in_order(found: dict[tuple[str, str], set[str]]) -> Listed:
    return {key: {n: sorted(found[key, n]) for n in load(key).clauses if (key, n) in found} for key in APPROVED}


def _clauses(item: pytest.Item, mark: pytest.Mark) -> Iterator[tuple[str, str]]:
    callspec = getattr(item, "callspec", None)
    book: Rulebook | None = callspec.params.get("book") if callspec else None
    for what in mark.args:
        game, _, clause = what.partition(" ")
        if clause:
            assert clause in load(game).clauses, f"{item.nodeid}: {game} has no clause {clause}"
            yield game, clause
        else:
            assert what in PROVISIONS, f"{item.nodeid}: there is no provision {what}"
            assert book, f"{item.nodeid}: a test that shows a provision takes 'book'"
            if number := book.clause_of(what):
                yield book.key, number
