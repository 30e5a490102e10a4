"""Nobody but staff learns anything that depends on the cards left in the shoe.

A table stands in the middle of a shoe and of a round. Everything that a patron, a guest or a display may ask for is
asked for, by every route and over a socket; then the cards that are left are exchanged for others, which changes what
the house knows and nothing that is public, and everything is asked for again.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, get_args

import httpx
import pytest
from msgspec.structs import replace

from punto import load, odds
from punto.books.patron_play import PLAY_EVENTS
from punto.cards import DECK
from punto.rules.table_of_play import Hand
from punto.server.access.identity import Duty, Person
from punto.server.access.permissions import Permission
from punto.server.http.app import ENDPOINTS, create_app
from punto.server.http.games import EdgeShown
from punto.server.pit.guard_routes import edges_from
from punto.server.realtime.connection import Connection
from punto.server.realtime.messages import DoneMessage
from punto.server.routing.routes import Endpoint
from punto.server.running import lifecycle
from punto.server.running.house_clock import HouseClock
from punto.server.running.lifecycle import Options, Serving, open_serving
from punto.server.running.rate_limit import TokenBuckets
from punto.server.tables.served_table import ServedTable
from punto.server.tables.table_actor import outcome
from punto.shoe.hidden_shoe import HiddenShoe
from punto.store.house import SYSTEM
from punto.store.protocol import Store
from punto.table.command import Command
from punto.table.decide import COMMANDS
from punto.table.default_settings import practice_setting
from punto.table.play.chips import BuyIn
from punto.table.play.dealing import AnnounceOutcome, DrawCard, ExposeCard
from punto.table.play.settlement import SettleRound
from punto.table.play.shoes import LoadShoe
from punto.table.play.table_management import OpenTable
from punto.table.play.wagers import CloseBets, OpenBets, PlaceWager
from punto.table.refusal import Refusal
from punto.table.roles import Actor, Role

BOOK = load("baccarat")
MANAGER, DEALER = Actor("pat", Role.GAMING_SHIFT_MANAGER), Actor("sam", Role.DEALER)
NOW = 1_800_000_000_000
INITIAL = ((Hand.PLAYER, 0), (Hand.PLAYER, 1), (Hand.BANKER, 0), (Hand.BANKER, 1))
OWN_STATE = ("/metrics",)
"""Counts requests."""

Answers = dict[str, bytes]
"""What was answered to each caller, by caller and path."""


async def done(serving: Serving, command: Command) -> None:
    answer = await outcome(serving.floor.submit, serving.floor.tables["t1"], command)
    assert isinstance(answer, DoneMessage), answer


async def play_into_a_shoe(serving: Serving, patron: Person) -> ServedTable:
    """Play two rounds and half of a third, in which the patron has a wager."""
    floor = serving.floor
    await floor.create_table("t1", BOOK)
    await done(serving, OpenTable(MANAGER, practice_setting(BOOK, None), 100_000_000))
    await floor.cage.deposit(patron.id, 500_000, SYSTEM)
    served = floor.tables["t1"]
    shoe = await served.keeper.next_shoe(8)
    assert shoe
    await served.keeper.close_list(shoe)
    await done(serving, LoadShoe(DEALER, shoe))
    await done(serving, BuyIn(DEALER, patron.id, 100_000))
    for round_ in range(3):
        await done(serving, OpenBets(DEALER))
        await done(serving, PlaceWager(Actor(patron.id, Role.PATRON), patron.id, 1, "Player", 1_000))
        await done(serving, CloseBets(DEALER))
        for _ in INITIAL:
            await done(serving, DrawCard(DEALER))
        for hand, place in INITIAL[: 4 if round_ < 2 else 3]:
            await done(serving, ExposeCard(DEALER, hand, place))
        if round_ < 2:
            await finish(serving, served)
    return served


async def finish(serving: Serving, served: ServedTable) -> None:
    while not isinstance(await outcome(serving.floor.submit, served, DrawCard(DEALER)), Refusal):
        hand = next(hand for hand, places in served.table.round.hands.items() if not places[-1].card)
        await done(serving, ExposeCard(DEALER, hand, 2))
    await done(serving, AnnounceOutcome(DEALER))
    await done(serving, SettleRound(DEALER))


# --- what is left in the shoe ----------------------------------------------------------------------------------------


def exchange_cards(served: ServedTable) -> None:
    """Put other cards into the shoe behind those that have been exposed: one and the same, again and again."""
    shoe = served.table.shoe
    assert shoe
    dealing = served.keeper._dealing
    known = dealing[shoe.name]
    exposed = shoe.drawn - 1  # the last card drawn lies face down
    cards = tuple(known.card_at(at) for at in range(exposed))
    other = next(card for card in DECK if card not in (known.card_at(shoe.drawn), known.card_at(exposed)))
    dealing[shoe.name] = HiddenShoe(known.kind, known.name, (*cards, *[other] * (len(known) - exposed)))


def exchange_composition(served: ServedTable) -> None:
    """Have the table believe that other cards are left: the odds from here are others."""
    shoe = served.table.shoe
    assert shoe
    other = replace(shoe, unexposed=BOOK.shoe(BOOK.decks.fewest))
    changed = served.table.changed(shoe=other)
    served.actor.table = changed
    served.feed._sent = served.feed._newest = changed
    served.feed._views.clear()


# --- what may be asked -----------------------------------------------------------------------------------------------


def open_to(endpoint: Endpoint, duty: Duty | None) -> bool:
    """Whether a caller of this duty, or one who is not signed in, may use a route."""
    if endpoint.permission:
        return duty is not None and endpoint.permission.is_given_to(duty)
    return duty is not None or not endpoint.signed_in


def paths(endpoint: Endpoint, served: ServedTable, lines: Iterable[int]) -> Iterable[str]:
    """Yield addresses of a route about the table, its game, its shoe, and what the patron played there."""
    shoe = served.table.shoe
    known = {"table": "t1", "game": BOOK.key, "shoe": shoe.name if shoe else "", "person": "x", "link": "x"}
    is_about_a_line = {"number", "session"} & {each.name for each in endpoint.in_path}
    for number in lines if is_about_a_line else (1,):
        filled = {each.name: known.get(each.name, str(number)) for each in endpoint.in_path}
        yield endpoint.path.format_map(filled)


async def asked(client: httpx.AsyncClient, who: str, duty: Duty | None, served: ServedTable, store: Store) -> Answers:
    """Ask by every route, and try every command of the table: what a patron is refused must not tell either."""
    found: Answers = {}
    lines = [each.number for each in await store.read("t1") if each.name in PLAY_EVENTS]
    for endpoint in ENDPOINTS:
        if endpoint.path in OWN_STATE or not open_to(endpoint, duty):
            continue
        for path in paths(endpoint, served, lines) if endpoint.method == "GET" else ():
            answer = await client.get(path)
            found[f"{who} {path}"] = b"%d " % answer.status_code + answer.content
    for command in COMMANDS if duty else ():
        answer = await client.post("/api/tables/t1/commands", json={"command": command})
        assert answer.status_code != 200, command
        found[f"{who} {command}"] = answer.content
    return found


class Wire:
    """The client's side of a socket: all that was sent."""

    def __init__(self) -> None:
        self.sent = b""

    def hear_with(self, hear: Callable[[bytes], None]) -> None: ...
    def write_frames(self, frames: bytes) -> None:
        self.sent += frames

    def unread(self) -> int:
        return 0

    def pause(self, paused: bool) -> None: ...
    def close_with(self, code: int, at_once: bool = False) -> None: ...


