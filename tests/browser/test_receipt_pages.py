"""A patron's receipts on the history page, and the page that checks one: served, and saved without a network."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.live import serving
from support.page_watch import browsing, sit_down
from support.playing import House, deal, over_http

HERE = Path(__file__).parents[1] / "audit"
WITNESS = "punto-witness+ff4ab9c2+BCF2OF7kioKVPc/yTT12m/rcPBLsuEtU43QNQe7UpL6i"


def check(page: Any, text: str, witness: str = "") -> bool:
    page.fill("#text", text)
    page.fill("#cosigner", witness)
    page.evaluate("document.getElementById('found').className = ''")
    page.click("#check")
    page.wait_for_selector("#found.holds, #found.fails")
    return "holds" in page.get_attribute("#found", "class")


def test_the_page_checks_a_receipt_also_from_a_saved_file_without_a_network(
    chromium: Any, staffed: House, tmp_path: Path
) -> None:
    file, code = (HERE / "receipt.json").read_text("utf-8"), (HERE / "receipt.txt").read_text("utf-8")
    served = staffed.live.nobody().http.get("/receipt")
    saved = tmp_path / "receipt.html"
    saved.write_bytes(served.content)
    for address, offline in ((f"{staffed.live.address}/receipt", False), (saved.as_uri(), True)):
        context = chromium.new_context(offline=offline)
        page = context.new_page()
        page.goto(address)
        assert check(page, file, WITNESS)
        assert "23.40" in page.inner_text("#found")
        assert check(page, code)
        assert not check(page, file.replace("2340", "9340"))
        assert not check(page, file, WITNESS.replace("witness", "another"))
        page.fill("#cosigner", "")
        page.set_input_files("#file", str(HERE / "receipt.json"))
        page.wait_for_selector("#found.holds")
        context.close()


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_patron_opens_and_keeps_a_receipt(chromium: Any, tmp_path: Path, language: str) -> None:
    database = str(tmp_path / "punto.db")
    with serving(database, tmp_path, "--log", str(tmp_path / "log")) as live:
        made = House(live, database)
        table, (someone,) = made.table(), made.patrons(1)
        dealer = over_http(made.dealer, table)
        with browsing(chromium, live, someone, language) as patron:
            sit_down(table, patron, amount="100")
            dealer("OpenBets")
            someone.done(table, "PlaceWager", patron=someone.id, position=1, wager="Player", amount=2_500)
            dealer("CloseBets")
            deal(dealer, "9c 2c Kd 3d")
            dealer("AnnounceOutcome")
            dealer("SettleRound")
            page = patron.page
            page.goto(f"{live.address}/history")
            page.locator("button.receipt").first.click()
            page.wait_for_selector("dialog.receipts[open]")
            while not page.locator(".receipt-shown svg").count():  # not sealed yet, as the page says
                page.keyboard.press("Escape")
                page.wait_for_timeout(500)
                page.locator("button.receipt").first.click()
                page.wait_for_selector("dialog.receipts[open] p")
            with page.expect_download() as saved:
                page.locator(".receipt-shown a").first.click()
            kept = json.loads(saved.value.path().read_text("utf-8"))
            assert json.loads(kept["receipt"])["returned"] == 5_000
            page.goto(f"{live.address}/receipt")
            assert check(page, json.dumps(kept))
