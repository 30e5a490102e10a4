"""The count that closes a table is blind: until it is entered, no page or route tells what it should find."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.live import Someone, hear, move_chips, say
from support.playing import House, deal, over_http

from punto.formatting import money
from punto.server.access.identity import Duty

OPENING, BOUGHT, STAKE, FILL = 123_456_700, 1_234_500, 11_100, 77_700
EXPECTED = OPENING - BOUGHT + STAKE + FILL
BOOKS = (OPENING, EXPECTED)
"""Without the one or the other nobody can tell what the tray should hold."""
COUNTING = [duty for duty in Duty if duty not in (Duty.AUDITOR, Duty.PATRON, Duty.DEVICE)]


def written(amount: int) -> Iterator[str]:
    yield from (str(amount), money(amount), f"{amount / 100:,.2f}", f"{amount / 100:.2f}", f"{amount // 100:,}")


@pytest.fixture(scope="module")
def counted(served: House) -> str:
    """A table at which a patron lost and left, with a fill, whose chips are being counted."""
    (ann,) = served.patrons(1)
    table = served.table(float_=OPENING)
    pit = served[Duty.PIT_MANAGER]
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
    pit.done(table, "BeginCount")
    return table


def paths(served: House, table: str) -> Iterator[str]:
    """Every path that can be read, about this table where it is about one; reports also in their other forms."""
    values = {
        "table": table,
        "round": "1",
        "slip": "1",
        "number": "1",
        "session": "1",
        "shoe": f"{table} shoe",
        "game": "baccarat",
    }
    for path, methods in served.live.nobody().get("/openapi.json")["paths"].items():
        if "get" in methods:
            yield path.format_map({**values, "patron": "any", "link": "any", "name": "any"})
    yield from (f"/api/{kind}-report?format={form}" for kind in ("shift", "day") for form in ("csv", "json"))
    yield from (f"/api/{path}?table={table}" for path in ("audit/events", "slips", "ratings"))


@pytest.mark.parametrize("duty", COUNTING)
def test_no_route_tells_what_the_count_should_find(served: House, counted: str, duty: Duty) -> None:
    person, secret = served[duty], {text for amount in BOOKS for text in written(amount)}
    read = 0
    for path in paths(served, counted):
        answer = person.http.get(path)
        assert answer.status_code < 500, path
        assert not [each for each in secret if each in answer.text], path
        read += answer.status_code == 200
    assert read > 10
    assert not [each for each in secret if each in heard(person, counted)]


def heard(person: Someone, table: str) -> str:
    """What a socket brings that asks for the table from its first event on."""
    with person.socket() as socket:
        say(socket, "Subscribe", table=table, after=0)
        return str(hear(socket, "table"))


def test_nobody_learns_it_by_trying(served: House, counted: str) -> None:
    pit = served[Duty.PIT_MANAGER]
    for command in ({"command": "CloseTable", "counted": 0}, {"command": "Credit", "amount": 10**12}):
        answer = pit.http.post(f"/api/pit/{counted}/preview", json={**command, "table": counted}).json()
        assert answer["code"] in ("cannot-be", "count-under-way")
    refused = pit.give(counted, "Credit", amount=10**12).json()
    assert (refused["code"], refused["values"]) == ("count-under-way", {})
    (slip,) = [each for each in served[Duty.AUDITOR].get("/api/slips") if each["table"] == counted]
    assert pit.http.get(f"/api/slips/{slip['number']}/pdf").json()["code"] == "count-under-way"
    assert counted in pit.get("/api/shift-report")["being_counted"]
    view = pit.get(f"/api/tables/{counted}")["view"]
    assert [each["command"] for each in view["next"]] == ["CloseTable", "DropCount"]
    assert (view["counting"], view["float_"], view["commission"]) == (pit.id, None, None)


def test_an_auditor_reads_on_and_the_variance_is_shown_afterwards(served: House, counted: str) -> None:
    auditor, pit = served[Duty.AUDITOR], served[Duty.PIT_MANAGER]
    assert auditor.get(f"/api/pit/{counted}")["money"]["closing"] == EXPECTED
    pit.done(counted, "DropCount")
    assert pit.get(f"/api/pit/{counted}")["money"]["closing"] == EXPECTED
    pit.done(counted, "BeginCount")
    pit.done(counted, "CloseTable", counted=EXPECTED - 500, pieces=[{"value": 100, "number": (EXPECTED - 500) // 100}])
    shut = pit.get(f"/api/pit/{counted}")
    assert (shut["closing"]["expected"], shut["closing"]["difference"]) == (EXPECTED, -500)
    assert pit.get("/api/shift-report")["being_counted"] == []
