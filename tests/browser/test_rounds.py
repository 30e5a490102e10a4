"""Rounds played at the pages, in a real browser. The cards are dealt by hand, so that everything is known."""

from __future__ import annotations

from typing import Any

import pytest
from support.live import Someone
from support.long import others_long
from support.page_watch import DESKTOP, PHONE, Patron, browsing, open_bets, sit_down
from support.playing import Give, House, account, chips, deal, over_http, until

from punto import APPROVED

CARDS = "2h 4s 3h 2c 5d"
"""Player draws to 0 and Banker wins on 6 with two cards, so that every game pays something of its own."""
CHIP = 2_500


def finish(dealer: Give) -> None:
    dealer("CloseBets")
    deal(dealer, CARDS)
    dealer("AnnounceOutcome")
    dealer("SettleRound")


PLAYER = "punto-areas button[data-wager=Player]"


class Seated:
    """A patron at a table whose Dealer has opened the betting."""

    def __init__(self, staffed: House, game: str, holds: int = 10_000_000) -> None:
        self.table = staffed.table(game)
        self.dealer = over_http(staffed.dealer, self.table)
        self.someone: Someone = staffed.patrons(1, holds)[0]

    def begin(self, patron: Patron, amount: str) -> None:
        sit_down(self.table, patron, amount=amount)
        open_bets(self.dealer, patron)


def wager_on_everything(patron: Patron) -> int:
    areas = patron.page.locator("punto-areas button")
    for number in range(areas.count()):
        areas.nth(number).click()
    until(lambda: patron.page.locator("punto-areas .stake:not(.waiting)").count() == areas.count())
    return int(areas.count())


@pytest.mark.parametrize("game", others_long(APPROVED))
def test_a_round_with_a_wager_on_every_area_pays_to_the_cent(chromium: Any, staffed: House, game: str) -> None:
    seat = Seated(staffed, game, holds=100_000)
    with browsing(chromium, staffed.live, seat.someone) as patron:
        seat.begin(patron, "600")
        laid = wager_on_everything(patron)
        assert patron.chips() == 60_000 - laid * CHIP
        finish(seat.dealer)
        patron.page.wait_for_selector("details.mine")
        (settled,) = (each["mine"] for each in seat.someone.get(f"/api/tables/{seat.table}/rounds"))
        assert len(settled) == laid
        returned = sum(each["returned"] for each in settled)
        assert returned > 0
        until(lambda: patron.chips() == 60_000 - laid * CHIP + returned)
        assert chips(seat.someone, seat.table) == patron.chips()
        patron.page.click("details.mine summary")
        assert patron.page.locator("details.mine tbody tr").count() == laid
        patron.page.locator("details.mine button.clause").first.click()
        assert patron.page.locator("dialog.clause p").count() > 0
    assert account(seat.someone) == 40_000


def test_a_round_by_keyboard_alone(chromium: Any, staffed: House) -> None:
    seat = Seated(staffed, "baccarat")
    with browsing(chromium, staffed.live, seat.someone) as patron:
        keys = patron.page.keyboard
        patron.sit(seat.table)
        patron.tab_to(".money-line button")
        keys.press("Enter")
        patron.tab_to("input[name=amount]")
        keys.type("500")
        keys.press("Enter")
        until(lambda: patron.chips() == 50_000)
        open_bets(seat.dealer, patron)
        keys.press("1")
        patron.tab_to("[data-wager=Player]")
        keys.press("Enter")
        until(lambda: patron.chips() == 49_500)
        keys.press("d")
        until(lambda: patron.chips() == 49_000)
        keys.press("z")
        until(lambda: patron.chips() == 49_500)
        keys.press("Delete")
        until(lambda: patron.chips() == 50_000)
        keys.press("z")
        until(lambda: patron.chips() == 49_500)
        finish(seat.dealer)
        patron.page.wait_for_selector("details.mine")
        patron.page.evaluate("document.activeElement.blur()")
        patron.tab_to("details.mine summary")
        keys.press("Enter")
        patron.tab_to("button.clause")
        keys.press("Enter")
        assert patron.page.locator("dialog.clause[open] p").count() > 0
        keys.press("Escape")
        patron.page.wait_for_selector("dialog.clause[open]", state="detached")
        before = patron.chips()
        open_bets(seat.dealer, patron)
        keys.press("r")
        until(lambda: patron.chips() == before - 500)
        keys.press("c")
        until(lambda: patron.chips() == before)


