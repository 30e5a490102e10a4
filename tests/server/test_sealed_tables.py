"""Sealed shoes through the server: cut by patrons, dealt without naming a card, published; and tables by themselves."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from time import sleep
from typing import Any
from urllib.parse import quote

import apsw
import pytest
from support.live import Someone
from support.playing import PLACES, House, Watching, account, chips, house, number_of, play_round, until

from punto.shoe import Record, read_record, verify
from punto.shoe.cut import Contribution
from punto.table.guidance.dealer_automation import EVERYTHING


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("sealed"), "--pace", "100") as made:
        yield made


@pytest.fixture(scope="module")
def patrons(served: House) -> list[Someone]:
    return served.patrons(2)


def shoes_at(table: str, shoe: str, what: str) -> str:
    return f"/api/tables/{table}/shoes/{quote(shoe)}/{what}"


def refused(someone: Someone, path: str, **body: Any) -> tuple[str, str]:
    """What is not done: the code, and why."""
    answer = someone.http.post(path, json=body)
    assert answer.status_code in (403, 404, 409, 422), answer.text
    told = answer.json()
    return told["code"], told["sentence"]


def contribution(patron: Someone, words: str) -> Contribution:
    return Contribution(words.encode(), f"{patron.id} {words}".encode().ljust(32, b".")[:32])


def pledge(patron: Someone, table: str, shoe: dict[str, Any], words: str) -> dict[str, Any]:
    commitment = contribution(patron, words).commitment(bytes.fromhex(shoe["anchor"]), patron.id)
    told: dict[str, Any] = patron.post(shoes_at(table, shoe["shoe"], "pledges"), commitment=commitment.hex())
    return told


def reveal(patron: Someone, table: str, shoe: dict[str, Any], words: str) -> dict[str, Any]:
    told: dict[str, Any] = patron.post(shoes_at(table, shoe["shoe"], "contributions"), **revealed(patron, words))
    return told


def revealed(patron: Someone, words: str) -> dict[str, str]:
    opened = contribution(patron, words)
    return {"words": opened.words.hex(), "nonce": opened.nonce.hex()}


def cut(served: House, table: str, patrons: list[Someone]) -> str:
    """A shoe sealed by the house and cut by these patrons."""
    shoe = served.dealer.post(f"/api/tables/{table}/shoes")
    for patron in patrons:
        pledge(patron, table, shoe, "mine")
    served.dealer.post(shoes_at(table, shoe["shoe"], "list"))
    for patron in patrons:
        shoe = reveal(patron, table, shoe, "mine")
    name: str = shoe["shoe"]
    return name


def record_of(served: House, table: str, shoe: str) -> Record:
    """The record as it is published, which checks out."""
    nobody = served.live.nobody()
    path = shoes_at(table, shoe, "record")
    until(lambda: nobody.http.get(path).status_code == 200)
    record = read_record(nobody.http.get(path).text)
    assert isinstance(record, Record)
    checks = verify(record)
    assert [check for check in checks if not check.ok] == []
    return record


def exposed(served: House, table: str) -> list[str]:
    """The cards the table's log says were exposed, in the order they were."""
    events = served.dealer.get(f"/api/tables/{table}/events")
    return ["".join(each["body"]["card"]) for each in events if each["name"] == "CardExposed"]


# --- the cut ---------------------------------------------------------------------------------------------------------


