"""A house knows that it went back in time: it is closed until a person accepts it, and no card is dealt twice."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import asyncpg
import pytest
from support.command import run_json
from support.past import (
    MANAGER,
    answer_to,
    bring_shoe,
    cards,
    client_of,
    deal,
    done,
    make_table,
    manager_of,
    opened,
    options_of,
    prepare_shoe,
    resumed,
)

from punto.server.access.identity import Duty
from punto.server.running.lifecycle import Options, Serving, open_serving
from punto.server.running.resumption import CannotResume
from punto.store.events.house_events import HOUSE, ClosedWhy, HouseResumed
from punto.store.records import Append, EventRecord, HouseBehind
from punto.store.sqlite.backup import back_up
from punto.store.trust.mark import BadMark
from punto.table.irregularities.referral import Refer
from punto.table.play.shoes import EndShoe, LoadShoe
from punto.table.play.wagers import OpenBets
from punto.table.refusal import Refusal
from punto.table.roles import AUTOMATON
from punto.table.round import Phase


def restore(copy: Path, file: Path) -> None:
    """Put a copy in place of a database, as the operations page says."""
    for ending in ("-wal", "-shm"):
        file.with_name(file.name + ending).unlink(missing_ok=True)
    shutil.copyfile(copy, file)


async def played_on(options: Options, steps: int, after: int) -> Path:
    """Deal at a table, make a back-up, deal on; the back-up, which then stands in the database's place."""
    file, copy = Path(options.database), Path(options.database).with_name("copy.db")
    async with opened(options) as serving:
        await make_table(serving)
        await deal(serving, steps)
        back_up(file, copy)
        await deal(serving, after)
        lost = (await cards(serving))[len(await _cards_of(copy)) :]
        assert len(lost) > 3
    restore(copy, file)
    return copy


async def _cards_of(file: Path) -> list[tuple[str, str]]:
    from punto.store.sqlite.sqlite_store import SqliteReader

    class Only:
        store = SqliteReader.open(file)

    found = await cards(Only, "t1")  # type: ignore[arg-type]
    await Only.store.close()
    return found


@pytest.mark.parametrize("steps", [12, 17, 30], ids=["cards out", "cards shown", "second round"])
async def test_a_restored_back_up_is_closed_then_accepted_and_no_card_is_dealt_again(
    tmp_path: Path, steps: int
) -> None:
    options = options_of(tmp_path)
    async with opened(options) as serving:
        await make_table(serving)
        await deal(serving, steps)
        before = await cards(serving)
        back_up(tmp_path / "punto.db", tmp_path / "copy.db")
        await deal(serving, 25)
        shown = (await cards(serving))[len(before) :]
    restore(tmp_path / "copy.db", tmp_path / "punto.db")
    async with opened(options) as serving:
        await _is_closed(serving)
    async with opened(options) as serving:  # and stays closed, whoever starts it
        await _is_closed(serving)
    told = await resumed(options)
    assert {each.stream for each in told.lost} >= {"t1"}
    assert all(each.missing for each in told.lost if each.stream == "t1")
    async with opened(options) as serving:
        assert not serving.store.closed
        keeper, table = serving.floor.tables["t1"].keeper, serving.floor.tables["t1"].table
        assert table.shoe is None
        assert table.phase is Phase.IDLE
        assert all(map(keeper.is_published, keeper.shoes))
        assert await bring_shoe(serving) not in {shoe for shoe, _ in before}
        await deal(serving, 30)
        again = (await cards(serving))[len(before) :]
        assert len(again) >= 4
        assert [card for card in again if card[0] in {shoe for shoe, _ in shown}] == []
        resumptions = [each for each in await serving.store.read(HOUSE) if each.name == HouseResumed.__name__]
        assert [each.by for each in resumptions] == [await manager_of(serving)]
    assert (await asyncio.to_thread(run_json, "audit", options.database))["findings"] == []


