"""The log is never in anyone's way: nothing waits for what reads it, and what is lost is counted."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import termios
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from socket import create_connection
from struct import unpack
from time import monotonic, sleep

import httpx
import pytest
from support.live import PATIENCE, PUNTO, Live, told_by
from support.long import others_long
from support.playing import House, answer_over

from punto.server.running.server_log import LogQueue

LINE = '{"event": "refused"}\n'
LONG_LINE = 512
F_SETPIPE_SZ, PIPE = 1031, 4096


def until(holds: Callable[[], bool]) -> None:
    ends = monotonic() + PATIENCE
    while not holds():
        assert monotonic() < ends
        sleep(0.005)


@contextmanager
def unread() -> Iterator[tuple[int, int]]:
    """A pipe that takes one page."""
    reading, writing = os.pipe()
    fcntl.fcntl(writing, F_SETPIPE_SZ, PIPE)
    try:
        yield reading, writing
    finally:
        os.close(reading)


def test_what_nothing_reads_is_dropped_and_told_once_it_flows_again() -> None:
    with unread() as (reading, writing):
        queue = LogQueue(writing, most=1000)
        for _ in range(1000):
            queue.write(LINE)
        until(lambda: queue.dropped > 0)
        dropped = queue.dropped
        told = ""
        while "were dropped" not in told:
            queue.write(LINE) if "were" not in told else None
            told += os.read(reading, 65_536).decode()
        notes = [line for line in map(json.loads, told.splitlines()) if "dropped" in line]
        assert notes[0]["dropped"] >= dropped
        queue.finish(PATIENCE)


@pytest.mark.parametrize("target", ["closed", "/dev/full"])
def test_what_cannot_be_written_is_counted(target: str) -> None:
    if target == "closed":
        reading, descriptor = os.pipe()
        os.close(reading)
    else:
        descriptor = os.open(target, os.O_WRONLY)
    queue = LogQueue(descriptor)
    for _ in range(10):
        queue.write(LINE)
    queue.finish(PATIENCE)
    assert queue.dropped == 10
    os.close(descriptor)


def test_lines_are_written_in_order(tmp_path: Path) -> None:
    with (tmp_path / "log").open("wb") as file:
        queue = LogQueue(file.fileno())
        for number in range(500):
            queue.write(f"{number}\n")
        queue.finish(PATIENCE)
    assert (tmp_path / "log").read_text() == "".join(f"{number}\n" for number in range(500))
    assert queue.dropped == 0


def started(folder: Path, errors: int | None) -> Live:
    command = [str(PUNTO), "serve", "--db", str(folder / "punto.db"), "--port", "0", "--json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, cwd=folder)
    told = told_by(process)
    assert told is not None
    return Live(process, told, folder / "log")


def nonsense_answered(address: str) -> bytes:
    """Send what is no HTTP, of which the log has a line each time."""
    host, _, port = address.removeprefix("http://").partition(":")
    with create_connection((host, int(port)), PATIENCE) as socket:
        socket.sendall(b"nonsense\r\n\r\n")
        return socket.recv(4096)


def waiting_in(pipe: int) -> int:
    """The bytes in a pipe that nothing has read."""
    (number,) = unpack("i", fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)))
    return int(number)


@pytest.mark.parametrize("errors", others_long(["full", "unread"]))
def test_a_server_answers_and_stops_whatever_becomes_of_its_log(tmp_path: Path, errors: str) -> None:
    with unread() as (reading, writing):
        live = started(tmp_path, writing if errors == "unread" else os.open("/dev/full", os.O_WRONLY))
        os.close(writing)
        try:
            house = House(live, str(tmp_path / "punto.db"))
            table = house.table()
            for _ in range(30):  # of each the log has a line
                assert house.dealer.refused(table, "CloseBets")
            with house.dealer.socket() as socket:
                for _ in range(30):
                    assert answer_over(socket, table, "CloseBets")["type"] == "refused"
                if errors == "unread":
                    until(lambda: waiting_in(reading) > PIPE - LONG_LINE)
                assert answer_over(socket, table, "OpenBets")["type"] == "done"
            with httpx.Client(base_url=live.address, timeout=PATIENCE) as client:
                for _ in range(15):
                    assert client.post("/api/links", json={"link": "wrong"}).status_code in (403, 409)
                for _ in range(100):
                    assert nonsense_answered(live.address).startswith(b"HTTP/1.1 400 ")
                assert client.get("/healthz").status_code == 200
            assert live.stop() == 0
        finally:
            live.close()


def test_what_people_send_is_not_logged(served: House) -> None:
    """Neither what is refused nor what is not understood: it may be a name, a password or a token."""
    table, (ann,), sent = served.table(), served.patrons(1), "unmistakable"
    for who in (ann, served.manager, served.live.nobody()):
        for path in (f"/api/tables/{sent}", f"/api/people/patrons?name={sent}", f"/{sent}", f"/api/people/{sent}/link"):
            who.http.get(path)
            who.http.post(path, json={sent: sent})
        who.give(table, sent, key=sent)
        who.give(table, "PlaceWager", patron=sent, position=1, wager=sent, amount=100, key=sent)
        who.give(table, "Refer", matter=sent, note=sent)
        who.give(sent, "OpenBets")
        who.http.post("/api/sign-in", json={"name": sent, "password": sent})
        who.http.post("/api/links", json={"link": sent})
    for header in ("authorization", "cookie", "origin", "user-agent", "x-forwarded-for"):
        httpx.post(f"{served.live.address}/api/people", json={}, headers={header: f"Bearer {sent}"})
    added = served.manager.post("/api/people", name="the last to be refused", duty="Dealer")
    served.live.by_link(added["link"]).http.get("/api/people")
    last = f'"person": "{added["person"]["id"]}", "duty": "Dealer", "event": "not permitted"'
    until(lambda: last in served.live.log.read_text("utf-8"))
    assert sent not in served.live.log.read_text("utf-8")
