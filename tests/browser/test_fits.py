"""The seat fits its screen through a whole round: nothing has to be scrolled for, and nothing jumps."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from support.live import new_patrons, serving, staff_of
from support.long import others_long
from support.page_watch import Patron, browsing, open_bets, sit_down
from support.playing import Give, House, deal, over_http, until

from punto import APPROVED, load
from punto.server.access.identity import Duty
from punto.server.running.lifecycle import practice_setting
from punto.store.codec import encoder

SCREENS = [(1280, 720), (390, 844), (844, 390), (1440, 900)]
DISPLAYS = [(1920, 1080), (3840, 2160)]
SIX_CARDS = "2h 3s 3h 2c 5d Kc"

SIZE = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
WATCH_SHIFTS = """() => {
  window.shifted = { value: 0, what: [] };
  const named = ({ node }) => node?.outerHTML?.slice(0, 60) ?? node?.textContent ?? "";
  new PerformanceObserver((list) => {
    for (const each of list.getEntries()) {
      if (each.hadRecentInput) continue;
      window.shifted.value += each.value;
      window.shifted.what.push(...each.sources.map(named));
    }
  }).observe({ type: "layout-shift" });
}"""
CUT_OFF = """() => {
  const seat = document.querySelector("punto-seat").shadowRoot;
  const inside = (each) => {
    const { left, top, right, bottom } = each.getBoundingClientRect();
    return left >= -1 && top >= -1 && right <= innerWidth + 1 && bottom <= innerHeight + 1;
  };
  const areas = [...seat.querySelector("punto-areas").shadowRoot.querySelectorAll("button")];
  const cards = [...seat.querySelector("punto-hands").shadowRoot.querySelectorAll("punto-card")];
  const rack = [...seat.querySelector("punto-rack").shadowRoot.querySelectorAll("button, label")];
  const felt = seat.querySelector("punto-areas").getBoundingClientRect();
  const below = cards.filter((each) => {
    const card = each.getBoundingClientRect();
    return card.bottom > felt.top + 1 && card.right > felt.left + 1;
  });
  const box = (each) => each.getBoundingClientRect();
  const clipped = areas.filter((each) => ["name", "text"].some(
    (part) => box(each.querySelector("." + part)).bottom > box(each).bottom + 1));
  const words = (area) => [...area.querySelectorAll(".name, .pays, .fine, .share")]
    .filter((each) => each.checkVisibility({ visibilityProperty: true }))
    .flatMap((each) => { const all = new Range(); all.selectNodeContents(each); return [...all.getClientRects()]; });
  const over = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const covered = areas.filter((area) => [...area.querySelectorAll(".stake .pile, .amount")]
    .filter((each) => each.checkVisibility({ opacityProperty: true })).some(
    (stake) => words(area).some((word) => over(word, box(stake)))));
  return {
    covered: covered.map((each) => each.dataset.wager),
    outside: [...areas, ...cards, ...rack].filter((each) => !inside(each)).length,
    below: below.length,
    clipped: clipped.map((each) => each.dataset.wager),
  };
}"""
CHIPS_LIE = """() => {
  const areas = document.querySelector("punto-seat").shadowRoot.querySelector("punto-areas").shadowRoot;
  const ofChips = areas.getAnimations().filter((each) => each.effect.target.matches(".own, .winnings"));
  return ofChips.every((each) => each.playState !== "running");
}"""
"""Chips on their way pass over words."""
RESULT_IN_SIGHT = """() => {
  const seat = document.querySelector("punto-seat").shadowRoot;
  const hands = seat.querySelector("punto-hands").shadowRoot;
  const lit = [...seat.querySelector("punto-areas").shadowRoot.querySelectorAll(".winning")];
  const before = [...hands.querySelectorAll(".winner")].map((each) => getComputedStyle(each, "::before"));
  return {
    cards: [...hands.querySelectorAll(".cards")].map((each) => getComputedStyle(each).opacity),
    glow: lit.filter((each) => getComputedStyle(each, "::after").zIndex !== "-1").map((each) => each.dataset.wager),
    frame: before.filter((each) => each.maskImage === "none").map((each) => each.content),
  };
}"""
"""Until the next betting the cards are as bright as ever, no glow lies on words, and no frame runs under the shoe."""
FRAMED = """() => {
  const winner = document.querySelector("punto-display").shadowRoot.querySelector("punto-hands").shadowRoot;
  return getComputedStyle(winner.querySelector(".winner"), "::before").content !== "none";
}"""
"""Whether the winner's frame is seen on the display: during the next betting it would read as a choice."""
WHOLE = {"outside": 0, "below": 0, "clipped": [], "covered": []}


