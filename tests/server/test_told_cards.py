"""Cards that people tell the house: those a device missed or misread, and those set aside when a patron leaves."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from server.test_device import bind, draw, new_device, tell, told
from support.live import Someone
from support.playing import House, Watching, house, number_of, until

from punto.server.access.identity import Duty
from punto.server.realtime.messages import ClientMessage, IdempotencyKey, key_of, read_message
from punto.server.tables.shoe_readings import Readings
from punto.shoe import read_record, verify


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house of its own: what is looked for in its database is nowhere else."""
    with house(tmp_path_factory.mktemp("told")) as made:
        yield made


@pytest.fixture(scope="module")
def device(served: House) -> Someone:
    return new_device(served, "the device", served.table(device="card-reading"))


@pytest.fixture
def table(served: House, device: Someone) -> str:
    name = bind(served, device, served.table(device="card-reading"))
    draw(served, name)
    return name


def hands(served: House, table: str) -> dict[str, list[str]]:
    shown = served.dealer.get(f"/api/tables/{table}")["view"]["hands"]
    return {hand: ["".join(card) if card else "?" for card in cards] for hand, cards in shown.items()}


def expose(served: House, table: str, hand: str, place: int, **card: Any) -> None:
    served.dealer.done(table, "ExposeCard", hand=hand, place=place, **card)


def name(served: House, table: str, hand: str, place: int, card: str | None, misread: bool = False) -> None:
    """The Dealer names a card, and the Pit Manager confirms it."""
    said = {"card": list(card)} if card else {}
    served.dealer.done(table, "NameCard", hand=hand, place=place, misread=misread, **said)
    assert served.dealer.refused(table, "ConfirmCard") == "not-yours"
    served[Duty.PIT_MANAGER].done(table, "ConfirmCard")


@pytest.mark.parametrize("counts", [False, True], ids=["does not count it", "counts it"])
def test_the_sequence_closes_up_after_a_card_the_reader_missed(
    served: House, device: Someone, table: str, counts: bool
) -> None:
    """Player's second card was missed. A device that does not count it calls the card after it by its number."""
    tell(device, table, "7s", "6h")
    expose(served, table, "player", 0)
    assert served.dealer.refused(table, "ExposeCard", hand="player", place=1) == "card-not-told"
    name(served, table, "player", 1, "9c")
    assert hands(served, table)["player"] == ["7s", "9c"]
    later = 3 if counts else 2
    assert told(device, table, later, "Kc", key=table)[0] == 200
    assert told(device, table, later, "Kc", key=table) == (200, {"sequence": later, "repeated": True})
    assert told(device, table, later, "Kd")[1]["code"] == "card-read-gap"
    assert told(device, table, later + 2, "Kd")[1]["code"] == "card-read-gap"
    tell(device, table, "2c", first=later + 1)
    for place in (0, 1):
        expose(served, table, "banker", place)
    assert hands(served, table)["banker"] == ["6h", "Kc"]


def test_a_card_taken_for_the_next_is_put_right(served: House, device: Someone, table: str) -> None:
    """Nobody noticed that a card was missed: the next was shown in its place, until the Dealer saw another."""
    tell(device, table, "7s", "6h", "Kc")
    for place in (0, 1):
        expose(served, table, "player", place)
    assert hands(served, table)["player"] == ["7s", "Kc"]
    name(served, table, "player", 1, "9c")
    assert hands(served, table)["player"] == ["7s", "9c"]
    for place in (0, 1):
        expose(served, table, "banker", place)
    assert hands(served, table)["banker"] == ["6h", "Kc"]


def test_a_misread_card_shifts_nothing(served: House, device: Someone, table: str) -> None:
    tell(device, table, "7s", "6h", "Kc", "Kd")
    name(served, table, "player", 1, "9c", misread=True)
    expose(served, table, "banker", 1)
    assert hands(served, table) == {"player": ["?", "9c"], "banker": ["?", "Kd"]}


