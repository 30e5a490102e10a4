"""Health tells whether commands can be stored now, and a server ends in bounded time whatever hangs."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import Any

import httpx
import psutil  # type: ignore[import-untyped]
import pytest
from chaos.troubles import HARDLY_ANYTHING
from support.live import PATIENCE, Live, serving
from support.playing import House
from support.postgresql_server import new_database, running_postgresql, stopped
from support.waiting import until

from punto.server.running import health as health_module
from punto.server.running.health import Health, Trouble
from punto.server.running.stopping import ABANDONED, CLOSE_WITHIN, FINISH_WITHIN, REQUESTS_WITHIN, STOP_WITHIN
from punto.store.protocol import Store
from punto.store.records import StoreError
from punto.store.sqlite.sqlite_store import SqliteStore


class Failing:
    """A store that fails, hangs or works, as it is told, and counts what it is asked."""

    def __init__(self) -> None:
        self.error: Exception | None = None
        self.hangs = asyncio.Event()
        self.hangs.set()
        self.asked = 0

    async def ask(self, _: str, *__: object) -> list[Any]:
        self.asked += 1
        await self.hangs.wait()
        if self.error:
            raise self.error
        return []


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health_module, "FRESH_FOR", 0.0)
    monkeypatch.setattr(health_module, "ANSWERS_WITHIN", 0.05)


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """As quick, but a real disk has its time."""
    monkeypatch.setattr(health_module, "FRESH_FOR", 0.0)


def of(store: object) -> Health:
    typed: Any = store
    return Health(typed)


@pytest.mark.usefixtures("quick")
async def test_what_cannot_be_stored_is_told_and_so_is_that_it_can_again() -> None:
    store = Failing()
    health = of(store)
    assert await health.troubles() == ()
    store.error = StoreError("disk full")
    assert await health.troubles() == (Trouble.DATABASE,)
    store.error = None
    assert await health.troubles() == ()
    store.hangs.clear()
    assert await health.troubles() == (Trouble.DATABASE_HANGS,)
    assert await health.troubles() == (Trouble.DATABASE_HANGS,)
    asked = store.asked
    store.hangs.set()
    await asyncio.sleep(0.01)
    assert await health.troubles() == ()
    assert store.asked == asked + 1  # while one hung, no other was begun


async def test_asking_for_health_does_not_load_the_disk() -> None:
    store = Failing()
    health = of(store)
    for _ in range(50):
        assert await asyncio.gather(*[health.troubles() for _ in range(10)]) == [()] * 10
    assert store.asked == 1


@pytest.mark.usefixtures("quick")
async def test_parts_of_the_server_add_what_is_wrong_with_them() -> None:
    health = of(Failing())
    wrong: list[Trouble] = []
    health.add(lambda: wrong[0] if wrong else None)
    health.add(lambda: Trouble.OPENING, only_readiness=True)
    assert await health.troubles() == ()
    assert await health.troubles(readiness=True) == (Trouble.OPENING,)
    wrong.append(Trouble.STOPPING)
    assert await health.troubles() == (Trouble.STOPPING,)


async def test_the_probe_is_really_stored(tmp_path: Path) -> None:
    store: Store = SqliteStore(tmp_path / "punto.db")
    assert await of(store).troubles() == ()
    assert await store.ask("select number from probe") == [(1,)]
    await store.close()


HANGS = """
from time import sleep
from punto.server.running.stopping import end_within
end_within(0.1)
sleep(60)
"""


def test_a_process_whose_loop_hangs_is_ended_all_the_same() -> None:
    assert FINISH_WITHIN + REQUESTS_WITHIN + CLOSE_WITHIN < STOP_WITHIN <= 15
    assert subprocess.run([sys.executable, "-c", HANGS], timeout=PATIENCE, check=False).returncode == ABANDONED


@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize("away", ["removed", "renamed"])
async def test_a_database_that_is_no_longer_where_it_was_is_told(tmp_path: Path, away: str) -> None:
    """What is stored in a file without a name is gone with the process."""
    file = tmp_path / "punto.db"
    store: Store = SqliteStore(file)
    assert await of(store).troubles() == ()
    file.unlink() if away == "removed" else file.rename(tmp_path / "moved.db")
    assert await of(store).troubles() == (Trouble.DATABASE,)
    await store.close()


# --- a real server ----------------------------------------------------------------------------------------------------


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    with serving(str(tmp_path / "punto.db"), tmp_path) as started:
        yield started


def writer_of(live: Live) -> psutil.Process:
    (writer,) = psutil.Process(live.process.pid).children()
    return writer


AWAY = {"ok": False, "why": "database", "troubles": ["database"]}


def health_of(live: Live) -> tuple[int, Any]:
    told = httpx.get(f"{live.address}/healthz", timeout=PATIENCE)
    return told.status_code, told.json()


def test_a_full_disk_is_told_and_so_is_room_on_it(live: Live) -> None:
    assert health_of(live)[0] == 200
    writer = writer_of(live)
    writer.rlimit(psutil.RLIMIT_FSIZE, (HARDLY_ANYTHING, psutil.RLIM_INFINITY))
    until(lambda: health_of(live) == (503, AWAY))
    writer.rlimit(psutil.RLIMIT_FSIZE, (psutil.RLIM_INFINITY, psutil.RLIM_INFINITY))
    until(lambda: health_of(live)[0] == 200)


@pytest.mark.long
def test_a_postgresql_that_is_away_is_told_and_so_is_its_return(tmp_path: Path) -> None:
    # The path of a socket must be short.
    with TemporaryDirectory(prefix="pg") as folder, running_postgresql(Path(folder) / "data") as server:
        key = ("--key", str(tmp_path / "house.key"))
        with serving(new_database(server), tmp_path, *key) as live:
            assert health_of(live)[0] == 200
            with stopped(server):
                until(lambda: health_of(live) == (503, AWAY))
                assert live.nobody().get("/livez") == {"ok": True}
            until(lambda: health_of(live)[0] == 200)


@pytest.mark.long
def test_a_writer_that_hangs_is_noticed_and_keeps_no_server_from_stopping(live: Live) -> None:
    nobody, writer = live.nobody(), writer_of(live)
    assert nobody.get("/livez") == {"ok": True}
    assert nobody.get("/readyz")["ok"]
    writer.suspend()
    try:
        told = nobody.http.get("/healthz")
        until(lambda: nobody.http.get("/healthz").status_code == 503)
        told = nobody.http.get("/healthz")
        assert told.json() == {"ok": False, "why": "database-hangs", "troubles": ["database-hangs"]}
        assert nobody.get("/livez") == {"ok": True}
        writer.resume()
        until(lambda: nobody.http.get("/healthz").status_code == 200)
        writer.suspend()
        began = monotonic()
        assert live.stop() == ABANDONED
        assert monotonic() - began < 2 * STOP_WITHIN
        assert "abandoned" in live.log.read_text()
    finally:
        writer.resume()
        writer.wait(PATIENCE)


@pytest.mark.long
def test_a_command_on_its_way_when_the_server_ends_is_told_to_be_unknown(live: Live, tmp_path: Path) -> None:
    house = House(live, str(tmp_path / "punto.db"))
    (patron,) = house.patrons(1, 100_000)
    table, writer = house.table(), writer_of(live)
    with patron.socket() as socket:
        writer.suspend()
        try:
            socket.send(f'{{"command": "BuyIn", "table": "{table}", "id": 1, "patron": "{patron.id}", "amount": 100}}')
            sleep(0.5)
            live.process.send_signal(signal.SIGTERM)
            assert '"not-known"' in str(socket.recv(PATIENCE))
            assert live.process.wait(PATIENCE) == ABANDONED
        finally:
            writer.resume()
            writer.wait(PATIENCE)


@pytest.mark.long
def test_a_second_signal_ends_a_server_at_once(live: Live) -> None:
    writer = writer_of(live)
    writer.suspend()
    try:
        live.nobody().http.get("/healthz")
        live.process.send_signal(signal.SIGTERM)
        sleep(0.5)
        assert live.process.poll() is None
        os.kill(live.process.pid, signal.SIGTERM)
        assert live.process.wait(5) == ABANDONED
    finally:
        writer.resume()
        writer.wait(PATIENCE)
