"""Bets of every kind, by tap, drag and keys; favourite bets; sound; and what a broken connection does to a bet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from support.live import Someone
from support.long import others_long
from support.page_watch import DESKTOP, PHONE, Patron, browsing, open_bets, sit_down
from support.playing import House, chips, deal, over_http, until

from punto import APPROVED

CHIP = 2_500
RACK = f"punto-rack [data-chip='{CHIP}']"
AREA = "punto-areas button[data-wager='{}']"
SIX_ON_TWO = "2h 4s 3h 2c 5d"
"""Player draws to 0 and Banker wins on 6 with two cards, so that every game pays something of its own."""


class Seat:
    """A patron's seat with the betting open, and what the server says lies there."""

    def __init__(self, staffed: House, patron: Patron, someone: Someone, game: str = "baccarat") -> None:
        self.table, self.patron, self.someone = staffed.table(game), patron, someone
        self.dealer = over_http(staffed.dealer, self.table)
        sit_down(self.table, patron)
        open_bets(self.dealer, patron)

    @property
    def wagers(self) -> list[str]:
        areas = self.patron.page.locator("punto-areas button")
        return [str(areas.nth(number).get_attribute("data-wager")) for number in range(areas.count())]

    def lies(self) -> dict[str, int]:
        wagers = self.someone.get(f"/api/tables/{self.table}")["view"]["wagers"]
        return {each["wager"]: each["amount"] for each in wagers}

    def comes_to_lie(self, expected: dict[str, int]) -> None:
        until(lambda: self.lies() == expected)
        self.patron.page.wait_for_selector("punto-areas .waiting", state="detached")

    def tap(self, wager: str) -> None:
        self.patron.page.click(AREA.format(wager))

    def drag(self, wager: str) -> None:
        mouse = self.patron.page.mouse
        mouse.move(*self._middle(RACK))
        mouse.down()
        mouse.move(*self._middle(AREA.format(wager)), steps=4)
        mouse.up()

    def key(self, wager: str) -> None:
        self.patron.page.keyboard.press("2")
        self.patron.tab_to(f"button[data-wager='{wager}']")
        self.patron.page.keyboard.press("Enter")

    def _middle(self, selector: str) -> tuple[float, float]:
        box = self.patron.page.locator(selector).bounding_box()
        assert box
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def settle(self) -> int:
        """Deal the round and settle it; what the patron is handed back."""
        self.dealer("CloseBets")
        deal(self.dealer, SIX_ON_TWO)
        self.dealer("AnnounceOutcome")
        self.dealer("SettleRound")
        self.patron.page.wait_for_selector("details.mine")
        (settled,) = (each["mine"] for each in self.someone.get(f"/api/tables/{self.table}/rounds"))
        return sum(int(each["returned"]) for each in settled)


@pytest.mark.parametrize("game", others_long(APPROVED))
def test_a_wager_of_every_kind_is_placed_by_tap_drag_and_keys(chromium: Any, staffed: House, game: str) -> None:
    (ann,) = staffed.patrons(1)
    with browsing(chromium, staffed.live, ann) as patron:
        seat = Seat(staffed, patron, ann, game)
        patron.page.click(RACK)
        ways: list[Callable[[str], None]] = [seat.tap, seat.drag, seat.key]
        for number, way in enumerate(ways, start=1):
            for wager in seat.wagers:
                way(wager)
            seat.comes_to_lie(dict.fromkeys(seat.wagers, number * CHIP))
        patron.page.keyboard.press("Delete")  # one chip of the wager in focus
        expected = dict.fromkeys(seat.wagers, 3 * CHIP) | {seat.wagers[-1]: 2 * CHIP}
        seat.comes_to_lie(expected)
        left = 100_000 - sum(expected.values())
        until(lambda: patron.chips() == left)
        returned = seat.settle()
        assert returned > 0
        until(lambda: patron.chips() == left + returned)
        assert chips(ann, seat.table) == left + returned


class Line:
    """The line between a page and the server, which a test may cut, or let nothing through one way."""

    def __init__(self, patron: Patron) -> None:
        self.is_down = self.holds_orders = self.loses_answers = False
        self._patron = patron
        self._ends: list[Any] = []
        patron.page.route_web_socket("**/api/socket", self._connect)

    def _connect(self, page: Any) -> None:
        if self.is_down:
            page.close()
            return
        server = page.connect_to_server()
        page.on_message(lambda said: None if self.holds_orders else server.send(said))
        server.on_message(lambda said: None if self.loses_answers else page.send(said))
        self._ends.append(page)

    def cut(self) -> None:
        self.is_down = True
        for each in self._ends:
            each.close()
        self._ends = []
        self._patron.page.wait_for_selector(".away")

    def mend(self) -> None:
        self.is_down = self.holds_orders = self.loses_answers = False
        self._patron.page.wait_for_selector(".away", state="detached")


