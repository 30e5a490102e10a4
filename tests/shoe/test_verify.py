"""Records: they read back as they were published, and whatever is altered in one is found."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.ceremony import SECRET, committed, contribution, cut_by, played

from punto.cards import Card, parse_cards
from punto.shoe import (
    Cut,
    Format,
    Pledge,
    PracticeRecord,
    PublishedCut,
    Record,
    ShoeError,
    as_json,
    practice_record,
    practice_shoe,
    publish,
    read_record,
    recomputed_order,
    seal,
    sealed_shoe,
    verify,
)

RECORD = played("ana", "bo", "chen", spoiled_by=["dita"])
FIRST = played("ana", "bo", "chen", spoiled_by=["dita"], version=Format.ONE)
SMALL = played("ana", decks=1, dealt=3)
SMALL_FIRST = played("ana", decks=1, dealt=3, version=Format.ONE)


def compact(record: Record | PracticeRecord) -> str:
    return json.dumps(as_json(record), separators=(",", ":"))


def failing(record: Record | PracticeRecord, *noted: bytes) -> dict[str, str]:
    return {check.name: check.sentence() for check in verify(record, noted) if not check.ok}


def holds(text: str) -> bool:
    try:
        return all(check.ok for check in verify(read_record(text)))
    except ShoeError:
        return False


def with_pledge(record: Record, cut: int, index: int, **change: Any) -> Record:
    """The record with something changed about one patron's commitment."""
    cuts = list(record.cuts)
    pledges = list(cuts[cut].pledges)
    pledges[index] = dataclasses.replace(pledges[index], **change)
    cuts[cut] = dataclasses.replace(cuts[cut], pledges=tuple(pledges))
    return dataclasses.replace(record, cuts=tuple(cuts))


@pytest.mark.parametrize(
    "record", [RECORD, FIRST, SMALL, SMALL_FIRST, played(), played("ana", dealt=0), played("ana", decks=4, dealt=208)]
)
def test_an_honest_record_holds_and_reads_back(record: Record) -> None:
    assert read_record(compact(record)) == record
    assert failing(record) == {}
    assert recomputed_order(record)[: len(record.dealt)] == tuple(card for _, card in record.dealt)


def test_the_checks_by_name() -> None:
    assert [check.name for check in verify(RECORD)] == [
        "kind",
        "commitment",
        *(f"cut {number} {what}" for number in (1, 2) for what in ("patrons", "contributions", "list", "ending")),
        "cut",
        "cutters",
        "dealt",
    ]
    assert [check.name for check in verify(FIRST)] == [
        check.name for check in verify(RECORD) if check.name != "cutters"
    ]


@pytest.mark.parametrize("record", [SMALL, SMALL_FIRST], ids=["second", "first"])
def test_any_flipped_bit_of_a_record_is_found(record: Record) -> None:
    """All of them: every bit of every byte as published, names of keys and punctuation included."""
    raw = compact(record).encode()
    for at in range(len(raw)):
        for bit in range(8):
            flipped = bytearray(raw)
            flipped[at] ^= 1 << bit
            assert not holds(flipped.decode("utf-8", "replace")), (at, bit, raw[at - 20 : at + 1])


@settings(max_examples=150)
@given(st.data())
def test_any_altered_byte_of_a_record_with_a_spoiled_cut_is_found(data: st.DataObject) -> None:
    # Ten cards: of their one-figure positions any other is a repetition. At two figures an altered one could be true.
    raw = bytearray(compact(played("ana", "bo", "chen", spoiled_by=["dita"], dealt=10)).encode())
    at = data.draw(st.integers(0, len(raw) - 1), label="byte")
    raw[at] ^= data.draw(st.integers(1, 127), label="bits")
    assert not holds(raw.decode())


