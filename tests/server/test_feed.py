"""The feed: each audience is told what it may see, in messages whose ranges leave nothing out."""

from __future__ import annotations

import asyncio
from itertools import count
from typing import Any

import msgspec
import pytest
from properties.random_play import RandomPlay

from punto import load
from punto.rules.table_of_play import Hand
from punto.server.realtime.feed import (
    COLLECTED_FOR,
    MANY_WAGERS_COLLECTED_FOR,
    MOST_GLIMPSES,
    WAGERS_COLLECTED_FOR,
    Feed,
    Subscription,
    all_told,
    told,
)
from punto.server.realtime.messages import SqueezedMessage
from punto.store.records import EventRecord
from punto.table.evolve import EVENTS
from punto.table.play.chips import BoughtIn, CashedOut, Filled
from punto.table.play.loss_limits import LossLimited
from punto.table.play.table_management import TableClosed
from punto.table.play.wagers import WagerPlaced
from punto.table.round import Phase
from punto.table.table import Table
from punto.table.visibility import Audience, is_told, visible_fields


def record(event: Any, number: int = 1) -> EventRecord:
    return EventRecord.of(event, 5, "sam", "Dealer").stored("t1", number, b"hash")


class Client:
    """A subscriber that keeps its messages."""

    def __init__(self) -> None:
        self.messages: list[dict[str, Any]] = []

    def tell(self, data: bytes) -> bool:
        while data:
            size, begin = data[1] & 0x7F, 2
            if size == 126:
                size, begin = int.from_bytes(data[2:4], "big"), 4
            elif size == 127:
                size, begin = int.from_bytes(data[2:10], "big"), 10
            self.messages.append(msgspec.json.decode(data[begin : begin + size]))
            data = data[begin + size :]
        return True

    def glimpse(self, data: bytes) -> None:
        self.tell(data)


@pytest.mark.parametrize("event", [BoughtIn("ann", 500), CashedOut("ann", 500), Filled(1), LossLimited("ann", 5, 0)])
def test_what_only_staff_may_know_is_not_told_to_the_public_at_all(event: Any) -> None:
    assert told(record(event), Audience.PUBLIC) is None
    shown = told(record(event), Audience.STAFF)
    assert shown is not None
    assert (shown.name, shown.by) == (type(event).__name__, "sam")


def test_that_a_table_was_closed_is_told_and_nothing_about_its_money() -> None:
    shown = told(record(TableClosed(1, 2, 3, 4)), Audience.PUBLIC)
    assert shown is not None
    assert (bytes(shown.body), shown.by) == (b"{}", None)


@pytest.mark.parametrize("game", ["tiger", "fabulous-4"])
async def test_the_public_never_sees_a_staff_only_field_and_never_resyncs(game: str) -> None:
    """Random play: every message continues the one before, whatever was hidden between."""
    play = RandomPlay(game, 7)
    feed = Feed("t1", Table(load(game)), 0, lambda *_: None)
    clients = {audience: Client() for audience in Audience}
    for audience, client in clients.items():
        feed.subscribe(Subscription(client, feed, audience, None), [])
    number = 0
    for _ in range(1_500):
        play.step()
        records = [record(event, number + at) for at, event in enumerate(play.log[number:], 1)]
        if records:
            number += len(records)
            feed.publish(records, play.table)
            feed.flush()
    assert number > 500
    for audience, client in clients.items():
        shown, *later = client.messages
        assert (shown["type"], shown["resync"]) == ("table", False)
        reached = 0
        for message in later:
            assert (message["type"], message["first"]) == ("events", reached + 1)
            reached = message["last"]
            for event in message["events"]:
                kind = EVENTS[event["name"]]
                assert is_told(kind, audience)
                assert event["body"].keys() <= set(visible_fields(kind, audience)), event
        assert reached == number
    public, staff = (sum(len(each["events"]) for each in clients[a].messages) for a in Audience)
    assert public < staff == number


def test_an_event_of_an_earlier_version_is_told_in_its_present_form() -> None:
    body = b'{"provision":"cards-short","clause":"5.1","noticed_by":null,"note":"x","circumstances":null}'
    old = EventRecord("VoidAsked", 1, body, 5, "sam", "Dealer", "t1", 1, b"hash")
    (shown,) = all_told([old], Audience.PUBLIC)
    content = msgspec.json.decode(shown.body)
    assert "noticed_by" not in content
    assert content.keys() <= set(visible_fields(EVENTS["VoidAsked"], Audience.PUBLIC))


