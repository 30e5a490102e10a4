"""A device cannot be used to learn a card, nor at another table, nor with a token that was replaced."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from server.test_device import CARDS, bind, draw, new_device, tell, told
from support.live import Someone
from support.playing import House, house

from punto.cards import Card, Rank, Suit
from punto.server.access.devices import FAULTS_BEFORE_SILENCE
from punto.server.access.identity import Duty

DECK = [str(Card(rank, suit)) for rank in Rank for suit in Suit]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house of its own: what is looked for in its log is nowhere else."""
    with house(tmp_path_factory.mktemp("attacks")) as made:
        yield made


@pytest.fixture
def table(served: House) -> str:
    name = served.table(device="card-reading")
    draw(served, name)
    return name


@pytest.fixture
def device(served: House, table: str) -> Someone:
    return new_device(served, f"reader of {table}", table)


def of_table(served: House, table: str) -> list[dict[str, Any]]:
    waiting = served[Duty.PIT_SUPERVISOR].get("/api/alerts")["waiting"]
    return [each for each in waiting if each["kind"] == "device" and each["table"] == table]


def test_a_guess_is_answered_alike_whether_it_is_right_or_wrong(served: House, table: str) -> None:
    """All 52 cards at places that were told, each by a device of its own, so that none of them is silenced."""
    first = new_device(served, f"the reader of {table}", table)
    tell(first, table, *CARDS)
    answers = set()
    for number in range(0, len(DECK), FAULTS_BEFORE_SILENCE):
        guesser = new_device(served, f"guesser {number} at {table}", table)
        for card in DECK[number : number + FAULTS_BEFORE_SILENCE]:
            status, body = told(guesser, table, 3, card)
            answers.add((status, body["code"], json.dumps(body, sort_keys=True)))
    ((status, code, _),) = answers
    assert (status, code) == (409, "card-read-gap")
    assert len(of_table(served, table)) == len(DECK)


def test_a_guess_with_the_key_of_the_first_telling_is_answered_alike_too(table: str, device: Someone) -> None:
    told(device, table, 0, "7s", key="first")
    answers = [told(device, table, 0, card, key="first") for card in DECK]
    assert answers == [(200, {"sequence": 0, "repeated": True})] * len(DECK)
    elsewhere = {json.dumps(told(device, table, 1, card, key="first")) for card in DECK[:FAULTS_BEFORE_SILENCE]}
    assert len(elsewhere) == 1


def test_guesses_are_recorded_and_alerted_and_soon_unheard(served: House, table: str, device: Someone) -> None:
    tell(device, table, *CARDS[:2])
    codes = [told(device, table, 0, card)[1]["code"] for card in DECK[:12]]
    assert codes == ["card-read-gap"] * FAULTS_BEFORE_SILENCE + ["too-many"] * (12 - FAULTS_BEFORE_SILENCE)
    assert told(device, table, 2, "Kd")[0] == 429, "it is silenced for a while, also with the card that is next"
    alerts = of_table(served, table)
    assert len(alerts) == FAULTS_BEFORE_SILENCE
    assert alerts[0]["values"] == {"person": device.id, "why": "again", "asked": "", "sequence": 0}
    done = served[Duty.PIT_SUPERVISOR].post(
        "/api/alerts/acknowledge", table=table, kind="device", number=alerts[0]["number"], note="looked at the reader"
    )
    assert done["acknowledged"]["by"] == served[Duty.PIT_SUPERVISOR].id
    assert served.dealer.http.get("/api/alerts").status_code == 403
    lines = [line for line in served.live.log.read_text("utf-8").splitlines() if device.id in line]
    assert sum('"device refused"' in line for line in lines) == FAULTS_BEFORE_SILENCE


def test_a_card_out_of_order_is_alerted(served: House, table: str, device: Someone) -> None:
    answers = {json.dumps(told(device, table, 5, card)) for card in DECK[:4]}
    assert len(answers) == 1
    assert [each["values"]["why"] for each in of_table(served, table)] == ["order"] * 4


