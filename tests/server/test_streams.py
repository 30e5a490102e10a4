"""Watching a table: every event in order and once, and a view that is always the table's."""

from __future__ import annotations

import json
import random
import socket as sockets
from collections.abc import Iterator
from contextlib import ExitStack
from threading import Event, Thread
from time import monotonic, sleep
from typing import Any

import pytest
from support.live import Someone, hear, say
from support.playing import House, Watching, answer_over, chips, deal, house, number_of, over_http, until, written
from websockets.sync.client import ClientConnection, connect

from punto.server.realtime.feed import MOST_MISSED
from punto.table.evolve import EVENTS
from punto.table.guidance.dealer_automation import EVERYTHING
from punto.table.visibility import Audience, is_told, visible_fields


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("streams"), "--pace", "1000") as made:
        yield made


@pytest.fixture(scope="module")
def patrons(served: House) -> list[Someone]:
    return served.patrons(2)


@pytest.fixture(scope="module")
def long_table(served: House) -> str:
    """A table with more events than anybody is told who has missed them."""
    table = served.table()
    fill(served, table, MOST_MISSED + 20)
    return table


def fill(served: House, table: str, number: int) -> None:
    """Have so many events at a table; one socket may send only so much in a short time."""
    for begin in range(0, number, 150):
        with served.manager.socket() as socket:
            for _ in range(begin, min(number, begin + 150)):
                assert answer_over(socket, table, "CallPit")["type"] == "done"


def events_of(someone: Someone, table: str) -> list[dict[str, Any]]:
    """The whole log of a table, as it is told to a person."""
    events: list[dict[str, Any]] = []
    while page := someone.get(f"/api/tables/{table}/events", after=events[-1]["number"] if events else 0):
        events += page
    return events


# --- every number, in order ------------------------------------------------------------------------------------------


def test_a_subscriber_is_told_every_event_once_and_in_order(served: House, patrons: list[Someone]) -> None:
    table, ann = served.table(), patrons[0]
    with ExitStack() as opened:
        people = (served.live.nobody(), ann, served.manager)
        watching = [Watching(opened.enter_context(each.socket()), table, after=0) for each in people]
        ann.done(table, "BuyIn", patron=ann.id, amount=50_000)
        for number in range(1, 4):
            served.dealer.done(table, "OpenBets")
            ann.done(table, "PlaceWager", patron=ann.id, position=1, wager="Tie", amount=500 * number)
            served.dealer.done(table, "CloseBets")
            deal(over_http(served.dealer, table), f"7{'shd'[number - 1]} 6h Kd Kc")
            served.dealer.done(table, "AnnounceOutcome")
            served.dealer.done(table, "SettleRound")
        last = number_of(ann, table)
        for person, each in zip(people, watching, strict=True):
            each.hear_until(last)
            assert each.resyncs == 0
            assert list(each.events.values()) == events_of(person, table)
            assert each.views[last] == written(person.get(f"/api/tables/{table}")["view"])
    public, own, staff = watching
    assert 3 not in public.events  # who buys in is not told
    assert 3 not in own.events
    assert staff.events[3]["body"] == {"patron": ann.id, "amount": 50_000}
    assert all(each.get("by") is None for each in public.events.values())
    assert staff.events[3]["by"] == ann.id


@pytest.mark.parametrize("is_staff", [True, False])
def test_whoever_was_away_is_told_what_he_missed_exactly_once(
    served: House, patrons: list[Someone], is_staff: bool
) -> None:
    table, ann = served.table(), patrons[0]
    watcher = served.manager if is_staff else ann
    ann.done(table, "BuyIn", patron=ann.id, amount=100_000)
    seen: dict[int, dict[str, Any]] = {}
    number, ends = 0, Event()

    def go_on() -> None:
        capacity = 1
        while not ends.wait(0.001):
            served.manager.done(table, "CallPit")  # which the public is not told of
            capacity = 3 - capacity
            served.manager.done(table, "RestrictArea", capacity=capacity)

    busy = Thread(target=go_on)
    busy.start()
    try:
        for _ in range(25):
            with watcher.socket() as socket:
                watching = Watching(socket, table, after=number)
                watching.hear_until(number + 3)
                assert not watching.resyncs
                assert not seen.keys() & watching.events.keys()
                seen |= watching.events
                assert watching.number is not None
                number = watching.number
    finally:
        ends.set()
        busy.join()
    assert list(seen.values()) == [each for each in events_of(watcher, table) if each["number"] <= number]
    assert (list(seen) == list(range(1, number + 1))) is is_staff


