"""The golden log: what houses have stored is still read, and still leads to the same tables.

A failure here is a database that can no longer be served. Mend the code, or give an event a new version with a way up
from the old one; never record a stream a second time. See ``golden_log``.
"""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path

import pytest
from support.golden_log import (
    APART,
    KEYS,
    UNRECORDED,
    After,
    aftermath,
    files,
    folded,
    recordings,
    same_body,
    streams,
    words_of,
)
from support.table_facts import Facts

from punto import APPROVED, load
from punto.audit.log_audit import StoreAudit
from punto.audit.table_recomputed import games_by_digest
from punto.cards import parse_cards
from punto.server.cash.cage import Cage
from punto.server.tables.floor import Floor
from punto.server.tables.shoe_keeper import ShoeKeeper
from punto.shoe import read_record, verify
from punto.store.codec import KINDS, UPCASTERS, decode, encode, version_of
from punto.store.events.house_events import HOUSE, TableCreated
from punto.store.records import FIRST_HASH, Append, EventRecord, hash_of
from punto.store.sqlite.sqlite_store import SqliteStore
from punto.store.trust.snapshots import from_snapshot, take_snapshot
from punto.table.irregularities.void import VoidAsked

FILES = files()
TABLES = [file for file in FILES if file.stem not in APART]


def _name(file: Path) -> str:
    return f"{file.parent.name}-{file.stem}"


@pytest.mark.parametrize("file", FILES, ids=_name)
def test_the_hashes_still_chain(file: Path) -> None:
    for stream, events in streams(file).items():
        before = FIRST_HASH
        for number, each in enumerate(events, start=1):
            assert each.number == number, stream
            assert each.hash == hash_of(before, stream, number, each), f"{stream}, event {number}"
            before = each.hash


@pytest.mark.parametrize("file", FILES, ids=_name)
def test_every_event_is_read_with_all_its_fields(file: Path) -> None:
    """One of the newest version is written again as it was stored; a field may have been added since."""
    for stream, events in streams(file).items():
        for each in events:
            name, version, body = encode(each.event)
            assert name == each.name
            if version == each.version:
                assert same_body(body, each.body), f"{stream}, event {each.number}: {name}"


@pytest.mark.parametrize("file", TABLES, ids=_name)
def test_every_event_leads_to_the_same_facts_and_views(file: Path) -> None:
    recorded = iter(aftermath(file))
    for stream, events in streams(file).items():
        for then, now in zip(islice(recorded, len(events)), folded(file.stem, events), strict=True):
            where = f"{stream}, event {now.number}: {events[now.number - 1].name}"
            assert now.number == then.number, where
            assert _differing(now.facts, then.facts) == {}, f"{where}: facts now and then"
            assert now.gone == then.gone, where
            _check_views(now, then, where)
    assert next(recorded, None) is None


def _differing(now: Facts, then: Facts) -> dict[str, tuple[object, object]]:
    """By name the facts that an event changed in another way, with what they are now and what they were then."""
    unchanged = "not changed"
    both = {name: (now.get(name, unchanged), then.get(name, unchanged)) for name in now | then}
    return {name: pair for name, pair in both.items() if pair[0] != pair[1]}


def _check_views(now: After, then: After, where: str) -> None:
    if then.views and now.views:
        for name, view in then.views.items():
            assert now.views[name] == view, f"{where}: {name}"
    named = zip(("public", "staff", "private", "next"), now.digests.split(), then.digests.split(), strict=True)
    assert [name for name, found, known in named if found != known] == [], f"{where}: views that differ"


@pytest.mark.parametrize("file", TABLES, ids=_name)
def test_older_versions_are_brought_up_to_date_as_before(file: Path) -> None:
    events = [each for stream in streams(file).values() for each in stream]
    for then, each in zip(aftermath(file), events, strict=True):
        written = each
        if then.upcast and then.upcast[0] == version_of(written.name):
            _, _, body = encode(decode(written.name, written.version, written.body))
            assert same_body(body, bytes(then.upcast[1])), f"{each.stream}, event {each.number}"


