"""The lobby: what a guest finds in the first minute, and tiles that live without moving."""

from __future__ import annotations

from typing import Any

import pytest
from support.live import Live
from support.long import others_long
from support.page_watch import DESKTOP, PHONE, Patron, browsing
from support.playing import House, deal, over_http, until

BANKER_WINS = "2h 9c 3s Kd"
WATCH_SHIFTS = """() => {
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const each of list.getEntries()) if (!each.hadRecentInput) window.shifted += each.value;
  }).observe({ type: "layout-shift", buffered: true });
}"""
STAFF_DATA = ("Method", "Shoe", "%", "发牌方式", "牌靴")


def play(house: House, table: str, rounds: int) -> None:
    dealer = over_http(house.dealer, table)
    for _ in range(rounds):
        for given in ("OpenBets", "CloseBets"):
            dealer(given)
        deal(dealer, BANKER_WINS)
        for given in ("AnnounceOutcome", "SettleRound"):
            dealer(given)


def tile_of(patron: Patron, table: str) -> Any:
    return patron.page.locator("punto-tile", has_text=table)


@pytest.mark.parametrize("screen", others_long([PHONE, DESKTOP]), ids=["phone", "desktop"])
@pytest.mark.parametrize("language", others_long(["en", "zh"]))
def test_a_guest_watches_at_once_and_sits_down_by_one_tap(
    chromium: Any, practice: Live, language: str, screen: dict[str, int]
) -> None:
    with browsing(chromium, practice, None, language, screen) as guest:
        page = guest.page
        guest.open("/")
        page.wait_for_selector("punto-welcome .first")
        assert not any(word in guest.text("punto-lobby ul") for word in STAFF_DATA)
        page.locator("punto-tile").first.locator("a.way").click()
        page.wait_for_selector("punto-areas")
        page.go_back()
        page.locator("punto-tile punto-practice-seat button").first.click()
        page.set_default_timeout(120_000)  # a round may be squeezed, or a shoe cut, before bets are open
        page.wait_for_selector("punto-areas[open]")
        assert guest.chips() == 100_000
        page.click('punto-rack [data-chip="500"]')
        page.click('punto-areas button[data-wager="Banker"]')  # waits for the next round if this one has closed
        until(lambda: guest.chips() == 99_500)


def test_a_guest_checks_a_shoe_and_takes_chips_at_a_second_table(chromium: Any, practice: Live) -> None:
    with browsing(chromium, practice) as guest:
        page = guest.page
        guest.open("/")
        page.locator("punto-tile punto-practice-seat button").first.click()
        page.wait_for_selector("punto-areas")
        page.click("punto-tabs #tab-shoe")
        page.locator("punto-shoes ol").first.locator("button.main").last.click()
        page.wait_for_selector("punto-shoes .verdict.won")
        assert "squeeze" not in guest.text("punto-shoes")
        assert page.locator(".practice-chips").count() == 0, "at the first table they have chips"
        guest.open("/")
        page.locator("punto-tile").last.wait_for()
        assert page.locator("punto-tile a[href^='/display']").count() == 0
        page.locator("punto-tile a.main").last.click()
        page.click(".practice-chips")
        until(lambda: guest.chips() == 100_000)
        page.wait_for_selector(".practice-chips", state="detached")
        guest.open("/history?table=squeeze-baccarat")
        page.click("button.shoes")
        page.locator("dialog.shoes punto-shoes button.main").last.click()
        page.wait_for_selector("dialog.shoes .verdict.won")


@pytest.mark.long
def test_a_tile_lives_and_does_not_move(chromium: Any, staffed: House) -> None:
    table = staffed.table("baccarat", name="lively")
    play(staffed, table, 3)
    with browsing(chromium, staffed.live) as guest:
        guest.open("/")
        tile = tile_of(guest, table)
        tile.wait_for()
        guest.page.evaluate(WATCH_SHIFTS)
        assert tile.locator(".streak").inner_text().split() == ["Streak", "Banker", "3"]
        assert tile.locator(".badge").count() == 0
        staffed.dealer.done(table, "OpenBets")
        until(lambda: tile.locator(".state").inner_text().startswith("Bets open"))
        staffed.dealer.done(table, "CloseBets")
        deal(over_http(staffed.dealer, table), BANKER_WINS)
        staffed.dealer.done(table, "AnnounceOutcome")
        until(lambda: tile.locator(".badge").all_inner_texts() == ["Long Banker 4"])
        assert tile.locator(".road circle").count() == 4
        assert guest.page.evaluate("window.shifted") < 0.05


@pytest.mark.long
def test_a_patron_chooses_good_roads_and_is_shown_them_again(chromium: Any, staffed: House) -> None:
    table, dull = staffed.table("tiger", name="goodroad"), staffed.table("tiger", name="dull")
    play(staffed, table, 4)
    with browsing(chromium, staffed.live, language="zh") as guest:
        page = guest.page
        guest.open("/")
        tile_of(guest, table).wait_for()
        page.click(".choice button.good")
        until(lambda: tile_of(guest, dull).count() == 0)
        assert tile_of(guest, table).locator(".badge").inner_text() == "长庄 4"
        page.click(".choice button.rules")
        page.fill("punto-good-road-settings input[name=long_banker-least]", "5")
        page.keyboard.press("Tab")
        page.click("dialog.rules > button")
        until(lambda: tile_of(guest, table).count() == 0)
        page.reload()
        page.wait_for_selector(".choice button.good[aria-pressed=true]")
        page.click(".choice button.good")
        tile_of(guest, dull).wait_for()
        assert tile_of(guest, table).locator(".badge").count() == 0, "the rule was kept"


@pytest.mark.long
def test_all_roads_are_on_the_tile_and_tables_are_picked_by_keys(chromium: Any, staffed: House) -> None:
    table = staffed.table("baccarat", name="roadside")
    play(staffed, table, 1)
    with browsing(chromium, staffed.live) as guest:
        page = guest.page
        guest.open("/")
        tile = tile_of(guest, table)
        tile.wait_for()
        for at, drawn in enumerate(("Big road, rounds: 1", "Bead plate", "Big eye boy")):
            tile.locator(".roads button").nth(at).press("Enter")
            tile.locator(f'svg[aria-label="{drawn}"]').wait_for()
        tile.locator(".road button").press("Enter")
        assert page.locator("dialog.roads[open] punto-roads figure").count() == 5
        page.keyboard.press("Escape")
        tile.locator(".pick").press("Enter")
        assert page.locator(".together a").get_attribute("href") == f"/tables?show={table}"
