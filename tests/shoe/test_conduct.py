"""How a cut was conducted, as its record tells it; older records do not, and still verify."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from punto.shoe import Contribution, Cut, Record, ShoeError, new_secret, publish, read_record, seal, verify
from punto.shoe.conduct import Conduct
from punto.shoe.record import as_json

SECRET = new_secret(8)
ANA = Contribution(b"mine", bytes(32))
IN_TIME = Conduct(1_000, 31_000, 31_500, "pdealer", "Dealer", absent=1, declined=2)
OLD = Path(__file__).with_name("published.json")


def published(*conducts: Conduct) -> Record:
    cut = Cut(seal(SECRET, "t1 1", 8))
    cut = cut.commit("ana", ANA.commitment(cut.anchor, "ana")).close_list().reveal("ana", ANA)
    return publish(SECRET, cut, (), conducts)


def faults(record: Record) -> list[str]:
    return [check.name for check in verify(record) if not check.ok]


def test_a_record_tells_how_its_cuts_were_conducted() -> None:
    record = published(IN_TIME)
    assert read_record(json.dumps(as_json(record))) == record
    assert faults(record) == []
    said = {check.name: check.sentence() for check in verify(record)}
    assert said["cut 1 conduct"] == (
        "list closed when its time was over, after 30 s, by Dealer pdealer; "
        "at the table without an answer: 1, declined: 2"
    )
    assert said["begun"] == "cuts begun: 1, of which closed before their time: 0"


@pytest.mark.parametrize(
    ("conduct", "fair"),
    [
        (IN_TIME, True),
        (replace(IN_TIME, closed=30_999), False),
        (replace(IN_TIME, closed=30_999, absent=0), True),
        (replace(IN_TIME, closed=None), True),
        (replace(IN_TIME, reveal_due=61_500, spoiled=61_500, spoiled_by="pdealer"), True),
        (replace(IN_TIME, reveal_due=61_500, spoiled=61_499, spoiled_by="pdealer"), False),
    ],
)
def test_a_cut_that_left_patrons_no_time_fails(conduct: Conduct, fair: bool) -> None:
    assert faults(published(conduct)) == ([] if fair else ["cut 1 conduct"])
    assert read_record(json.dumps(as_json(published(conduct)))) == published(conduct)


def test_an_older_record_says_nothing_of_it_and_verifies() -> None:
    record = read_record(OLD.read_text("utf-8"))
    assert isinstance(record, Record)
    assert all(cut.conduct is None for cut in record.cuts)
    assert not {check.subject for check in verify(record)} & {"conduct", "begun"}
    assert faults(record) == []


def test_a_patron_who_is_left_out_is_told_so_by_name() -> None:
    record = published(replace(IN_TIME, absent=2, left_out=("bo", "chen")))
    assert read_record(json.dumps(as_json(record))) == record
    (told,) = [check for check in verify(record) if check.subject == "conduct"]
    assert told.ok
    assert told.sentence().endswith("left out without an answer: 'bo', 'chen'")
    assert faults(published(replace(IN_TIME, absent=2, left_out=("bo",)))) == ["cut 1 conduct"]


@pytest.mark.parametrize(
    "change", [{"left_out": "bo"}, {"left_out": [3]}, {"began": -1}, {"closed_by": 3}, {"absent": None}, {"what": 1}]
)
def test_a_conduct_that_makes_no_sense_is_refused(change: dict[str, object]) -> None:
    told = json.loads(json.dumps(as_json(published(IN_TIME))))
    told["cuts"][0]["conduct"] |= change
    with pytest.raises(ShoeError):
        read_record(json.dumps(told))
