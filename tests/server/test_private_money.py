"""Who has set a limit, bought in or cashed out is told to them and to staff: others learn that a number is missing."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from punto import load
from punto.server.access.identity import Duty, Person
from punto.server.http.app import ENDPOINTS, create_app
from punto.server.realtime.feed import Subscription
from punto.server.realtime.messages import DoneMessage
from punto.server.running.lifecycle import Options, Serving, open_serving, practice_setting
from punto.server.tables.table_actor import outcome
from punto.store.house import SYSTEM
from punto.table.command import Command
from punto.table.play.chips import BuyIn, CashOut
from punto.table.play.loss_limits import LimitLoss
from punto.table.play.table_management import OpenTable
from punto.table.roles import CAGE, Actor, Role
from punto.table.visibility import Audience

BOOK = load("baccarat")
MANAGER = Actor("punto", Role.ASSISTANT_CASINO_MANAGER)


TIMES_AND_NUMBERS = {"number", "at", "now", "seconds", "start", "end"}


class Wire:
    """What one client is sent."""

    def __init__(self) -> None:
        self.sent = b""

    def tell(self, data: bytes) -> bool:
        self.sent += data
        return True

    def glimpse(self, data: bytes) -> None:
        self.sent += data

    def heard(self) -> list[dict[str, Any]]:
        """The messages in the frames, which servers send unmasked."""
        found, at, data = [], 0, self.sent
        self.sent = b""
        while at < len(data):
            length, head = data[at + 1], 2
            if length >= 126:
                head = 4 if length == 126 else 10
                length = int.from_bytes(data[at + 2 : at + head], "big")
            found.append(json.loads(data[at + head : at + head + length]))
            at += head + length
        return found


class AtTable:
    """A table with two patrons, a guest and the Dealer watching."""

    def __init__(self, serving: Serving, ann: Person, bob: Person, tokens: dict[str, str]) -> None:
        self.serving, self.ann, self.bob, self.tokens = serving, ann, bob, tokens
        self.served = serving.floor.tables["t1"]
        self.wires = {name: Wire() for name in ("Ann", "Bob", "guest", "staff")}
        patrons = {"Ann": ann.id, "Bob": bob.id}
        for name, wire in self.wires.items():
            audience = Audience.STAFF if name == "staff" else Audience.PUBLIC
            self.served.feed.subscribe(Subscription(wire, self.served.feed, audience, patrons.get(name)), None)
            wire.heard()

    async def give(self, command: Command) -> None:
        answer = await outcome(self.serving.floor.submit, self.served, command)
        assert isinstance(answer, DoneMessage), answer
        self.served.feed.flush()

    async def all_that_can_be_read(self, who: str) -> dict[str, Any]:
        """The answers to every question that this person may ask about the table, the house and themselves."""
        headers = {"authorization": f"Bearer {self.tokens[who]}"} if who in self.tokens else {}
        transport = httpx.ASGITransport(create_app(self.serving.gateway))
        found: dict[str, Any] = {}
        values = {
            "table": "t1",
            "game": BOOK.key,
            "round": "1",
            "shoe": "x",
            "person": self.ann.id,
            "patron": self.ann.id,
        }
        async with httpx.AsyncClient(transport=transport, base_url="http://here", headers=headers) as client:
            for each in ENDPOINTS:
                path = each.path
                for name, value in values.items():
                    path = path.replace(f"{{{name}}}", value)
                if each.method == "GET" and path.startswith("/api/") and "{" not in path:
                    answer = await client.get(path)
                    found[path] = (
                        without_numbers(answer.json()) if "json" in answer.headers["content-type"] else answer.text
                    )
        assert sum(isinstance(each, dict | list) for each in found.values()) > 10
        return found


def without_numbers(told: Any) -> Any:
    """An answer without how many events there are, and without the time: that is no secret."""
    if isinstance(told, dict):
        return {key: without_numbers(value) for key, value in told.items() if key not in TIMES_AND_NUMBERS}
    return [without_numbers(each) for each in told] if isinstance(told, list) else told


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[AtTable]:
    serving = await open_serving(Options(str(tmp_path / "punto.db")))
    people, floor = serving.people, serving.floor
    await floor.create_table("t1", BOOK)
    ann, bob = [await people.add(name, Duty.PATRON) for name in ("Ann", "Bob")]
    tokens = {each.name: await people.use_link(await people.make_link(each.id, 60_000)) for each in (ann, bob)}
    for each in (ann, bob):
        await floor.cage.deposit(each.id, 1_000_000, SYSTEM)
    await outcome(floor.submit, floor.tables["t1"], OpenTable(MANAGER, practice_setting(BOOK), 100_000_000))
    for each in (ann, bob):
        await outcome(floor.submit, floor.tables["t1"], BuyIn(CAGE, each.id, 100_000))
    yield AtTable(serving, ann, bob, tokens)
    await serving.close()


ACTS = ("a limit", "a higher limit", "bought in by staff", "from the account", "cashed out", "to the account")


@pytest.mark.parametrize("act", ACTS)
async def test_others_learn_nothing_but_that_a_number_is_missing(table: AtTable, act: str) -> None:
    ann = Actor(table.ann.id, Role.PATRON)
    if act == "a higher limit":
        await table.give(LimitLoss(ann, limit=50_000))
    before = {who: await table.all_that_can_be_read(who) for who in ("Bob", "guest")}
    for wire in table.wires.values():
        wire.heard()
    first = table.served.feed.number + 1
    commands = {
        "a limit": LimitLoss(ann, limit=50_000),
        "a higher limit": LimitLoss(ann, limit=None, at=1),
        "bought in by staff": BuyIn(MANAGER, table.ann.id, 20_000),
        "from the account": BuyIn(ann, table.ann.id, 20_000),
        "cashed out": CashOut(MANAGER, table.ann.id, 20_000),
        "to the account": CashOut(ann, table.ann.id, 20_000),
    }
    await table.give(commands[act])
    nothing = {"type": "events", "table": "t1", "first": first, "last": first, "events": [], "view": {}}
    assert table.wires["Bob"].heard() == [nothing]
    assert table.wires["guest"].heard() == [nothing]
    assert [each["type"] for each in table.wires["Ann"].heard()] == ["events", "mine"]
    (told,) = table.wires["staff"].heard()
    assert [each["body"]["patron"] for each in told["events"]] == [table.ann.id]
    for who, known in before.items():
        assert await table.all_that_can_be_read(who) == known
