"""Words beside the log: an event refers to them by a salted digest, and they can be erased."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.stores import APART, Open

from punto.store.codec import KINDS, encode
from punto.store.events.house_events import HOUSE, StoreMade, WordsErased
from punto.store.house import record
from punto.store.people import ERASE_WORDS
from punto.store.records import Append, Conflict, EventRecord
from punto.store.words import (
    WRITTEN,
    KeptWords,
    KnownWords,
    digest_of,
    digests_in,
    keep,
    people_in,
    put_all_aside,
    put_aside,
)
from punto.table.event import Circumstances, Event
from punto.table.guards import _FREE_WORDS
from punto.table.irregularities.referral import Referred
from punto.table.irregularities.void import VoidDismissed
from punto.table.play.second_person import ActProposed
from punto.table.roles import Role

GIVER = ("pabcdefghij", "Gaming Shift Manager")


def referred(matter: str, noticed_by: str = "", note: str = "") -> Referred:
    told = Circumstances(1, "s1", 4, noticed_by, GIVER[0], Role.DEALER, (), (), (), note)
    return Referred(matter, "6.1", circumstances=told)


def test_an_event_refers_to_what_people_wrote_and_ids_stay() -> None:
    event, kept = put_aside(referred("a drink was spilled", GIVER[0], "on area 3"), GIVER[0])
    assert [each.words for each in kept] == ["a drink was spilled", "on area 3"]
    assert event.matter == f"words:{kept[0].digest}"
    assert event.circumstances is not None
    assert event.circumstances.noticed_by == GIVER[0]
    assert event.circumstances.note == kept[1].reference
    body = encode(event)[2]
    assert b"drink" not in body
    assert digests_in(body) == {each.digest for each in kept}
    assert people_in(body) == {GIVER[0]}


def test_who_noticed_it_is_the_giver_or_words() -> None:
    for noticed_by in ("Mr. Tan of surveillance", "peterjensen", "pzzzzzzzzzz"):
        event, kept = put_aside(referred("", noticed_by), GIVER[0])
        assert event.matter == ""
        assert [each.words for each in kept] == [noticed_by], "a name can look like an id"
    assert put_aside(referred("", GIVER[0]), GIVER[0]) == (referred("", GIVER[0]), ())


@pytest.mark.parametrize(
    "words", ["words: Mr. Tan was asked to leave", "words:0a", f"words:{'0' * 64} or so", "playfulness"]
)
def test_words_that_look_like_a_reference_or_an_id_are_put_aside_too(words: str) -> None:
    """Else they stand in the log, and cannot be erased."""
    event, kept = put_aside(referred(words))
    assert [each.words for each in kept] == [words]
    assert f'"{words}"' not in encode(event)[2].decode()


def test_events_without_words_are_left_alone() -> None:
    events = [StoreMade("ab"), VoidDismissed("order-altered", None)]
    assert put_all_aside(events) == (events, ())


def test_equal_words_have_different_digests_and_each_agrees() -> None:
    one, other = keep("late"), keep("late")
    assert one.digest != other.digest
    assert one.agrees
    assert not KeptWords(one.digest, one.salt, "early").agrees
    assert not KeptWords(one.digest, None, None).agrees


_CODES = {("ShoeEnded", "reason")}
"""Fields that sound like free words and hold codes."""


def test_every_field_in_which_people_write_is_kept_as_words() -> None:
    """A new event with a reason or a note cannot forget it."""
    for name, kind in KINDS.items():
        for field in {"matter", "note", "reason", "because"} & set(kind.__struct_fields__):
            if (name, field) in _CODES:
                continue
            made = _filled(kind, **{field: "in their own words"})
            event, kept = put_aside(made)
            assert [each.words for each in kept] == ["in their own words"], (name, field)
            assert getattr(event, field) == kept[0].reference


def _filled(kind: type[Event], **values: Any) -> Event:
    """An event with nothing in it but these values; no type is checked when one is made in Python."""
    return kind(**dict.fromkeys(kind.__struct_fields__) | values)


def test_the_fields_of_commands_in_which_people_write_are_known() -> None:
    labels = {"shoe", "person", "dealer", "owed_at", "paid_at", "covered_by"}
    """Names of things, and ids of people."""
    assert set(_FREE_WORDS) - labels == WRITTEN


def test_an_act_that_waits_for_a_second_person_holds_no_words() -> None:
    values = {"note": "on area 3", "reason": "a slip", "noticed_by": "", "hand": "player", "place": 1}
    made = _filled(ActProposed, reason="a slip", values=values)
    event, kept = put_aside(made)
    assert isinstance(event, ActProposed)
    assert [each.words for each in kept] == ["on area 3", "a slip"]
    assert event.values == values | {"note": kept[0].reference, "reason": event.reason}
    assert event.reason == kept[1].reference
    assert put_aside(event) == (event, ()), "what is confirmed later refers to the same words"


@given(st.text(max_size=80), st.binary(min_size=16, max_size=16))
def test_words_come_back_in_json_whatever_they_are(words: str, salt: bytes) -> None:
    words = words.encode("utf-8", "ignore").decode()
    kept = KeptWords(digest_of(salt, words), salt, words)
    body = encode(Referred(kept.reference, None))[2]
    known = KnownWords()
    known.learn([kept])
    assert known.in_json(body) == encode(Referred(words, None))[2]
    known.forget([kept.reference])
    assert known.in_json(body) == body
    assert known.in_text(f"referred: {kept.reference}", "[erased]") == "referred: [erased]"


@pytest.mark.parametrize("opened", ["sqlite", APART, "postgresql"], indirect=True)
async def test_words_are_stored_with_their_event_or_not_at_all(opened: Open) -> None:
    event, kept = put_aside(referred("a drink was spilled"))
    written = EventRecord.of(event, 1_700_000_000_000, *GIVER)
    lost = put_aside(referred("two drinks"))[1]
    async with opened() as store:
        await store.append([Append("t1", 0, [written])], words=kept)
        with pytest.raises(Conflict):
            await store.append([Append("t1", 0, [written])], words=lost)
        assert await store.words([lost[0].digest]) == {}
        assert await store.words([]) == {}
    async with opened() as store:
        (read,) = await store.read("t1")
        assert b"drink" not in read.body
        known = KnownWords()
        await known.look_up(store, read.body)
        assert b"a drink was spilled" in known.in_json(read.body)
        assert await store.words(digests_in(read.body)) == {kept[0].digest: kept[0]}
        await store.ask(ERASE_WORDS, kept[0].digest)
        await store.scrub()
        assert await store.words([kept[0].digest]) == {kept[0].digest: KeptWords(kept[0].digest, None, None)}


@pytest.mark.parametrize("opened", ["sqlite", "postgresql"], indirect=True)
async def test_the_house_records_an_erasure_with_a_person_and_a_reason(opened: Open) -> None:
    async with opened() as store:
        await record(store, [WordsErased("t1", 7, ("words:ab",), "asked for")], 1, GIVER)
        assert (await store.head(HOUSE))[0] == 0  # there is no house yet
        await store.append([Append(HOUSE, 0, [EventRecord.of(StoreMade("ab"), 1, *GIVER)])])
        await record(store, [WordsErased("t1", 7, ("words:ab",), "asked for")], 1, GIVER)
        read = (await store.read(HOUSE))[1]
        assert (read.by, read.position) == GIVER
        assert isinstance(read.event, WordsErased)
        assert (read.event.stream, read.event.number, read.event.words) == ("t1", 7, ("words:ab",))
        (reason,) = (await store.words(digests_in(read.body))).values()
        assert reason.words == "asked for"
