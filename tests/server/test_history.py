"""A patron's history over HTTP: their own, to the cent, and nobody else's."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

import pytest
from support.live import Someone
from support.playing import Give, House, deal, over_http

PLAYER_WINS = "9c 2c Kd 3d"
BANKER_WINS = "2c 9c 3d Kd"


@dataclass
class Played:
    """A table at which Ann won 100 and lost 50, and took back a wager; Bob lost 100 in the first round."""

    house: House
    table: str
    ann: Someone
    bob: Someone


@pytest.fixture(scope="module")
def played(served: House) -> Played:
    table, dealer, ann, bob = _betting(served)
    ann.done(table, "PlaceWager", patron=ann.id, position=1, wager="Tie", amount=5_000)
    ann.done(table, "TakeBackWager", patron=ann.id, position=1, wager="Tie", amount=5_000)
    bob.done(table, "PlaceWager", patron=bob.id, position=2, wager="Banker", amount=10_000)
    _finish(dealer, PLAYER_WINS)
    dealer("OpenBets")
    ann.done(table, "PlaceWager", patron=ann.id, position=1, wager="Player", amount=5_000)
    _finish(dealer, BANKER_WINS)
    ann.done(table, "CashOut", patron=ann.id, amount=105_000)
    return Played(served, table, ann, bob)


def _betting(house: House) -> tuple[str, Give, Someone, Someone]:
    """A table with two patrons who have 1,000 each, and Ann's wager of 100 on Player."""
    table = house.table()
    ann, bob = house.patrons(2)
    dealer = over_http(house.dealer, table)
    for patron in (ann, bob):
        patron.done(table, "BuyIn", patron=patron.id, amount=100_000)
    dealer("OpenBets")
    ann.done(table, "PlaceWager", patron=ann.id, position=1, wager="Player", amount=10_000)
    return table, dealer, ann, bob


def _finish(give: Any, cards: str) -> None:
    give("CloseBets")
    deal(give, cards)
    give("AnnounceOutcome")
    give("SettleRound")


def test_the_history_adds_up_by_day_table_and_session(played: Played) -> None:
    history = played.ann.get("/api/history")
    (day,) = history["days"]
    (session,) = day["sessions"]
    for sums in (history["sum"], day["sum"], day["tables"][played.table], session["sum"]):
        assert (sums["rounds"], sums["staked"], sums["net"]) == (2, 15_000, 5_000)
    assert (session["table"], session["title"], session["running"]) == (played.table, "Baccarat", False)
    assert (session["bought"], session["cashed"], session["balance"]) == (100_000, 105_000, 0)
    assert (history["tables"], history["more"]) == ([played.table], None)


def test_a_session_tells_every_round_with_cards_clause_and_balances(played: Played) -> None:
    (day,) = played.ann.get("/api/history")["days"]
    told = played.ann.get(f"/api/history/{played.table}/{day['sessions'][0]['session']}")
    lines = told["lines"]
    assert [each["kind"] for each in lines] == ["cash-out", "round", "round", "buy-in"]
    assert [(each["before"], each["balance"]) for each in lines] == [
        (105_000, 0), (110_000, 105_000), (100_000, 110_000), (0, 100_000)
    ]  # fmt: skip
    second, first = lines[1:3]
    assert (first["player"], first["banker"], first["winner"]) == (
        {"cards": [["9", "c"], ["K", "d"]], "total": 9}, {"cards": [["2", "c"], ["3", "d"]], "total": 5}, "player"
    )  # fmt: skip
    assert (second["winner"], second["net"]) == ("banker", -5_000)
    (wager,) = first["wagers"]
    assert (wager["patron"], wager["wager"], wager["returned"], wager["clause"]) == (
        played.ann.id, "Player", 20_000, "4.1"
    )  # fmt: skip


