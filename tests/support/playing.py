"""A house in service for the tests: its people and tables, rounds dealt by hand, and what a watcher knows."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from time import monotonic
from typing import Any

import asyncpg
import pytest
from support.command import punto
from support.live import PATIENCE, Live, Someone, hear, new_patrons, open_table, say, serving
from support.waiting import until as until
from websockets.sync.client import ClientConnection

from punto import parse_cards
from punto.server.access.identity import Duty

_NUMBERS = count(1)
PLACES = (("player", 0), ("player", 1), ("banker", 0), ("banker", 1))
"""The cards of the initial deal, in the order they are exposed in."""
DEALT_TO = (0, 2, 1, 3)
"""Which of the cards dealt, in dealing order, lies in each of these places."""


class House:
    """A house whose server runs. Its people sign in when they are first needed."""

    def __init__(self, live: Live, database: str) -> None:
        self.live, self.database = live, database
        self._people: dict[Duty, Someone] = {}

    def __getitem__(self, duty: Duty) -> Someone:
        if duty not in self._people:
            self._people[duty] = self.live.enter(duty)
        return self._people[duty]

    @property
    def dealer(self) -> Someone:
        return self[Duty.DEALER]

    @property
    def manager(self) -> Someone:
        return self[Duty.GAMING_SHIFT_MANAGER]

    @property
    def cashier(self) -> Someone:
        return self[Duty.CASHIER]

    def hire(self, name: str, duty: Duty) -> Someone:
        """Another person of a duty, signed in; where their link takes two people, both managers see to it."""
        added = self.manager.post("/api/people", name=name, duty=duty.value)
        if added["request"]:
            second = self[Duty.ASSISTANT_CASINO_MANAGER]
            added = second.post(f"/api/people/requests/{added['request']['id']}/confirm")
        return self.live.by_link(added["link"])

    def patrons(self, number: int, holds: int = 10_000_000) -> list[Someone]:
        return new_patrons(self.live, self.cashier, number, holds)

    def load_sealed_shoe(self, table: str) -> str:
        """The dealer puts a shoe on the table that the house has sealed and nobody wanted to cut; its name."""
        shoe: str = self.dealer.post(f"/api/tables/{table}/shoes")["shoe"]
        self.dealer.post(f"/api/tables/{table}/shoes/{shoe}/list")
        self.dealer.done(table, "LoadShoe", shoe=shoe)
        return shoe

    def table(self, game: str = "baccarat", **setting: Any) -> str:
        """A table that is open; the dealer has brought a shoe unless the house seals its own."""
        name = setting.pop("name", None) or f"t{next(_NUMBERS)}"
        method = {"method": None} if game == "fabulous-4" else {}
        open_table(self.manager, name, game, **method | setting)
        if setting.get("device", "manual") != "sealed":
            self.dealer.done(name, "LoadShoe", shoe=f"{name} shoe")
        return name


@contextmanager
def house(folder: Path, *arguments: str, database: str = "") -> Iterator[House]:
    """A house in service; at its end it stops in order, has logged no fault, and an audit finds nothing."""
    database = database or str(folder / "punto.db")
    with serving(database, folder, *arguments) as live:
        yield House(live, database)
        code = live.stop()
        assert code == 0, f"exit code {code}: {live.log.read_text('utf-8')[-5000:]}"
    assert not (found := faults(live)), found
    assert not (found := audited(database)), found


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house in service for all tests that have tables and patrons of their own there."""
    with house(tmp_path_factory.mktemp("served")) as made:
        lock_late(made)
        yield made


def lock_late(made: House) -> None:
    """Let staff of a house that many tests share be idle for an hour, the most that there is."""
    seen = made.manager.http.get("/api/house/settings").json()
    made.manager.post("/api/house/settings", settings=seen | {"staff_idle_minutes": 60}, seen=seen)


def faults(live: Live) -> list[str]:
    """What the server logged as a fault."""
    lines = live.log.read_text("utf-8").splitlines()
    return [line for line in lines if '"level": "error"' in line or "Traceback" in line]


def audited(database: str) -> list[Any]:
    """What an audit of the database finds."""
    findings: list[Any] = json.loads(punto("audit", database, "--json")[1])["findings"]
    return findings


def asked(address: str, statement: str, *values: object) -> list[Any]:
    """Run one statement on a PostgreSQL database, beside its servers, and return the rows."""
    return asyncio.run(_asked(address, statement, *values))


async def _asked(address: str, statement: str, *values: object) -> list[Any]:
    connection = await asyncpg.connect(address)
    try:
        return list(await connection.fetch(statement, *values))
    finally:
        await connection.close()


# --- rounds ----------------------------------------------------------------------------------------------------------

Give = Callable[..., Any]
"""Gives a command by its name and values, and has it done."""


