"""The people of a simulated run: those of the chaos runs, on wires that are made up."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from collections.abc import Sequence
from contextvars import copy_context
from typing import TYPE_CHECKING, Any

import msgspec
from chaos import people, town
from chaos.town import ANSWERED_WITHIN, Given, Heard, Lost, Unanswered

if TYPE_CHECKING:
    from faults.simulation import Simulation
    from faults.wires import Line

PING_EACH = 15.0
PATIENCE = 900.0
"""Seconds, of a clock that costs nothing, after which a command that is not answered is a finding."""
_KEY = b64encode(bytes(16)).decode()
_TEXT, _CLOSE, _PING, _PONG = 0x81, 0x88, 0x89, 0x8A
_MASK = bytes(4)


class Person(town.Person):
    """A person whose connection comes back when it is lost."""

    run: Simulation
    _line: Line | None = None

    def enter(self, run: Simulation) -> None:
        self.run, self._buffer, self._open, self._alive = run, b"", False, 0
        self._up, self._gone = asyncio.Event(), asyncio.Event()

    # --- commands --------------------------------------------------------------------------------------------------

    async def give(self, table: str, command: str, **values: Any) -> Given:
        """Give a command until it is answered, and sometimes once more: then the answer has to be the same."""
        given = await super().give(table, command, **values)
        self.run.note(f"{self.name} {given.key} {given.first} {given.last} {given.refused}")
        while given.refused is None and self.dice.random() < 0.08:
            try:
                told = await self._send(table, given.body)
            except (Lost, TimeoutError):
                continue
            if told["type"] == "done" and (told["first"], told["last"]) != (given.first, given.last):
                self.town.find(f"key {given.key}: answered as {given.first} and then as {told['first']}")
            elif told["type"] == "refused" and told["code"] not in town.AGAIN:
                self.town.find(f"key {given.key}: done, and then refused ({told['code']})")
        return given

    async def _door(self, began: float, what: str) -> str:  # noqa: ARG002
        """Wait until there is a connection."""
        try:
            await asyncio.wait_for(self._up.wait(), PATIENCE)
        except TimeoutError:
            self.town.find(f"no connection for long: {what}")
            raise Unanswered(what) from None
        return ""

    async def _send(self, table: str, body: dict[str, Any]) -> dict[str, Any]:  # noqa: ARG002
        await self._up.wait()
        number, line = next(self._ids), self._line
        answer = self._pending[number] = asyncio.get_running_loop().create_future()
        self._say(body | {"id": number})
        try:
            return await asyncio.wait_for(answer, ANSWERED_WITHIN)
        except TimeoutError:
            if self._line is line:
                self._hang_up()
            raise
        finally:
            self._pending.pop(number, None)

    async def _missed(self, table: str, after: int, number: int) -> list[dict[str, Any]]:
        self.town.find(f"{self.name} was not told what they missed of {table}, {after} to {number}")
        return []

    # --- the connection --------------------------------------------------------------------------------------------

    async def listen(self, tables: Sequence[str]) -> None:
        for table in tables:
            self.heard.setdefault(table, Heard())
        while True:
            try:
                self._connect()
            except ConnectionRefusedError:
                await asyncio.sleep(self.dice.uniform(0.1, 0.6))
                continue
            await self._until_lost()
            await asyncio.sleep(self.dice.uniform(0.0, 0.4))

    def _connect(self) -> None:
        self._buffer, self._open = b"", False
        self._gone.clear()
        self._line = self.run.machine.accept(copy_context(), self._received, self._end)
        asked = {"Host": "punto", "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13"}
        headers = asked | {"Sec-WebSocket-Key": _KEY} | self._headers
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        self._line.to_server.send(f"GET /api/socket HTTP/1.1\r\n{lines}\r\n".encode())

    async def _until_lost(self) -> None:
        """Wait until the connection is lost; one on which nothing is heard for long is left."""
        while not self._gone.is_set():
            heard = self._alive
            self._say({"command": "Ping", "id": 0})
            try:
                await asyncio.wait_for(self._gone.wait(), PING_EACH)
            except TimeoutError:
                if self._alive == heard:
                    self._hang_up()

    def _hang_up(self) -> None:
        if self._line:
            self._line.leave()
        self._end()

    def _end(self) -> None:
        self._line, self._open = None, False
        self._up.clear()
        self._lose()
        self._gone.set()

    def _say(self, message: dict[str, Any]) -> None:
        if self._line and self._open:
            self._line.to_server.send(_masked(_TEXT, msgspec.json.encode(message)))

    def _received(self, data: bytes) -> None:
        if self._line is None:
            return
        self._alive += 1
        self._buffer += data
        if not self._open:
            head, end, rest = self._buffer.partition(b"\r\n\r\n")
            if not end:
                return
            self._opened(head, rest)
        while self._open and (whole := _frame(self._buffer)):
            kind, text, self._buffer = whole
            self._take_frame(kind, text)

    def _opened(self, head: bytes, rest: bytes) -> None:
        if not head.startswith(b"HTTP/1.1 101"):
            if not self.run.machine.disk.touched:
                self.town.find(f"{self.name} was answered {head[:60]!r}")
            self._hang_up()
            return
        self._buffer, self._open = rest, True
        for table, about in self.heard.items():
            self._say({"command": "Subscribe", "table": table, "after": about.last})
        self._up.set()

    def _take_frame(self, kind: int, text: bytes) -> None:
        if kind == _TEXT:
            self.run.note(f"{self.name} < {text.decode()}")
            take = self._take_in(msgspec.json.decode(text))
            try:
                take.send(None)
            except StopIteration:
                return
            raise AssertionError("nothing here waits")
        if kind == _PING and self._line:
            self._line.to_server.send(_masked(_PONG, text))
        elif kind == _CLOSE:
            self._hang_up()


def _masked(kind: int, text: bytes) -> bytes:
    if len(text) < 126:
        return bytes((kind, 0x80 | len(text))) + _MASK + text
    return bytes((kind, 0x80 | 126)) + len(text).to_bytes(2, "big") + _MASK + text


def _frame(data: bytes) -> tuple[int, bytes, bytes] | None:
    """Return the kind and the text of the first frame, and what follows it; None if it is not all there."""
    if len(data) < 2:
        return None
    length, begin = data[1], 2
    if length >= 126:
        more = 2 if length == 126 else 8
        length, begin = int.from_bytes(data[2 : 2 + more], "big"), 2 + more
    end = begin + length
    return (data[0], data[begin:end], data[end:]) if len(data) >= end else None


class Patron(Person, people.Patron):
    """A patron who is quick."""

    rest = (0.02, 0.2)


class Dealer(Person, people.Dealer):
    """A Dealer who looks less often, as every look costs."""

    def __init__(self, *about: Any) -> None:
        super().__init__(*about)
        self.betting, self.moment = 0.4, 0.1


class PitManager(Person, people.PitManager):
    """A Pit Manager who ends shoes often."""

    def __init__(self, *about: Any) -> None:
        super().__init__(*about)
        self.often = 0.1