def test_a_round_step_by_step_shows_cards_as_they_were_turned_and_own_chips_alone(played: Played) -> None:
    (day,) = played.ann.get("/api/history")["days"]
    session = played.ann.get(f"/api/history/{played.table}/{day['sessions'][0]['session']}")
    round_ = played.ann.get(f"/api/history/{played.table}/rounds/{session['lines'][2]['number']}")
    steps = [(each["kind"], each["chips"]) for each in round_["steps"]]
    assert steps[:5] == [
        ("opened", 100_000), ("placed", 90_000), ("placed", 85_000), ("taken-back", 90_000), ("closed", 90_000)
    ]  # fmt: skip
    cards = [each for each in round_["steps"] if each["kind"] == "card"]
    assert [each["player"] for each in cards][:2] == [[["9", "c"], None], [["9", "c"], ["K", "d"]]]
    assert [(each["player_total"], each["banker_total"]) for each in cards] == [(9, None), (9, None), (9, 2), (9, 5)]
    assert steps[-2:] == [("outcome", 90_000), ("settled", 110_000)]
    assert played.bob.id not in str(round_)


@pytest.mark.long
def test_the_last_ten_rounds_are_recalled_with_all_their_steps(served: House) -> None:
    table = served.table()
    (ann,) = served.patrons(1)
    dealer = over_http(served.dealer, table)
    ann.done(table, "BuyIn", patron=ann.id, amount=100_000)
    for suit in "cdhs" * 2 + "cdh":
        dealer("OpenBets")
        ann.done(table, "PlaceWager", patron=ann.id, position=1, wager="Player", amount=5_000)
        _finish(dealer, f"9{suit} 2{suit} K{suit} 3{suit}")
    (day,) = ann.get("/api/history")["days"]
    session = ann.get(f"/api/history/{table}/{day['sessions'][0]['session']}")
    numbers = [each["number"] for each in session["lines"] if each["kind"] == "round"]
    assert len(numbers) == 11
    for number in numbers[:10]:
        kinds = [each["kind"] for each in ann.get(f"/api/history/{table}/rounds/{number}")["steps"]]
        assert kinds == ["opened", "placed", "closed", *["card"] * 4, "outcome", "settled"]


def test_a_history_is_ones_own(played: Played) -> None:
    """A patron of the same name, another patron, staff and a guest learn nothing of it."""
    (day,) = played.ann.get("/api/history")["days"]
    session = day["sessions"][0]["session"]
    number = played.ann.get(f"/api/history/{played.table}/{session}")["lines"][1]["number"]
    cashier, live = played.house.cashier, played.house.live
    name = next(each["name"] for each in cashier.get("/api/people") if each["id"] == played.ann.id)
    added = cashier.post("/api/people", name=name, duty="patron", sign_in="another of that name")
    namesake = live.by_link(added["link"])
    for other in (namesake, played.bob, played.house.manager):
        assert played.ann.id not in other.http.get("/api/history").text
        assert other.http.get(f"/api/history/{played.table}/{session}").status_code == 404
        assert other.http.get(f"/api/history/{played.table}/rounds/{number}").status_code == 404
    assert namesake.get("/api/history")["days"] == []
    assert namesake.http.get("/api/history/export.csv").text.count("\n") == 1
    for path in ("", "/now", "/export.csv", f"/{played.table}/{session}", f"/{played.table}/rounds/{number}"):
        assert live.nobody().http.get(f"/api/history{path}").status_code == 401


def test_a_corrected_round_shows_each_patron_their_own_correction_and_commission(served: House) -> None:
    """Ann lost and Bob won with commission on a card keyed wrongly; then it was the other way round."""
    table, dealer, ann, bob = _betting(served)
    bob.done(table, "PlaceWager", patron=bob.id, position=2, wager="Banker", amount=20_000)
    _finish(dealer, BANKER_WINS)
    cards = {"player": [["9", "h"], ["K", "h"]], "banker": [["2", "c"], ["3", "d"]]}
    served.manager.done(table, "CorrectRound", round=1, reason="a card was keyed wrongly", **cards)
    told = {}
    for patron, other in ((ann, bob), (bob, ann)):
        (day,) = patron.get("/api/history")["days"]
        session = patron.get(f"/api/history/{table}/{day['sessions'][0]['session']}")
        assert other.id not in str(session)
        told[patron.id] = session["lines"][:2]
    (corrected, first), (his, won) = told[ann.id], told[bob.id]
    assert [each["after"]["patron"] for line in (corrected, his) for each in line["corrections"]] == [ann.id, bob.id]
    (wager,) = won["wagers"]
    assert (wager["wager"], wager["stake"], wager["commission"], wager["returned"]) == ("Banker", 20_000, 1_000, 39_000)
    assert (first["wagers"][0]["returned"], first["wagers"][0]["commission"]) == (0, 0)
    assert [(each["kind"], each["balance"]) for each in (corrected, first, his, won)] == [
        ("correction", 110_000), ("round", 90_000), ("correction", 80_000), ("round", 119_000)
    ]  # fmt: skip
    assert (corrected["winner"], first["winner"]) == ("player", "banker")


