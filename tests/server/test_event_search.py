"""Search of the whole house, notes on rounds and events, and the logs that a Dealer may read."""

from __future__ import annotations

from typing import Any

from support.audited import Played
from support.live import Someone
from support.playing import House, over_http

from punto.server.access.identity import Duty
from punto.server.access.permissions import Permission


def found(auditor: Someone, **query: Any) -> list[dict[str, Any]]:
    return list(auditor.get("/api/audit/events", **query)["events"])


def test_events_are_found_across_tables_by_name_clause_amount_and_time(
    auditor: Someone, served: House, played: Played
) -> None:
    other = served.table("tiger", stake_step=100)
    over_http(served.dealer, other)("OpenBets")
    everything = found(auditor)
    assert {each["stream"] for each in everything} >= {other, "house"}
    assert [each["at"] for each in everything] == sorted((each["at"] for each in everything), reverse=True)
    name = served.dealer.get(f"/api/tables/{played.table}/names")[played.bob.id]
    of_bob = found(auditor, person=name, table=played.table)
    assert {"BoughtIn", "WagerPlaced"} <= {each["event"] for each in of_bob}
    assert found(auditor, person="no such person anywhere") == []
    voided = found(auditor, overrides=True, table=played.table)
    assert {each["event"] for each in voided} >= {"RoundVoided", "RoundCorrected"}
    clause = voided[0]["clauses"][0]
    assert all(clause in each["clauses"] for each in found(auditor, clause=clause))
    assert {each["event"] for each in found(auditor, least=500_000, most=500_000, table=played.table)} == {"BoughtIn"}
    at = everything[3]["at"]
    assert all(each["at"] >= at for each in found(auditor, since=at))
    assert all(each["at"] <= at for each in found(auditor, until=at))
    assert {each["round"] for each in found(auditor, table=played.table, overrides=True)} >= {3, 4}


def test_a_search_goes_on_where_it_stopped(auditor: Someone, played: Played) -> None:
    first = auditor.get("/api/audit/events", table=played.table)
    assert len(first["events"]) == 50
    numbers, more = [each["number"] for each in first["events"]], first["more"]
    while more:
        page = auditor.get("/api/audit/events", table=played.table, before=more)
        numbers, more = [*numbers, *(each["number"] for each in page["events"])], page["more"]
    assert numbers == list(range(numbers[0], 0, -1))


def test_sign_ins_and_people_stand_beside_play(auditor: Someone, served: House) -> None:
    added = served.manager.post("/api/people", name="Gil Watch", duty="Pit Supervisor")
    served.live.by_link(added["link"].rpartition("/")[2])
    gil, manager = added["person"]["id"], served.manager.id
    for active in (False, True):
        served.manager.post(f"/api/people/{gil}/active", active=active)
    told = [(each["told"], each["by"]) for each in found(auditor, person="Gil Watch")]
    assert told == [
        ("Gil Watch may sign in again", manager),
        ("Gil Watch may no longer sign in", manager),
        ("Gil Watch signs in by a link", gil),
        ("Makes a sign-in link for Gil Watch", manager),
        ("Gil Watch is named, with the duty Pit Supervisor", manager),
    ]
    assert "Gil Watch 以链接登录" in [each["told"] for each in found(auditor, person="Gil Watch", language="zh")]


def test_a_note_takes_any_text_and_can_be_erased(auditor: Someone, served: House, played: Played) -> None:
    path, words = f"/api/audit/tables/{played.table}/notes", "cam 4 [17:26:03]; 陈先生\nsee desk"
    (noted, *_) = auditor.post(path, note=words, round=2)
    assert (noted["note"], noted["round"], noted["by"]) == (words, 2, auditor.id)
    assert words in found(auditor, person=None)[0]["told"]
    served.manager.http.post(f"/api/audit/notes/{noted['number']}/erase", json={"reason": "personal"})
    assert words not in auditor.get(path)[0]["note"]
    for wrong in ({"note": "bell\a"}, {"note": "  "}, {"note": "x", "event": 10**9}):
        assert auditor.http.post(path, json=wrong).status_code in (400, 404, 409, 422)


def test_who_may_not_see_accounts_finds_none_by_searching(served: House) -> None:
    (ann,) = served.patrons(1)
    served.cashier.post("/api/cage/deposits", patron=ann.id, amount=98_765_431)
    for duty in Duty:
        if not Permission.SEARCH_LOG.is_given_to(duty):
            continue
        told = "987,654.31" in served[duty].http.get("/api/audit/events").text
        assert told == Permission.SEE_ACCOUNTS.is_given_to(duty), duty


def test_who_signs_in_and_who_passed_a_lesson_is_found_by_those_who_may_see_it(served: House) -> None:
    added = served.manager.post("/api/people", name="Una Seen", duty="Dealer")
    una = served.live.by_link(added["link"].rpartition("/")[2])
    una.post(
        "/api/school/sheet", seed=5, game="baccarat", drill="table-of-play", done=[{"number": 0, "answers": ["9"]}]
    )
    people, lessons = {"PersonNamed", "LinkMade", "PersonSignedIn"}, {"LessonGraded"}
    for duty in Duty:
        if Permission.SEARCH_LOG.is_given_to(duty):
            names = {each["event"] for each in found(served[duty], person="Una Seen")}
            assert (people & names) == (people if Permission.SEE_PEOPLE.is_given_to(duty) else set()), duty
            assert (lessons & names) == (lessons if Permission.SEE_TRAINING.is_given_to(duty) else set()), duty


def test_a_dealer_reads_their_own_table_only(served: House, played: Played) -> None:
    added = served.manager.post("/api/people", name="Second Dealer", duty="Dealer")
    second = served.live.by_link(added["link"].rpartition("/")[2])
    own = f"/api/audit/tables/{played.table}/rounds"
    assert served.dealer.http.get(own).status_code == 200
    refused = second.http.get(own)
    assert (refused.status_code, refused.json()["case"]) == (403, "other-table")
    assert played.table not in [each["table"] for each in second.get("/api/audit/tables")]
    assert second.http.get("/api/audit/events").status_code == 403
    table = served.table("baccarat")
    over_http(second, table)("OpenBets")
    assert second.http.get(f"/api/audit/tables/{table}/rounds").status_code == 200
