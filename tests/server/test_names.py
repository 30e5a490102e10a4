"""People have names: in any script, shared, shown to staff alone, and erasable without breaking the log."""

from __future__ import annotations

import sqlite3
import unicodedata
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.command import run, run_json
from support.live import Someone, hear, say, serving
from support.playing import House, asked, audited, deal, faults, house, over_http, until

from punto.server.access.identity import Duty
from punto.server.access.person_name import LONGEST_NAME, folded, proper_line, proper_name

GUEST = "陈先生 Tan-of-Penang"
MATTER = "Mr. Tan-of-Penang says that the tea was spilled"
NOTE = "camera 4, tea-on-area-3"
NOTICED = "Ms. Quill of surveillance"
ADDRESS = "17 Lorong Selamat, George Town"
PRIVATE = (GUEST, "陈先生", "Tan-of-Penang", MATTER, NOTE, NOTICED, ADDRESS)


# --- what a name is --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["Mr. Tan", "陈先生", "O’Brien", "Ștefan", "محمد", "नरेन्द्र", "김 민준", "Đặng Thị Ánh", "辻\U000e0100", "3"]
)
def test_names_in_any_script(name: str) -> None:
    assert proper_name(f"  {name} ") == name


def test_a_joiner_is_part_of_the_spelling_where_letters_join() -> None:
    persian = "علی\u200cرضا"
    assert proper_name(persian) == persian
    assert folded(persian) == folded("علیرضا")
    for hidden in ("A\u200dnn", "\u200dعلی", "علی\u200d", "Ann\u200c Lee"):
        assert proper_name(hidden) is None


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        "x" * 65,
        "a\0b",
        "a\nb\x07",
        "a\u202eb",
        "\u2066Ann\u2069",
        "a\u200bb",
        "\ud800",
        "\u3164",
        "…",
        "\u200e",
        "🂡",
    ],
)
def test_what_is_no_name(name: str) -> None:
    assert proper_name(name) is None


@given(st.text(max_size=70))
def test_a_proper_name_is_short_visible_normal_and_stays_as_it_is(text: str) -> None:
    name = proper_name(text)
    if name is None:
        return
    assert 1 <= len(name) <= LONGEST_NAME
    assert unicodedata.is_normalized("NFC", name)
    assert name == name.strip()
    assert not any(unicodedata.category(each) in ("Cc", "Cs", "Co", "Cn", "Zl", "Zp") for each in name)
    assert not {"\u202a", "\u202b", "\u202c", "\u202d", "\u202e", "\u2066", "\u2067", "\u2068", "\u2069"} & set(name)
    assert proper_name(name) == name
    assert folded(folded(name)) == folded(name) == folded(unicodedata.normalize("NFD", name))


@given(st.text(min_size=290, max_size=310))
def test_a_line_is_no_longer_than_it_may_be(text: str) -> None:
    line = proper_line(text)
    assert line is None or 1 <= len(line) <= 300


# --- at a table ------------------------------------------------------------------------------------------------------


def seat(who: Someone, table: str, **body: Any) -> Any:
    return who.http.post(f"/api/tables/{table}/guests", json=body)


