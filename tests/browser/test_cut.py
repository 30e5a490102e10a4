"""Patrons cut a sealed shoe at their pages, and check it there when it has ended."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.command import run_json
from support.live import Someone
from support.page_watch import Patron, browsing
from support.playing import House, until


def shoe_at(someone: Someone, table: str) -> dict[str, Any]:
    """The newest sealed shoe of a table."""
    shown: dict[str, Any] = someone.get(f"/api/tables/{table}/shoes", most=1)[0]
    return shown


def cut(patron: Patron, words: str = "") -> None:
    patron.page.fill("punto-cut input[name=words]", words)
    patron.page.click("punto-cut button.main")


def test_two_patrons_cut_a_shoe_and_check_it_when_it_has_ended(chromium: Any, staffed: House, tmp_path: Path) -> None:
    table, dealer = staffed.table(device="sealed"), staffed.dealer
    ann, bob = staffed.patrons(2)
    with browsing(chromium, staffed.live, ann) as anns, browsing(chromium, staffed.live, bob, "zh") as bobs:
        for each in (anns, bobs):
            each.sit(table)
        name = dealer.post(f"/api/tables/{table}/shoes")["shoe"]
        cut(anns, "八 lucky 8")
        cut(bobs)
        until(lambda: len(shoe_at(dealer, table)["pledged"]) == 2)
        until(lambda: "2 in all" in anns.text("punto-cut section"))
        closed = dealer.post(f"/api/tables/{table}/shoes/{name}/list")["closed_list"]
        until(lambda: shoe_at(dealer, table)["ready"])
        until(lambda: "your part is in it" in anns.text("punto-cut section"))
        dealer.done(table, "LoadShoe", shoe=name)
        anns.page.wait_for_selector("punto-cut section", state="detached")
        dealer.done(table, "OpenBets")
        dealer.done(table, "CloseBets")
        for _ in range(4):
            dealer.done(table, "DrawCard")
        dealer.done(table, "ExposeCard", hand="player", place=0)
        for hand, place in (("player", 1), ("banker", 0), ("banker", 1)):
            dealer.done(table, "ExposeCard", hand=hand, place=place)
        staffed.manager.done(table, "Refer", matter="the shoe is given up")
        staffed.manager.done(table, "DecideReferral", void=True)
        staffed.manager.done(table, "EndShoe")
        until(lambda: shoe_at(dealer, table)["published"])
        record = dealer.get(f"/api/tables/{table}/shoes/{name}/record")
        assert {each["patron"] for each in record["cuts"][-1]["patrons"]} == {ann.id, bob.id}
        words = [each["contribution"] for each in record["cuts"][-1]["patrons"] if each["patron"] == ann.id]
        assert [bytes.fromhex(each).decode() for each in words] == ["八 lucky 8"]
        published = tmp_path / "shoe.json"
        published.write_text(json.dumps(record), "utf-8")
        assert run_json("verify-shoe", str(published), "--noted", closed)["ok"]
        for each in (anns, bobs):
            each.page.click("punto-tabs #tab-shoe")
            each.page.click(f"punto-shoes [data-shoe='{name}'] button")
            each.page.wait_for_selector("punto-shoes .verdict.won")
            assert each.page.locator("punto-shoes ul li").count() == 9, "with what this browser noted itself"
        assert record["secret"] in anns.page.locator("punto-shoes dl").first.text_content()


@pytest.mark.long
def test_a_list_that_is_not_as_it_was_told_is_revealed_nothing(chromium: Any, staffed: House) -> None:
    table, dealer = staffed.table(device="sealed"), staffed.dealer
    (ann,) = staffed.patrons(1)
    with browsing(chromium, staffed.live, ann) as anns:

        def lie(route: Any) -> None:
            shown = route.fetch().json()
            for each in shown:
                each["closed_list"] = "00" * 32 if each["list_closed"] else None
            route.fulfill(json=shown)

        anns.page.route("**/shoes?most=1", lie)
        anns.sit(table)
        name = dealer.post(f"/api/tables/{table}/shoes")["shoe"]
        cut(anns)
        until(lambda: shoe_at(dealer, table)["pledged"] == [ann.id])
        dealer.post(f"/api/tables/{table}/shoes/{name}/list")
        anns.page.wait_for_selector("punto-cut .altered")
        assert shoe_at(dealer, table)["missing"] == [ann.id]


@pytest.mark.long
def test_whoever_agrees_for_good_cuts_again_when_another_spoils_the_cut(chromium: Any, staffed: House) -> None:
    table, dealer = staffed.table(device="sealed"), staffed.dealer
    ann, bob = staffed.patrons(2)
    with browsing(chromium, staffed.live, ann) as anns:
        anns.sit(table)
        shoe = dealer.post(f"/api/tables/{table}/shoes")
        anns.page.wait_for_selector("punto-cut form")
        assert anns.hindrances() == []
        cut(anns, "八" * 30)
        anns.page.wait_for_selector("punto-cut [role=alert]")
        anns.page.check("punto-cut input[name=always]")
        cut(anns, "8")
        bob.post(f"/api/tables/{table}/shoes/{shoe['shoe']}/pledges", commitment="11" * 32)
        until(lambda: len(shoe_at(dealer, table)["pledged"]) == 2)
        dealer.post(f"/api/tables/{table}/shoes/{shoe['shoe']}/list")
        until(lambda: shoe_at(dealer, table)["missing"] == [bob.id])
        again = f"/api/tables/{table}/shoes/{shoe['shoe']}/again"
        until(lambda: dealer.http.post(again).status_code == 200)  # once Bob's time to reveal is over
        until(lambda: shoe_at(dealer, table)["pledged"] == [ann.id])
        dealer.post(f"/api/tables/{table}/shoes/{shoe['shoe']}/list")
        until(lambda: shoe_at(dealer, table)["ready"])


@pytest.mark.long
def test_at_an_automatic_table_there_is_time_to_cut_and_a_clock_says_how_much(chromium: Any, staffed: House) -> None:
    table = staffed.table(device="sealed")
    (ann,) = staffed.patrons(1)
    with browsing(chromium, staffed.live, ann) as anns:
        anns.sit(table)
        anns.buy_in("100")
        staffed.manager.post(f"/api/tables/{table}/automation", steps=["announce"])
        anns.page.wait_for_selector("punto-cut punto-clock")
        assert shoe_at(ann, table)["deadline"]
        anns.page.locator("punto-cut button", has_text="Not this time").click()
        anns.page.wait_for_selector("punto-cut section", state="detached")