def test_the_file_has_a_line_for_each_bet(played: Played) -> None:
    answer = played.ann.http.get("/api/history/export.csv", params={"table": played.table})
    assert answer.headers["content-disposition"] == 'attachment; filename="punto-history.csv"'
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    kept = ("table", "what", "round", "bet", "seat", "stake", "result", "returned", "net", "balance")
    assert [tuple(row[name] for name in kept) for row in rows] == [
        (played.table, "buy-in", "", "", "", "", "", "", "0.00", "1000.00"),
        (played.table, "round", "1", "Player", "1", "100.00", "win", "200.00", "100.00", "1100.00"),
        (played.table, "round", "2", "Player", "1", "50.00", "lose", "0.00", "-50.00", "1050.00"),
        (played.table, "cash-out", "", "", "", "", "", "", "0.00", "0.00"),
    ]
    assert all(row["time_utc"].startswith("20") for row in rows)


def test_days_are_chosen_and_bad_ones_refused_with_a_sentence(played: Played) -> None:
    today = date.fromisoformat(played.ann.get("/api/history")["days"][0]["day"])
    after, before = today + timedelta(days=1), today - timedelta(days=1)
    assert played.ann.get("/api/history", since=str(today), until=str(today))["sum"]["rounds"] == 2
    assert played.ann.get("/api/history", since=str(after))["days"] == []
    assert played.ann.get("/api/history", until=str(before))["days"] == []
    assert played.ann.get("/api/history", before=1)["days"] == []
    bad = [
        ({"since": str(after), "until": str(today)}, 422),
        ({"since": "yesterday"}, 422),
        ({"until": "9999-12-31"}, 422),
        ({"before": "-1"}, 422),
        ({"table": "nowhere"}, 404),
    ]
    for query, status in bad:
        for path in ("/api/history", "/api/history/export.csv"):
            if path.endswith("csv") and "before" in query:
                continue
            answer = played.ann.http.get(path, params=query)
            assert (answer.status_code, bool(answer.json()["sentence"])) == (status, True), query
    for path in ("nowhere/1", f"{played.table}/999999", f"{played.table}/rounds/1", f"{played.table}/x"):
        assert played.ann.http.get(f"/api/history/{path}").status_code in (404, 422)


def test_time_played_and_net_result_come_from_the_server(played: Played) -> None:
    now = played.ann.get("/api/history/now")
    assert (now["visit"]["net"], now["today"]["net"], now["visit"]["rounds"]) == (5_000, 5_000, 2)
    assert (now["visit_began"] <= now["now"], now["running"]) == (True, False)
    assert played.bob.get("/api/history/now")["running"]
    assert played.house.patrons(1)[0].get("/api/history/now")["visit_began"] is None


def test_a_reality_check_is_chosen_and_kept(played: Played) -> None:
    (patron,) = played.house.patrons(1)
    assert patron.get("/api/history/now")["reality_check"] == 0
    for minutes in (30, 15):
        patron.post("/api/history/reality-check", minutes=minutes)
        assert patron.get("/api/history/now")["reality_check"] == minutes
    assert patron.http.post("/api/history/reality-check", json={"minutes": 7}).status_code == 422
    assert patron.get("/api/history/now")["reality_check"] == 15