def test_a_tap_without_a_connection_is_refused_and_never_sent_later(chromium: Any, staffed: House) -> None:
    (ann,) = staffed.patrons(1)
    with browsing(chromium, staffed.live, ann) as patron:
        line = Line(patron)
        seat = Seat(staffed, patron, ann)
        line.cut()
        assert not patron.page.is_enabled(AREA.format("Tie"))
        patron.page.click(AREA.format("Tie"), force=True)
        until(lambda: patron.text(".refused") == "Not connected: the bet was not placed")
        line.mend()
        seat.tap("Player")
        seat.comes_to_lie({"Player": CHIP})
        patron.page.wait_for_selector(".refused", state="hidden")  # overtaken
        assert patron.page.locator(".unsent").count() == 0


def test_what_the_browser_says_about_its_network_is_said_at_once(chromium: Any, staffed: House) -> None:
    (ann,) = staffed.patrons(1)
    with browsing(chromium, staffed.live, ann) as patron:
        line = Line(patron)
        seat = Seat(staffed, patron, ann)
        line.holds_orders = line.is_down = True
        seat.tap("Tie")
        patron.page.context.set_offline(True)
        patron.page.wait_for_selector(".away")
        assert "may or may not have arrived" in patron.text(".away")
        patron.page.context.set_offline(False)
        line.mend()
        patron.page.wait_for_selector("punto-areas[open]")


@pytest.mark.long
def test_a_bet_whose_answer_was_lost_counts_once_and_nothing_is_asked(chromium: Any, staffed: House) -> None:
    (ann,) = staffed.patrons(1)
    with browsing(chromium, staffed.live, ann) as patron:
        line = Line(patron)
        seat = Seat(staffed, patron, ann)
        line.loses_answers = True
        seat.tap("Tie")
        until(lambda: seat.lies() == {"Tie": CHIP})
        line.cut()
        line.mend()
        seat.comes_to_lie({"Tie": CHIP})
        until(lambda: patron.chips() == 100_000 - CHIP)
        assert patron.page.locator(".unsent").count() == 0


def test_a_bet_that_was_held_up_is_placed_only_when_the_patron_says_so(chromium: Any, staffed: House) -> None:
    (ann,) = staffed.patrons(1)
    with browsing(chromium, staffed.live, ann) as patron:
        line = Line(patron)
        seat = Seat(staffed, patron, ann)
        for answer, expected in (("Leave it", {}), ("Send now", {"Tie": CHIP})):
            patron.pause(-10_000)  # as if the tap had been ten seconds ago
            line.holds_orders = True
            seat.tap("Tie")
            line.cut()
            line.mend()
            patron.page.wait_for_selector(".unsent")
            assert "Tie +25.00" in patron.text(".unsent")
            assert seat.lies() == {}
            patron.page.click(f".unsent button:text('{answer}')")
            seat.comes_to_lie(expected)
            assert patron.page.locator(".unsent").count() == 0


@pytest.mark.long
def test_favourite_bets_are_saved_placed_and_deleted_on_a_phone(chromium: Any, staffed: House) -> None:
    (ann,) = staffed.patrons(1)
    with browsing(chromium, staffed.live, ann, screen=PHONE) as patron:
        seat = Seat(staffed, patron, ann)
        for wager in ("Player", "Tie", "Player"):
            patron.lay(wager, CHIP)
        bets = {"Player": 2 * CHIP, "Tie": CHIP}
        star = patron.page.locator("punto-favourites .star")
        star.click()
        patron.page.fill("punto-favourites input", "Lucky 8")
        patron.page.click("punto-favourites form button")
        assert "Lucky 8" in patron.text("punto-favourites .one")
        assert patron.hindrances() == []
        star.click()
        patron.page.keyboard.press("c")
        seat.comes_to_lie({})
        patron.page.reload()
        patron.page.wait_for_selector("punto-areas[open]")
        star.click()
        patron.page.click("punto-favourites .one")
        seat.comes_to_lie(bets)
        patron.page.keyboard.press("c")
        seat.comes_to_lie({})
        patron.page.set_viewport_size(DESKTOP)
        patron.page.click("punto-favourites .quick")  # where there is room, one tap is enough
        seat.comes_to_lie(bets)
        star.click()
        patron.page.click("punto-favourites .remove")
        patron.page.wait_for_selector("punto-favourites .one", state="detached")


