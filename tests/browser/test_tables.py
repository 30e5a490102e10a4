"""Several tables on one page: bets on each, nothing to scroll for, no round missed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.four_tables import COMPOSITED, fast_tables, watch
from support.long import others_long
from support.page_watch import Patron, browsing
from support.playing import House, deal, over_http, until

SIZE = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
GAMES = ("baccarat", "tiger", "dragon-tiger", "fabulous-4")
LARGE = {"width": 1280, "height": 720}
SCREENS = [(LARGE, 4), (LARGE, 2), ({"width": 1440, "height": 900}, 4), ({"width": 1440, "height": 900}, 2)]
PHONES = [{"width": 390, "height": 844}, {"width": 844, "height": 390}]
CUT_OFF = """() => {
  const page = document.querySelector("punto-tables").shadowRoot;
  const inside = (each) => {
    const { left, top, right, bottom, width } = each.getBoundingClientRect();
    return width > 0 && left >= -1 && top >= -1 && right <= innerWidth + 1 && bottom <= innerHeight + 1;
  };
  const panes = [...page.querySelectorAll("punto-pane")].filter((each) => each.offsetWidth);
  const shown = panes.map((each) => each.shadowRoot);
  const inAreas = (each) => [...each.querySelector("punto-areas").shadowRoot.querySelectorAll("button")];
  const parts = shown.flatMap((each) => [
    ...inAreas(each), ...each.querySelectorAll(".actions button, .felt, header *"),
  ]);
  const rack = [...page.querySelector("punto-rack").shadowRoot.querySelectorAll("label")];
  const tooTall = (each) => each.querySelector(".text").scrollHeight > each.clientHeight + 1;
  const clipped = shown.flatMap(inAreas).filter(tooTall);
  return {
    outside: [...parts, ...rack].filter((each) => !inside(each)).map((each) => each.outerHTML.slice(0, 80)),
    clipped: clipped.map((each) => each.dataset.wager),
  };
}"""
MARKERS = """[...document.querySelector("punto-tables").shadowRoot.querySelectorAll("punto-pane")].flatMap((each) =>
  [...each.shadowRoot.querySelector("punto-hands").shadowRoot.querySelectorAll(".cards")].map(({ childNodes }) => [
    [...childNodes].filter(({ localName }) => localName === "punto-card").length,
    [...childNodes].filter(({ nodeType }) => nodeType === Node.COMMENT_NODE).length,
  ]))"""
"""How many cards there are in each hand, and how many of the markers by which a page finds its parts again."""
WHOLE: dict[str, list[str]] = {"outside": [], "clipped": []}


def open_tables(patron: Patron, tables: list[str]) -> None:
    patron.open(f"/tables?show={','.join(tables)}")
    patron.page.wait_for_selector(f"punto-pane >> nth={len(tables) - 1} >> punto-areas .main", state="attached")


def seated(house: House, games: tuple[str, ...]) -> tuple[list[str], Any]:
    """Tables of these games, and a patron with chips at each."""
    tables, (ann,) = [house.table(game) for game in games], house.patrons(1)
    for table in tables:
        ann.done(table, "BuyIn", patron=ann.id, amount=100_000)
    return tables, ann


def laid_at(house: House, table: str) -> list[Any]:
    wagers: list[Any] = house.dealer.get(f"/api/tables/{table}")["view"]["wagers"]
    return wagers


def until_laid(house: House, table: str, number: int) -> None:
    until(lambda: len(laid_at(house, table)) == number)


@pytest.mark.parametrize(("screen", "number"), others_long(SCREENS), ids=str)
@pytest.mark.parametrize("language", others_long(["en", "zh"]))
def test_tables_fit_a_screen_and_take_bets_on_each(
    chromium: Any, staffed: House, screen: dict[str, int], number: int, language: str
) -> None:
    tables, ann = seated(staffed, GAMES[:number])
    with browsing(chromium, staffed.live, ann, language, screen) as patron:
        page = patron.page
        open_tables(patron, tables)
        for table in tables:
            staffed.dealer.done(table, "OpenBets")
        page.click('punto-rack [data-chip="500"]')
        for at, table in enumerate(tables):
            pane = page.locator("punto-pane").nth(at)
            for area in pane.locator("punto-areas[open] button").all():
                area.click()
            until_laid(staffed, table, pane.locator("punto-areas button").count())
        page.wait_for_selector("punto-areas .waiting", state="detached")
        assert page.evaluate(CUT_OFF) == WHOLE
        for table in tables:
            dealer = over_http(staffed.dealer, table)
            dealer("CloseBets")
            deal(dealer, "2h 3s 3h 2c 5d Kc")
            for step in ("AnnounceOutcome", "SettleRound"):
                dealer(step)
        until(lambda: page.locator("punto-pane details.mine").count() == number)
        assert page.evaluate(CUT_OFF) == WHOLE
        assert page.evaluate(SIZE) == [screen["width"], screen["height"]]
        assert not page.locator("punto-pane .refused:not(:empty)").count()


@pytest.mark.parametrize("screen", others_long(PHONES), ids=str)
@pytest.mark.long
def test_a_phone_shows_one_table_and_switches(chromium: Any, staffed: House, screen: dict[str, int]) -> None:
    tables, ann = seated(staffed, GAMES[:3])
    with browsing(chromium, staffed.live, ann, screen=screen) as patron:
        page = patron.page
        open_tables(patron, tables)
        shown = page.locator("punto-pane:visible")
        for at, table in enumerate(tables):
            page.locator(".switch [role=tab]").nth(at).click()
            assert shown.evaluate_all("all => all.map((each) => each.seat.table)") == [table]
            assert page.evaluate(CUT_OFF) == WHOLE
        assert page.evaluate(SIZE) == [screen["width"], screen["height"]]
        staffed.dealer.done(tables[0], "OpenBets")
        until(lambda: "betting" in page.locator(".switch [role=tab]").first.get_attribute("class"))


def test_the_focus_goes_along_to_the_next_table(chromium: Any, staffed: House) -> None:
    tables, ann = seated(staffed, ("baccarat", "tiger", "tiger"))
    with browsing(chromium, staffed.live, ann, "en", LARGE) as patron:
        page = patron.page
        open_tables(patron, tables)
        for table in tables[:2]:
            staffed.dealer.done(table, "OpenBets")
            page.wait_for_selector(f"punto-areas[open] >> [data-table='{table}'][data-wager='Banker']")
        page.locator("punto-pane").nth(0).locator("[data-wager='Banker']").focus()
        page.keyboard.press("n")
        page.wait_for_selector("punto-pane[active] >> [data-wager='Banker']:focus")
        page.keyboard.press("Enter")
        until_laid(staffed, tables[1], 1)
        assert [each["wager"] for each in laid_at(staffed, tables[1])] == ["Banker"]
        page.keyboard.press("n")  # to a table that takes no bets: Enter does nothing there
        page.wait_for_selector("punto-pane[active] >> section.pane:focus")
        page.keyboard.press("Enter")
        page.locator("punto-pane").nth(0).locator("[data-wager='Tie']").focus()
        page.wait_for_selector(f"punto-pane[active] >> [data-table='{tables[0]}'][data-wager='Tie']:focus")
        page.keyboard.press("Enter")
        until_laid(staffed, tables[0], 1)
        assert [len(laid_at(staffed, each)) for each in tables] == [1, 1, 0]


@pytest.mark.long
def test_a_chip_is_dragged_to_one_table_and_a_table_is_left(chromium: Any, staffed: House) -> None:
    tables, ann = seated(staffed, GAMES[:2])
    with browsing(chromium, staffed.live, ann, screen=LARGE) as patron:
        page = patron.page
        open_tables(patron, tables)
        for table in tables:
            staffed.dealer.done(table, "OpenBets")
        areas = page.locator("punto-pane").nth(1).locator('punto-areas[open] button[data-wager="Banker"]')
        page.locator('punto-rack [data-chip="2500"]').drag_to(areas)
        (laid,) = until(lambda: laid_at(staffed, tables[1]))
        assert (laid["wager"], laid["amount"], laid_at(staffed, tables[0])) == ("Banker", 2_500, [])
        areas.locator("[data-stake='2500']").wait_for()
        second = page.locator("punto-pane").nth(1)
        second.locator("header button.sign").click()
        assert "25.00 stays on the table" in second.locator("[role=alert].bet").inner_text()
        assert page.evaluate(CUT_OFF) == WHOLE
        second.get_by_role("button", name="Keep it").click()
        assert page.locator("punto-pane").count() == 2
        page.keyboard.press("c")
        until_laid(staffed, tables[1], 0)
        page.locator("punto-pane").first.locator("header button.sign").click()
        until(lambda: page.locator("punto-pane").count() == 1)
        assert page.url.endswith(f"show={tables[1]}")
        page.select_option("select.add", tables[0])
        until(lambda: page.locator("punto-pane").count() == 2)


@pytest.mark.long
def test_four_tables_for_a_while(chromium: Any, tmp_path: Path) -> None:
    with (
        fast_tables(tmp_path) as (live, ann),
        browsing(chromium, live, ann, screen=LARGE, motion="no-preference") as patron,
    ):
        figures = watch(patron, 150, first=20, rounds=40)
        left = patron.page.evaluate(MARKERS)
    assert min(figures.rounds.values()) >= 20, "a busy machine deals fewer, and not that few"
    assert figures.missed == {}
    assert 0 < figures.longest[0] < 50, "milliseconds of work on one task"
    assert {"transform", "opacity"} & figures.animated.keys(), "something moved"
    assert figures.animated.keys() <= COMPOSITED
    assert all(markers <= 3 + 2 * cards for cards, markers in left), "no card of a past round has left anything"
    assert figures.late.nodes <= 1.3 * figures.early.nodes
    assert figures.late.listeners <= 1.3 * figures.early.listeners
    assert figures.late.heap <= 1.3 * figures.early.heap