@pytest.mark.parametrize("why", [ClosedWhy.BEHIND, ClosedWhy.MARK_MISSING])
async def test_a_prepared_shoe_that_was_dealt_after_the_back_up_is_not_dealt_again(
    tmp_path: Path, why: ClosedWhy
) -> None:
    """In the back-up it is only prepared, as if nobody had seen a card of it."""
    options = options_of(tmp_path)
    async with opened(options) as serving:
        await make_table(serving)
        prepared = await prepare_shoe(serving)
        back_up(tmp_path / "punto.db", tmp_path / "copy.db")
        await done(serving, EndShoe(MANAGER))
        await done(serving, LoadShoe(AUTOMATON, prepared))
        await deal(serving, 25)
        assert {shoe for shoe, _ in await cards(serving)} == {prepared}
    restore(tmp_path / "copy.db", tmp_path / "punto.db")
    if why is ClosedWhy.MARK_MISSING:
        options.where_the_mark_is.unlink()
    async with opened(options) as serving:
        assert serving.floor.watch.closed
        assert serving.floor.watch.closed.why is why
    assert (await resumed(options)).shoes_published == {"t1": ["t1 1", prepared]}
    async with opened(options) as serving:
        keeper = serving.floor.tables["t1"].keeper
        assert all(map(keeper.is_published, keeper.shoes))
        refused = await answer_to(serving, LoadShoe(AUTOMATON, prepared))
        assert isinstance(refused, Refusal)
        assert refused.code == "shoe-not-ready"
        new = await bring_shoe(serving)
        await deal(serving, 25)
        assert {shoe for shoe, _ in await cards(serving)} == {new}
    assert (await asyncio.to_thread(run_json, "audit", options.database))["findings"] == []


async def _is_closed(serving: Serving) -> None:
    """Every command and request that changes something is refused; everything can be read, and says why."""
    closed = serving.floor.watch.closed
    assert closed is not None
    assert closed.why is ClosedWhy.BEHIND
    with pytest.raises(HouseBehind):
        await answer_to(serving, Refer(MANAGER, matter="something"))
    with pytest.raises(HouseBehind):
        await serving.floor.cage.deposit("ann", 100, ("ann", "patron"))
    async with client_of(serving) as client:
        health = await client.get("/healthz")
        assert (health.status_code, health.json()["why"]) == (503, "house-behind")
        page = (await client.get("/")).text
        assert 'data-closed="yes"' in page
        assert "data-missing" not in page
    async with client_of(serving, Duty.GAMING_SHIFT_MANAGER) as client:
        for path, body in (
            ("/api/tables/t1/commands", {"command": "OpenBets"}),
            ("/api/tables", {"table": "t9", "game": "baccarat"}),
            ("/api/people", {"name": "Eve", "duty": "Dealer"}),
        ):
            answer = await client.post(path, json=body)
            assert (answer.status_code, answer.json()["code"]) == (503, "house-behind"), path
        assert 'data-why="behind"' in (await client.get("/pit")).text
        assert (await client.get("/api/tables/t1")).status_code == 200
        assert (await client.get("/api/audit/tables")).status_code == 200


async def test_an_older_copy_of_the_file_is_closed_too_and_so_is_one_that_went_on_without_its_mark(
    tmp_path: Path,
) -> None:
    options, file = options_of(tmp_path), tmp_path / "punto.db"
    async with opened(options) as serving:
        await make_table(serving)
        await deal(serving, 5)
    shutil.copyfile(file, tmp_path / "older.db")
    async with opened(options) as serving:
        await deal(serving, 20)
    restore(tmp_path / "older.db", file)
    elsewhere = Options(options.database, options.key_file, tmp_path / "elsewhere.mark")
    mark = options.where_the_mark_is.rename(tmp_path / "kept.mark")
    async with opened(elsewhere) as serving:  # with its mark missing it is closed as well
        assert serving.floor.watch.closed
        assert serving.floor.watch.closed.why is ClosedWhy.MARK_MISSING
    restore(tmp_path / "older.db", file)
    async with opened(options) as serving:
        assert serving.floor.watch.closed
    restore(tmp_path / "older.db", file)
    # The same number of events, but others: played on from the older copy by someone who can write to the database.
    mark.rename(options.where_the_mark_is)
    from punto.store.sqlite.sqlite_store import SqliteStore

    store = SqliteStore(file)
    number, _ = await store.head("t1")
    record = (await store.read("t1", number - 1))[0]
    for _ in range(40):
        await store.append([Append("t1", number, [EventRecord(record.name, record.version, record.body, 1, "x", "y")])])
        number += 1
    await store.close()
    async with opened(options) as serving:
        closed = serving.floor.watch.closed
        assert closed
        assert [(each.stream, each.missing) for each in closed.lost if each.stream == "t1"] == [("t1", 0)]