def test_a_guest_is_made_at_buy_in_and_staff_alone_see_the_name(served: House) -> None:
    table = served.table()
    answer = seat(served.dealer, table, name=f" {GUEST} ", amount=50_000).json()
    guest = answer["patron"]
    assert guest["name"] == GUEST
    assert GUEST not in guest["id"]
    view = served.dealer.get(f"/api/tables/{table}")["view"]
    assert view["chips"] == {guest["id"]: 50_000}
    assert served.dealer.get(f"/api/tables/{table}/names") == {guest["id"]: GUEST}
    assert "power-failure" in served.dealer.get(f"/api/tables/{table}/procedures")
    assert served[Duty.PIT_MANAGER].get(f"/api/pit/{table}")["names"][guest["id"]] == GUEST
    told = served[Duty.PIT_MANAGER].get(f"/api/pit/{table}/events", most=5)
    assert any(GUEST in each["told"] for each in told)
    (ann,) = served.patrons(1)
    for other in (ann, served.live.nobody()):
        assert GUEST not in other.http.get(f"/api/tables/{table}").text
        assert GUEST not in other.http.get(f"/api/tables/{table}/events").text
        for staff_only in ("names", "procedures"):
            assert other.http.get(f"/api/tables/{table}/{staff_only}").status_code in (401, 403)
        with other.socket() as socket:
            say(socket, "Subscribe", table=table, after=0)
            assert GUEST not in str(hear(socket, "table"))
    assert ann.get("/api/me")["name"].startswith("patron")


def test_a_retry_seats_a_guest_once_and_another_guest_needs_another_key(served: House) -> None:
    table = served.table()
    first = seat(served.dealer, table, name="Mr. Tan", amount=500, key=f"{table}-guest").json()
    again = seat(served.dealer, table, name="Mr. Tan", amount=500, key=f"{table}-guest").json()
    assert again == first | {"repeated": True}
    for other in ({"name": "Mr. Tan", "amount": 600}, {"name": "Ms. Tan", "amount": 500}):
        answer = seat(served.dealer, table, **other, key=f"{table}-guest")
        assert (answer.status_code, answer.json()["code"]) == (409, "key-used")
    second = seat(served.dealer, table, name="Mr. Tan", amount=700, key=f"{table}-other").json()
    assert second["patron"]["id"] != first["patron"]["id"]
    chips = served.dealer.get(f"/api/tables/{table}")["view"]["chips"]
    assert chips == {first["patron"]["id"]: 500, second["patron"]["id"]: 700}


def test_who_cannot_be_seated(served: House) -> None:
    table, known = served.table(), len(served.cashier.get("/api/people"))
    shut = f"{table}-shut"
    served.manager.post("/api/tables", table=shut, game="baccarat")
    for body, code in (
        ({"name": "a\u202eb", "amount": 500}, "cannot-be"),
        ({"name": " ", "amount": 500}, "cannot-be"),
        ({"name": "x" * 65, "amount": 500}, "bad-message"),
        ({"name": "Mr. Tan", "amount": 0}, "bad-message"),
        ({"name": "Mr. Tan"}, "bad-message"),
    ):
        assert seat(served.dealer, table, **body).json()["code"] == code, body
    assert seat(served.dealer, shut, name="Mr. Tan", amount=500).json()["code"] == "table-not-open"
    assert seat(served.dealer, table, name="Mr. Tan", amount=10**14).json()["code"] == "not-enough-float"
    assert seat(served.cashier, table, name="Mr. Tan", amount=500).status_code == 403
    assert seat(served.patrons(1)[0], table, name="Mr. Tan", amount=500).status_code == 403
    assert served.dealer.refused(table, "BuyIn", patron="Ann", amount=500) == "unknown-patron"
    assert served.dealer.refused(table, "BuyIn", patron=served.dealer.id, amount=500) == "unknown-patron"
    assert len(served.cashier.get("/api/people")) == known + 1, "nobody was made but the one patron above"


def test_patrons_are_found_by_a_part_of_their_names(served: House) -> None:
    added = [
        served.cashier.post("/api/people", name=name, duty="patron")["person"]
        for name in ("Ångström 50%", "ÅNGSTRÖM 500")
    ]
    find = "/api/people/patrons"
    both = sorted(each["id"] for each in added)
    for dealt in (served.dealer, served.cashier, served[Duty.PIT_SUPERVISOR]):
        assert sorted(each["id"] for each in dealt.get(find, name="ångström")) == both
    assert [each["id"] for each in served.dealer.get(find, name="50%")] == [added[0]["id"]]
    assert served.dealer.get(find, name="Gaming Shift") == [], "staff are no patrons"
    assert len(served.dealer.get(find, name="ngst", most=1)) == 1
    assert served.patrons(1)[0].http.get(find, params={"name": "a"}).status_code == 403


