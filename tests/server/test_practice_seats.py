"""Practice seats: one request signs a guest in with practice money, in a house made for practice and nowhere else."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock

import httpx
import pytest
from support.playing import audited

from punto import load
from punto.server.http.app import create_app
from punto.server.http.practice import BUY_IN, PRACTICE_MONEY
from punto.server.running.lifecycle import Options, Serving, open_serving
from punto.server.running.practice_house import PLAYED_AHEAD
from punto.server.tables.auto_dealer import AutoDealer
from punto.shoe.record import read_record
from punto.shoe.verification import verify
from punto.table.guidance.dealer_automation import EVERYTHING

pytestmark = pytest.mark.anyio
SEAT = "/api/practice/seat"


@asynccontextmanager
async def opened(folder: Path, practice: bool) -> AsyncIterator[Serving]:
    folder.mkdir(exist_ok=True)
    serving = await open_serving(Options(str(folder / "punto.db"), practice=practice, games=("baccarat", "tiger")))
    try:
        yield serving
    finally:
        await serving.close()


@asynccontextmanager
async def guest(serving: Serving, host: str = "192.0.2.7") -> AsyncIterator[httpx.AsyncClient]:
    """A browser without a session."""
    transport = httpx.ASGITransport(create_app(serving.gateway), client=(host, 1234))
    async with httpx.AsyncClient(transport=transport, base_url="http://punto") as client:
        yield client


async def people(serving: Serving) -> int:
    return len(await serving.people.everybody())


def case_of(answer: httpx.Response) -> tuple[int, Any]:
    return answer.status_code, answer.json().get("case")


async def test_one_request_gives_a_guest_a_name_money_and_chips(tmp_path: Path) -> None:
    async with opened(tmp_path, practice=True) as serving, guest(serving) as browser:
        assert f'data-practice="{BUY_IN}"' in (await browser.get("/")).text
        answer = await browser.post(SEAT, json={"table": "tiger", "language": "zh"})
        assert answer.status_code == 200, answer.text
        person = answer.json()["person"]
        assert person["duty"] == "patron"
        assert person["name"].startswith("访客")
        assert (await browser.get("/api/me")).json()["id"] == person["id"], "the cookie signs them in"
        assert (await browser.get("/api/tables/tiger/mine")).json()["chips"] == BUY_IN
        assert (await browser.get("/api/cage/mine")).json()["holds"] == PRACTICE_MONEY - BUY_IN
        assert (await browser.get("/api/people")).status_code == 403, "a patron and no more"
        before = await people(serving)
        assert case_of(await browser.post(SEAT, json={})) == (409, "signed-in")
        assert await people(serving) == before
    assert await asyncio.to_thread(audited, str(tmp_path / "punto.db")) == []


@pytest.mark.parametrize("served_as_practice", [False, True])
async def test_a_real_house_has_no_practice_seats_however_it_is_served(
    tmp_path: Path, served_as_practice: bool
) -> None:
    async with opened(tmp_path, practice=False):
        pass
    async with opened(tmp_path, practice=served_as_practice) as serving, guest(serving) as browser:
        before = await people(serving), dict(serving.floor.cage.accounts)
        assert case_of(await browser.post(SEAT, json={})) == (409, "no-practice-house")
        assert "data-practice" not in (await browser.get("/")).text
        assert (await people(serving), dict(serving.floor.cage.accounts)) == before


async def test_a_practice_house_that_is_not_served_as_one_has_none_either(tmp_path: Path) -> None:
    async with opened(tmp_path, practice=True):
        pass
    async with opened(tmp_path, practice=False) as serving, guest(serving) as browser:
        assert case_of(await browser.post(SEAT, json={"table": "tiger"})) == (409, "no-practice-house")


async def test_seats_are_limited_for_each_address(tmp_path: Path) -> None:
    async with opened(tmp_path, practice=True) as serving:
        codes = []
        for _ in range(11):
            async with guest(serving) as browser:
                codes.append((await browser.post(SEAT, json={})).status_code)
        async with guest(serving, "192.0.2.8") as other:
            codes.append((await other.post(SEAT, json={})).status_code)
        assert codes == [200] * 10 + [429, 200]


async def test_where_nobody_can_buy_in_nobody_is_added(tmp_path: Path) -> None:
    async with opened(tmp_path, practice=True) as serving, guest(serving) as browser:
        before = await people(serving)
        assert (await browser.post(SEAT, json={"table": "nowhere"})).json()["code"] == "unknown-table"
        await serving.floor.create_table("shut", load("baccarat"))
        assert (await browser.post(SEAT, json={"table": "shut"})).json()["code"] == "table-not-open"
        assert await people(serving) == before


async def test_a_new_practice_house_has_a_shoe_to_check_at_its_first_table(tmp_path: Path) -> None:
    async with opened(tmp_path, practice=True) as serving, guest(serving) as browser:
        first = (await browser.get("/api/lobby")).json()[0]["table"]
        shoes = f"/api/tables/{first}/shoes"
        async with asyncio.timeout(20):
            while not (ended := [each for each in (await browser.get(shoes)).json() if each["published"]]):
                await asyncio.sleep(0.01)
        record = (await browser.get(f"{shoes}/{ended[0]['shoe']}/record")).text
        checks = verify(read_record(record))
        assert all(each.ok for each in checks), checks
        assert len(read_record(record).dealt) >= 4 * PLAYED_AHEAD
    assert await asyncio.to_thread(audited, str(tmp_path / "punto.db")) == []
    async with opened(tmp_path, practice=True) as serving:
        assert serving.floor.tables[first].table.shoes <= 2, "nothing is played ahead again"


async def test_a_practice_house_whose_making_was_cut_short_is_made_complete(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(tmp_path / "whole", practice=True) as serving:
        whole = set(serving.floor.tables)
    with monkeypatch.context() as patched:
        patched.setattr(AutoDealer, "play", AsyncMock(side_effect=ConnectionResetError))
        with pytest.raises(ConnectionResetError):
            async with opened(tmp_path / "half", practice=True):
                pass
    async with opened(tmp_path / "half", practice=True) as serving:
        assert set(serving.floor.tables) == whole
        assert all(served.steps == EVERYTHING for served in serving.floor.tables.values())
        assert list(serving.floor.cage.accounts.values()) == [PRACTICE_MONEY]