def test_two_patrons_cut_a_shoe_and_it_is_dealt_published_and_verified(served: House, patrons: list[Someone]) -> None:
    table, dealer, (ann, bob) = served.table(device="sealed"), served.dealer, patrons
    shoe = dealer.post(f"/api/tables/{table}/shoes")
    assert (shoe["decks"], shoe["ready"], shoe["published"], shoe["list_closed"]) == (8, False, False, False)
    name = shoe["shoe"]
    pledge(ann, table, shoe, "ann's")
    shoe = pledge(bob, table, shoe, "bob's")
    assert shoe["pledged"] == [ann.id, bob.id]
    early = refused(ann, shoes_at(table, name, "contributions"), **revealed(ann, "ann's"))
    assert early[0] == "cannot-be"
    assert "too early" in early[1]
    assert dealer.refused(table, "LoadShoe", shoe=name) == "shoe-not-ready"
    shoe = dealer.post(shoes_at(table, name, "list"))
    assert (shoe["list_closed"], shoe["missing"]) == (True, [ann.id, bob.id])
    assert [each["nonce"] for each in shoe["pledges"]] == [None, None]
    late = refused(ann, shoes_at(table, name, "pledges"), commitment="00" * 32)
    assert "too late" in late[1]
    wrong = refused(ann, shoes_at(table, name, "contributions"), **revealed(ann, "something else"))
    assert "does not match their commitment" in wrong[1]
    reveal(ann, table, shoe, "ann's")
    assert dealer.refused(table, "LoadShoe", shoe=name) == "shoe-not-ready"
    shoe = reveal(bob, table, shoe, "bob's")
    assert shoe["ready"]
    assert [shoe] == served.live.nobody().get(f"/api/tables/{table}/shoes", most=1)
    assert refused_listing(served, table, most=0)
    assert [bytes.fromhex(each["words"]) for each in shoe["pledges"]] == [b"ann's", b"bob's"]
    dealer.done(table, "LoadShoe", shoe=name)
    for _ in range(3):
        play_round(served, table)
    assert refused_record(served, table, name)
    served.manager.done(table, "EndShoe")
    record = record_of(served, table, name)
    assert [str(card) for _, card in record.dealt] == sorted_by_index(served, table)
    assert sorted(str(card) for _, card in record.dealt) == sorted(exposed(served, table))
    assert [each.patron for each in record.cuts[0].pledges] == [ann.id, bob.id]


def refused_listing(served: House, table: str, most: int) -> bool:
    answer = served.live.nobody().http.get(f"/api/tables/{table}/shoes", params={"most": most})
    return answer.status_code == 422 and answer.json()["values"]["parameter"] == "most"


def refused_record(served: House, table: str, shoe: str) -> bool:
    answer = served.live.nobody().http.get(shoes_at(table, shoe, "record"))
    return answer.status_code == 409 and "not ended" in answer.json()["sentence"]


def sorted_by_index(served: House, table: str) -> list[str]:
    """The cards exposed at a table, by the number each was drawn with."""
    places: dict[tuple[str, int], int] = {}
    cards: dict[int, str] = {}
    for each in served.dealer.get(f"/api/tables/{table}/events"):
        body = each["body"]
        if each["name"] == "CardDrawn":
            places[body["hand"], body["place"]] = body["index"]
        elif each["name"] == "CardExposed":
            cards[places[body["hand"], body["place"]]] = "".join(body["card"])
    return [cards[index] for index in sorted(cards)]


def test_whoever_does_not_reveal_is_left_out_and_the_others_cut_again(served: House, patrons: list[Someone]) -> None:
    table, dealer, (ann, bob) = served.table(device="sealed"), served.dealer, patrons
    shoe = dealer.post(f"/api/tables/{table}/shoes")
    name, path = shoe["shoe"], shoes_at(table, shoe["shoe"], "again")
    assert refused(dealer, path)[0] == "cannot-be"
    pledge(ann, table, shoe, "one")
    pledge(bob, table, shoe, "one")
    dealer.post(shoes_at(table, name, "list"))
    reveal(ann, table, shoe, "one")
    assert refused(dealer, path) == ("cannot-be", "patrons have 1 s more to answer")
    until(lambda: dealer.http.post(path).status_code == 200)
    again = dealer.get(f"/api/tables/{table}/shoes")[-1]
    assert (again["missing"], again["list_closed"], again["pledged"]) == ([], False, [])
    assert again["anchor"] != shoe["anchor"]
    assert "left out" in refused(bob, shoes_at(table, name, "pledges"), commitment="00" * 32)[1]
    pledge(ann, table, again, "two")
    dealer.post(shoes_at(table, name, "list"))
    assert reveal(ann, table, again, "two")["ready"]
    dealer.done(table, "LoadShoe", shoe=name)
    play_round(served, table)
    served.manager.done(table, "EndShoe")
    record = record_of(served, table, name)
    assert [len(each.pledges) for each in record.cuts] == [2, 1]
    told = [each.conduct for each in record.cuts if each.conduct]
    assert [(each.closed_by, each.position, each.spoiled_by) for each in told] == [
        (dealer.id, "Dealer", dealer.id),
        (dealer.id, "Dealer", ""),
    ]


