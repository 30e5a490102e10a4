"""Values as a notebook draws them, in a real browser: read on a light page and on a dark one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.long import others_long
from support.page_watch import AXE
from test_notebook import drawn, values

GROUNDS = {"light": ("#111", "#fff"), "dark": ("#ddd", "#111")}


def page_of_everything(ink: str, ground: str) -> str:
    pieces = "".join(f"<h2>{name}</h2>{drawn(value)}" for name, value in values().items())
    style = f"background:{ground};color:{ink};font:14px system-ui,sans-serif"
    head = '<!doctype html><html lang="en"><meta charset="utf-8"><title>A notebook</title>'
    return f'{head}<body style="{style}"><main><h1>A notebook</h1>{pieces}</main>'


@pytest.mark.parametrize("ground", others_long(GROUNDS))
@pytest.mark.long
def test_axe_finds_nothing_serious(chromium: Any, tmp_path: Path, ground: str) -> None:
    page = chromium.new_page(viewport={"width": 900, "height": 800})
    try:
        page.set_content(page_of_everything(*GROUNDS[ground]))
        page.screenshot(path=tmp_path / f"{ground}.png", full_page=True)
        page.add_script_tag(path=str(AXE))
        found = page.evaluate("() => axe.run().then(found => found.violations.map(each => [each.id, each.impact]))")
        assert [each for each in found if each[1] in ("serious", "critical")] == []
        assert page.locator("svg").count() >= 5
    finally:
        page.close()
