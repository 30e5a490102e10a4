"""How to play, a patron's history and the reality check at the pages, in a real browser and in both languages."""

from __future__ import annotations

from typing import Any

import pytest
from support.live import Someone
from support.long import others_long
from support.page_watch import DESKTOP, PHONE, Patron, browsing, open_bets, sit_down
from support.playing import House, deal, over_http, until

from punto import APPROVED

PLAYER = "punto-areas button[data-wager=Player]"
LANGUAGES = ("en", "zh")
OVERFLOW = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"


@pytest.mark.parametrize("language", others_long(LANGUAGES))
def test_how_to_play_is_one_screen_for_anyone(chromium: Any, staffed: House, language: str) -> None:
    """Every game: the chart, the bets with house edge, clauses and exact fractions one click away."""
    with browsing(chromium, staffed.live, staffed.live.nobody(), language, DESKTOP) as guest:
        guest.page.set_viewport_size({"width": 1280, "height": 720})
        for game in APPROVED:
            guest.page.goto(f"{staffed.live.address}/games/{game}")
            guest.page.wait_for_selector("punto-how-to-play .chart td.draw")
            assert guest.page.evaluate(OVERFLOW) == [1280, 720], game
            edges = staffed.live.nobody().get(f"/api/games/{game}/edges")
            for each in edges:
                guest.page.wait_for_selector(f"punto-how-to-play summary:text-is('{each['rounded']}%')")
            exact = edges[0]["house_edge"]
            assert not guest.page.get_by_text(exact).is_visible()
            guest.page.locator("punto-how-to-play .bets summary").first.click()
            assert guest.page.get_by_text(exact).is_visible()
        guest.page.locator("punto-how-to-play .clause").first.click()
        said = guest.page.locator("punto-clause-dialog dialog[open]").inner_text()
        assert any("\u4e00" <= letter <= "\u9fff" for letter in said) == (language == "zh")
        guest.page.keyboard.press("Escape")
        guest.page.locator("punto-how-to-play .ways button").click()
        guest.page.wait_for_selector("punto-rules")
        guest.page.go_back()
        guest.page.wait_for_selector("punto-how-to-play .chart td.draw")


def test_a_clause_is_closed_by_touch(chromium: Any, staffed: House) -> None:
    with browsing(chromium, staffed.live, staffed.live.nobody(), "zh", PHONE) as guest:
        guest.page.goto(f"{staffed.live.address}/games/baccarat")
        guest.page.locator("punto-how-to-play .clause").first.tap()
        assert guest.page.evaluate("matchMedia('(pointer: coarse)').matches"), "the style for fingers is tried"
        clause = guest.page.locator("punto-clause-dialog dialog[open]")
        clause.locator("button").tap()
        clause.wait_for(state="detached")


class Played:
    """A patron who won 25 in one round and took everything away."""

    def __init__(self, staffed: House) -> None:
        self.table = staffed.table()
        self.dealer = over_http(staffed.dealer, self.table)
        self.someone: Someone = staffed.patrons(1)[0]

    def play(self, patron: Patron) -> None:
        sit_down(self.table, patron, amount="100")
        open_bets(self.dealer, patron)
        patron.page.locator(PLAYER).click()
        until(lambda: patron.chips() == 7_500)
        self.dealer("CloseBets")
        deal(self.dealer, "9c 2c Kd 3d")
        self.dealer("AnnounceOutcome")
        self.dealer("SettleRound")
        until(lambda: patron.chips() == 12_500)


@pytest.mark.parametrize("language", others_long(["zh", "en"]))
def test_a_patron_looks_at_what_they_played(chromium: Any, staffed: House, language: str) -> None:
    seat = Played(staffed)
    with browsing(chromium, staffed.live, seat.someone, language) as patron:
        seat.play(patron)
        patron.page.click("punto-tabs #tab-limits")
        patron.page.wait_for_selector("punto-my-limits [data-visit='2500']")
        patron.page.click("punto-tabs #tab-rounds")
        patron.page.click("a[href^='/history']")
        patron.page.wait_for_selector(".day [data-net='2500']")
        assert patron.page.locator("punto-top a.name").get_attribute("href") == f"/tables/{seat.table}"
        line = patron.page.locator("li[data-line]").first
        assert "9♣ K♦ = 9" in line.inner_text()
        assert "100.00 → 125.00" in line.inner_text()
        line.locator("button.steps").click()
        steps = patron.page.locator("punto-round-steps")
        following = steps.locator("button.main")
        while following.is_enabled():
            following.click()
        assert "125.00" in patron.text("punto-round-steps .about")
        patron.page.keyboard.press("Escape")
        with patron.page.expect_download() as saved:
            patron.page.click("a.export")
        assert b"Player" in saved.value.path().read_bytes()
    with browsing(chromium, staffed.live, seat.someone, language) as elsewhere:
        elsewhere.sit(seat.table)
        elsewhere.page.click("punto-tabs #tab-limits")
        elsewhere.page.wait_for_selector("punto-my-limits [data-visit='2500']")


@pytest.mark.long
def test_a_reality_check_waits_for_the_end_of_the_round(chromium: Any, staffed: House) -> None:
    seat = Played(staffed)
    played = {"rounds": 9, "staked": 900, "net": -12_500, "seconds": 1_900}
    now = {"now": 0, "visit": played, "visit_began": 1, "running": True, "today": played, "reality_check": 30}
    with browsing(chromium, staffed.live, seat.someone) as patron:
        sit_down(seat.table, patron, amount="100")
        open_bets(seat.dealer, patron)
        patron.page.locator(PLAYER).click()
        until(lambda: patron.chips() == 7_500)
        patron.page.route("**/api/history/now", lambda route: route.fulfill(json=now))
        patron.page.reload()
        patron.page.wait_for_selector("punto-areas .stake")
        patron.page.click("punto-tabs #tab-limits")
        patron.page.wait_for_selector("punto-my-limits [data-visit='-12500']")
        told = patron.page.locator("punto-reality-check dialog[open]")
        assert told.count() == 0
        seat.dealer("CloseBets")
        deal(seat.dealer, "9c 2c Kd 3d")
        seat.dealer("AnnounceOutcome")
        assert told.count() == 0
        seat.dealer("SettleRound")
        told.wait_for()
        assert "31:" in told.inner_text()
        assert "−125.00" in told.inner_text()
        patron.page.keyboard.press("Enter")
        until(lambda: told.count() == 0)
        open_bets(seat.dealer, patron)
        assert told.count() == 0