async def heard(serving: Serving, token: str | None) -> bytes:
    """What a socket brings: the table, what happened before, and the caller's own view of it."""
    wire = Wire()
    session = await serving.people.session(token) if token else None
    connection = Connection(serving.gateway, wire, session, token)
    for after in (None, 0):
        connection.hear(json.dumps({"command": "Subscribe", "table": "t1", "after": after}).encode())
        while connection._catching_up:
            await next(iter(connection._catching_up))
    connection.leave()
    return wire.sent


async def everything(serving: Serving, served: ServedTable, token: str) -> Answers:
    app = create_app(serving.gateway)
    found: Answers = {}
    for who, duty, headers in (
        ("patron", Duty.PATRON, {"authorization": f"Bearer {token}"}),
        ("guest", None, {}),
    ):
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://punto", headers=headers) as client:
            found |= await asked(client, who, duty, served, serving.store)
        found[f"{who} socket"] = await heard(serving, token if duty else None)
    return found


@asynccontextmanager
async def mid_shoe(folder: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[tuple[Serving, ServedTable, str]]:
    still = partial(HouseClock, machine=lambda: NOW * 1_000_000, steady=lambda: 0)
    monkeypatch.setattr(lifecycle, "HouseClock", still)
    serving = await open_serving(Options(str(folder / "punto.db")))
    serving.gateway.requests = TokenBuckets(1_000_000, 1_000_000)
    try:
        patron = await serving.people.add("Ann", Duty.PATRON)
        token = await serving.people.use_link(await serving.people.make_link(patron.id, 60_000))
        yield serving, await play_into_a_shoe(serving, patron), token
    finally:
        await serving.close()


async def test_no_answer_depends_on_the_cards_that_are_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with mid_shoe(tmp_path, monkeypatch) as (serving, served, token):
        first = await everything(serving, served, token)
        assert len([each for each in first if each.startswith("patron /")]) > 30
        assert b"200 " in first["patron /api/tables/t1"][:4]
        again = await everything(serving, served, token)
        assert differing(first, again) == []  # nothing else makes them differ
        shoe = served.table.shoe
        assert shoe
        next_card = served.keeper.card_at(shoe.name, shoe.drawn)
        exchange_cards(served)
        assert served.keeper.card_at(shoe.name, shoe.drawn) != next_card
        assert differing(first, await everything(serving, served, token)) == []
        exchange_composition(served)
        assert served.table.shoe != shoe
        assert differing(first, await everything(serving, served, token)) == []


def differing(first: Answers, second: Answers) -> list[str]:
    return sorted(each for each in first.keys() | second.keys() if first.get(each) != second.get(each))


async def test_odds_are_those_of_a_full_shoe_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    telling = {each.path for each in ENDPOINTS if any(EdgeShown in (kind, *get_args(kind)) for kind in each.answers)}
    assert telling == {"/api/games/{game}/edges"}
    async with mid_shoe(tmp_path, monkeypatch) as (serving, _, _):
        transport = httpx.ASGITransport(create_app(serving.gateway))
        async with httpx.AsyncClient(transport=transport, base_url="http://punto") as client:
            told: list[dict[str, Any]] = (await client.get("/api/games/baccarat/edges?decks=8")).json()
    exact = odds(BOOK, 8)
    assert {each["wager"]: each["house_edge"] for each in told} == {
        wager.name: f"{(edge := exact[wager.name].house_edge).numerator}/{edge.denominator}" for wager in BOOK.wagers
    }


# --- what the pit alone is told --------------------------------------------------------------------------------------

GUARD = "/api/pit/t1/guard"
LONG_ENOUGH = 11
"""Digits of a number that stands nowhere by chance."""
KEYS = (b'"favours_patron"', b'"unseen"', b'"edges"', b'"ratio"', b'"advice"', b'"false_alarm"')


async def told_to(serving: Serving, served: ServedTable, duty: Duty | None) -> tuple[Answers, int]:
    """Everything that a person of a duty gets when they try all addresses and a socket; and how the guard answers."""
    people, found, token = serving.people, Answers(), None
    if duty:
        person = await people.add(f"another {duty.value}", duty)
        token = await people.use_link(await people.make_link(person.id, 60_000))
    headers = {"authorization": f"Bearer {token}"} if token else {}
    transport = httpx.ASGITransport(create_app(serving.gateway))
    async with httpx.AsyncClient(transport=transport, base_url="http://punto", headers=headers) as client:
        for endpoint in (each for each in ENDPOINTS if each.method == "GET"):
            for path in paths(endpoint, served, (1, 2)):
                found[path] = (await client.get(path)).content
        for command in COMMANDS if duty is None or duty is Duty.PATRON else ():
            found[command] = (await client.post("/api/tables/t1/commands", json={"command": command})).content
        status = (await client.get(GUARD)).status_code
    found["socket"] = await heard(serving, token)
    return found, status


async def test_edges_and_ratios_are_told_to_the_pit_and_to_nobody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By every address, for every duty: no key of the guard's answer, and no exact figure, in any spelling."""
    async with mid_shoe(tmp_path, monkeypatch) as (serving, served, _):
        shoe = served.table.shoe
        assert shoe
        edges = edges_from(BOOK, shoe.unexposed)
        exact = [each.house_edge for each in edges]
        figures = [each.percent.strip("-").encode() for each in edges]
        figures += [f"{abs(each.numerator)}/{each.denominator}".encode() for each in exact]
        # A short number, as a pair's reduced fraction may have, stands in many an answer by chance.
        parts = (str(abs(part)) for each in exact for part in each.as_integer_ratio())
        figures += [part.encode() for part in parts if len(part) >= LONG_ENOUGH]
        assert len(figures) >= 2 * len(edges) + 4
        for duty in (None, *(duty for duty in Duty if duty is not Duty.DEVICE)):
            found, status = await told_to(serving, served, duty)
            assert GUARD in found
            if duty and Permission.GUARD_TABLES.is_given_to(duty):
                assert status == 200
                told = found.pop(GUARD)
                assert all(each in told for each in (*KEYS[:3], *figures))
            else:
                assert status == (403 if duty else 401), duty
            assert len(found) > 60
            # The description of the interface and the scripts of the pages name the keys, and have no figures.
            data = {path: body for path, body in found.items() if path.startswith("/api/") or not path.startswith("/")}
            assert [(path, key) for path, body in data.items() for key in KEYS if key in body] == [], duty
            assert [(path, each) for path, body in found.items() for each in figures if each in body] == [], duty
