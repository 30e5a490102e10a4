"""What auditors ask: rounds found and told step by step, logs and shoes verified, rounds exported; by whom, and how."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import apsw
import pytest
from properties.random_play import RandomPlay
from support.audited import NOTE, Played, copied, play, tamper
from support.command import found_by_audit, run_json
from support.live import Someone, serving
from support.playing import House, until

from punto.audit.table_recomputed import games_by_digest
from punto.report.round_index import Sought
from punto.server.access.identity import Duty, People
from punto.server.access.permissions import PERMITTED, Permission
from punto.server.running import audit_jobs
from punto.server.running.audit_jobs import READ_AT_ONCE
from punto.server.running.lifecycle import clock
from punto.store.house import House as Founded
from punto.store.records import Append, EventRecord
from punto.store.sqlite.sqlite_store import SqliteStore
from punto.store.trust.keys import make_keys

AT = 1_700_000_000_000


def about(table: str, path: str = "") -> str:
    return f"/api/audit/tables/{table}{path}"


def found(auditor: Someone, table: str, **query: Any) -> list[int]:
    return [each["round"] for each in auditor.get(about(table, "/rounds"), **query)["rounds"]]


def verified(auditor: Someone, table: str) -> dict[str, Any]:
    """Have a table's log gone through, and wait for it."""
    assert auditor.post(about(table, "/verification"))["state"] in ("running", "whole")
    done = until(lambda: (told := auditor.get(about(table, "/verification")))["state"] != "running" and told, 60)
    return dict(done)


# --- finding ---------------------------------------------------------------------------------------------------------


def test_rounds_are_found_by_what_is_asked(auditor: Someone, played: Played) -> None:
    table, ann, bob = played.table, played.ann.id, played.bob.id
    assert found(auditor, table) == [4, 3, 2, 1]
    assert found(auditor, table, marked="irregular") == [4, 3, 2]
    assert found(auditor, table, marked="void") == [3]
    assert found(auditor, table, marked="corrected") == [4]
    assert found(auditor, table, outcome="player") == [2, 1]
    assert found(auditor, table, outcome="tie") == [4], "by the cards really dealt"
    assert found(auditor, table, patron=bob) == [4, 2, 1]
    assert found(auditor, table, patron=ann) == [4, 3, 2, 1]
    assert found(auditor, table, patron="nobody") == []
    assert found(auditor, table, first=2, last=3) == [3, 2]
    lines = auditor.get(about(table, "/rounds"))["rounds"]
    assert found(auditor, table, since=lines[1]["opened"]) == [4, 3]
    assert found(auditor, table, until=lines[2]["opened"]) == [2, 1]
    assert found(auditor, table, until=1) == []


def test_the_list_comes_in_pages(auditor: Someone, played: Played) -> None:
    first = auditor.get(about(played.table, "/rounds"), most=3)
    assert ([each["round"] for each in first["rounds"]], first["more"]) == ([4, 3, 2], 2)
    rest = auditor.get(about(played.table, "/rounds"), most=3, before=first["more"])
    assert ([each["round"] for each in rest["rounds"]], rest["more"]) == ([1], None)


def test_the_tables_are_listed(auditor: Someone, played: Played) -> None:
    listed = {each["table"]: each for each in auditor.get("/api/audit/tables")}
    assert listed[played.table]["title"] == "Baccarat"
    assert listed[played.table]["served"]
    assert listed[played.table]["events"] > 50


# --- telling ---------------------------------------------------------------------------------------------------------


def steps(auditor: Someone, played: Played, round_: int, **query: Any) -> list[dict[str, Any]]:
    return list(auditor.get(about(played.table, f"/rounds/{round_}"), **query)["steps"])


