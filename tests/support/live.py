"""A real server in a separate process, and people who use it over HTTP and sockets."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.sync.client import ClientConnection, connect

from punto import load
from punto.server.access.identity import Duty
from punto.server.running.lifecycle import practice_setting
from punto.store.codec import encoder

PUNTO = Path(sys.executable).with_name("punto")
FAST = (sys.executable, "-P", str(Path(__file__).with_name("fast_server.py")))
"""The same, at any pace."""
PATIENCE = 60
"""Seconds to wait for what should happen at once: a busy machine is slow, and waiting costs nothing elsewhere."""


class Live:
    """A server that is running: where it is, how its first people sign in, and its process."""

    def __init__(self, process: subprocess.Popen[bytes], told: dict[str, Any], log: Path) -> None:
        self.process, self.address, self.log = process, told["address"], log
        self.links: dict[str, str] = told["links"]
        self.tables: list[str] = told["tables"]
        self._people: list[Someone] = []

    def enter(self, duty: Duty) -> Someone:
        """Sign in the first person of a duty by their link, which works once."""
        return self.by_link(self.links[duty.value].rsplit("#", 1)[1])

    def by_link(self, link: str) -> Someone:
        answer = httpx.post(f"{self.address}/api/links", json={"link": link})
        assert answer.status_code == 200, answer.text
        told = answer.json()
        return self.someone(told["token"], told["person"]["id"], told["person"]["duty"])

    def someone(self, token: str, id_: str = "", duty: str = "") -> Someone:
        """Return the person who has this token."""
        self._people.append(Someone(self.address, token, id_, duty))
        return self._people[-1]

    def nobody(self) -> Someone:
        """Return a person who is not signed in."""
        return self.someone("")

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(PATIENCE)

    def stop(self) -> int:
        """Ask it to stop, as an operator does; its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE)

    def close(self) -> None:
        """Leave nothing behind: no process, no connection."""
        try:
            if self.process.poll() is None:
                self.stop()
        finally:
            self.process.kill()
            if self.process.stdout:
                self.process.stdout.close()
        for each in self._people:
            each.http.close()


class Someone:
    """A person and their token."""

    _keys = count(1)

    def __init__(self, address: str, token: str, id_: str, duty: str) -> None:
        self.address, self.token, self.id, self.duty = address, token, id_, duty
        headers = {"authorization": f"Bearer {token}"} if token else {}
        self.http = httpx.Client(base_url=address, headers=headers, timeout=PATIENCE)

    def get(self, path: str, **query: Any) -> Any:
        answer = self.http.get(path, params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, path: str, **body: Any) -> Any:
        answer = self.http.post(path, json=body)
        assert answer.status_code in (200, 204), answer.text
        return answer.json() if answer.content else None

    def give(self, table: str, command: str, **values: Any) -> httpx.Response:
        """Give a command; the answer, whatever it is."""
        body = {"command": command, **values}
        content = encoder.encode(body)
        return self.http.post(
            f"/api/tables/{table}/commands", content=content, headers={"content-type": "application/json"}
        )

    def done(self, table: str, command: str, **values: Any) -> dict[str, Any]:
        """Give a command that is carried out."""
        answer = self.give(table, command, **values)
        assert answer.status_code == 200, (command, answer.text)
        told: dict[str, Any] = answer.json()
        return told

    def refused(self, table: str, command: str, **values: Any) -> str:
        """Give a command that is refused; its code."""
        answer = self.give(table, command, **values)
        assert answer.status_code in (403, 409, 422), (command, answer.text)
        code: str = answer.json()["code"]
        return code

    def socket(self) -> ClientConnection:
        """A socket; close it, or use it in a with statement."""
        address = self.address.replace("http", "ws", 1)
        headers = {"authorization": f"Bearer {self.token}"} if self.token else {}
        return connect(f"{address}/api/socket", additional_headers=headers, compression=None)


def say(socket: ClientConnection, command: str, **values: Any) -> None:
    socket.send(encoder.encode({"command": command, **values}).decode())


