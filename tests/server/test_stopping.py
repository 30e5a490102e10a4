"""A server that is told to stop in the middle of everything: what it has answered is so, and nothing is half done."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from typing import Any

import httpx
import pytest
from support.live import Live, Someone, hear, say, serving
from support.playing import House, account, audited, chips, faults, until
from support.postgresql_server import new_database
from websockets.exceptions import ConnectionClosed

from punto.rules import load
from punto.server.running.lifecycle import clock
from punto.server.tables import floor as floor_module
from punto.server.tables.floor import Floor
from punto.store.address import open_store
from punto.store.trust.keys import Keys

AMOUNT = 100
HOLDS = 10_000_000


class Busy(Thread):
    """A patron who buys in as fast as they can, until the server no longer answers."""

    def __init__(self, patron: Someone, table: str) -> None:
        super().__init__()
        self.patron, self.table = patron, table
        self.sent: list[str] = []
        """The keys of their commands."""
        self.answers: dict[str, dict[str, Any]] = {}
        """The answers by key."""

    def order(self) -> dict[str, Any]:
        self.sent.append(f"{self.table}-{len(self.sent)}")
        return {"patron": self.patron.id, "amount": AMOUNT, "key": self.sent[-1]}


class OverHttp(Busy):
    """One command after the other."""

    def run(self) -> None:
        while len(self.sent) < 5_000:
            order = self.order()
            try:
                self.answers[order["key"]] = self.patron.give(self.table, "BuyIn", **order).json()
            except httpx.TransportError:
                return


class OverSocket(Busy):
    """Some at a time, whose answers come back in any order."""

    def run(self) -> None:
        try:
            with self.patron.socket() as socket:
                while len(self.sent) < 5_000:
                    for _ in range(8):
                        order = self.order()
                        say(socket, "BuyIn", table=self.table, id=order["key"], **order)
                    while len(self.answers) < len(self.sent) - 4:
                        told = hear(socket, "done", "refused")
                        if told["code" if told["type"] == "refused" else "id"] == "too-many":
                            self.sent.pop()  # refused before it was read
                        else:
                            self.answers[told["id"]] = told
                    sleep(0.06)
        except ConnectionClosed:
            return


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "punto.db")
    return new_database(request.getfixturevalue("postgresql_server"))


@pytest.fixture
def arguments(database: str, tmp_path: Path) -> tuple[str, Path, str, str]:
    return database, tmp_path, "--key", str(tmp_path / "punto.key")


@pytest.mark.long
def test_what_was_answered_is_stored_and_the_rest_is_not_half_done(arguments: tuple[str, Path, str, str]) -> None:
    with serving(*arguments) as live:
        house = House(live, arguments[0])
        patrons = house.patrons(4, HOLDS)
        tables = [house.table() for _ in patrons]
        busy = [
            kind(*each)
            for kind, each in zip((OverHttp, OverSocket) * 2, zip(patrons, tables, strict=True), strict=True)
        ]
        for each in busy:
            each.start()
        until(lambda: all(len(each.answers) > 20 for each in busy))
        assert live.stop() == 0
        for each in busy:
            each.join(60)
            assert not each.is_alive()
    assert faults(live) == []
    assert audited(arguments[0]) == []
    with serving(*arguments) as again:
        for each in busy:
            check(again, each, again.someone(house.dealer.token))
        assert again.stop() == 0
    assert audited(arguments[0]) == []


def check(again: Live, busy: Busy, dealer: Someone) -> None:
    """Everything answered is stored; what was not answered can be retried, and is done once."""
    patron = again.someone(busy.patron.token, busy.patron.id)
    done = {key: answer for key, answer in busy.answers.items() if answer["type"] == "done"}
    refused = {answer["code"] for answer in busy.answers.values() if answer["type"] == "refused"}
    assert refused <= {"stopping", "too-many"}
    numbers = [answer["first"] for answer in done.values()]
    assert len(set(numbers)) == len(numbers)
    before = chips(patron, busy.table)
    stored = {each["number"]: each for each in events(dealer, busy.table) if each["name"] == "BoughtIn"}
    assert before == AMOUNT * len(stored)
    assert account(patron) == HOLDS - before
    assert set(numbers) <= set(stored)
    open_ = [key for key in busy.sent if key not in done]
    for key in open_[-10:]:  # those on their way when it stopped among them
        answer = patron.done(busy.table, "BuyIn", patron=patron.id, amount=AMOUNT, key=key)
        assert answer["repeated"] == (answer["first"] in stored)
    key, first = next(iter(done.items()))
    assert patron.done(busy.table, "BuyIn", patron=patron.id, amount=AMOUNT, key=key)["first"] == first["first"]
    assert account(patron) + chips(patron, busy.table) == HOLDS


def events(reader: Someone, table: str) -> Iterator[dict[str, Any]]:
    after = 0
    while page := reader.get(f"/api/tables/{table}/events", after=after):
        yield from page
        after = page[-1]["number"]


def test_a_server_that_stops_lets_a_watcher_know(tmp_path: Path) -> None:
    with serving(str(tmp_path / "punto.db"), tmp_path) as live, live.nobody().socket() as socket:
        say(socket, "Ping")
        hear(socket, "pong")
        live.process.send_signal(signal.SIGTERM)
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv(10)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1012  # the service restarts
        assert live.process.wait(15) == 0
    assert faults(live) == []


async def test_what_only_the_next_start_saves_takes_no_time_from_the_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await open_store(str(tmp_path / "punto.db"))
    floor = Floor(store, Keys(bytes(range(32))), clock, {"tiger": load("tiger")})
    await floor.start()
    monkeypatch.setattr(floor.notes, "finish", lambda: asyncio.sleep(60))  # so slow is the disk
    monkeypatch.setattr(floor_module, "LAST_NOTES_BY", 0.1)  # so much of the time have the last commands left
    began = monotonic()
    await floor.stop()
    assert monotonic() - began < floor_module.LAST_NOTES
    await store.close()
