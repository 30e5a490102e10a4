"""A patron's own statement: it adds up, covers a year unless days are given, and is theirs alone."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from support.live import Someone
from support.pdf_text import pdf_text
from support.playing import House, deal, over_http


@pytest.fixture(scope="module")
def ann(served: House) -> Someone:
    """A patron who brought 1,000 to a table, won 100, took 600 away, and left 500 there."""
    table = served.table()
    (ann,) = served.patrons(1)
    dealer = over_http(served.dealer, table)
    ann.done(table, "BuyIn", patron=ann.id, amount=100_000)
    dealer("OpenBets")
    ann.done(table, "PlaceWager", patron=ann.id, position=1, wager="Player", amount=10_000)
    dealer("CloseBets")
    deal(dealer, "9c 2c Kd 3d")
    dealer("AnnounceOutcome")
    dealer("SettleRound")
    ann.done(table, "CashOut", patron=ann.id, amount=60_000)
    return ann


def test_a_patron_reconciles_their_year(ann: Someone) -> None:
    told = ann.get("/api/history/statement")
    account, (game,) = told["account"], told["play"]
    moved = {"deposit": 1, "to-table": -1, "from-table": 1}
    assert [each["kind"] for each in account["entries"]] == ["deposit", "to-table", "from-table"]
    balance = account["opening"]
    for entry in account["entries"]:
        balance += moved[entry["kind"]] * entry["amount"]
        assert (entry["balance"], entry["number"] > 0, entry["at"] > 0) == (balance, True, True)
    assert (account["opening"], balance) == (0, account["closing"])
    assert (game["game"], game["rounds"], game["staked"], game["net"]) == ("baccarat", 1, 10_000, 10_000)
    assert (game["bought"], game["cashed"]) == (100_000, 60_000)
    chips = game["bought"] - game["cashed"] + game["net"]
    assert chips == 50_000
    mine = ann.get("/api/cage/mine")
    assert mine["holds"] == account["closing"]
    assert account["end"] - account["start"] > 364 * 24 * 60 * 60_000


def test_a_statement_is_of_the_days_asked_for_and_on_paper(ann: Someone) -> None:
    tomorrow = date.fromisoformat(ann.get("/api/history")["days"][0]["day"]) + timedelta(days=1)
    told = ann.get("/api/history/statement", since=str(tomorrow))
    assert (told["account"]["entries"], told["play"]) == ([], [])
    assert told["account"]["opening"] == told["account"]["closing"] > 0
    assert ann.http.get("/api/history/statement", params={"until": "0001-01-02"}).status_code in (200, 422)
    paper = pdf_text(ann.http.get("/api/history/statement.pdf").content)
    for said in ("Statement of account", "Play", "Left at tables", "500.00"):
        assert said in paper
    assert "Cage cashier" not in paper
    assert "投注记录" in pdf_text(ann.http.get("/api/history/statement.pdf", params={"language": "zh"}).content)


def test_a_statement_is_ones_own(served: House, ann: Someone) -> None:
    (bob,) = served.patrons(1)
    assert ann.id not in bob.http.get("/api/history/statement").text
    assert bob.get("/api/history/statement")["play"] == []
    for path in ("/api/history/statement", "/api/history/statement.pdf"):
        assert served.live.nobody().http.get(path).status_code == 401