def test_squeezes_are_shown_fifteen_times_in_any_second_and_not_to_the_one_who_squeezes() -> None:
    feed = Feed("t1", Table(load("baccarat")), 0, lambda *_: None)
    watcher, sender = Client(), Client()
    for each in (watcher, sender):
        feed.subscribe(Subscription(each, feed, Audience.PUBLIC, None), [])
    times = [at / 40 for at in range(200)]
    shown: list[float] = []
    for at in times:
        before = len(watcher.messages)
        feed.show_glimpse(SqueezedMessage("t1", Hand.PLAYER, 0, "s", (1, 1)), sender, at)
        shown += [at] * (len(watcher.messages) - before)
    assert len(shown) == 5 * MOST_GLIMPSES == 75
    for begin in times:
        assert sum(begin <= at < begin + 1 for at in shown) <= MOST_GLIMPSES
    assert [each["type"] for each in sender.messages] == ["table"]
    assert feed.number == 0


def betting_table() -> Table:
    """A table at which bets are open."""
    play = RandomPlay("baccarat", 7)
    while play.table.phase is not Phase.BETTING:
        play.step()
    return play.table


async def test_chips_of_others_are_told_together_and_no_call_is_kept_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table, now = betting_table(), 100.0
    monkeypatch.setattr("punto.server.realtime.feed.monotonic", lambda: now)
    feed = Feed("t1", table, 0, lambda *_: None)
    clients = [Client() for _ in range(9)]
    for each in clients:
        feed.subscribe(Subscription(each, feed, Audience.PUBLIC, None), [])
    numbers = count(1)

    def publish(events: int, after: Table) -> list[int]:
        """Publish wagers; return how many each client was sent in its last message, or nothing if none was sent."""
        before = len(clients[0].messages)
        feed.publish([record(WagerPlaced("ann", 1, "Player", 5, 5, None), next(numbers)) for _ in range(events)], after)
        return [len(each["events"]) for each in clients[0].messages[before:]]

    assert publish(1, table) == [1]  # after a quiet while at once
    now += COLLECTED_FOR
    assert publish(1, table) == []  # the chip of one patron waits for those of others
    assert publish(5, table) == [6]  # most of them are answered now, and told in the same write
    now += COLLECTED_FOR
    assert publish(2, table) == []
    closed = table.round_changed(phase=Phase.CLOSED)
    assert publish(1, closed) == [3]
    now += COLLECTED_FOR
    assert publish(1, table) == [1]  # nor is the opening call kept back
    now += COLLECTED_FOR
    assert publish(1, table) == []
    now += WAGERS_COLLECTED_FOR
    assert publish(1, table) == [2]
    now += WAGERS_COLLECTED_FOR
    assert publish(1, table) == []  # where they come that fast, for longer
    now += MANY_WAGERS_COLLECTED_FOR - WAGERS_COLLECTED_FOR + COLLECTED_FOR
    assert publish(1, table) == [2]
    now += MANY_WAGERS_COLLECTED_FOR
    assert publish(1, table) == [1]
    now += WAGERS_COLLECTED_FOR
    assert publish(1, table) == [1]  # and where they come one by one, at once again
    feed.flush()


async def test_what_waits_is_sent_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    table = betting_table()
    monkeypatch.setattr("punto.server.realtime.feed.WAGERS_COLLECTED_FOR", 0.03)
    feed = Feed("t1", table, 0, lambda *_: None)
    clients = [Client() for _ in range(9)]
    for each in clients:
        feed.subscribe(Subscription(each, feed, Audience.PUBLIC, None), [])
    for number in (1, 2):
        feed.publish([record(WagerPlaced("ann", 1, "Player", 5, 5, None), number)], table)
    assert [each["type"] for each in clients[0].messages] == ["table", "events"]
    async with asyncio.timeout(5):
        while len(clients[0].messages) < 3:
            await asyncio.sleep(0.005)
    assert clients[0].messages[-1]["last"] == 2
