"""The cage page: a patron found by name, money moved and stated, a slip confirmed, cash seen; in both languages."""

from __future__ import annotations

from typing import Any

import pytest
from support.long import others_long
from support.page_watch import DESKTOP, browsing
from support.playing import House, until

from punto.server.access.identity import Duty

SMALLER = {"width": 1024, "height": 768}
PIECES = [{"value": 10_000, "number": 3}]


def move(page: Any, name: str, amount: str) -> None:
    form = page.locator(f"punto-cage form[data-move={name}]")
    form.locator("input[name=amount]").fill(amount)
    form.locator("button").click()
    until(lambda: form.locator("input[name=amount]").input_value() == "")


@pytest.mark.parametrize(
    ("language", "screen"),
    others_long([("en", DESKTOP), ("zh", SMALLER)]),
    ids=["en", "zh"],
)
def test_a_cashier_works_by_name(chromium: Any, staffed: House, language: str, screen: dict[str, int]) -> None:
    table, cashier = staffed.table(), staffed.cashier
    name = f"陈先生 {table}"
    patron = cashier.post("/api/people", name=name, duty="patron")["person"]["id"]
    staffed[Duty.PIT_MANAGER].post("/api/slips", kind="fill", table=table, pieces=PIECES)
    with browsing(chromium, staffed.live, cashier, language, screen) as desk:
        desk.open("/cage")
        desk.page.fill("punto-cage input[name=name]", table)
        desk.page.keyboard.press("Enter")
        desk.page.wait_for_selector("punto-cage [data-holds]")
        assert desk.text("punto-cage section h2") == name
        move(desk.page, "deposit", "12,000.05")
        desk.page.locator("punto-cage form[data-move=to_table] select").select_option(table)
        move(desk.page, "to_table", "2000")
        move(desk.page, "withdraw", "0.05")
        until(lambda: desk.text("punto-cage [data-holds]") == "10,000.00")
        told = cashier.get(f"/api/cage/patrons/{patron}")
        assert (told["holds"], told["tables"]) == (1_000_000, [{"table": table, "chips": 200_000}])
        desk.page.locator("punto-cage section form.row button").last.click()
        desk.page.wait_for_selector("punto-cage table.statement")
        assert desk.page.locator("punto-cage table.statement tbody tr").count() == 5
        assert desk.hindrances() == []
        desk.page.click("punto-cage #tab-flags")
        flag = desk.page.locator(f"punto-cage tr[data-flag={patron}]")
        assert "12,000.05" in flag.inner_text()
        flag.locator("button").click()
        flag.wait_for(state="detached")
        desk.page.click("punto-cage #tab-slips")
        slip = desk.page.locator("punto-cage punto-slips tr.asked", has_text=table)
        slip.locator("button.main").click()
        slip.wait_for(state="detached")
        assert desk.hindrances() == []
    assert [each["state"] for each in cashier.get("/api/slips", table=table)] == ["confirmed"]


def test_the_cage_is_not_for_a_dealer(chromium: Any, staffed: House) -> None:
    with browsing(chromium, staffed.live, staffed.dealer) as dealer:
        dealer.open("/cage")
        dealer.page.wait_for_selector("punto-cage p[role=status]")
        assert "Dealer" in dealer.text("punto-cage p[role=status]")