@pytest.mark.parametrize("after", [None, 0, 10, -1, 10**9])
def test_whoever_is_too_far_behind_is_shown_the_table_only(served: House, long_table: str, after: int | None) -> None:
    nobody = served.live.nobody()
    with nobody.socket() as socket:
        watching = Watching(socket, long_table, after)
        told = watching.hear()
        assert (told["type"], told["resync"], told["events"]) == ("table", True, [])
        assert told["number"] == number_of(nobody, long_table)
        assert written(told["view"]) == written(nobody.get(f"/api/tables/{long_table}")["view"])
        served.manager.done(long_table, "CallPit")
        watching.hear_until(told["number"] + 1)


def test_as_many_as_may_be_missed_are_told(served: House, long_table: str) -> None:
    nobody = served.live.nobody()
    number = number_of(nobody, long_table)
    for person, told in ((served.manager, MOST_MISSED), (nobody, 0)):  # the public is not told of fills
        with person.socket() as socket:
            watching = Watching(socket, long_table, after=number - MOST_MISSED)
            watching.hear()
            assert (watching.resyncs, len(watching.events)) == (0, told)
    with nobody.socket() as socket:
        watching = Watching(socket, long_table, after=number)
        assert watching.hear()["events"] == []
        assert watching.resyncs == 0


def test_a_table_nobody_knows_cannot_be_watched(served: House) -> None:
    with served.live.nobody().socket() as socket:
        say(socket, "Subscribe", table="nowhere", id=1)
        assert hear(socket)["code"] == "unknown-table"
        say(socket, "Subscribe", id="two")
        told = hear(socket)
        assert (told["id"], told["code"]) == ("two", "bad-message")
        say(socket, "OpenBets", table="nowhere")
        assert hear(socket)["code"] == "not-signed-in"
        say(socket, "Ping", id=4)
        assert (told := hear(socket))["id"] == 4
        assert told["type"] == "pong"


def test_who_unsubscribes_is_told_no_more(served: House) -> None:
    table, other = served.table(), served.table()
    with served.live.nobody().socket() as socket:
        say(socket, "Subscribe", table=table)
        say(socket, "Subscribe", table=other)
        assert {hear(socket, "table")["table"], hear(socket, "table")["table"]} == {table, other}
        say(socket, "Unsubscribe", table=table)
        say(socket, "Ping")
        hear(socket, "pong")
        served.manager.done(table, "CallPit")
        served.manager.done(other, "CallPit")
        assert hear(socket)["table"] == other
        say(socket, "Unsubscribe", table=table)  # once more does no harm
        say(socket, "Subscribe", table=table)
        told = hear(socket, "table")
        assert told["number"] == number_of(served.dealer, table)


def messages(socket: ClientConnection, seconds: float = 0.3) -> list[dict[str, Any]]:
    """What comes until nothing has come for so long."""
    told: list[dict[str, Any]] = []
    while True:
        try:
            told.append(json.loads(socket.recv(seconds)))
        except TimeoutError:
            return told


@pytest.mark.parametrize("after", [None, 0])
def test_who_subscribes_twice_in_one_breath_is_told_once(served: House, after: int | None) -> None:
    table = served.table()
    with served.live.nobody().socket() as socket:
        for _ in range(5):
            say(socket, "Subscribe", table=table, after=after)
        assert {each["type"] for each in messages(socket)} == {"table"}
        served.manager.done(table, "CallPit")
        assert [each["type"] for each in messages(socket)] == ["events"]


@pytest.mark.parametrize("after", [None, 0])
def test_who_unsubscribes_in_the_same_breath_is_told_no_more(served: House, after: int | None) -> None:
    table = served.table()
    with served.live.nobody().socket() as socket:
        for _ in range(5):
            say(socket, "Subscribe", table=table, after=after)
            say(socket, "Unsubscribe", table=table)
        messages(socket)
        served.manager.done(table, "CallPit")
        assert messages(socket) == []


def test_commands_for_tables_that_are_not_there_leave_a_socket_usable(served: House) -> None:
    with served.manager.socket() as socket:
        for number in range(150):
            say(socket, "CallPit", table="nowhere", id=number)
            assert hear(socket)["code"] == "unknown-table"
        say(socket, "Ping", id="still-there")
        assert hear(socket)["type"] == "pong"


def test_what_happens_as_the_last_watcher_leaves_is_not_forgotten(served: House) -> None:
    """Something happens, the last watchers leave before they are told of it, and more follows unwatched."""
    table, manager = served.table(), served.manager
    with ExitStack() as opened:
        watchers = [opened.enter_context(manager.socket()) for _ in range(6)]
        for _ in range(5):
            for socket in watchers:
                say(socket, "Subscribe", table=table)
                hear(socket, "table")
            say(watchers[0], "CallPit", table=table)
            hear(watchers[0], "done")
            for socket in watchers:
                say(socket, "Unsubscribe", table=table)
            answer_over(watchers[-1], table, "CallPit")
            sleep(0.05)
            with manager.socket() as socket:
                watching = Watching(socket, table)
                assert watching.hear()["number"] == number_of(manager, table)
                manager.done(table, "CallPit")
                watching.hear_until(number_of(manager, table))


