"""A table whose dealing device reads the cards: what it tells is kept secret until it is exposed."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from support.live import Someone
from support.playing import PLACES, House, Watching, house, number_of

from punto.server.access.identity import Duty

CARDS = ("7s", "6h", "Kd", "Kc")
"""In dealing order: Player has 7 and Banker 6, and nobody draws."""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house of its own: what is looked for in its database is nowhere else."""
    with house(tmp_path_factory.mktemp("device")) as made:
        yield made


@pytest.fixture(scope="module")
def device(served: House) -> Someone:
    """A device that goes from table to table: it is bound to each in turn."""
    return new_device(served, "the device", served.table(device="card-reading"))


def new_device(served: House, name: str, table: str) -> Someone:
    added = served.manager.post("/api/people", name=name, duty="Device", table=table)
    assert added["link"] is None
    return served.live.someone(added["token"], added["person"]["id"], "Device")


def bind(served: House, device: Someone, table: str) -> str:
    served.manager.post(f"/api/devices/{device.id}/binding", table=table)
    return table


@pytest.fixture
def table(served: House, device: Someone) -> str:
    """A table with a shoe in its device and a round whose initial deal is drawn."""
    name = bind(served, device, served.table(device="card-reading"))
    draw(served, name)
    return name


def draw(served: House, table: str) -> None:
    for command in ("OpenBets", "CloseBets", "DrawCard", "DrawCard", "DrawCard", "DrawCard"):
        served.dealer.done(table, command)


def told(
    device: Someone, table: str, sequence: int, card: str, shoe: str | None = None, key: str | None = None
) -> tuple[int, dict[str, Any]]:
    """What a device is answered that tells a card."""
    body = {"shoe": shoe or f"{table} shoe", "sequence": sequence, "card": card, "key": key}
    answer = device.http.post(f"/api/tables/{table}/cards", json=body)
    content: dict[str, Any] = answer.json()
    return answer.status_code, content


def tell(device: Someone, table: str, *cards: str, first: int = 0) -> None:
    for number, card in enumerate(cards, start=first):
        assert told(device, table, number, card) == (200, {"sequence": number, "repeated": False})


def test_what_the_device_reads_is_what_is_exposed(served: House, device: Someone, table: str) -> None:
    tell(device, table, *CARDS)
    for hand, place in PLACES:
        served.dealer.done(table, "ExposeCard", hand=hand, place=place)
    hands = served.dealer.get(f"/api/tables/{table}")["view"]["hands"]
    assert {hand: ["".join(card) for card in cards] for hand, cards in hands.items()} == {
        "player": ["7s", "Kd"],
        "banker": ["6h", "Kc"],
    }
    served.dealer.done(table, "AnnounceOutcome")
    served.dealer.done(table, "SettleRound")


def test_the_device_is_believed_and_not_the_dealer(served: House, device: Someone, table: str) -> None:
    tell(device, table, *CARDS)
    served.dealer.done(table, "ExposeCard", hand="player", place=0, card=["2", "h"])
    assert served.dealer.get(f"/api/tables/{table}")["view"]["hands"]["player"][0] == ["7", "s"]


def test_a_card_not_told_yet_cannot_be_exposed(served: House, device: Someone, table: str) -> None:
    tell(device, table, *CARDS[:2])
    dealer, number = served.dealer, number_of(served.dealer, table)
    assert dealer.refused(table, "ExposeCard", hand="player", place=1) == "card-not-told"
    assert number_of(dealer, table) == number
    dealer.done(table, "ExposeCard", hand="player", place=0)
    tell(device, table, *CARDS[2:], first=2)
    dealer.done(table, "ExposeCard", hand="player", place=1)


def test_a_retry_by_its_key_is_answered_alike(device: Someone, table: str) -> None:
    key = f"{table} first".replace(" ", "-")
    assert told(device, table, 0, "7s", key=key) == (200, {"sequence": 0, "repeated": False})
    for card in ("7s", "7h"):  # the card is not compared: a key that can be foreseen would make that a question
        assert told(device, table, 0, card, key=key) == (200, {"sequence": 0, "repeated": True})
    for sequence in (1, 2):
        assert told(device, table, sequence, "7s", key=key)[1]["code"] == "key-used"
    served_card = told(device, table, 1, "6h", key=f"{key}-2")
    assert served_card == (200, {"sequence": 1, "repeated": False})


def test_a_gap_names_the_card_that_is_expected(device: Someone, table: str) -> None:
    tell(device, table, *CARDS[:2])
    status, refused = told(device, table, 3, "Kc")
    assert (status, refused["code"], refused["values"]) == (409, "card-read-gap", {"index": 3, "expected": 2})
    tell(device, table, "Kd", "Kc", first=2)


