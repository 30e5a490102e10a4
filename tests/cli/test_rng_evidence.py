"""``punto rng-evidence``: a folder of files about computed shoes, or about those of a log."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.command import punto, refused, run, run_json
from support.json_answers import documented, paths
from support.pdf_text import pdf_text

from punto.cards import DECK
from punto.cli.bench.played_history import make_history
from punto.cli.evidence.audit import known_games
from punto.report.rng_paper.logged_shoes import logged_shoes, sample_of_log
from punto.store.address import open_reader
from punto.store.house import House
from punto.store.house_journal import journal_of
from punto.store.round_events import every_event
from punto.store.sqlite.sqlite_store import SqliteStore
from punto.store.trust.keys import make_keys
from punto.table.play.dealing import CardExposed
from punto.texts import Language, catalogue

AT = 1_700_000_000_000
FILES = {"rng.json", "rng.pdf", "p_values.svg", "positions.svg"}


@pytest.fixture(scope="module")
async def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log of some shoes at one table, and one of a house where nothing happened."""
    file = tmp_path_factory.mktemp("store") / "punto.db"
    for place, events in ((file, 3_000), (file.with_name("empty.db"), 0)):
        store = SqliteStore(place)
        house = await House.open(store, make_keys(place.with_name(f"{place.name}.key")), AT)
        if events:
            await make_history(house, events)
        await store.close()
    return file


def test_computed_shoes_make_a_folder_that_names_operator_interval_and_time(tmp_path: Path) -> None:
    told = run_json(
        "rng-evidence", "--shoes", "30", "--seed", "4", "--operator", "The *Pearl*", "-o", str(tmp_path / "e")
    )
    assert {file.name for file in (tmp_path / "e").iterdir()} == FILES
    assert json.loads((tmp_path / "e" / "rng.json").read_text("utf-8")) == told
    assert (told["shoes"], told["source"], told["failed"]) == (30, "practice", [])
    assert 0 < told["tests_made"] < len(told["tests"]) == 34
    paper = pdf_text((tmp_path / "e" / "rng.pdf").read_bytes())
    for words in ("The *Pearl*", told["from"], told["made"], "Others need more shoes", "needs 200 shoes"):
        assert words in paper
    page = documented()["rng-evidence"]
    assert {path for path, _ in paths(told)} <= page.keys()
    assert all(kind in page[path] for path, kind in paths(told))
    for language in Language:
        assert {f"test.{each['test']}" for each in told["tests"]} <= catalogue("randomness", language).keys()


async def test_the_shoes_of_a_log_are_the_cards_that_its_events_expose(log: Path) -> None:
    store = await open_reader(str(log))
    tables = list((await journal_of(store)).tables)
    shoes = await logged_shoes(store, await known_games(store, []), tables)
    exposed = 0
    for table in tables:
        events = [each.event async for each in every_event(store, table)]
        exposed += sum(isinstance(each, CardExposed) for each in events)
    await store.close()
    assert shoes
    assert sum(len(each.seen) for each in shoes) == exposed
    sample, used = sample_of_log(shoes)
    for row, shoe in enumerate(used):
        for index, card in list(shoe.seen.items())[:20]:
            assert DECK[sample.cards[row, index]] == card


@pytest.mark.long
def test_a_log_is_tested_and_one_without_shoes_is_told_as_such(log: Path, tmp_path: Path) -> None:
    code, out, _ = punto("rng-evidence", "--log", str(log), "-o", str(tmp_path / "log"), "--json")
    told = json.loads(out)
    assert code == bool(told["failed"])
    assert (told["source"], told["shoes"] > 0, told["from"] <= told["to"]) == ("log", True, True)
    empty = run("rng-evidence", "--log", str(log.with_name("empty.db")), "-o", str(tmp_path / "none"))
    assert "Nothing happened" in empty
    assert "Nothing happened" in pdf_text((tmp_path / "none" / "rng.pdf").read_bytes())


def test_what_cannot_be_asked_is_refused_and_nothing_is_written(log: Path, tmp_path: Path) -> None:
    folder = tmp_path / "e"
    for arguments, words in (
        (("--shoes", "0"), "--shoes"),
        (("--decks", "9"), "--decks"),
        (("--table", "t1"), "--log"),
        (("--log", str(log), "--table", "nowhere"), "nowhere"),
        (("--log", str(tmp_path / "missing.db")), "missing.db"),
    ):
        assert words in refused("rng-evidence", *arguments, "-o", str(folder))
    assert not folder.exists()