# --- private messages ------------------------------------------------------------------------------------------------


def test_a_patron_alone_is_told_what_is_his(served: House, patrons: list[Someone]) -> None:
    table, (ann, bob) = served.table(), patrons
    with ExitStack() as opened:
        hers, his, staffs, nobodys = (
            Watching(opened.enter_context(each.socket()), table)
            for each in (ann, bob, served.manager, served.live.nobody())
        )
        for each in (hers, his, staffs, nobodys):
            each.hear()
        ann.done(table, "BuyIn", patron=ann.id, amount=50_000)
        served.dealer.done(table, "OpenBets")
        ann.done(table, "PlaceWager", patron=ann.id, position=1, wager="Tie", amount=700)
        number = number_of(ann, table)
        for each in (hers, his, staffs, nobodys):
            each.hear_until(number)
        until(lambda: hers.hear() and hers.mine and hers.mine[-1]["view"]["chips"] == 49_300)
        about = {"patron": ann.id, "chips": 49_300, "owes": 0, "cards": {}, "own_limit": None}
        assert hers.mine[-1]["view"] == about
        assert hers.mine[-1]["view"] == ann.get(f"/api/tables/{table}/mine")
        assert {told["view"]["patron"] for told in his.mine} <= {bob.id}
        assert [told["view"]["chips"] for told in his.mine] in ([0], [])
        assert staffs.mine == nobodys.mine == []
        assert staffs.view["chips"] == {ann.id: 49_300}
        assert "chips" not in nobodys.view


def test_chips_that_others_move_are_told_their_owner(served: House, patrons: list[Someone]) -> None:
    table, ann = served.table(), patrons[0]
    with ann.socket() as socket:
        watching = Watching(socket, table)
        watching.hear()
        for amount in (3_000, 4_000, 5_000):
            served.dealer.done(table, "BuyIn", patron=ann.id, amount=amount)
            while not watching.mine or watching.mine[-1]["view"]["chips"] != chips(ann, table):
                watching.hear()


# --- a view put together from what is told ---------------------------------------------------------------------------


class Sampling(Thread):
    """Somebody who watches, goes away and comes back, and keeps every view he had by its number."""

    def __init__(self, someone: Someone, table: str, seed: int) -> None:
        super().__init__()
        self.someone, self.table, self._chance = someone, table, random.Random(seed)
        self.views: dict[int, str] = {}
        self.numbers: list[int] = []
        self.events: list[dict[str, Any]] = []
        self.ends_at: int | None = None
        self.fault: BaseException | None = None

    def run(self) -> None:
        try:
            number: int | None = 0
            while self.ends_at is None or number is None or number < self.ends_at:
                number = self._watch(number)
        except BaseException as error:
            self.fault = error

    def _watch(self, number: int | None) -> int | None:
        with self.someone.socket() as socket:
            watching = Watching(socket, self.table, number)
            for _ in range(self._chance.randint(3, 60)):
                if self.ends_at is not None and watching.views and watching.number == self.ends_at:
                    break
                try:
                    watching.hear(timeout=0.5)
                except TimeoutError:
                    continue
        for at, view in watching.views.items():
            assert self.views.setdefault(at, view) == view
        self.numbers += watching.events
        self.events += watching.events.values()
        assert not watching.resyncs
        return watching.number


@pytest.mark.long
def test_the_view_is_always_the_tables(served: House, patrons: list[Someone]) -> None:
    """A long play at a table that runs by itself: whoever puts the patches together has what the server would show."""
    table = served.table("tiger", device="sealed", automatic=EVERYTHING)
    people = {"nobody": served.live.nobody(), "staff": served.manager, "patron": patrons[0]}
    watchers = {name: Sampling(person, table, at) for at, (name, person) in enumerate(people.items())}
    for each in watchers.values():
        each.start()
    shown: dict[str, dict[int, str]] = {name: {} for name in people}
    phases = set()
    play = random_play(served, patrons, table)
    for _ in range(150):
        next(play)
        for name, person in people.items():
            told = person.get(f"/api/tables/{table}")
            shown[name][told["number"]] = written(told["view"])
            phases.add(told["view"]["phase"])
    served.manager.post(f"/api/tables/{table}/automation", steps=[])
    sleep(0.2)
    for each in watchers.values():
        each.ends_at = number_of(served.manager, table)
    for name, each in watchers.items():
        each.join(60)
        assert each.fault is None, each.fault
        assert each.numbers == [event["number"] for event in events_of(people[name], table)]
        compared = shown[name].keys() & each.views.keys()
        assert len(compared) >= 10
        assert [at for at in compared if shown[name][at] != each.views[at]] == []
        if name != "staff":
            for event in each.events:
                assert event["body"].keys() <= set(visible_fields(EVENTS[event["name"]], Audience.PUBLIC)), event
                assert event.get("by") is None
    hidden = {event["name"] for event in watchers["staff"].events} - {
        event["name"] for event in watchers["nobody"].events
    }
    assert hidden == {name for name in hidden if not is_told(EVENTS[name], Audience.PUBLIC)}
    assert "BoughtIn" in hidden
    assert {"betting", "idle"} < phases
    assert number_of(served.manager, table) > 100


