"""The floor of a shift: its people, each at a browser, two tables, and the books as a person keeps them beside."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from browser.shift.pages import CagePage, Member, PitPage
from browser.test_dealer import AtTheTable, tap
from support.live import PUNTO, Live, Someone, serving
from support.page_watch import LEAPS
from support.playing import faults, until

GUESTS = ("Mr. Tan", "王女士", "Ann", "Bob", "Cat", "Dan", "Eve", "Fay")
"""At the first table, each at the seat of their number."""


SIGNS = {"Punto", "English", "Enter", "Esc", "PDF", "CSV", "JSON", "HLGA", "IANA", "Asia", "Macau", "MOP", "AUD", "UTC"}
NAMES = {"Tan", "Ann", "Bob", "Cat", "Dan", "Eve", "Fay", "Gus", "Lee", "Ines", "Helen", "Wong", "Mei", "Raj", "Kim"}
ROOMS = {"Paiza", "Club", "Ruby", "Room"}
TYPED = ("Lotus House", "Reader 2", "round 7: Banker's second card was the 7 of spades [camera 3; 21:40]")
REASONS = ("seen on camera 3", "misheard", "the Dealer looked at the wrong shoe")
ENGLISH_IN_CHINESE = frozenset(SIGNS | NAMES | ROOMS | {*re.findall("[A-Za-z]+", " ".join(TYPED + REASONS))})
"""Names and what people have typed, signs and keys: all that is in English on a Chinese page."""


class DealerPage(AtTheTable):
    """A Dealer at the page of their table."""

    def __init__(self, member: Member, table: str) -> None:
        super().__init__(member, member.reader, table)
        self.member = member

    def sign_on(self) -> None:
        self.click("[data-command=SignOn]")
        self.page.wait_for_selector("[data-command=SignOff]")

    def sign_off(self) -> None:
        self.page.click("[data-command=SignOff]")
        self.click(".sure[data-command=SignOff]")

    def bring_shoe(self, name: str) -> None:
        self.page.fill("punto-shoe-desk input[name=shoe]", name)
        self.click("punto-shoe-desk button.main")
        self.waits_for("OpenBets")

    def buy_in(self, name: str, amount: str, position: int, new: bool = True) -> None:
        """Sell chips to a patron; a name that is new here is asked about once."""
        self.page.click("#tab-patrons")
        self.page.fill("punto-patrons input[name=amount]", amount)
        self.page.fill("punto-patrons input[name=patron]", name)
        self.page.select_option("punto-patrons select[name=position]", str(position))
        if new:
            self.page.click("punto-patrons button.main")
        self.click("punto-patrons button.main")
        until(lambda: self.page.input_value("punto-patrons input[name=patron]") == "")

    def press_step(self, command: str) -> None:
        """Take the next step by a tap."""
        self.waits_for(command)
        self.click(f".now [data-command={command}]")

    def lay(self, position: int, wager: str, amount: str) -> None:
        tap(self.member, position, wager)
        self.page.keyboard.type(amount)
        self.click(".entry [data-do=next]")
        self.page.keyboard.press("Escape")

    def next_step(self) -> str:
        """Return what play waits for."""
        step: str = self.view["next"][0]["command"]
        return step

    def play(self, *cards: str) -> None:
        """Deal a round to its outcome by taps and cards keyed as they are turned, Player's first."""
        left = list(cards)
        while (step := self.next_step()) != "AnnounceOutcome":
            if step == "ExposeCard":
                if left:
                    self.key(left.pop(0))
                else:  # a device has read it
                    self.press_step(step)
            elif step == "ChooseFirstHand":
                self.waits_for(step)
                self._done(lambda: self.page.keyboard.press("p"))
            elif step == "DrawCard":
                self.draw()
            else:
                self.press_step(step)
        assert not left, left

    def draw(self) -> None:
        """Draw a card, or all that are left of the initial deal."""
        self.press_step("DrawCard")
        until(lambda: self.drawn() >= 4)

    def drawn(self) -> int:
        return sum(map(len, self.view["hands"].values()))

    def settle(self) -> None:
        self.press_step("AnnounceOutcome")
        self.press_step("SettleRound")
        self.waits_for("OpenBets")

    def told(self, procedure: str, **answers: str) -> None:
        """Report what went wrong, with the answers to its questions."""
        self.report(procedure)
        for name, value in answers.items():
            field = f"punto-irregular [name={name}]"
            kind = self.page.locator(field).first.evaluate("each => each.type")
            if kind == "radio":
                self.page.check(f'{field}[value="{value}"]', force=True)
            elif kind == "select-one":
                self.choose(field, value)
            else:
                self.page.fill(field, value)
        self.click("punto-irregular punto-ask button.main")

    def choose(self, field: str, wanted: str) -> None:
        """Choose an option by its value, or by the name of a patron in it."""
        by_value = self.page.locator(f'{field} option[value="{wanted}"]').count()
        option = self.page.locator(f"{field} option", has_text=wanted).first
        self.page.select_option(field, wanted if by_value else option.get_attribute("value"))

    def answer(self, name: str, answer: str, amount: str = "") -> None:
        """Record what a patron says, by the button on their row."""
        row = self.page.locator(".answers tr", has_text=name)
        if amount:
            row.locator(f"[data-answer={answer}]").click()
            row.locator("form input[name=amount]").fill(amount)
            self._done(lambda: row.locator("form button").click())
        else:
            self._done(lambda: row.locator(f"[data-answer={answer}]").click())

    def take_some_back(self, name: str, wager: str) -> None:
        """Record that a patron takes back one of their wagers."""
        row = self.page.locator(".answers tr", has_text=name)
        row.locator("[data-answer=some]").click()
        row.locator(f'form label:has(input[data-wager="{wager}"]) input').check()
        self._done(lambda: row.locator("form button").click())

    def correct_answer(self, name: str, reason: str) -> None:
        """Correct an answer that was recorded wrongly: the patron keeps all wagers."""
        row = self.page.locator(".answers tr", has_text=name)
        row.locator("[data-answer=correct]").click()
        self.member.picture("correct-answer")
        row.locator("form input[name=reason]").fill(reason)
        self._done(lambda: row.locator("form button").click())

    def cash_out(self, name: str, amount: str) -> None:
        self.page.click("#tab-patrons")
        self.page.fill("punto-patrons input[name=patron]", name)
        self.page.fill("punto-patrons input[name=amount]", amount)
        self.click("punto-patrons form button:nth-of-type(2)")
        until(lambda: self.page.input_value("punto-patrons input[name=patron]") == "")

    def chips(self) -> dict[str, int]:
        """What the page says that each patron has, in cents."""
        self.page.click("#tab-patrons")
        self.page.wait_for_selector("punto-patrons tbody tr")
        rows = self.page.locator("punto-patrons tbody tr").evaluate_all(
            """all => all.map(row => [1, 2].map(at => [...row.children[at].childNodes]
                .filter(each => each.nodeType === Node.TEXT_NODE).map(each => each.textContent).join("").trim()))"""
        )
        return {name: cents(chips) for name, chips in rows}


