"""The house before and after play: people and tables, the cage, slips, the counts, the report of the day."""

from __future__ import annotations

import csv

from browser.shift.floor import GUESTS, Books, DealerPage, Shift
from browser.shift.pages import CagePage, PitPage, shown
from support.pdf_text import pdf_text
from support.playing import until

PEOPLE = {
    "Ines": "Gaming Shift Manager",
    "Helen Wong": "Pit Manager",
    "Mei": "Dealer",
    "Raj": "Dealer",
    "Kim": "Cashier",
    "Ms. Lee": "patron",
    "陈先生": "patron",
}
DAY = {
    "ba-1": ("100,000.00", "10,000.00", "42,000.00", "0.00", "65,270.00", "−2,730.00", "40.00", "7,045.00"),
    "tg-1": ("50,000.00", "0.00", "6,000.00", "2,000.00", "41,270.00", "−730.00", "20.00", "680.00"),
}
"""Opening, fills, drop, credits, closing, win, commission, turnover: what the report of the day has to say.

The first table lost 1,705.00 to patrons and 25.00 in the count; 1,000.00 left with a patron who paid them at the cage.
"""


def set_up(shift: Shift) -> None:
    """The first manager names the house and adds its people, who sign in by the links that the page shows."""
    shift.chief = chief = PitPage(shift.arrive(shift.first_link))
    chief.set_up_house(property_name="Lotus House", time_zone="Asia/Macau", currency="MOP", cash_threshold="10000")
    chief.member.picture("01-house")
    second = PitPage(shift.arrive(shift.second_link))
    ways = {name: chief.add(name, duty, second=second) for name, duty in PEOPLE.items()}
    chief.member.picture("02-people")
    shift.ines, shift.helen = PitPage(shift.arrive(ways["Ines"])), PitPage(shift.arrive(ways["Helen Wong"]))
    shift.cage = CagePage(shift.arrive(ways["Kim"]))
    shift.mei, shift.raj = shift.arrive(ways["Mei"]), shift.arrive(ways["Raj"])


def open_tables(shift: Shift) -> None:
    """A table of Baccarat dealt by hand under Method A, and one of Tiger Baccarat whose device reads the cards."""
    pit = shift.helen
    pit.create("ba-1", "baccarat")
    setting = {"float": "100000", "method": "A", "device": "manual", "differential": "1000"}
    pit.open_table("ba-1", setting, "sign_on", "second correction")
    assert pit.page.locator("punto-pit-detail [role=tab][aria-selected=true]").get_attribute("id") == "tab-setting"
    pit.member.picture("03-opened")
    pit.create("tg-1", "tiger")
    pit.open_table("tg-1", {"float": "50000", "device": "card-reading"}, "sign_on")
    shift.reader = shift.device(shift.chief.add("Reader 2", "Device", "tg-1"))


def people_come(shift: Shift) -> None:
    """Registered patrons bring money to the cage, guests buy in at the first table, once its Dealer has signed on."""
    cage = shift.cage
    cage.find("Ms. Lee")
    cage.move("deposit", "3000")
    cage.move("to_table", "2000", "ba-1")
    cage.find("陈先生")
    cage.move("deposit", "12000.05")
    cage.move("to_table", "5000", "tg-1")
    assert cage.holds() == "7,000.05"
    cage.member.picture("04-cage")
    dealer = shift.first = DealerPage(shift.mei, "ba-1")
    assert dealer.page.locator(".now .big, .trouble").count() == 0
    dealer.member.picture("05-not-signed-on")
    dealer.sign_on()
    dealer.bring_shoe("blue 1")
    for position, name in enumerate(GUESTS, 1):
        dealer.buy_in(name, "5000", position)
    shift.first_books = books = Books(100_000_00)
    books.bought(5_000_00, *GUESTS)
    books.bought(2_000_00, "Ms. Lee")
    books.agree(dealer)
    dealer.member.picture("06-patrons")


def debt_paid(shift: Shift) -> None:
    """Eve pays at the cage what the correction left owing."""
    cage = shift.cage
    cage.find("Eve")
    cage.member.picture("18-debt")
    assert "1,000.00" in cage.member.text("punto-cage .figures")
    cage.move("pay_debt", "1000")
    until(lambda: not any(shift.first.view["owed"].values()))


def chips_move(shift: Shift) -> None:
    """A fill for the first table and a credit from the second, asked for by one person, confirmed by another."""
    shift.helen.ask_for("ba-1", "fill", {10_000: "100"})
    shift.helen.member.picture("19-fill-asked")
    shift.cage.confirm_slip()
    shift.first_books.tray += 10_000_00
    shift.helen.ask_for("tg-1", "credit", {50_000: "4"})
    shift.cage.confirm_slip()
    shift.cage.member.picture("20-slips")
    shift.first_books.agree(shift.first)