def random_play(served: House, patrons: list[Someone], table: str) -> Iterator[None]:
    """Patrons who wager as they like, a dealer who closes the betting, and now and then something unusual."""
    chance = random.Random(5)
    wagers = ("Player", "Banker", "Tie", "Tiger", "Tiger Pair")
    for patron in patrons:
        patron.done(table, "BuyIn", patron=patron.id, amount=1_000_000)
    while True:
        patron = chance.choice(patrons)
        area = {"patron": patron.id, "position": chance.randint(1, 3), "wager": chance.choice(wagers)}
        match chance.randrange(8):
            case 0 | 1 | 2:
                patron.give(table, "PlaceWager", **area, amount=chance.randint(5, 20) * 100)
            case 3:
                patron.give(table, "TakeBackWager", **area, amount=500)
            case 4 | 5:
                served.dealer.give(table, "CloseBets")
            case 6:
                served.dealer.give(table, "Refer", matter="something odd")
            case _:
                served.manager.give(table, "DecideReferral", void=chance.random() < 0.3)
        sleep(chance.choice((0, 0, 0.01, 0.04)))
        yield


# --- a watcher who does not read -------------------------------------------------------------------------------------


def silent(someone: Someone, stack: ExitStack) -> ClientConnection:
    """A socket that takes in very little before it is read."""
    host, port = someone.address.removeprefix("http://").split(":")
    raw = stack.enter_context(sockets.socket())
    raw.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
    raw.connect((host, int(port)))
    address = someone.address.replace("http", "ws", 1)
    headers = {"authorization": f"Bearer {someone.token}"}
    return stack.enter_context(
        connect(
            f"{address}/api/socket", sock=raw, additional_headers=headers, compression=None, max_queue=1,
            max_size=None, ping_interval=None,
        )
    )  # fmt: skip


def fall_behind(served: House, table: str, socket: ClientConnection) -> None:
    """Ask for more than fits and read none of it, until the server says that somebody is behind."""
    before = behind(served)

    def asked() -> bool:
        number = served.manager.done(table, "CallPit")["last"]
        say(socket, "Subscribe", table=table, after=number - MOST_MISSED + 50)
        return behind(served) > before

    until(asked)


def behind(served: House) -> float:
    lines = served.manager.http.get("/metrics").text.splitlines()
    return sum(float(line.split()[-1]) for line in lines if line.startswith("punto_watchers_behind_total"))


def known_after(told: list[dict[str, Any]], number: int = 0) -> int:
    """As far as somebody knows a table who was told this: nothing is left out but where he is shown it anew."""
    for each in told:
        if each["type"] == "events":
            assert each["first"] == number + 1
        number = each["last"] if each["type"] == "events" else each["number"]
    return number


@pytest.mark.long
def test_a_watcher_who_does_not_read_slows_nobody_and_is_shown_the_table_again(served: House, long_table: str) -> None:
    manager = served.manager
    with ExitStack() as opened:
        slow = silent(served.manager, opened)
        fall_behind(served, long_table, slow)
        other = Watching(opened.enter_context(manager.socket()), long_table)
        other.hear()
        began = monotonic()
        for _ in range(50):
            other.hear_until(manager.done(long_table, "CallPit")["last"])
        assert monotonic() - began < 50
        told = messages(slow, 1)
        assert len([each for each in told if each["type"] == "events"]) < 50
        for _ in range(2):
            last = manager.done(long_table, "CallPit")["last"]
            told += messages(slow)
        assert known_after(told) == last
        assert any(each["resync"] for each in told if each["type"] == "table")


def test_a_watcher_who_reads_again_is_shown_the_table_though_nothing_happens_any_more(
    served: House, long_table: str
) -> None:
    with ExitStack() as opened:
        slow = silent(served.manager, opened)
        fall_behind(served, long_table, slow)
        last = served.manager.done(long_table, "CallPit")["last"]
        assert known_after(messages(slow, 1)) == last
