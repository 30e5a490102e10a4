"""A Dealer's shift at the page: how fast wagers and cards are keyed, and what Enter and a watcher must not do."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any

import pytest
from browser.test_dealer import FIRST_FOUR, AtTheTable, tap
from support.long import others_long
from support.page_watch import Patron, browsing
from support.playing import House, until

from punto.server.access.identity import Duty

NAMES = ("Mr. Tan", "陈先生", "Ms. Lee", "Ann", "Bob", "Cat", "Dan", "Eve", "Fay")
NATURAL = ("4h", "5h", "2s", "2c")
"""Player has 9: four cards decide the round."""
PRESSES = """() => {
    window.presses = { keys: 0, taps: 0 };
    addEventListener("keydown", () => { presses.keys += 1; }, true);
    addEventListener("pointerdown", () => { presses.taps += 1; }, true);
}"""


@contextmanager
def at_work(chromium: Any, house: House, guests: int = 0, **setting: Any) -> Iterator[tuple[Patron, AtTheTable]]:
    """A Dealer at a table of their own, with guests who have bought in, one at each position."""
    table = house.table("baccarat", **setting)
    with browsing(chromium, house.live, house.dealer) as sams:
        dealer = AtTheTable(sams, house.dealer, table)
        sams.page.click("#tab-patrons")
        for position, name in enumerate(NAMES[:guests], 1):
            buy_in(sams, dealer, f"{name} of {table}", position)
        yield sams, dealer


def buy_in(sams: Patron, dealer: AtTheTable, name: str, position: int) -> None:
    for field, value in (("patron", name), ("amount", "5000")):
        sams.page.fill(f"punto-patrons input[name={field}]", value)
    sams.page.select_option("punto-patrons select[name=position]", str(position))
    sams.page.click("punto-patrons button.main")
    dealer.click("punto-patrons button.main")  # a new name is asked about once
    until(lambda: sams.page.input_value("punto-patrons input[name=patron]") == "")


@pytest.mark.long
def test_nine_seats_with_three_wagers_each_in_25_seconds(chromium: Any, staffed: House) -> None:
    with at_work(chromium, staffed, guests=9) as (sams, dealer):
        dealer.click(".now [data-command=OpenBets]")
        sams.page.wait_for_selector(".entry")
        begun = monotonic()
        for position in range(1, 10):
            tap(sams, position, "Player")
            for amount in ("100", "50", "25"):  # Player, Banker, Tie: Enter goes on to the next area
                sams.page.keyboard.type(amount)
                sams.page.keyboard.press("Enter")
        until(lambda: len(dealer.view["wagers"]) == 27)
        took = monotonic() - begun
        sys.stdout.write(f"27 wagers in {took:.1f} seconds\n")
        assert took < 25
        laid = {(each["position"], each["wager"]): each["amount"] for each in dealer.view["wagers"]}
        for position in range(1, 10):
            amounts = [laid[position, wager] for wager in ("Player", "Banker", "Tie")]
            assert amounts == [10_000, 5_000, 2_500]
        assert dealer.view["phase"] == "betting", "Enter has closed nothing"
        assert len({each["patron"] for each in dealer.view["wagers"]}) == 9


def test_a_round_of_four_cards_takes_12_keys_or_8_taps(chromium: Any, staffed: House) -> None:
    with at_work(chromium, staffed) as (sams, dealer):
        sams.page.evaluate(PRESSES)
        dealer.enter("OpenBets")
        dealer.enter("CloseBets")
        dealer.key(*NATURAL)
        dealer.enter("AnnounceOutcome")
        dealer.enter("SettleRound")
        keys = sams.page.evaluate("presses.keys")
        for command in ("OpenBets", "CloseBets"):
            dealer.click(f".now [data-command={command}]")
        for card in ("4 of hearts", "5 of hearts", "2 of spades", "2 of clubs"):
            sams.page.click(f'punto-card-pad button[aria-label="{card}" i]')
        for command in ("AnnounceOutcome", "SettleRound"):
            sams.page.click(f".now .big[data-command={command}]")
        until(lambda: dealer.view["phase"] == "idle")
        taps = sams.page.evaluate("presses.taps")
        sys.stdout.write(f"a round of four cards: {keys} keys, or {taps} taps\n")
        assert (keys, taps) == (12, 8)
        assert [each["winner"] for each in dealer._someone.get(f"/api/tables/{dealer.table}/rounds")] == ["player"] * 2


def hammer(sams: Patron) -> None:
    """Press Enter ten times a second, then hold it down."""
    for _ in range(12):
        sams.page.keyboard.press("Enter")
        sams.pause(100)
    for _ in range(20):
        sams.page.keyboard.down("Enter")
        sams.pause(50)
    sams.page.keyboard.up("Enter")
    sams.page.wait_for_timeout(700)


@pytest.mark.long
def test_enter_hammered_or_held_down_closes_settles_and_places_nothing(chromium: Any, staffed: House) -> None:
    with at_work(chromium, staffed, guests=1) as (sams, dealer):
        dealer.click(".now [data-command=OpenBets]")
        sams.pause(2_100)
        hammer(sams)
        assert dealer.view["phase"] == "betting"
        sams.page.focus(".now .big")
        hammer(sams)
        assert dealer.view["phase"] == "betting", "the button in focus is no way around"
        tap(sams, 1, "Tie")
        sams.page.keyboard.type("50")
        hammer(sams)
        assert (dealer.view["phase"], dealer.view["wagers"]) == ("betting", [])
        sams.page.keyboard.press("Escape")
        until(lambda: len(dealer.view["wagers"]) == 1)
        dealer.click(".now [data-command=CloseBets]")
        dealer.key(*NATURAL)
        dealer.click(".now [data-command=AnnounceOutcome]")
        dealer.waits_for("SettleRound")
        sams.pause(2_100)
        hammer(sams)
        assert dealer.view["phase"] == "outcome"
        dealer.enter("SettleRound")


def test_a_dealer_who_is_not_on_duty_watches(chromium: Any, staffed: House) -> None:
    table = staffed.table("baccarat")
    staffed[Duty.PIT_MANAGER].done(table, "SignOn")
    with browsing(chromium, staffed.live, staffed.dealer) as sams:
        dealer = AtTheTable(sams, staffed.dealer, table)
        sams.page.wait_for_selector(".watching")
        assert sams.page.locator(".now .big, .trouble, #tab-patrons, #tab-irregular").count() == 0
        dealer.click("[data-command=SignOn]")
        dealer.waits_for("OpenBets")
        assert dealer.view["on_duty"] == staffed.dealer.id
        sams.page.click("[data-command=SignOff]")
        dealer.click(".sure[data-command=SignOff]")
        until(lambda: dealer.view["on_duty"] is None)


def test_the_call_is_labelled_the_pit_is_called_and_the_shoe_taken_off_after_a_question(
    chromium: Any, staffed: House
) -> None:
    with at_work(chromium, staffed) as (sams, dealer):
        assert sams.text(".say") == "Say next"
        sams.page.click(".call-pit")
        sams.page.fill(".calling input", "the power failed")
        dealer.click(".calling [data-command=CallPit]")
        assert [each["note"] for each in dealer.view["calls"]] == ["the power failed"]
        until(lambda: sams.text(".call-pit") == "Pit called")
        assert sams.page.locator(".calling").count() == 0
    manager = staffed[Duty.PIT_MANAGER]
    with browsing(chromium, staffed.live, manager) as pats:
        page = AtTheTable(pats, manager, dealer.table)
        pats.page.click(".now [data-command=EndShoe]")
        assert page.view["shoe"], "it is asked about first"
        page.click(".now .sure[data-command=EndShoe]")
        until(lambda: page.view["shoe"] is None)


def offered(sams: Patron) -> set[str]:
    """What "Something went wrong" lists."""
    sams.page.click("button.trouble")
    sams.page.wait_for_selector("punto-irregular .list [data-procedure]")
    keys = sams.page.locator("punto-irregular .list [data-procedure]").evaluate_all(
        "all => all.map(each => each.dataset.procedure)"
    )
    return set(keys)


@pytest.mark.long
def test_something_went_wrong_lists_what_can_have_happened_now(chromium: Any, staffed: House) -> None:
    with at_work(chromium, staffed, guests=1) as (sams, dealer):
        first = offered(sams)
        assert {"late-wager", "wrong-payout", "wrong-order", "miskeyed", "mistaken-report", "device-left"}.isdisjoint(
            first
        )
        dealer.click(".now [data-command=OpenBets]")
        tap(sams, 1, "Player")
        sams.page.keyboard.type("100")
        dealer.click(".entry [data-do=next]")
        sams.page.keyboard.press("Escape")
        dealer.click(".now [data-command=CloseBets]")
        dealer.report("drawn-together")
        dealer.key(*FIRST_FOUR, "5d")
        assert {"miskeyed", "wrong-order", "late-withdrawal"} <= offered(sams), "the list, not the form left open"
        sams.page.click("punto-irregular [data-procedure=miskeyed]")
        dealer.click("punto-irregular [data-command=CallPit]")  # the Dealer may not correct it
        assert dealer.view["calls"]
        dealer.click(".now [data-command=AnnounceOutcome]")
        dealer.click(".now [data-command=SettleRound]")
        assert "wrong-payout" in offered(sams)
        sams.page.click("punto-irregular [data-procedure=wrong-payout]")
        sams.page.fill("punto-irregular input[name=round]", "1")
        sams.page.select_option("punto-irregular select[name=patron]", index=1)
        sams.page.locator("punto-irregular .choices label").first.click()
        sams.page.select_option("punto-irregular select[name=wager]", "Player")
        sams.page.fill("punto-irregular input[name=amount]", "150")
        dealer.click("punto-irregular punto-ask button.main")
        events = dealer._someone.get(f"/api/tables/{dealer.table}/events")
        assert events[-1]["name"] == "PayoutCorrected"


@pytest.mark.long
def test_every_answer_has_a_button_on_the_patrons_row(chromium: Any, staffed: House) -> None:
    with at_work(chromium, staffed, guests=2) as (sams, dealer):
        dealer.click(".now [data-command=OpenBets]")
        for position, wager in ((1, "Player"), (1, "Tie"), (2, "Banker")):
            tap(sams, position, wager)
            sams.page.keyboard.type("100")
        sams.page.click(".entry [data-do=next]")
        until(lambda: len(dealer.view["wagers"]) == 3)
        sams.page.keyboard.press("Escape")
        dealer.click(".now [data-command=CloseBets]")
        staffed[Duty.PIT_MANAGER].done(dealer.table, "ReportPowerFailure")
        sams.page.wait_for_selector(".answers tr[data-patron]")
        assert "Enter" not in sams.text(".now"), "nothing seems to be for Enter while play is held"
        tan, chen = (sams.page.locator(".answers tr", has_text=name) for name in NAMES[:2])
        dealer._done(lambda: chen.locator("[data-answer=stands]").click())
        dealer._done(lambda: tan.locator("[data-answer=all]").click())
        until(lambda: dealer.view["hold"] is None)
        assert [each["wager"] for each in dealer.view["wagers"]] == ["Banker"]


@pytest.mark.parametrize("language", others_long(["en", "zh"]))
def test_nothing_keeps_people_from_using_the_felt(chromium: Any, staffed: House, language: str) -> None:
    table, dealer = staffed.table("baccarat"), staffed.dealer
    dealer.post(f"/api/tables/{table}/guests", name="Mr. Tan", amount=100_000)
    dealer.done(table, "OpenBets")
    with browsing(chromium, staffed.live, dealer, language) as sams:
        AtTheTable(sams, dealer, table)
        tap(sams, 2, "Tie")
        sams.page.wait_for_selector(".entry.open")
        assert sams.hindrances() == []
