"""Every page by axe, in both languages and both themes: nothing serious is found."""

from __future__ import annotations

from typing import Any

import pytest
from support.live import Live, new_patrons
from support.long import others_long
from support.page_watch import DESKTOP, PHONE, browsing, open_bets, sit_down
from support.playing import PLACES, House, over_http, until

from punto import Card
from punto.server.access.identity import Duty

LANGUAGES = ("en", "zh")
PAGES = {
    "/": "punto-tile",
    "/tables?show=tiger,baccarat": "punto-areas",
    "/tables/tiger": "punto-areas",
    "/games/tiger": "punto-how-to-play",
    "/history": "punto-history form",
    "/display/tiger": "punto-limits-board",
}

MAIN = ("/tables/tiger",)


@pytest.fixture(scope="module")
def patron(practice: Live) -> Any:
    return new_patrons(practice, practice.enter(Duty.CASHIER), 1)[0]


@pytest.mark.parametrize("screen", others_long([DESKTOP, PHONE]), ids=["desktop", "phone"])
@pytest.mark.parametrize(
    "path", [each if each in MAIN else pytest.param(each, marks=pytest.mark.long) for each in PAGES]
)
def test_axe_finds_nothing_serious(
    chromium: Any, practice: Live, patron: Any, path: str, screen: dict[str, int]
) -> None:
    with browsing(chromium, practice, patron, "en", screen) as somebody:
        somebody.open(path)
        for language in LANGUAGES:
            somebody.page.click(f"button[lang={language}]")
            somebody.page.wait_for_function("l => document.documentElement.lang.startsWith(l)", arg=language)
            somebody.page.wait_for_selector(PAGES[path])
            assert somebody.hindrances() == [], language


@pytest.mark.parametrize("tab", others_long(["odds", "rules", "rounds", "shoe", "limits"]))
@pytest.mark.long
def test_axe_finds_nothing_serious_in_what_stands_beside_the_table(
    chromium: Any, practice: Live, patron: Any, tab: str
) -> None:
    with browsing(chromium, practice, patron) as somebody:
        somebody.sit("tiger")
        somebody.page.click(f"punto-tabs #tab-{tab}")
        assert somebody.hindrances() == []


@pytest.mark.parametrize("screen", others_long([DESKTOP, PHONE]), ids=["desktop", "phone"])
def test_axe_finds_nothing_serious_through_a_round(chromium: Any, staffed: House, screen: dict[str, int]) -> None:
    """With bets on the felt, while cards are dealt and squeezed, and when the round is settled."""
    table, (ann,) = staffed.table("baccarat", method="A"), staffed.patrons(1)
    dealer = over_http(staffed.dealer, table)
    with browsing(chromium, staffed.live, ann, screen=screen) as anns:
        sit_down(table, anns)
        open_bets(dealer, anns)
        anns.lay("Banker")
        assert anns.hindrances() == []
        dealer("CloseBets")
        for _ in PLACES:
            dealer("DrawCard")
        until(lambda: anns.page.locator("punto-hands punto-card").count() == 4)
        assert anns.hindrances() == []
        dealer("ChooseFirstHand", hand="banker")
        dealer("PassHand", hand="banker", patron=ann.id)
        anns.page.wait_for_selector("punto-my-cards")
        assert anns.hindrances() == []
        ann.done(table, "DeclineHand", hand="banker")
        for (hand, place), card in zip(sorted(PLACES), ("9d", "9h", "2h", "6s"), strict=True):
            dealer("ExposeCard", hand=hand, place=place, card=Card.parse(card))
        dealer("AnnounceOutcome")
        dealer("SettleRound")
        anns.page.wait_for_selector("details.mine")
        anns.page.click("details.mine summary")
        assert anns.hindrances() == []


STAFF = {
    "/pit": Duty.PIT_MANAGER,
    "/cage": Duty.CASHIER,
    "/audit": Duty.AUDITOR,
    "/school": Duty.DEALER,
    "/": Duty.GAMING_SHIFT_MANAGER,
}


@pytest.mark.long
@pytest.mark.parametrize("path", STAFF)
def test_axe_finds_nothing_serious_on_the_pages_of_staff(chromium: Any, staffed: House, path: str) -> None:
    staffed.table("tiger")
    with browsing(chromium, staffed.live, staffed[STAFF[path]]) as reader:
        reader.open(path)
        reader.page.wait_for_selector("punto-theme button")
        reader.page.wait_for_load_state("networkidle")
        assert reader.hindrances() == []


@pytest.mark.long
@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_axe_finds_nothing_serious_at_the_dealers_page(
    chromium: Any, staffed: House, language: str, screen: dict[str, int]
) -> None:
    """In play with a card to key, at a form of an irregularity, and in a hold."""
    table, dealer = staffed.table("baccarat"), staffed.dealer
    for command in ("OpenBets", "CloseBets", *["DrawCard"] * 4):
        dealer.done(table, command)
    with browsing(chromium, staffed.live, dealer, language, screen) as sam:
        sam.open(f"/dealer/{table}")
        sam.page.wait_for_selector("punto-card-pad")
        assert sam.hindrances() == []
        for tab in ("patrons", "shoe", "rounds"):
            sam.page.click(f"#tab-{tab}")
            assert sam.hindrances() == []
        sam.page.click("button.trouble")
        sam.page.click("[data-procedure=late-wager]")
        sam.page.wait_for_selector("punto-irregular punto-ask")
        assert sam.hindrances() == []
        dealer.done(table, "Refer", matter="something")
        sam.page.wait_for_selector(".now.held .walk")
        assert sam.hindrances() == []


def test_in_chinese_a_reason_is_given_in_chinese(chromium: Any, practice: Live) -> None:
    with browsing(chromium, practice, language="zh") as guest:
        guest.page.goto(f"{practice.address}/")
        guest.page.click("punto-welcome summary")
        for name in ("name", "password"):
            guest.page.fill(f"punto-sign-in input[name={name}]", "nobody at all")
        guest.page.click("punto-sign-in button")
        until(lambda: guest.text("punto-sign-in [role=alert]") == "用户名或密码不正确")
        assert "409" in guest.faults.pop()  # the browser notes by itself that he was refused


def test_a_guest_can_watch_and_is_offered_a_seat(chromium: Any, practice: Live) -> None:
    with browsing(chromium, practice) as guest:
        guest.open("/tables/tiger")
        guest.page.wait_for_selector("punto-practice-seat")
        assert guest.page.locator("punto-areas").count() == 1