def test_a_patron_at_the_table_is_not_left_out_by_closing_the_list_at_once(served: House) -> None:
    """Not by a Dealer and not by a manager; when the time is over, the record says how many had not answered."""
    table, dealer, (ann, bob) = served.table(device="sealed"), served.dealer, served.patrons(2)
    for patron in (ann, bob):
        patron.done(table, "BuyIn", patron=patron.id, amount=100_000)
    shoe = dealer.post(f"/api/tables/{table}/shoes")
    name = shoe["shoe"]
    assert shoe["deadline"]
    for person in (dealer, served.manager):
        assert refused(person, shoes_at(table, name, "list"))[1] == "patrons have 1 s more to answer"
    pledge(ann, table, shoe, "mine")
    until(lambda: dealer.http.post(shoes_at(table, name, "list")).status_code == 200)
    reveal(ann, table, shoe, "mine")
    dealer.done(table, "LoadShoe", shoe=name)
    served.manager.done(table, "EndShoe")
    record = record_of(served, table, name)
    (conduct,) = [each.conduct for each in record.cuts]
    assert conduct
    assert (conduct.absent, conduct.declined, conduct.is_early) == (1, 0, False)
    sentences = [check.sentence() for check in verify(record)]
    assert "cuts begun: 1, of which closed before their time: 0" in sentences


def test_the_list_is_closed_at_once_when_everyone_has_answered(served: House) -> None:
    table, dealer, (ann, bob) = served.table(device="sealed"), served.dealer, served.patrons(2)
    for patron in (ann, bob):
        patron.done(table, "BuyIn", patron=patron.id, amount=100_000)
    shoe = dealer.post(f"/api/tables/{table}/shoes")
    pledge(ann, table, shoe, "mine")
    assert refused(dealer, shoes_at(table, shoe["shoe"], "decline"))[0] == "not-permitted"
    declined = bob.post(shoes_at(table, shoe["shoe"], "decline"))
    assert (declined["declined"], bob.post(shoes_at(table, shoe["shoe"], "decline"))) == ([bob.id], declined)
    assert dealer.post(shoes_at(table, shoe["shoe"], "list"))["list_closed"]
    reveal(ann, table, shoe, "mine")
    dealer.done(table, "LoadShoe", shoe=shoe["shoe"])
    served.manager.done(table, "EndShoe")
    (conduct,) = [each.conduct for each in record_of(served, table, shoe["shoe"]).cuts]
    assert conduct
    assert (conduct.absent, conduct.declined) == (0, 1)


def test_a_shoe_is_put_on_its_own_table_and_once(served: House, patrons: list[Someone]) -> None:
    table, other, dealer = served.table(device="sealed"), served.table(device="sealed"), served.dealer
    shoe = cut(served, table, patrons)
    assert "waits to be used" in refused(dealer, f"/api/tables/{table}/shoes")[1]
    number = number_of(dealer, other)
    for name in (shoe, "no such shoe", f"{other} 1", ""):
        assert dealer.refused(other, "LoadShoe", shoe=name) == "shoe-not-ready"
    assert number_of(dealer, other) == number
    dealer.done(table, "LoadShoe", shoe=shoe, key=f"{table}-load")
    assert dealer.done(table, "LoadShoe", shoe=shoe, key=f"{table}-load")["repeated"]
    assert dealer.refused(table, "LoadShoe", shoe=shoe) == "shoe-in-use"
    served.manager.done(table, "EndShoe")
    assert dealer.refused(table, "LoadShoe", shoe=shoe) == "shoe-not-ready"
    record = record_of(served, table, shoe)
    assert record.dealt == ()


def test_who_may_seal_and_cut(served: House, patrons: list[Someone]) -> None:
    table, ann = served.table(device="sealed"), patrons[0]
    assert refused(ann, f"/api/tables/{table}/shoes")[0] == "not-permitted"
    assert refused(served.cashier, f"/api/tables/{table}/shoes")[0] == "not-permitted"
    shoe = served.dealer.post(f"/api/tables/{table}/shoes")
    for step in ("list", "again"):
        assert refused(ann, shoes_at(table, shoe["shoe"], step))[0] == "not-permitted"
    assert refused(served.dealer, shoes_at(table, shoe["shoe"], "pledges"), commitment="00" * 32)[0] == "not-permitted"
    assert refused(ann, shoes_at(table, "t 99", "pledges"), commitment="00" * 32)[0] == "not-found"
    assert refused(ann, shoes_at(table, shoe["shoe"], "pledges"), commitment="zz")[0] == "bad-message"
    manual = served.table()
    assert "not dealt from sealed shoes" in refused(served.dealer, f"/api/tables/{manual}/shoes")[1]


