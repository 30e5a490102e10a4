"""What the pit is shown before it decides: the matter, the money before and after; what stays on paper; alerts."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from support.live import Someone
from support.needs import need_chinese_font
from support.pdf_text import pdf_text
from support.playing import House, deal, house, number_of, over_http, until

from punto.server.access.identity import Duty
from punto.server.access.permissions import Permission
from punto.texts import Language, name_of


@pytest.fixture(scope="module")
def pit(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(Path(tmp_path_factory.mktemp("decisions"))) as made:
        yield made


def betting(pit: House, *laid: tuple[Someone, str, int], **setting: Any) -> str:
    table = pit.table(**setting)
    pit.dealer.done(table, "OpenBets")
    for position, (patron, wager, amount) in enumerate(laid, start=1):
        patron.done(table, "BuyIn", patron=patron.id, amount=1_000_000)
        patron.done(table, "PlaceWager", patron=patron.id, position=position, wager=wager, amount=amount)
    return table


def dealt(pit: House, table: str, cards: str) -> None:
    pit.dealer.done(table, "CloseBets")
    dealer = over_http(pit.dealer, table)
    deal(dealer, cards)
    dealer("AnnounceOutcome")
    dealer("SettleRound")


def preview(person: Someone, table: str, command: str, **values: Any) -> dict[str, Any]:
    answer = person.http.post(f"/api/pit/{table}/preview", json={"command": command, **values})
    told: dict[str, Any] = answer.json()
    return told


def moved(told: dict[str, Any], patron: Someone) -> tuple[int, int]:
    """What a patron has in chips before and after."""
    before, after = (
        next(each["chips"] for each in told[when]["patrons"] if each["patron"] == patron.id)
        for when in ("before", "after")
    )
    return before, after


def test_a_hold_tells_the_matter_who_reported_it_and_when(pit: House) -> None:
    (ann,) = pit.patrons(1)
    table = betting(pit, (ann, "Player", 10_000))
    pit.dealer.done(table, "CloseBets")
    pit.dealer.done(table, "Refer", matter="a bag fell on the layout", note="camera 4", noticed_by="Mr Wong")
    for language, words in (("en", "a bag fell on the layout"), ("zh", "a bag fell on the layout")):
        told = pit.manager.get(f"/api/pit/{table}/holds", language=language)
        (hold,) = told["holds"]
        assert words in hold["told"]
        about = (hold["provision"], hold["clause"], hold["by"], hold["name"], hold["note"], hold["noticed_by"])
        assert about == ("referral", "6.1", pit.dealer.id, "Dealer", "camera 4", "Mr Wong")
        assert hold["number"] == number_of(pit.manager, table)
        assert hold["at"]
    pit.dealer.done(table, "Refer", matter="and then the light went out", noticed_by=pit.manager.id)
    first, newest = pit.manager.get(f"/api/pit/{table}/holds")["holds"]
    assert (first["number"], newest["number"]) == (hold["number"], hold["number"] + 1)
    assert newest["noticed_by"] == "Gaming Shift Manager", "another's id is kept as words, and shown by name"
    pit.manager.done(table, "DecideReferral", void=False)
    (left,) = pit.manager.get(f"/api/pit/{table}/holds")["holds"]
    assert left == hold | {"told": left["told"]}


def test_a_preview_shows_the_money_and_stores_nothing(pit: House) -> None:
    (ann,) = pit.patrons(1)
    table = betting(pit, (ann, "Player", 10_000), second_person=["correction"])
    dealt(pit, table, "2h 9s 3h Kc")  # Banker wins
    number, cards = (
        number_of(pit.manager, table),
        {"player": [["9", "h"], ["K", "d"]], "banker": [["2", "s"], ["K", "s"]]},
    )
    told = preview(pit.manager, table, "CorrectRound", round=1, **cards)
    assert moved(told, ann) == (990_000, 1_010_000)
    assert told["before"]["float_"] - told["after"]["float_"] == 20_000
    assert told["second_person"]
    assert told["clauses"][0] == "6.3"
    assert number_of(pit.manager, table) == number, "nothing is stored"
    assert preview(pit.dealer, table, "CorrectRound", round=1, **cards)["code"] == "not-permitted"
    assert preview(pit[Duty.PIT_MANAGER], table, "CorrectRound", round=1, **cards)["code"] == "not-yours"
    assert preview(pit.manager, table, "CorrectRound", round=9, **cards)["code"] == "no-such-round"
    # Then it is done: one proposes it with a reason, another confirms it, and there is a receipt.
    pit.manager.done(table, "CorrectRound", round=1, reason="seen on camera 7", **cards)
    (act,) = pit.manager.get(f"/api/tables/{table}")["view"]["proposed"]
    second = pit.hire("Lee second", Duty.GAMING_SHIFT_MANAGER)
    assert moved(preview(second, table, "ConfirmAct", act=act["number"]), ann) == (990_000, 1_010_000)
    done = second.done(table, "ConfirmAct", act=act["number"])
    assert pit.manager.get(f"/api/tables/{table}")["view"]["chips"][ann.id] == 1_010_000
    assert second.http.get(f"/api/pit/{table}/receipts/{done['first']}").status_code == 404
    for language in Language:
        if language is Language.CHINESE:
            need_chinese_font()
        paper = second.http.get(f"/api/pit/{table}/receipts/{done['last']}", params={"language": language.value})
        # The manager is called by their position, in the language of the paper.
        assert name_of("duty", Duty.GAMING_SHIFT_MANAGER, language) in pdf_text(paper.content)


def test_no_card_is_learnt_by_a_preview(pit: House) -> None:
    (ann,) = pit.patrons(1)
    table = betting(pit, (ann, "Player", 10_000))
    pit.dealer.done(table, "CloseBets")
    for _ in range(4):
        pit.dealer.done(table, "DrawCard")
    told = preview(pit.manager, table, "ExposeCard", hand="player", place=0, card=["9", "h"])
    assert (told["code"], told["case"]) == ("cannot-be", "no-preview")


def alerts(person: Someone, table: str, kind: str, waiting: bool = True) -> list[dict[str, Any]]:
    told = person.get("/api/alerts")["waiting" if waiting else "acknowledged"]
    return [each for each in told if (each["table"], each["kind"]) == (table, kind)]


def settings(pit: House, **changed: int) -> None:
    seen = pit.manager.get("/api/house/settings")
    pit.manager.post("/api/house/settings", settings=seen | changed, seen=seen)


def test_an_alert_stays_until_a_person_acknowledges_it(pit: House) -> None:
    ann, bob = pit.patrons(2)
    settings(pit, alert_wager=50_000, alert_win=50_000, alert_differential_percent=90)
    table = betting(pit, (ann, "Player", 50_000), differential=55_000)
    (large,) = alerts(pit.manager, table, "wager")
    assert large["values"] == {"patron": ann.id, "position": 1, "wager": "Player", "amount": 50_000}
    (near,) = alerts(pit.manager, table, "differential")
    assert near["values"] == {"apart": 50_000, "allowed": 55_000}
    dealt(pit, table, "9h 2s Kh 3c")  # Player wins
    (won,) = alerts(pit.manager, table, "win")
    assert won["values"] == {"patron": ann.id, "amount": 50_000, "round": 1}
    supervisor = pit[Duty.PIT_SUPERVISOR]
    about = {"table": table, "kind": "win", "number": won["number"]}
    answer = supervisor.post("/api/alerts/acknowledge", **about, note="known: a regular")
    assert (answer["acknowledged"]["by"], answer["acknowledged"]["note"]) == (supervisor.id, "known: a regular")
    assert alerts(pit.manager, table, "win") == []
    (done,) = alerts(pit.manager, table, "win", waiting=False)
    assert done["acknowledged"] == answer["acknowledged"]
    pit.manager.post("/api/alerts/acknowledge", **about)  # a second one changes nothing
    assert alerts(pit.manager, table, "win", waiting=False) == [done]
    assert pit.manager.http.post("/api/alerts/acknowledge", json=about | {"number": 1}).status_code == 404
    settings(pit, alert_wager=0, alert_win=0)
    assert alerts(pit.manager, table, "wager") == [large], "as the house had it when it happened"
    second = betting(pit, (bob, "Player", 50_000))
    assert alerts(pit.manager, second, "wager") == []


def test_a_call_waits_until_the_pit_has_come(pit: House) -> None:
    table = pit.table()
    pit.dealer.done(table, "CallPit", note="a patron is unwell")
    (call,) = alerts(pit.manager, table, "call")
    assert call["values"] == {"person": pit.dealer.id, "note": "a patron is unwell"}
    pit[Duty.PIT_SUPERVISOR].done(table, "AnswerCall")
    assert alerts(pit.manager, table, "call") == []
    (answered,) = alerts(pit.manager, table, "call", waiting=False)
    assert answered["acknowledged"]["by"] == pit[Duty.PIT_SUPERVISOR].id


def _are_held(pit: House, table: str, number: int) -> bool:
    return len(alerts(pit.manager, table, "hold")) == number


def test_long_holds_counts_and_repeated_voids(pit: House) -> None:
    settings(pit, alert_hold_seconds=1, alert_repeats=2)
    table = pit.table()
    for number in (1, 2):
        pit.dealer.done(table, "OpenBets")
        pit.dealer.done(table, "CloseBets")
        pit.dealer.done(table, "ReportVoid", provision="wrong-cards")
        until(partial(_are_held, pit, table, number))
        pit[Duty.PIT_MANAGER].done(table, "ConfirmVoid", reason="seen")
    assert [each["values"] for each in alerts(pit.manager, table, "hold")] == 2 * [{"provision": "wrong-cards"}]
    repeated, *_ = [each for each in alerts(pit.manager, table, "repeats") if each["values"]["person"] == pit.dealer.id]
    assert repeated["values"]["count"] >= 2
    there = pit.manager.get(f"/api/tables/{table}")["view"]["float_"]
    pit[Duty.PIT_MANAGER].done(table, "CloseTable", counted=there - 100)
    (count,) = alerts(pit.manager, table, "count")
    assert count["values"] == {"difference": -100, "counted": there - 100}


def test_who_may_see_and_acknowledge(pit: House) -> None:
    for duty in Duty:
        if duty in (Duty.DEVICE, Duty.PATRON):
            continue
        may_see, may_act = (each.is_given_to(duty) for each in (Permission.SEE_PIT, Permission.ACKNOWLEDGE_ALERTS))
        assert pit[duty].http.get("/api/alerts").status_code == (200 if may_see else 403), duty
        body = {"table": "nowhere", "kind": "win", "number": 1}
        status = pit[duty].http.post("/api/alerts/acknowledge", json=body).status_code
        assert status == (404 if may_act else 403), duty