def hear(socket: ClientConnection, *types: str, timeout: float = PATIENCE) -> dict[str, Any]:
    """The next message, of one of these types if any are named."""
    while True:
        told: dict[str, Any] = json.loads(socket.recv(timeout))
        if not types or told["type"] in types:
            return told


BEHIND_PROXY = ("--proxy", "127.0.0.1")
"""So that people can come from addresses of their own."""


def any_port(*arguments: str) -> tuple[str, ...]:
    """Return the arguments of a server, with a free port where they name none."""
    return arguments if "--port" in arguments else ("--port", "0", *arguments)


def start(
    database: str,
    folder: Path,
    *arguments: str,
    environment: dict[str, str] | None = None,
    proxy: tuple[str, ...] = BEHIND_PROXY,
    descriptors: int | None = None,
) -> Live:
    """Start a server on a free port and wait until it serves; it may be allowed only so many file descriptors."""
    log = folder / f"server-{next(_numbers)}.log"
    punto = FAST if "--pace" in arguments and "--practice" not in arguments else (str(PUNTO),)
    command = [*punto, "serve", "--db", database, *any_port(*arguments), "--json", *proxy]
    if descriptors:
        command = ["sh", "-c", f'ulimit -n {descriptors} && exec "$@"', "sh", *command]
    with log.open("wb") as errors:
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=errors, cwd=folder, env={**os.environ, **(environment or {})}
        )
    told = told_by(process)
    if told is None:
        process.communicate()
        pytest.fail(f"the server did not start: {log.read_text()}")
    return Live(process, told, log)


_numbers = count(1)


def told_by(process: subprocess.Popen[bytes]) -> dict[str, Any] | None:
    """What a server prints once it serves: one JSON object; None if it ended instead."""
    assert process.stdout is not None
    lines = b""
    for line in process.stdout:
        lines += line
        if line.rstrip() == b"}":
            told: dict[str, Any] = json.loads(lines)
            return told
    return None


@contextmanager
def serving(database: str, folder: Path, *arguments: str, **more: Any) -> Iterator[Live]:
    """A server for as long as it is needed; ``more`` is what ``start`` takes by name."""
    live = start(database, folder, *arguments, **more)
    try:
        yield live
    finally:
        live.close()


def staff_of(live: Live) -> dict[Duty, Someone]:
    """Sign in all staff of the house."""
    return {Duty(duty): live.enter(Duty(duty)) for duty in live.links}


def new_patrons(live: Live, cashier: Someone, number: int, holds: int = 10_000_000) -> list[Someone]:
    """Patrons with something in their accounts."""
    patrons = []
    for each in range(number):
        added = cashier.post("/api/people", name=f"patron {next(_numbers)} {each}", duty="patron")
        patrons.append(live.by_link(added["link"]))
        cashier.post("/api/cage/deposits", patron=patrons[-1].id, amount=holds)
    return patrons


def let_one_name_do(manager: Someone) -> None:
    """Have fills and credits take one name only, so that a command moves chips."""
    seen = manager.get("/api/house/settings")
    manager.post("/api/house/settings", settings=seen | {"slips_by_two": False}, seen=seen)


def move_chips(asking: Someone, confirming: Someone, table: str, kind: str, amount: int) -> None:
    """Bring a fill to a table or a credit from it, by a slip of two people."""
    slip = asking.post("/api/slips", kind=kind, table=table, pieces=[{"value": 1, "number": amount}])
    confirming.post(f"/api/slips/{slip['number']}/confirm")


def open_table(
    manager: Someone,
    table: str,
    game: str = "baccarat",
    device: str = "manual",
    method: str | None = "B",
    automatic: Collection[str] = (),
    float_: int = 1_000_000_000,
    **more: Any,
) -> None:
    """A table with usual limits, created and opened."""
    manager.post("/api/tables", table=table, game=game, automatic=list(automatic))
    usual = json.loads(encoder.encode(practice_setting(load(game), betting_seconds=None)))
    setting = usual | {"device": device, "method": method, "answer_seconds": None} | more
    manager.done(table, "OpenTable", setting=setting, float_=float_)