async def test_clean_restarts_and_a_second_acceptance(tmp_path: Path) -> None:
    options = options_of(tmp_path)
    for _ in range(4):
        async with opened(options) as serving:
            assert not serving.store.closed
            if not serving.floor.tables:
                await make_table(serving)
            await deal(serving, 3)
    with pytest.raises(CannotResume):
        await resumed(options)
    back_up(tmp_path / "punto.db", tmp_path / "copy.db")
    for epoch in (2, 3):
        async with opened(options) as serving:
            if serving.floor.tables["t1"].table.shoe is None:
                await bring_shoe(serving)
            await deal(serving, 12)
        restore(tmp_path / "copy.db", tmp_path / "punto.db")
        assert (await resumed(options)).epoch == 2, "each copy is of the first epoch"
        if epoch == 2:
            back_up(tmp_path / "punto.db", tmp_path / "second.db")
    async with opened(options) as serving:
        assert not serving.store.closed
        await bring_shoe(serving)
    restore(tmp_path / "second.db", tmp_path / "punto.db")
    assert (await resumed(options)).epoch == 3


async def test_nobody_without_the_key_resumes_a_house(tmp_path: Path) -> None:
    options = options_of(tmp_path)
    await played_on(options, 12, 20)
    async with opened(options) as serving:
        number, _ = await serving.store.head(HOUSE)
        forged = EventRecord.of(HouseResumed(2, "because", "00" * 64), 1, "eve", "Gaming Shift Manager")
        await serving.store.append([Append(HOUSE, number, [forged])])
    async with opened(options) as serving:
        assert serving.store.closed


async def test_a_mark_is_not_believed_if_it_was_altered_torn_or_is_another_houses(tmp_path: Path) -> None:
    options = options_of(tmp_path)
    async with opened(options) as serving:
        await make_table(serving)
        await deal(serving, 12)
    mark, whole = options.where_the_mark_is, options.where_the_mark_is.read_bytes()
    shutil.copyfile(tmp_path / "punto.db", tmp_path / "kept.db")
    mark.write_bytes(whole[:-7])  # torn: the last good entry counts
    async with opened(options) as serving:
        assert not serving.store.closed
    for damaged in (whole[:30], b"\0" * 200, whole[:45] + b"xyz" + whole[48:]):
        mark.write_bytes(damaged)
        async with opened(options) as serving:
            assert serving.floor.watch.closed
            assert serving.floor.watch.closed.why is ClosedWhy.MARK_UNREADABLE
        restore(tmp_path / "kept.db", tmp_path / "punto.db")
    other = options_of(tmp_path / "other")
    (tmp_path / "other").mkdir()
    async with opened(other):
        pass
    shutil.copyfile(other.where_the_mark_is, mark)
    with pytest.raises(BadMark, match="another house"):
        await open_serving(options)
    (tmp_path / "punto.db").unlink()
    with pytest.raises(BadMark, match="whose database is not here"):
        await open_serving(options)


async def test_a_house_is_begun_again_once_all_its_files_are_gone(tmp_path: Path) -> None:
    options = Options(str(tmp_path / "punto.db"))
    async with opened(options) as serving:
        await make_table(serving)
    files = list(tmp_path.glob("punto.db*"))
    assert options.where_the_mark_is in files
    for each in files:
        each.unlink()
    async with opened(options) as serving:
        assert serving.links
        assert not serving.floor.tables
        assert not serving.store.closed


# --- PostgreSQL ------------------------------------------------------------------------------------------------------


@asynccontextmanager
async def cut_back(address: str) -> AsyncIterator[asyncpg.Connection]:
    """A connection that may delete events, as a failover that lost its tail does."""
    connection = await asyncpg.connect(address)
    await connection.execute("alter table event disable trigger event_stays")
    yield connection
    await connection.execute("alter table event enable trigger event_stays")
    await connection.close()


