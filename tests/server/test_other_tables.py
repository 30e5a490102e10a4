"""A Dealer reads the logs of tables where they are or were today signed on; every route with a table is tried."""

from __future__ import annotations

import pytest
from support.live import Someone, hear, say
from support.playing import House, number_of

from punto.server.access.identity import Duty
from punto.server.access.permissions import Permission
from punto.server.http.app import ENDPOINTS

NOW = {
    "/api/tables/{table}/names",
    "/api/tables/{table}/seats",
    "/api/tables/{table}/procedures",
}
"""Of the table as it stands, which a Dealer sees who may come to relieve another: nothing of its log."""
OPEN = {each.path for each in ENDPOINTS if each.method == "GET" and "{table}" in each.path and not each.permission}
"""For everyone, each caller sees what they may."""
VALUES = {"round": "1", "shoe": "one", "number": "1", "session": "1", "person": "nobody", "slip": "1", "patron": "x"}


def new_dealer(served: House, name: str) -> Someone:
    added = served.manager.post("/api/people", name=name, duty="Dealer")
    return served.live.by_link(added["link"].rpartition("/")[2])


@pytest.fixture
def table(served: House) -> str:
    """A table at which the first Dealer is signed on."""
    name = served.table()
    served.dealer.done(name, "SignOn")
    served.dealer.done(name, "OpenBets")
    return name


def test_no_route_tells_a_dealer_of_another_table(served: House, table: str) -> None:
    stranger = new_dealer(served, f"stranger to {table}")
    read = [each for each in ENDPOINTS if each.method == "GET" and "{table}" in each.path]
    assert len(read) > 20
    for each in read:
        if each.path in OPEN | NOW or each.path.startswith(("/tables", "/display", "/dealer", "/audit")):
            continue
        path = each.path.format(table=table, **VALUES)
        assert stranger.http.get(path).status_code == 403, path


def test_others_read_it_by_their_duty(served: House, table: str) -> None:
    path = f"/api/audit/tables/{table}/rounds"
    for duty in Duty:
        if duty in (Duty.DEVICE, Duty.PATRON, Duty.DEALER):
            continue
        status = served[duty].http.get(path).status_code
        assert (status in (200, 202)) == Permission.READ_LOG.is_given_to(duty), duty


def test_a_dealer_sees_the_log_of_another_table_as_the_public_does(served: House, table: str) -> None:
    stranger, path = new_dealer(served, f"another stranger to {table}"), f"/api/tables/{table}/events"
    assert stranger.get(path) == served.live.nobody().get(path)
    assert len(served.dealer.get(path)) > len(stranger.get(path))
    with stranger.socket() as socket:
        say(socket, "Subscribe", table=table, after=0)
        told = hear(socket, "table")
        assert (told["resync"], told["events"]) == (True, [])


def test_a_dealer_who_was_there_today_still_reads_it(served: House, table: str) -> None:
    second = new_dealer(served, f"relief at {table}")
    path = f"/api/audit/tables/{table}/rounds"
    assert second.http.get(path).status_code == 403
    second.done(table, "CallPit", note="from elsewhere")
    assert second.http.get(path).status_code == 403, "to act there is not to be its Dealer"
    second.done(table, "SignOn")
    assert second.http.get(path).status_code in (200, 202)
    assert served.dealer.http.get(path).status_code in (200, 202), "relieved, and there today"
    number = number_of(second, table)
    assert second.get(f"/api/tables/{table}/events")[-1]["number"] == number


def test_over_a_socket_a_dealer_is_told_no_more_of_the_log_than_over_http(served: House) -> None:
    """Where nobody is signed on too: to follow a table is not to read what was before."""
    name, (ann,) = served.table(), served.patrons(1)
    served.dealer.done(name, "OpenBets")
    ann.done(name, "BuyIn", patron=ann.id, amount=12_300)
    stranger = new_dealer(served, f"stranger at {name}")
    assert stranger.http.get(f"/api/audit/tables/{name}/rounds").status_code == 403
    with stranger.socket() as socket:
        say(socket, "Subscribe", table=name, after=0)
        assert "BoughtIn" not in {each["name"] for each in hear(socket, "table")["events"]}