def test_a_missed_card_still_face_down_is_named_later(served: House, device: Someone, table: str) -> None:
    tell(device, table, "7s")
    name(served, table, "banker", 0, None)
    tell(device, table, "Kc", "Kd", first=1)
    assert served.dealer.refused(table, "ExposeCard", hand="banker", place=0) == "card-not-told"
    name(served, table, "banker", 0, "6h")
    for hand, place in (("player", 0), ("player", 1), ("banker", 1)):
        expose(served, table, hand, place)
    assert hands(served, table) == {"player": ["7s", "Kc"], "banker": ["6h", "Kd"]}


def test_patrons_see_that_a_person_named_the_card(served: House, device: Someone, table: str) -> None:
    tell(device, table, "7s")
    (ann,) = served.patrons(1)
    name(served, table, "banker", 0, "6h")
    events = ann.get(f"/api/tables/{table}/events")
    shown = [each for each in events if each["name"] == "ReadingOverridden"]
    assert [each["body"]["card"] for each in shown] == [["6", "h"]]
    assert shown[0]["body"]["person"] == served[Duty.PIT_MANAGER].id


def test_readings_of_several_missed_cards() -> None:
    """Cards 1, 2 and 5 were missed; the device counts none of them."""
    readings = Readings()
    for number in (5, 1, 2):
        readings.name(number, b"", missed=True)
        readings.name(number, b"named", missed=True)
    readings.read |= dict.fromkeys(range(4), b"read")
    assert [readings.sequence_of(number) for number in (0, 3, 4, 6, 7)] == [0, 1, 2, 3, 4]
    assert readings.expected == 4
    assert [readings.may_come_next(sequence) for sequence in (0, 4, 5)] == [True, True, False]


# --- cards set aside -------------------------------------------------------------------------------------------------


def cards_gone(served: House, **setting: Any) -> str:
    """A table at which Ann has left with Player's cards, and Banker has an ace and an ace."""
    (ann,) = served.patrons(1)
    table, dealer = served.table(method="A", **setting), served.dealer
    ann.done(table, "BuyIn", patron=ann.id, amount=10_000)
    dealer.done(table, "OpenBets")
    ann.done(table, "PlaceWager", patron=ann.id, position=1, wager="Player", amount=1_000)
    dealer.done(table, "CloseBets")
    for _ in range(4):
        dealer.done(table, "DrawCard")
    dealer.done(table, "ChooseFirstHand", hand="banker")
    dealer.done(table, "PassHand", hand="player", patron=ann.id)
    return table


def set_aside(served: House, table: str, lacking: str, aside: str) -> None:
    served.manager.done(table, "AttestCardsTaken", provision="cards-taken-sealed")
    served.manager.done(table, "AttestCardsTaken", provision="cards-taken-sorted")
    served.manager.done(table, "DetermineMissing", lacking=_cards(lacking), set_aside=_cards(aside))
    served.manager.done(table, "AttestCardsTaken", provision="cards-taken-replaced")


def _cards(words: str) -> list[list[str]]:
    return [list(word) for word in words.split()]


