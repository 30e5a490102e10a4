"""A page of a log is verified as it is read, wherever it begins."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from punto.store.records import Append, EventRecord
from punto.store.sqlite.sqlite_store import SqliteStore
from punto.store.trust.chain import Chain, ChainBroken, verified_page
from punto.store.trust.keys import Keys
from punto.store.trust.signed_heads import head_message
from punto.store.trust.verified_points import VerifiedPoint, sign_point
from punto.table.play.chips import Filled


async def stored(folder: Path, count: int = 12) -> SqliteStore:
    store = SqliteStore(folder / "punto.db")
    events = [EventRecord.of(Filled(amount), amount, "pat", "Pit Manager") for amount in range(1, count + 1)]
    await store.append([Append("t1", 0, events)])
    return store


@pytest.mark.parametrize(("after", "most"), [(0, 5), (0, 100), (4, 3), (11, 5), (12, 5), (40, 5)])
async def test_a_page_is_what_reading_gives(tmp_path: Path, after: int, most: int) -> None:
    store = await stored(tmp_path)
    assert await verified_page(store, "t1", after, most) == await store.read("t1", after, most)
    await store.close()


@pytest.mark.parametrize(
    ("change", "broken"),
    [
        ("update event set at = at + 1 where number = 6", (6, "altered")),
        ("update event set hash = zeroblob(32) where number = 6", (6, "altered")),
        ("delete from event where number = 6", (6, "missing")),
    ],
)
async def test_an_event_that_is_not_as_it_was_stored_is_not_given(
    tmp_path: Path, change: str, broken: tuple[int, str]
) -> None:
    store = await stored(tmp_path)
    connection = apsw.Connection(str(tmp_path / "punto.db"))
    connection.execute("drop trigger event_stays; drop trigger event_is_kept")
    connection.execute(change)
    connection.close()
    for after in (0, 3, 5, *([6] if broken[1] == "missing" else [])):
        with pytest.raises(ChainBroken) as told:
            await verified_page(store, "t1", after, 100)
        assert (told.value.number, told.value.code) == broken
    assert len(await verified_page(store, "t1", 0, 5)) == 5
    assert len(await verified_page(store, "t1", 8, 5)) == 4
    await store.close()


async def test_a_chain_holds_what_was_signed(tmp_path: Path) -> None:
    store = await stored(tmp_path)
    page = await store.read("t1")
    chain = Chain("t1", signed={3: page[2].hash, 5: b"other"})
    for each in page[:4]:
        chain.verify(each)
        chain.advance(each)
    with pytest.raises(ChainBroken) as told:
        chain.verify(page[4])
    assert (told.value.number, told.value.code) == (5, "rewritten")
    chain = Chain("t1", 12, page[-1].hash, signed={7: b"is before it", 13: b"is not there"})
    with pytest.raises(ChainBroken) as told:
        chain.end()
    assert (told.value.number, told.value.code) == (13, "gone")
    await store.close()


def test_a_signed_head_is_no_verified_point() -> None:
    """A head says that events were stored, a point that every hash was computed: one does not pass for the other."""
    keys, hash_ = Keys(bytes(32)), b"h" * 32
    head = keys.sign(head_message("t1", 7, hash_.hex()))
    assert sign_point(keys, "t1", 7, hash_).is_signed_with(keys.public_key)
    assert not VerifiedPoint("t1", 7, hash_, head).is_signed_with(keys.public_key)
