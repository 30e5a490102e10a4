"""A page of staff that nothing is entered on locks, is covered, and goes on with what was there once it is opened."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Any

from support.live import Someone
from support.page_watch import Patron, browsing
from support.playing import House, until

from punto.server.access.identity import Duty, token_digest

PASSWORD = "seven red lanterns"


def signed_in(house: House, name: str) -> tuple[Someone, str]:
    """A Pit Manager who has a password, and the token of the session."""
    house.hire(name, Duty.PIT_MANAGER).post("/api/me/password", password=PASSWORD)
    answer = house.live.nobody().http.post("/api/sign-in", json={"name": name, "password": PASSWORD}).json()
    return house.live.someone(answer["token"], answer["person"]["id"]), answer["token"]


def let_it_idle(house: House, token: str) -> None:
    """Put the last input of a session back by two hours, in the database: no house lets one be idle for so long."""
    with closing(sqlite3.connect(house.database, timeout=10)) as database, database:
        changed = "update session set active_at = active_at - 7200000, last_seen = last_seen - 7200000 where token = ?"
        assert database.execute(changed, (token_digest(token),)).rowcount == 1


def test_an_idle_page_is_covered_and_goes_on_once_it_is_unlocked(chromium: Any, staffed: House) -> None:
    table = staffed.table()
    manager, token = signed_in(staffed, "Lou Idle")
    with browsing(chromium, staffed.live, manager) as at:
        at.open("/pit")
        page = at.page
        page.wait_for_selector(f"text={table}")
        page.evaluate("window.kept = 'work'")
        let_it_idle(staffed, token)
        page.keyboard.press("Shift")  # the page would ask by itself, but later
        page.wait_for_selector("punto-lock dialog[open]", timeout=20_000)
        assert at.hindrances() == []
        page.keyboard.press("Escape")
        page.fill("punto-lock input[name=password]", "another")
        page.click("punto-lock button.main")
        until(lambda: "not right" in page.inner_text("punto-lock dialog"))
        page.fill("punto-lock input[name=password]", PASSWORD)
        page.click("punto-lock button.main")
        until(lambda: page.locator("punto-lock dialog").count() == 0)
        assert page.evaluate("window.kept") == "work"
        until(lambda: status(page, "/api/pit") == 200)
        forgive_refusals(at)


def test_a_page_that_is_opened_while_it_is_locked_asks_for_the_password_first(chromium: Any, staffed: House) -> None:
    manager, token = signed_in(staffed, "May Idle")
    let_it_idle(staffed, token)
    with browsing(chromium, staffed.live, manager) as at:
        at.page.goto(f"{staffed.live.address}/pit")
        at.page.wait_for_selector("punto-lock dialog[open]")
        at.page.fill("punto-lock input[name=password]", PASSWORD)
        at.page.click("punto-lock button.main")
        at.page.wait_for_selector(f"body[data-person={manager.id}]")
        forgive_refusals(at)


def test_a_display_goes_on_without_a_lock(chromium: Any, staffed: House) -> None:
    table = staffed.table()
    manager, token = signed_in(staffed, "Kim Idle")
    with browsing(chromium, staffed.live, manager) as at:
        at.open(f"/display/{table}")
        let_it_idle(staffed, token)
        until(lambda: status(at.page, "/api/me") == 423)
        staffed.dealer.done(table, "OpenBets")
        at.page.wait_for_selector("punto-display .phase.betting")
        assert at.page.locator("punto-lock").count() == 0
        forgive_refusals(at)


def status(page: Any, path: str) -> int:
    answered: int = page.evaluate("path => fetch(path).then(each => each.status)", path)
    return answered


def forgive_refusals(at: Patron) -> None:
    """Browsers report refused requests as faults; those of a locked session, and of a wrong password, are meant."""
    at.faults[:] = [each for each in at.faults if "status of 423" not in each and "status of 409" not in each]