def test_a_card_told_many_times_at_once_is_taken_in_once(device: Someone, table: str) -> None:
    with ThreadPoolExecutor(8) as threads:
        for sequence, card in enumerate(CARDS):
            key = f"{table}-{sequence}"
            tell_it = partial(told, device, table, sequence, card, None, key)
            answers = list(threads.map(lambda _, tell=tell_it: tell(), range(8)))
            assert [status for status, _ in answers] == [200] * 8
            assert sorted(answer["repeated"] for _, answer in answers) == [False] + [True] * 7


def test_cards_told_before_they_are_drawn_wait_for_it(served: House, device: Someone) -> None:
    """A device may be quicker than the Dealer's command."""
    table = bind(served, device, served.table(device="card-reading"))
    tell(device, table, *CARDS)
    draw(served, table)
    for hand, place in PLACES:
        served.dealer.done(table, "ExposeCard", hand=hand, place=place)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"shoe": "another shoe"}, "cannot-be"),
        ({"shoe": ""}, "cannot-be"),
        ({"sequence": 416}, "cannot-be"),
        ({"sequence": -1}, "bad-message"),
        ({"sequence": 10_000}, "bad-message"),
        ({"card": "1s"}, "bad-message"),
        ({"card": "7"}, "bad-message"),
        ({"card": ["7", "s"]}, "bad-message"),
        ({"hand": "player"}, "bad-message"),
    ],
)
def test_what_makes_no_sense_is_refused(device: Someone, table: str, body: dict[str, Any], code: str) -> None:
    whole = {"shoe": f"{table} shoe", "sequence": 0, "card": "7s"} | body
    answer = device.http.post(f"/api/tables/{table}/cards", json=whole)
    assert (answer.status_code, answer.json()["code"]) == (422 if code == "bad-message" else 409, code)
    tell(device, table, "7s")


def test_only_a_table_with_such_a_device_takes_cards(served: House, device: Someone) -> None:
    manual = bind(served, device, served.table())
    status, refused = told(device, manual, 0, "7s")
    assert (status, refused["code"]) == (409, "cannot-be")


def test_nobody_but_a_device_tells_cards(served: House, table: str) -> None:
    (patron,) = served.patrons(1)
    for someone in (patron, served.dealer, served.manager, served[Duty.AUDITOR]):
        status, refused = told(someone, table, 0, "7s")
        assert (status, refused["code"]) == (403, "not-permitted")
    status, refused = told(served.live.nobody(), table, 0, "7s")
    assert (status, refused["code"]) == (401, "not-signed-in")


def test_a_device_does_nothing_else(served: House, device: Someone, table: str) -> None:
    assert device.get("/api/me")["duty"] == "Device"
    assert device.give(table, "DrawCard").json()["code"] == "no-position"
    for path in ("/api/people", "/api/cage/accounts"):
        assert device.http.get(path).status_code == 403
    assert "chips" not in device.get(f"/api/tables/{table}")["view"]
    answer = device.http.post("/api/me/password", json={"password": "a long enough password"})
    assert (answer.status_code, answer.json()["code"]) == (409, "cannot-be")
    another = {"name": "another", "duty": "Device", "table": table}
    assert served.cashier.http.post("/api/people", json=another).status_code == 403


def test_a_new_token_takes_the_place_of_the_old(served: House, table: str) -> None:
    device = new_device(served, "a device that is given another token", table)
    tell(device, table, "7s")
    added = served.manager.post(f"/api/people/{device.id}/link")
    assert added["link"] is None
    again = served.live.someone(added["token"], device.id, "Device")
    status, refused = told(device, table, 1, "6h")
    assert (status, refused["code"]) == (401, "not-signed-in")
    tell(again, table, "6h", first=1)
    served.manager.post(f"/api/people/{device.id}/active", active=False)
    assert told(again, table, 2, "Kd")[0] == 401
    answer = served.manager.http.post(f"/api/people/{device.id}/link")
    assert (answer.status_code, answer.json()["code"]) == (409, "cannot-be")