def test_a_person_is_renamed_and_a_guest_registered(served: House) -> None:
    table = served.table()
    guest = seat(served.dealer, table, name="Mr. Tan", amount=500).json()["patron"]["id"]
    about = f"/api/people/{guest}"
    renamed = served.cashier.post(f"{about}/name", name="Tan Ah Kow")
    assert (renamed["name"], renamed["guest"], renamed["sign_in"]) == ("Tan Ah Kow", True, guest)
    assert served.cashier.post(f"{about}/address", address=ADDRESS)["address"] == ADDRESS
    link = served.cashier.post(f"{about}/link")
    assert link["person"]["guest"] is False
    assert served.live.by_link(link["link"]).get("/api/me")["name"] == "Tan Ah Kow"
    assert served.dealer.get(f"/api/tables/{table}/names")[guest] == "Tan Ah Kow"
    staff = f"/api/people/{served.dealer.id}"
    assert served.cashier.http.post(f"{staff}/name", json={"name": "Sam"}).status_code == 403
    assert served.manager.http.post(f"{staff}/name", json={"name": "cashier"}).json()["case"] == "name-taken"
    assert served.manager.http.post(f"{staff}/name", json={"name": "a\u202eb"}).json()["case"] == "name-length"
    assert served.manager.http.post("/api/people/pnobodyatal/name", json={"name": "Sam"}).status_code == 404


# --- erasure ---------------------------------------------------------------------------------------------------------


@pytest.fixture(params=["sqlite", "postgresql"])
def own_house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[House]:
    """A house of each kind, which is stopped and audited by the test."""
    if request.param == "sqlite":
        database = str(tmp_path / "punto.db")
        with serving(database, tmp_path) as live:
            yield House(live, database)
        return
    database = request.getfixturevalue("postgresql")
    with serving(database, tmp_path, "--key", str(tmp_path / "punto.key")) as live:
        yield House(live, database)


def refer(one: House, table: str) -> int:
    """Somebody's words in an event: the number of that event."""
    one.dealer.done(table, "OpenBets")
    told = one.dealer.done(table, "Refer", matter=MATTER.replace(":", ""), note=NOTE, noticed_by=NOTICED, key="refer")
    return int(told["first"])


def held(database: str) -> bytes:
    """All that a database holds: a file with its journal, or every row of every table."""
    if database.startswith("postgresql"):
        tables = ("event", "answer", "words", "person", "session", "link", "snapshot")
        rows = [asked(database, f"select {name}::text as row, {name}.* from {name}") for name in tables]
        return b"\n".join(str(list(row.values())).encode() for table in rows for row in table)
    return b"".join(Path(f"{database}{end}").read_bytes() for end in ("", "-wal") if Path(f"{database}{end}").exists())


def in_log(database: str) -> bytes:
    """All that the tables of events and answers hold."""
    statement = "select body from event"
    if database.startswith("postgresql"):
        return b"\n".join(bytes(row["body"]) for row in asked(database, statement))
    with closing(sqlite3.connect(database)) as connection:
        return b"\n".join(body for (body,) in connection.execute(statement))