def test_a_round_is_told_as_it_happened(auditor: Someone, served: House, played: Played) -> None:
    told = auditor.get(about(played.table, "/rounds/1"))
    logged = served.dealer.get(f"/api/tables/{played.table}/events")
    of_round = [each for each in logged if told["first_event"] <= each["number"] <= told["last_event"]]
    assert [each["event"] for each in told["steps"]] == [each["name"] for each in of_round]
    assert [(each["number"], each["at"], each["by"], each["position"]) for each in told["steps"]] == [
        (each["number"], each["at"], each["by"], each["position"]) for each in of_round
    ]
    assert told["names"][served.dealer.id] == "Dealer"
    assert told["names"].keys() == {served.dealer.id} | {each["patron"] for each in told["settled"]}
    assert (told["previous"], told["following"], told["more"]) == (None, 2, None)
    assert [each["result"] for each in told["settled"]] == ["win", "lose", "lose"]
    assert told["clauses"]
    view = dict(told["before"])
    for step in told["steps"]:
        view |= step["view"]
        cards = sum(1 for hand in ("player", "banker") for card in step[hand]["cards"] if card)
        assert cards <= view["cards_drawn"]
        assert step["layout"] == sum(each["amount"] for each in view["wagers"])
    assert told["steps"][-1]["player"] == {"cards": [["9", "h"], ["T", "h"]], "total": 9}
    assert (told["steps"][-1]["winner"], view["phase"], view["wagers"]) == ("player", "idle", [])


def test_no_card_is_told_before_it_was_exposed(auditor: Someone, played: Played) -> None:
    for step in steps(auditor, played, 1):
        if step["event"] == "CardDrawn":
            assert not any(step["player"]["cards"])
            assert not any(step["banker"]["cards"])
    drawn = [each for each in steps(auditor, played, 3) if each["event"] == "CardDrawn"]
    assert drawn[0]["player"] == {"cards": [None], "total": None}


def test_who_did_what_in_which_position_and_by_which_clause(auditor: Someone, served: House, played: Played) -> None:
    together = next(each for each in steps(auditor, played, 2) if each["event"] == "CardsDrawnTogether")
    assert together["irregular"]
    assert together["cites"] == ["5.8"]
    assert together["circumstances"]["note"] == NOTE
    answered = next(each for each in steps(auditor, played, 2) if each["event"] == "WithdrawalAnswered")
    assert (answered["by"], answered["position"]) == (played.ann.id, "patron")
    voided = steps(auditor, played, 3)[-1]
    assert (voided["event"], voided["by"]) == ("RoundVoided", served.dealer.id)
    assert (voided["position"], voided["acting"]) == ("Dealer", ["Pit Manager"])
    clauses = auditor.get(about(played.table, "/rounds/2"))["clauses"]
    assert any(each["clause"] == "5.8" and each["text"] for each in clauses)


def test_what_was_corrected_later_belongs_to_the_round(auditor: Someone, played: Played) -> None:
    told = auditor.get(about(played.table, "/rounds/4"))
    last = told["steps"][-1]
    assert (last["event"], last["later"], last["winner"]) == ("RoundCorrected", True, "tie")
    assert last["banker"] == {"cards": [["K", "s"], ["9", "c"]], "total": 9}
    assert {each["account"] for each in last["moved"]} >= {"chips", "float"}
    assert len(told["corrections"]) == 3


def test_money_that_moved_sums_to_nothing(auditor: Someone, played: Played) -> None:
    for round_ in (1, 2, 3, 4):
        for step in steps(auditor, played, round_):
            assert sum(each["amount"] for each in step["moved"]) == 0


def test_it_is_told_in_chinese_too(auditor: Someone, played: Played) -> None:
    english, chinese = steps(auditor, played, 2), steps(auditor, played, 2, language="zh")
    for one, other in zip(english, chinese, strict=True):
        assert one["told"] != other["told"]
        assert any("\u4e00" <= letter <= "\u9fff" for letter in other["told"])
        assert {**one, "told": ""} == {**other, "told": ""}


# --- verifying -------------------------------------------------------------------------------------------------------