@pytest.mark.parametrize(
    ("note", "why", "wrong"),
    [
        ("4c is one more than the shoe holds", "not-in-the-shoe", "4c"),
        ("Td is one more than the shoe holds", "not-in-the-shoe", "Td"),
        ("4c fell on the floor", "4c fell on the floor", ""),
        ("Kim is one more than the shoe holds", "Kim is one more than the shoe holds", ""),
        ("", "reported", ""),
    ],
)
def test_a_first_log_names_the_wrong_card_only_where_the_shoe_could_not_hold_it(
    note: str, why: str, wrong: str
) -> None:
    """The first houses stored a sentence. A card that a person mentions in their own words is not a wrong card."""
    stored = {"provision": "wrong-cards", "clause": "5.2", "noticed_by": "Sam", "note": note}
    card = next(iter(parse_cards(wrong)), None)
    assert decode("VoidAsked", 1, json.dumps(stored).encode()) == VoidAsked("wrong-cards", "5.2", why, card)


def test_every_kind_and_version_of_event_is_recorded() -> None:
    """If one is missing: write a script with it, then ``python -m golden_log`` adds a recording."""
    stored = [each for file in FILES for events in streams(file).values() for each in events]
    assert {each.name for each in stored} | UNRECORDED == set(KINDS)
    assert {(each.name, each.version) for each in stored} >= set(UPCASTERS)


@pytest.mark.parametrize("folder", recordings(), ids=lambda folder: str(folder.name))
async def test_a_recorded_house_can_be_stored_and_audited(folder: Path, tmp_path: Path) -> None:
    """Stored by today's code every event gets the hash it had, and an audit of the house finds nothing."""
    found = {name: events for file in FILES if file.parent == folder for name, events in streams(file).items()}

    store = SqliteStore(tmp_path / "punto.db")
    for name, events in found.items():
        assert await store.append([Append(name, 0, list(events))]) == events
    await store.append([], words=words_of(folder))
    assert await StoreAudit(store, games_by_digest(APPROVED)).run() == []
    await _check_cage_and_shoes(store, found)
    await store.close()


@pytest.mark.parametrize("folder", recordings(), ids=lambda folder: str(folder.name))
async def test_a_recorded_house_can_be_served(folder: Path, tmp_path: Path) -> None:
    """Its tables find their games, whatever the wording of the games' files was; also from a snapshot."""
    found = {name: events for file in FILES if file.parent == folder for name, events in streams(file).items()}
    created = [each.event for each in found[HOUSE] if each.name == "TableCreated"]
    games = {key: load(key) for key in APPROVED}
    store = SqliteStore(tmp_path / "punto.db")
    for name, events in found.items():
        await store.append([Append(name, 0, list(events))])

    floor = Floor(store, KEYS, lambda: 0, games)
    await floor.start()
    assert floor.closed == {}
    assert created
    for each in created:
        assert isinstance(each, TableCreated)
        served = floor.tables[each.table]
        assert served.table.book is games[each.game]
        assert served.actor.number == len(found.get(each.table, []))
        kept = take_snapshot(each.table, served.actor.number, b"hash", served.table)
        assert from_snapshot(kept, games[each.game]) == served.table
    await store.close()


async def _check_cage_and_shoes(store: SqliteStore, found: dict[str, list[EventRecord]]) -> None:
    """All accounts were paid out, and the shoe that was published is in order."""
    cage = Cage(store, lambda: 0)
    await cage.catch_up()
    assert cage.accounts
    assert not any(cage.accounts.values())
    for stream in (name for name in found if name.endswith(".shoes")):
        keeper = ShoeKeeper(store, KEYS, stream.removesuffix(".shoes"), lambda: 0)
        await keeper.catch_up()
        for shoe in keeper.shoes:
            record = await keeper.record(shoe)
            assert record
            assert all(check.ok for check in verify(read_record(record)))
        read = [each for each in found[stream] if each.name == "CardRead"]
        assert all(keeper.card_at("a new shoe", index) for index in range(len(read)))