@given(st.data())
@settings(max_examples=60)
def test_a_contribution_changed_by_a_bit_is_found_and_told(data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, 1), label="cut")
    index = data.draw(st.integers(0, 2), label="patron")
    pledge = RECORD.cuts[cut].pledges[index]
    assert pledge.revealed
    field = data.draw(st.sampled_from(["words", "nonce"]))
    raw = bytearray(getattr(pledge.revealed, field))
    raw[data.draw(st.integers(0, len(raw) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    changed = dataclasses.replace(pledge.revealed, **{field: bytes(raw)})
    faults = failing(with_pledge(RECORD, cut, index, revealed=changed))
    assert faults[f"cut {cut + 1} contributions"].startswith(f"what {pledge.patron!r} revealed does not open")
    assert "cut" in faults


def test_another_secret_is_found_by_the_commitment_and_the_cards() -> None:
    faults = failing(dataclasses.replace(RECORD, secret=bytes(1_660)))
    assert set(faults) == {"commitment", "dealt"}
    assert "do not give the commitment" in faults["commitment"]


def test_a_card_that_was_swapped_is_told_with_its_position() -> None:
    (seven,) = parse_cards("7d")
    dealt = tuple((position, seven if position == 5 else card) for position, card in RECORD.dealt)
    faults = failing(dataclasses.replace(RECORD, dealt=dealt))
    assert faults == {"dealt": f"at position 6 7d was dealt, but the order has {RECORD.dealt[5][1]} there"}


def test_of_many_wrong_cards_a_few_are_told() -> None:
    dealt = tuple((position, Card.parse("7d")) for position in range(12))
    assert failing(dataclasses.replace(RECORD, dealt=dealt))["dealt"].endswith(", and 9 more")


@pytest.mark.parametrize(
    ("positions", "sentence"),
    [([0, 1, 1], "position 2 is listed out of turn"), ([1, 0], "position 1 is listed out of turn")],
)
def test_no_position_is_dealt_twice_or_out_of_turn(positions: list[int], sentence: str) -> None:
    order = recomputed_order(RECORD)
    dealt = tuple((position, order[position]) for position in positions)
    assert failing(dataclasses.replace(RECORD, dealt=dealt)) == {"dealt": sentence}


def test_no_card_comes_from_beyond_the_shoe() -> None:
    dealt = ((416, Card.parse("7d")),)
    assert failing(dataclasses.replace(RECORD, dealt=dealt)) == {
        "dealt": "position 417 was dealt, but the order has 416 cards"
    }


def test_burnt_cards_may_be_missing() -> None:
    assert failing(dataclasses.replace(RECORD, dealt=RECORD.dealt[3:7] + RECORD.dealt[9:])) == {}


def test_cards_dealt_from_a_shoe_that_was_not_cut_to_the_end_are_found() -> None:
    half = committed(Cut(seal(SECRET, "x", 8)), ["ana"])
    assert failing(publish(SECRET, half)) == {}
    faults = failing(publish(SECRET, half, [(0, Card.parse("7d"))]))
    assert faults == {
        "cut 1 ending": "not revealed by 'ana', yet cards were dealt",
        "dealt": "position 1 was dealt, but the order has 0 cards",
    }


def test_a_complete_cut_that_was_replaced_by_another_is_found() -> None:
    """What a house would do that did not like the order. Everything else about such a record may hold."""
    first = cut_by("ana")
    second = Cut(first.seal, spoiled=(first,))
    own = contribution("bo", second)
    second = second.commit("bo", own.commitment(second.anchor, "bo")).close_list().reveal("bo", own)
    assert failing(publish(SECRET, second)) == {
        "cut 1 ending": "everyone revealed, so this cut counts, yet it was replaced by another"
    }


def test_a_spoiled_cut_cannot_be_hidden() -> None:
    faults = failing(dataclasses.replace(RECORD, cuts=RECORD.cuts[1:]))
    assert set(faults) == {"cut 1 contributions", "cut 1 list", "cut", "dealt"}


def test_a_patron_left_out_cannot_come_back_and_nobody_is_listed_twice() -> None:
    again = cut_by("ana", spoiled_by=["bo"])
    back = dataclasses.replace(again, pledges=(*again.pledges, Pledge("bo", bytes(32))))
    assert failing(publish(SECRET, back))["cut 2 patrons"] == "'bo' spoiled an earlier cut and is back"
    twice = dataclasses.replace(again, pledges=again.pledges * 2)
    assert failing(publish(SECRET, twice)) == {"cut 2 patrons": "'ana' is in the list 2 times"}


def test_a_nonce_used_again_is_found() -> None:
    spoiled = cut_by("ana", spoiled_by=["bo"]).spoiled[0]
    again = spoiled.again()
    own = contribution("ana", spoiled)
    pledge = Pledge("ana", own.commitment(again.anchor, "ana"), own)
    cut = dataclasses.replace(again, pledges=(pledge,), list_closed=True)
    assert failing(publish(SECRET, cut)) == {"cut 2 contributions": "'ana' revealed a nonce of an earlier cut"}


def test_a_shoe_no_patron_cut_says_whose_word_it_rests_on() -> None:
    (told,) = [check for check in verify(played()) if check.name == "cut 1 patrons"]
    assert told.ok
    assert told.sentence().startswith("a shoe without a cut: no patron took part")
    assert told.sentence().endswith("that the secret was left to chance is the house's word only")
    assert as_json(played())["without_cut"] is True
    assert as_json(RECORD)["without_cut"] is False


def test_a_record_that_says_otherwise_than_its_list_whether_patrons_cut_it_fails() -> None:
    denied = dataclasses.replace(RECORD, without_cut=True)
    assert failing(denied) == {"cutters": "patrons in the cut that counts: 3, but the record says otherwise"}
    assert set(failing(dataclasses.replace(played(), without_cut=False))) == {"cutters"}


def test_a_record_of_one_format_does_not_pass_as_one_of_the_other() -> None:
    content = as_json(RECORD)
    for changed in (content | {"format": "punto-shoe-1"}, as_json(FIRST) | {"format": "punto-shoe-2"}):
        with pytest.raises(ShoeError):
            read_record(json.dumps(changed))
    short = {**content, "format": "punto-shoe-1", "secret": str(content["secret"])[:64]}
    del short["without_cut"]
    assert not holds(json.dumps(short))


def test_what_somebody_noted_must_be_in_the_record() -> None:
    noted = [RECORD.commitment, RECORD.cut, *(cut.closed_list for cut in RECORD.cuts)]
    noted += [pledge.commitment for pledge in RECORD.cuts[1].pledges]
    assert failing(RECORD, *noted) == {}
    told = [check.sentence().partition(" is ")[2] for check in verify(RECORD, noted) if check.subject == "noted"]
    assert told[:5] == [
        "the shoe's commitment",
        "the cut",
        "the list of cut 1",
        "the list of cut 2",
        "the commitment of 'ana' in cut 2",
    ]
    forged = publish(SECRET, cut_by("ana", "bo", "eve"))
    assert set(failing(forged, RECORD.cuts[1].closed_list)) == {"noted"}


def test_a_noted_commitment_does_not_count_where_it_was_not_opened() -> None:
    """A forger could name a patron who never came and give him any commitment that somebody noted."""
    mine = RECORD.cuts[0].closed_list
    cut = Cut(seal(SECRET, "x", 8)).commit("nobody", mine).close_list().again()
    assert failing(publish(SECRET, cut), mine)["noted"].endswith(
        "is the commitment of 'nobody' in cut 1, told not to have been revealed"
    )


def test_a_practice_record_says_so_and_never_passes() -> None:
    shoe = practice_shoe(42, 8, number=3)
    record = practice_record(42, 8, 3, [(position, shoe.card_at(position)) for position in (1, 0)])
    content = as_json(record)
    assert (content["kind"], content["format"]) == ("practice", "punto-practice-1")
    assert read_record(compact(record)) == record
    assert set(failing(record)) == {"kind"}
    assert set(failing(dataclasses.replace(record, seed=43))) == {"kind", "dealt"}
    for disguise in ({"kind": "sealed"}, {"format": "punto-shoe-2"}, {"kind": "sealed", "format": "punto-shoe-2"}):
        with pytest.raises(ShoeError):
            read_record(json.dumps(content | disguise))


def test_a_sealed_record_cannot_be_read_as_practice() -> None:
    with pytest.raises(ShoeError, match="punto-practice-1"):
        read_record(json.dumps(as_json(SMALL) | {"kind": "practice"}))


def test_only_the_sealed_secret_is_published() -> None:
    with pytest.raises(ShoeError, match="not the secret"):
        publish(SECRET, dataclasses.replace(cut_by(), seal=dataclasses.replace(cut_by().seal, decks=6)))


def test_a_record_of_many_spoiled_cuts_is_checked_all_the_same() -> None:
    cuts = (PublishedCut((Pledge("x", bytes(32)),), bytes(32)),) * 3_000
    assert len(verify(dataclasses.replace(RECORD, cuts=cuts, dealt=()))) == 4 * 3_000 + 5


def test_the_order_comes_out_as_it_was_dealt() -> None:
    shoe = sealed_shoe(SECRET, cut_by("ana", "bo", "chen", spoiled_by=["dita"]))
    assert recomputed_order(RECORD) == tuple(shoe.card_at(position) for position in range(416))