def test_a_log_that_nobody_touched_is_whole(auditor: Someone, played: Played) -> None:
    assert auditor.get(about(played.table, "/verification"))["state"] == "never"
    told = verified(auditor, played.table)
    assert (told["state"], told["findings"], told["rounds"]) == ("whole", [], 4)
    streams = {each["about"]: each for each in told["streams"]}
    listed = {each["table"]: each["events"] for each in auditor.get("/api/audit/tables")}
    assert streams["table"]["last"] == listed[played.table]
    assert len(streams["table"]["hash"]) == 64
    assert told["read"] == told["of"]


def test_a_shoe_is_checked_card_by_card(auditor: Someone, sealed: tuple[str, str]) -> None:
    table, shoe = sealed
    (listed,) = auditor.get(about(table, "/shoes"))
    assert (listed["shoe"], listed["sealed"], listed["state"], listed["first_round"]) == (shoe, True, "ended", 1)
    told = auditor.get(about(table, f"/shoes/{shoe}"))
    assert told["whole"] is True
    assert told["cards"] >= 8
    checks = {each["check"]: each["ok"] for each in told["checks"]}
    assert checks == dict.fromkeys(checks, True)
    assert {"commitment", "patrons", "contributions", "dealt", "noted", "table", "told"} <= checks.keys()
    heads = {each["about"]: each["heads"] for each in verified(auditor, table)["streams"]}
    assert heads["table"] == heads["shoes"] == 2  # noted when the shoe was put on the table, and when it had ended


def test_a_shoe_in_service_gives_nothing_away(auditor: Someone, served: House, played: Played) -> None:
    table = served.table(device="sealed")
    shoe = served.dealer.post(f"/api/tables/{table}/shoes")["shoe"]
    assert auditor.get(about(table, f"/shoes/{shoe}"))["shoe"]["state"] == "waiting"
    served.dealer.post(f"/api/tables/{table}/shoes/{shoe}/list")
    served.dealer.done(table, "LoadShoe", shoe=shoe)
    served.dealer.done(table, "OpenBets")
    served.dealer.done(table, "CloseBets")
    served.dealer.done(table, "DrawCard")
    told = auditor.get(about(table, f"/shoes/{shoe}"))
    assert (told["whole"], told["checks"], told["shoe"]["state"]) == (None, [], "in use")
    assert "secret" not in json.dumps(told)
    steps = auditor.get(about(table, "/rounds/1"))["steps"]
    assert steps[-1]["player"] == {"cards": [None], "total": None}
    packet = json.dumps(auditor.get(about(table, "/rounds/1/packet.json")))
    assert '"secret"' not in packet
    manual = auditor.get(about(played.table, "/shoes"))[0]
    assert (manual["sealed"], manual["state"]) == (False, "in use")


def test_what_somebody_changed_in_the_file_is_found_and_named(
    served: House, sealed: tuple[str, str], tmp_path: Path
) -> None:
    """A wager that was raised, a card that was exchanged, an event that can no longer be read."""
    table, _ = sealed
    played = play(served, "tiger")
    broken = play(served)
    token = served[Duty.AUDITOR].token  # before the copy, which has to know it
    file = copied(served, tmp_path)
    raised = tamper(file, played.table, "WagerPlaced", b'"amount":20000', b'"amount":90000')
    exchanged = tamper(file, table, "CardExposed", b'"card":[', b'"card" :[')
    unreadable = tamper(file, broken.table, "BetsClosed", b'{"', b"{!")
    with serving(str(file), tmp_path) as live:
        auditor = live.someone(token)
        for where, number, kind in ((played.table, raised, "altered"), (table, exchanged, "altered")):
            told = verified(auditor, where)
            assert told["state"] == "broken"
            first = told["findings"][0]
            assert (first["stream"], first["event"], first["kind"], first["own"]) == (where, number, kind, True)
        served_not = {each["table"] for each in auditor.get("/api/audit/tables") if not each["served"]}
        assert served_not == {played.table, table, broken.table}
        assert verified(auditor, broken.table)["findings"][0]["event"] == unreadable
        rounds = auditor.get(about(broken.table, "/rounds"))
        assert (rounds["unreadable"], len(rounds["rounds"])) == (unreadable, 4)
        assert auditor.get(about(broken.table, "/rounds/1"))["steps"]