def fits(patron: Patron, screen: dict[str, int]) -> None:
    assert patron.page.evaluate(SIZE) == [screen["width"], screen["height"]]
    patron.page.wait_for_function(CHIPS_LIE)
    assert patron.page.evaluate(CUT_OFF) == WHOLE


def play_a_round(patron: Patron, dealer: Give, screen: dict[str, int]) -> None:
    patron.page.evaluate(WATCH_SHIFTS)
    open_bets(dealer, patron)
    for area in patron.page.locator("punto-areas button").all():
        area.click()
    patron.page.wait_for_selector("punto-areas .waiting", state="detached")
    fits(patron, screen)
    dealer("CloseBets")
    deal(dealer, SIX_CARDS)
    until(lambda: patron.page.locator("punto-hands punto-card").count() == 6)
    fits(patron, screen)
    dealer("AnnounceOutcome")
    dealer("SettleRound")
    patron.page.wait_for_selector("details.mine")
    fits(patron, screen)
    assert patron.page.evaluate(RESULT_IN_SIGHT) == {"cards": ["1", "1"], "glow": [], "frame": []}
    shifted = patron.page.evaluate("window.shifted")
    assert shifted["value"] < 0.01, shifted["what"]


@pytest.mark.parametrize(
    ("game", "size"), others_long(list(product(APPROVED, SCREENS))), ids=lambda each: str(each).replace(", ", "x")
)
def test_a_round_fits_the_screen(chromium: Any, staffed: House, game: str, size: tuple[int, int]) -> None:
    table, (ann,) = staffed.table(game), staffed.patrons(1)
    screen = {"width": size[0], "height": size[1]}
    with browsing(chromium, staffed.live, ann, screen=screen) as patron:
        sit_down(table, patron)
        play_a_round(patron, over_http(staffed.dealer, table), screen)


CLIPPED = """() => {
  const display = document.querySelector("punto-display").shadowRoot;
  const board = display.querySelector("punto-limits-board");
  const table = board.shadowRoot.querySelector("table");
  const sections = [...display.querySelectorAll("section, .left")];
  const over = (inner, outer) =>
    inner.scrollWidth > outer.clientWidth + 1 || inner.scrollHeight > outer.clientHeight + 1;
  return {
    sections: sections.filter((each) => over(each, each)).map((each) => each.className || each.ariaLabel),
    board: over(table, board) ? [table.scrollHeight, board.clientHeight, table.scrollWidth, board.clientWidth] : [],
  };
}"""
LETTERS = """() => {
  const display = document.querySelector("punto-display").shadowRoot;
  const size = (root, ...selectors) => selectors.map((each) => {
    const found = root.querySelector(each);
    return found ? parseFloat(getComputedStyle(found).fontSize) / innerHeight : 0;
  });
  const inside = (name) => display.querySelector(name).shadowRoot;
  return {
    most: Math.min(...size(display, "h1", ".phase", ".outcome", ".last td"), ...size(inside("punto-hands"), ".total"),
      ...size(inside("punto-roads"), "dd", ".ask")),
    bets: Math.min(...size(inside("punto-limits-board"), ".name", ".num:not(th, .edge)")),
  };
}"""
READABLE = 1 / 40
"""Height of letters against that of the screen, so that they are read across a room."""


def the_display_fits(guest: Patron, size: tuple[int, int]) -> None:
    for last in ("punto-roads dd", ".last td"):
        guest.page.wait_for_selector(last)
    assert guest.page.evaluate(SIZE) == [*size]
    assert guest.page.evaluate(CLIPPED) == {"sections": [], "board": []}
    letters = guest.page.evaluate(LETTERS)
    assert letters["most"] >= READABLE - 0.0002, letters
    assert letters["bets"] >= READABLE / 2, letters


