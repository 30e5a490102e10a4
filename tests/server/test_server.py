"""A server as people use it: whole rounds over HTTP and over sockets, retries, and money to the cent."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass
from time import time
from typing import Any

import apsw
import pytest
from support.live import Someone
from support.playing import Give, House, account, audited, chips, deal, number_of, over_http, over_socket

from punto import APPROVED


@pytest.fixture(scope="module")
def patrons(served: House) -> list[Someone]:
    return served.patrons(3)


# --- whole rounds ----------------------------------------------------------------------------------------------------

Wagers = tuple[tuple[int, str, int, int], ...]
"""Position, name, stake, and what is handed back, by hand from the documents; in cents."""


@dataclass(frozen=True)
class Round:
    """A coup, and what two patrons have on it."""

    cards: str
    ann: Wagers
    bob: Wagers


ROUNDS = {
    "baccarat": Round(
        "2s 3d 2h 4c Kd",  # Banker wins 7 to 4, and Player has a pair: 0.95 to 1 and 11 to 1
        ((1, "Player", 1_000, 0), (1, "Player Pair", 500, 6_000)),
        ((2, "Banker", 1_500, 2_925), (2, "Tie", 500, 0)),
    ),
    "tiger": Round(
        "2s Ah 2h Kc Kd 5c",  # Banker wins on a 6 of three cards: 0.95, 20, 50 and 4 to 1
        ((1, "Player", 1_000, 0), (1, "Tiger", 500, 10_500), (1, "Tiger Pair", 700, 3_500)),
        ((2, "Banker", 2_100, 4_095), (2, "Big Tiger", 500, 25_500), (2, "Small Tiger", 500, 0)),
    ),
    "tiger-no-commission": Round(
        "2s Ah 2h Kc Kd 5c",  # Banker wins on 6: 1 to 2
        ((1, "Player", 1_000, 0), (1, "Tiger Pair", 700, 3_500)),
        ((2, "Banker", 2_100, 3_150), (2, "Big Tiger", 500, 25_500), (2, "Tiger Tie", 500, 0)),
    ),
    "dragon-tiger": Round(
        "7s 6h Kd Kc",  # Player 7 over Banker 6 with four cards: 1, 30 and 15 to 1
        ((1, "Player", 1_100, 2_200), (1, "Dragon Tiger", 500, 15_500)),
        ((2, "Banker", 2_000, 0), (2, "Small Dragon", 600, 9_600), (2, "Big Dragon", 500, 0)),
    ),
    "fabulous-4": Round(
        "2s Ah 2h 2c Kd Kc",  # Player wins 4 to 3 with a pair: 1 to 2, 50 and 9 to 1
        ((1, "Player", 1_100, 1_650), (1, "Player Fabulous 4", 500, 25_500)),
        ((2, "Banker", 2_000, 0), (2, "Player Precious Pair", 500, 5_000)),
    ),
}


@pytest.mark.parametrize("way", ["http", "socket"])
@pytest.mark.parametrize("game", APPROVED)
def test_a_whole_round_is_right_to_the_cent(served: House, patrons: list[Someone], game: str, way: str) -> None:
    table = served.table(game)
    people = {"dealer": served.dealer, "ann": patrons[0], "bob": patrons[1]}
    with ExitStack() as opened:
        if way == "http":
            give = {name: over_http(person, table) for name, person in people.items()}
        else:
            sockets = {name: opened.enter_context(person.socket()) for name, person in people.items()}
            give = {name: over_socket(socket, table) for name, socket in sockets.items()}
        play_round(table, people, give, ROUNDS[game])
    assert audited(served.database) == []


def play_round(table: str, people: dict[str, Someone], give: dict[str, Give], coup: Round) -> None:
    """A round from the account and back to it, with what everybody has after every step."""
    before = {name: account(people[name]) for name in ("ann", "bob")}
    for name in before:
        give[name]("BuyIn", patron=people[name].id, amount=50_000)
        assert (account(people[name]), chips(people[name], table)) == (before[name] - 50_000, 50_000)
    give["dealer"]("OpenBets")
    staked = {"ann": 0, "bob": 0}
    for name, wagers in (("ann", coup.ann), ("bob", coup.bob)):
        for position, wager, stake, _ in wagers:
            give[name]("PlaceWager", patron=people[name].id, position=position, wager=wager, amount=stake)
            staked[name] += stake
            assert chips(people[name], table) == 50_000 - staked[name]
    give["dealer"]("CloseBets")
    deal(give["dealer"], coup.cards)
    give["dealer"]("AnnounceOutcome")
    assert chips(people["ann"], table) == 50_000 - staked["ann"]  # nobody is paid before the round is settled
    give["dealer"]("SettleRound")
    for name, wagers in (("ann", coup.ann), ("bob", coup.bob)):
        has = 50_000 - staked[name] + sum(back for *_, back in wagers)
        assert chips(people[name], table) == has
        give[name]("CashOut", patron=people[name].id, amount=has)
        assert (chips(people[name], table), account(people[name])) == (0, before[name] - 50_000 + has)


def test_a_link_signs_in_once(served: House) -> None:
    added = served.cashier.post("/api/people", name="somebody by a link", duty="patron")
    patron = served.live.by_link(added["link"])
    known = {"id": patron.id, "name": "somebody by a link", "duty": "patron", "active": True, "guest": False}
    assert patron.get("/api/me").items() >= known.items()
    again = patron.http.post("/api/links", json={"link": added["link"]})
    assert (again.status_code, again.json()["code"]) == (409, "cannot-be")
    patron.post("/api/sign-out")
    assert patron.http.get("/api/me").status_code == 401


# --- retries ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def betting(served: House, patrons: list[Someone]) -> str:
    """A table at which bets are open, with two patrons."""
    table = served.table()
    for patron in patrons[:2]:
        patron.done(table, "BuyIn", patron=patron.id, amount=100_000)
    served.dealer.done(table, "OpenBets")
    return table


def test_a_retry_gets_the_first_answer_and_another_body_is_refused(betting: str, patrons: list[Someone]) -> None:
    ann = patrons[0]
    wager = {"patron": ann.id, "position": 1, "wager": "Player", "amount": 1_000, "key": f"{betting}-first"}
    first = ann.done(betting, "PlaceWager", **wager)
    assert not first["repeated"]
    ann.done(betting, "PlaceWager", **wager | {"key": f"{betting}-second"})
    with ann.socket() as socket:
        again = over_socket(socket, betting)("PlaceWager", **wager)
    assert (again["first"], again["last"], again["repeated"]) == (first["first"], first["last"], True)
    assert ann.done(betting, "PlaceWager", **wager)["repeated"]
    assert chips(ann, betting) == 98_000
    for other in ({"amount": 2_000}, {"wager": "Banker"}, {"in_round": 1}):
        assert ann.refused(betting, "PlaceWager", **wager | other) == "key-used"
    assert ann.refused(betting, "CashOut", patron=ann.id, amount=100, key=wager["key"]) == "key-used"
    assert chips(ann, betting) == 98_000


def test_a_retry_is_answered_when_the_command_could_not_be_done_any_more(
    served: House, betting: str, patrons: list[Someone]
) -> None:
    ann = patrons[0]
    wager = {"patron": ann.id, "position": 1, "wager": "Player", "amount": 1_000, "key": f"{betting}-late"}
    first = ann.done(betting, "PlaceWager", **wager, in_round=1)
    closing = served.dealer.done(betting, "CloseBets", key=f"{betting}-close")
    assert ann.done(betting, "PlaceWager", **wager, in_round=1) == first | {"repeated": True}
    assert served.dealer.done(betting, "CloseBets", key=f"{betting}-close") == closing | {"repeated": True}
    fresh = wager | {"key": f"{betting}-fresh"}
    assert ann.refused(betting, "PlaceWager", **fresh) == "late-wager"


def test_the_key_of_a_refused_command_can_be_used_again(betting: str, patrons: list[Someone]) -> None:
    ann, key = patrons[0], f"{betting}-again"
    wager = {"patron": ann.id, "position": 1, "wager": "Player", "key": key}
    assert ann.refused(betting, "PlaceWager", **wager, amount=100_000_000) == "over-maximum"
    assert not ann.done(betting, "PlaceWager", **wager, amount=1_000)["repeated"]
    assert ann.done(betting, "PlaceWager", **wager, amount=1_000)["repeated"]
    assert chips(ann, betting) == 99_000


def test_a_key_is_its_senders_own(betting: str, patrons: list[Someone]) -> None:
    ann, bob, key = patrons[0], patrons[1], f"{betting}-both"
    for patron in (ann, bob):
        wager = {"patron": patron.id, "position": 1, "wager": "Player", "amount": 1_000, "key": key}
        assert not patron.done(betting, "PlaceWager", **wager)["repeated"]
    assert chips(ann, betting) == chips(bob, betting) == 99_000


def test_a_key_used_at_one_table_is_refused_at_another(served: House, betting: str, patrons: list[Someone]) -> None:
    ann, other = patrons[0], served.table()
    order = {"patron": ann.id, "amount": 500, "key": f"{betting}-tables"}
    ann.done(betting, "BuyIn", **order)
    held = account(ann)
    assert ann.refused(other, "BuyIn", **order) == "key-used"
    assert (account(ann), chips(ann, other)) == (held, 0)


def test_many_at_once_with_one_key_do_one_thing(betting: str, patrons: list[Someone]) -> None:
    ann = patrons[0]
    wager = {"patron": ann.id, "position": 3, "wager": "Tie", "amount": 500, "key": f"{betting}-storm"}
    with ThreadPoolExecutor(20) as threads:
        answers = list(threads.map(lambda _: ann.done(betting, "PlaceWager", **wager), range(20)))
    assert sorted(answer["repeated"] for answer in answers) == [False] + [True] * 19
    assert len({(answer["first"], answer["last"]) for answer in answers}) == 1
    assert chips(ann, betting) == 99_500


# --- rounds and windows ----------------------------------------------------------------------------------------------


def test_a_command_for_another_round_or_window_is_refused(served: House, betting: str, patrons: list[Someone]) -> None:
    ann = patrons[0]
    view = ann.get(f"/api/tables/{betting}")["view"]
    assert view["round"] == 1
    wager = {"patron": ann.id, "position": 1, "wager": "Player", "amount": 500}
    ann.done(betting, "PlaceWager", **wager, in_round=1, in_window=view["window"])
    assert ann.refused(betting, "PlaceWager", **wager, in_round=2) == "another-round"
    assert ann.refused(betting, "PlaceWager", **wager, in_round=0) == "another-round"
    assert ann.refused(betting, "PlaceWager", **wager, in_window=view["window"] + 1) == "window-over"
    dealer = served.dealer
    dealer.done(betting, "CloseBets", in_round=1, in_window=view["window"])
    assert ann.refused(betting, "PlaceWager", **wager, in_window=view["window"]) == "window-over"
    deal(over_http(dealer, betting), "7s 6h Kd Kc")
    dealer.done(betting, "AnnounceOutcome")
    dealer.done(betting, "SettleRound")
    dealer.done(betting, "OpenBets")
    assert ann.refused(betting, "PlaceWager", **wager, in_round=1) == "another-round"
    assert ann.refused(betting, "PlaceWager", **wager, in_window=view["window"]) == "window-over"
    now = ann.get(f"/api/tables/{betting}")["view"]
    ann.done(betting, "PlaceWager", **wager, in_round=2, in_window=now["window"])


def test_a_command_that_was_held_up_does_nothing_but_a_retry_learns_whether_it_counted(
    betting: str, patrons: list[Someone]
) -> None:
    ann = patrons[0]
    wager = {"patron": ann.id, "position": 1, "wager": "Player", "amount": 500}
    now = round(time() * 1000)
    assert ann.refused(betting, "PlaceWager", **wager, expires=now - 1, key=f"{betting}-held-up") == "expired"
    ann.done(betting, "PlaceWager", **wager, expires=now + 60_000, key=f"{betting}-in-time")
    answer = ann.done(betting, "PlaceWager", **wager, expires=now - 1, key=f"{betting}-in-time")
    assert answer["repeated"]
    (laid,) = ann.get(f"/api/tables/{betting}")["view"]["wagers"]
    assert laid["amount"] == 500


# --- money between the cage and the tables ---------------------------------------------------------------------------


def test_an_account_that_is_short_changes_nothing_anywhere(served: House, patrons: list[Someone]) -> None:
    (poor,) = served.patrons(1, holds=1_000)
    table = served.table()
    number = number_of(poor, table)
    assert poor.refused(table, "BuyIn", patron=poor.id, amount=1_001) == "account-short"
    assert (account(poor), chips(poor, table), number_of(poor, table)) == (1_000, 0, number)
    ann = patrons[0]
    held = account(ann)
    assert poor.refused(table, "BuyIn", patron=ann.id, amount=500) == "not-your-chips"
    assert poor.refused(table, "CashOut", patron=ann.id, amount=500) == "not-your-chips"
    assert (account(ann), number_of(poor, table)) == (held, number)
    poor.done(table, "BuyIn", patron=poor.id, amount=1_000)
    assert (account(poor), chips(poor, table)) == (0, 1_000)
    refused = served.cashier.http.post("/api/cage/payments", json={"patron": poor.id, "amount": 1})
    assert (refused.status_code, refused.json()["code"]) == (409, "account-short")


def test_a_table_that_refuses_leaves_the_cage_as_it_was(served: House, patrons: list[Someone]) -> None:
    ann, table = patrons[0], served.table()
    ann.done(table, "BuyIn", patron=ann.id, amount=5_000)
    held, number = account(ann), number_of(ann, table)
    assert ann.refused(table, "CashOut", patron=ann.id, amount=5_001) == "not-enough-chips"
    assert ann.refused(table, "CashOut", patron=ann.id, amount=0) == "bad-amount"
    assert ann.refused(table, "BuyIn", patron=ann.id, amount=-5) == "bad-amount"
    assert ann.refused(table, "BuyIn", patron=ann.id, amount=5, in_round=7) == "another-round"
    assert ann.refused(table, "BuyIn", patron=ann.id, amount=1_000_000_000) == "too-many-chips"
    assert (account(ann), number_of(ann, table), chips(ann, table)) == (held, number, 5_000)
    shut = f"{table}-shut"
    served.manager.post("/api/tables", table=shut, game="baccarat")
    assert ann.refused(shut, "BuyIn", patron=ann.id, amount=100) == "table-not-open"
    assert account(ann) == held


def test_of_fifty_buy_ins_at_once_an_account_pays_for_twenty(served: House) -> None:
    (patron,) = served.patrons(1, holds=20 * 700 + 699)
    tables = [served.table(), served.table()]

    def buy_in(number: int) -> str:
        answer = patron.give(tables[number % 2], "BuyIn", patron=patron.id, amount=700)
        told: str = "done" if answer.status_code == 200 else answer.json()["code"]
        return told

    with ThreadPoolExecutor(50) as threads:
        answers = sorted(threads.map(buy_in, range(50)))
    assert answers == ["account-short"] * 30 + ["done"] * 20
    assert account(patron) == 699
    assert sum(chips(patron, table) for table in tables) == 20 * 700
    assert audited(served.database) == []


def test_staff_take_cash_and_hand_out_chips_without_an_account(served: House) -> None:
    (patron,) = served.patrons(1, holds=1_000)
    table, dealer = served.table(), served.dealer
    dealer.done(table, "BuyIn", patron=patron.id, amount=30_000, key=f"{table}-cash")
    assert dealer.done(table, "BuyIn", patron=patron.id, amount=30_000, key=f"{table}-cash")["repeated"]
    assert (account(patron), chips(patron, table)) == (1_000, 30_000)
    dealer.done(table, "CashOut", patron=patron.id, amount=10_000)
    assert (account(patron), chips(patron, table)) == (1_000, 20_000)
    patron.done(table, "CashOut", patron=patron.id, amount=20_000)  # he has it put into his account
    assert (account(patron), chips(patron, table)) == (21_000, 0)
    assert audited(served.database) == []


def test_a_deposit_with_a_key_is_made_once(served: House, patrons: list[Someone]) -> None:
    ann, cashier = patrons[0], served.cashier
    held = account(ann)
    order = {"patron": ann.id, "amount": 2_500, "key": "deposit-1"}
    assert cashier.post("/api/cage/deposits", **order)["holds"] == held + 2_500
    assert cashier.post("/api/cage/deposits", **order)["holds"] == held + 2_500
    for path, other in (("deposits", {"amount": 2_600}), ("deposits", {"patron": patrons[1].id}), ("payments", {})):
        answer = cashier.http.post(f"/api/cage/{path}", json=order | other)
        assert (answer.status_code, answer.json()["code"]) == (409, "key-used")
    paid = {"patron": ann.id, "amount": 1_000, "key": "payment-1"}
    for _ in range(3):
        assert cashier.post("/api/cage/payments", **paid)["holds"] == held + 1_500
    with ThreadPoolExecutor(10) as threads:
        storm = order | {"key": "deposit-2"}
        list(threads.map(lambda _: cashier.post("/api/cage/deposits", **storm), range(10)))
    assert account(ann) == held + 4_000
    everybody = {each["patron"]: each["holds"] for each in cashier.get("/api/cage/accounts")}
    assert everybody[ann.id] == held + 4_000


def test_only_patrons_have_accounts_and_only_a_cashier_keeps_them(served: House, patrons: list[Someone]) -> None:
    dealer, ann = served.dealer, patrons[0]
    for unknown in (dealer.id, "pnobodyknows", "no such"):
        answer = served.cashier.http.post("/api/cage/deposits", json={"patron": unknown, "amount": 100})
        assert answer.json()["code"] == "unknown-patron"
    for amount in (0, -100, 10**15, 1.5, "100", None):
        answer = served.cashier.http.post("/api/cage/deposits", json={"patron": ann.id, "amount": amount})
        assert (answer.status_code, answer.json()["code"]) == (422, "bad-message")
    for person in (dealer, ann, served.manager):
        answer = person.http.post("/api/cage/deposits", json={"patron": ann.id, "amount": 100})
        assert (answer.status_code, answer.json()["code"]) == (403, "not-permitted")


def house_log(served: House) -> list[dict[str, Any]]:
    """What stands in the house's own stream of a database on SQLite."""
    with closing(apsw.Connection(served.database, flags=apsw.SQLITE_OPEN_READONLY)) as database:
        rows = list(database.execute("select name, body from event where stream = 'house' order by number"))
    return [{"event": name, **json.loads(body)} for name, body in rows]


