"""Two server processes on one database: one house, whichever of them one asks, and whatever becomes of the other."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from server.test_sealed_tables import contribution, pledge, reveal, revealed, shoes_at
from server.test_two_people import colleague
from support.live import PATIENCE, Live, Someone, hear, say, serving, start
from support.playing import (
    PLACES,
    House,
    Watching,
    account,
    asked,
    audited,
    chips,
    deal,
    faults,
    number_of,
    until,
    written,
)
from support.postgresql_server import new_database
from websockets.exceptions import ConnectionClosed

from punto.server.access.identity import Duty
from punto.server.access.session_watch import CHECKED_EACH
from punto.shoe import read_record, verify
from punto.table.guidance.dealer_automation import EVERYTHING

LISTENING = """
    select pid from pg_stat_activity where datname = current_database() and query ilike 'listen%'
"""


class Two:
    """A house served by two processes. Its people are signed in at the first, and so at the other."""

    def __init__(self, first: Live, second: Live, database: str) -> None:
        self.first, self.second, self.database = House(first, database), second, database
        self.dealer = (self.first.dealer, self.at_second(self.first.dealer))
        self.manager = (self.first.manager, self.at_second(self.first.manager))
        self.patrons = [(each, self.at_second(each)) for each in self.first.patrons(2)]

    def at_second(self, someone: Someone) -> Someone:
        """The same person at the other process, with the same token."""
        return self.second.someone(someone.token, someone.id, someone.duty)

    def table(self, **setting: Any) -> str:
        """A table that both processes know to be open."""
        name = self.first.table(**setting)
        number = number_of(self.dealer[0], name)
        until(lambda: self.known_to_second(name) >= number)
        return name

    def known_to_second(self, table: str) -> int:
        listed = {each["table"]: each["number"] for each in self.dealer[1].get("/api/tables")}
        return int(listed.get(table, -1))


@pytest.fixture(scope="module")
def two(postgresql_server: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Two]:
    database, folder = new_database(postgresql_server), tmp_path_factory.mktemp("processes")
    key = ("--key", str(folder / "punto.key"), "--pace", "100")
    with serving(database, folder, *key) as first, serving(database, folder, *key) as second:
        assert second.links == {}
        yield Two(first, second, database)
        assert [first.stop(), second.stop()] == [0, 0]
    logged = [line for line in (*faults(first), *faults(second)) if '"event": "health"' not in line]
    assert logged == []  # that the database was away for a moment is part of a test here
    assert audited(database) == []


# --- one house -------------------------------------------------------------------------------------------------------


def test_who_signs_in_at_one_is_signed_in_at_the_other(two: Two) -> None:
    added = two.first.cashier.post("/api/people", name="somebody here and there", duty="patron")
    there = two.second.by_link(added["link"])
    here = two.first.live.someone(there.token, there.id)
    assert here.get("/api/me") == there.get("/api/me")
    used = here.http.post("/api/links", json={"link": added["link"]})
    assert used.status_code == 409
    here.post("/api/sign-out")
    assert there.http.get("/api/me").status_code == 401


def test_who_is_out_at_one_is_out_at_the_other_at_once(two: Two) -> None:
    """Every look checks all sessions of a process once the house's stream has grown."""
    for number, end in enumerate(("active", "password", "sign-out")):
        added = two.first.cashier.post("/api/people", name=f"somebody who leaves {number}", duty="patron")
        there = two.second.by_link(added["link"])
        here = two.first.live.someone(there.token, there.id)
        with there.socket() as socket:
            say(socket, "Ping")
            assert hear(socket)["type"] == "pong"
            began = monotonic()
            if end == "active":
                two.manager[0].post(f"/api/people/{there.id}/active", active=False)
            elif end == "sign-out":
                here.post("/api/sign-out")
            else:
                link = two.first.cashier.post(f"/api/people/{there.id}/link")["link"]
                two.first.live.by_link(link).post("/api/me/password", password="seven red lanterns")
            with pytest.raises(ConnectionClosed):
                socket.recv(PATIENCE)
            assert socket.close_code == 4401
            assert monotonic() - began < CHECKED_EACH / 2, "long before sessions are checked in any case"


def test_a_table_made_at_one_is_served_by_the_other(two: Two) -> None:
    table = two.first.table()
    until(lambda: two.known_to_second(table) == number_of(two.dealer[0], table))
    two.dealer[1].done(table, "OpenBets")
    assert two.dealer[0].refused(table, "OpenBets") == "wrong-phase"  # decided by what the other has stored


