"""Every page by axe, in both languages: nothing serious is found."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from live import Live, new_patrons
from watching import DESKTOP, PHONE, browsing

from punto.server.people import Duty

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
PAGES = {"/": "punto-tile", "/tables/tiger": "punto-areas", "/display/tiger": "punto-odds"}


@pytest.fixture(scope="module")
def patron(practice: Live) -> Any:
    return new_patrons(practice, practice.enter(Duty.CASHIER), 1)[0]


@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_nothing_serious(
    chromium: Any, practice: Live, patron: Any, path: str, language: str, screen: dict[str, int]
) -> None:
    with browsing(chromium, practice, patron, language, screen) as somebody:
        somebody.open(path)
        somebody.page.wait_for_selector(PAGES[path])
        somebody.page.evaluate(AXE.read_text("utf-8"))
        found = somebody.page.evaluate("axe.run(document, {resultTypes: ['violations']}).then(r => r.violations)")
        serious = [each for each in found if each["impact"] in ("serious", "critical")]
        assert [(each["id"], [node["target"] for node in each["nodes"]]) for each in serious] == []


def test_a_guest_can_watch_and_is_offered_to_sign_in(chromium: Any, practice: Live) -> None:
    with browsing(chromium, practice) as guest:
        guest.open("/tables/tiger")
        guest.page.wait_for_selector("punto-sign-in")
        assert guest.page.locator("punto-felt").count() == 1