def test_the_cards_set_aside_are_dealt_and_no_others_and_stay_secret(served: House) -> None:
    """On a manual table too: not in the database, not in the log, not in a view, an event or a refusal."""
    table, dealer = cards_gone(served), served.dealer
    expose(served, table, "banker", 0, card=["A", "h"])
    expose(served, table, "banker", 1, card=["A", "d"])
    dealer.done(table, "ReportCardsTaken", hand="player")
    with served.manager.socket() as socket:
        watching = Watching(socket, table, after=0)
        set_aside(served, table, "2s 3d 8d 5c", "8d 5c")
        dealer.done(table, "DrawCard")
        refused = [
            dealer.http.post(f"/api/tables/{table}/commands", json=_keyed(card)).text for card in ("5c", "Kh", "Jd")
        ]
        watching.hear_until(number_of(served.manager, table))
        seen = [*watching.views.values(), *(str(each) for each in watching.events.values())]
    assert all("not-set-aside" in each and "5.11.4" in each for each in refused)
    assert len({*refused}) == 1
    seen += [*refused, served.manager.http.get(f"/api/tables/{table}/events").text, served.live.log.read_text("utf-8")]
    seen += [file.read_bytes().decode("latin-1") for file in Path(served.database).parent.glob("punto.db*")]
    for card in ("8d", "5c"):
        ways = (f'"{card}"', f'["{card[0]}","{card[1]}"]', f"['{card[0]}', '{card[1]}']", f'["{card[0]}", "{card[1]}"]')
        assert [text[:80] for text in seen for way in ways if way in text] == []
    expose(served, table, "player", 2, card=["8", "d"])
    dealer.done(table, "DrawCard")
    assert dealer.refused(table, "ExposeCard", hand="banker", place=2, card=["9", "d"]) == "not-set-aside"
    assert dealer.refused(table, "ExposeInError", hand="banker", place=2, card=["9", "d"]) == "not-set-aside"
    # What a client claims to have been told is of no account.
    forged = {"card": ["9", "d"], "told": ["9", "d"]}
    assert dealer.refused(table, "ExposeCard", hand="banker", place=2, **forged) == "not-set-aside"
    expose(served, table, "banker", 2, card=["5", "c"])
    assert hands(served, table) == {"player": ["2s", "3d", "8d"], "banker": ["Ah", "Ad", "5c"]}


def _keyed(card: str) -> dict[str, Any]:
    return {"command": "ExposeCard", "hand": "player", "place": 2, "card": list(card)}


def test_a_device_that_did_not_read_them_cannot_tell_the_cards_taken(served: House, device: Someone) -> None:
    """Player's first card was missed. While the device tells both, it is not true that nobody can."""
    table, dealer = bind(served, device, cards_gone(served, device="card-reading")), served.dealer
    tell(device, table, "Ah", "3d", "Ad")
    assert dealer.refused(table, "ReportCardsTaken", hand="player") == "device-knows"
    assert dealer.refused(table, "ReportCardsTaken", hand="player", untold=True) == "device-knows"
    name(served, table, "player", 0, None)
    dealer.done(table, "ReportCardsTaken", hand="player", untold=True)
    for place in (0, 1):
        expose(served, table, "banker", place)
    assert hands(served, table)["banker"] == ["Ah", "Ad"]
    tell(device, table, "9c", first=3)
    for step in ("cards-taken-sealed", "cards-taken-sorted"):
        served.manager.done(table, "AttestCardsTaken", provision=step)
    missed: dict[str, Any] = {"lacking": _cards("2s 3d 4c 9c"), "set_aside": _cards("4c 9c")}
    assert served.manager.refused(table, "DetermineMissing", **missed) == "does-not-add-up"
    served.manager.done(table, "DetermineMissing", lacking=_cards("2s 3d 4c 9c"), set_aside=_cards("9c 4c"))
    served.manager.done(table, "AttestCardsTaken", provision="cards-taken-replaced")
    dealer.done(table, "DrawCard")
    expose(served, table, "player", 2)
    dealer.done(table, "DrawCard")
    expose(served, table, "banker", 2)
    assert hands(served, table) == {"player": ["2s", "3d", "9c"], "banker": ["Ah", "Ad", "4c"]}


def one_read_of_two(served: House, device: Someone) -> str:
    """A table at which two cards are set aside, of which the device has read the first."""
    table = bind(served, device, cards_gone(served, device="card-reading"))
    tell(device, table, "Ah", "3d", "Ad")
    name(served, table, "player", 0, None)
    served.dealer.done(table, "ReportCardsTaken", hand="player", untold=True)
    for place in (0, 1):
        expose(served, table, "banker", place)
    tell(device, table, "9c", first=3)
    for step in ("cards-taken-sealed", "cards-taken-sorted"):
        served.manager.done(table, "AttestCardsTaken", provision=step)
    return table