def test_one_name_asked_for_at_both_is_one_table(two: Two) -> None:
    def ask(at: int) -> int:
        order = {"table": f"both-{at // 2}", "game": "baccarat"}
        return two.manager[at % 2].http.post("/api/tables", json=order).status_code

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(ask, range(16)))
    assert [sorted(answers[at : at + 2]) for at in range(0, 16, 2)] == [[200, 409]] * 8


def test_commands_through_both_make_one_log_that_both_tell(two: Two) -> None:
    table = two.table()
    with ExitStack() as opened:
        people = [*two.dealer, *two.patrons[0], two.first.live.nobody(), two.second.nobody()]
        watching = [Watching(opened.enter_context(each.socket()), table, after=0) for each in people]
        for patron in two.patrons:
            patron[1].done(table, "BuyIn", patron=patron[0].id, amount=500_000)
        for number in range(3):
            play_through_both(two, table, f"7{'shd'[number]} 6h Kd Kc")
        last = number_of(two.dealer[0], table)
        for each in watching:
            each.hear_until(last)
            assert each.number == last
            assert each.resyncs == 0
        bought_in = {number for number, told in watching[0].events.items() if told["name"] == "BoughtIn"}
        assert list(watching[0].events) == list(range(1, last + 1))
        assert all(set(each.events) == set(watching[0].events) - bought_in for each in watching[2:])
        for one, other in zip(watching[::2], watching[1::2], strict=True):
            assert one.events == other.events
            assert one.views[last] == other.views[last]
    assert watching[4].views[last] == written(two.second.nobody().get(f"/api/tables/{table}")["view"])
    assert [chips(each[at], table) for each in two.patrons for at in (0, 1)] == [494_000, 494_000, 506_000, 506_000]


def play_through_both(two: Two, table: str, cards: str) -> None:
    """A round whose commands go to the one process and the other in turn, its wagers to both at once."""
    turns = [0]

    def give(command: str, **values: Any) -> None:
        turns[0] += 1
        two.dealer[turns[0] % 2].done(table, command, **values)

    give("OpenBets")

    def place(at: int) -> None:
        patron = two.patrons[at % 2]
        wager = "Banker" if at % 2 == 0 else "Player"
        patron[at // 2 % 2].done(
            table, "PlaceWager", patron=patron[0].id, position=at // 4 + 1, wager=wager, amount=500
        )

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(place, range(8)))
    give("CloseBets")
    deal(give, cards)
    give("AnnounceOutcome")
    give("SettleRound")


def test_a_retry_at_the_other_process_gets_the_first_answer(two: Two) -> None:
    table, ann = two.table(), two.patrons[0]
    order = {"patron": ann[0].id, "amount": 700, "key": f"{table}-retry"}
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda at: ann[at % 2].done(table, "BuyIn", **order), range(8)))
    assert sorted(answer["repeated"] for answer in answers) == [False] + [True] * 7
    assert len({answer["first"] for answer in answers}) == 1
    assert ann[1].refused(table, "BuyIn", **order | {"amount": 800}) == "key-used"
    assert chips(ann[0], table) == 700