def test_names_and_words_are_erased_and_the_log_still_verifies(own_house: House) -> None:
    one = own_house
    table = one.table()
    guest = seat(one.dealer, table, name=GUEST, amount=50_000).json()["patron"]["id"]
    one.cashier.post(f"/api/people/{guest}/address", address=ADDRESS)
    number = refer(one, table)
    shown = one.dealer.http.get(f"/api/tables/{table}/events").text
    assert all(each in shown for each in (MATTER, NOTE, NOTICED))
    assert MATTER in one.live.nobody().http.get(f"/api/tables/{table}/events").text, "the matter is public"
    assert not any(each in one.live.nobody().http.get(f"/api/tables/{table}/events").text for each in (NOTE, NOTICED))
    one.manager.done(table, "DecideReferral", void=False)
    packet = one.manager.get(f"/api/audit/tables/{table}/rounds/1/packet.json")
    assert packet["irregularities"][0]["circumstances"]["note"] == NOTE
    assert {each["words"] for each in packet["words"]} >= {MATTER, NOTE, NOTICED}
    assert packet["audit"]["findings"] == []
    assert (NOTE, NOTICED) in reported(one)
    log = in_log(one.database)
    assert not [each for each in PRIVATE if each.encode() in log], "names and words never stand in the log"
    _refuse(one, table, guest, number)
    one.dealer.done(table, "CashOut", patron=guest, amount=50_000)
    _erase(one, table, guest, number)
    assert one.live.stop() == 0
    assert faults(one.live) == []
    assert audited(one.database) == []
    left = held(one.database)
    assert not [each for each in PRIVATE if each.encode() in left]
    assert guest.encode() in left
    replayed = run_json("replay", one.database, table, "1")
    assert set(replayed["words"].values()) == {None}


def reported(one: House) -> list[tuple[str, str]]:
    """The notes in the shift report, and who noticed what."""
    clauses = one.manager.get("/api/shift-report")["irregularities"]
    return [(each["note"], each["noticed_by"]) for clause in clauses for each in clause["irregularities"]]


def _refuse(one: House, table: str, guest: str, number: int) -> None:
    """What is refused, and changes nothing."""
    erase, words = f"/api/people/{guest}/erase", f"/api/tables/{table}/events/{number}/erase"
    for who in (one.dealer, one.cashier, one[Duty.AUDITOR]):
        assert who.http.post(erase, json={"reason": "asked for"}).status_code == 403
        assert who.http.post(words, json={"reason": "asked for"}).status_code == 403
    post = one.manager.http.post
    assert post(erase, json={"reason": "asked for"}).json()["case"] == "person-has-money"
    assert post(erase, json={}).json()["code"] == "bad-message"
    assert post(words, json={"reason": " "}).json()["case"] == "no-reason"
    assert post(f"/api/tables/{table}/events/1/erase", json={"reason": "x"}).json()["case"] == "no-words"
    assert post(f"/api/tables/{table}/events/9999/erase", json={"reason": "x"}).json()["case"] == "no-words"
    assert post("/api/tables/nowhere/events/1/erase", json={"reason": "x"}).json()["code"] == "unknown-table"
    assert post(f"/api/people/{one.manager.id}/erase", json={"reason": "x"}).json()["case"] == "erase-oneself"
    assert NOTE in one.dealer.http.get(f"/api/tables/{table}/events").text


def _erase(one: House, table: str, guest: str, number: int) -> None:
    """Erase a name and the words of an event; what staff see afterwards."""
    reason = {"reason": "asked for by the patron"}
    erased = one.manager.post(f"/api/people/{guest}/erase", **reason)
    assert (erased["name"], erased["erased"], erased["active"], erased["address"]) == ("", True, False, None)
    digests = one.manager.post(f"/api/tables/{table}/events/{number}/erase", **reason)["digests"]
    assert len(digests) == 3
    again = one.manager.http.post(f"/api/tables/{table}/events/{number}/erase", json=reason)
    assert again.json()["case"] == "words-erased"
    shown = one.dealer.http.get(f"/api/tables/{table}/events").text
    assert not [each for each in PRIVATE if each in shown]
    assert f"words:{digests[0]}" in shown
    assert one.dealer.get(f"/api/tables/{table}/names")[guest] == ""
    told = [each["told"] for each in one[Duty.PIT_MANAGER].get(f"/api/pit/{table}/events", most=200)]
    assert any(f"[name erased] {guest}" in each for each in told)
    assert any("[erased]" in each for each in told)
    packet = one.manager.get(f"/api/audit/tables/{table}/rounds/1/packet.json")
    assert {each["words"] for each in packet["words"]} == {None}
    assert packet["irregularities"][0]["circumstances"]["note"] == "[erased]"
    assert reported(one)[0] == ("[erased]", "[erased]")
    assert packet["audit"]["findings"] == []
    for path, body in (
        (f"/api/people/{guest}/name", {"name": "Tan"}),
        (f"/api/people/{guest}/active", {"active": True}),
    ):
        assert one.manager.http.post(path, json=body).json()["case"] == "person-erased"
    assert one.dealer.refused(table, "Refer", matter="x", key="refer") == "key-used"


