"""The count that closes a table is blind: until it is entered, no page or route tells what it should find."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from support.live import Someone, hear, move_chips, say
from support.playing import House, deal, over_http

from punto.formatting import money
from punto.server.access.identity import Duty
from punto.server.http.app import ENDPOINTS
from punto.server.refused import Refused
from punto.server.running.lifecycle import Options, open_serving
from punto.server.tables.blind_count import check_shown, hidden_tables

OPENING, BOUGHT, STAKE, FILL = 123_456_700, 1_234_500, 11_100, 7_654_300
EXPECTED = OPENING - BOUGHT + STAKE + FILL
BOOKS = (OPENING, EXPECTED)
"""Without the one or the other nobody can tell what the tray should hold."""
MOVED = (BOUGHT, FILL, BOUGHT - STAKE)
"""What came and went, from which a good memory could tell it."""
EARLIER = OPENING - 432_100
"""What the count before found, of which the pit was alerted."""
SHEETS = ("/api/shift-sheet", "/api/day-sheet")
"""Papers that leave the table out and say so."""
OWN_PAPERS = ("/api/history/statement.pdf",)
"""Papers about the caller alone, which are read as JSON too."""
OTHER_SUBJECTS = (
    *("/api/sign-", "/api/links", "/api/me/", "/api/practice/", "/api/people", "/api/devices", "/api/house/"),
    *("/api/history/", "/api/limits/", "/api/school/", "/api/audit/notes/", "/api/design/"),
)
"""What is sent there is about no money of a table, or about the sender alone."""
COUNTING = [duty for duty in Duty if duty not in (Duty.AUDITOR, Duty.PATRON, Duty.DEVICE)]


def written(amount: int) -> Iterator[str]:
    yield from (str(amount), money(amount), f"{amount / 100:,.2f}", f"{amount / 100:.2f}", f"{amount // 100:,}")


class Counted(NamedTuple):
    """A table whose chips are being counted, with a patron who was there and a slip."""

    table: str
    patron: str
    slip: int


@pytest.fixture(scope="module")
def at_count(served: House) -> Counted:
    """A table at which a patron lost and left, with a fill, whose chips are being counted."""
    (ann,) = served.patrons(1)
    table = served.table(float_=EARLIER + 100)
    pit = served[Duty.PIT_MANAGER]
    close(pit, table, EARLIER)
    served.manager.done(table, "OpenTable", setting=pit.get(f"/api/pit/{table}")["suggested"], float_=OPENING)
    served.dealer.done(table, "LoadShoe", shoe=f"{table} shoe")
    move_chips(pit, served.cashier, table, "fill", FILL)
    ann.done(table, "BuyIn", patron=ann.id, amount=BOUGHT)
    dealer = over_http(served.dealer, table)
    dealer("OpenBets")
    ann.done(table, "PlaceWager", patron=ann.id, wager="Player", position=1, amount=STAKE)
    dealer("CloseBets")
    deal(dealer, "2h 9s 3h Kc")
    dealer("AnnounceOutcome")
    dealer("SettleRound")
    ann.done(table, "CashOut", patron=ann.id, amount=BOUGHT - STAKE)
    assert pit.get(f"/api/pit/{table}")["money"]["closing"] == EXPECTED
    (slip,) = pit.get("/api/slips", table=table)
    assert EARLIER in [each["values"].get("counted") for each in pit.get("/api/alerts")["waiting"]]
    pit.done(table, "BeginCount")
    return Counted(table, ann.id, slip["number"])


@pytest.fixture
def counted(at_count: Counted) -> str:
    return at_count.table


def close(pit: Someone, table: str, counted: int) -> None:
    pit.done(table, "BeginCount")
    pit.done(table, "CloseTable", counted=counted, pieces=[{"value": 100, "number": counted // 100}])


def filled_in(path: str, at: Counted) -> str:
    """A path about this table, its patron or its slip, where it is about one."""
    of_table = {"table": at.table, "round": "1", "slip": at.slip, "number": "1", "session": "1", "patron": at.patron}
    return path.format_map(
        {**of_table, "shoe": f"{at.table} shoe", "game": "baccarat", "link": "any", "name": "any", "digest": "any"}
    )


def paths(at: Counted) -> Iterator[str]:
    """Every path that can be read; what has several forms also in the others."""
    yield from (filled_in(each.path, at) for each in ENDPOINTS if each.method == "GET" and each.tag)
    yield from (f"/api/{kind}-report?format={form}" for kind in ("shift", "day") for form in ("csv", "json"))
    yield from (f"/api/{path}?table={at.table}" for path in ("audit/events", "slips", "ratings"))
    yield from (f"/api/audit/events?{query}" for query in (f"least={FILL}&most={FILL}", "language=zh"))


def sent(at: Counted) -> dict[str, list[dict[str, Any]]]:
    """By path what is sent there about the table: what is done while chips are counted, and what is refused."""
    table, pieces = at.table, [{"value": 100, "number": 1}]
    about = {"patron": at.patron, "amount": 10**12}
    commands: list[dict[str, Any]] = [
        {"command": "CallPit"},
        {"command": "DropCount"},
        {"command": "Credit", "amount": 10**12},
        {"command": "CashOut", **about},
    ]
    kinds = ("count", "win", "deviation", "call")
    return {
        "/api/cage/debts/payments": [about],
        "/api/cage/deposits": [about],
        "/api/cage/payments": [about],
        "/api/cage/transfers": [{**about, "table": table, "to_table": each} for each in (True, False)],
        "/api/cage/cash-flags/seen": [{**about, "direction": "in", "day_began": 0}],
        "/api/slips": [{"kind": each, "table": table, "pieces": pieces} for each in ("fill", "credit")],
        "/api/slips/{slip}/confirm": [{}],
        "/api/slips/{slip}/cancel": [{"reason": "not needed"}],
        "/api/tables": [{"table": table, "game": "baccarat"}],
        "/api/tables/{table}/automation": [{"steps": []}],
        "/api/tables/{table}/commands": commands[2:],
        "/api/tables/{table}/cards": [{"shoe": f"{table} shoe", "sequence": 0, "card": "2h"}],
        "/api/tables/{table}/guests": [{"name": "Guest", "amount": 10**12}],
        "/api/tables/{table}/events/{number}/erase": [{"reason": "to try it"}],
        "/api/tables/{table}/shoes": [{}],
        "/api/tables/{table}/shoes/{shoe}/pledges": [{"commitment": "00" * 32}],
        "/api/tables/{table}/shoes/{shoe}/list": [{}],
        "/api/tables/{table}/shoes/{shoe}/decline": [{}],
        "/api/tables/{table}/shoes/{shoe}/contributions": [{"contribution": "any", "nonce": "00" * 32}],
        "/api/tables/{table}/shoes/{shoe}/again": [{}],
        "/api/pit/{table}/preview": [{**each, "table": table} for each in commands],
        "/api/alerts/acknowledge": [{"table": table, "kind": kind, "number": n} for kind in kinds for n in range(1, 9)],
        "/api/audit/tables/{table}/notes": [{"note": "to try it"}],
        "/api/audit/tables/{table}/verification": [{}],
    }


@pytest.mark.parametrize("duty", COUNTING)
def test_no_route_tells_what_the_count_should_find(served: House, at_count: Counted, duty: Duty) -> None:
    person = served[duty]
    secret = {text for amount in (*BOOKS, *MOVED, EARLIER) for text in written(amount)}
    read = 0
    for path in paths(at_count):
        answer = person.http.get(path)
        assert answer.status_code < 500, path
        assert not [each for each in secret if each in answer.text], path
        assert answer.headers["content-type"] != "application/pdf" or path in (*SHEETS, *OWN_PAPERS), (
            "a paper is not read here"
        )
        read += answer.status_code == 200
    assert read > 10
    assert not [each for each in secret if each in heard(person, at_count.table)]
    for path, bodies in sent(at_count).items():
        for body in bodies:
            answer = person.http.post(filled_in(path, at_count), json=body)
            assert answer.status_code < 500, path
            assert not [each for each in secret if each in answer.text], (path, body)


def test_whatever_can_be_sent_is_sent_or_about_something_else(at_count: Counted) -> None:
    """A new route has to be named here, so that it is tried while chips are counted."""
    posted = {each.path for each in ENDPOINTS if each.method == "POST" and not each.path.startswith(OTHER_SUBJECTS)}
    assert posted == sent(at_count).keys()


def heard(person: Someone, table: str) -> str:
    """What a socket brings that asks for the table from its first event on."""
    with person.socket() as socket:
        say(socket, "Subscribe", table=table, after=0)
        return str(hear(socket, "table"))


def test_nobody_learns_it_by_trying(served: House, at_count: Counted) -> None:
    pit, counted = served[Duty.PIT_MANAGER], at_count.table
    for command in ({"command": "CloseTable", "counted": 0}, {"command": "Credit", "amount": 10**12}):
        answer = pit.http.post(f"/api/pit/{counted}/preview", json={**command, "table": counted}).json()
        assert answer["code"] in ("cannot-be", "count-under-way")
    refused = pit.give(counted, "Credit", amount=10**12).json()
    assert (refused["code"], refused["values"]) == ("count-under-way", {})
    (slip,) = [each for each in served[Duty.AUDITOR].get("/api/slips") if each["table"] == counted]
    assert pit.http.get(f"/api/slips/{slip['number']}/pdf").json()["code"] == "count-under-way"
    for path in (f"/api/pit/{counted}/receipts/1", f"/api/ratings?table={counted}"):
        assert pit.http.get(path).json()["code"] == "count-under-way"
    for path in ("", "/pdf"):
        told = served.cashier.http.get(f"/api/cage/statements/{at_count.patron}{path}").json()
        assert told["code"] == "count-under-way"
    assert counted in pit.get("/api/shift-report")["being_counted"]
    view = pit.get(f"/api/tables/{counted}")["view"]
    assert [each["command"] for each in view["next"]] == ["CloseTable", "DropCount"]
    assert (view["counting"], view["float_"], view["commission"]) == (pit.id, None, None)


@pytest.mark.parametrize("command", ["DropCount", "CallPit"])
def test_no_preview_tells_it_either(served: House, counted: str, command: str) -> None:
    """A preview shows the float before and after, whatever the command is about."""
    pit = served[Duty.PIT_MANAGER]
    told = pit.http.post(f"/api/pit/{counted}/preview", json={"command": command, "table": counted}).text
    assert not [each for amount in BOOKS for each in written(amount) if each in told]


def test_an_auditor_reads_on_and_the_variance_is_shown_afterwards(served: House, counted: str) -> None:
    auditor, pit = served[Duty.AUDITOR], served[Duty.PIT_MANAGER]
    assert auditor.get(f"/api/pit/{counted}")["money"]["closing"] == EXPECTED
    pit.done(counted, "DropCount")
    assert pit.get(f"/api/pit/{counted}")["money"]["closing"] == EXPECTED
    close(pit, counted, EXPECTED - 500)
    shut = pit.get(f"/api/pit/{counted}")
    assert (shut["closing"]["expected"], shut["closing"]["difference"]) == (EXPECTED, -500)
    assert pit.get("/api/shift-report")["being_counted"] == []


async def test_a_table_that_is_not_open_yet_shows_no_figures(tmp_path: Path) -> None:
    """Whether it is being counted is known once it is open."""
    serving = await open_serving(Options(str(tmp_path / "punto.db")))
    floor, by_duty = serving.floor, {each.duty: each for each in await serving.people.everybody()}
    manager, auditor = by_duty[Duty.PIT_MANAGER], by_duty[Duty.AUDITOR]
    floor.opener.opening.add("t1")
    assert set(await hidden_tables(floor, manager)) == {"t1"}
    assert not await hidden_tables(floor, auditor)
    with pytest.raises(Refused) as told:
        await check_shown(floor, manager, "t1")
    assert told.value.refusal.code == "table-opening"
    await check_shown(floor, auditor, "t1")
    await serving.close()