def test_a_card_set_aside_is_not_found_by_guessing(served: House, device: Someone) -> None:
    """Neither by naming all 52 cards for its place, which is refused alike, nor by counting until it adds up."""
    table, dealer = one_read_of_two(served, device), served.dealer
    counts: list[dict[str, Any]] = [
        {"lacking": _cards(f"2s 3d {card} 9c"), "set_aside": _cards(f"{card} 9c")} for card in ("4c", "5c")
    ]
    right = {"lacking": _cards("2s 3d 4c 9c"), "set_aside": _cards("9c 4c")}
    wrong = [json.dumps(served.manager.give(table, "DetermineMissing", **each).json()) for each in counts]
    served.manager.done(table, "DetermineMissing", **right)
    assert len({*wrong}) == 1
    served.manager.done(table, "AttestCardsTaken", provision="cards-taken-replaced")
    dealer.done(table, "DrawCard")
    guesses = {
        dealer.give(table, "NameCard", hand="player", place=2, card=[rank, suit]).text
        for rank in "A23456789TJQK"
        for suit in "shcd"
    }
    assert len(guesses) == 1
    assert "not-set-aside" in guesses.pop()
    expose(served, table, "player", 2)


def test_a_count_is_not_repeated_until_it_adds_up(served: House, device: Someone) -> None:
    table = one_read_of_two(served, device)
    tried = ("4c 9c", "5c 9c", "6c 9c", "9c 4c", "9c 5c")
    answers = {
        served.manager.give(table, "DetermineMissing", lacking=_cards(f"2s 3d {each}"), set_aside=_cards(each)).text
        for each in tried
    }
    assert len(answers) == 1, "the fourth is right, and is refused alike"


def test_what_is_stored_of_a_retry_tells_nothing_of_the_cards_set_aside() -> None:
    """The digest of a command is stored as it is, and there are few pairs of cards to try."""

    def digest(lacking: str, aside: str) -> IdempotencyKey | None:
        said = {"command": "DetermineMissing", "key": "k1", "lacking": _cards(lacking), "set_aside": _cards(aside)}
        message = read_message(json.dumps(said).encode())
        assert isinstance(message, ClientMessage)
        return key_of(message)

    assert digest("2s 3d 8d 5c", "8d 5c") == digest("2s 3d 9c 4h", "9c 4h")


# --- burnt cards -----------------------------------------------------------------------------------------------------


def test_the_first_card_burnt_from_a_sealed_shoe_is_in_its_record(served: House) -> None:
    """Nobody keys it: the shoe tells it, and what was turned can be checked when the shoe has ended."""
    table, dealer = served.table(device="sealed", burn={"cards": None}), served.dealer
    shoe = served.load_sealed_shoe(table)
    assert dealer.refused(table, "OpenBets") == "burn-first"
    dealer.done(table, "BurnCards", first=["A", "s"])
    events = dealer.get(f"/api/tables/{table}/events")
    (burned,) = (each["body"] for each in events if each["name"] == "CardsBurned")
    value = "A23456789".find(burned["first"][0]) + 1 or 10
    assert burned["indices"] == list(range(1 + value))
    dealer.done(table, "OpenBets")
    dealer.done(table, "CloseBets")
    dealer.done(table, "Refer", matter="enough")
    served.manager.done(table, "DecideReferral", void=True)
    served.manager.done(table, "EndShoe")
    record = until(lambda: _published(dealer, table, shoe))
    assert record["dealt"] == [[0, "".join(burned["first"])]]
    assert all(check.ok for check in verify(read_record(json.dumps(record))))


def _published(dealer: Someone, table: str, shoe: str) -> dict[str, Any] | None:
    answer = dealer.http.get(f"/api/tables/{table}/shoes/{shoe}/record")
    return answer.json() if answer.status_code == 200 else None


def test_a_table_is_opened_with_what_the_house_chooses(served: House) -> None:
    chosen: dict[str, Any] = {
        "room": "Ruby Room",
        "burn": {"cards": 2, "first_exposed": True},
        "restricted": [{"position": 2, "wager": "Tie", "capacity": 1}],
    }
    setting = served.dealer.get(f"/api/tables/{served.table(**chosen)}")["view"]["setting"]
    assert {name: setting[name] for name in chosen} == chosen
    assert setting["hlga"] is True