@pytest.mark.long
def test_an_erasure_at_one_process_is_known_at_the_other(postgresql: str, tmp_path: Path) -> None:
    key = ("--key", str(tmp_path / "punto.key"))
    with serving(postgresql, tmp_path, *key) as first, serving(postgresql, tmp_path, *key) as second:
        one = House(first, postgresql)
        table = one.table()
        number = refer(one, table)
        there = second.someone(one.dealer.token, one.dealer.id)
        with there.socket() as socket:
            say(socket, "Subscribe", table=table, after=0)
            assert NOTE in str(hear(socket, "table"))
        one.manager.post(f"/api/tables/{table}/events/{number}/erase", reason="asked for")
        until(lambda: NOTE not in there.http.get(f"/api/tables/{table}/events").text)


# --- with the command line -------------------------------------------------------------------------------------------


def test_people_are_listed_renamed_and_erased_by_command(tmp_path: Path) -> None:
    with house(tmp_path) as one:
        table = one.table()
        guest = seat(one.dealer, table, name=GUEST, amount=500).json()["patron"]["id"]
        number = refer(one, table)
        one.manager.done(table, "DecideReferral", void=False)
    found = run_json("people", one.database, "--find", "tan-OF")
    assert [(each["id"], each["name"], each["guest"]) for each in found] == [(guest, GUEST, True)]
    by = ("--by", "Gaming Shift Manager")
    assert run_json("rename", one.database, guest, "陳 女士", *by)["name"] == "陳 女士"
    replayed = run_json("replay", one.database, table, "1")
    assert MATTER in replayed["words"].values()
    assert run_json("erase", one.database, guest, *by, "--reason", "asked for")["erased"]
    told = run_json("erase", one.database, table, str(number), *by, "--reason", "asked for")
    assert len(told["digests"]) == 3
    out = tmp_path / "people.json"
    run("people", one.database, "-o", str(out))
    assert GUEST not in out.read_text("utf-8")
    assert audited(one.database) == []
    assert not [each for each in (*PRIVATE, "陳 女士") if each.encode() in held(one.database)]


def test_seats_are_known_at_another_device(served: House) -> None:
    table, dealer = served.table(), served.dealer
    ann, bob = served.patrons(2)
    for patron in (ann, bob):
        dealer.done(table, "BuyIn", patron=patron.id, amount=10_000)
    dealer.done(table, "OpenBets")
    for position, patron in ((2, ann), (5, bob)):
        dealer.done(table, "PlaceWager", patron=patron.id, position=position, wager="Player", amount=5_000)
    seats = [{"position": 2, "patron": ann.id}, {"position": 5, "patron": bob.id}]
    assert dealer.get(f"/api/tables/{table}/seats") == seats
    dealer.done(table, "CloseBets")
    deal(over_http(dealer, table), "9h 2d Kh 3s")
    dealer.done(table, "AnnounceOutcome")
    dealer.done(table, "SettleRound")
    dealer.done(table, "CashOut", patron=bob.id, amount=15_000)
    assert dealer.get(f"/api/tables/{table}/seats") == seats[:1], "the other has left"
    assert ann.http.get(f"/api/tables/{table}/seats").status_code == 403
