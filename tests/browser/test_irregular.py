"""Cards that are passed and squeezed, withdrawals, voids and a killed server, as the pages show them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.live import start
from support.page_watch import browsing, open_bets, sit_down, staffed_house
from support.playing import House, deal, over_http, until

from punto.server.access.identity import Duty


@pytest.mark.long
def test_method_a_with_a_squeeze_that_nobody_else_is_told_of(chromium: Any, staffed: House) -> None:
    table = staffed.table("baccarat", method="A", device="sealed")
    staffed.load_sealed_shoe(table)
    ann, bob = staffed.patrons(2)
    dealer = over_http(staffed.dealer, table)
    with browsing(chromium, staffed.live, ann) as anns, browsing(chromium, staffed.live, bob) as bobs:
        sit_down(table, anns, bobs)
        open_bets(dealer, anns, bobs)
        anns.lay("Player")
        bobs.lay("Banker")
        dealer("CloseBets")
        for _ in range(4):
            dealer("DrawCard")
        dealer("ChooseFirstHand", hand="player")
        dealer("PassHand", hand="player", patron=ann.id)
        anns.peek()
        seen = ann.get(f"/api/tables/{table}/mine")["cards"]["player"]
        assert len(seen) == 2
        for card in seen:
            told = json.dumps(card, separators=(",", ":"))
            assert any(told in frame for frame in anns.heard)
            assert not any(told in frame for frame in bobs.heard), "his browser was told a card nobody has exposed"
        assert bobs.page.locator("punto-squeeze").count() == 0
        box = anns.page.locator("punto-squeeze svg").first.bounding_box()
        anns.squeeze(box, 0.3)
        assert bob.get(f"/api/tables/{table}")["view"]["hands"]["player"] == [None, None], "it fell back"
        anns.squeeze(box, 0.8)  # almost across is over: at the edge of a phone a finger has no more room
        until(lambda: bob.get(f"/api/tables/{table}")["view"]["hands"]["player"] == [seen[0], None])
        until(lambda: anns.page.locator("punto-squeeze").count() == 1)
        assert anns.page.locator("punto-squeeze #lifted").count() == 0, "the second card lies flat, with its own back"
        anns.page.locator("punto-my-cards button").last.click()
        until(lambda: bob.get(f"/api/tables/{table}")["view"]["hands"]["player"] == seen)
        until(lambda: bobs.page.locator("punto-hands .player punto-card .turn.up").count() == 2)


def test_cards_drawn_together_with_one_patron_withdrawing(chromium: Any, staffed: House) -> None:
    table = staffed.table("baccarat")
    ann, bob = staffed.patrons(2)
    dealer = over_http(staffed.dealer, table)
    with browsing(chromium, staffed.live, ann) as anns, browsing(chromium, staffed.live, bob, "zh") as bobs:
        sit_down(table, anns, bobs)
        open_bets(dealer, anns, bobs)
        for each in (anns, bobs):
            each.lay("Banker")
            each.lay("Tie")
        dealer("CloseBets")
        dealer("ReportDrawnTogether", count=2, order_known=True)
        for each in (anns, bobs):
            each.page.wait_for_selector("punto-withdrawal")
        bobs.page.locator("punto-withdrawal button.main").click()
        anns.page.locator("punto-withdrawal button", has_text="Take back all").click()
        until(lambda: anns.chips() == 100_000)
        until(lambda: bobs.page.locator("punto-withdrawal").count() == 0)
        assert bobs.chips() == 80_000
        assert {each["patron"] for each in bob.get(f"/api/tables/{table}")["view"]["wagers"]} == {bob.id}


def test_a_void_round_returns_everything_and_says_by_which_clause(chromium: Any, staffed: House) -> None:
    table = staffed.table("tiger")
    (ann,) = staffed.patrons(1)
    dealer = over_http(staffed.dealer, table)
    with browsing(chromium, staffed.live, ann) as anns:
        sit_down(table, anns)
        open_bets(dealer, anns)
        anns.lay("Tiger")
        dealer("CloseBets")
        dealer("DrawCard")
        dealer("ReportVoid", provision="wrong-cards")
        until(lambda: "paused" in anns.text(".phase"))
        staffed[Duty.PIT_MANAGER].done(table, "ConfirmVoid")
        until(lambda: "void" in anns.text(".outcome"))
        until(lambda: anns.chips() == 100_000)


@pytest.mark.long
def test_a_killed_server_comes_back_and_the_page_goes_on_without_reload(chromium: Any, tmp_path: Path) -> None:
    with staffed_house(tmp_path) as made:
        table = made.table("baccarat")
        (ann,) = made.patrons(1)
        dealer = over_http(made.dealer, table)
        with browsing(chromium, made.live, ann) as anns:
            sit_down(table, anns)
            open_bets(dealer, anns)
            anns.lay("Player")
            dealer("CloseBets")
            for _ in range(3):
                dealer("DrawCard")
            until(lambda: anns.page.locator("punto-card").count() == 3)
            port = made.live.address.rsplit(":", 1)[1]
            made.live.kill()
            anns.page.wait_for_selector(".away")
            again = start(made.database, tmp_path, "--port", port)
            try:
                anns.page.wait_for_selector(".away", state="detached", timeout=20_000)
                assert anns.page.locator("punto-card").count() == 3
                assert anns.chips() == 90_000
                dealer("DrawCard")
                until(lambda: anns.page.locator("punto-card").count() == 4)
                anns.page.close()  # or it would look for a server that is gone for good
            finally:
                anns.page.close()
                again.close()
            anns.faults.clear()  # a browser says itself that nobody answered


@pytest.mark.long
def test_a_correction_shows_on_the_display_and_at_the_seat_without_a_reload(chromium: Any, staffed: House) -> None:
    table = staffed.table("baccarat")
    (ann,) = staffed.patrons(1)
    dealer = over_http(staffed.dealer, table)
    with browsing(chromium, staffed.live) as guest, browsing(chromium, staffed.live, ann) as anns:
        guest.open(f"/display/{table}")
        guest.page.wait_for_selector("punto-roads")
        sit_down(table, anns)
        open_bets(dealer, anns)
        anns.lay("Player")
        dealer("CloseBets")
        deal(dealer, "9h Ks Th 2c")
        dealer("AnnounceOutcome")
        dealer("SettleRound")
        until(lambda: guest.page.locator("tbody td.player").count() == 1)
        until(lambda: anns.chips() == 110_000)
        staffed.manager.done(
            table, "CorrectRound", round=1, player=[["9", "h"], ["T", "h"]], banker=[["K", "s"], ["9", "c"]]
        )
        guest.page.wait_for_selector(".notice")
        until(lambda: guest.page.locator("tr.corrected td.tie").count() == 1)
        until(lambda: "6.3" in guest.text(".notice") and "Tie, 9 to 9" in guest.text(".notice"))
        until(lambda: anns.chips() == 100_000)
        until(lambda: "Tie, 9 to 9" in anns.text(".noticed") and "You broke even" in anns.text(".noticed"))
        for each in (guest, anns):
            each.page.wait_for_selector("punto-hands .banker [aria-label='9 of clubs']")
            assert each.text(".outcome") == "Tie, 9 to 9"
            assert each.page.locator("punto-roads figure").first.inner_text().endswith("T")
        anns.page.click("punto-tabs #tab-rounds")
        assert "corrected" in anns.text(".rounds .tag")
        anns.page.locator(".rounds .clause").first.click()
        assert "6.3" in anns.text("dialog.clause")
        assert anns.page.locator(".rounds a").count() == 0
    with browsing(chromium, staffed.live, staffed.manager) as managers:
        managers.open(f"/tables/{table}")
        managers.page.click("punto-tabs #tab-rounds")
        assert managers.page.locator(".rounds a").get_attribute("href") == f"/audit/{table}/1"
        assert managers.page.locator("#tab-limits").count() == 0