def test_a_card_that_is_named_is_not_believed(served: House, patrons: list[Someone]) -> None:
    table, dealer = served.table(device="sealed"), served.dealer
    dealer.done(table, "LoadShoe", shoe=cut(served, table, patrons))
    dealer.done(table, "OpenBets")
    dealer.done(table, "CloseBets")
    for _ in PLACES:
        dealer.done(table, "DrawCard")
    for hand, place in PLACES:
        dealer.done(table, "ExposeCard", hand=hand, place=place, card=["A", "s"])
    shoe = dealer.get(f"/api/tables/{table}")["view"]["shoe"]
    told = exposed(served, table)
    assert told != ["As"] * 4
    dealer.done(table, "Refer", matter="enough")
    served.manager.done(table, "DecideReferral", void=True)
    served.manager.done(table, "EndShoe")
    record = record_of(served, table, shoe)
    assert sorted(str(card) for _, card in record.dealt) == sorted(told)


def test_heads_are_noted_when_a_shoe_ends(served: House, patrons: list[Someone]) -> None:
    table = served.table(device="sealed")
    served.dealer.done(table, "LoadShoe", shoe=cut(served, table, patrons))
    play_round(served, table)
    number = served.manager.done(table, "EndShoe")["last"]
    until(lambda: number in [each["number"] for each in heads(served) if each["table"] == table])
    assert [each for each in heads(served) if each["table"] == f"{table}.shoes"]


def heads(served: House) -> list[dict[str, Any]]:
    """The heads that the house has noted."""
    with closing(apsw.Connection(served.database, flags=apsw.SQLITE_OPEN_READONLY)) as database:
        rows = list(database.execute("select body from event where stream = 'house' and name = 'HeadNoted'"))
    return [json.loads(body) for (body,) in rows]


# --- tables by themselves --------------------------------------------------------------------------------------------


def rounds_of(someone: Someone, table: str) -> int:
    rounds: int = someone.get(f"/api/tables/{table}")["view"]["round"]
    return rounds


def test_an_automatic_table_plays_by_itself_and_its_windows_close_in_time(
    served: House, patrons: list[Someone]
) -> None:
    (ann, _), nobody = patrons, served.live.nobody()
    table = served.table(device="sealed", automatic=EVERYTHING, betting_seconds=1)
    before = account(ann)
    ann.done(table, "BuyIn", patron=ann.id, amount=50_000)
    with nobody.socket() as socket:
        watching = Watching(socket, table, after=0)
        while rounds_of(nobody, table) < 3:
            view = nobody.get(f"/api/tables/{table}")["view"]
            if view["phase"] == "betting":
                ann.give(table, "PlaceWager", patron=ann.id, position=1, wager="Banker", amount=500)
            sleep(0.05)
        watching.hear_until(number_of(nobody, table))
    events = list(watching.events.values())
    assert len([each for each in events if each["name"] == "RoundSettled"]) >= 2
    opened = {each["number"]: each for each in events if each["name"] == "BetsOpened"}
    closed = [each for each in events if each["name"] == "BetsClosed"]
    for each in closed:
        window = max(number for number in opened if number < each["number"])
        assert 0 <= each["at"] - opened[window]["body"]["deadline"] < 900
    served.manager.post(f"/api/tables/{table}/automation", steps=[])
    assert account(ann) == before - 50_000


@pytest.mark.long
def test_automation_is_set_and_taken_away(served: House) -> None:
    table, manager = served.table(device="sealed", betting_seconds=1), served.manager
    path = f"/api/tables/{table}/automation"
    assert refused(served.dealer, path, steps=[])[0] == "not-permitted"
    assert refused(manager, path, steps=["everything"])[0] == "bad-message"
    assert rounds_of(manager, table) == 0
    assert manager.post(path, steps=list(EVERYTHING))["automatic"] == sorted(EVERYTHING)
    until(lambda: rounds_of(manager, table) == 2)
    until(lambda: manager.get(f"/api/tables/{table}")["view"]["phase"] == "dealing")
    for _ in range(5):  # taken away and set again in one moment: still there is one automaton
        assert manager.post(path, steps=[])["automatic"] == []
        manager.post(path, steps=list(EVERYTHING))
    until(lambda: rounds_of(manager, table) == 4)
    manager.post(path, steps=[])
    log = served.live.log.read_text("utf-8").splitlines()
    assert [line for line in log if "automaton refused" in line and f'"{table}"' in line] == []
    sleep(1.2)
    number = number_of(manager, table)
    sleep(0.3)
    assert number_of(manager, table) == number


