"""Every page of the staff with its panels, forms, refusals and reports: axe finds nothing serious in either language,
and no English is left in Chinese."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from support.audited import Played, play, play_sealed
from support.held_tables import HeldTable, patrons_of, reached
from support.live import Someone
from support.page_watch import Patron, browsing, staffed_house
from support.page_words import latin_words
from support.playing import House, deal, over_http, until

from punto.server.access.identity import Duty

pytestmark = pytest.mark.long
SMALL = {"width": 1024, "height": 768}
READERS = pytest.mark.parametrize(("language", "screen"), [("en", SMALL), ("zh", SMALL)], ids=["en", "zh"])
WRITTEN = (
    "a drink was spilled over the layout",
    "a chip rolled off the table",
    "the shoe is empty",
    "camera 4",
    "Paiza Club",
    "Ruby Room",
    "Ann",
    "Bob",
    "punto 0.1.0",
    ".shoes",
)
"""What people wrote in the scripts; rooms that the rules name; patrons of the school; the program; a stream."""
NOTE = "摄像机 4：17:26 [见；注]"


class Floor:
    """A house after some hours: rounds of all kinds, a void, a correction, a debt, slips, calls, holds, a variance."""

    def __init__(self, house: House) -> None:
        self.house, self.people = house, patrons_of(house)
        self.played: Played = play(house)
        self.sealed, _ = play_sealed(house)
        self.held = [HeldTable(house, each, self.people).name for each in reached().values()]
        self.busy = self._busy()
        self.closed = self._closed()

    def _busy(self) -> str:
        """A table with a large win, a debt after a correction, a slip that waits, and a call."""
        house, ann = self.house, self.people["Ann"]
        table = house.table("baccarat", differential=200_000)
        dealer = over_http(house.dealer, table)
        ann.done(table, "BuyIn", patron=ann.id, amount=100_000)
        dealer("OpenBets")
        ann.done(table, "PlaceWager", patron=ann.id, position=1, wager="Player", amount=100_000)
        dealer("CloseBets")
        deal(dealer, "9h Ks Th 2c")
        dealer("AnnounceOutcome")
        dealer("SettleRound")
        ann.done(table, "CashOut", patron=ann.id, amount=200_000)
        cards = {"player": [["9", "h"], ["T", "h"]], "banker": [["K", "s"], ["9", "c"]]}
        house.manager.done(table, "CorrectRound", round=1, reason=NOTE, **cards)
        house[Duty.PIT_MANAGER].post("/api/slips", kind="fill", table=table, pieces=[{"value": 10_000, "number": 3}])
        dealer("CallPit", note=NOTE)
        return table

    def _closed(self) -> str:
        table = self.house.table("tiger")
        self.house.manager.done(table, "CloseTable", counted=999_000_000)
        return table

    @property
    def names(self) -> list[str]:
        """Names of people and tables, which stay as they are."""
        people = self.house.manager.get("/api/people")
        tables = [each["table"] for each in self.house.manager.get("/api/tables")]
        duties = {each.value for each in Duty}
        named = [each["name"] for each in people if each["name"] not in duties]
        ids = [each["id"] for each in people]
        return [*tables, *(f"{each} shoe" for each in tables), *named, *ids, *WRITTEN]


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Floor]:
    with staffed_house(tmp_path_factory.mktemp("staff-pages")) as house:
        yield Floor(house)


class Reader(Patron):
    """A person who looks at a page, and at each thing that opens on it."""

    def __init__(self, patron: Patron, language: str, names: list[str]) -> None:
        self.__dict__ = patron.__dict__
        self._language, self._names = language, names
        self.found: dict[str, list[Any]] = {}

    def look(self, what: str) -> None:
        """Look at the page as it is now; what is wrong is told together, at the end."""
        found = self.hindrances()
        if wider := self.page.evaluate("document.documentElement.scrollWidth - innerWidth"):
            found.append(f"the page is {wider} pixels wider than the screen")
        if self._language == "zh":
            found += latin_words(self.page, self._names)
        if found:
            self.found[what] = found

    def click(self, selector: str) -> None:
        self.page.click(selector)

    def tabs(self, among: str, *keys: str) -> Iterator[str]:
        for key in keys:
            self.click(f"{among} #tab-{key}")
            yield key


@contextmanager
def reading(chromium: Any, floor: Floor, someone: Someone, language: str, screen: dict[str, int]) -> Iterator[Reader]:
    with browsing(chromium, floor.house.live, someone, language, screen) as patron:
        reader = Reader(patron, language, floor.names)
        yield reader
        assert not reader.found, "\n".join(f"{what}: {each}" for what, all_ in reader.found.items() for each in all_)


@READERS
def test_the_pit_page(chromium: Any, floor: Floor, language: str, screen: dict[str, int]) -> None:
    with reading(chromium, floor, floor.house.manager, language, screen) as reader:
        page = reader.page
        reader.open("/pit")
        for table in floor.held:
            page.wait_for_selector(f'punto-decision[data-table="{table}"] .matter')
        page.wait_for_selector(f'punto-alerts li[data-table="{floor.busy}"][data-alert=call]')
        reader.look("holds and alerts")
        for each in page.locator("punto-decision button[data-command]").all():
            each.click()
        reader.look("every measure opened")
        page.locator("details.new").evaluate("each => { each.open = true; }")
        page.fill("details.new input[name=table]", floor.busy)
        page.click("details.new button")
        page.wait_for_selector("details.new [role=alert], details.new .refused, details.new .lost")
        reader.look("a refusal")
        reader.faults.clear()  # the browser notes by itself that something was refused
        page.click(f'tr[data-table="{floor.busy}"] button.name')
        for tab in reader.tabs("punto-pit-detail", "play", "rounds", "money", "setting", "people", "events"):
            if tab == "rounds":
                page.click("punto-rounds li.round button")
                page.click("punto-rounds form.cards button")
                page.wait_for_selector("punto-rounds .preview, punto-rounds [role=alert]")
            if tab == "events":
                page.wait_for_selector("punto-pit-detail .events li")
            reader.look(tab)
        reader.faults.clear()


@READERS
def test_a_closed_table_and_the_other_tabs_of_the_pit(
    chromium: Any, floor: Floor, language: str, screen: dict[str, int]
) -> None:
    with reading(chromium, floor, floor.house.manager, language, screen) as reader:
        page = reader.page
        reader.open("/pit")
        page.click(f'tr[data-table="{floor.closed}"] button.name')
        for tab in reader.tabs("punto-pit-detail", "setting", "money", "events"):
            reader.look(f"closed, {tab}")
        page.keyboard.press("Escape")
        page.click("#tab-people")
        page.wait_for_selector("punto-people tbody tr")
        reader.look("people")
        page.click("#tab-ratings")
        page.wait_for_selector("punto-ratings tbody tr")
        reader.look("ratings")
        page.click("#tab-shift")
        page.click("punto-shift button.main")
        page.wait_for_selector("punto-shift tfoot")
        reader.look("shift")
        page.click("#tab-house")
        page.wait_for_selector("punto-house-settings input")
        reader.look("house")


@READERS
def test_the_cage(chromium: Any, floor: Floor, language: str, screen: dict[str, int]) -> None:
    cashier = floor.house.cashier
    with reading(chromium, floor, cashier, language, screen) as reader:
        page = reader.page
        reader.open("/cage")
        name = next(each["name"] for each in cashier.get("/api/people") if each["id"] == floor.people["Ann"].id)
        page.fill("punto-cage input[name=name]", name)
        page.keyboard.press("Enter")
        page.wait_for_selector("punto-cage [data-holds]")
        page.locator("punto-cage section form.row button").last.click()
        page.wait_for_selector("punto-cage table.statement")
        reader.look("a patron")
        form = page.locator("punto-cage form[data-move=withdraw]")
        form.locator("input[name=amount]").fill("99999999")
        form.locator("button").click()
        page.wait_for_selector("punto-cage [role=alert], punto-cage .refused, punto-cage .lost")
        reader.look("a refusal")
        reader.faults.clear()
        for tab in reader.tabs("punto-cage", "slips", "flags", "debts"):
            page.wait_for_selector("punto-cage .panel td")
            reader.look(tab)


@READERS
def test_the_dealers_page(chromium: Any, floor: Floor, language: str, screen: dict[str, int]) -> None:
    house, ann = floor.house, floor.people["Ann"]
    table = house.table("baccarat", method="A")
    give = over_http(house.dealer, table)
    ann.done(table, "BuyIn", patron=ann.id, amount=100_000)
    with reading(chromium, floor, house.dealer, language, screen) as reader:
        page = reader.page
        reader.open(f"/dealer/{table}")
        page.wait_for_selector(".now .big")
        reader.look("before the round")
        give("OpenBets")
        page.wait_for_selector(".entry")
        page.locator('punto-felt [data-area="1 Tie"], punto-felt [data-position="1"]').first.click()
        page.wait_for_selector(".entry.open")
        page.keyboard.type("99999")
        page.keyboard.press("Enter")
        reader.look("a wager on the felt")
        page.keyboard.press("Escape")
        reader.click(".call-pit")
        reader.look("calling the pit")
        ann.done(table, "PlaceWager", patron=ann.id, position=1, wager="Player", amount=10_000)
        give("CloseBets")
        for _ in range(4):
            give("DrawCard")
        for tab in reader.tabs("punto-dealer", "layout", "patrons", "shoe", "rounds"):
            reader.look(tab)
        went_wrong(reader)
        give("Refer", matter="牌桌上洒了水", note=NOTE)
        page.wait_for_selector(".now.held")
        reader.look("held")
        reader.faults.clear()


def went_wrong(reader: Reader) -> None:
    """Look at everything that "something went wrong" lists."""
    reader.click("button.trouble")
    reader.page.wait_for_selector("punto-irregular .list [data-procedure]")
    reader.look("something went wrong")
    keys = reader.page.locator("punto-irregular .list [data-procedure]").evaluate_all(
        "all => all.map(each => each.dataset.procedure)"
    )
    for key in keys:
        reader.click(f"punto-irregular [data-procedure={key}]")
        reader.look(key)
        reader.click("punto-irregular button.back")
    reader.click("punto-irregular [data-procedure=drawn-together]")
    reader.click("punto-irregular punto-ask button.main")
    reader.look("questions without answers")


@READERS
def test_the_dealers_page_in_every_hold(chromium: Any, floor: Floor, language: str, screen: dict[str, int]) -> None:
    with reading(chromium, floor, floor.house.dealer, language, screen) as reader:
        for table in floor.held:
            reader.open(f"/dealer/{table}")
            reader.page.wait_for_selector(".now.held")
            reader.look(table)


@READERS
def test_the_audit_pages(chromium: Any, floor: Floor, language: str, screen: dict[str, int]) -> None:
    table = floor.played.table
    with reading(chromium, floor, floor.house.manager, language, screen) as reader:
        page = reader.page
        for number in range(1, 5):
            reader.open(f"/audit/{table}/{number}")
            page.wait_for_selector("punto-replay .now")
            page.keyboard.press("End")
            if number == 2:
                page.fill("punto-replay textarea", NOTE)
                page.locator("punto-replay form button").last.click()
                until(lambda: NOTE in page.inner_text("punto-replay .words"))
            reader.look(f"round {number}")
        page.locator("punto-replay button.clause").first.click()
        reader.look("a clause")
        page.keyboard.press("Escape")
        page.click("punto-tabs #tab-search")
        page.click("punto-event-search button.main")
        page.wait_for_selector("punto-event-search li")
        reader.look("search")
        page.fill("punto-event-search input[name=person]", "Ann")
        page.fill("punto-event-search input[name=clause]", "99.99.99")
        page.click("punto-event-search button.main")
        page.wait_for_selector("punto-event-search button.main:enabled")
        reader.look("nothing found")
        reader.open(f"/audit/{floor.sealed}")
        page.click("punto-tabs #tab-integrity")
        page.wait_for_selector("punto-integrity .shoe")
        page.click("punto-integrity button.main")
        page.wait_for_selector("punto-integrity .verdict.whole")
        page.locator("punto-integrity .shoe button").first.click()
        page.wait_for_selector("punto-integrity .shoe .verdict")
        reader.look("integrity")


@READERS
def test_the_school(chromium: Any, floor: Floor, language: str, screen: dict[str, int]) -> None:
    with reading(chromium, floor, floor.house.dealer, language, screen) as reader:
        page = reader.page
        reader.open("/school")
        page.wait_for_selector("#begin")
        reader.look("choosing a lesson")
        page.click('[data-choice="questions-5"]')
        page.fill("input[name=seed]", "5")
        page.click("#begin")
        page.wait_for_selector("punto-answer")
        reader.look("a question")
        page.click("button.hint")
        page.wait_for_selector("[data-verdict]")
        reader.look("a hint")
        page.click("button.end")
        page.wait_for_selector("punto-sheet")
        reader.look("the score sheet")
        page.click("#again")
        page.wait_for_selector("punto-results")
        reader.look("results")


LOBBY: dict[str, Callable[[House], Someone | None]] = {
    "nobody": lambda _: None,
    "manager": lambda house: house.manager,
    "cashier": lambda house: house.cashier,
}


@READERS
@pytest.mark.parametrize("who", LOBBY)
def test_the_lobby_and_whom_a_page_is_not_for(
    chromium: Any, floor: Floor, language: str, screen: dict[str, int], who: str
) -> None:
    someone = LOBBY[who](floor.house)
    with browsing(chromium, floor.house.live, someone, language, screen) as patron:
        reader = Reader(patron, language, floor.names)
        for path in ("/", "/pit", "/cage", "/audit", f"/dealer/{floor.busy}", "/school", f"/display/{floor.busy}"):
            reader.open(path)
            reader.page.wait_for_selector("punto-top, punto-display")
            reader.look(path)
        reader.faults.clear()
        assert not reader.found, "\n".join(f"{what}: {each}" for what, all_ in reader.found.items() for each in all_)