def deal(give: Give, cards: str) -> None:
    """Deal a coup by hand: cards in dealing order, the third ones as the Table of Play asks for them."""
    dealt = parse_cards(cards)
    for _ in PLACES:
        give("DrawCard")
    for (hand, place), index in zip(PLACES, DEALT_TO, strict=True):
        give("ExposeCard", hand=hand, place=place, card=dealt[index])
    player_draws = (dealt[0].point_value + dealt[2].point_value) % 10 <= 5
    for hand, card in zip(("player", "banker") if player_draws else ("banker",), dealt[4:], strict=False):
        give("DrawCard")
        give("ExposeCard", hand=hand, place=2, card=card)


def play_round(house: House, table: str) -> None:
    """A round as a dealer conducts it on a sealed shoe: no card is named."""
    dealer = house.dealer
    dealer.done(table, "OpenBets")
    dealer.done(table, "CloseBets")
    for _ in PLACES:
        dealer.done(table, "DrawCard")
    for hand, place in PLACES:
        dealer.done(table, "ExposeCard", hand=hand, place=place)
    while dealer.give(table, "DrawCard").status_code == 200:
        hands = dealer.get(f"/api/tables/{table}")["view"]["hands"]
        (hand,) = [hand for hand in hands if hands[hand][-1] is None]
        dealer.done(table, "ExposeCard", hand=hand, place=2)
    dealer.done(table, "AnnounceOutcome")
    dealer.done(table, "SettleRound")


def over_http(person: Someone, table: str) -> Give:
    return lambda command, **values: person.done(table, command, **values)


def over_socket(socket: ClientConnection, table: str) -> Give:
    """Commands over a socket, each with a number by which its answer is known."""

    def give(command: str, **values: Any) -> dict[str, Any]:
        answer = answer_over(socket, table, command, **values)
        assert answer["type"] == "done", (command, answer)
        return answer

    return give


def answer_over(socket: ClientConnection, table: str, command: str, **values: Any) -> dict[str, Any]:
    """What a command over a socket is answered with, whatever it is."""
    number = next(_NUMBERS)
    say(socket, command, table=table, id=number, **values)
    while (answer := hear(socket, "done", "refused"))["id"] != number:
        continue
    return answer


def account(patron: Someone) -> int:
    """Return what the patron's account at the cage holds."""
    holds: int = patron.get("/api/cage/mine")["holds"]
    return holds


def chips(patron: Someone, table: str) -> int:
    """Return the chips a patron has at a table."""
    has: int = patron.get(f"/api/tables/{table}/mine")["chips"]
    return has


# --- watching --------------------------------------------------------------------------------------------------------


class Watching:
    """A subscriber to a table on a socket, who puts its view together from the messages."""

    def __init__(self, socket: ClientConnection, table: str, after: int | None = None) -> None:
        self.socket, self.table, self.number = socket, table, after
        self.view: dict[str, Any] = {}
        self.views: dict[int, str] = {}
        """By number the view as it was then, in one way of writing."""
        self.events: dict[int, dict[str, Any]] = {}
        """By number those that may be seen; none is told twice."""
        self.mine: list[dict[str, Any]] = []
        self.resyncs = 0
        say(socket, "Subscribe", table=table, after=after)

    def hear(self, timeout: float = PATIENCE) -> dict[str, Any]:
        """Take in the next message about the table."""
        told = hear(self.socket, "table", "events", "mine", timeout=timeout)
        assert told["table"] == self.table
        if told["type"] == "mine":
            self.mine.append(told)
        elif told["type"] == "table":
            self._shown(told)
        else:
            self._told(told)
        return told

    def _shown(self, told: dict[str, Any]) -> None:
        """The table as it is: after what was missed, or instead of it."""
        self.resyncs += told["resync"]
        if told["resync"]:
            assert told["events"] == []
        else:
            assert self.number is not None
            self._take_in(told["events"], self.number + 1, told["number"])
        self.view = told["view"]
        self._at(told["number"])

    def _told(self, told: dict[str, Any]) -> None:
        assert self.number is not None
        assert told["first"] == self.number + 1
        self._take_in(told["events"], told["first"], told["last"])
        self.view = {**self.view, **told["view"]}
        self._at(told["last"])

    def _take_in(self, events: list[dict[str, Any]], first: int, last: int) -> None:
        """The message covers these numbers: what may be seen of them is there, in order, and for the first time."""
        numbers = [each["number"] for each in events]
        assert numbers == sorted(set(numbers))
        assert not numbers or first <= numbers[0] <= numbers[-1] <= last
        for each in events:
            assert each["number"] not in self.events
            self.events[each["number"]] = each

    def _at(self, number: int) -> None:
        self.number = number
        self.views[number] = written(self.view)

    def hear_until(self, number: int, timeout: float = PATIENCE) -> None:
        """Take in messages until the table is known as it is after an event."""
        ends = monotonic() + timeout
        while self.number is None or self.number < number or not self.views:
            self.hear(max(0.01, ends - monotonic()))


def written(view: dict[str, Any]) -> str:
    """A view in one way of writing, to be compared."""
    return json.dumps(view, sort_keys=True)


def number_of(someone: Someone, table: str) -> int:
    """How many events a table has."""
    number: int = someone.get(f"/api/tables/{table}")["number"]
    return number