def test_some_steps_can_be_left_to_a_person(served: House) -> None:
    table, dealer = served.table(device="sealed", automatic=("draw", "expose"), betting_seconds=None), served.dealer
    until(lambda: dealer.get(f"/api/tables/{table}")["view"]["shoe"])
    sleep(0.1)
    assert dealer.get(f"/api/tables/{table}")["view"]["phase"] == "idle"
    dealer.done(table, "OpenBets")
    dealer.done(table, "CloseBets")
    until(lambda: dealer.give(table, "AnnounceOutcome").status_code == 200)
    dealer.done(table, "SettleRound")


@pytest.mark.long
def test_a_differential_waits_for_people_at_an_automatic_table(served: House, patrons: list[Someone]) -> None:
    (ann, bob), manager = patrons, served.manager
    table = served.table(device="sealed", betting_seconds=4, differential=10_000)
    for patron in patrons:
        patron.done(table, "BuyIn", patron=patron.id, amount=100_000)
    manager.post(f"/api/tables/{table}/automation", steps=list(EVERYTHING))
    until(lambda: manager.get(f"/api/tables/{table}")["view"]["phase"] == "betting")
    ann.done(table, "PlaceWager", patron=ann.id, position=1, wager="Banker", amount=30_000)
    bob.done(table, "PlaceWager", patron=bob.id, position=2, wager="Player", amount=5_000)
    until(lambda: manager.get(f"/api/tables/{table}")["view"]["hold"] == "differential-exceeded")
    number = number_of(manager, table)
    sleep(0.4)
    assert number_of(manager, table) == number
    assert served.dealer.refused(table, "DrawCard") == "held"
    ann.done(table, "TakeBackWager", patron=ann.id, position=1, wager="Banker", amount=10_000)
    bob.done(table, "PlaceWager", patron=bob.id, position=2, wager="Player", amount=5_000)
    until(lambda: rounds_of(manager, table) == 2)
    settled = [each for each in manager.get(f"/api/tables/{table}/events") if each["name"] == "RoundSettled"]
    stakes = sorted(each["stake"] for each in settled[0]["body"]["wagers"])
    assert stakes == [10_000, 20_000]
    manager.post(f"/api/tables/{table}/automation", steps=[])
    assert chips(ann, table) >= 80_000


def test_patrons_cut_the_shoe_of_an_automatic_table(served: House, patrons: list[Someone]) -> None:
    """A table with chips on it gives time to cut, leaves out who does not reveal, and then deals that very shoe."""
    (ann, bob), manager = patrons, served.manager
    table = served.table(device="sealed", betting_seconds=1)
    ann.done(table, "BuyIn", patron=ann.id, amount=1_000)
    shoe = served.dealer.post(f"/api/tables/{table}/shoes")
    for patron in patrons:
        pledge(patron, table, shoe, "one")
    served.dealer.post(shoes_at(table, shoe["shoe"], "list"))
    reveal(ann, table, shoe, "one")
    manager.post(f"/api/tables/{table}/automation", steps=list(EVERYTHING))
    until(lambda: manager.get(f"/api/tables/{table}")["view"]["shoe"] == shoe["shoe"])
    until(lambda: rounds_of(manager, table) == 2)
    manager.post(f"/api/tables/{table}/automation", steps=[])
    until(lambda: ended(served, table))
    record = record_of(served, table, shoe["shoe"])
    assert [each.patron for each in record.cuts[0].pledges] == [ann.id, bob.id]
    assert record.cuts[-1].pledges == ()


def ended(served: House, table: str) -> bool:
    """Whether the shoe is off the table; a round that is under way is brought to an end first."""
    served.dealer.give(table, "Refer", matter="enough")
    served.manager.give(table, "DecideReferral", void=True)
    return served.manager.give(table, "EndShoe").status_code == 200
