"""Significant events: who, when, and the values before and after; searched, exported, and kept from who may not see."""

from __future__ import annotations

import csv
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from support.audited import Played
from support.command import refused, run, run_json
from support.live import Someone
from support.playing import House, house

from punto.report.significant.files import COLUMNS
from punto.server.access.identity import Duty
from punto.server.access.permissions import Permission

PATH = "/api/audit/significant"


def found(auditor: Someone, **query: Any) -> list[dict[str, Any]]:
    return list(auditor.get(PATH, **query)["events"])


def change(served: House, **values: Any) -> dict[str, Any]:
    """Change settings of the house; return what they were."""
    seen: dict[str, Any] = served.manager.get("/api/house/settings")
    served.manager.post("/api/house/settings", settings=seen | values, seen=seen)
    return {name: seen[name] for name in values}


def test_changes_tell_the_values_before_and_after(auditor: Someone, served: House) -> None:
    manager, table = served[Duty.PIT_MANAGER], served.table("baccarat")
    before = change(served, training_days=372)
    changed = found(auditor, kind="settings")[0]
    assert (changed["before"], changed["after"]) == (before, {"training_days": 372})
    assert (changed["by"], changed["position"]) == (served.manager.id, Duty.GAMING_SHIFT_MANAGER.value)
    change(served, **before)
    manager.done(table, "ChangeLimits", limits={"Tie": {"minimum": 2_000, "maximum": 90_000}})
    (limits,) = found(auditor, kind="settings", table=table)
    was = served.manager.get(f"/api/tables/{table}/events")[0]["body"]["setting"]["limits"]["Tie"]
    assert limits["before"] == {"minimum Tie": was["minimum"], "maximum Tie": was["maximum"]}
    assert limits["after"] == {"minimum Tie": 2_000, "maximum Tie": 90_000}
    stop = {"scope": "table", "subject": table, "reason": "the reader fails"}
    manager.post("/api/limits/stops", **stop)
    manager.post("/api/limits/stops/lift", **stop)
    lifted, stopped = found(auditor, kind="stop")[:2]
    assert (stopped["about"], stopped["after"], stopped["reason"]) == (table, {"scope": "table"}, "the reader fails")
    assert lifted["before"] == {"scope": "table"}


def test_large_wagers_and_wins_come_from_the_alerts_of_the_pit(auditor: Someone, served: House) -> None:
    before, table = change(served, alert_wager=300_000), served.table("baccarat")
    (ann,) = served.patrons(1)
    ann.done(table, "BuyIn", patron=ann.id, amount=1_000_000)
    served.dealer.done(table, "OpenBets")
    for amount in (200_000, 100_000, 50_000):
        ann.done(table, "PlaceWager", patron=ann.id, position=1, wager="Player", amount=amount)
    (large,) = found(auditor, kind="large-wager", table=table)
    assert (large["about"], large["after"]["amount"], large["event"]) == (ann.id, 300_000, "WagerPlaced")
    alerts = served[Duty.PIT_MANAGER].get("/api/alerts")["waiting"]
    assert [large["number"]] == [
        each["number"] for each in alerts if each["kind"] == "wager" and each["table"] == table
    ]
    assert "3,000.00" in large["told"]
    (told,) = run_json("report", "significant", served.database, "--kind", "large-wager", "--table", table)["events"]
    assert told == large
    change(served, **before)


def test_voids_and_corrections_are_told_with_person_and_amounts(auditor: Someone, played: Played) -> None:
    void = found(auditor, kind="void", table=played.table)[-1]
    assert (void["event"], void["round"]) == ("RoundVoided", 3)
    assert void["before"]["wagered"] > void["after"]["wagered"] == 0
    correction = next(each for each in found(auditor, kind="correction", table=played.table) if each["round"] == 4)
    assert correction["before"]["returned"] != correction["after"]["returned"]
    assert correction["name"]


def test_refused_sign_ins_links_and_duties_are_there(auditor: Someone, served: House) -> None:
    added = served.manager.post("/api/people", name="Ivo Meant", duty="Pit Supervisor")
    served.live.by_link(added["link"].rpartition("/")[2])
    ivo = added["person"]["id"]
    served.manager.post(f"/api/people/{ivo}/active", active=False)
    told = found(auditor, person="Ivo Meant")
    assert [each["kind"] for each in told] == ["people", "sign-in", "link", "people"]
    assert (told[0]["before"], told[0]["after"]) == ({"active": True}, {"active": False})
    assert {each["about"] for each in told} == {ivo}


def test_pages_of_a_search_join_without_a_gap_and_a_file_has_them_all(auditor: Someone, served: House) -> None:
    assert served.table()
    page = auditor.get(PATH, kind="opening")
    everything = page["events"]
    while page["more"]:
        page = auditor.get(PATH, kind="opening", before=page["more"])
        everything += page["events"]
    exported = auditor.get(f"{PATH}/file", kind="opening")
    assert everything == exported["events"]
    assert len({(each["stream"], each["number"]) for each in everything}) == len(everything) > 2
    text = auditor.http.get(f"{PATH}/file", params={"kind": "opening", "format": "csv"}).text
    names, *lines = csv.reader(StringIO(text))
    assert tuple(names) == COLUMNS
    assert [(line[-2], line[-1]) for line in lines] == [(each["stream"], str(each["number"])) for each in everything]
    since, until = everything[2]["at"], everything[0]["at"]
    within = auditor.get(f"{PATH}/file", kind="opening", since=since, until=until)["events"]
    assert within == [each for each in everything if since <= each["at"] < until]


@pytest.mark.long
def test_what_a_duty_may_not_see_it_does_not_find_here(tmp_path: Path) -> None:
    with house(tmp_path) as alone:  # other tests use up what one address may ask for
        ask_as_every_duty(alone)


def ask_as_every_duty(served: House) -> None:
    (ann,) = served.patrons(1)
    ann.post("/api/limits/mine", kind="loss", period="day", limit=98_765_000)
    for duty in Duty:
        answer = served[duty].http.get(PATH, params={"kind": "limit"}) if duty in _PEOPLE else None
        if answer is None:
            continue
        may = Permission.SEARCH_LOG.is_given_to(duty)
        assert answer.status_code == (200 if may else 403), duty
        sees = may and Permission.SEE_ACCOUNTS.is_given_to(duty)
        assert ("98765000" in answer.text) == sees, duty
        people = served[duty].http.get(PATH, params={"kind": "link"})
        assert bool(may and people.json()["events"]) == (may and Permission.SEE_PEOPLE.is_given_to(duty)), duty
    assert ann.http.get(PATH).status_code == 403


_PEOPLE = frozenset(Duty) - {Duty.PATRON, Duty.DEVICE}


def test_the_command_says_what_cannot_be_and_when_there_is_nothing(served: House) -> None:
    assert "there is no large" in refused("report", "significant", served.database, "--kind", "large")
    assert "no table nowhere" in refused("report", "significant", served.database, "--table", "nowhere")
    assert "no person" in refused("report", "significant", served.database, "--person", "not anyone at all")
    told = run("report", "significant", served.database, "--kind", "rollback", "--language", "zh")
    assert "期内无事件" in told
