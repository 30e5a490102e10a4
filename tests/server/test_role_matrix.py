"""Who may give which command: for every position every command is tried, over the real server.

What the documents do not give somebody is refused to him, written to the server's log, and changes nothing. What they
do give is carried out and recorded with who did it in which position; so is what a person does who acts in one.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from time import sleep
from typing import Any

import httpx
import pytest
from msgspec.structs import replace
from support.live import Live, Someone, hear, let_one_name_do, say, serving
from support.playing import until
from support.samples import (
    ASSISTANT,
    BOTH,
    BYSTANDER,
    DEALER,
    MAY,
    OPENING,
    PATRON,
    PIT_MANAGER,
    SHIFT,
    STAFF,
    SUPERVISOR,
    Prepared,
    Sample,
    house_of,
    samples,
)

from punto.server.realtime.messages import DoneMessage
from punto.server.tables.table_actor import TableActor, outcome
from punto.store.records import Append, EventRecord
from punto.store.sqlite.sqlite_store import SqliteStore
from punto.table.decide import COMMANDS
from punto.table.event import Irregularity
from punto.table.evolve import EVENTS
from punto.table.play.windows import WindowElapsed
from punto.table.refusal import Refusal
from punto.table.roles import Actor, Role

WITHOUT_POSITION = ("Cashier", "Auditor", "Device")
OVER_A_SOCKET = ("Fill", "PlaceWager", "LookAtCards", "ConfirmVoid", "CorrectRound", "PermitDrawing")
PATRONS = ("Ann", "Bob", "Cho", "Dee", "Eve", "Sam", "Zoe", BYSTANDER)

BY_THE_HOUSE = ("WindowElapsed", "SettleDebt")
"""The server itself ends a window when its time is up, and the cage notes debts paid there: both are tested apart."""
OF_A_PERSON = ("SignOff", "DropAct")
"""Only the person who is on duty, or who proposed the act, may: that is no matter of positions."""
TRIED = tuple(sample for sample in samples() if sample.row.command not in (*BY_THE_HOUSE, *OF_A_PERSON))
ABOVE_A_DEALER = tuple(
    sample for sample in TRIED if DEALER not in MAY[sample.row.needs] and sample.row.script != OPENING
)
ACTED = tuple(sample for sample in ABOVE_A_DEALER if MAY[sample.row.needs])


def by_name(name: str) -> Sample:
    return next(sample for sample in samples() if sample.row.name == name)


def named(sample: Sample) -> str:
    return sample.row.name.replace(" ", "-")


class Floor:
    """A server with all samples on its tables, and one person for every duty."""

    def __init__(self, live: Live, prepared: Prepared) -> None:
        self.live, self.ids, self._file = live, prepared.ids, prepared.file
        addresses = count(1)
        self.people: dict[str, Someone] = {}
        for who, token in prepared.tokens.items():
            self.people[who] = live.someone(token, prepared.ids[who])
            # As through a proxy on the same machine: everybody comes from an address of his own.
            self.people[who].http.headers["x-forwarded-for"] = f"10.0.0.{next(addresses)}"
        self.people["nobody"] = live.nobody()

    def give(self, who: str, table: str, sample: Sample) -> httpx.Response:
        return self.people[who].give(table, sample.row.command, **sample.values)

    def head(self, table: str) -> tuple[int, bytes]:
        """How many events a table has, and the hash of the last, as they are in the database."""
        with closing(sqlite3.connect(f"file:{self._file}?mode=ro", uri=True)) as database:
            query = "select number, hash from event where stream = ? order by number desc limit 1"
            return database.execute(query, (table,)).fetchone() or (0, b"")

    def refusals(self, table: str) -> list[tuple[str, str, str]]:
        """What the server's log says was refused at a table: to whom, which command, and the code."""
        lines = self.live.log.read_text("utf-8").splitlines()
        told = [json.loads(line) for line in lines if f'"{table}"' in line]
        return [(each["person"], each["command"], each["code"]) for each in told if each["event"] == "refused"]

    def recorded(self, table: str, after: int = 0) -> list[dict[str, Any]]:
        """The log of a table, as an auditor may read it: also while its chips are counted."""
        told: list[dict[str, Any]] = self.people["Auditor"].get(f"/api/tables/{table}/events", after=after)
        return told


def slug(who: str) -> str:
    return who.replace(" ", "")