def go_home(shift: Shift) -> None:
    """Guests carry their chips away; registered patrons have theirs put into their accounts at the cage."""
    for dealer, books in ((shift.first, shift.first_books), (shift.second, shift.second_books)):
        for name, held in books.chips.items():
            if held and name not in ("Ms. Lee", "陈先生"):
                dealer.cash_out(name, f"{held / 100:.2f}")
                books.chips[name] = 0
    shift.cage.find("Ms. Lee")
    shift.cage.move("from_table", "2500", "ba-1")
    assert shift.cage.holds() == "3,500.00"
    shift.cage.find("陈先生")
    shift.cage.move("from_table", "5485", "tg-1")
    until(lambda: shift.cage.holds() == "12,485.05")
    assert (shift.first_books.chips.pop("Ms. Lee"), shift.second_books.chips.pop("陈先生")) == (2_500_00, 5_485_00)
    shift.cage.member.picture("24-accounts")
    shift.cage.page.locator("section.card", has=shift.cage.page.locator("input[type=datetime-local]")).locator(
        "button"
    ).click()
    statement = pdf_text(shift.cage.member.download("section.card a[download]", "statement.pdf"))
    assert "陈先生" in statement
    assert statement.count("12,485.05") >= 1
    shift.cage.member.picture("24-statement")


def close(shift: Shift) -> None:
    """Both tables are counted blind: 25.00 are missing at the first."""
    helen = shift.helen = PitPage(shift.helen.member)
    assert (shift.first_books.tray, shift.first_books.commission) == (65_255_00, 40_00)
    helen.close_table("ba-1", {2_500_000: "2", 500_000: "3", 10_000: "2", 2_500: "2", 500: "4"})
    helen.member.picture("25-variance")
    until(lambda: helen.member.text("punto-pit-detail [data-variance]") == "−25.00")
    assert (shift.second_books.tray, shift.second_books.commission) == (41_250_00, 20_00)
    helen.close_table("tg-1", {2_500_000: "1", 500_000: "3", 100_000: "1", 10_000: "2", 2_500: "2", 500: "4"})
    until(lambda: helen.member.text("punto-pit-detail [data-variance]") == "0.00")


def report(shift: Shift) -> None:
    """The report of the day says the same on the page, on paper and in a file."""
    chief, member = shift.chief, shift.chief.member
    chief.tab("tables")
    alerts = chief.page.locator("punto-alerts li")
    shown(lambda: " ".join(alerts.all_inner_texts()), "−25.00", "[camera 3; 21:40]")
    shift.helen.tab("tables")
    times = [each.page.locator("punto-alerts time").all_inner_texts() for each in (chief, shift.helen)]
    assert times[0] == times[1], "who chose the house's time zone reads its clock too"
    member.picture("26-alerts")
    chief.tab("shift")
    chief.page.click("punto-shift form:nth-of-type(2) button")
    chief.page.wait_for_selector("punto-shift tfoot")
    member.picture("27-day-report")
    paper = pdf_text(member.download("punto-shift a.file[href*='format=pdf']", "day.pdf"))
    told = member.download("punto-shift a.file[href*='format=csv']", "day.csv").decode("utf-8-sig")
    lines = {each["table"]: each for each in csv.DictReader(told.splitlines())}
    names = ("opening", "fills", "drop", "credits", "closing", "win", "commission", "turnover")
    for table, figures in DAY.items():
        shown(lambda table=table: member.text(f'punto-shift tr[data-table="{table}"]'), *figures)  # type: ignore[misc]
        assert " ".join(figures[:5]) in paper
        assert [lines[table][name] for name in names] == [each.replace(",", "").replace("−", "-") for each in figures]
    for said in ("Lotus House", "MOP", "−3,460.00", "Helen Wong", "Ines", "Raj", "seen on camera 3", "K♦"):
        assert said in paper, said
    assert (lines["ba-1"]["count_difference"], lines["tg-1"]["count_difference"]) == ("-25.00", "0.00")


def look_at_slips(shift: Shift) -> None:
    """Each slip has its number, its chips and two names."""
    shift.cage.page.click("punto-cage #tab-slips")
    for number, amount, pieces in ((1, "10,000.00", "100"), (2, "2,000.00", "4")):
        link = f"punto-cage tr[data-slip='{number}'] a"
        slip = pdf_text(shift.cage.member.download(link, f"slip-{number}.pdf"))
        for said in ("Lotus House", f"{number:06}", amount, pieces, "Helen Wong", "Kim"):
            assert said in slip, said
