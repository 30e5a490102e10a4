"""The desk of the cage: people by name, transfers, statements to the cent, and cash over the threshold."""

from __future__ import annotations

from typing import Any

import pytest
from support.live import Someone
from support.playing import House, account

from punto.server.access.identity import Duty
from punto.server.cash.cash_book import CashBook, cash_of
from punto.store.events.cage_events import (
    CashDirection,
    CashFlagSeen,
    CashTaken,
    ChipsCarried,
    DebtSettled,
    Deposited,
    MovedToTable,
    PaidOut,
)
from punto.store.house_settings import HouseSettings
from punto.store.records import EventRecord
from punto.table.event import Event

MACAU = HouseSettings(time_zone="Asia/Macau", day_begins=6, cash_threshold=10_000)
SIX = 1_800_050_400_000
"""Six in the morning in Macau: a gaming day begins."""


def patron_named(house: House, name: str) -> str:
    patron: str = house.cashier.post("/api/people", name=name, duty="patron")["person"]["id"]
    return patron


def test_a_cashier_serves_a_patron_found_by_name(served: House) -> None:
    cashier, table = served.cashier, served.table()
    patron = patron_named(served, "Chan Tai Man 陈大文")
    for name in ("chan tai", "大文"):
        (found,) = cashier.get("/api/cage/patrons", name=name)
        assert (found["patron"], found["holds"], found["owes"], found["tables"]) == (patron, 0, 0, [])
    cashier.post("/api/cage/deposits", patron=patron, amount=50_005)
    order = {"patron": patron, "table": table, "amount": 20_001, "key": f"{table}-in"}
    assert cashier.post("/api/cage/transfers", **order) == cashier.post("/api/cage/transfers", **order)
    moved = cashier.get(f"/api/cage/patrons/{patron}")
    assert (moved["holds"], moved["tables"]) == (30_004, [{"table": table, "chips": 20_001}])
    back = cashier.post("/api/cage/transfers", patron=patron, table=table, amount=20_001, to_table=False)
    assert (back["holds"], back["tables"]) == (50_005, [])
    for amount, code in ((50_006, "account-short"), (0, "bad-message")):
        answer = cashier.http.post("/api/cage/transfers", json={"patron": patron, "table": table, "amount": amount})
        assert answer.json()["code"] == code
    assert cashier.http.post(
        "/api/cage/transfers", json={"patron": patron, "table": table, "amount": 1, "to_table": False}
    ).json()["code"] in ("not-enough-chips", "unknown-patron")
    cashier.post("/api/cage/payments", patron=patron, amount=50_005)
    told = cashier.get(f"/api/cage/statements/{patron}")
    assert [(each["kind"], each["amount"], each["balance"]) for each in told["entries"]] == [
        ("deposit", 50_005, 50_005),
        ("to-table", 20_001, 30_004),
        ("from-table", 20_001, 50_005),
        ("withdrawal", 50_005, 0),
    ]
    assert (told["opening"], told["closing"], told["start"]) == (0, 0, told["entries"][0]["at"])
    later = cashier.get(f"/api/cage/statements/{patron}", **{"from": told["entries"][1]["at"]})
    assert later["opening"] == 50_005
    paper = cashier.http.get(f"/api/cage/statements/{patron}/pdf", params={"language": "zh"})
    assert (paper.status_code, paper.content[:5]) == (200, b"%PDF-")


def test_only_the_cage_moves_money_and_dealers_see_none(served: House) -> None:
    (patron,) = served.patrons(1)
    table = served.table()
    for person in (served.dealer, served[Duty.AUDITOR], patron):
        answer = person.http.post("/api/cage/transfers", json={"patron": patron.id, "table": table, "amount": 100})
        assert answer.status_code == 403
    for person in (served.dealer, patron):
        for path in ("/api/cage/patrons?name=a", f"/api/cage/statements/{patron.id}", "/api/cage/cash-flags"):
            assert person.http.get(path).status_code == 403
    assert (account(patron), served.cashier.http.get("/api/cage/statements/nobody").status_code) == (10_000_000, 409)


