"""Limits, exclusions and stops over HTTP: who sets them, and what a patron is told."""

from __future__ import annotations

from support.playing import House, audited

from punto.server.access.identity import Duty


def test_a_patron_sets_limits_and_excludes_themselves(served: House) -> None:
    (patron,) = served.patrons(1)
    shown = patron.post("/api/limits/mine", kind="loss", period="day", limit=5_000)
    assert [(each["limit"], each["used"]) for each in shown["limits"]] == [(5_000, 0)]
    eased = patron.post("/api/limits/mine", kind="loss", period="day", limit=9_000)["limits"][0]
    assert (eased["limit"], eased["eased_to"]) == (5_000, 9_000)
    assert patron.http.post("/api/limits/mine/exclusion", json={"days": 100}).json()["code"] == "exclusion-days"
    excluded = patron.post("/api/limits/mine/exclusion", days=7)
    assert (excluded["excluded"], patron.get("/api/limits/mine")) == ("cool-off", excluded)
    order = {"patron": excluded["patron"], "amount": 100}
    refused = served.cashier.http.post("/api/cage/deposits", json=order).json()
    assert (refused["code"], refused["case"]) == ("excluded", "cool-off")
    assert served.cashier.http.post("/api/cage/payments", json=order).status_code == 200


def test_managers_exclude_and_stop_and_others_do_not(served: House) -> None:
    (patron,) = served.patrons(1)
    table, who = served.table(), patron.get("/api/limits/mine")["patron"]
    manager, path = served[Duty.PIT_MANAGER], f"/api/limits/patrons/{who}/exclusion"
    for someone in (patron, served.dealer, served.cashier):
        assert someone.http.post(path, json={"reason": "no"}).status_code == 403
        assert someone.http.post("/api/limits/stops", json={"scope": "all", "reason": "no"}).status_code == 403
    assert manager.http.post(path, json={"reason": ""}).json()["code"] == "bad-message"
    assert manager.post(path, reason="seen on the list")["excluded"] == "house"
    assert manager.post(f"{path}/lift", reason="a mistake")["excluded"] is None
    stop = {"scope": "table", "subject": table, "reason": "the reader fails"}
    assert [each["subject"] for each in manager.post("/api/limits/stops", **stop)] == [table]
    assert manager.http.post("/api/limits/stops", json=stop).json()["code"] == "already-stopped"
    assert manager.post("/api/limits/stops/lift", **stop) == []
    assert manager.http.post("/api/limits/stops/lift", json=stop).json()["code"] == "not-stopped"
    nowhere = stop | {"subject": "nowhere"}
    assert manager.http.post("/api/limits/stops", json=nowhere).json()["code"] == "not-to-stop"
    assert audited(served.database) == []
