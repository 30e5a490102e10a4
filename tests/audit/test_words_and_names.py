"""The audit of what stands beside the log: words and names are what they were, or were erased by someone."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import apsw
import pytest
from support.command import found_by_audit, refused, run, run_json

from punto import load
from punto.server.access.identity import Duty, People
from punto.store.house import House
from punto.store.records import Append, EventRecord
from punto.store.sqlite.sqlite_store import SqliteStore
from punto.store.trust.keys import make_keys
from punto.store.words import put_all_aside
from punto.table.default_settings import dealt_by_hand
from punto.table.event import Circumstances
from punto.table.irregularities.late_wagers import LateWithdrawalNoted
from punto.table.play.table_management import TableOpened
from punto.table.roles import Role

AT = 1_700_000_000_000
NOTE = "the tea-stained chip"


@pytest.fixture
async def file(tmp_path: Path) -> Path:
    """A house with a table whose second event has a note, and people: a manager, and two who share a name."""
    file = tmp_path / "punto.db"
    store, book = SqliteStore(file), load("baccarat")
    house = await House.open(store, make_keys(tmp_path / "punto.db.key"), AT)
    await house.create_table("t1", book, AT)
    opened = TableOpened("baccarat", book.digest, dealt_by_hand(book), 1_000_000)
    told = Circumstances(0, None, None, "sam", "sam", Role.DEALER, (), (), (), NOTE)
    late = LateWithdrawalNoted("ann", 1, "Player", None, circumstances=told)
    events, words = put_all_aside([opened, late], "sam")
    written = [EventRecord.of(each, AT, "sam", "Dealer") for each in events]
    await store.append([Append("t1", 0, written)], words=words)
    people = People(store, lambda: AT)
    for name, duty in (("Mx. Boss", Duty.GAMING_SHIFT_MANAGER), ("Ms. Lee", Duty.PATRON), ("Ms. Lee", Duty.PATRON)):
        await people.add(name, duty)
    await store.close()
    return file


def _harm(file: Path, statement: str) -> None:
    connection = apsw.Connection(str(file))
    connection.execute(statement)
    connection.close()


def _found(file: Path) -> list[tuple[str, int | None, str]]:
    return found_by_audit(file)


def test_a_house_with_words_and_names_is_in_order(file: Path) -> None:
    assert _found(file) == []


@pytest.mark.parametrize(
    ("harm", "place", "sentence"),
    [
        ("update words set words = 'another chip'", ("t1", 2), "is not what they wrote"),
        ("update words set salt = x'00'", ("t1", 2), "is not what they wrote"),
        ("update words set words = null", ("t1", 2), "no erasure is recorded"),
        ("delete from words", ("t1", 2), "no erasure is recorded"),
        (
            "update person set name = 'Ms. Lim' where name = 'Mx. Boss'",
            ("house", None),
            "is not the one that was recorded",
        ),
        ("update person set name = '' where name = 'Mx. Boss'", ("house", None), "no erasure is recorded"),
        ("delete from person where name = 'Mx. Boss'", ("house", None), "no erasure is recorded"),
    ],
)
def test_what_is_done_to_words_and_names_is_found(
    file: Path, harm: str, place: tuple[str, int | None], sentence: str
) -> None:
    _harm(file, harm)
    ((*where, told),) = _found(file)
    assert tuple(where) == place
    assert sentence in told


def test_what_is_still_there_after_its_erasure_is_found(file: Path) -> None:
    by, lee = ("--by", "mx. boss"), run_json("people", str(file), "--find", "lee")[0]["id"]
    run("erase", str(file), "t1", "2", *by, "--reason", "asked for")
    run("erase", str(file), lee, *by, "--reason", "asked for")
    assert _found(file) == []
    assert NOTE.encode() not in file.read_bytes()
    _harm(file, f"update words set words = '{NOTE}', salt = x'00' where words is null")
    _harm(file, f"update person set name = 'Ms. Lee', salt = x'00' where id = '{lee}'")
    assert {sentence for _, _, sentence in _found(file)} == {
        "what a person wrote there was erased, and is still kept",
        f"the name of {lee} was erased, and is still kept",
    }


def test_words_of_one_event_are_erased_and_no_others(file: Path) -> None:
    run("erase", str(file), "t1", "2", "--by", "mx. boss", "--reason", "asked for")
    with closing(apsw.Connection(str(file))) as connection:
        kept = list(connection.execute("select words from words order by words"))
    assert kept == [(None,), ("asked for",)]


def test_what_commands_about_people_refuse(file: Path) -> None:
    database, by, why = str(file), ("--by", "mx. boss"), ("--reason", "asked for")
    lee = run_json("people", database, "--find", "lee")[0]["id"]
    boss = run_json("people", database, "--find", "BOSS")[0]["id"]
    for arguments, sentence in (
        (("erase", database, lee, "--by", lee, *why), "that is not for a"),
        (("erase", database, lee, "--by", "nobody", *why), "there is no person 'nobody'"),
        (("erase", database, "nobody", *by, *why), "there is no person 'nobody'"),
        (("erase", database, boss, *by, *why), "nobody erases their own name"),
        (("erase", database, lee, *by, "--reason", " "), "say why"),
        (("erase", database, "t1", "1", *by, *why), "no words that can be erased"),
        (("erase", database, "t9", "1", *by, *why), "no words that can be erased"),
        (("erase", database, "t1", "-1", *by, *why), "no words that can be erased"),
        (("erase", database, lee, *by), "--reason"),
        (("rename", database, lee, "a\u202eb", *by), "all of them visible"),
        (("rename", database, boss, "Ms. Lee", *by), "another person signs in"),
        (("rename", database, "nobody", "Ann", *by), "there is no person 'nobody'"),
        (("people", str(file.with_name("none.db"))), "there is no such database"),
        (("people", database, "-o", str(file.with_name("people.txt"))), ".json"),
    ):
        assert sentence in refused(*arguments), arguments
    assert _found(file) == []