def test_no_card_is_in_the_clear_before_it_is_exposed(served: House, device: Someone) -> None:
    """Not in the database, not in the log, not in a view or event; a deal of a shoe with one rank shows it best."""
    table = bind(served, device, served.table("tiger", device="card-reading"))
    draw(served, table)
    hidden = ("9c", "9d", "9h", "9s")
    with served.manager.socket() as socket:
        watching = Watching(socket, table, after=0)
        tell(device, table, *hidden)
        watching.hear_until(number_of(served.manager, table))
        seen = [*watching.views.values(), *(str(each) for each in watching.events.values())]
    seen.append(served.manager.http.get(f"/api/tables/{table}/events").text)
    seen.append(served.live.log.read_text("utf-8"))
    seen += [file.read_bytes().decode("latin-1") for file in Path(served.database).parent.glob("punto.db*")]
    for card in hidden:
        for way in (
            f'"{card}"',
            f'["{card[0]}","{card[1]}"]',
            f"['{card[0]}', '{card[1]}']",
            f'["{card[0]}", "{card[1]}"]',
        ):
            assert [text[:80] for text in seen if way in text] == []
    for hand, place in PLACES:
        served.dealer.done(table, "ExposeCard", hand=hand, place=place)
    now = served.manager.http.get(f"/api/tables/{table}/events").text
    assert all(f'["{card[0]}","{card[1]}"]' in now for card in hidden)


def test_a_patron_who_looks_is_told_his_cards_and_nobody_else_is(served: House, device: Someone) -> None:
    """Method A: the hand goes face down to the patron with the most on it, and he alone sees it."""
    ann, bob = served.patrons(2)
    table, dealer = bind(served, device, served.table(device="card-reading", method="A")), served.dealer
    for patron in (ann, bob):
        patron.done(table, "BuyIn", patron=patron.id, amount=10_000)
    dealer.done(table, "OpenBets")
    ann.done(table, "PlaceWager", patron=ann.id, position=1, wager="Player", amount=1_000)
    bob.done(table, "PlaceWager", patron=bob.id, position=2, wager="Banker", amount=1_000)
    dealer.done(table, "CloseBets")
    for _ in PLACES:
        dealer.done(table, "DrawCard")
    tell(device, table, *CARDS)
    dealer.done(table, "ChooseFirstHand", hand="player")
    dealer.done(table, "PassHand", hand="player", patron=ann.id)
    with ann.socket() as hers, bob.socket() as his:
        watching, other = Watching(hers, table), Watching(his, table)
        watching.hear(), other.hear()
        assert bob.refused(table, "LookAtCards", hand="player") == "not-your-cards"
        ann.done(table, "LookAtCards", hand="player")
        while not (watching.mine and watching.mine[-1]["view"]["cards"]):
            watching.hear()
        assert watching.mine[-1]["view"]["cards"] == {"player": [["7", "s"], ["K", "d"]]}
        assert ann.get(f"/api/tables/{table}/mine")["cards"] == {"player": [["7", "s"], ["K", "d"]]}
        other.hear_until(number_of(bob, table))
        assert all(not each["view"]["cards"] for each in other.mine)
    assert bob.get(f"/api/tables/{table}/mine")["cards"] == {}
    assert ann.get(f"/api/tables/{table}")["view"]["hands"]["player"] == [None, None]
    ann.done(table, "ExposeCard", hand="player", place=0)


def test_a_new_shoe_begins_at_card_0(served: House, device: Someone, table: str) -> None:
    tell(device, table, *CARDS)
    served.dealer.done(table, "Refer", matter="enough")
    served.manager.done(table, "DecideReferral", void=True)
    served.manager.done(table, "EndShoe")
    assert told(device, table, 4, "2c")[1]["code"] == "cannot-be"
    served.dealer.done(table, "LoadShoe", shoe="a second shoe")
    assert told(device, table, 4, "2c", shoe="a second shoe")[1]["code"] == "card-read-gap"
    assert told(device, table, 0, "2c", shoe="a second shoe")[0] == 200


def test_a_shoe_that_was_read_is_not_taken_for_another_of_its_name(served: House, device: Someone, table: str) -> None:
    """What was read from one shoe must never be exposed from another, so each has its own name."""
    tell(device, table, *CARDS)
    served.dealer.done(table, "Refer", matter="enough")
    served.manager.done(table, "DecideReferral", void=True)
    served.manager.done(table, "EndShoe")
    assert served.dealer.refused(table, "LoadShoe", shoe=f"{table} shoe") == "cannot-be"
    served.dealer.done(table, "LoadShoe", shoe=f"{table} second")
    draw(served, table)
    assert served.dealer.refused(table, "ExposeCard", hand="player", place=0) == "card-not-told"
    assert told(device, table, 0, "2c", shoe=f"{table} second")[0] == 200
    served.dealer.done(table, "ExposeCard", hand="player", place=0)
    assert served.dealer.get(f"/api/tables/{table}")["view"]["hands"]["player"][0] == ["2", "c"]
