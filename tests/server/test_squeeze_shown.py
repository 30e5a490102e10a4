"""What others see of a squeeze: how the card lies, never what it is; passed on in moderation, and kept nowhere."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from support.fake_channel import FakeChannel
from support.live import Someone, say
from support.playing import House, number_of

from punto.server.realtime.connection import LITTLE_UNREAD, Connection

LIFTED = {"held": "se", "to": [60, 90]}


class Room:
    """A table at which Ann has the Player hand, and everyone who follows it: every frame they were sent."""

    def __init__(self, house: House, patrons: list[Someone], sockets: ExitStack) -> None:
        self.house, self.table = house, house.table(method="A", device="sealed")
        house.load_sealed_shoe(self.table)
        self.ann, self.bob = patrons
        self._deal(house.dealer)
        people = {"ann": self.ann, "bob": self.bob, "guest": house.live.nobody(), "dealer": house.dealer}
        self.sockets = {name: sockets.enter_context(someone.socket()) for name, someone in people.items()}
        self.frames: dict[str, list[str]] = {name: [] for name in people}
        for name, socket in self.sockets.items():
            say(socket, "Subscribe", table=self.table)
            self.heard(name)

    def _deal(self, dealer: Someone) -> None:
        dealer.done(self.table, "OpenBets")
        for patron, wager in ((self.ann, "Player"), (self.bob, "Banker")):
            patron.done(self.table, "BuyIn", patron=patron.id, amount=10_000)
            patron.done(self.table, "PlaceWager", patron=patron.id, position=1, wager=wager, amount=5_000)
        dealer.done(self.table, "CloseBets")
        for _ in range(4):
            dealer.done(self.table, "DrawCard")
        dealer.done(self.table, "ChooseFirstHand", hand="player")
        dealer.done(self.table, "PassHand", hand="player", patron=self.ann.id)

    def show(self, name: str, **message: Any) -> None:
        say(
            self.sockets[name],
            "ShowSqueeze",
            **{"table": self.table, "hand": "player", "place": 0, **LIFTED, **message},
        )

    def heard(self, name: str) -> list[dict[str, Any]]:
        """Everything that came before the answer to a ping, which goes after what was said before it."""
        say(self.sockets[name], "Ping", id="now")
        new: list[dict[str, Any]] = []
        while not new or new[-1] != {**new[-1], "type": "pong", "id": "now"}:
            frame = self.sockets[name].recv(60)
            assert isinstance(frame, str)
            self.frames[name].append(frame)
            new.append(json.loads(frame))
        return new[:-1]

    def shown(self, name: str) -> list[dict[str, Any]]:
        return [each for each in self.heard(name) if each["type"] == "squeezed"]

    def settle(self, name: str) -> None:
        """Have everything taken in that this person has said."""
        self.heard(name)


@pytest.fixture(scope="module")
def patrons(served: House) -> list[Someone]:
    return served.patrons(2)


@pytest.fixture
def room(served: House, patrons: list[Someone]) -> Iterator[Room]:
    with ExitStack() as sockets:
        yield Room(served, patrons, sockets)


def test_others_see_how_the_card_lies_and_the_patron_is_not_told_again(room: Room) -> None:
    number = number_of(room.house.dealer, room.table)
    room.show("ann")
    room.show("ann", place=1, held="w", to=None)
    room.settle("ann")
    there = {"type": "squeezed", "table": room.table, "hand": "player"}
    for name in ("bob", "guest", "dealer"):
        assert room.shown(name) == [
            {**there, "place": 0, "held": "se", "to": [60, 90]},
            {**there, "place": 1, "held": "w", "to": None},
        ]
    assert not any("squeezed" in frame for frame in room.frames["ann"])
    assert number_of(room.house.dealer, room.table) == number, "nothing of it is stored"


def test_a_card_is_shown_only_by_the_patron_who_has_it(room: Room) -> None:
    """It may have been turned or taken away that very moment: what is out of date is dropped without an answer."""
    for name in ("bob", "guest", "dealer"):
        room.show(name)
        assert [each for each in room.heard(name) if each["type"] == "refused"] == []
    room.show("ann", hand="banker")
    room.show("ann", place=2)
    room.settle("ann")
    for name in room.sockets:
        room.heard(name)
        assert not any("squeezed" in frame for frame in room.frames[name])


def test_a_card_that_is_turned_is_no_longer_shown(room: Room) -> None:
    room.ann.done(room.table, "ExposeCard", hand="player", place=0)
    room.show("ann")
    room.settle("ann")
    assert room.shown("bob") == []


WRONG: list[dict[str, Any]] = [
    {"place": 3},
    {"place": -1},
    {"held": "middle"},
    {"to": [500, 0]},
    {"to": [1.5, 0]},
    {"to": [1]},
    {"hand": "dealer"},
    {"card": ["9", "c"]},
]


def test_a_message_that_is_no_position_is_refused(room: Room) -> None:
    for wrong in WRONG:
        room.show("ann", **wrong)
        answers = [each["code"] for each in room.heard("ann") if each["type"] == "refused"]
        assert answers == ["bad-message"], wrong
    assert room.shown("bob") == []


def test_a_squeeze_is_no_command_over_http(room: Room) -> None:
    answer = room.ann.give(room.table, "ShowSqueeze", hand="player", place=0, **LIFTED)
    assert (answer.status_code, answer.json()["code"]) == (422, "bad-message")
    assert room.shown("bob") == []


def test_of_too_many_some_are_dropped_and_none_is_answered(room: Room) -> None:
    for at in range(100):
        room.show("ann", to=[at, 90])
    assert [each["type"] for each in room.heard("ann") if each["type"] in ("refused", "done")] == []
    shown = room.shown("bob")
    assert shown[0]["to"] == [0, 90]
    assert len(shown) < 100


def test_the_face_is_on_no_wire_but_that_of_the_patron_who_looks(room: Room) -> None:
    room.ann.done(room.table, "LookAtCards", hand="player")
    seen = room.ann.get(f"/api/tables/{room.table}/mine")["cards"]["player"]
    for at in range(5):
        room.show("ann", to=[50 - at, 60])
    room.settle("ann")
    faces = [json.dumps(card, separators=(",", ":")) for card in seen]
    for name in ("bob", "guest", "dealer"):
        assert room.shown(name)
        assert [face for face in faces if any(face in frame for frame in room.frames[name])] == []
    assert all(any(face in frame for frame in room.frames["ann"]) for face in faces)


def test_a_patron_whose_connection_is_lost_has_their_cards_still(room: Room) -> None:
    room.sockets["ann"].close()
    room.settle("bob")
    room.ann.done(room.table, "ExposeCard", hand="player", place=0)
    view = [each["view"] for each in room.heard("bob") if each["type"] == "events"][-1]
    assert view["hands"]["player"][1] is None


# --- without a server ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("unread", "written"), [(0, [b"shown"]), (LITTLE_UNREAD, [b"shown"]), (LITTLE_UNREAD + 1, [])])
def test_a_client_that_is_behind_is_shown_nothing_and_nothing_waits_for_it(unread: int, written: list[bytes]) -> None:
    channel = FakeChannel(unread)
    gateway: Any = None
    Connection(gateway, channel, None, None).glimpse(b"shown")
    assert channel.written == written