def test_a_device_is_refused_alike_at_every_other_table(served: House, table: str, device: Someone) -> None:
    """One that has just such a shoe, one that reads no cards, and one that there is not."""
    other, manual = served.table(device="card-reading"), served.table()
    draw(served, other)
    answers = [told(device, where, 0, "7s", shoe=f"{other} shoe") for where in (other, manual, "nowhere")]
    assert [status for status, _ in answers] == [403] * 3
    assert answers[0] == answers[1] == answers[2]
    assert answers[0][1]["case"] == "device-elsewhere"
    assert served.dealer.refused(other, "ExposeCard", hand="player", place=0) == "card-not-told"
    alerts = of_table(served, table)
    assert {(each["values"]["why"], each["values"]["asked"]) for each in alerts} == {
        ("elsewhere", other),
        ("elsewhere", manual),
        ("elsewhere", "nowhere"),
    }
    tell(device, table, "7s")


def test_a_device_does_one_kind_of_work(served: House, table: str) -> None:
    added = served.manager.post("/api/devices", name=f"display of {table}", table=table, work="display")
    display = served.live.someone(added["token"], added["person"]["id"])
    status, refused = told(display, table, 0, "7s")
    assert (status, refused["case"]) == (403, "device-elsewhere")
    assert display.get(f"/api/tables/{table}")["table"] == table


def test_a_device_is_added_by_a_manager_to_a_table_that_there_is(served: House, table: str) -> None:
    for duty in Duty:
        if duty not in (Duty.DEVICE, Duty.PATRON, Duty.GAMING_SHIFT_MANAGER, Duty.ASSISTANT_CASINO_MANAGER):
            answer = served[duty].http.post("/api/devices", json={"name": "a reader", "table": table})
            assert answer.status_code == 403
    answer = served.manager.http.post("/api/people", json={"name": "a reader", "duty": "Device"})
    assert (answer.status_code, answer.json()["case"]) == (409, "device-without-table")
    answer = served.manager.http.post("/api/devices", json={"name": "a reader", "table": "nowhere"})
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown-table")
    assert not [each for each in served.manager.get("/api/devices") if each["name"] == "a reader"]


def test_a_device_is_bound_with_person_before_and_after(served: House, table: str, device: Someone) -> None:
    other = served.table(device="card-reading")
    bind(served, device, other)
    shown = next(each for each in served.manager.get("/api/devices") if each["id"] == device.id)
    assert (shown["table"], shown["work"], shown["active"]) == (other, "card-reader", True)
    name = f"reader of {table}"
    found = served[Duty.AUDITOR].get("/api/audit/events", person=name)["events"]
    told_of = [each["told"] for each in found]
    assert told_of == [
        f"{name} is bound to table {other}, and no longer to {table}",
        f"Makes a token for {name}",
        f"{name} is bound to table {table}",
        f"{name} is named, with the duty Device",
    ]
    assert {each["by"] for each in found} == {served.manager.id}
    assert told(device, table, 0, "7s")[0] == 403


def test_a_token_is_replaced_by_showing_it(served: House, table: str, device: Someone) -> None:
    tell(device, table, "7s")
    made = device.post("/api/devices/own/token")
    renewed = served.live.someone(made["token"], device.id)
    tell(renewed, table, "6h", first=1)
    tell(device, table, "Kd", first=2)  # both for a moment, should the answer be lost
    for person in (served.manager, served.dealer, served.cashier):
        assert person.http.post("/api/devices/own/token").status_code == 403


def test_a_revoked_device_is_out_and_comes_back_with_a_new_token(served: House, table: str, device: Someone) -> None:
    renewed = served.live.someone(device.post("/api/devices/own/token")["token"], device.id)
    assert served.dealer.http.post(f"/api/devices/{device.id}/revoke").status_code == 403
    shown = served.manager.post(f"/api/devices/{device.id}/revoke")
    assert shown["token_made"] is None
    assert told(device, table, 0, "7s")[0] == told(renewed, table, 0, "7s")[0] == 401
    again = served.live.someone(served.manager.post(f"/api/devices/{device.id}/token")["token"], device.id)
    tell(again, table, "7s")
    assert served.manager.http.post(f"/api/devices/{served.dealer.id}/token").status_code == 404
