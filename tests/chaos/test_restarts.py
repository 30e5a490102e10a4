"""A server is stopped again and again while people read and write: it ends in order every time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread

import httpx
import pytest
from support.live import Live, Someone, hear, say, start
from support.playing import House, audited, faults, until
from websockets.exceptions import ConnectionClosed, InvalidHandshake

RESTARTS, PARTS = 10, 5
"""Fifty in all; no test takes longer than five minutes on a busy machine."""
READ = (
    "/api/tables",
    "/healthz",
    "/readyz",
    "/metrics",
    "/api/tables/{table}",
    "/api/tables/{table}/events",
    "/api/shoes",
    "/",
    "/openapi.json",
)


class Busy(Thread):
    """Does something again and again until the server is gone."""

    def __init__(self, act: Callable[[], None]) -> None:
        super().__init__(daemon=True)
        self._act, self.times, self.ended = act, 0, Event()

    def run(self) -> None:
        while not self.ended.is_set():
            try:
                self._act()
            except (httpx.TransportError, ConnectionClosed, InvalidHandshake, OSError, TimeoutError):
                return
            self.times += 1


def reads(someone: Someone, path: str) -> Callable[[], None]:
    def act() -> None:
        assert someone.http.get(path).status_code in (200, 304, 403, 404, 429, 503)

    return act


def writes(patron: Someone, table: str) -> Callable[[], None]:
    def act() -> None:
        told = patron.give(table, "BuyIn", patron=patron.id, amount=100).json()
        assert told["type"] == "done" or told["code"] in ("too-many", "stopping", "not-known"), told

    return act


def watches(patron: Someone, table: str) -> Callable[[], None]:
    def act() -> None:
        with patron.socket() as socket:
            say(socket, "Subscribe", table=table)
            for number in range(20):
                say(socket, "BuyIn", table=table, id=number, patron=patron.id, amount=100)
                hear(socket, "done", "refused")

    return act


def hurried(live: Live, house: House, table: str, patrons: list[Someone]) -> list[Busy]:
    """People who read and write, on their way in the middle of everything."""
    again = [live.someone(each.token, each.id) for each in patrons]
    dealer = live.someone(house.dealer.token)
    busy = [Busy(reads(dealer, path.format(table=table))) for path in READ]
    busy += [Busy(writes(again[0], table)), Busy(watches(again[1], table)), Busy(watches(again[2], table))]
    for each in busy:
        each.start()
    return busy


@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS))
def test_restarts_under_readers_and_writers(tmp_path: Path, part: int) -> None:  # noqa: ARG001
    database = str(tmp_path / "punto.db")
    live = start(database, tmp_path)
    house = House(live, database)
    patrons, table = house.patrons(3, 10_000_000), house.table()
    house.dealer  # noqa: B018  # signed in before the first restart
    for number in range(RESTARTS):
        busy = hurried(live, house, table, patrons)
        until(lambda busy=busy: sum(each.times for each in busy) > 30)  # type: ignore[misc]
        assert live.stop() == 0, (number, live.log.read_text())
        for each in busy:
            each.ended.set()
            each.join(30)
            assert not each.is_alive()
        assert faults(live) == []
        assert "Traceback" not in live.log.read_text()
        live.close()
        if number < RESTARTS - 1:
            live = start(database, tmp_path)
    assert audited(database) == []