async def test_a_failover_that_lost_its_tail_closes_every_process(postgresql: str, tmp_path: Path) -> None:
    one, other = options_of(tmp_path, postgresql), Options(postgresql, tmp_path / "house.key", tmp_path / "two.mark")
    async with opened(one) as serving, opened(other) as second:
        await make_table(serving)
        await deal(serving, 12)
        await second.floor.read_journal()
        length, _ = await serving.store.head("t1")
        of_house, _ = await serving.store.head(HOUSE)
        async with cut_back(postgresql) as connection:
            await connection.execute("delete from event where stream = 't1' and number > $1", length - 3)
            await connection.execute("delete from event where stream = 'house' and number > $1", of_house - 1)
        with pytest.raises(HouseBehind):
            await deal(serving, 1)
        while not serving.floor.watch.closed:
            await asyncio.sleep(0.01)
        second.store.losses += 1  # a failover ends every connection
        await second.floor.watch.look({}, {})
        assert second.floor.watch.closed
        assert {each.stream: each.missing for each in serving.floor.watch.closed.lost}["t1"] == 3
        with pytest.raises(HouseBehind):
            await second.floor.cage.deposit("ann", 100, ("ann", "patron"))
    told = await resumed(one)
    assert told.shoes_published == {"t1": ["t1 1"]}
    async with opened(one) as serving, opened(other) as second:
        assert not serving.store.closed
        assert not second.store.closed
        await bring_shoe(serving)
        await deal(serving, 12)
    assert (await asyncio.to_thread(run_json, "audit", postgresql))["findings"] == []


async def test_what_another_process_acknowledged_is_found_missing_at_the_next_look(
    postgresql: str, tmp_path: Path
) -> None:
    """A process that has only followed a table notices too: by the length of its stream."""
    one, other = options_of(tmp_path, postgresql), Options(postgresql, tmp_path / "house.key", tmp_path / "two.mark")
    async with opened(one) as serving, opened(other) as second:
        await make_table(serving)
        floor = second.floor
        length, _ = await second.store.head("t1")
        async with cut_back(postgresql) as connection:
            await connection.execute("delete from event where stream = 't1' and number > $1", length - 1)
        await floor.watch.look({"t1": length}, await second.store.heads(["t1"]))
        assert floor.watch.closed
        assert floor.watch.closed.lost[0].missing == 1


async def test_a_mark_is_compared_after_a_lost_connection(postgresql: str, tmp_path: Path) -> None:
    options = options_of(tmp_path, postgresql)
    async with opened(options) as serving:
        await make_table(serving)
        await deal(serving, 6)
        head = await serving.store.head("t1")
        async with cut_back(postgresql) as connection:
            await connection.execute(
                "update event set hash = $1 where stream = 't1' and number = $2", bytes(32), head[0]
            )
        known = {"t1": head[0]}
        await serving.floor.watch.look(known, known)
        assert not serving.floor.watch.closed
        serving.store.losses += 1
        await serving.floor.watch.look(known, known)
        await serving.floor.read_journal()
        assert serving.floor.watch.closed


async def test_a_process_that_joins_needs_no_mark_but_a_house_that_starts_alone_does(
    postgresql: str, tmp_path: Path
) -> None:
    one, other = options_of(tmp_path, postgresql), Options(postgresql, tmp_path / "house.key", tmp_path / "two.mark")
    async with opened(one) as serving:
        await make_table(serving)
        async with opened(other) as second:
            assert not second.store.closed
            await done(second, OpenBets(AUTOMATON))
    for file in (one, other):
        file.where_the_mark_is.unlink()
    async with opened(one) as serving:
        assert isinstance(await _refused(serving), Refusal | HouseBehind)
        assert serving.floor.watch.closed
        assert serving.floor.watch.closed.why is ClosedWhy.MARK_MISSING


async def _refused(serving: Serving) -> Refusal | HouseBehind | None:
    try:
        answer = await answer_to(serving, OpenBets(AUTOMATON))
    except HouseBehind as error:
        return error
    return answer if isinstance(answer, Refusal) else None
