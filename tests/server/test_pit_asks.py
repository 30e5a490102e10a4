"""What the pit is told: whose each decision is, as the engine itself answers; money as the books have it; to whom."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from support.live import Someone, move_chips
from support.playing import House, deal, over_http
from support.samples import BOTH, SHIFT, STAFF, Sample, samples

from punto.server.access.identity import Duty
from punto.server.access.permissions import Permission
from punto.table.evolve import replay
from punto.table.guidance.authority import NOT_YOURS, refusal_of, whose
from punto.table.roles import Actor
from punto.table.table import Table

ROUTES = ("/api/pit", "/api/pit/{table}", "/api/pit/{table}/events", "/api/staff", "/api/shift-report")
TRIED = [each for each in samples() if each.row.needs in (*STAFF, BOTH) and each.row.staff_code == NOT_YOURS]


def pit(someone: Someone, table: str) -> dict[str, Any]:
    told: dict[str, Any] = someone.get(f"/api/pit/{table}")
    return told


def waits(told: dict[str, Any]) -> list[tuple[str, str, str | None, bool]]:
    return [(each["command"], each["role"], each["clause"], each["mine"]) for each in told["waiting"]]


def managed(told: dict[str, Any], command: str, **values: object) -> dict[str, Any]:
    (found,) = (each for each in told["management"] if each["command"] == command and each["values"] == values)
    return dict(found)


def begun(served: House, *laid: tuple[Someone, str, int], **setting: Any) -> str:
    """A table whose betting has closed on some wagers."""
    table = served.table(**setting)
    served.dealer.done(table, "OpenBets")
    for position, (patron, wager, amount) in enumerate(laid, start=1):
        patron.done(table, "BuyIn", patron=patron.id, amount=1_000_000)
        patron.done(table, "PlaceWager", patron=patron.id, position=position, wager=wager, amount=amount)
    served.dealer.done(table, "CloseBets")
    return table


def test_who_may_ask(served: House) -> None:
    table = served.table()
    for duty in Duty:
        if duty is Duty.DEVICE:
            continue
        someone = served.patrons(1)[0] if duty is Duty.PATRON else served[duty]
        for route in ROUTES:
            permission = Permission.REPORT_SHIFTS if "shift" in route else Permission.SEE_PIT
            status = someone.http.get(route.format(table=table)).status_code
            assert status == (200 if permission.is_given_to(duty) else 403), (duty, route)
    assert httpx.get(f"{served.live.address}/api/pit").status_code == 401


@pytest.mark.parametrize("sample", TRIED, ids=[each.row.name.replace(" ", "-") for each in TRIED])
def test_whose_a_command_is_agrees_with_the_matrix(sample: Sample) -> None:
    """Asked of the decision itself, every command belongs to the position the matrix of roles says."""
    table = replay(Table(sample.book), sample.events)
    found = whose(table, sample.command)
    assert found.role == (SHIFT if sample.row.needs == BOTH else sample.row.needs)
    assert refusal_of(table, sample.command, Actor("any", found.role)) is None


def test_a_void_waits_for_whom_the_house_has_chosen(served: House) -> None:
    (ann,) = served.patrons(1)
    table = begun(served, (ann, "Player", 10_000), confirms="Gaming Shift Manager")
    served.dealer.done(table, "DrawCard")
    served.dealer.done(table, "ReportVoid", provision="wrong-cards")
    pit_manager, shift = pit(served[Duty.PIT_MANAGER], table), pit(served.manager, table)
    who = "Gaming Shift Manager"
    assert waits(shift) == [("ConfirmVoid", who, "5.1", True), ("DismissVoid", who, "5.1", True)]
    steps = served.dealer.get(f"/api/tables/{table}")["view"]["next"]
    clauses = {"ConfirmVoid": "5.1.1", "DismissVoid": "5.1", "WithdrawReport": "5.1"}
    assert {each["command"]: each["clause"] for each in steps} == clauses
    assert [each[3] for each in waits(pit_manager)] == [False, False]
    assert waits(pit(served[Duty.AUDITOR], table)) == waits(pit_manager)
    served.manager.done(table, "AppointActing", person=served[Duty.PIT_MANAGER].id, role=who)
    assert [each[3] for each in waits(pit(served[Duty.PIT_MANAGER], table))] == [True, True]
    served[Duty.PIT_MANAGER].done(table, "ConfirmVoid")
    assert waits(pit(served.manager, table)) == []


def test_a_differential_is_told_with_both_hands(served: House) -> None:
    ann, bob = served.patrons(2)
    table = begun(served, (ann, "Player", 300_000), (bob, "Banker", 100_000), differential=100_000)
    told = pit(served[Duty.PIT_MANAGER], table)
    assert told["differential"] == {
        "higher": "Player", "lower": "Banker", "on_higher": 300_000, "on_lower": 100_000,
        "difference": 200_000, "allowed": 100_000, "excess": 100_000,
    }  # fmt: skip
    asking, removal = told["waiting"]
    assert (asking["command"], asking["role"]) == ("AskForDecreases", "Dealer")
    assert removal["refused"]["code"] == "decreases-not-asked"
    served.dealer.done(table, "AskForDecreases")
    (removal,) = pit(served[Duty.PIT_MANAGER], table)["waiting"]
    assert removal["refused"] is None
    assert (removal["command"], removal["role"], removal["mine"]) == ("RemoveWager", "Pit Manager", True)
    assert removal["values"] == {"patron": ann.id, "position": 1, "wager": "Player", "amount": 300_000}
    assert not pit(served[Duty.PIT_SUPERVISOR], table)["waiting"][0]["mine"]


def test_what_the_house_may_do_says_why_not(served: House) -> None:
    (ann,) = served.patrons(1)
    table = begun(served, (ann, "Player", 10_000))
    told, supervisor = pit(served[Duty.PIT_MANAGER], table), pit(served[Duty.PIT_SUPERVISOR], table)
    assert managed(told, "Fill")["refused"] is None
    assert managed(told, "ChangeLimits")["refused"]["code"] == "wrong-phase"
    assert managed(told, "ChangeMethod", method="A")["refused"]["code"] == "wrong-phase"
    assert managed(told, "AppointActing", role="Pit Manager")["mine"]
    assert not managed(told, "AppointActing", role="Gaming Shift Manager")["mine"]
    assert not managed(supervisor, "Fill")["mine"]
    assert managed(supervisor, "LoadShoe")["mine"]
    assert not any(each["command"] == "EndActing" for each in told["management"])


def test_money_is_what_the_books_have_and_a_shut_table_suggests_its_last_setting(served: House) -> None:
    (ann,) = served.patrons(1)
    table = begun(served, (ann, "Player", 50_000))
    dealer = over_http(served.dealer, table)
    deal(dealer, "2h 9s 3h Kc")
    dealer("AnnounceOutcome")
    dealer("SettleRound")
    manager = served[Duty.PIT_MANAGER]
    move_chips(manager, served.cashier, table, "fill", 7_000)
    move_chips(manager, served.cashier, table, "credit", 2_000)
    manager.done(table, "ChangeLimits", limits={"Player": {"minimum": 1_000, "maximum": 90_000}})
    told = pit(manager, table)
    money = told["money"]
    assert (money["drop"], money["win"], money["hold"], money["hold_percent"]) == (1_000_000, 50_000, "1/20", "5.00%")
    assert money["closing"] == 1_000_000_000 - 1_000_000 + 50_000 + 7_000 - 2_000
    assert told["rounds"] == 1
    assert (told["dealer"]["person"], told["dealer"]["name"]) == (served.dealer.id, "Dealer")
    assert managed(told, "CloseTable")["refused"]["code"] == "chips-outstanding"
    ann.done(table, "CashOut", patron=ann.id, amount=950_000)
    manager.done(table, "CloseTable", counted=money["closing"])
    shut = pit(manager, table)
    assert (shut["money"]["win"], shut["money"]["closing"], shut["rounds"]) == (50_000, money["closing"], 1)
    assert shut["suggested"]["limits"]["Player"] == {"minimum": 1_000, "maximum": 90_000}, "as it was changed"
    assert shut["suggested"]["layout"] == "Appendix B"
    assert [each["command"] for each in shut["management"]] == ["OpenTable"]
    report = manager.get("/api/shift-report")
    (mine,) = (each for each in report["tables"] if each["table"] == table)
    assert mine["made"]["figures"]["win"] == 50_000
    assert not mine["open"]


def test_events_are_told_in_both_languages(served: House) -> None:
    table = served.table("tiger")
    move_chips(served[Duty.PIT_MANAGER], served.cashier, table, "fill", 12_345)
    english, chinese = (
        served.manager.get(f"/api/pit/{table}/events", language=language, most=1)[0] for language in ("en", "zh")
    )
    assert (english["told"], english["name"]) == ("Has chips for 123.45 brought from the cage", "Cashier")
    assert chinese["told"] == "从账房补充筹码 123.45"
    for wrong in ({"language": "fr"}, {"most": 0}):
        assert served.manager.http.get(f"/api/pit/{table}/events", params=wrong).status_code == 422


def test_a_report_on_paper_and_what_is_no_span(served: House) -> None:
    manager = served[Duty.PIT_MANAGER]
    paper = manager.http.get("/api/shift-report", params={"format": "pdf", "language": "zh"})
    assert paper.headers["content-type"] == "application/pdf"
    assert paper.content.startswith(b"%PDF")
    for wrong in ({"from": 5, "to": 5}, {"from": -1}, {"to": 10**16}, {"format": "doc"}, {"language": "x"}):
        assert manager.http.get("/api/shift-report", params=wrong).status_code == 422, wrong
