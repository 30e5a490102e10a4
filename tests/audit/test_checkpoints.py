"""Checkpoints: what is asked of a long log is answered from a short part of it, and the same as from all of it."""

from __future__ import annotations

import re
import shutil
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import apsw
import pytest
from properties.random_play import RandomPlay
from support.command import punto
from support.histories import GAMES, CountingStore, drop_checkpoints, make_checkpoints
from support.stores import Open

from punto import APPROVED, load
from punto.audit import table_followed
from punto.audit.log_audit import StoreAudit
from punto.audit.table_followed import TableFollowed, summary_of
from punto.books.shift_totals import Span
from punto.cli.bench.played_history import BEGAN, DAY, make_history
from punto.cli.evidence import long_logs
from punto.notation import parse
from punto.notation.script_player import Player
from punto.report.dispute.packet import dispute_packet
from punto.report.event_search import EventSought, search_events
from punto.report.legend import Legend
from punto.report.ratings import ratings
from punto.report.replay import replay
from punto.report.round_index import Chronicle, Sought
from punto.report.shift.shift_report import shift_report
from punto.report.shoe_check import shoes_of
from punto.server.running.background import BackgroundJobs
from punto.server.running.checkpoint_keeper import CheckpointKeeper
from punto.store.codec import encoder
from punto.store.events.house_events import HOUSE
from punto.store.house import House
from punto.store.protocol import Reader
from punto.store.records import FIRST_HASH, Append, EventRecord, hash_of
from punto.store.round_events import every_event
from punto.store.sqlite.sqlite_store import SqliteReader, SqliteStore
from punto.store.trust.checkpoints import Checkpoint, Checkpoints, MadeCheckpoint, keep
from punto.store.trust.keys import Keys, load_keys, make_keys
from punto.table.irregularities.void import RoundVoided
from punto.table.play.settlement import RoundSettled
from punto.texts import Language

TABLE = "table-1"
EVENTS_A_DAY = 500
SEEDS = [("baccarat", 1), ("fabulous-4", 0), ("tiger-no-commission", 1), ("dragon-tiger", 0)]
BOOKS = list(dict.fromkeys(each.book for each in GAMES.values()))


async def _made(folder: Path, events: int) -> Path:
    file = folder / f"{events}.db"
    store, keys = SqliteStore(file), make_keys(folder / f"{events}.db.key")
    house = await House.open(store, keys, BEGAN)
    await make_history(house, events, events_a_day=EVENTS_A_DAY)
    await make_checkpoints(store, keys, [TABLE])
    await store.close()
    return file