@pytest.mark.parametrize(("motion", "animation"), others_long([("no-preference", "dealt"), ("reduce", "none")]))
def test_cards_are_dealt_with_motion_and_without_it_for_those_who_want_none(
    chromium: Any, staffed: House, motion: str, animation: str
) -> None:
    table = staffed.table("baccarat")
    dealer = over_http(staffed.dealer, table)
    with browsing(chromium, staffed.live, motion=motion) as guest:
        guest.open(f"/tables/{table}")
        guest.page.wait_for_selector("punto-areas")
        dealer("OpenBets")
        dealer("CloseBets")
        dealer("DrawCard")
        card = guest.page.wait_for_selector("punto-card", state="attached")
        assert card.evaluate("each => getComputedStyle(each).animationName") == animation
        turn = "each => getComputedStyle(each.shadowRoot.querySelector('.turn')).transitionProperty"
        assert card.evaluate(turn) == ("transform" if animation == "dealt" else "none")


TOTALS_TOO_EARLY = """() => {
  const hands = document.querySelector("punto-seat").shadowRoot.querySelector("punto-hands").shadowRoot;
  const isMoving = (card) => card.shadowRoot.querySelector(".turn.up")?.getAnimations().concat(card.getAnimations())
    .some((each) => each.playState === "running");
  window.tooEarly = 0;
  const look = () => {
    const shown = [...hands.querySelectorAll(".hand")].filter((hand) => {
      const total = hand.querySelector(".total");
      return total && getComputedStyle(total).opacity > 0;
    });
    window.totals = shown.length;
    window.tooEarly += shown.filter((hand) => [...hand.querySelectorAll("punto-card")].some(isMoving)).length;
    requestAnimationFrame(look);
  };
  look();
}"""
"""Counts the totals that are in sight, and those that were while a card of their hand was still moving."""


@pytest.mark.parametrize(("language", "screen"), others_long([("zh", PHONE), ("en", PHONE), ("zh", DESKTOP)]))
def test_a_round_on_any_screen_in_any_language(
    chromium: Any, staffed: House, language: str, screen: dict[str, int]
) -> None:
    seat = Seated(staffed, "tiger")
    with browsing(chromium, staffed.live, seat.someone, language, screen, motion="no-preference") as patron:
        seat.begin(patron, "1000")
        wager_on_everything(patron)
        patron.page.evaluate(TOTALS_TOO_EARLY)
        finish(seat.dealer)
        patron.page.wait_for_selector("details.mine")
        assert patron.page.evaluate("document.documentElement.scrollWidth") <= screen["width"]
        until(lambda: patron.page.evaluate("window.totals") == 2)
        assert patron.page.evaluate("window.tooEarly") == 0


@pytest.mark.parametrize(
    ("language", "first", "expected"),
    others_long([("en", "You have no chips", "is 500.00"), ("zh", "请先买入", "最高下注 500.00")]),
)
def test_a_refusal_is_a_sentence_in_the_patrons_language(
    chromium: Any, staffed: House, language: str, first: str, expected: str
) -> None:
    seat = Seated(staffed, "fabulous-4")
    with browsing(chromium, staffed.live, seat.someone, language) as patron:
        patron.sit(seat.table)
        open_bets(seat.dealer, patron)
        tie = patron.page.locator("punto-areas button[data-wager=Tie]")
        tie.click()
        until(lambda: first in patron.text(".refused"))
        patron.buy_in("6000")
        patron.page.click("punto-rack [data-chip='500000']")
        tie.click()
        until(lambda: expected in patron.text(".refused"))
        assert patron.chips() == 600_000


@pytest.mark.long
def test_a_loss_limit_holds_in_every_browser_and_is_not_raised_at_once(chromium: Any, staffed: House) -> None:
    seat = Seated(staffed, "baccarat")
    with browsing(chromium, staffed.live, seat.someone) as patron:
        seat.begin(patron, "500")
        patron.page.click("punto-tabs #tab-limits")
        limit = patron.page.locator("punto-my-limits input[name=limit]")
        limit.fill("a lot")
        limit.press("Enter")
        patron.page.wait_for_selector("punto-my-limits [role=alert]")
        limit.fill("40")
        limit.press("Enter")
        patron.page.wait_for_selector("punto-my-limits [data-limit='4000']")
        player = patron.page.locator(PLAYER)
        player.click()
        until(lambda: patron.chips() == 47_500)
        player.click()
        until(lambda: "40.00" in patron.text(".refused"))
        limit.fill("100")
        limit.press("Enter")
        patron.page.wait_for_selector("punto-my-limits [data-eased]")
        player.click()
    with browsing(chromium, staffed.live, seat.someone, "zh") as elsewhere:
        elsewhere.sit(seat.table)
        elsewhere.page.locator(PLAYER).click()
        until(lambda: "40.00" in elsewhere.text(".refused"))
    assert chips(seat.someone, seat.table) == 47_500