@pytest.mark.long
def test_sounds_are_loaded_only_when_they_are_switched_on_and_stay_on(chromium: Any, staffed: House) -> None:
    (ann,) = staffed.patrons(1)
    with browsing(chromium, staffed.live, ann) as patron:
        loaded: list[str] = []
        patron.page.on("request", lambda sent: loaded.append(sent.url) if "synthesiser" in sent.url else None)
        seat = Seat(staffed, patron, ann)
        patron.lay("Tie", CHIP)
        assert loaded == []
        patron.page.click("punto-sound button")
        patron.page.check("punto-sound input[type=checkbox]")
        until(lambda: len(loaded) == 1)
        assert patron.hindrances() == []
        patron.page.mouse.click(5, 700)
        patron.page.wait_for_selector("punto-sound .choice", state="detached")
        patron.page.reload()
        patron.page.wait_for_selector("punto-areas[open]")
        assert patron.page.get_attribute("punto-sound button", "aria-label") == "Sound: on"
        patron.lay("Tie", CHIP)
        until(lambda: len(loaded) == 2)
        assert seat.lies() == {"Tie": 2 * CHIP}


def test_a_press_that_closes_something_stakes_nothing(chromium: Any, staffed: House) -> None:
    (ann,) = staffed.patrons(1)
    with browsing(chromium, staffed.live, ann) as patron:
        seat = Seat(staffed, patron, ann)
        patron.page.click(RACK)
        patron.page.click("punto-seat-choice button.own")
        seat.tap("Player")
        patron.page.wait_for_selector("punto-seat-choice .choice", state="detached")
        seat.tap("Tie")
        until(lambda: seat.lies() == {"Tie": CHIP})


def test_no_key_gets_through_an_open_dialog(chromium: Any, staffed: House) -> None:
    (ann,) = staffed.patrons(1)
    with browsing(chromium, staffed.live, ann) as patron:
        seat = Seat(staffed, patron, ann)
        patron.lay("Tie", CHIP)
        patron.page.get_by_role("button", name="Buy in / Cash out").click()
        patron.page.locator("punto-money-desk h2").click()
        patron.page.keyboard.press("d")
        patron.page.keyboard.press("Escape")
        patron.lay("Player", CHIP)
        patron.page.keyboard.press("d")
        seat.comes_to_lie({"Tie": 2 * CHIP, "Player": 2 * CHIP})


def test_a_double_that_the_chips_do_not_pay_doubles_nothing(chromium: Any, staffed: House) -> None:
    (ann,) = staffed.patrons(1)
    with browsing(chromium, staffed.live, ann) as patron:
        seat = Seat(staffed, patron, ann)
        for wager in ("Tie", *["Player"] * 5):
            patron.lay(wager)
        patron.page.keyboard.press("d")
        patron.page.get_by_text("You have 400.00 at this table, not 600.00.").first.wait_for()
        assert seat.lies() == {"Tie": 10_000, "Player": 50_000}


@pytest.mark.long
def test_the_clause_of_a_refusal_stands_behind_a_sign(chromium: Any, staffed: House) -> None:
    (ann,) = staffed.patrons(1)
    with browsing(chromium, staffed.live, ann) as patron:
        seat = Seat(staffed, patron, ann)
        patron.page.click("punto-rack [data-chip='100000']")
        seat.tap("Tie")
        patron.page.click(".refused .why")
        assert patron.page.locator("dialog.clause[open] p").count() > 0
        assert patron.page.locator(".refused").first.text_content() == "Maximum bet on Tie is 500.00ⓘ"


def test_who_bets_too_late_is_told_and_takes_chips_back_no_longer(chromium: Any, staffed: House) -> None:
    (ann,) = staffed.patrons(1)
    with browsing(chromium, staffed.live, ann) as patron:
        seat = Seat(staffed, patron, ann)
        patron.page.click("punto-rack label.hand")
        seat.dealer("CloseBets")
        patron.page.wait_for_selector("punto-areas:not([open])")
        patron.page.locator(AREA.format("Tie")).click(force=True)
        until(lambda: "Bets are closed" in patron.text(".refused"))
        assert patron.page.locator("punto-rack label.hand input").is_checked() is False


def test_two_who_sit_down_at_once_do_not_bet_at_one_seat(chromium: Any, staffed: House) -> None:
    ann, bob = staffed.patrons(2)
    with browsing(chromium, staffed.live, ann) as anns, browsing(chromium, staffed.live, bob) as bobs:
        seat = Seat(staffed, anns, ann)
        sit_down(seat.table, bobs)
        at = [each.page.locator("punto-seat-choice button.own") for each in (anns, bobs)]
        assert [each.inner_text() for each in at] == ["Seat 1", "Seat 1"]
        seat.tap("Tie")
        until(lambda: at[1].inner_text() == "Seat 2")
        bobs.page.click(RACK)
        bobs.page.click(AREA.format("Banker"))
        until(lambda: seat.lies() == {"Tie": CHIP, "Banker": CHIP})
        assert [each.inner_text() for each in at] == ["Seat 1", "Seat 2"]
