"""What all tests share: the games, and the trace from the clauses of the documents to the tests that show them.

A test says which provisions it shows: ``@pytest.mark.shows("natural")``. If it takes ``book`` it runs once for each
game that has such a provision, and counts for that game's clause. A clause may also be named outright: "tiger 4.3".
A test in which the contrary is refused, or cannot be written, says so: ``@pytest.mark.refuses("natural")``.
"""

from __future__ import annotations

import gc
import json
import os
import ssl
from functools import cache
from pathlib import Path

import hypothesis
import pytest
import structlog
from support.audited import auditor, played, sealed
from support.chromium import chromium, practice, staffed
from support.needs import left_out
from support.playing import served
from support.postgresql_server import postgresql, postgresql_server
from support.stores import opened
from support.trace import Trace, trace

from punto import APPROVED, load

CLAIMS = ("shows", "refuses")
"""Marks that name provisions."""
TRACED = pytest.StashKey[tuple[set[Path], Trace]]()

hypothesis.settings.register_profile("punto", deadline=None)  # how long something takes is no matter for a test
hypothesis.settings.load_profile("punto")
# What tests start writes as it does for a user, who seldom has this set: in blocks.
os.environ.pop("PYTHONUNBUFFERED", None)
# Where no server has set up its log, an error would be drawn in colours with all its source: that takes long.
structlog.configure(processors=[structlog.processors.format_exc_info, structlog.processors.KeyValueRenderer()])

# Each of the thousands of clients would read all certificates again, for servers that have none.
ssl.create_default_context = cache(ssl.create_default_context)  # type: ignore[assignment]


@pytest.fixture(scope="session", autouse=True)
def anyio_backend() -> str:
    """Run asynchronous tests and fixtures on asyncio; every test may take an asynchronous fixture."""
    return "asyncio"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--trace-out", type=Path, help="write which tests show which clauses to this folder")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that takes ``book`` for every game that makes one of the provisions it shows."""
    if "book" in metafunc.fixturenames:
        shown = [what for name in CLAIMS for mark in metafunc.definition.iter_markers(name) for what in mark.args]
        books = [load(key) for key in APPROVED]
        metafunc.parametrize(
            "book", [b for b in books if not shown or any(map(b.clause_of, shown))], ids=lambda b: b.key
        )


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, items: list[pytest.Item]) -> None:
    """Keep the trace of everything collected, before tests are deselected; write it if that is asked for."""
    session.stash[TRACED] = {item.path for item in items}, trace(items)
    if out := session.config.getoption("--trace-out"):
        for name, listed in session.stash[TRACED][1].items():
            (out / name).write_text(json.dumps(listed, indent=1, ensure_ascii=False) + "\n", "utf-8")


def pytest_collection_finish() -> None:
    """Let the garbage collector pass by all that was collected: it stays to the end."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def traced(request: pytest.FixtureRequest) -> tuple[set[Path], Trace]:
    """The test files collected in this run, and which of their tests show which clauses."""
    return request.session.stash[TRACED]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for line in left_out(terminalreporter.stats.get("skipped", [])):
        terminalreporter.write_line(line)


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
"""Fixtures that tests may take."""
