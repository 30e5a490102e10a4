"""The tab of significant events on the audit page: a change with its values before and after, filtered and exported."""

from __future__ import annotations

from typing import Any

import pytest
from support.long import others_long
from support.page_watch import browsing
from support.playing import House, until

from punto.server.access.identity import Duty

TITLES = {"en": "Significant events", "zh": "重大事件"}


@pytest.mark.parametrize("language", others_long(["en", "zh"]))
def test_a_change_of_limits_is_found_with_what_held_before(chromium: Any, staffed: House, language: str) -> None:
    table = staffed.table()
    limits = {"Tie": {"minimum": 2_000, "maximum": 40_000}}
    staffed[Duty.PIT_MANAGER].done(table, "ChangeLimits", limits=limits)
    with browsing(chromium, staffed.live, staffed[Duty.AUDITOR], language) as at:
        at.open("/audit")
        at.page.get_by_text(TITLES[language]).first.click()
        at.page.wait_for_selector("punto-significant li")
        at.page.select_option("punto-significant select[name=kind]", "settings")
        at.page.select_option("punto-significant select[name=table]", table)
        at.page.click("punto-significant form button")
        until(lambda: at.page.locator("punto-significant li").count() == 1)
        assert "5.00 → 20.00" in at.page.inner_text("punto-significant li")
        exported = at.page.get_attribute("punto-significant a[download$=csv]", "href")
        assert f"table={table}" in exported
        assert at.page.evaluate("path => fetch(path).then(each => each.status)", exported) == 200
        assert at.hindrances() == []
