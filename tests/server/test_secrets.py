"""What is nobody else's business reaches nobody else: a patron's money, and a card that lies face down.

Everything that a person's socket brings and everything he can ask for is looked through, byte by byte.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest
from support.live import Live, Someone, move_chips, say, serving
from support.long import others_long
from support.samples import Prepared, house_of, samples
from websockets.sync.client import ClientConnection

from punto.store.codec import encoder

STAFF = ("Dealer", "Pit Supervisor", "Pit Manager", "Assistant Casino Manager", "Gaming Shift Manager", "Auditor")
OTHERS = ("Bob", "nobody", "Cashier", "Device")
"""They may watch, and see what everybody sees."""

ACCOUNT, BOUGHT, STAKE = 9_876_543, 123_457, 11_100
"""What Ann has, in cents: numbers that occur nowhere else."""
WITH_STAKE_OUT, AFTER_WINNING = BOUGHT - STAKE, BOUGHT + STAKE
CASHED = AFTER_WINNING - 43
OWED = 2 * STAKE - 43
"""What she won has to go back, with her stake; and she has 43 left."""
OWN_LIMIT = 313_131


class Watched:
    """A table of a server, its people, and all that each of them hears about it."""

    def __init__(self, live: Live, prepared: Prepared, table: str) -> None:
        self.live, self.table = live, table
        self.people = {who: live.someone(token, prepared.ids[who]) for who, token in prepared.tokens.items()}
        self.people["nobody"] = live.nobody()
        for number, someone in enumerate(self.people.values()):
            someone.http.headers["x-forwarded-for"] = f"10.0.0.{number}"
        self._opened = ExitStack()
        self._sockets: dict[str, ClientConnection] = {}
        self.heard: dict[str, bytes] = {}

    def __getitem__(self, who: str) -> Someone:
        return self.people[who]

    def watch(self, *whose: str) -> None:
        for who in whose:
            socket = self._sockets[who] = self._opened.enter_context(self.people[who].socket())
            self.heard.setdefault(who, b"")
            say(socket, "Subscribe", table=self.table, after=0)

    def listen(self) -> None:
        """Take in what everybody was told up to now."""
        number = self.people["Dealer"].get(f"/api/tables/{self.table}")["number"]
        for who, socket in self._sockets.items():
            told: dict[str, Any] = {}
            while told.get("number", told.get("last")) != number or told["type"] == "mine":
                told = self._hear(who, socket)
            # What belongs to the same moment comes right after it, and before this is answered.
            say(socket, "Ping")
            while told["type"] != "pong":
                told = self._hear(who, socket)

    def _hear(self, who: str, socket: ClientConnection) -> dict[str, Any]:
        message = socket.recv(10)
        assert isinstance(message, str)
        self.heard[who] += message.encode()
        told: dict[str, Any] = json.loads(message)
        return told

    def asked(self, who: str) -> bytes:
        """Everything that somebody can ask for about the table, the house and himself."""
        paths = ("", "/events", "/mine", "/shoes")
        about = [f"/api/tables/{self.table}{path}" for path in paths]
        audited = f"/api/audit/tables/{self.table}"
        about += [f"{audited}/rounds/1", f"{audited}/rounds/1/packet.json", f"{audited}/shoes", f"{audited}/shoes/one"]
        about += ["/", "/api/tables", "/api/me", "/api/people", "/api/cage/mine", "/api/cage/accounts"]
        return b"".join(self.people[who].http.get(path).content for path in about)

    def close(self) -> None:
        self._opened.close()


def prepared_in(folder: Path, *tables: str) -> Prepared:
    empty = next(sample for sample in samples() if sample.row.name == "OpenTable")
    return house_of(folder / "punto.db", dict.fromkeys(tables, empty), ("Ann", "Bob"))


TABLES = ("t1", "t2", "t3")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Live, Prepared]]:
    """A server for all tests about money, with a table for each."""
    folder = tmp_path_factory.mktemp("secrets")
    prepared = prepared_in(folder, *TABLES)
    with serving(str(prepared.file), folder) as live:
        yield live, prepared


@pytest.fixture
def house(served: tuple[Live, Prepared], request: pytest.FixtureRequest) -> Iterator[Watched]:
    watched = Watched(*served, request.param)
    yield watched
    watched.close()


def open_table(house: Watched, **setting: Any) -> None:
    empty = next(sample for sample in samples() if sample.row.name == "OpenTable")
    usual = json.loads(encoder.encode(empty.values["setting"]))
    house["Pit Manager"].done(house.table, "OpenTable", setting=usual | setting, float_=100_000_000)


def numbers(told: bytes) -> set[int]:
    return {int(each) for each in re.findall(rb"\d+", told)}


# --- money ------------------------------------------------------------------------------------------------------------


def deal(house: Watched, *cards: str) -> None:
    """A round of four cards, Player's and then Banker's, up to its outcome."""
    dealer = house["Dealer"]
    for _ in cards:
        dealer.done(house.table, "DrawCard")
    for place, card in zip((("player", 0), ("player", 1), ("banker", 0), ("banker", 1)), cards, strict=True):
        dealer.done(house.table, "ExposeCard", hand=place[0], place=place[1], card=[*card])
    dealer.done(house.table, "AnnounceOutcome")
    dealer.done(house.table, "SettleRound")


@pytest.mark.parametrize("house", [TABLES[0]], indirect=True)
def test_what_a_patron_has_and_owes_is_told_to_staff_and_to_himself(house: Watched) -> None:
    open_table(house, stake_step=100)
    ann, dealer = house["Ann"], house["Dealer"]
    house["Cashier"].post("/api/cage/payments", patron="Ann", amount=10_000_000 - ACCOUNT)
    house.watch("Ann", *STAFF, *OTHERS)
    ann.done(house.table, "BuyIn", patron="Ann", amount=BOUGHT)
    ann.done(house.table, "LimitLoss", limit=OWN_LIMIT)
    house.listen()
    house["Bob"].done(house.table, "BuyIn", patron="Bob", amount=700_000)
    dealer.done(house.table, "LoadShoe", shoe="one")
    dealer.done(house.table, "OpenBets")
    ann.done(house.table, "PlaceWager", patron="Ann", position=1, wager="Player", amount=STAKE)
    dealer.done(house.table, "CloseBets")
    house.listen()
    deal(house, "9s", "Kd", "2h", "3c")
    house.listen()
    dealer.done(house.table, "CashOut", patron="Ann", amount=CASHED)
    house["Gaming Shift Manager"].done(
        house.table, "CorrectRound", round=1, player=[["2", "s"], ["5", "d"]], banker=[["9", "h"], ["K", "c"]]
    )
    house.listen()
    house.watch("Ann", *STAFF, *OTHERS)  # and once more from the beginning, as somebody who comes late
    house.listen()
    secrets = {BOUGHT, WITH_STAKE_OUT, AFTER_WINNING, CASHED, OWED, OWN_LIMIT}
    mine = ann.get(f"/api/tables/{house.table}/mine")
    assert mine.pop("own_limit") == {"limit": OWN_LIMIT, "lost": STAKE, "eased_to": None, "eased_from": None}
    assert mine == {"patron": "Ann", "chips": 0, "owes": OWED, "cards": {}}
    for who in OTHERS:
        assert not numbers(house.heard[who]) & secrets, who
        known = numbers(house.asked(who))
        # The cage lists debts, so that they can be paid there.
        assert known & secrets == ({OWED} if who == "Cashier" else set()), who
        assert who == "Cashier" or not known & {ACCOUNT, ACCOUNT - BOUGHT}, who
    for who in STAFF:
        assert {BOUGHT, CASHED, OWED} <= numbers(house.heard[who] + house.asked(who)), who
    assert {BOUGHT, WITH_STAKE_OUT, AFTER_WINNING, OWED, OWN_LIMIT} <= numbers(house.heard["Ann"])
    assert b'"type":"mine"' not in b"".join(house.heard[who] for who in ("nobody", *STAFF))
    assert b'"patron":"Ann","chips"' not in house.heard["Bob"]
    log = house.live.log.read_bytes()
    assert not numbers(log) & (secrets | {ACCOUNT})


@pytest.mark.parametrize("house", [TABLES[1]], indirect=True)
def test_nobody_learns_what_another_has_by_being_refused(house: Watched) -> None:
    """The sentence that somebody has not enough says how much he has: it is for him and for staff."""
    open_table(house)
    dealer, bob = house["Dealer"], house["Bob"]
    house["Ann"].done(house.table, "BuyIn", patron="Ann", amount=BOUGHT)
    dealer.done(house.table, "LoadShoe", shoe="one")
    dealer.done(house.table, "OpenBets")
    about = {"patron": "Ann", "position": 1, "wager": "Player", "amount": 900_000}
    tries: dict[str, dict[str, Any]] = {
        "PlaceWager": about,
        "TakeBackWager": about,
        "CashOut": {"patron": "Ann", "amount": 50_000_000},
        "BuyIn": {"patron": "Ann", "amount": 50_000_000},
    }
    for command, values in tries.items():
        answer = bob.give(house.table, command, **values)
        assert answer.json()["code"] == "not-your-chips"
        assert answer.json()["values"] == {}
    assert house["Ann"].give(house.table, "PlaceWager", **about).json()["values"]["chips"] == BOUGHT
    assert dealer.give(house.table, "PlaceWager", **about).json()["values"]["chips"] == BOUGHT


@pytest.mark.parametrize("house", [TABLES[2]], indirect=True)
def test_what_a_table_holds_and_who_acts_at_it_is_for_staff(house: Watched) -> None:
    open_table(house)
    manager = house["Pit Manager"]
    house.watch("Dealer", *OTHERS)
    move_chips(manager, house["Cashier"], house.table, "fill", 777_001)
    move_chips(manager, house["Cashier"], house.table, "credit", 555_003)
    manager.done(house.table, "AppointActing", person=house["Dealer"].id, role="Pit Manager")
    house.listen()
    too_many = house["Ann"].give(house.table, "BuyIn", patron="Ann", amount=10**12).json()
    assert (too_many["code"], too_many["values"]) == ("too-many-chips", {})
    for who in OTHERS:
        told = house.heard[who] + house.asked(who)
        assert not numbers(told) & {777_001, 555_003, 100_000_000}, who
        assert house["Dealer"].id.encode() not in told, who
        assert manager.id.encode() not in told, who
    assert {777_001, 555_003, 100_000_000} <= numbers(house.heard["Dealer"])


# --- cards ------------------------------------------------------------------------------------------------------------


def sealed_shoe(house: Watched) -> str:
    """A shoe that the house has sealed and nobody wanted to cut."""
    dealer = house["Dealer"]
    shoe: str = dealer.post(f"/api/tables/{house.table}/shoes")["shoe"]
    for patron in ("Ann", "Bob"):
        house[patron].post(f"/api/tables/{house.table}/shoes/{shoe}/decline")
    dealer.post(f"/api/tables/{house.table}/shoes/{shoe}/list")
    return shoe


@pytest.mark.parametrize("device", others_long(["sealed", "card-reading"]))
def test_a_card_that_a_patron_looks_at_is_seen_by_him_alone(tmp_path: Path, device: str) -> None:
    prepared = prepared_in(tmp_path, "t1")
    with serving(str(prepared.file), tmp_path) as live, closing(Watched(live, prepared, "t1")) as house:
        looked_at_by_ann(house, device, tmp_path)


def looked_at_by_ann(house: Watched, device: str, folder: Path) -> None:
    open_table(house, device=device, method="A")
    dealer, ann = house["Dealer"], house["Ann"]
    for patron in ("Ann", "Bob"):
        house[patron].done(house.table, "BuyIn", patron=patron, amount=100_000)
    shoe = sealed_shoe(house) if device == "sealed" else "one"
    house["Gaming Shift Manager"].post(f"/api/devices/{house['Device'].id}/binding", table=house.table)
    dealer.done(house.table, "LoadShoe", shoe=shoe)
    house.watch("Ann", *STAFF, *OTHERS)
    dealer.done(house.table, "OpenBets")
    ann.done(house.table, "PlaceWager", patron="Ann", position=1, wager="Player", amount=20_000)
    house["Bob"].done(house.table, "PlaceWager", patron="Bob", position=2, wager="Banker", amount=10_000)
    dealer.done(house.table, "CloseBets")
    for number, card in enumerate(("7h", "9c", "8d", "2s")):
        if device == "card-reading":
            house["Device"].post(f"/api/tables/{house.table}/cards", shoe=shoe, sequence=number, card=card)
        dealer.done(house.table, "DrawCard")
    dealer.done(house.table, "ChooseFirstHand", hand="player")
    dealer.done(house.table, "PassHand", hand="player", patron="Ann")
    assert house["Bob"].refused(house.table, "LookAtCards", hand="player") == "not-your-cards"
    assert ann.get(f"/api/tables/{house.table}/mine")["cards"] == {}
    ann.done(house.table, "LookAtCards", hand="player")
    house.listen()
    cards = ann.get(f"/api/tables/{house.table}/mine")["cards"]["player"]
    assert len(cards) == 2
    assert device == "sealed" or cards == [["7", "h"], ["8", "d"]]
    written = [json.dumps(card, separators=(",", ":")).encode() for card in cards]
    assert all(each in house.heard["Ann"] for each in written)
    for who in (*STAFF, *OTHERS):
        # No card is exposed: neither these nor any other has any business there.
        assert not cards_in(house.heard[who] + house.asked(who)), who
    assert not cards_in(everything_kept(folder))
    for place in (0, 1):
        ann.done(house.table, "ExposeCard", hand="player", place=place)
    house.listen()
    for who in (*STAFF, *OTHERS):
        assert cards_in(house.heard[who]) == set(written), who
    assert cards_in(everything_kept(folder)) == set(written)


def cards_in(told: bytes) -> set[bytes]:
    """Every card that is told, as a message or an event tells it."""
    return set(re.findall(rb'\["[A2-9TJQK]","[shcd]"\]', told))


def everything_kept(folder: Path) -> bytes:
    """The bytes of the database, of what it is about to write, and of the server's log."""
    files = [file for file in folder.iterdir() if file.is_file() and file.suffix != ".key"]
    assert {"punto.db", "punto.db-wal"} <= {file.name for file in files}
    return b"".join(file.read_bytes() for file in files)
