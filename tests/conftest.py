"""What all tests share: the games, and the trace from the clauses of the documents to the tests that show them.

A test says which provisions it shows: ``@pytest.mark.shows("natural")``. If it takes ``book`` it runs once for each
game that has such a provision, and counts for that game's clause. A clause may also be named outright: "tiger 4.3".
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest
from support.audited import auditor, played, sealed
from support.chromium import chromium, practice, staffed
from support.playing import served
from support.postgresql_server import postgresql, postgresql_server
from support.stores import opened

from punto import APPROVED, Rulebook, load
from punto.rules.provisions import PROVISIONS

hypothesis.settings.register_profile("punto", deadline=None)  # how long something takes is no matter for a test
hypothesis.settings.load_profile("punto")


@pytest.fixture(scope="session", autouse=True)
def anyio_backend() -> str:
    """Run asynchronous tests and fixtures on asyncio; every test may take an asynchronous fixture."""
    return "asyncio"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--trace-out", type=Path, help="write which tests show which clauses to this file")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that takes ``book`` for every game that makes one of the provisions it shows."""
    if "book" in metafunc.fixturenames:
        shown = [what for mark in metafunc.definition.iter_markers("shows") for what in mark.args]
        books = [load(key) for key in APPROVED]
        metafunc.parametrize(
            "book", [b for b in books if not shown or any(map(b.clause_of, shown))], ids=lambda b: b.key
        )


def pytest_collection_finish(session: pytest.Session) -> None:
    if out := session.config.getoption("--trace-out"):
        out.write_text(json.dumps(trace(session.items), indent=1) + "\n", "utf-8")


def trace(items: list[pytest.Item]) -> dict[str, dict[str, list[str]]]:
    """For each game and clause the tests that show it, in the order of the document."""
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for item in items:
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


__all__ = [
    "auditor",
    "chromium",
    "opened",
    "played",
    "postgresql",
    "postgresql_server",
    "practice",
    "sealed",
    "served",
    "staffed",
]
"""Fixtures for whoever names them."""
