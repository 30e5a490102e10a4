"""Events as bytes: every event of random play comes back the same, and older shapes are still read."""

from __future__ import annotations

import json
from typing import Any

import pytest
from properties.random_play import RandomPlay
from support.long import others_long

from punto import APPROVED
from punto.store.codec import KINDS, UPCASTERS, VERSIONS, UnknownEvent, decode, encode, version_of
from punto.store.events.house_events import HeadNoted, StoreMade, TableCreated
from punto.table.irregularities.void import VoidAsked


@pytest.mark.parametrize("number", others_long([3_000, 6_000]))
@pytest.mark.parametrize("game", APPROVED)
def test_every_event_comes_back_as_it_was(game: str, number: int) -> None:
    play = RandomPlay(game, 7)
    play.trouble = 0.15
    play.play(number)
    for event in play.log:
        name, version, body = encode(event)
        assert decode(name, version, body) == event
        assert encode(decode(name, version, body)) == (name, version, body)


def test_the_house_has_events_of_its_own() -> None:
    for event in (StoreMade("ab"), TableCreated("t1", "tiger", "cd"), HeadNoted("t1", 7, "ef", "01")):
        assert decode(*encode(event)) == event


def test_an_older_shape_is_brought_up_to_date() -> None:
    """VoidAsked once held who noticed it and a note."""
    body = json.dumps({"provision": "order-altered", "clause": "5.2", "noticed_by": "Sam", "note": "two cards fell"})
    assert decode("VoidAsked", 1, body.encode()) == VoidAsked("order-altered", "5.2", "two cards fell")


@pytest.mark.parametrize(
    ("name", "version", "before", "after"),
    [
        ("VoidAsked", 2, {"why": "the shoe is empty"}, {"why": "shoe-empty", "wrong_card": None}),
        ("VoidAsked", 2, {"why": "3 cards drawn together"}, {"why": "several-at-once", "wrong_card": None}),
        (
            "VoidAsked",
            2,
            {"why": "4c is one more than the shoe holds"},
            {"why": "not-in-the-shoe", "wrong_card": ["4", "c"]},
        ),
        ("VoidAsked", 2, {"why": "two cards fell"}, {"why": "two cards fell", "wrong_card": None}),
        ("VoidAsked", 2, {"why": "Kim is one more than the shoe holds"}, {"wrong_card": None}),
        ("Referred", 1, {"matter": "cards are missing from both hands"}, {"matter": "", "case": "both-hands"}),
        ("Referred", 1, {"matter": "a drink was spilled"}, {"matter": "a drink was spilled", "case": None}),
        ("ReferralDecided", 1, {"decision": "exposed cards are void"}, {"decision": "cards-void"}),
        ("ReferralDecided", 1, {"decision": "exposed cards stand"}, {"decision": "cards-stand"}),
        ("ReferralDecided", 1, {"decision": "continue"}, {"decision": "continue"}),
    ],
)
def test_sentences_of_older_logs_become_codes(
    name: str, version: int, before: dict[str, Any], after: dict[str, Any]
) -> None:
    """What a person wrote in their own words stays as it is."""
    both = {"clause": None, "provision": "p", "decided_by": "Dealer"}
    known = {each: both[each] for each in KINDS[name].__struct_fields__ if each in both}
    _, newest, body = encode(decode(name, version, json.dumps(known | before).encode()))
    assert newest == VERSIONS[name]
    assert json.loads(body).items() >= after.items()


def test_every_older_version_has_a_way_up() -> None:
    assert set(UPCASTERS) == {(name, version) for name, newest in VERSIONS.items() for version in range(1, newest)}
    assert set(VERSIONS) <= set(KINDS)


@pytest.mark.parametrize(
    ("name", "version", "body"),
    [
        ("Nonsense", 1, b"{}"),
        ("VoidAsked", 0, b"{}"),
        ("VoidAsked", version_of("VoidAsked") + 1, b"{}"),
        ("VoidAsked", 1, b"{}"),
        ("Filled", 1, b'{"amount": "much"}'),
        ("Filled", 1, b'{"amount": 1'),
        ("RoundCorrected", 1, b'{"round": 1}'),
    ],
)
def test_what_cannot_be_read_is_told(name: str, version: int, body: bytes) -> None:
    with pytest.raises(UnknownEvent, match=name):
        decode(name, version, body)
