"""People at the pages: a browser for each, signed in, in a language, on a screen."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from support.live import PUNTO, Live, Someone, serving
from support.playing import Give, House, faults, until

DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
CHIPS = "document.querySelector('punto-seat').shadowRoot.querySelector('[data-chips]').dataset.chips"
TWO_FRAMES = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
RUN_AXE = """rules => axe.run(document, { resultTypes: ["violations"], ...(rules.length ? { runOnly: rules } : {}) })
    .then((results) => results.violations)"""
FOCUSED = """selector => {
    let focused = document.activeElement;
    while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
    return Boolean(focused?.matches(selector));
}"""
"""Whether the element in focus, in whatever shadow, is one of these."""
LEAPS = """{
    const now = Date.now;
    let passed = 0;
    Date.now = () => now() + passed;
    window.letPass = (milliseconds) => { passed += milliseconds; };
}"""
"""A clock that can be put forward, so that no test sits out a pause that a page asks for."""


class Patron:
    """A person with a browser: the errors of their page, and every frame they were sent."""

    def __init__(self, context: Any, live: Live) -> None:
        self.page, self._live = context.new_page(), live
        self.faults: list[str] = []
        self.heard: list[str] = []
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", self._said)
        self.page.on("websocket", lambda socket: socket.on("framereceived", self._hear))

    def _said(self, message: Any) -> None:
        if message.type == "error":
            self.faults.append(message.text)

    def _hear(self, frame: Any) -> None:
        self.heard.append(frame if isinstance(frame, str) else frame.decode())

    def open(self, path: str) -> None:
        self.page.goto(f"{self._live.address}{path}")

    def sit(self, table: str) -> None:
        self.open(f"/tables/{table}")
        self.page.wait_for_selector("punto-areas")

    def buy_in(self, amount: str) -> None:
        before = self.chips()
        self.page.click(".money-line button")
        self.page.fill("punto-money-desk input[name=amount]", amount)
        self.page.click("punto-money-desk button.main")
        until(lambda: self.chips() > before)

    def chips(self) -> int:
        """Return the chips the page shows in front of the patron, in cents."""
        return int(self.page.evaluate(CHIPS))

    def squeeze(self, box: Any, share: float) -> None:
        """Drag the lower right corner of a card so far towards the upper left one."""
        mouse = self.page.mouse
        right, bottom = box["x"] + box["width"] - 3, box["y"] + box["height"] - 3
        mouse.move(right, bottom)
        mouse.down()
        mouse.move(right - share * box["width"] * 1.2, bottom - share * box["height"] * 1.2, steps=12)
        mouse.up()

    def peek(self) -> None:
        """Lift a card that was passed to them a little, by a key, until they have seen it; then let it fall back."""
        card = self.page.locator("punto-squeeze .card").first
        card.press("ArrowUp")
        self.page.wait_for_selector("punto-squeeze [part=face]")
        card.press("Escape")
        self.page.wait_for_selector("punto-squeeze [part=face]", state="detached")

    def pause(self, milliseconds: int) -> None:
        """Do nothing for so long, by the clock of the page."""
        self.page.evaluate("milliseconds => letPass(milliseconds)", milliseconds)

    def text(self, selector: str) -> str:
        return str(self.page.inner_text(selector))

    def lay(self, wager: str, chip: int = 10_000) -> None:
        """Put a chip, of 100 if nothing else is said, on an area."""
        before = self.chips()
        self.page.click(f'punto-rack [data-chip="{chip}"]')
        self.page.click(f'punto-areas button[data-wager="{wager}"]')
        until(lambda: self.chips() < before)

    def hindrances(self) -> list[Any]:
        """What axe finds on the page in either theme that seriously keeps people from using it.

        It is looked for again a moment later: a button that waits for an answer is pale, and axe may look at it just
        when the answer comes. The themes differ in their colours only.
        """
        found = []
        for theme, rules in (("light", []), ("dark", ["color-contrast"])):
            self.page.emulate_media(color_scheme=theme)
            if self._found_by_axe(rules):
                self.page.wait_for_timeout(500)
                found += [(theme, *each) for each in self._found_by_axe(rules)]
        return found

    def _found_by_axe(self, rules: list[str]) -> list[Any]:
        """What axe finds by these rules, or by all."""
        if not self.page.evaluate("Boolean(window.axe)"):
            self.page.evaluate(AXE.read_text("utf-8"))
        self.page.evaluate(TWO_FRAMES)  # what has just changed may still look as before
        found = self.page.evaluate(RUN_AXE, rules)
        return [
            (each["id"], [(node["target"], node["failureSummary"]) for node in each["nodes"]])
            for each in found
            if each["impact"] in ("serious", "critical")
        ]

    def tab_to(self, selector: str) -> None:
        """Go on from element to element by the keyboard until one is reached."""
        for _ in range(80):
            if self.page.evaluate(FOCUSED, selector):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"no way leads to {selector}")


def sit_down(table: str, *patrons: Patron, amount: str = "1000") -> None:
    """They sit down at a table and buy in."""
    for each in patrons:
        each.sit(table)
        each.buy_in(amount)


def open_bets(give: Give, *patrons: Patron) -> None:
    """The Dealer opens the betting, and their pages have heard of it."""
    give("OpenBets")
    for each in patrons:
        each.page.wait_for_selector("punto-areas[open]")


@contextmanager
def browsing(
    chromium: Any,
    live: Live,
    someone: Someone | None = None,
    language: str = "en",
    screen: dict[str, int] = DESKTOP,
    motion: str = "reduce",
    theme: str = "light",
) -> Iterator[Patron]:
    """Open a browser for one person; at its end their page must have shown no error."""
    context = chromium.new_context(
        viewport=screen, reduced_motion=motion, has_touch=screen is PHONE, color_scheme=theme
    )
    if someone:
        context.add_cookies([{"name": "punto", "value": someone.token, "url": live.address}])
    context.add_init_script(LEAPS)
    context.add_init_script(f"localStorage.setItem('punto.language', '{language}')")
    patron = Patron(context, live)
    try:
        yield patron
    finally:
        context.close()
    assert not patron.faults, patron.faults


@contextmanager
def staffed_house(folder: Path, *arguments: str) -> Iterator[House]:
    """A house whose rounds are dealt by hand; in the end an audit, in a process of its own, finds nothing."""
    database = str(folder / "punto.db")
    with serving(database, folder, *arguments) as live:
        yield House(live, database)
    assert faults(live) == []
    audit = subprocess.run([PUNTO, "audit", database, "--json"], capture_output=True, check=True)
    assert json.loads(audit.stdout)["findings"] == []
