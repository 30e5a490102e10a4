"""Reports of shifts and gaming days: each opening's own money, theory to the cent, local times, names, no activity."""

from __future__ import annotations

import csv
from datetime import date
from fractions import Fraction
from typing import Any

import pytest
from support.pdf_text import pdf_text
from support.playing import House, deal, over_http

from punto import load
from punto.odds.exact import odds
from punto.report.shift.shift_csv import COLUMNS
from punto.server.access.identity import Duty
from punto.store.house_settings import HouseSettings

MACAU = HouseSettings("Lotus", "Asia/Macau", 6)
SYDNEY = HouseSettings("Harbour", "Australia/Sydney", 6)
BANKER_WINS = "2h 4s 3h 2c 5d"


def play_and_close(house: House, table: str, stake: int, difference: int) -> None:
    """One patron bets on Banker and wins, takes all away, and the table is closed with a variance."""
    dealer, manager = house.dealer, house.manager
    (patron,) = house.patrons(1)
    dealer.done(table, "BuyIn", patron=patron.id, amount=stake)
    dealer.done(table, "OpenBets")
    dealer.done(table, "PlaceWager", patron=patron.id, position=1, wager="Banker", amount=stake)
    dealer.done(table, "CloseBets")
    deal(over_http(dealer, table), BANKER_WINS)
    dealer.done(table, "AnnounceOutcome")
    dealer.done(table, "SettleRound")
    dealer.done(table, "CashOut", patron=patron.id, amount=2 * stake - stake // 20)
    money = manager.get(f"/api/pit/{table}")["money"]
    counted = money["closing"] + difference
    manager.done(table, "CloseTable", counted=counted, pieces=[{"value": counted, "number": 1}])


@pytest.fixture(scope="module")
def told(served: House) -> tuple[str, dict[str, Any]]:
    """A table opened twice with different floats, and the report of the present gaming day."""
    table, manager = served.table(), served.manager
    setting = manager.get(f"/api/tables/{table}")["view"]["setting"]
    play_and_close(served, table, 10_000, -500)
    manager.done(table, "OpenTable", setting=setting, float_=7_000_000)
    served.dealer.done(table, "LoadShoe", shoe=f"{table} second")
    play_and_close(served, table, 40_000, 0)
    return table, manager.get("/api/day-report")


def test_each_opening_has_its_own_money_and_people(told: tuple[str, dict[str, Any]]) -> None:
    table, report = told
    (made,) = [each for each in report["tables"] if each["table"] == table]
    first, second = made["openings"]
    edge = odds(load("baccarat"), 8)["Banker"].house_edge
    for opening, float_, stake, difference in ((first, 1_000_000_000, 10_000, -500), (second, 7_000_000, 40_000, 0)):
        figures, played = opening["figures"], opening["made"]
        assert (figures["opening"], figures["drop"]) == (float_, stake)
        assert figures["win"] == -(stake - stake // 20) + difference
        assert (played["turnover"], played["rounds"], played["count_difference"]) == (stake, 1, difference)
        assert played["theoretical"] == round(stake * edge)
        assert opening["pieces"] == [{"value": figures["closing"], "number": 1}]
        assert opening["opened_by"] == opening["closed_by"] == "Gaming Shift Manager"
    assert made["made"]["theoretical"] == round(Fraction(50_000) * edge)
    assert report["start"] > 0


def test_a_report_is_written_for_paper_and_for_other_programs(served: House, told: tuple[str, dict[str, Any]]) -> None:
    table, _ = told
    manager = served.manager
    for path in ("/api/day-report", "/api/shift-report"):
        paper = manager.http.get(path, params={"format": "pdf", "language": "zh"})
        assert (paper.status_code, paper.content[:5]) == (200, b"%PDF-")
        lines = list(csv.DictReader(manager.http.get(path, params={"format": "csv"}).text.splitlines()))
        own = [each for each in lines if each["table"] == table]
        assert tuple(own[0]) == COLUMNS
        assert [(each["opening"], each["drop"], each["count_difference"]) for each in own] == [
            ("10000000.00", "100.00", "-5.00"),
            ("70000.00", "400.00", "0.00"),
        ]


def test_a_report_says_when_it_was_made(served: House) -> None:
    before = served.manager.get("/api/day-report")["made_at"]
    after = served.manager.get("/api/day-report")["made_at"]
    assert 0 < before <= after
    settings = HouseSettings(**served.manager.get("/api/house/settings"))
    made = served.manager.get("/api/day-sheet")["made"]
    assert f" made {settings.local(after):%Y-%m-%d %H:}" in made


def test_a_day_report_names_the_house_and_the_span_it_covers(served: House) -> None:
    manager = served.manager
    seen = manager.get("/api/house/settings")
    named = seen | {"property_name": "The Nine Lanterns", "time_zone": "Asia/Macau", "day_begins": 6}
    manager.post("/api/house/settings", settings=named, seen=seen)
    try:
        sheet = manager.get("/api/day-sheet", day="2020-02-29")
        paper = pdf_text(manager.http.get("/api/day-report", params={"format": "pdf", "day": "2020-02-29"}).content)
    finally:
        manager.post("/api/house/settings", settings=seen, seen=named)
    zone = "06:00 Asia/Macau (UTC+08:00)"
    assert sheet["property"] == "The Nine Lanterns"
    assert sheet["span"] == f"2020-02-29 {zone} to 2020-03-01 {zone}"
    for said in ("The Nine Lanterns", "2020-02-29 06:00", "2020-03-01 06:00"):
        assert said in paper


def test_a_day_without_play_says_so_and_no_report_begins_in_1970(served: House) -> None:
    manager = served.manager
    empty = manager.get("/api/day-report", day="2020-02-29")
    assert (empty["activity"], empty["tables"], empty["day"]) == (False, [], "2020-02-29")
    assert manager.get("/api/shift-report")["start"] > 1_700_000_000_000
    for day in ("1969-12-31", "9999-12-31", "2126-01-01", "yesterday"):
        assert manager.http.get("/api/day-report", params={"day": day}).status_code == 422
    assert served[Duty.CASHIER].http.get("/api/day-report").status_code == 403


@pytest.mark.parametrize(
    ("settings", "day", "hours"),
    [
        (MACAU, date(2026, 11, 17), 24),
        (SYDNEY, date(2026, 4, 4), 25),  # clocks go back in the night after it began
        (SYDNEY, date(2026, 10, 3), 23),
    ],
)
def test_a_gaming_day_is_by_the_clocks_of_the_house(settings: HouseSettings, day: date, hours: int) -> None:
    start, end = settings.day_start(day), settings.day_start(date.fromordinal(day.toordinal() + 1))
    assert end - start == hours * 3_600_000
    assert settings.local(start).hour == 6
    assert [settings.day_of(at) for at in (start, end - 1)] == [day, day]
    assert settings.day_of(start - 1) == date.fromordinal(day.toordinal() - 1)
