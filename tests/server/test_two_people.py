"""Sign-on and second persons over the interface: each from their own sign-in."""

from __future__ import annotations

from support.live import Someone
from support.playing import House

from punto.server.access.identity import Duty


def colleague(served: House, duty: Duty, name: str) -> Someone:
    """Another person of a duty, signed in."""
    added = served.manager.post("/api/people", name=name, duty=duty.value)
    return served.live.by_link(added["link"])


def test_a_dealer_signs_on_from_their_own_session(served: House) -> None:
    table = served.table(device="sealed", sign_on=True)
    answer = served.dealer.give(table, "LoadShoe", shoe="one")
    assert answer.json()["code"] == "not-on-duty"
    assert served.manager.get(f"/api/tables/{table}")["view"]["on_duty"] is None
    served.dealer.done(table, "SignOn")
    view = served.manager.get(f"/api/tables/{table}")["view"]
    assert view["on_duty"] == served.dealer.id
    assert "SignOn" not in [each["command"] for each in view["next"]]
    other = colleague(served, Duty.DEALER, "Kim who relieves")
    assert other.give(table, "SignOff").json()["code"] == "not-on-duty"
    other.done(table, "SignOn")
    assert served.dealer.give(table, "SignOff").json()["code"] == "not-on-duty"
    served.manager.done(table, "SignOff", dealer=other.id)
    told = served.manager.get(f"/api/tables/{table}/events")
    assert [each["name"] for each in told if each["name"].startswith("Dealer")] == [
        "DealerSignedOn",
        "DealerSignedOn",
        "DealerSignedOff",
    ]


def test_a_second_person_confirms_from_their_own_sign_in(served: House) -> None:
    (ann,) = served.patrons(1)
    table, first = served.table(second_person=["void"]), served.manager
    second = colleague(served, Duty.PIT_MANAGER, "Lin who confirms")
    ann.done(table, "BuyIn", patron=ann.id, amount=10_000)
    served.dealer.done(table, "OpenBets")
    ann.done(table, "PlaceWager", patron=ann.id, position=1, wager="Player", amount=10_000)
    served.dealer.done(table, "CloseBets")
    served.dealer.done(table, "ReportVoid", provision="wrong-cards")
    assert first.give(table, "ConfirmVoid").json()["code"] == "reason-needed"
    first.done(table, "ConfirmVoid", reason="seen by the camera")
    view = first.get(f"/api/tables/{table}")["view"]
    (act,) = view["proposed"]
    assert (act["command"], act["proposed_by"], act["reason"]) == ("ConfirmVoid", first.id, "seen by the camera")
    assert "proposed" not in ann.get(f"/api/tables/{table}")["view"]
    assert first.give(table, "ConfirmAct", act=act["number"]).json()["code"] == "same-person"
    assert served.dealer.give(table, "ConfirmAct", act=act["number"]).json()["code"] == "not-yours"
    waiting = [each["command"] for each in second.get(f"/api/pit/{table}")["waiting"]]
    assert "ConfirmAct" in waiting
    second.done(table, "ConfirmAct", act=act["number"])
    told = first.get(f"/api/tables/{table}/events")
    voided = next(each for each in told if each["name"] == "RoundVoided")
    circumstances = voided["body"]["circumstances"]
    assert (circumstances["authorised_by"], circumstances["second_person"]) == (first.id, second.id)
    assert voided["by"] == second.id
    public = ann.get(f"/api/tables/{table}/events")
    assert not [each for each in public if each["name"].startswith("Act")]


def test_what_a_deactivated_person_proposed_or_asked_for_is_not_confirmed(served: House) -> None:
    (ann,) = served.patrons(1)
    table, manager = served.table(second_person=["void"]), served.manager
    gone = colleague(served, Duty.PIT_MANAGER, "Gus who goes")
    slip = gone.post("/api/slips", kind="fill", table=table, pieces=[{"value": 100, "number": 3}])
    ann.done(table, "BuyIn", patron=ann.id, amount=10_000)
    served.dealer.done(table, "OpenBets")
    ann.done(table, "PlaceWager", patron=ann.id, position=1, wager="Player", amount=10_000)
    served.dealer.done(table, "CloseBets")
    served.dealer.done(table, "ReportVoid", provision="wrong-cards")
    gone.done(table, "ConfirmVoid", reason="seen by the camera")
    manager.post(f"/api/people/{gone.id}/active", active=False)
    (act,) = manager.get(f"/api/tables/{table}")["view"]["proposed"]
    for named in ({"act": act["number"]}, {}):
        refused = manager.give(table, "ConfirmAct", **named).json()
        assert (refused["code"], refused["case"]) == ("no-such-act", "lapsed")
    told = served.cashier.http.post(f"/api/slips/{slip['number']}/confirm").json()
    assert (told["code"], told["case"]) == ("cannot-be", "person-not-active")
    manager.done(table, "ConfirmVoid", reason="seen by the camera")
    colleague(served, Duty.PIT_MANAGER, "Hal who stays").done(table, "ConfirmAct")
    served.cashier.post(f"/api/slips/{slip['number']}/cancel", reason="asked for by one who left")
