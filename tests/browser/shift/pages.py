"""What people of the house do at its pages during a shift: sign in, set up, open tables, decide, count, report."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from support.live import Live, Someone
from support.page_watch import Patron
from support.playing import until

ENGLISH = """() => {
    const found = [];
    const unread = ['STYLE', 'SCRIPT', 'CODE', 'KBD', 'DATALIST', 'NOSCRIPT'];
    const walk = (node) => {
        if (node.nodeType === Node.TEXT_NODE) found.push(node.textContent);
        if (node.lang === 'en' || unread.includes(node.nodeName)) return;
        for (const name of ['placeholder', 'aria-label']) found.push(node.getAttribute?.(name) ?? '');
        for (const child of [...(node.shadowRoot?.childNodes ?? []), ...node.childNodes]) walk(child);
    };
    walk(document.body);
    return [...new Set(found.join('\\n').match(/[A-Za-z]{3,}/g) ?? [])];
}"""
"""The English words that a page shows, but for clauses of the documents, which are in English."""


class Member(Patron):
    """A person at a browser of their own, signed in by the link that a page has shown."""

    def __init__(self, context: Any, live: Live, link: str, pictures: Path, english: frozenset[str] | None) -> None:
        super().__init__(context, live)
        self._pictures, self._english = pictures, english
        self.page.goto(link)
        self.page.click("button")
        self.page.wait_for_selector("punto-lobby main, punto-tile")
        token = next(each["value"] for each in context.cookies() if each["name"] == "punto")
        self.reader = Someone(live.address, token, "", "")
        """For looking only: what a page has done is read from the server."""

    def picture(self, name: str) -> None:
        """Keep what the page shows, to be looked at; it keeps nobody from using it, and speaks their language."""
        self.page.screenshot(path=self._pictures / f"{name}.png")
        assert self.hindrances() == [], name
        if self._english is not None:
            assert not set(self.page.evaluate(ENGLISH)) - self._english, name

    def download(self, selector: str, name: str) -> bytes:
        """Follow a link to a file; return the file."""
        path = self._pictures / name
        with self.page.expect_download() as download:
            self.page.click(selector)
        download.value.save_as(path)
        return path.read_bytes()


class PitPage:
    """A manager or supervisor at the page of the pit."""

    def __init__(self, member: Member) -> None:
        self.member, self.page, self.reader = member, member.page, member.reader
        member.open("/pit")
        self.page.wait_for_selector("punto-pit punto-tabs")

    def tab(self, name: str) -> None:
        """Go to a tab of the page, away from the table in detail if one is open."""
        if self.page.locator("punto-pit dialog[open]").count():
            self.page.click("punto-pit dialog .title button")
        self.page.locator(f"punto-pit main > punto-tabs #tab-{name}").click()

    # --- the house ----------------------------------------------------------------------------------------------------

    def set_up_house(self, **settings: str) -> None:
        self.tab("house")
        for name, value in settings.items():
            self.page.fill(f"punto-house-settings input[name={name}]", value)
        self.page.click("punto-house-settings form button.main")
        self.page.wait_for_selector("punto-house-settings section.card tbody tr")

    def add(self, name: str, duty: str, table: str | None = None, second: PitPage | None = None) -> str:
        """Add a person, or a device of a table; return the link or the token that the page shows once.

        A link for a manager or a cashier waits for a second person, and is shown to them.
        """
        self.tab("people")
        self.page.fill("punto-people form input[name=name]", name)
        self.page.select_option("punto-people form select[name=duty]", duty)
        if table:
            self.page.select_option("punto-people form select[name=table]", table)
        self.page.click("punto-people form button.main")
        shown, waits = f'punto-people section.way:has-text("{name}")', f'punto-person-requests li:has-text("{name}")'
        self.page.wait_for_selector(f"{shown}, {waits}")
        if self.page.locator(waits).count():
            assert second is not None
            return second.confirm_link(name)
        return self._way()

    def confirm_link(self, name: str) -> str:
        """Confirm that a link is made for a person; return it."""
        self.tab("tables")
        self.tab("people")
        self.page.click(f'punto-person-requests li:has-text("{name}") button')
        self.page.wait_for_selector(f'punto-people section.way:has-text("{name}")')
        return self._way()

    def _way(self) -> str:
        way: str = self.page.input_value("punto-people input.link")
        return way

    # --- tables -------------------------------------------------------------------------------------------------------

    def create(self, table: str, game: str) -> None:
        self.tab("tables")
        if not self.page.locator("details.new[open]").count():
            self.page.click("details.new summary")
        self.page.fill("details.new input[name=table]", table)
        self.page.select_option("details.new select[name=game]", game)
        self.page.click("details.new form button")
        self.page.wait_for_selector("punto-open-table form")

    def open_table(self, table: str, setting: dict[str, str], *checked: str) -> None:
        """Fill in the form that opens the table shown, and tick these boxes."""
        form = "punto-open-table "
        for name, value in setting.items():
            field = self.page.locator(f"{form}[name={name}]")
            if field.evaluate("each => each.localName") == "select":
                field.select_option(value)
            else:
                field.fill(value)
        for name in checked:
            self.page.check(f'{form}input[name="{name}"]')
        self.member.picture(f"opening-{table}")
        self.page.click(f"{form}button.main")
        self.page.wait_for_selector("punto-open-table", state="detached")

    def choose(self, table: str, tab: str) -> None:
        """Show a tab of a table in detail."""
        if not self.page.locator("punto-pit dialog[open] h2", has_text=table).count():
            self.tab("tables")
            self.page.click(f'tr[data-table="{table}"] button.name')
        self.page.click(f"punto-pit-detail #tab-{tab}")

    def view(self, table: str) -> dict[str, Any]:
        view: dict[str, Any] = self.reader.get(f"/api/tables/{table}")["view"]
        return view

    def relieve(self, table: str, dealer: str) -> None:
        self.choose(table, "people")
        self.page.select_option("form.relief select", label=dealer)
        self.page.click("form.relief button")
        until(lambda: dealer in self.member.text("punto-pit-detail .on-duty"))

    # --- decisions ----------------------------------------------------------------------------------------------------

    def decide(self, table: str, command: str, reason: str = "") -> None:
        """Take a step that a hold waits for: what it would do is shown, then confirmed."""
        self.tab("tables")
        decision = f'punto-decision[data-table="{table}"]'
        self.page.click(f"{decision} button[data-command={command}]")
        self.confirm(decision, reason)

    def confirm(self, within: str, reason: str = "") -> None:
        if reason:
            self.page.fill(f"{within} form.confirm input[name=reason]", reason)
        self.page.click(f"{within} button.confirm")
        self.page.wait_for_selector(f"{within} form.confirm", state="detached")

    def correct(self, table: str, round_: int, banker: str, reason: str) -> None:
        """Correct a settled round; it waits for a second person."""
        self.choose(table, "rounds")
        self.page.click(f"punto-rounds li[data-round='{round_}'] .line button")
        self.page.fill("punto-rounds input[name=banker]", banker)
        self.page.click("punto-rounds form.cards button")
        self.page.wait_for_selector("punto-rounds .preview")
        self.member.picture("correction-preview")
        self.confirm("punto-rounds", reason)

    def second(self, table: str) -> None:
        """Confirm, as the second person, what another manager proposed at a table."""
        self.page.locator(".proposal", has_text=table).locator("button").click()
        self.page.locator("punto-rounds .line button.main").first.click()
        self.confirm("punto-rounds")

    # --- chips --------------------------------------------------------------------------------------------------------

    def count(self, pieces: dict[int, str]) -> None:
        """Key a number of chips of each denomination in cents; coins are an amount."""
        for value, number in pieces.items():
            field = self.page.locator(f"punto-pit-detail punto-chip-count input[data-value='{value}']")
            field.fill(number)
            field.blur()

    def ask_for(self, table: str, kind: str, pieces: dict[int, str]) -> None:
        """Ask for a fill or a credit by slip; another person has to confirm it."""
        self.choose(table, "money")
        self.count(pieces)
        self.page.click(f"punto-pit-detail button[data-ask={kind}]")
        self.page.wait_for_selector("punto-pit-detail punto-slips tr.asked")

    def close_table(self, table: str, pieces: dict[int, str]) -> None:
        self.choose(table, "money")
        self.page.click("punto-pit-detail button.close")
        self.page.wait_for_selector("punto-pit-detail .blind")
        self.count(pieces)
        self.member.picture(f"blind-count-{table}")
        self.page.click("punto-pit-detail .blind button.main")
        self.page.wait_for_selector("punto-pit-detail [data-variance]")


class CagePage:
    """The cashier at the page of the cage."""

    def __init__(self, member: Member) -> None:
        self.member, self.page, self.reader = member, member.page, member.reader
        member.open("/cage")
        self.page.wait_for_selector("punto-cage punto-tabs")

    def find(self, name: str) -> None:
        self.page.click("punto-cage #tab-patrons")
        self.page.fill("punto-cage input[name=name]", name)
        self.page.keyboard.press("Enter")
        self.page.wait_for_selector(f'punto-cage section h2:has-text("{name}")')

    def move(self, what: str, amount: str, table: str = "") -> None:
        """Move money for the patron at the desk."""
        form = self.page.locator(f"punto-cage form[data-move={what}]")
        if table:
            form.locator("select").select_option(table)
        form.locator("input[name=amount]").fill(amount)
        form.locator("button").click()
        left = "all => all.every(each => each.value === '')"  # a debt that is paid has no form any more
        until(lambda: form.locator("input[name=amount]").evaluate_all(left))

    def holds(self) -> str:
        return self.member.text("punto-cage [data-holds]")

    def confirm_slip(self) -> None:
        """Confirm the slip that waits."""
        self.page.click("punto-cage #tab-slips")
        slip = self.page.locator("punto-cage punto-slips tr.asked")
        slip.locator("button.main").click()
        slip.wait_for(state="detached")


def shown(read: Callable[[], str], *wanted: str) -> None:
    """Wait until a part of a page says all of this."""
    until(lambda: all(each in read() for each in wanted))
