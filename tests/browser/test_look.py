"""How the pages come to a screen: in the reader's theme, as an app, and light enough for a phone's connection."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support.live import Live
from support.long import others_long
from support.page_watch import browsing
from support.playing import House

MOST_AT_START = 120 * 1024
DARK, LIGHT = "rgb(10, 31, 23)", "rgb(240, 244, 240)"
GROUND = "getComputedStyle(document.body).backgroundColor"


@pytest.mark.long
def test_a_page_follows_the_system_and_then_the_reader(chromium: Any, practice: Live) -> None:
    with browsing(chromium, practice) as guest:
        page = guest.page
        page.emulate_media(color_scheme="dark")
        guest.open("/")
        switch = page.locator("punto-theme button")
        switch.wait_for()
        seen = [page.evaluate(GROUND)]
        for _ in range(3):
            switch.click()
            seen.append(page.evaluate(GROUND))
        assert seen == [DARK, LIGHT, DARK, DARK]
        page.emulate_media(color_scheme="light")
        assert page.evaluate(GROUND) == LIGHT, "back to what the system says"


@pytest.mark.parametrize("path", others_long(["/", "/tables/tiger", "/display/tiger", "/school", "/nowhere"]))
def test_a_chosen_theme_is_there_before_any_module_runs(chromium: Any, practice: Live, path: str) -> None:
    with browsing(chromium, practice) as guest:
        page = guest.page
        page.emulate_media(color_scheme="dark")
        page.add_init_script("localStorage.setItem('punto.theme', 'light')")
        page.route("**/static/*.js", lambda route: route.fulfill(content_type="text/javascript", body=""))
        guest.open(path)
        assert page.evaluate(GROUND) == LIGHT
        guest.faults.clear()  # that there is nothing at one of these addresses


@pytest.mark.parametrize(("locale", "name"), others_long([("zh-CN", "Punto 百家乐"), ("en-AU", "Punto Baccarat")]))
def test_punto_can_be_installed_as_an_app(chromium: Any, practice: Live, locale: str, name: str) -> None:
    context = chromium.new_context(locale=locale)
    try:
        page = context.new_page()
        page.goto(f"{practice.address}/")
        browser = context.new_cdp_session(page)
        told = browser.send("Page.getAppManifest")
        assert told["errors"] == []
        app = json.loads(told["data"])
        assert app["name"] == name
        hindrances = browser.send("Page.getInstallabilityErrors")["installabilityErrors"]
        assert {each["errorId"] for each in hindrances} <= {"in-incognito"}, hindrances  # as all pages of a test are
        kinds = {(icon["purpose"], icon["sizes"]) for icon in app["icons"]}
        assert kinds == {("any", "any"), ("any", "192x192"), ("any", "512x512"), ("maskable", "512x512")}
        for icon in app["icons"]:
            answer = page.request.get(f"{practice.address}/static/{icon['src']}")
            assert answer.ok
            assert answer.headers["content-type"] == ("image/svg+xml" if icon["sizes"] == "any" else "image/png")
    finally:
        context.close()


@pytest.mark.parametrize("language", others_long(["zh", "en"]))
def test_a_seat_is_light_enough_for_a_phone(chromium: Any, practice: Live, language: str) -> None:
    """Everything that crosses the network until the table is there: page, scripts, styles, texts, game and table."""
    with browsing(chromium, practice, language=language) as guest:
        network = guest.page.context.new_cdp_session(guest.page)
        network.send("Network.enable")
        loaded: dict[str, float] = {}
        named: dict[str, str] = {}
        network.on("Network.requestWillBeSent", lambda sent: named.update({sent["requestId"]: sent["request"]["url"]}))
        network.on(
            "Network.loadingFinished", lambda done: loaded.update({done["requestId"]: done["encodedDataLength"]})
        )
        guest.open("/tables/tiger")
        guest.page.wait_for_selector("punto-areas")
        guest.page.wait_for_load_state("networkidle")
        weights = {named[each]: size for each, size in loaded.items()}
        assert any("/static/seat-" in each for each in weights)
        assert any(f"/static/{language}-" in each for each in weights)
        assert sum(weights.values()) <= MOST_AT_START, weights


CUT = """{
    const sockets = [];
    window.WebSocket = class extends WebSocket {
        constructor(address) {
            super(window.isCut ? String(address).replace("socket", "nothing") : address);
            sockets.push(this);
        }
    };
    window.cut = () => { window.isCut = true; for (const each of sockets) each.close(); };
    window.mend = () => { window.isCut = false; window.dispatchEvent(new Event("online")); };
}"""
"""A connection that can be cut: until it is mended, the page knocks at a door that is not there."""
LOST = {"en": "Connection lost. Reconnecting…", "zh": "连接中断，正在重连…"}


@pytest.mark.parametrize("language", others_long(LOST))
@pytest.mark.long
def test_every_live_page_says_that_its_connection_is_lost(chromium: Any, staffed: House, language: str) -> None:
    table = staffed.table("tiger")
    with browsing(chromium, staffed.live, staffed.manager, language) as reader:
        reader.page.add_init_script(CUT)
        for path in ("/", f"/tables/{table}", f"/tables?show={table}", f"/display/{table}", f"/dealer/{table}", "/pit"):
            reader.open(path)
            reader.page.wait_for_load_state("networkidle")
            reader.page.evaluate("cut()")
            badge = reader.page.locator("punto-connection .away")
            badge.wait_for()
            assert badge.inner_text().splitlines()[0].strip() == LOST[language], path
            reader.page.evaluate("mend()")
            badge.wait_for(state="detached")
        reader.faults.clear()  # that nobody answered at that door