def test_a_table_that_has_had_a_shoe_is_not_dropped_unnoticed(served: House, tmp_path: Path) -> None:
    """Nobody has exported anything: the house itself has noted how far the table had come with its first shoe."""
    table = served.table()

    def without_it() -> list[tuple[str, int | None, str]]:
        file = copied(served, tmp_path)
        with apsw.Connection(str(file)) as connection:
            connection.execute("drop trigger event_is_kept")
            connection.execute("delete from event where stream = ?", (table,))
        connection.close()
        return found_by_audit(file)

    until(lambda: (table, 1, "is gone") in without_it())


def test_a_card_that_is_not_the_shoes_is_named(
    auditor: Someone, served: House, sealed: tuple[str, str], tmp_path: Path
) -> None:
    table, shoe = sealed
    file = copied(served, tmp_path)
    events = served.dealer.get(f"/api/tables/{table}/events")
    exposed = next(each for each in events if each["name"] == "CardExposed")
    rank, suit = exposed["body"]["card"]
    other = f'"{rank}","{"h" if suit != "h" else "s"}"'.encode()
    number = tamper(file, table, "CardExposed", f'"{rank}","{suit}"'.encode(), other)
    with serving(str(file), tmp_path) as live:
        told = live.someone(auditor.token).get(about(table, f"/shoes/{shoe}"))
        assert told["whole"] is False
        failed = [(each["check"], each["event"]) for each in told["checks"] if not each["ok"]]
        assert failed == [("table", number), ("told", number)]


# --- exporting -------------------------------------------------------------------------------------------------------


def test_a_round_is_exported_as_the_command_line_does(auditor: Someone, served: House, played: Played) -> None:
    answer = auditor.http.get(about(played.table, "/rounds/2/packet.json"))
    assert answer.headers["content-disposition"] == f'attachment; filename="{played.table}-round-2.json"'
    assert answer.json() == run_json("export", served.database, played.table, "2")
    chinese = auditor.get(about(played.table, "/rounds/2/packet.json"), language="zh")
    assert chinese == run_json("export", served.database, played.table, "2", "--language", "zh")
    assert chinese["events"][0]["told"] == "开始第 2 局：“请下注”"
    pdf = auditor.http.get(about(played.table, "/rounds/2/packet.pdf"))
    assert (pdf.headers["content-type"], pdf.content[:5]) == ("application/pdf", b"%PDF-")


# --- who may, and what is not understood -----------------------------------------------------------------------------

PATHS = (
    "",
    "/{table}/rounds",
    "/{table}/rounds/1",
    "/{table}/rounds/1/packet.json",
    "/{table}/rounds/1/packet.pdf",
    "/{table}/verification",
    "/{table}/shoes",
    "/{table}/shoes/one",
)


def test_who_may_not_read_the_log_is_refused(served: House, played: Played) -> None:
    assert Duty.PATRON not in PERMITTED[Permission.READ_LOG]
    others = {"patron": played.ann, "Cashier": served.cashier, "nobody": served.live.nobody()}
    for who, person in others.items():
        expected = (401, "not-signed-in") if who == "nobody" else (403, "not-permitted")
        for path in PATHS:
            answer = person.http.get(f"/api/audit/tables{path.format(table=played.table)}")
            assert (answer.status_code, answer.json()["code"]) == expected, (who, path)
        answer = person.http.post(about(played.table, "/verification"))
        assert (answer.status_code, answer.json()["code"]) == expected
    for duty in (Duty.DEALER, Duty.PIT_MANAGER, Duty.GAMING_SHIFT_MANAGER):
        assert found(served[duty], played.table) == [4, 3, 2, 1]


