"""The people of a chaos run: each gives commands until they are answered, and writes down every answer.

Servers die under them. A person who loses a connection takes another, to any server that runs, and gives the same
command with the same key again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from itertools import count
from random import Random
from time import monotonic
from typing import Any

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

PATIENCE = 40.0
"""Seconds after which a command that nobody answers is a finding."""
ANSWERED_WITHIN = 8.0
MOST_EVENTS = 1_000
AGAIN = {"stopping", "too-many", "not-known"}
"""Refusals that are not about the command: it is given again."""

_sorted = msgspec.json.Encoder(order="sorted")


def digest(content: object) -> bytes:
    """Of something that came as JSON, however its fields were ordered."""
    return sha256(_sorted.encode(content)).digest()[:16]


class Lost(Exception):
    """Nobody knows what became of what was sent."""


class Unanswered(Exception):
    """A command was given again and again, and nobody answered it."""


@dataclass(frozen=True, slots=True)
class Given:
    """A command that was answered: done, as which events, or refused."""

    actor: str
    key: str
    table: str
    body: dict[str, Any]
    sent: int
    """How often."""
    first: int = 0
    last: int = 0
    repeated: bool = False
    refused: str | None = None


@dataclass(slots=True)
class Town:
    """What all people share: where servers are, and what was written down."""

    doors: dict[int, str] = field(default_factory=dict)
    """The address of each process that serves."""
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    given: list[Given] = field(default_factory=list)
    retries: int = 0
    resyncs: int = 0
    closing: bool = False
    findings: list[str] = field(default_factory=list)
    answered_at: float = 0.0
    moved_at: dict[str, float] = field(default_factory=dict)
    """By table when something was last told of it."""
    cage_orders: list[tuple[str, str, str, int]] = field(default_factory=list)
    """Of the cashier: the key, the patron, which event, the amount."""

    def find(self, sentence: str) -> None:
        if sentence not in self.findings:
            self.findings.append(sentence)

    def open_door(self, slot: int, address: str) -> None:
        self.doors[slot] = address
        self.changed.set()

    async def door(self, dice: Random, slot: int | None = None) -> str:
        """A server, or the one in a slot; waits until there is one."""
        while True:
            there = [self.doors[slot]] if slot in self.doors else [] if slot is not None else list(self.doors.values())
            if there:
                return dice.choice(there)
            self.changed.clear()
            await self.changed.wait()


@dataclass(slots=True)
class Heard:
    """What one person was told about one table, over all connections."""

    last: int = 0
    """All up to this event, as far as this person may see it."""
    expected: int | None = None
    """The number that comes next on this connection."""
    events: dict[int, bytes] = field(default_factory=dict)
    view: dict[str, Any] = field(default_factory=dict)
    views: list[tuple[int, bytes]] = field(default_factory=list)
    """The table as a person knew it after some events."""
    chips: int = 0

    def keep_view(self) -> None:
        if self.expected is not None and self.view:
            self.views.append((self.expected - 1, digest(self.view)))


class Person:
    """A person with a token, or an anonymous one, and a socket that comes back when it is lost."""

    def __init__(self, town: Town, name: str, seed: object, token: str = "", id_: str = "") -> None:
        self.town, self.name, self.token, self.id = town, name, token, id_
        self.dice = Random(f"{seed} {name}")
        self.slot: int | None = None
        """Whether this person wants one server and no other."""
        self.heard: dict[str, Heard] = {}
        self.on_event: Callable[[str, dict[str, Any]], None] | None = None
        self._headers = {"authorization": f"Bearer {token}"} if token else {}
        self._socket: ClientConnection | None = None
        self._pending: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._ids, self._keys = count(1), count(1)

    @cached_property
    def _http(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(headers=self._headers, timeout=ANSWERED_WITHIN, trust_env=False)

    async def close(self) -> None:
        await self._http.aclose()

    # --- asking and commanding -------------------------------------------------------------------------------------

    async def ask(self, method: str, path: str, **body: Any) -> httpx.Response:
        """Ask until a server answers; what it answers."""
        began, content = monotonic(), msgspec.json.encode(body) if body else None
        while True:
            try:
                address = await self._door(began, f"{method} {path}")
                answer = await self._http.request(method, address + path, content=content)
                if answer.status_code < 500 and answer.status_code != 429:
                    return answer
                self._note_fault(answer)
            except (httpx.TransportError, Lost):
                self.town.retries += 1
            await asyncio.sleep(self.dice.uniform(0.01, 0.06))

    async def give(self, table: str, command: str, **values: Any) -> Given:
        """Give a command until it is answered, always with the same key and the same body."""
        key, began = f"{self.name}-{next(self._keys)}", monotonic()
        body = {"command": command, "table": table, "key": key, **values}
        for sent in count(1):
            try:
                await self._door(began, f"{command} of {self.name}, key {key}")
                told = await self._send(table, body)
                if told["type"] == "done":
                    return self._note(
                        Given(self.id, key, table, body, sent, told["first"], told["last"], told.get("repeated", False))
                    )
                if told["code"] not in AGAIN:
                    return self._note(Given(self.id, key, table, body, sent, refused=told["code"]))
            except (httpx.TransportError, WebSocketException, OSError, TimeoutError, Lost):
                self.town.retries += 1
            await asyncio.sleep(self.dice.uniform(0.0, 0.05))
        raise AssertionError

    def _note(self, given: Given) -> Given:
        self.town.given.append(given)
        if given.refused is None:
            self.town.answered_at = monotonic()
        return given

    async def _door(self, began: float, what: str) -> str:
        left = began + PATIENCE - monotonic()
        try:
            return await asyncio.wait_for(self.town.door(self.dice, self.slot), max(left, 0.01))
        except TimeoutError:
            self.town.find(f"not answered within {PATIENCE:.0f} s: {what}")
            raise Unanswered(what) from None

    async def _send(self, table: str, body: dict[str, Any]) -> dict[str, Any]:
        if self._socket is not None and self.dice.random() < 0.7:
            return await self._send_by_socket(self._socket, body)
        address = await self.town.door(self.dice, self.slot)
        content = msgspec.json.encode(body)
        answer = await self._http.post(f"{address}/api/tables/{table}/commands", content=content)
        if answer.status_code >= 500 or answer.status_code == 429:
            self._note_fault(answer)
            raise Lost
        told: dict[str, Any] = answer.json()
        return told

    async def _send_by_socket(self, socket: ClientConnection, body: dict[str, Any]) -> dict[str, Any]:
        number = next(self._ids)
        answer = self._pending[number] = asyncio.get_running_loop().create_future()
        try:
            await socket.send(msgspec.json.encode(body | {"id": number}).decode())
            return await asyncio.wait_for(answer, ANSWERED_WITHIN)
        finally:
            self._pending.pop(number, None)

    def _note_fault(self, answer: httpx.Response) -> None:
        if answer.status_code not in (429, 503):
            self.town.find(f"{answer.request.method} {answer.request.url.path}: answered {answer.status_code}")

    # --- the socket ------------------------------------------------------------------------------------------------

    async def listen(self, tables: Sequence[str]) -> None:
        """Be told of tables for as long as the run lasts, on one connection after the other."""
        for table in tables:
            self.heard.setdefault(table, Heard())
        while True:
            address = await self.town.door(self.dice, self.slot)
            try:
                await self._on_one_connection(address.replace("http", "ws", 1) + "/api/socket")
            except (WebSocketException, OSError, TimeoutError):
                await asyncio.sleep(self.dice.uniform(0.0, 0.05))
            finally:
                self._lose()

    async def _on_one_connection(self, address: str) -> None:
        headers, heard = self._headers, self.heard
        async with connect(
            address, additional_headers=headers, compression=None, proxy=None, max_size=None, ping_interval=None,
            max_queue=None, open_timeout=5, close_timeout=1,
        ) as socket:  # fmt: skip
            for table, about in heard.items():
                order = {"command": "Subscribe", "table": table, "after": about.last}
                await socket.send(msgspec.json.encode(order).decode())
            self._socket = socket
            async for text in socket:
                await self._take_in(msgspec.json.decode(text))

    def _lose(self) -> None:
        """The connection is gone, and with it the answers that were on their way."""
        self._socket = None
        for answer in self._pending.values():
            if not answer.done():
                answer.set_exception(Lost())
        for about in self.heard.values():
            about.keep_view()
            about.expected = None

    async def _take_in(self, told: dict[str, Any]) -> None:
        match told["type"]:
            case "done" | "refused":
                answer = self._pending.get(told["id"])
                if answer and not answer.done():
                    answer.set_result(told)
            case "table":
                await self._table_shown(told)
            case "events":
                self._events_told(told)
            case "mine":
                self.heard[told["table"]].chips = told["view"]["chips"]

    async def _table_shown(self, told: dict[str, Any]) -> None:
        """A table as it is now, with what was missed; if that was left out, it is asked for."""
        about, number = self.heard[told["table"]], told["number"]
        about.view, about.expected = told["view"], number + 1
        about.keep_view()
        if told["resync"] and number > about.last:
            self.town.resyncs += 1
            told["events"] = await self._missed(told["table"], about.last, number)
        self._events(told["table"], about.last + 1, number, told["events"])

    async def _missed(self, table: str, after: int, number: int) -> list[dict[str, Any]]:
        events: list[dict[str, Any]] = []
        while page := (await self.ask("GET", f"/api/tables/{table}/events?after={after}&most={MOST_EVENTS}")).json():
            events += page
            after = page[-1]["number"]
        return [each for each in events if each["number"] <= number]

    def _events_told(self, told: dict[str, Any]) -> None:
        about, table = self.heard[told["table"]], told["table"]
        if told["first"] != about.expected:
            self.town.find(f"{self.name} was told {table} {told['first']} to {told['last']} after {about.expected} - 1")
        about.expected = told["last"] + 1
        about.view |= told["view"]
        self._events(table, told["first"], told["last"], told["events"])

    def _events(self, table: str, first: int, last: int, events: list[dict[str, Any]]) -> None:
        """A message covers a range of numbers, and holds what this person may see of it, in order."""
        numbers, about = [each["number"] for each in events], self.heard[table]
        if numbers != sorted(set(numbers)) or (numbers and not first <= numbers[0] <= numbers[-1] <= last):
            self.town.find(f"{self.name} was told {table} {numbers} in a message of {first} to {last}")
        for each in events:
            self._event(table, each)
        if first <= about.last + 1:
            about.last = max(about.last, last)

    def _event(self, table: str, event: dict[str, Any]) -> None:
        about, number = self.heard[table], event["number"]
        known, new = about.events.get(number), digest(event)
        if known is not None and known != new:
            self.town.find(f"{self.name} was told {table} {number} twice, and not the same")
        about.events[number] = new
        if number > about.last:
            self.town.moved_at[table] = monotonic()
            if self.on_event:
                self.on_event(table, event)