def test_cash_over_the_threshold_is_shown_until_a_person_has_seen_it(served: House) -> None:
    cashier = served.cashier
    patron = patron_named(served, "Ms Cash")
    assert of_patron(cashier, patron) == []
    cashier.post("/api/cage/deposits", patron=patron, amount=999_999)
    assert of_patron(cashier, patron) == []
    cashier.post("/api/cage/deposits", patron=patron, amount=1)
    (shown,) = of_patron(cashier, patron)
    flag = shown["flag"]
    assert (shown["name"], flag["amount"], flag["transactions"], flag["direction"]) == ("Ms Cash", 1_000_000, 2, "in")
    seen = {"patron": patron, "direction": "in", "day_began": flag["day_began"], "amount": flag["amount"]}
    wrong = cashier.http.post("/api/cage/cash-flags/seen", json=seen | {"amount": 1}).json()
    assert (wrong["code"], wrong["case"]) == ("cannot-be", "no-such-flag")
    cashier.post("/api/cage/cash-flags/seen", **seen)
    assert of_patron(cashier, patron) == []
    (kept,) = of_patron(cashier, patron, seen=True)
    assert (kept["flag"]["seen"], kept["seen_by"]) == (True, "Cashier")
    cashier.post("/api/cage/deposits", patron=patron, amount=5)  # it grows: it is shown again
    assert [each["flag"]["amount"] for each in of_patron(cashier, patron)] == [1_000_005]


def of_patron(cashier: Someone, patron: str, seen: bool = False) -> list[dict[str, Any]]:
    listed = cashier.get("/api/cage/cash-flags", seen=str(seen).lower())
    return [each for each in listed if each["flag"]["patron"] == patron]


def test_cash_is_summed_by_the_gaming_day_of_the_house() -> None:
    book = CashBook()
    for at, event in (
        (SIX - 1, Deposited("ann", 9_999)),
        (SIX, Deposited("ann", 5_000)),
        (SIX + 1, CashTaken("ann", "t1", 5_000)),
        (SIX + 2, PaidOut("ann", 9_999)),
        (SIX + 3, MovedToTable("ann", "t1", 90_000)),
    ):
        book.take_in(EventRecord.of(event, at, "kim", "Cashier"))
    (flag,) = book.flags(MACAU)
    assert (flag.patron, flag.direction, flag.day_began, flag.amount) == ("ann", CashDirection.IN, SIX, 10_000)
    book.take_in(EventRecord.of(CashFlagSeen("ann", CashDirection.IN, SIX, 10_000), SIX + 9, "kim", "Cashier"))
    assert [each.seen for each in book.flags(MACAU)] == [True]
    assert book.flags(HouseSettings(time_zone="Asia/Macau", cash_threshold=0)) == []
    assert [each.amount for each in book.flags(HouseSettings(cash_threshold=10_000))] == [19_999]  # by UTC one day


@pytest.mark.parametrize(
    ("event", "direction"),
    [
        (ChipsCarried("ann", "t1", 1), CashDirection.OUT),
        (DebtSettled("ann", "t1", 1, "cage"), CashDirection.IN),
        (DebtSettled("ann", "t1", 1, "cage", True), None),
        (DebtSettled("ann", "t1", 1, "t1"), None),
    ],
)
def test_what_counts_as_cash(event: Event, direction: CashDirection | None) -> None:
    found = cash_of(event)
    assert (found and found[1]) == direction


def test_a_debt_that_is_not_there_is_not_paid(served: House) -> None:
    patron = patron_named(served, "No Debt")
    answer = served.cashier.http.post("/api/cage/debts/payments", json={"patron": patron, "amount": 100}).json()
    assert answer["code"] == "no-debt"
