"""Signing in by a link, a password and a second factor; what waits for a second person; all in real browsers."""

from __future__ import annotations

import time
from base64 import b32decode
from itertools import count
from typing import Any

import pytest
from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP
from support.long import others_long
from support.page_watch import DESKTOP, PHONE, Patron, browsing
from support.playing import House, until

from punto.server.access.identity import Duty

PASSWORD = "seven red lanterns"
_NUMBERS = count(1)


def type_code(at: Patron, code: str) -> None:
    at.page.fill("punto-second-factor input[name=code]", code)
    at.page.click("punto-second-factor form button")


def set_up(at: Patron) -> tuple[str, list[str]]:
    """Set up a second factor on the page; its key and the recovery codes."""
    at.page.click("punto-account section:last-of-type button.main")
    key = until(lambda: at.text("punto-second-factor .key")).replace(" ", "")
    assert at.hindrances() == []
    type_code(at, TOTP(b32decode(key), 6, SHA1(), 30).generate(int(time.time())).decode())
    at.page.wait_for_selector("punto-second-factor .codes li")
    assert at.hindrances() == []
    codes = at.page.locator("punto-second-factor .codes li").all_inner_texts()
    at.page.click("punto-second-factor button.main")
    return key, codes


@pytest.mark.parametrize("language", others_long(["en", "zh"]))
def test_a_link_then_a_password_then_a_second_factor(chromium: Any, staffed: House, language: str) -> None:
    name = f"Kit {next(_NUMBERS)} {language}"
    link = staffed.manager.post("/api/people", name=name, duty="Dealer")["link"]
    with browsing(chromium, staffed.live, None, language) as kit:
        kit.page.goto(f"{staffed.live.address}/enter#{link}")
        kit.page.wait_for_selector("punto-enter main button")
        assert kit.page.evaluate("location.hash") == "", "the address bar does not keep the link"
        assert kit.hindrances() == []
        kit.page.click("punto-enter main button")
        kit.page.click("punto-welcome a[href='/account']")
        kit.page.fill("punto-account input[name=password]", PASSWORD)
        kit.page.click("punto-account form button")
        kit.page.wait_for_selector("punto-account form .won")
        assert kit.hindrances() == []
        _, codes = set_up(kit)
        kit.page.wait_for_selector("punto-account section:last-of-type button:not(.main)")
        assert kit.hindrances() == []
        kit.page.click("punto-top .leave")
        kit.page.fill("punto-sign-in input[name=name]", name)
        kit.page.fill("punto-sign-in input[name=password]", PASSWORD)
        kit.page.click("punto-sign-in button")
        kit.page.wait_for_selector("punto-second-factor input[name=code]")
        assert kit.page.evaluate("document.body.dataset.person") is None, "a password alone opens nothing"
        assert kit.hindrances() == []
        type_code(kit, "000000")
        kit.page.wait_for_selector("punto-second-factor [role=alert]")
        assert "409" in kit.faults.pop()
        type_code(kit, codes[0])
        kit.page.wait_for_selector("punto-welcome a[href='/account']")
        person = kit.page.evaluate("document.body.dataset.person")
        staffed.manager.post(f"/api/people/{person}/link")
        kit.page.reload()
        kit.page.wait_for_selector("punto-link-notices li")
        assert kit.hindrances() == []
        kit.page.click("punto-link-notices button")
        kit.page.reload()
        kit.page.wait_for_selector("punto-welcome a[href='/account']")
        assert kit.page.evaluate("document.body.dataset.links") is None


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_link_for_an_auditor_waits_for_another_manager(chromium: Any, staffed: House, language: str) -> None:
    second = staffed[Duty.ASSISTANT_CASINO_MANAGER]
    name = f"Aud {next(_NUMBERS)} {language}"
    with (
        browsing(chromium, staffed.live, staffed.manager, language) as one,
        browsing(chromium, staffed.live, second, language) as other,
    ):
        for each in (one, other):
            each.open("/pit")
            each.page.click("#tab-people")
        one.page.fill("punto-people input[name=name]", name)
        one.page.select_option("punto-people select[name=duty]", "Auditor")
        one.page.click("punto-people form button")
        one.page.wait_for_selector("punto-person-requests li")
        assert one.page.locator("punto-people input.link").count() == 0
        assert one.page.locator("punto-person-requests li", has_text=name).locator("button").count() == 0
        assert one.hindrances() == []
        waiting = other.page.locator("punto-person-requests li", has_text=name)
        waiting.locator("button").click()
        link = until(lambda: other.page.locator("punto-people input.link").input_value())
        assert "/enter#" in link
        assert other.hindrances() == []


LIMITS = "punto-house-limits"


@pytest.mark.parametrize(("language", "screen"), others_long([("en", DESKTOP), ("zh", DESKTOP), ("zh", PHONE)]))
def test_a_patron_limits_themselves_and_stops_playing(
    chromium: Any, staffed: House, language: str, screen: dict[str, int]
) -> None:
    (ann,) = staffed.patrons(1)
    with browsing(chromium, staffed.live, ann, language, screen) as anns:
        anns.open("/account")
        anns.page.fill(f"{LIMITS} input[name=limit]", "250")
        anns.page.click(f"{LIMITS} form button.main")
        anns.page.wait_for_selector(f"{LIMITS} [data-limit='loss day']")
        anns.page.select_option(f"{LIMITS} select[name=kind]", "time")
        anns.page.fill(f"{LIMITS} input[name=limit]", "90")
        anns.page.click(f"{LIMITS} form button.main")
        anns.page.wait_for_selector(f"{LIMITS} [data-limit='time day']")
        assert [each["limit"] for each in ann.get("/api/limits/mine")["limits"]] == [25_000, 90 * 60_000]
        assert "250.00" in anns.text(f"{LIMITS} [data-limit='loss day']")
        assert "90" in anns.text(f"{LIMITS} [data-limit='time day']")
        anns.page.select_option(f"{LIMITS} select[name=days]", "7")
        anns.page.click(f"{LIMITS} section:last-of-type form button")
        anns.page.click(f"{LIMITS} [role=alertdialog] button:not(.main)")
        anns.page.wait_for_selector(f"{LIMITS} select[name=days]")
        assert ann.get("/api/limits/mine")["excluded"] is None, "it takes a second press"
        anns.page.select_option(f"{LIMITS} select[name=days]", "7")
        anns.page.click(f"{LIMITS} section:last-of-type form button")
        anns.page.wait_for_selector(f"{LIMITS} [role=alertdialog]")
        assert anns.hindrances() == []
        anns.page.click(f"{LIMITS} [role=alertdialog] button.main")
        anns.page.wait_for_selector(f"{LIMITS} [data-excluded=cool-off]")
        assert ann.get("/api/limits/mine")["excluded"] == "cool-off"
        assert anns.hindrances() == []