def test_money_moved_through_both_at_once_is_never_made_or_lost(two: Two) -> None:
    tables = [two.table(), two.table()]
    cashier = (two.first.cashier, two.at_second(two.first.cashier))
    (patron,) = two.first.patrons(1, holds=10 * 700)
    both = (patron, two.at_second(patron))

    def move(at: int) -> str:
        if at % 10 == 0:
            cashier[at // 10 % 2].post("/api/cage/deposits", patron=patron.id, amount=50)
            return "deposited"
        answer = both[at % 2].give(tables[at // 2 % 2], "BuyIn", patron=patron.id, amount=700)
        told: str = "done" if answer.status_code == 200 else answer.json()["code"]
        return told

    with ThreadPoolExecutor(20) as threads:
        answers = list(threads.map(move, range(40)))
    assert {each: answers.count(each) for each in set(answers)} == {"done": 10, "account-short": 26, "deposited": 4}
    assert account(both[0]) == account(both[1]) == 200
    assert sum(chips(patron, table) for table in tables) == 7_000
    for table in tables:
        both[1].done(table, "CashOut", patron=patron.id, amount=chips(patron, table))
    assert account(both[0]) == 7_200
    assert audited(two.database) == []


# --- shoes -----------------------------------------------------------------------------------------------------------


def cut_through_both(two: Two, table: str) -> str:
    """A shoe sealed at the one, with a patron at each who cuts it."""
    shoe = two.dealer[0].post(f"/api/tables/{table}/shoes")
    (ann, _), (_, bob) = two.patrons
    pledge(ann, table, shoe, "mine")
    pledge(bob, table, shoe, "mine")
    two.dealer[1].post(shoes_at(table, shoe["shoe"], "list"))
    reveal(bob, table, shoe, "mine")
    assert revealed(ann, "mine")["nonce"] == contribution(ann, "mine").nonce.hex()
    assert reveal(ann, table, shoe, "mine")["ready"]
    name: str = shoe["shoe"]
    return name


def published_at_both(two: Two, path: str) -> str:
    """A record, once it is there: the same whichever process one asks."""
    here, there = two.first.live.nobody().http, two.second.nobody().http
    until(lambda: there.get(path).status_code == here.get(path).status_code == 200)
    text = here.get(path).text
    assert text == there.get(path).text
    return text


def test_a_sealed_shoe_is_cut_dealt_and_published_by_both(two: Two) -> None:
    table = two.table(device="sealed")
    for number in range(2):
        shoe = cut_through_both(two, table)
        assert two.dealer[1].refused(table, "LoadShoe", shoe="no such shoe") == "shoe-not-ready"
        two.dealer[number].done(table, "LoadShoe", shoe=shoe)
        two.dealer[0].done(table, "OpenBets")
        two.dealer[1].done(table, "CloseBets")
        for at, _ in enumerate(PLACES):
            two.dealer[at % 2].done(table, "DrawCard")
        for at, (hand, place) in enumerate(PLACES):
            two.dealer[(at + number + 1) % 2].done(table, "ExposeCard", hand=hand, place=place)
        two.dealer[0].done(table, "Refer", matter="enough")
        two.manager[1].done(table, "DecideReferral", void=True)
        two.manager[number].done(table, "EndShoe")
        text = published_at_both(two, shoes_at(table, shoe, "record"))
        record = read_record(text)
        assert [check for check in verify(record) if not check.ok] == []
        assert len(record.dealt) == 4
    published = asked(
        two.database, "select * from event where name = 'ShoePublished' and stream = $1", f"{table}.shoes"
    )
    assert len(published) == 2


def test_what_a_deactivated_person_proposed_at_one_is_not_confirmed_at_the_other(two: Two) -> None:
    """Nobody watches the table there, so that process knows nothing yet of what was proposed."""
    table = two.table(second_person=["void"])
    gone = colleague(two.first, Duty.PIT_MANAGER, "Gil who goes")
    two.dealer[0].done(table, "OpenBets")
    two.dealer[0].done(table, "CloseBets")
    two.dealer[0].done(table, "ReportVoid", provision="wrong-cards")
    gone.done(table, "ConfirmVoid", reason="seen by the camera")
    two.manager[0].post(f"/api/people/{gone.id}/active", active=False)
    with two.manager[1].socket() as socket:
        say(socket, "ConfirmAct", table=table)
        answer = hear(socket)
    assert (answer.get("code"), answer.get("case")) == ("no-such-act", "lapsed")


def test_a_card_told_to_one_is_exposed_by_the_other(two: Two) -> None:
    table = two.table(device="card-reading")
    added = two.manager[0].post("/api/people", name="a device here and there", duty="Device", table=table)
    device = (two.first.live.someone(added["token"]), two.second.someone(added["token"]))
    for command in ("OpenBets", "CloseBets", *["DrawCard"] * 4):
        two.dealer[0].done(table, command)
    for sequence, card in enumerate(("7s", "6h", "Kd", "Kc")):
        device[sequence % 2].post(f"/api/tables/{table}/cards", shoe=f"{table} shoe", sequence=sequence, card=card)
        hand, place = ("player", "banker")[sequence % 2], sequence // 2
        two.dealer[(sequence + 1) % 2].done(table, "ExposeCard", hand=hand, place=place)
    two.dealer[1].done(table, "AnnounceOutcome")
    two.dealer[0].done(table, "SettleRound")


def test_a_device_is_heard_at_once_by_a_process_that_is_behind(two: Two) -> None:
    """The shoe is put on the table at the one, and its first card is told to the other in the same moment."""
    table = two.table(device="card-reading")
    added = two.manager[0].post("/api/people", name="a quick device", duty="Device", table=table)
    device = two.second.someone(added["token"])
    for number in range(5):
        two.manager[0].done(table, "EndShoe")
        two.dealer[0].done(table, "LoadShoe", shoe=f"{table} {number}")
        device.post(f"/api/tables/{table}/cards", shoe=f"{table} {number}", sequence=0, card="7s")


# --- connections that are lost ---------------------------------------------------------------------------------------


def test_what_the_other_stores_arrives_also_when_nobody_listens(two: Two) -> None:
    table = two.table()
    with two.dealer[1].socket() as socket:
        watching = Watching(socket, table)
        watching.hear()
        for process in asked(two.database, LISTENING):
            asked(two.database, "select pg_terminate_backend($1)", process["pid"])
        last = two.manager[0].done(table, "CallPit")["last"]
        watching.hear_until(last, timeout=3)
        until(lambda: len(asked(two.database, LISTENING)) == 2)
        sleep(0.1)
        began = monotonic()
        for _ in range(5):
            watching.hear_until(two.manager[0].done(table, "CallPit")["last"])
        assert monotonic() - began < 2.5  # heard again: found by looking each second, they would take five seconds


def test_a_house_goes_on_after_every_connection_to_the_database_was_lost(two: Two) -> None:
    table = two.table(device="sealed", automatic=EVERYTHING, betting_seconds=1)
    until(lambda: two.dealer[1].get(f"/api/tables/{table}")["view"]["phase"] == "betting")
    others = "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()"
    asked(two.database, f"{others} and pid <> pg_backend_pid()")
    until(lambda: two.dealer[0].http.get("/healthz").json()["ok"] and two.dealer[1].http.get("/healthz").json()["ok"])
    before = two.dealer[1].get(f"/api/tables/{table}")["view"]["round"]
    until(lambda: two.dealer[1].get(f"/api/tables/{table}")["view"]["round"] > before + 1)
    two.manager[0].post(f"/api/tables/{table}/automation", steps=[])
    other = two.table()
    assert two.manager[1].done(other, "CallPit")["last"] == number_of(two.manager[1], other)


# --- processes that end ----------------------------------------------------------------------------------------------


@pytest.mark.long
def test_an_automatic_table_is_driven_by_another_process_when_one_is_killed(
    postgresql_server: str, tmp_path: Path
) -> None:
    database = new_database(postgresql_server)
    arguments = (database, tmp_path, "--key", str(tmp_path / "punto.key"), "--pace", "100")
    with serving(*arguments) as first, serving(*arguments) as second:
        house = House(first, database)
        manager = second.someone(house.manager.token)
        table = house.table(device="sealed", automatic=EVERYTHING, betting_seconds=1)

        def rounds(someone: Someone) -> int:
            number: int = someone.get(f"/api/tables/{table}")["view"]["round"]
            return number

        until(lambda: rounds(house.manager) >= 1)
        until(lambda: manager.http.get(f"/api/tables/{table}").status_code == 200)  # the other has heard of it
        first.kill()
        here = rounds(manager)
        until(lambda: rounds(manager) > here)
        with serving(*arguments) as third:
            second.kill()
            again = third.someone(manager.token)
            here = rounds(again)
            until(lambda: rounds(again) > here)
            again.post(f"/api/tables/{table}/automation", steps=[])
            assert third.stop() == 0
    assert audited(database) == []


@pytest.mark.long
def test_two_processes_that_make_a_house_at_once_make_one(postgresql_server: str, tmp_path: Path) -> None:
    key = tmp_path / "punto.key"
    key.write_text(f"punto-key-1 {'5a' * 32}\n")
    key.chmod(0o600)
    database = new_database(postgresql_server)
    with ThreadPoolExecutor(2) as threads, ExitStack() as opened:
        lives = list(threads.map(lambda _: start(database, tmp_path, "--key", str(key)), range(2)))
        for live in lives:
            opened.callback(live.close)
        maker, other = sorted(lives, key=lambda live: -len(live.links))
        assert (len(maker.links), len(other.links)) == (8, 0)
        table = House(maker, database).table()
        until(lambda: other.nobody().http.get(f"/api/tables/{table}").status_code == 200)
        assert [live.stop() for live in lives] == [0, 0]
    assert len(asked(database, "select * from event where name = 'StoreMade'")) == 1
    assert audited(database) == []