@pytest.mark.parametrize(
    ("game", "size"),
    others_long(list(product(APPROVED, DISPLAYS))),
    ids=lambda each: str(each).replace(", ", "x"),
)
def test_the_display_fits_its_screen(chromium: Any, staffed: House, game: str, size: tuple[int, int]) -> None:
    table = staffed.table(game)
    dealer = over_http(staffed.dealer, table)
    screen = {"width": size[0], "height": size[1]}
    with browsing(chromium, staffed.live, screen=screen) as guest:
        guest.open(f"/display/{table}")
        guest.page.wait_for_selector("punto-limits-board")
        for given in ("OpenBets", "CloseBets"):
            dealer(given)
        deal(dealer, SIX_CARDS)
        until(lambda: guest.page.locator("punto-hands punto-card").count() == 6)
        dealer("AnnounceOutcome")
        dealer("SettleRound")
        until(lambda: guest.text(".outcome"))
        the_display_fits(guest, size)
        assert guest.page.evaluate(FRAMED)
        dealer("OpenBets")
        until(lambda: not guest.page.evaluate(FRAMED))


WITHOUT_SIDE_WAGERS = """
key = "lanterns"
title = "Thirteen Lanterns"
version = "1"
decks = { min = 8, max = 8 }
layout = [{ name = "Lanterns", clause = "1.2", positions = { min = 1, max = 7 }, languages = ["en"] }]

[clauses]
"1.1" = { provision = "decks", by = "enforced", text = "Eight decks are in use." }
"1.2" = { provision = "layouts", by = "data", text = "One layout." }
"2.1" = { provision = "winning-hand", by = "enforced", text = "The side with the larger point total wins." }
"3.1" = { provision = "settlement", by = "data", text = "What each wager pays." }
"""
WAGER = """
[[wager]]
name = "{name}"
clause = "2.1"
lines = [{{ when = {{ {when} }}, pays = "{pays} to 1", clause = "3.1" }}]
"""


def game_with_thirteen_side_wagers(folder: Path) -> Path:
    outcomes = {"Player": ("player", 1), "Banker": ("banker", 1), "Tie": ("tie", 8)}
    wagers = [WAGER.format(name=name, when=f'winner = "{on}"', pays=pays) for name, (on, pays) in outcomes.items()]
    totals = [(hand, total) for hand in ("Player", "Banker") for total in range(3, 10)][:13]
    for hand, total in totals:
        when = f'winner = "{hand.lower()}", {hand.lower()}_total = {total}'
        wagers.append(WAGER.format(name=f"{hand} Lantern {total}", when=when, pays=30))
    file = folder / "lanterns.toml"
    file.write_text(WITHOUT_SIDE_WAGERS + "".join(wagers), "utf-8")
    return file


@pytest.mark.long
def test_a_round_with_thirteen_side_wagers_fits_every_screen(chromium: Any, tmp_path: Path) -> None:
    file = game_with_thirteen_side_wagers(tmp_path)
    book = load(file)
    limits = {each.name: {"minimum": 500, "maximum": 50_000} for each in book.wagers}
    with serving(str(tmp_path / "punto.db"), tmp_path, "--game", str(file)) as live:
        staff = staff_of(live)
        manager, dealer = staff[Duty.GAMING_SHIFT_MANAGER], staff[Duty.DEALER]
        manager.post("/api/tables", table="lanterns", game=book.key, automatic=[])
        usual = json.loads(encoder.encode(practice_setting(book, betting_seconds=None)))
        setting = usual | {"device": "manual", "answer_seconds": None, "limits": limits}
        manager.done("lanterns", "OpenTable", setting=setting, float_=1_000_000_000)
        manager.done("lanterns", "LoadShoe", shoe="one")
        patrons = new_patrons(live, staff[Duty.CASHIER], len(SCREENS))
        for ann, (width, height) in zip(patrons, SCREENS, strict=True):
            screen = {"width": width, "height": height}
            with browsing(chromium, live, ann, screen=screen) as patron:
                sit_down("lanterns", patron)
                play_a_round(patron, over_http(dealer, "lanterns"), screen)
        for size in DISPLAYS:
            with browsing(chromium, live, screen={"width": size[0], "height": size[1]}) as guest:
                guest.open("/display/lanterns")
                guest.page.wait_for_selector("punto-limits-board")
                guest.page.locator("punto-hands punto-card").nth(5).wait_for()
                the_display_fits(guest, size)