# --- tables ----------------------------------------------------------------------------------------------------------


def test_one_name_is_one_table_however_many_ask_for_it_at_once(served: House) -> None:
    manager = served.manager
    order = {"table": "asked-for-twice", "game": "baccarat"}
    with ThreadPoolExecutor(10) as threads:
        answers = list(threads.map(lambda _: manager.http.post("/api/tables", json=order).status_code, range(10)))
    assert sorted(answers) == [200] + [409] * 9
    created = [each for each in house_log(served) if each.get("table") == "asked-for-twice"]
    assert len(created) == 1


@pytest.mark.parametrize("name", ["house", "cage", "a b", "a.shoes", "", "a/b", "-" * 41])
def test_a_table_cannot_have_the_name_of_something_else(served: House, name: str) -> None:
    answer = served.manager.http.post("/api/tables", json={"table": name, "game": "baccarat"})
    assert answer.status_code in (409, 422)
    assert answer.json()["code"] in ("cannot-be", "bad-message")


def test_the_server_is_well_and_says_so(served: House) -> None:
    told = served.live.nobody().get("/healthz")
    assert told["ok"]
    assert told["tables"] == len(served.dealer.get("/api/tables"))


def test_a_seat_is_told_how_soon_the_next_round_follows_where_the_automaton_deals(served: House) -> None:
    for steps, pause in ((["announce", "settle"], "4.0"), (["announce"], ""), ([], "")):
        table = f"paced-{len(steps)}"
        served.manager.post("/api/tables", table=table, game="baccarat", automatic=steps)
        assert f'data-pause="{pause}"' in served.manager.http.get(f"/tables/{table}").text