def table_for(sample: Sample, purpose: str) -> str:
    return f"{TRIED.index(sample)}-{slug(purpose)}"


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Floor]:
    """Every sample on tables of its own: to be tried at, and for each who may give it."""
    folder = tmp_path_factory.mktemp("matrix")
    tables: dict[str, Sample] = {}
    for sample in TRIED:
        copies = ["tried", *allowed(sample)]
        copies += ["acting", "ended"] if sample in ACTED else []
        copies += ["socket"] if sample.row.name in OVER_A_SOCKET else []
        tables |= {table_for(sample, copy): sample for copy in copies}
    tables |= {"open": by_name("AppointActing as Dealer"), "shut": by_name("OpenTable")}
    prepared = house_of(folder / "punto.db", tables, PATRONS)
    with serving(str(prepared.file), folder) as live:
        floor = Floor(live, prepared)
        let_one_name_do(floor.people[SHIFT])
        until(lambda: floor.people[SHIFT].http.get("/readyz").is_success)  # so many tables open after it listens
        yield floor


def allowed(sample: Sample) -> list[str]:
    """Who may give it: positions, and the one patron it is about."""
    himself = [sample.himself] if sample.himself else []
    return [position for position in STAFF if position in MAY[sample.row.needs]] + himself


def forbidden(sample: Sample) -> list[tuple[str, int, str]]:
    """Who may not give it, and how each is answered: with which status and which code."""
    row = sample.row
    return [
        *((position, 409, row.staff_code) for position in STAFF if position not in MAY[row.needs]),
        *((patron, 409, row.patron_code) for patron in sample.others()),
        *((duty, 403, "no-position") for duty in WITHOUT_POSITION),
        ("nobody", 401, "not-signed-in"),
    ]


def test_every_command_there_is_is_tried() -> None:
    assert {sample.row.command for sample in samples()} == set(COMMANDS)
    assert len({sample.row.name for sample in samples()}) == len(samples())


@pytest.mark.parametrize("sample", TRIED, ids=named)
def test_who_may_not_is_refused_and_logged_and_changes_nothing(floor: Floor, sample: Sample) -> None:
    table, expected = table_for(sample, "tried"), forbidden(sample)
    before = floor.head(table)
    assert before[0] == len(sample.events)
    for who, status, code in expected:
        answer = floor.give(who, table, sample)
        assert (answer.status_code, answer.json()["code"]) == (status, code), (who, answer.text)
        assert answer.json()["sentence"]
        assert floor.head(table) == before, who
    logged = [(floor.ids[who], sample.row.command, code) for who, _, code in expected if who != "nobody"]
    until(lambda: floor.refusals(table) == logged)  # the log is written by a thread
    assert floor.people[SHIFT].get(f"/api/tables/{table}")["number"] == before[0]
    # It was refused to them for who they are, and not for how the table stood: whoever may give it still can.
    answer = floor.give(allowed(sample)[0], table, sample)
    assert answer.status_code == 200, answer.text


@pytest.mark.parametrize("sample", TRIED, ids=named)
def test_who_may_is_recorded_with_his_position(floor: Floor, sample: Sample) -> None:
    for who in allowed(sample):
        table = table_for(sample, who)
        answer = floor.give(who, table, sample)
        assert answer.status_code == 200, (who, answer.text)
        events = floor.recorded(table, after=len(sample.events))
        assert [events[0]["number"], events[-1]["number"]] == [answer.json()["first"], answer.json()["last"]]
        position = who if who in STAFF else PATRON
        assert {(each["by"], each["position"]) for each in events} == {(floor.ids[who], position)}, who
        assert all(given_by(told) == (floor.ids[who], position, []) for told in circumstances(events)), who


def given_by(told: dict[str, Any]) -> tuple[str, str, list[str]]:
    """Who authorised an irregularity, in which positions."""
    return told["authorised_by"], told["position"], told["acting_in"]