def cents(shown: str) -> int:
    """Read an amount as pages show it."""
    return int(shown.replace(",", "").replace(".", "").replace("−", "-").replace("+", ""))


@dataclass
class Books:
    """What a person at the table writes down: chips of each patron, the tray and the commission, in cents."""

    tray: int
    chips: dict[str, int] = field(default_factory=dict)
    commission: int = 0

    def bought(self, amount: int, *names: str) -> None:
        for name in names:
            self.chips[name] = self.chips.get(name, 0) + amount
            self.tray -= amount

    def settled(self, changes: dict[str, int], commission: int = 0) -> None:
        """Note what each patron won or lost, and the commission kept apart from the tray."""
        for name, change in changes.items():
            self.chips[name] += change
        self.tray -= sum(changes.values()) + commission
        self.commission += commission

    def agree(self, dealer: DealerPage) -> None:
        """The page and the table say the same, to the cent."""
        until(lambda: dealer.chips() == self.chips, 5)
        view = dealer.view
        assert (view["float_"], view["commission"]) == (self.tray, self.commission)


class Shift:
    """Everyone at work, and where they are."""

    chief: PitPage
    """A Gaming Shift Manager, the first person of the house."""
    ines: PitPage
    """Another."""
    helen: PitPage
    """The Pit Manager."""
    cage: CagePage
    mei: Member
    raj: Member
    """Two Dealers."""
    reader: Someone
    """The device at the second table, and how many cards it has read."""
    cards_read = 0
    first: DealerPage
    second: DealerPage
    """The Dealer's page of each table, at which its Dealer on duty works."""
    first_books: Books
    second_books: Books

    def __init__(self, chromium: Any, folder: Path, language: str, screen: dict[str, int], live: Live) -> None:
        self._chromium, self._folder, self._live = chromium, folder, live
        self._language, self._screen = language, screen
        self._people: list[Member] = []
        self.first_link, self.second_link = (
            live.links[each] for each in ("Gaming Shift Manager", "Assistant Casino Manager")
        )

    def arrive(self, link: str) -> Member:
        """Open a browser for a person and sign them in."""
        context = self._chromium.new_context(
            viewport=self._screen, reduced_motion="reduce", accept_downloads=True, timezone_id="Asia/Macau"
        )
        context.add_init_script(LEAPS)
        context.add_init_script(f"localStorage.setItem('punto.language', '{self._language}')")
        english = ENGLISH_IN_CHINESE if self._language == "zh" else None
        self._people.append(Member(context, self._live, link, self._folder, english))
        return self._people[-1]

    def device(self, token: str) -> Someone:
        """Return a dealing device, which signs in by its token."""
        return self._live.someone(token)

    def go_home(self) -> None:
        """Close every browser; no page has shown an error."""
        for each in self._people:
            each.page.context.close()
            each.reader.http.close()
        assert [fault for each in self._people for fault in each.faults] == []


@contextmanager
def whole_shift(chromium: Any, folder: Path, language: str, screen: dict[str, int]) -> Iterator[Shift]:
    """A house that starts from nothing; at its end the server has logged no fault, and an audit finds nothing."""
    database = str(folder / "punto.db")
    with serving(database, folder) as live:
        shift = Shift(chromium, folder, language, screen, live)
        try:
            yield shift
        finally:
            shift.go_home()
    assert faults(live) == []
    audit = subprocess.run([PUNTO, "audit", database, "--json"], capture_output=True, check=True)
    assert json.loads(audit.stdout)["findings"] == []