def test_what_is_not_there_or_not_understood_is_refused(auditor: Someone, played: Played) -> None:
    def status(path: str, **query: Any) -> int:
        answer = auditor.http.get(about(played.table, path), params=query)
        assert answer.json()["sentence"]
        return answer.status_code

    assert status("/rounds/99") == status("/shoes/none") == 404
    assert status("/rounds/99/packet.json") == 409
    for query in ({"most": 0}, {"most": 5_000}, {"outcome": "fish"}, {"first": -1}, {"since": "noon"}, {"marked": "x"}):
        assert status("/rounds", **query) == 422
    for beyond in (2**31, 2**63, 10**400):
        assert status(f"/rounds/{beyond}") == status(f"/rounds/{beyond}/packet.json") == 422
    assert status("/rounds/one") == status("/rounds/1", language="fr") == 422
    assert auditor.http.get(about("none", "/rounds")).json()["code"] == "unknown-table"


# --- a long log ------------------------------------------------------------------------------------------------------


async def test_a_long_log_is_read_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks too early is told how far it has come, and asks again."""
    monkeypatch.setattr(audit_jobs, "READ_AT_ONCE", 300)
    play = RandomPlay("tiger", 3)
    while len(play.log) < 400:
        play.play(100)
    written = [EventRecord.of(event, AT + 1_000 * at, "sam", "Dealer") for at, event in enumerate(play.log)]
    store = SqliteStore(tmp_path / "punto.db")
    await store.append([Append("long", 0, written)])
    auditing = audit_jobs.AuditJobs(store, games_by_digest(["tiger"]), clock)
    with pytest.raises(audit_jobs.NotRead) as told:
        await auditing.find("long", Sought(), None, 1)
    assert (told.value.read, told.value.of) == (300, len(written))
    _, (newest,) = await auditing.find("long", Sought(), None, 1)
    assert newest.round == play.table.round_number
    await store.close()


@pytest.mark.long
async def test_a_long_log_is_read_beside_everything_else(tmp_path: Path) -> None:
    """Who asks is told how far it has come, and the server answers others at once meanwhile."""
    play = RandomPlay("tiger", 3)
    while len(play.log) < READ_AT_ONCE + 3_000:
        play.play(1_000)
    written = [EventRecord.of(event, AT + 1_000 * at, "sam", "Dealer") for at, event in enumerate(play.log)]
    file = tmp_path / "punto.db"
    store = SqliteStore(file)
    founded = await Founded.open(store, make_keys(file.with_name("punto.db.key")), AT)
    await founded.create_table("long", play.book, AT)
    await store.append([Append("long", 0, written)])
    await founded.note_heads(["long"], AT)
    people = People(store, clock)
    link = await people.make_link((await people.add("Ed", Duty.AUDITOR)).id, 60_000)
    await store.close()
    with serving(str(file), tmp_path) as live:
        auditor = live.by_link(link)
        first = auditor.http.get(about("long", "/rounds"))
        assert (first.status_code, first.json()) == (202, {"read": READ_AT_ONCE, "of": len(written)})
        found_ = auditor.http.get(about("long", "/rounds"))
        assert found_.status_code == 200
        newest = found_.json()["rounds"][0]["round"]
        assert newest == play.table.round_number
        auditor.post(about("long", "/verification"))
        answered = 0
        while (state := auditor.get(about("long", "/verification")))["state"] == "running":
            answered += live.nobody().get("/healthz")["ok"]
        assert state["state"] == "whole"
        assert state["rounds"] == play.table.round_number
        assert answered > 3  # a server that stands still while it verifies answers one at most
        middle = newest // 2
        assert auditor.get(about("long", f"/rounds/{middle}"))["steps"][0]["event"] == "BetsOpened"
