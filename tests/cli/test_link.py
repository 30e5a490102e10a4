"""``punto link``: whoever has lost his link gets another one, offline."""

from __future__ import annotations

from pathlib import Path

import httpx
from support.command import refused, run, run_json
from support.live import serving

from punto.server.access.identity import Duty


def test_a_lost_link_is_made_anew_and_works_once(tmp_path: Path) -> None:
    with serving("punto.db", tmp_path) as live:
        told = refused("link", str(tmp_path / "punto.db"), "Gaming Shift Manager")
        assert "another process serves it" in told
    made = run_json("link", str(tmp_path / "punto.db"), "gaming shift manager")
    assert made["duty"] == Duty.GAMING_SHIFT_MANAGER.value
    assert run("link", str(tmp_path / "punto.db"), "Dealer").startswith("http://127.0.0.1:8000/enter#")
    with serving("punto.db", tmp_path) as live:
        link = made["link"].rsplit("#", 1)[1]
        assert live.by_link(link).get("/api/me")["duty"] == "Gaming Shift Manager"
        assert httpx.post(f"{live.address}/api/links", json={"link": link}).status_code == 409


def test_nobody_of_that_name_and_no_house_there(tmp_path: Path) -> None:
    with serving("punto.db", tmp_path):
        pass
    told = refused("link", str(tmp_path / "punto.db"), "Nobody")
    assert "there is no person 'Nobody'" in told
    assert "expected an address such as" in refused(
        "link", str(tmp_path / "punto.db"), "Dealer", "--address", "ftp://x"
    )
    assert "there is no such database" in refused("link", str(tmp_path / "none.db"), "Dealer")
    assert not (tmp_path / "none.db").exists()