@pytest.fixture(scope="module")
async def short(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return await _made(tmp_path_factory.mktemp("short"), 2_200)


@pytest.fixture(scope="module")
async def long(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ten times that history."""
    return await _made(tmp_path_factory.mktemp("long"), 22_000)


@dataclass
class Asked:
    """Questions about the table of a history, each answered as JSON."""

    store: Reader
    day: int
    round: int
    read: Chronicle | None = None

    async def chronicle(self) -> Chronicle:
        if self.read is None:
            self.read = Chronicle(TABLE, GAMES)
            assert await self.read.follow(self.store, 10**9)
        return self.read

    async def shift(self) -> bytes:
        span = Span(BEGAN + self.day * DAY, BEGAN + (self.day + 1) * DAY)
        return encoder.encode(await shift_report(self.store, BOOKS, span))

    async def packet(self) -> bytes:
        packet = await dispute_packet(self.store, GAMES, TABLE, self.round)
        assert packet["audit"].pop("since") >= 0
        return encoder.encode(packet)

    async def replay(self) -> bytes:
        chronicle = await self.chronicle()
        found = await chronicle.round(self.store, self.round)
        assert found is not None
        return encoder.encode(await replay(self.store, chronicle, found, Language.ENGLISH))

    async def ratings(self) -> list[Any]:
        span = Span(BEGAN + self.day * DAY, BEGAN + (self.day + 1) * DAY)
        return await ratings(self.store, BOOKS, span, [TABLE])

    async def events(self) -> Any:
        until = BEGAN + self.day * DAY + DAY // 4
        heads, sought = await self.store.heads([TABLE, HOUSE]), EventSought(until=until, since=until - DAY // 8)
        return await search_events(self.store, heads, {TABLE: BOOKS[0]}, sought, Legend(), most=20)

    async def search(self, **sought: Any) -> list[Any]:
        return await (await self.chronicle()).find(self.store, Sought(**sought), None, 20)

    def questions(self) -> dict[str, Callable[[], Awaitable[Any]]]:
        some = {"first": self.round - 3, "last": self.round + 3}
        when = {"since": BEGAN + self.day * DAY, "until": BEGAN + self.day * DAY + DAY // 4}
        return {
            "shift": self.shift,
            "ratings": self.ratings,
            "events": self.events,
            "packet": self.packet,
            "replay": self.replay,
            "newest": self.search,
            "corrected": lambda: self.search(corrected=True),
            "void": lambda: self.search(void=True),
            "patron": lambda: self.search(patron="patron3"),
            "nobody": lambda: self.search(patron="nobody"),
            "rounds": lambda: self.search(**some),
            "when": lambda: self.search(**when),
        }


async def _read(file: Path, day: int, round_: int) -> dict[str, int]:
    """Return how many events each question reads."""
    reader = SqliteReader.open(file)
    counting: Any = CountingStore(reader)
    read = {}
    for name in Asked(counting, day, round_).questions():
        counting.events = 0
        await Asked(counting, day, round_).questions()[name]()
        read[name] = counting.events
    await reader.close()
    return read


@pytest.mark.long
async def test_ten_times_the_history_costs_no_more_events(short: Path, long: Path) -> None:
    few, many = await _read(short, 2, 25), await _read(long, 40, 500)
    for name, events in few.items():
        assert many[name] < events + 1.5 * EVENTS_A_DAY, name  # a round may be the first of its shoe, or the last


@pytest.mark.long
async def test_without_checkpoints_everything_is_read(long: Path, tmp_path: Path) -> None:
    """So that the test above can fail."""
    shutil.copy(long, tmp_path / "old.db")
    drop_checkpoints(tmp_path / "old.db")
    for name, events in (await _read(tmp_path / "old.db", 40, 500)).items():
        assert events > 17_000 or name == "events", name


async def _answers(file: Path, day: int, round_: int) -> dict[str, Any]:
    reader = SqliteReader.open(file)
    asked = Asked(reader, day, round_)
    told = {name: await question() for name, question in asked.questions().items()}
    told["shoes"] = await shoes_of(reader, await asked.chronicle())
    await reader.close()
    return told


@pytest.mark.long
@pytest.mark.parametrize(("day", "round_"), [(0, 1), (20, 250)])
async def test_the_answers_are_those_from_the_whole_log(long: Path, tmp_path: Path, day: int, round_: int) -> None:
    shutil.copy(long, tmp_path / "old.db")
    drop_checkpoints(tmp_path / "old.db")
    assert await _answers(long, day, round_) == await _answers(tmp_path / "old.db", day, round_)


@pytest.mark.long
def test_a_command_says_that_it_reads_a_long_log(long: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_logs, "LONG", 20_000)
    shutil.copy(long, tmp_path / "old.db")
    drop_checkpoints(tmp_path / "old.db")
    code, out, err = punto("replay", str(tmp_path / "old.db"), TABLE, "250")
    assert code == 0
    assert re.fullmatch(rf"punto: {TABLE}: no checkpoints yet, reading 22,\d{{3}} events; a server makes them\n", err)
    assert punto("replay", str(long), TABLE, "250") == (0, out, "")


# --- every kind of event ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
async def random_play(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table of each game with everything that random play brings about, and a checkpoint after every round."""
    file = tmp_path_factory.mktemp("random") / "punto.db"
    store, keys = SqliteStore(file), make_keys(file.with_name("punto.db.key"))
    house = await House.open(store, keys, BEGAN)
    for game in APPROVED:
        play = RandomPlay(game, 3)
        play.play(1_500)
        await house.create_table(game, load(game), BEGAN)
        written = [EventRecord.of(event, BEGAN + 1_000 * at, "sam", "Dealer") for at, event in enumerate(play.log)]
        await store.append([Append(game, 0, written)])
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(TableFollowed, "after", (*TableFollowed.after, RoundSettled, RoundVoided))
        await make_checkpoints(store, keys, APPROVED)
        assert await StoreAudit(store, GAMES).run() == []
    await store.close()
    return file


async def _table_told(file: Path, table: str) -> dict[str, Any]:
    """Return all that can be asked about a table: its rounds, each as it happened, packets, and two shift reports."""
    reader = SqliteReader.open(file)
    chronicle = Chronicle(table, GAMES)
    assert await chronicle.follow(reader, 10**9)
    rounds = await chronicle.find(reader, Sought(), None, 10**6)
    packets = [await dispute_packet(reader, GAMES, table, each.round) for each in rounds[::9]]
    for packet in packets:
        packet["audit"].pop("since")
    told = {
        "rounds": rounds,
        "irregular": await chronicle.find(reader, Sought(irregular=True), None, 10**6),
        "corrected": await chronicle.find(reader, Sought(corrected=True), None, 10**6),
        "before": await chronicle.find(reader, Sought(), 40, 10),
        "alone": [await chronicle.round(reader, each.round) for each in rounds],
        "replays": [await replay(reader, chronicle, each, Language.ENGLISH) for each in rounds[::9]],
        "packets": packets,
        "shoes": await shoes_of(reader, chronicle),
        "shifts": [
            encoder.encode(await shift_report(reader, BOOKS, Span(BEGAN + begin * 1_000, BEGAN + 10**9)))
            for begin in (1, 1_000, 2_000)
        ],
    }
    await reader.close()
    return told


@pytest.mark.long
@pytest.mark.parametrize("game", APPROVED)
async def test_every_kind_of_play_is_told_the_same(random_play: Path, tmp_path: Path, game: str) -> None:
    shutil.copy(random_play, tmp_path / "old.db")
    drop_checkpoints(tmp_path / "old.db")
    told, as_before = await _table_told(random_play, game), await _table_told(tmp_path / "old.db", game)
    for name, answer in as_before.items():
        assert told[name] == answer, name


@pytest.mark.long
async def test_an_auditor_goes_on_from_any_checkpoint(random_play: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table is taken up at a checkpoint, and comes to the same checkpoints from there."""
    monkeypatch.setattr(TableFollowed, "after", (*TableFollowed.after, RoundSettled, RoundVoided))
    reader = SqliteReader.open(random_play)
    for game in APPROVED:
        checkpoints = await Checkpoints.of(reader, game)
        stored = await checkpoints.newest_first("", (), 10**9, 1_000)
        assert len(stored) > 20
        for each in stored[::7]:
            whole = await checkpoints.before_event(each.number + 1)
            assert whole is not None
            followed = TableFollowed.at(whole, GAMES)
            assert followed is not None
            made = [followed.take_in(recorded) async for recorded in every_event(reader, game, each.number)]
            told = [_without_place(one.checkpoint) for one in made if one]
            assert told == [_without_place(one) for one in reversed(stored) if one.number > each.number]
            assert followed.found.findings == []
    await reader.close()


ACCOUNTS_THAT_EMPTY = """
title Accounts that are empty at the end of a shoe, and are used again
for baccarat
patron Ann 100
patron Ben 100

Dealer: load shoe one
Dealer: cash out Ann 100
Pit Manager: end shoe
Dealer: load shoe two
Dealer: buy in Ann 100
Pit Manager: end shoe
"""


async def test_a_checkpoint_is_the_same_wherever_reading_began(tmp_path: Path) -> None:
    script = parse(ACCOUNTS_THAT_EMPTY)
    player = Player(script, script.runs[0])
    player.play()
    store, keys = SqliteStore(tmp_path / "punto.db"), make_keys(tmp_path / "key")
    house = await House.open(store, keys, BEGAN)
    await house.create_table(TABLE, load("baccarat"), BEGAN)
    for number, event in enumerate(player.log):
        await store.append([Append(TABLE, number, [EventRecord.of(event, BEGAN, "sam", "Dealer")])])
        await make_checkpoints(store, keys, [TABLE])  # each keeper goes on from the last checkpoint
    assert len(await (await Checkpoints.of(store, TABLE)).newest_first("", (), 10**9, 10)) == 2
    assert await StoreAudit(store, GAMES).run() == []
    await store.close()


@pytest.mark.parametrize(
    ("game", "seed", "steps"),
    [("tiger", 0, 1_600), *(pytest.param(game, seed, 3_000, marks=pytest.mark.long) for game, seed in SEEDS)],
)
def test_who_goes_on_from_a_checkpoint_makes_the_same(game: str, seed: int, steps: int) -> None:
    """Also where an account was empty then, as the float is once a table has closed, and is not later."""
    play, whole, before = RandomPlay(game, seed), TableFollowed(TABLE, GAMES), FIRST_HASH
    play.play(steps)
    on: TableFollowed | None = None
    compared = 0
    for number, event in enumerate(play.log, 1):
        record = EventRecord.of(event, BEGAN + number, "sam", "Dealer")
        before = hash_of(before, TABLE, number, record)
        made = whole.take_in(record.stored(TABLE, number, before))
        if on:
            again = on.take_in(record.stored(TABLE, number, before))
            assert (made is None) == (again is None)
            if made and again:
                assert _without_place(again.checkpoint) == _without_place(made.checkpoint)
                assert (again.patrons, again.amends) == (made.patrons, made.amends)
                compared += 1
        on = TableFollowed.at(made.checkpoint, GAMES) if made else on
    assert compared


# --- trust -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def file(short: Path, tmp_path: Path) -> Path:
    """A copy to do harm to."""
    shutil.copy(short, tmp_path / "punto.db")
    shutil.copy(short.with_name(f"{short.name}.key"), tmp_path / "punto.db.key")
    return tmp_path / "punto.db"


def _harm(file: Path, statement: str) -> None:
    connection = apsw.Connection(str(file))
    connection.execute("drop trigger if exists event_stays; drop trigger if exists event_is_kept")
    connection.execute(statement)
    connection.close()


async def _found(file: Path) -> list[tuple[str, int | None, str]]:
    reader = SqliteReader.open(file)
    findings = await StoreAudit(reader, GAMES).run()
    await reader.close()
    return [(each.stream, each.number, each.code) for each in findings]


HARM = {
    "latest": "latest - 1",
    "round": "round - 1",
    "marks": "marks + 8",
    "hash": "zeroblob(32)",
    "summary": "(select summary from checkpoint order by number limit 1)",
    "state_digest": "zeroblob(32)",
    "game": "'other'",
    "code": "'other'",
    "signature": "(select signature from checkpoint order by number limit 1)",
}


@pytest.mark.parametrize("column", HARM)
async def test_a_changed_checkpoint_is_not_used_and_is_found(short: Path, file: Path, column: str) -> None:
    expected = await _answers(short, 2, 25)
    _harm(file, f"update checkpoint set {column} = {HARM[column]} where number > 700")
    assert await _answers(file, 2, 25) == expected
    found = await _found(file)
    assert {(stream, code) for stream, _, code in found} == {(TABLE, "checkpoint-not-signed")}


async def test_a_state_of_another_checkpoint_is_not_used_and_is_found(short: Path, file: Path) -> None:
    expected = await _answers(short, 2, 25)
    _harm(file, "update checkpoint set state = (select state from checkpoint order by number limit 1)")
    assert await _answers(file, 2, 25) == expected
    assert "checkpoint-differs" in {code for _, _, code in await _found(file)}


@pytest.mark.parametrize("signer", ["the house", "a stranger"])
async def test_a_checkpoint_that_says_something_else_is_found_whoever_signed_it(file: Path, signer: str) -> None:
    store = SqliteStore(file)
    keys = load_keys(file.with_name("punto.db.key")) if signer == "the house" else Keys(bytes(32))
    last = await Checkpoints.of(store, TABLE)
    wrong = await last.last()
    assert wrong is not None
    made = _signed_otherwise(wrong, keys)
    await keep(store, MadeCheckpoint(made))
    audit = StoreAudit(store, GAMES)
    (found,) = await audit.run()
    code = "checkpoint-differs" if signer == "the house" else "checkpoint-not-signed"
    assert (found.stream, found.number, found.code) == (TABLE, made.number, code)
    await store.close()


def _signed_otherwise(checkpoint: Checkpoint, keys: Keys) -> Checkpoint:
    columns = {name: getattr(checkpoint, name) for name in checkpoint.__struct_fields__}
    return Checkpoint(**columns | {"marks": checkpoint.marks ^ 1}).signed(keys)


@pytest.mark.long
@pytest.mark.parametrize("table", ["checkpoint_patron", "checkpoint_amends"])
async def test_what_finds_a_checkpoint_is_compared_too(
    random_play: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, table: str
) -> None:
    monkeypatch.setattr(TableFollowed, "after", (*TableFollowed.after, RoundSettled, RoundVoided))
    shutil.copy(random_play, tmp_path / "punto.db")
    _harm(tmp_path / "punto.db", f"delete from {table} where stream = 'tiger' and number > 300")
    found = await _found(tmp_path / "punto.db")
    assert {(stream, code) for stream, _, code in found} == {("tiger", "checkpoint-differs")}


async def test_events_after_a_checkpoint_are_checked_by_the_chain(file: Path) -> None:
    """A wager changed after the checkpoint shows in the packet, and its table is not told."""
    reader = SqliteReader.open(file)
    chronicle = Chronicle(TABLE, GAMES)
    await chronicle.follow(reader, 10**9)
    (found,) = await chronicle.find(reader, Sought(first=25, last=25), None, 1)
    await reader.close()
    _harm(file, f"update event set at = at + 1 where stream = '{TABLE}' and number = {found.first + 2}")
    reader = SqliteReader.open(file)
    packet = await dispute_packet(reader, GAMES, TABLE, 25)
    assert packet["audit"]["since"] > 0
    assert [each["event"] for each in packet["audit"]["findings"]] == [found.first + 2]
    await reader.close()


async def test_other_code_reads_the_log_instead(short: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    shutil.copy(short, tmp_path / "old.db")
    drop_checkpoints(tmp_path / "old.db")
    monkeypatch.setattr(table_followed, "checkpoint_code", lambda: "later code")
    assert await _answers(short, 2, 25) == await _answers(tmp_path / "old.db", 2, 25)
    assert await _found(short) == []


# --- in the background -----------------------------------------------------------------------------------------------


async def test_checkpoints_are_made_while_a_table_plays_on(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """On each store: a few events at a time, with another keeper in between, they are those made at once."""
    monkeypatch.setattr(TableFollowed, "after", (*TableFollowed.after, RoundSettled, RoundVoided))
    keys, play = Keys(bytes(range(32))), RandomPlay("tiger", 5)
    play.play(1_500)
    written = [EventRecord.of(event, BEGAN + at, "sam", "Dealer") for at, event in enumerate(play.log)]
    async with opened() as store:
        house = await House.open(store, keys, BEGAN)
        for table in ("at-once", "in-parts"):
            await house.create_table(table, load("tiger"), BEGAN)
        await store.append([Append("at-once", 0, written)])
        await make_checkpoints(store, keys, ["at-once"])
        keeper = CheckpointKeeper(store, keys, GAMES, BackgroundJobs(store))
        for begin in range(0, len(written), 550):
            await store.append([Append("in-parts", begin, written[begin : begin + 550])])
            await keeper.catch_up(["in-parts"])
            await make_checkpoints(store, keys, ["in-parts"])
        one, other = [
            await (await Checkpoints.of(store, table)).newest_first("", (), 10**9, 1_000)
            for table in ("at-once", "in-parts")
        ]
        assert [_without_place(each) for each in one] == [_without_place(each) for each in other]
        assert len(one) > 20
        assert await StoreAudit(store, GAMES).run() == []


def _without_place(each: Checkpoint) -> tuple[object, ...]:
    return each.number, each.earliest, each.latest, each.round, each.marks, each.game, summary_of(each)


async def test_no_checkpoint_is_made_of_a_log_at_fault(file: Path) -> None:
    _harm(file, "delete from checkpoint where number > 700")
    _harm(file, f"update event set at = at + 1 where stream = '{TABLE}' and number = 1500")
    store, keys = SqliteStore(file), load_keys(file.with_name("punto.db.key"))
    await make_checkpoints(store, keys, [TABLE])
    last = await (await Checkpoints.of(store, TABLE)).last()
    assert last is not None
    assert 700 < last.number < 1_500
    await store.close()
