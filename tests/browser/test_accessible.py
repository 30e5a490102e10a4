"""Every page by axe, in both languages: nothing serious is found."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from live import Live, new_patrons
from playing import House
from watching import DESKTOP, PHONE, Patron, browsing, staffed_house

from punto.server.people import Duty

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
PAGES = {"/": "punto-tile", "/tables/tiger": "punto-areas", "/display/tiger": "punto-odds"}


@pytest.fixture(scope="module")
def patron(practice: Live) -> Any:
    return new_patrons(practice, practice.enter(Duty.CASHIER), 1)[0]


@pytest.fixture(scope="module")
def by_hand(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with staffed_house(tmp_path_factory.mktemp("by-hand")) as made:
        yield made


@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_nothing_serious(
    chromium: Any, practice: Live, patron: Any, path: str, language: str, screen: dict[str, int]
) -> None:
    with browsing(chromium, practice, patron, language, screen) as somebody:
        somebody.open(path)
        somebody.page.wait_for_selector(PAGES[path])
        assert serious(somebody) == []


def serious(somebody: Patron) -> list[Any]:
    """What axe finds on the page as it is."""
    somebody.page.evaluate(AXE.read_text("utf-8"))
    found = somebody.page.evaluate("axe.run(document, {resultTypes: ['violations']}).then(r => r.violations)")
    grave = [each for each in found if each["impact"] in ("serious", "critical")]
    return [(each["id"], [node["target"] for node in each["nodes"]]) for each in grave]


@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_axe_finds_nothing_serious_at_the_dealers_page(
    chromium: Any, by_hand: House, language: str, screen: dict[str, int]
) -> None:
    """In play with a card to key, at a form of an irregularity, and in a hold."""
    table, dealer = by_hand.table("baccarat"), by_hand.dealer
    for command in ("OpenBets", "CloseBets", *["DrawCard"] * 4):
        dealer.done(table, command)
    with browsing(chromium, by_hand.live, dealer, language, screen) as sam:
        sam.open(f"/dealer/{table}")
        sam.page.wait_for_selector("punto-card-pad")
        assert serious(sam) == []
        for tab in ("patrons", "shoe", "rounds"):
            sam.page.click(f"#tab-{tab}")
            assert serious(sam) == []
        sam.page.click("button.trouble")
        sam.page.click("[data-procedure=late-wager]")
        sam.page.wait_for_selector("punto-irregular punto-ask")
        assert serious(sam) == []
        dealer.done(table, "Refer", matter="something")
        sam.page.wait_for_selector(".now.held .walk")
        assert serious(sam) == []


def test_a_guest_can_watch_and_is_offered_to_sign_in(chromium: Any, practice: Live) -> None:
    with browsing(chromium, practice) as guest:
        guest.open("/tables/tiger")
        guest.page.wait_for_selector("punto-sign-in")
        assert guest.page.locator("punto-felt").count() == 1
