"""A real Chromium for the tests of the pages, and a house for them. They run in a pytest process of their own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from support.live import Live, serving
from support.needs import need
from support.page_watch import staffed_house
from support.playing import House, lock_late
from support.programs import find_chromium

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@contextmanager
def launched() -> Iterator[Any]:
    """A Chromium without a screen."""
    path = need("Chromium", find_chromium())
    from playwright import sync_api

    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS, headless=True)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """One browser for all tests."""
    with launched() as browser:
        yield browser


@pytest.fixture(scope="session")
def staffed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house whose rounds are dealt by hand, so that everything is known; each test has tables of its own there."""
    with staffed_house(tmp_path_factory.mktemp("staffed")) as made:
        lock_late(made)
        yield made


@pytest.fixture(scope="session")
def practice(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A practice house whose tables deal quickly."""
    folder: Path = tmp_path_factory.mktemp("practice")
    with serving(str(folder / "punto.db"), folder, "--practice", "--pace", "8") as live:
        yield live
