"""The pit page: decisions given there, tables opened and changed, people, the shift report; all in real browsers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.live import Someone
from support.long import others_long
from support.page_watch import DESKTOP, PHONE, Patron, browsing, open_bets, sit_down, staffed_house
from support.playing import House, chips, deal, over_http, until

from punto.server.access.identity import Duty

BANKER_WINS = "2h 4s 3h 2c 5d"


@pytest.fixture(scope="module")
def staffed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with staffed_house(tmp_path_factory.mktemp("pit")) as made:
        yield made


def at_pit(somebody: Patron, table: str) -> None:
    somebody.open("/pit")
    somebody.page.wait_for_selector(f'tr[data-table="{table}"]')


def row(somebody: Patron, table: str) -> str:
    return somebody.text(f'tr[data-table="{table}"]')


def choose(somebody: Patron, table: str, tab: str | None = None) -> None:
    somebody.page.click(f'tr[data-table="{table}"] button.name')
    if tab:
        somebody.page.click(f"punto-pit-detail #tab-{tab}")


def lay(patron: Patron, wager: str, times: int) -> None:
    """Put chips of 100 on an area."""
    before = patron.chips()
    patron.page.click("punto-rack [data-chip='10000']")
    for _ in range(times):
        patron.page.click(f'punto-areas button[data-wager="{wager}"]')
    until(lambda: patron.chips() == before - times * 10_000)


def decision(table: str) -> str:
    return f'punto-decision[data-table="{table}"] section'


def events(staffed: House, table: str, name: str) -> list[dict[str, Any]]:
    return [each for each in staffed.manager.get(f"/api/tables/{table}/events") if each["name"] == name]


def test_a_differential_hold_is_resolved_in_the_pit(chromium: Any, staffed: House) -> None:
    other = staffed.table("tiger")
    table = staffed.table("baccarat", differential=20_000)
    ann, bob = staffed.patrons(2)
    manager = staffed[Duty.PIT_MANAGER]
    dealer, live = over_http(staffed.dealer, table), staffed.live
    with (
        browsing(chromium, live, ann) as anns,
        browsing(chromium, live, bob, "zh") as bobs,
        browsing(chromium, live, manager) as pit,
    ):
        at_pit(pit, table)
        sit_down(table, anns, bobs)
        open_bets(dealer, anns, bobs)
        for each, wager, times in ((anns, "Player", 5), (bobs, "Banker", 1)):
            lay(each, wager, times)
        until(lambda: "differential 400 of 200" in row(pit, table))
        dealer("CloseBets")
        until(lambda: "Wagers on Player lie 400.00 above those on Banker" in anns.text(".noticed"))
        until(lambda: "闲的投注比庄多 400.00" in bobs.text(".noticed"))
        pit.page.wait_for_selector(decision(table))
        first = pit.page.locator("punto-board tbody tr").first
        until(lambda: first.get_attribute("data-table") == table != other)
        until(lambda: "Yours to decide" in pit.text(decision(table)))
        assert "200.00 has to come off" in pit.text(decision(table))
        assert pit.page.is_disabled(f"{decision(table)} .laid button"), "nobody was asked to take wagers back"
        dealer("AskForDecreases")
        until(lambda: pit.page.is_enabled(f"{decision(table)} .laid button"))
        # Ann takes one chip back, which is not enough; on the other hand Bob may only add, and does.
        anns.page.keyboard.press("z")
        until(lambda: anns.chips() == 60_000)
        until(lambda: "100.00 has to come off" in pit.text(decision(table)))
        bobs.page.click("punto-rack [data-chip='2500']")
        bobs.page.click('punto-areas button[data-wager="Tie"]')
        until(lambda: bobs.text(".refused"))
        bobs.page.click('punto-areas button[data-wager="Banker"]')
        until(lambda: "75.00 has to come off" in pit.text(decision(table)))
        amount = pit.page.locator(f"{decision(table)} input.amount")
        until(lambda: amount.input_value() == "75.00")
        amount.fill("lots")
        pit.page.click(f"{decision(table)} .laid button")
        until(lambda: "Type an amount" in pit.text(decision(table)))
        amount.fill("75")
        pit.page.click(f"{decision(table)} .laid button")
        until(lambda: "325.00" in pit.text(f"{decision(table)} .preview"))
        pit.page.fill(f"{decision(table)} input[name=note]", "camera 12")
        pit.page.click(f"{decision(table)} button.confirm")
        pit.page.wait_for_selector(decision(table), state="detached")
        until(lambda: "75.00 of your bet on Player at seat" in anns.text(".noticed"))
        deal(dealer, BANKER_WINS)
        dealer("AnnounceOutcome")
        dealer("SettleRound")
        until(lambda: anns.chips() == 100_000 - 32_500)
        until(lambda: bobs.chips() == 100_000 + 11_875)
        until(lambda: "+206.25" in row(pit, table))
        assert "10.31%" in row(pit, table), "206.25 of 2000"
    assert (chips(ann, table), chips(bob, table)) == (67_500, 111_875)
    (removed,) = events(staffed, table, "WagerRemoved")
    told = removed["body"]["circumstances"]
    assert (told["authorised_by"], told["position"], told["note"]) == (manager.id, "Pit Manager", "camera 12")


@pytest.mark.long
def test_a_void_waits_for_who_may_confirm_it(chromium: Any, staffed: House) -> None:
    table = staffed.table("tiger")
    (ann,) = staffed.patrons(1)
    supervisor, manager, dealer = staffed[Duty.PIT_SUPERVISOR], staffed[Duty.PIT_MANAGER], staffed.dealer
    ann.done(table, "BuyIn", patron=ann.id, amount=50_000)
    dealer.done(table, "OpenBets")
    ann.done(table, "PlaceWager", patron=ann.id, position=1, wager="Tiger", amount=5_000)
    dealer.done(table, "CloseBets")
    dealer.done(table, "DrawCard")
    with (
        browsing(chromium, staffed.live, supervisor) as below,
        browsing(chromium, staffed.live, manager, "zh") as pit,
    ):
        at_pit(below, table)
        at_pit(pit, table)
        dealer.done(table, "ReportVoid", provision="wrong-cards")
        below.page.wait_for_selector(decision(table))
        until(lambda: "waits for: Pit Manager" in below.text(decision(table)))
        assert below.page.locator(f"{decision(table)} button").count() == 0
        # Appointed to act, he may; the page learns it by itself.
        choose(pit, table, "people")
        pit.page.select_option("punto-pit-detail select[name=person]", supervisor.id)
        pit.page.select_option("punto-pit-detail select[name=role]", "Pit Manager")
        pit.page.click("punto-pit-detail form.stack button")
        below.page.wait_for_selector(f"{decision(table)} button")
        pit.page.click("punto-pit-detail .acting button")
        until(lambda: below.page.locator(f"{decision(table)} button").count() == 0)
        pit.page.click("punto-pit-detail #tab-play")
        pit.page.click("punto-pit-detail punto-decision button[data-command=ConfirmVoid]")
        until(lambda: "50.00" in pit.text("punto-pit-detail punto-decision .preview"))
        pit.page.click("punto-pit-detail punto-decision button.confirm")
        for each in (below, pit):
            each.page.wait_for_selector(decision(table), state="detached")
    assert chips(ann, table) == 50_000
    (voided,) = events(staffed, table, "RoundVoided")
    assert voided["body"]["circumstances"]["authorised_by"] == manager.id


@pytest.mark.long
def test_a_referral_is_the_shift_managers(chromium: Any, staffed: House) -> None:
    table = staffed.table("baccarat")
    staffed.dealer.done(table, "OpenBets")
    staffed.dealer.done(table, "Refer", matter="a glass was spilt")
    with browsing(chromium, staffed.live, staffed.manager, "zh") as shift:
        at_pit(shift, table)
        until(lambda: "a glass was spilt" in shift.text(f"{decision(table)} .matter"))
        shift.page.locator(f"{decision(table)} button", has_text="继续本局").click()
        shift.page.fill(f"{decision(table)} input[name=uncovered]", "没有关于打翻杯子的规则")
        shift.page.click(f"{decision(table)} punto-ask button.main")
        shift.page.click(f"{decision(table)} button.confirm")
        shift.page.wait_for_selector(decision(table), state="detached")
    assert events(staffed, table, "ReferralDecided")[0]["body"]["decision"] == "continue"


@pytest.mark.long
def test_the_order_of_cards_drawn_together_is_fixed(chromium: Any, staffed: House) -> None:
    table = staffed.table("baccarat")
    dealer = over_http(staffed.dealer, table)
    dealer("OpenBets")
    dealer("CloseBets")
    deal(dealer, "2h 3s 2d 2c")
    dealer("ReportDrawnTogether", count=2, order_known=False)
    with browsing(chromium, staffed.live, staffed[Duty.PIT_MANAGER]) as pit:
        at_pit(pit, table)
        pit.page.click(f"{decision(table)} button[data-command=FixOrder]")
        for card in ("B", "A"):
            pit.page.locator(f"{decision(table)} punto-ask .choices button", has_text=card).click()
        pit.page.click(f"{decision(table)} punto-ask button.main")
        pit.page.click(f"{decision(table)} button.confirm")
        pit.page.wait_for_selector(decision(table), state="detached")
    assert events(staffed, table, "CardsOrdered")[0]["body"]["order"] == [5, 4]


def has_settings_shown(pit: Patron) -> bool:
    """Go to the settings of a table: one that was just opened shows its play first."""
    pit.page.click("punto-pit-detail #tab-setting")
    return bool(pit.page.locator("punto-pit-detail button", has_text="Load a shoe").count())


@pytest.mark.long
def test_a_table_is_made_opened_and_changed(chromium: Any, staffed: House) -> None:
    with browsing(chromium, staffed.live, staffed.manager) as pit:
        pit.open("/pit")
        pit.page.click("details.new summary")
        pit.page.fill("details.new input[name=table]", "vip-1")
        pit.page.select_option("details.new select[name=game]", "dragon-tiger")
        pit.page.click("details.new button")
        form = "punto-open-table "
        pit.page.wait_for_selector(f"{form}form")
        pit.page.fill(f"{form}input[name=float]", "a lot")
        pit.page.fill(f"{form}input[name=differential]", "2,000")
        pit.page.fill(f'{form}input[name="maximum Player"]', "3000")
        pit.page.click(f"{form}button.main")
        until(lambda: "Type an amount" in pit.text(f"{form}form"))
        pit.page.fill(f"{form}input[name=float]", "75,000.50")
        pit.page.fill(f"{form}input[name=decks]", "11")
        pit.page.click(f"{form}button.main")
        until(lambda: "11 decks" in pit.text(f"{form}form"))
        assert pit.page.input_value(f"{form}input[name=differential]") == "2,000", "nothing that was typed is lost"
        pit.page.fill(f"{form}input[name=decks]", "6")
        pit.page.select_option(f"{form}select[name=method]", "A")
        pit.page.click(f"{form}button.main")
        pit.page.click("punto-pit-detail #tab-setting")
        view = staffed.manager.get("/api/tables/vip-1")["view"]
        setting = view["setting"]
        assert (view["float_"], setting["decks"], setting["method"], setting["differential"]) == (
            7_500_050,
            6,
            "A",
            200_000,
        )
        assert setting["limits"]["Player"]["maximum"] == 300_000
        until(lambda: has_settings_shown(pit))
        take_a_shoe_off_and_load_another(pit, staffed)
        maximum = pit.page.locator('punto-pit-detail input[name="maximum Banker"]')
        maximum.fill("4,000")
        staffed.dealer.done("vip-1", "OpenBets")
        change = pit.page.locator("punto-pit-detail .limits + div button")
        until(lambda: "Only when: Between rounds" in pit.text("punto-pit-detail .limits + div"))
        assert change.is_disabled()
        staffed.dealer.done("vip-1", "Refer", matter="enough")
        staffed.manager.done("vip-1", "DecideReferral", void=True)
        until(change.is_enabled)
        assert maximum.input_value() == "4,000"
        change.click()
        until(lambda: limits(staffed, "vip-1")["Banker"] == {"minimum": 500, "maximum": 400_000})
        assert limits(staffed, "vip-1")["Player"]["maximum"] == 300_000
        pit.page.locator("punto-pit-detail button", has_text="Deal by Method B").click()
        until(lambda: staffed.manager.get("/api/tables/vip-1")["view"]["setting"]["method"] == "B")
        settle = pit.page.get_by_label("Settle")
        settle.check()
        until(lambda: pit.page.locator("punto-board tr", has_text="vip-1").inner_text().count("automatic"))
        settle.uncheck()
        pit.page.click("punto-pit-detail #tab-money")
        fill_and_close(pit, staffed)


def take_a_shoe_off_and_load_another(pit: Patron, staffed: House) -> None:
    load = pit.page.locator("punto-pit-detail button", has_text="Load a shoe")
    end = pit.page.locator("punto-pit-detail button", has_text="Take the shoe off")
    load.click()
    end.click()
    until(lambda: end.inner_text() == "Really: Take the shoe off?")
    assert staffed.manager.get("/api/tables/vip-1")["view"]["shoe"], "it is asked about first"
    end.click()
    load.click()
    end.wait_for()


def limits(staffed: House, table: str) -> Any:
    return staffed.manager.get(f"/api/tables/{table}")["view"]["setting"]["limits"]


def count(page: Any, **pieces: str) -> None:
    """Key a number of chips of each denomination in cents; the coins are an amount."""
    for value, number in pieces.items():
        field = page.locator(f"punto-pit-detail punto-chip-count input[data-value='{value.removeprefix('c')}']")
        field.fill(number)
        field.blur()


def fill_and_close(pit: Patron, staffed: House) -> None:
    """Chips come from the cage and go back by slip, and a blind count closes the table with a variance."""
    for kind, pieces in (("fill", {"c10000": "1"}), ("credit", {"c500": "10", "c1": "0.25"})):
        count(pit.page, **pieces)
        pit.page.click(f"punto-pit-detail button[data-ask={kind}]")
        slip = pit.page.locator("punto-pit-detail punto-slips tr.asked")
        slip.wait_for()
        assert "Another person confirms" in slip.inner_text()
        (asked,) = staffed.cashier.get("/api/slips", table="vip-1", state="asked")
        staffed.cashier.post(f"/api/slips/{asked['number']}/confirm")
        until(lambda: pit.page.locator("punto-pit-detail punto-slips tr.asked").count() == 0, 10)
    assert staffed.manager.get("/api/tables/vip-1")["view"]["float_"] == 7_500_050 + 10_000 - 5_025
    pit.page.click("punto-pit-detail button.close")
    blind = pit.text("punto-pit-detail .blind")
    assert "75,050" not in blind
    assert pit.page.locator("punto-pit-detail punto-chip-desk dl").count() == 0
    count(pit.page, c2500000="3", c500="9", c1="5.00")
    pit.page.click("punto-pit-detail button:has-text('Close the table')")
    pit.page.wait_for_selector("punto-open-table form")
    (closed,) = events(staffed, "vip-1", "TableClosed")
    assert (closed["body"]["counted"], closed["body"]["difference"]) == (7_505_000, -25)
    assert closed["body"]["pieces"][0] == {"value": 2_500_000, "number": 3}
    until(lambda: pit.text("punto-pit-detail [data-variance]") == "−0.25")


def test_a_person_is_added_and_signs_in_by_the_link_in_another_browser(chromium: Any, staffed: House) -> None:
    with browsing(chromium, staffed.live, staffed.manager) as office, browsing(chromium, staffed.live) as newcomer:
        office.open("/pit")
        office.page.click("#tab-people")
        office.page.fill("punto-people input[name=name]", "Kim Lee")
        office.page.select_option("punto-people select[name=duty]", "Pit Supervisor")
        office.page.click("punto-people form button")
        link = until(lambda: office.page.locator("punto-people input.link").input_value())
        newcomer.page.goto(link)
        newcomer.page.click("punto-enter main button")
        newcomer.page.wait_for_selector("punto-tile, punto-lobby main")
        newcomer.open("/pit")
        newcomer.page.wait_for_selector("punto-board")
        assert newcomer.page.evaluate("document.body.dataset.duty") == "Pit Supervisor"
        newcomer.page.click("#tab-people")
        newcomer.page.wait_for_selector("punto-people tbody tr")
        assert newcomer.page.locator("punto-people button").count() == 0, "only managers keep people"
        for label in ("Disable", "Really: Disable?"):
            office.page.locator("punto-people tr", has_text="Kim Lee").locator("button", has_text=label).click()
        until(lambda: "disabled" in office.page.locator("punto-people tr", has_text="Kim Lee").inner_text())
        newcomer.page.wait_for_selector("punto-sign-in")


def test_a_person_is_renamed_and_their_name_erased_for_a_reason(chromium: Any, staffed: House) -> None:
    person = staffed.manager.post("/api/people", name="Ms. Wnog", duty="patron")["person"]["id"]
    row = f'punto-people tr[data-person="{person}"]'
    with browsing(chromium, staffed.live, staffed.manager) as office:
        office.open("/pit")
        office.page.click("#tab-people")
        office.page.click(f"{row} button:has-text('Rename')")
        assert office.page.input_value(f"{row} input[name=typed]") == "Ms. Wnog"
        office.page.fill(f"{row} input[name=typed]", "Ms. Wong · 黄女士")
        office.page.click(f"{row} form button.main")
        until(lambda: "黄女士" in office.text(row))
        office.page.click(f"{row} button:has-text('Erase')")
        office.page.click(f"{row} form button.main")
        assert "黄女士" in office.text(row), "a reason is needed"
        office.page.fill(f"{row} input[name=typed]", "she asked for it")
        office.page.click(f"{row} form button.main")
        until(lambda: "黄女士" not in office.text(row))
        assert office.page.locator(f"{row} button").count() == 0
    (known,) = (each for each in staffed.manager.get("/api/people") if each["id"] == person)
    assert (known["name"], known["erased"]) == ("", True)


def test_the_shift_report_on_the_page_and_as_files(chromium: Any, staffed: House, tmp_path: Path) -> None:
    table = staffed.table("baccarat")
    (ann,) = staffed.patrons(1)
    dealer = over_http(staffed.dealer, table)
    ann.done(table, "BuyIn", patron=ann.id, amount=100_000)
    dealer("OpenBets")
    for wager in ("Player", "Tie"):
        ann.done(table, "PlaceWager", patron=ann.id, position=1, wager=wager, amount=12_300)
    dealer("CloseBets")
    deal(dealer, BANKER_WINS)
    dealer("AnnounceOutcome")
    dealer("SettleRound")
    with browsing(chromium, staffed.live, staffed[Duty.AUDITOR], "zh") as auditor:
        auditor.open("/pit")
        auditor.page.click("#tab-shift")
        auditor.page.click("punto-shift button.main")
        auditor.page.wait_for_selector("punto-shift tfoot")
        line = auditor.text(f'punto-shift tr[data-table="{table}"]')
        assert "+246.00" in line
        assert "24.60%" in line
        files = {}
        for kind in ("PDF", "JSON"):
            with auditor.page.expect_download() as download:
                auditor.page.locator("punto-shift a.file", has_text=kind).click()
            files[kind] = tmp_path / kind
            download.value.save_as(files[kind])
    assert files["PDF"].read_bytes().startswith(b"%PDF")
    report = json.loads(files["JSON"].read_text("utf-8"))
    (mine,) = (each for each in report["tables"] if each["table"] == table)
    figures = mine["made"]["figures"]
    assert (figures["drop"], figures["win"], figures["hold"]) == (100_000, 24_600, "123/500")
    assert (mine["made"]["turnover"], mine["made"]["rounds"]) == (24_600, 1)


@pytest.mark.parametrize(("language", "screen"), others_long([("en", DESKTOP), ("zh", DESKTOP), ("zh", PHONE)]))
@pytest.mark.long
def test_axe_finds_nothing_serious(chromium: Any, staffed: House, language: str, screen: dict[str, int]) -> None:
    table = staffed.table("baccarat", differential=1_000)
    (ann,) = staffed.patrons(1)
    ann.done(table, "BuyIn", patron=ann.id, amount=100_000)
    staffed.dealer.done(table, "OpenBets")
    ann.done(table, "PlaceWager", patron=ann.id, position=1, wager="Player", amount=12_300)
    staffed.dealer.done(table, "CloseBets")
    with browsing(chromium, staffed.live, staffed.manager, language, screen) as pit:
        at_pit(pit, table)
        pit.page.wait_for_selector(f"{decision(table)} button")
        assert pit.hindrances() == []
        assert pit.page.evaluate("document.documentElement.scrollWidth") <= screen["width"]
        for tab, shown in (("people", "punto-people tbody tr"), ("shift", "punto-shift tfoot")):
            pit.page.click(f"#tab-{tab}")
            if tab == "shift":
                pit.page.click("punto-shift button.main")
            pit.page.wait_for_selector(shown)
            pit.page.wait_for_selector(f"punto-{tab} button.main:not([disabled])")
            assert pit.hindrances() == []
        pit.page.click("#tab-tables")
        choose(pit, table)
        for tab in ("play", "rounds", "money", "setting", "people", "events"):
            pit.page.click(f"punto-pit-detail #tab-{tab}")
            assert pit.hindrances() == [], tab
    staffed[Duty.PIT_MANAGER].done(table, "AskForDecreases")
    staffed[Duty.PIT_MANAGER].done(table, "RemoveWager", patron=ann.id, position=1, wager="Player", amount=12_300)


@pytest.mark.parametrize(
    ("duty", "language"), others_long([(Duty.DEALER, "en"), (Duty.CASHIER, "zh"), (Duty.PATRON, "en")])
)
def test_whom_it_is_not_for_gets_a_sentence_and_no_buttons(
    chromium: Any, staffed: House, duty: Duty, language: str
) -> None:
    someone: Someone = staffed.patrons(1)[0] if duty is Duty.PATRON else staffed[duty]
    with browsing(chromium, staffed.live, someone, language) as somebody:
        somebody.open("/pit")
        said = somebody.text("punto-pit main")
        assert ("The pit is for" if language == "en" else "赌区页面供") in said
        assert somebody.page.locator("punto-pit main button").count() == 0


def test_a_guest_is_asked_to_sign_in(chromium: Any, staffed: House) -> None:
    with browsing(chromium, staffed.live) as guest:
        guest.open("/pit")
        guest.page.wait_for_selector("punto-pit punto-sign-in")


@pytest.mark.long
def test_a_decision_shows_its_money_and_a_correction_its_receipt(chromium: Any, staffed: House, tmp_path: Path) -> None:
    table = staffed.table("baccarat")
    (ann,) = staffed.patrons(1)
    dealer = over_http(staffed.dealer, table)
    ann.done(table, "BuyIn", patron=ann.id, amount=100_000)
    dealer("OpenBets")
    ann.done(table, "PlaceWager", patron=ann.id, position=1, wager="Player", amount=10_000)
    dealer("CloseBets")
    deal(dealer, BANKER_WINS)
    dealer("AnnounceOutcome")
    dealer("SettleRound")
    dealer("CallPit", note="card 3 was keyed wrongly")
    with browsing(chromium, staffed.live, staffed.manager) as pit:
        at_pit(pit, table)
        call = f'punto-alerts li[data-table="{table}"][data-alert=call]'
        until(lambda: "card 3 was keyed wrongly" in pit.text(call))
        pit.page.click(f"{call} button")
        pit.page.wait_for_selector(call, state="detached")
        choose(pit, table, "rounds")
        pit.page.click("punto-rounds li.round button")
        pit.page.fill("punto-rounds input[name=player]", "2h 3h 4d")
        pit.page.click("punto-rounds form.cards button")
        until(lambda: "+" in pit.text("punto-rounds .preview"))
        assert chips(ann, table) == 90_000, "nothing has moved yet"
        pit.page.fill("punto-rounds input[name=reason]", "seen on camera 3")
        pit.page.click("punto-rounds button.confirm")
        with pit.page.expect_download() as download:
            pit.page.click("punto-rounds a[download]")
        download.value.save_as(tmp_path / "receipt")
    assert (tmp_path / "receipt").read_bytes().startswith(b"%PDF")
    (corrected,) = events(staffed, table, "RoundCorrected")
    assert corrected["body"]["circumstances"]["reason"] == "seen on camera 3"


def test_an_overlooked_bet_is_settled_from_its_round(chromium: Any, staffed: House) -> None:
    table = staffed.table("baccarat")
    (ann,) = staffed.patrons(1)
    dealer = over_http(staffed.dealer, table)
    ann.done(table, "BuyIn", patron=ann.id, amount=100_000)
    dealer("OpenBets")
    dealer("CloseBets")
    deal(dealer, BANKER_WINS)
    dealer("AnnounceOutcome")
    dealer("SettleRound")
    with browsing(chromium, staffed.live, staffed.manager) as pit:
        at_pit(pit, table)
        choose(pit, table, "rounds")
        pit.page.click("punto-rounds [data-do=SettleOverlookedWager]")
        pit.page.select_option("punto-rounds punto-ask [name=patron]", ann.id)
        pit.page.check("punto-rounds punto-ask [name=position][value='1']", force=True)
        pit.page.select_option("punto-rounds punto-ask [name=wager]", "Banker")
        pit.page.fill("punto-rounds punto-ask [name=amount]", "100")
        pit.page.click("punto-rounds punto-ask button.main")
        until(lambda: "95" in pit.text("punto-rounds .preview"))
        assert chips(ann, table) == 100_000, "nothing has moved yet"
        pit.page.fill("punto-rounds input[name=reason]", "seen on camera 3")
        pit.page.click("punto-rounds button.confirm")
        pit.page.wait_for_selector("punto-rounds a[download]")
    assert chips(ann, table) == 109_500
    (settled,) = events(staffed, table, "OverlookedWagerSettled")
    assert settled["body"]["circumstances"]["reason"] == "seen on camera 3"
    (round_,) = ann.get(f"/api/tables/{table}/rounds")
    assert [(each["wager"], each["returned"]) for each in round_["mine"]] == [("Banker", 19_500)]


def test_a_referral_is_led_to_its_end_by_measures(chromium: Any, staffed: House) -> None:
    table = staffed.table("baccarat")
    ann, bob = staffed.patrons(2)
    for each in (ann, bob):
        each.done(table, "BuyIn", patron=each.id, amount=100_000)
    staffed.dealer.done(table, "OpenBets")
    for position, each in enumerate((ann, bob), start=1):
        each.done(table, "PlaceWager", patron=each.id, position=position, wager="Player", amount=10_000)
    staffed.dealer.done(table, "CloseBets")
    staffed.dealer.done(table, "Refer", matter="a cup fell over", note="camera 9")
    with browsing(chromium, staffed.live, staffed.manager) as shift:
        at_pit(shift, table)
        until(lambda: "a cup fell over" in shift.text(f"{decision(table)} .matter"))
        until(lambda: "held for" in shift.text(decision(table)))
        assert "Reported by Dealer" in shift.text(decision(table))
        assert "camera 9" in shift.text(decision(table))
        # Withdrawal is offered to one of them, who has no device.
        shift.page.locator(f"{decision(table)} button[data-command=OrderWithdrawal]").first.click()
        shift.page.locator(f"{decision(table)} input[name=patron]").nth(1).uncheck()
        shift.page.click(f"{decision(table)} form.row button.main")
        shift.page.click(f"{decision(table)} button.confirm")
        shift.page.click(f"{decision(table)} button[data-command=AnswerWithdrawal]")
        shift.page.locator(f"{decision(table)} .row button.main").first.click()
        until(lambda: "+100.00" in shift.text(f"{decision(table)} .preview"))
        shift.page.click(f"{decision(table)} button.confirm")
        until(lambda: chips(ann, table) + chips(bob, table) == 190_000)
        shift.page.locator(f"{decision(table)} button[data-command=DecideReferral]").first.click()
        shift.page.fill(f"{decision(table)} input[name=uncovered]", "no rule is about cups")
        shift.page.click(f"{decision(table)} punto-ask button.main")
        shift.page.click(f"{decision(table)} button.confirm")
        shift.page.wait_for_selector(decision(table), state="detached")