def circumstances(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What is kept about each irregularity among some events, unless it is the act of another whom they confirmed."""
    kept = [each["body"]["circumstances"] for each in events if issubclass(EVENTS[each["name"]], Irregularity)]
    return [told for told in kept if not told["second_person"]]


# --- people acting in a position --------------------------------------------------------------------------------------


def acts_as(sample: Sample) -> str:
    return ASSISTANT if sample.row.needs == BOTH else sample.row.needs


def appoint(floor: Floor, table: str, role: str) -> None:
    """Somebody who could do the work himself has the Dealer act in his position."""
    floor.people[role].done(table, "AppointActing", person=floor.ids[DEALER], role=role)


@pytest.mark.parametrize("sample", ACTED, ids=named)
def test_a_person_acting_in_the_position_may_and_that_is_recorded(floor: Floor, sample: Sample) -> None:
    table, role, dealer = table_for(sample, "acting"), acts_as(sample), floor.ids[DEALER]
    assert floor.give(DEALER, table, sample).json()["code"] == "not-yours"
    appoint(floor, table, role)
    answer = floor.give(DEALER, table, sample)
    assert answer.status_code == 200, answer.text
    appointed, *events = floor.recorded(table, after=len(sample.events))
    assert (appointed["name"], appointed["by"], appointed["position"]) == ("ActingAppointed", floor.ids[role], role)
    told = appointed["body"]
    assert [told[each] for each in ("person", "role", "appointed_by", "until")] == [dealer, role, floor.ids[role], None]
    assert told["since"] is not None
    assert {(each["by"], each["position"]) for each in events} == {(dealer, DEALER)}
    assert all(given_by(kept) == (dealer, DEALER, [role]) for kept in circumstances(events))


@pytest.mark.parametrize("sample", ACTED, ids=named)
def test_a_person_no_longer_acting_in_the_position_may_not(floor: Floor, sample: Sample) -> None:
    table, role, dealer = table_for(sample, "ended"), acts_as(sample), floor.ids[DEALER]
    tries = 1
    if sample.row.needs in (ASSISTANT, SHIFT):  # acting as the other manager is not enough (reading R5)
        appoint(floor, table, SHIFT if role == ASSISTANT else ASSISTANT)
        assert floor.give(DEALER, table, sample).json()["code"] == "not-yours"
        tries = 2
    appoint(floor, table, role)
    floor.people[role].done(table, "EndActing", person=dealer, role=role)
    before = floor.head(table)
    answer = floor.give(DEALER, table, sample)
    assert (answer.status_code, answer.json()["code"]) == (409, "not-yours")
    assert floor.head(table) == before
    until(lambda: floor.refusals(table) == [(dealer, sample.row.command, "not-yours")] * tries)


def test_a_position_is_not_given_to_oneself_nor_by_somebody_below_it(floor: Floor) -> None:
    for below, above in ((DEALER, SUPERVISOR), (SUPERVISOR, PIT_MANAGER), (PIT_MANAGER, ASSISTANT), (ASSISTANT, SHIFT)):
        for person in (floor.ids[below], floor.ids[DEALER]):
            code = floor.people[below].refused("open", "AppointActing", person=person, role=above)
            assert code == "not-yours"
    assert floor.people[SHIFT].refused("open", "AppointActing", person=floor.ids[DEALER], role=ASSISTANT) == "not-yours"


def test_neither_a_patron_nor_somebody_without_a_position_gets_one_by_acting(floor: Floor) -> None:
    manager, cashier = floor.people[PIT_MANAGER], floor.people["Cashier"]
    assert manager.refused("open", "AppointActing", person="Ann", role=PIT_MANAGER) == "not-staff"
    assert manager.refused("open", "AppointActing", person=floor.ids[DEALER], role=PATRON) == "not-yours"
    for person in (cashier.id, BYSTANDER):
        manager.done("open", "AppointActing", person=person, role=PIT_MANAGER)
    assert cashier.refused("open", "Fill", amount=100) == "no-position"
    assert floor.people[BYSTANDER].refused("open", "Fill", amount=100) == "not-yours"


def test_only_a_person_whom_the_house_knows_is_appointed(floor: Floor) -> None:
    before = floor.head("open")
    manager = floor.people[PIT_MANAGER]
    assert manager.refused("open", "AppointActing", person="nobody-here", role=PIT_MANAGER) == "cannot-be"
    assert floor.people[DEALER].refused("open", "AppointActing", person="nobody-here", role=PIT_MANAGER) == "not-yours"
    assert manager.refused("open", "SignOff", dealer="nobody-here") == "not-on-duty"
    assert floor.head("open") == before


def test_at_a_closed_table_nobody_can_be_appointed(floor: Floor) -> None:
    refused = floor.people[PIT_MANAGER].refused
    assert refused("shut", "AppointActing", person=floor.ids[DEALER], role=PIT_MANAGER) == "table-not-open"
    assert floor.head("shut") == (0, b"")


# --- the same over a socket -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", OVER_A_SOCKET)
def test_over_a_socket_it_is_the_same(floor: Floor, name: str) -> None:
    sample = by_name(name)
    table, expected = table_for(sample, "socket"), forbidden(sample)
    before = floor.head(table)
    for number, (who, _, code) in enumerate(expected):
        by_http = floor.give(who, table, sample).json()
        with floor.people[who].socket() as socket:
            say(socket, sample.row.command, table=table, id=number, **sample.values)
            told = hear(socket)
        assert told == by_http | {"id": number}
        assert (told["type"], told["code"]) == ("refused", code), who
        assert floor.head(table) == before
    logged = [(floor.ids[who], sample.row.command, code) for who, _, code in expected if who != "nobody"]
    until(lambda: floor.refusals(table) == [each for each in logged for _ in range(2)])
    with floor.people[allowed(sample)[0]].socket() as socket:
        say(socket, sample.row.command, table=table, id="last", **sample.values)
        told = hear(socket)
    assert (told["type"], told["id"], told["first"]) == ("done", "last", before[0] + 1)


AREA = {"patron": "Ann", "position": 1, "wager": "Player", "amount": 500}


# --- the end of a window ----------------------------------------------------------------------------------------------


@pytest.mark.long
def test_a_window_ends_by_the_call_and_by_the_clock_only_where_an_automaton_is_the_dealer(tmp_path: Path) -> None:
    """At a staffed table the time only reminds (reading R40); an automaton that announces closes the betting then."""
    empty = by_name("OpenTable")
    prepared = house_of(tmp_path / "punto.db", {"t1": empty}, ["Ann"])
    with serving(str(prepared.file), tmp_path) as live:
        floor = Floor(live, prepared)
        setting = replace(empty.values["setting"], betting_seconds=1)
        floor.people[PIT_MANAGER].done("t1", "OpenTable", setting=setting, float_=1_000_000)
        floor.people[DEALER].done("t1", "BuyIn", patron="Ann", amount=10_000)
        floor.people[DEALER].done("t1", "LoadShoe", shoe="one")
        floor.people[DEALER].done("t1", "OpenBets")
        before = floor.head("t1")
        for who in [*STAFF, "Ann"]:
            assert floor.people[who].refused("t1", "WindowElapsed") == "deadline-not-passed"
            assert floor.head("t1") == before
        sleep(1.5)
        floor.people["Ann"].done("t1", "PlaceWager", **AREA)
        before = floor.head("t1")
        floor.people[PIT_MANAGER].post("/api/tables/t1/automation", steps=["announce"])
        with floor.people[PIT_MANAGER].socket() as socket:
            say(socket, "Subscribe", table="t1", after=before[0])
            while not (told := hear(socket, "table", "events"))["events"]:
                pass
        closed = told["events"][0]
        assert (closed["name"], closed["by"], closed["position"]) == ("BetsClosed", "automaton", DEALER)
        assert floor.people["Ann"].refused("t1", "PlaceWager", **AREA) == "late-wager"
        for who in [*STAFF, "Ann"]:
            assert floor.people[who].refused("t1", "WindowElapsed") == "window-over"


@pytest.mark.parametrize("position", [*STAFF, PATRON])
async def test_when_time_is_up_staff_may_say_so_and_patrons_may_not(tmp_path: Path, position: str) -> None:
    """At a table that no timer watches: the first to say it brings it about, if he may."""
    sample = by_name("WindowElapsed")

    store = SqliteStore(tmp_path / "punto.db")
    await store.append([Append("t1", 0, [EventRecord.of(event, 0, "script", "system") for event in sample.events])])
    table = TableActor(store, "t1", sample.book, lambda: 120_000)
    await table.start()
    before = await store.head("t1")
    answer = await outcome(table.submit, WindowElapsed(Actor("x", Role(position)), at=120_000))
    if position == PATRON:
        assert isinstance(answer, Refusal)
        assert (answer.code, await store.head("t1")) == ("not-yours", before)
    else:
        assert isinstance(answer, DoneMessage)
        stored = await store.read("t1", answer.first - 1)
        assert [(each.name, each.position) for each in stored] == [("BetsClosed", position)]
    await store.close()
