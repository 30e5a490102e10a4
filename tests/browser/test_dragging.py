"""Chips are dragged from the rack onto an area, from one area to another, and off the layout: by mouse and finger."""

from __future__ import annotations

from typing import Any

import pytest
from support.live import Someone
from support.long import others_long
from support.page_watch import DESKTOP, PHONE, Patron, browsing, open_bets, sit_down
from support.playing import House, over_http, until


class Mouse:
    def __init__(self, patron: Patron) -> None:
        self._mouse = patron.page.mouse

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        self._mouse.move(*start)
        self._mouse.down()
        self._mouse.move(*end, steps=6)
        self._mouse.up()


class Finger:
    def __init__(self, patron: Patron) -> None:
        self._screen = patron.page.context.new_cdp_session(patron.page)

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        self._touch("touchStart", start)
        for step in range(1, 7):
            share = step / 6
            self._touch("touchMove", (start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])))
        self._touch("touchEnd")

    def _touch(self, kind: str, *points: tuple[float, float]) -> None:
        touched = [{"x": x, "y": y} for x, y in points]
        self._screen.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touched})


class Layout:
    """A patron's seat with the betting open, where things are by their selectors, and what lies where."""

    def __init__(self, staffed: House, patron: Patron, someone: Someone) -> None:
        self.patron, self.someone, self.table = patron, someone, staffed.table("baccarat")
        sit_down(self.table, patron)
        open_bets(over_http(staffed.dealer, self.table), patron)
        self.position = int(patron.text("punto-seat-choice button").split()[-1])

    def place(self, selector: str) -> tuple[float, float]:
        found = self.patron.page.locator(selector).first
        found.scroll_into_view_if_needed()
        box = found.bounding_box()
        assert box
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def both(self, start: str, end: str) -> tuple[tuple[float, float], tuple[float, float]]:
        """Where two things are while both are in sight."""
        self.place(start)
        return self.place(start), self.place(end)

    def lies(self) -> dict[tuple[int, str], int]:
        wagers = self.someone.get(f"/api/tables/{self.table}")["view"]["wagers"]
        return {(each["position"], each["wager"]): each["amount"] for each in wagers}

    def comes_to_lie(self, expected: dict[tuple[int, str], int]) -> None:
        until(lambda: self.lies() == expected)
        self.patron.page.wait_for_selector("punto-areas .waiting", state="detached")


AREA = "punto-areas button[data-wager='{}']"
STAKE = "punto-areas .stake[data-wager='{}']"
HUNDRED = "punto-rack [data-chip='10000']"
NOWHERE = ".head"


@pytest.mark.parametrize(
    ("screen", "pointer"), others_long([(DESKTOP, Mouse), (PHONE, Finger)]), ids=["mouse", "finger"]
)
def test_chips_are_dragged_onto_between_and_off_areas(
    chromium: Any, staffed: House, screen: dict[str, int], pointer: type[Mouse | Finger]
) -> None:
    (ann,) = staffed.patrons(1)
    with browsing(chromium, staffed.live, ann, screen=screen) as patron:
        at, drag = Layout(staffed, patron, ann), pointer(patron).drag
        here = at.position
        drag(*at.both(HUNDRED, AREA.format("Banker")))
        at.comes_to_lie({(here, "Banker"): 10_000})
        drag(*at.both(HUNDRED, AREA.format("Banker")))
        at.comes_to_lie({(here, "Banker"): 20_000})
        drag(*at.both(STAKE.format("Banker"), AREA.format("Tie")))
        at.comes_to_lie({(here, "Tie"): 20_000})
        drag(*at.both(STAKE.format("Tie"), NOWHERE))
        at.comes_to_lie({})
        assert patron.chips() == 100_000
        patron.page.keyboard.press("z")
        at.comes_to_lie({(here, "Tie"): 20_000})
        drag(at.place(HUNDRED), at.place(NOWHERE))
        assert at.lies() == {(here, "Tie"): 20_000}
        assert patron.page.locator(".lifted").count() == 0


@pytest.mark.long
def test_a_patron_moves_to_another_seat_on_purpose_only(chromium: Any, staffed: House) -> None:
    (ann,) = staffed.patrons(1)
    with browsing(chromium, staffed.live, ann) as patron:
        at = Layout(staffed, patron, ann)
        patron.page.click("punto-seat-choice button.own")
        patron.page.click("punto-seat-choice [aria-label='Move to seat 8']")
        patron.lay("Player")
        at.comes_to_lie({(8, "Player"): 10_000})
        Mouse(patron).drag(*at.both(STAKE.format("Player"), AREA.format("Banker")))
        at.comes_to_lie({(8, "Banker"): 10_000})


@pytest.mark.long
def test_a_wager_that_is_refused_where_it_is_dragged_stays_where_it_was(chromium: Any, staffed: House) -> None:
    (ann,) = staffed.patrons(1)
    with browsing(chromium, staffed.live, ann) as patron:
        at, drag = Layout(staffed, patron, ann), Mouse(patron).drag
        for _ in range(6):
            patron.lay("Banker")
        lies = {(at.position, "Banker"): 60_000}
        at.comes_to_lie(lies)
        drag(*at.both(STAKE.format("Banker"), AREA.format("Tie")))  # and there are too few chips to place it twice
        until(lambda: "is 500.00" in patron.text(".refused"))
        at.comes_to_lie(lies)
        for _ in range(4):
            patron.lay("Banker")
        drag(*at.both(STAKE.format("Banker"), AREA.format("Player")))
        at.comes_to_lie({(at.position, "Player"): 100_000})


@pytest.mark.long
def test_escape_lets_a_dragged_chip_go(chromium: Any, staffed: House) -> None:
    (ann,) = staffed.patrons(1)
    with browsing(chromium, staffed.live, ann) as patron:
        at, mouse = Layout(staffed, patron, ann), patron.page.mouse
        start, end = at.both(HUNDRED, AREA.format("Tie"))
        mouse.move(*start)
        mouse.down()
        mouse.move(*end, steps=4)
        assert patron.page.locator(".lifted").count() == 1
        assert patron.page.locator(AREA.format("Tie")).get_attribute("data-over") == ""
        patron.page.keyboard.press("Escape")
        assert patron.page.locator(".lifted").count() == 0
        mouse.up()
        assert at.lies() == {}


@pytest.mark.long
def test_without_dragging_the_hand_takes_back_what_is_tapped(chromium: Any, staffed: House) -> None:
    (ann,) = staffed.patrons(1)
    with browsing(chromium, staffed.live, ann) as patron:
        at = Layout(staffed, patron, ann)
        for chip in (10_000, 2_500):
            patron.lay("Banker", chip)
        patron.lay("Tie")
        patron.page.click("punto-rack label.hand")
        patron.page.click(AREA.format("Banker"))
        at.comes_to_lie({(at.position, "Banker"): 10_000, (at.position, "Tie"): 10_000})
        patron.page.click(AREA.format("Banker"))
        at.comes_to_lie({(at.position, "Tie"): 10_000})
