"""The audit: a store of real play is in order, and whatever is done to it is found and named."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep

import apsw
import pytest
from properties.random_play import RandomPlay
from support.command import found_by_audit, refused, run, run_json
from support.live import PATIENCE

from punto import APPROVED, load
from punto.audit.log_audit import StoreAudit
from punto.audit.table_recomputed import games_by_digest
from punto.server.running.lifecycle import practice_setting
from punto.store.events.cage_events import CAGE, CashTaken
from punto.store.house import House
from punto.store.records import Append, EventRecord, hash_of
from punto.store.sqlite.sqlite_store import SqliteStore
from punto.store.trust.keys import BadKey, Keys, load_keys, make_keys
from punto.table.play.chips import BoughtIn
from punto.table.play.table_management import TableOpened

AT = 1_700_000_000_000
TABLES = {f"{game}-{number}": game for game in APPROVED for number in (1, 2)}


@pytest.fixture(scope="module")
async def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ten tables with some hundred rounds each, heads noted in the middle and at the end, and heads exported."""
    folder = tmp_path_factory.mktemp("store")
    file = folder / "punto.db"

    store = SqliteStore(file)
    house = await House.open(store, make_keys(folder / "punto.db.key"), AT)
    for table, game in TABLES.items():
        play = RandomPlay(game, int(table[-1]))
        play.play(1_500)
        await house.create_table(table, play.book, AT)
        written = [EventRecord.of(event, AT + at, "sam", "Dealer") for at, event in enumerate(play.log)]
        half = len(written) // 2
        await store.append([Append(table, 0, written[:half])])
        await house.note_heads([table], AT)
        await store.append([Append(table, half, written[half:])])
    await house.note_heads(list(TABLES), AT)
    await store.close()
    await asyncio.to_thread(run, "heads", str(file), "--output", str(folder / "heads.json"))
    return file


@pytest.fixture
def file(made: Path, tmp_path: Path) -> Path:
    """A copy to do harm to."""
    copy = tmp_path / "punto.db"
    shutil.copy(made, copy)
    shutil.copy(made.with_name("punto.db.key"), tmp_path)
    return copy


def _harm(file: Path, *statements: str) -> None:
    connection = apsw.Connection(str(file))
    connection.execute("drop trigger if exists event_stays; drop trigger if exists event_is_kept")
    for statement in statements:
        connection.execute(statement)
    connection.close()


def test_a_store_of_real_play_is_in_order(made: Path) -> None:
    told = run_json("audit", str(made), "--heads", str(made.with_name("heads.json")))
    assert told["findings"] == []
    assert told["streams"] == 11
    assert told["events"] > 5_000
    assert told["rounds"] > 300
    assert "all in order" in run("audit", str(made))


OTHER_VALUES = {
    "body": "cast(substr(body, 1, 5) || char(unicode(substr(body, 6, 1)) + 1) || substr(body, 7) as blob)",
    "hash": "cast(zeroblob(31) || x'01' as blob)",
    "name": "name || 'X'",
    "version": "version + 1",
    "at": "at + 1",
    "by": "'sbm'",
    "position": "'Dealfr'",
}
"""For every column of an event something that was not stored there."""


@pytest.mark.parametrize("number", [1, 17, 150])
def test_a_bit_that_is_flipped_is_found_and_named(file: Path, number: int) -> None:
    """Each column at another table, in one audit: a table's findings do not hide those of the next."""
    harmed = dict(zip(OTHER_VALUES, TABLES, strict=False))
    _harm(
        file,
        *(
            f"update event set {column} = {OTHER_VALUES[column]} where stream = '{table}' and number = {number}"
            for column, table in harmed.items()
        ),
    )
    wrong = "is not what was stored: its hash does not fit"
    assert sorted(found_by_audit(file)) == sorted((table, number, wrong) for table in harmed.values())


def test_several_processes_find_the_same_in_the_same_order(file: Path) -> None:
    wrong = [table for table in TABLES if table.endswith("2")]
    for number, table in enumerate(wrong, 20):
        _harm(file, f"update event set at = at + 1 where stream = '{table}' and number = {number}")
    one, several = (found_by_audit(file, "--processes", count) for count in ("1", "2"))
    assert several == one
    assert [stream for stream, _, _ in one] == sorted(wrong)


def test_an_audit_that_is_interrupted_leaves_no_process(made: Path) -> None:
    command = [sys.executable, "-m", "punto", "audit", str(made), "--processes", "2"]
    audit = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    children = Path(f"/proc/{audit.pid}/task/{audit.pid}/children")
    while audit.poll() is None and len(children.read_text().split()) < 2:
        sleep(0.01)
    audit.send_signal(signal.SIGINT)
    out, err = audit.communicate()
    assert (audit.returncode, out, err) == (130, b"", b"punto: interrupted\n")
    deadline = monotonic() + PATIENCE
    while _is_running(audit.pid) and monotonic() < deadline:
        sleep(0.01)
    assert not _is_running(audit.pid)


def _is_running(group: int) -> bool:
    """Whether any process of a group is still there; all that an audit starts are of its group."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def test_an_event_removed_reordered_or_cut_off_is_found(file: Path) -> None:
    where = "where stream = 'baccarat-2' and number"
    _harm(file, f"delete from event {where} = 40")
    assert found_by_audit(file) == [("baccarat-2", 40, "is missing: event 41 comes next")]
    _harm(file, f"update event set number = 40 {where} = 41", f"update event set number = 41 {where} = 42")
    assert found_by_audit(file)[0][:2] == ("baccarat-2", 40)


def test_a_log_that_is_cut_off_and_a_dropped_table_are_found_by_the_house(file: Path) -> None:
    _harm(file, "delete from event where stream = 'fabulous-4-1' and number > 100")
    ((stream, number, sentence),) = found_by_audit(file)
    assert (stream, number) == ("fabulous-4-1", 101)
    assert sentence.startswith("is gone, and all up to event")
    _harm(file, "delete from event where stream = 'tiger-2'")
    assert ("tiger-2", 1, "is gone") in found_by_audit(file)


def test_a_table_nobody_created_is_found(file: Path) -> None:
    _harm(file, "insert into event select 'stranger', number, name, version, at, by, position, body, hash from event"
                " where stream = 'tiger-1' and number = 1")  # fmt: skip
    assert [stream for stream, _, _ in found_by_audit(file)] == ["stranger", "stranger"]


@pytest.fixture
async def rewritten(file: Path) -> Path:
    """Other play at the same tables, with hashes that fit, and the house's stream without its heads."""
    rewritten = file.with_name("other.db")
    store = SqliteStore(rewritten)
    house = await House.open(store, load_keys(file.with_name("punto.db.key")), AT)
    for table, game in TABLES.items():
        play = RandomPlay(game, int(table[-1]) + 50)
        play.play(300)
        await house.create_table(table, play.book, AT)
        await store.append([Append(table, 0, [EventRecord.of(event, AT, "sam", "Dealer") for event in play.log])])
    await store.close()
    return rewritten


def test_a_full_rewrite_is_found_by_a_head_that_was_exported(rewritten: Path, made: Path) -> None:
    assert found_by_audit(rewritten) == []
    found = found_by_audit(rewritten, "--heads", str(made.with_name("heads.json")))
    assert {stream for stream, _, _ in found} == {"house", *TABLES}


def test_a_head_signed_by_somebody_else_is_no_head(made: Path, tmp_path: Path) -> None:
    heads = json.loads(made.with_name("heads.json").read_text())
    heads["heads"][0]["hash"] = "00" * 32
    forged = tmp_path / "forged.json"
    forged.write_text(json.dumps(heads))
    assert "is not signed by the house" in found_by_audit(made, "--heads", str(forged))[0][2]
    for head in heads["heads"]:
        head["public_key"] = Keys(bytes(32)).public_key
    forged.write_text(json.dumps(heads))
    assert "signed with another key" in found_by_audit(made, "--heads", str(forged))[0][2]


@pytest.mark.parametrize(
    ("game", "harm", "sentence"),
    [
        ("tiger", lambda body: body.replace('"returned":', '"returned":1'), "handed back"),
        ("baccarat", lambda body: body.replace('"commission":', '"commission":1'), "commission"),
    ],
)
async def test_a_log_that_fits_but_pays_wrongly_is_found_by_recomputing(
    tmp_path: Path, game: str, harm: Callable[[str], str], sentence: str
) -> None:
    """Hashes that fit do not make a wrong settlement right."""
    file = tmp_path / "wrong.db"
    play = RandomPlay(game, 4)
    play.play(3_000)

    store = SqliteStore(file)
    house = await House.open(store, make_keys(tmp_path / "wrong.db.key"), AT)
    await house.create_table("t1", play.book, AT)
    written = [EventRecord.of(event, AT, "sam", "Dealer") for event in play.log]
    at = next(n for n, each in enumerate(written) if each.name == "RoundSettled" and '"stake"' in each.body.decode())
    body = harm(written[at].body.decode())
    wrong = EventRecord("RoundSettled", written[at].version, body.encode(), AT, "sam", "Dealer")
    await store.append([Append("t1", 0, [*written[:at], wrong, *written[at + 1 :]])])
    await store.close()
    found = await asyncio.to_thread(found_by_audit, file)
    assert any(sentence in finding for _, _, finding in found)


def test_a_round_is_told_as_it_happened(made: Path) -> None:
    told = run("replay", str(made), "tiger-1", "3")
    assert 'Dealer sam: Opens round 3: "Place your bets, please"' in told
    assert "Card(" not in told
    assert "2023-11-14 22:13:2" in told
    events = run_json("replay", str(made), "tiger-1", "3")["events"]
    assert events[0]["event"] == "BetsOpened"
    assert "tiger-1 has no round 99999" in refused("replay", str(made), "tiger-1", "99999")
    assert "there is no table nobody" in refused("replay", str(made), "nobody", "1")


def test_what_cannot_be_audited_is_refused(tmp_path: Path, made: Path) -> None:
    assert "there is no such database" in refused("audit", str(tmp_path / "none.db"))
    broken = tmp_path / "broken.db"
    broken.write_bytes(b"nonsense" * 500)
    assert "cannot be opened" in refused("audit", str(broken))
    nonsense = tmp_path / "heads.json"
    nonsense.write_text('{"heads": [{"stream": 7}]}')
    assert "expected heads as punto heads writes them" in refused("audit", str(made), "--heads", str(nonsense))
    assert "there is no key" in refused("heads", str(made), "--key", str(tmp_path / "none.key"))


def test_the_key_is_kept_outside_and_guarded(tmp_path: Path) -> None:
    file = tmp_path / "house.key"
    keys = make_keys(file)
    assert file.stat().st_mode & 0o777 == 0o600
    assert load_keys(file, {}).public_key == keys.public_key
    with pytest.raises(BadKey, match="no key can be put there: File exists"):
        make_keys(file)
    text = file.read_text()
    assert load_keys(tmp_path / "none", {"PUNTO_KEY": text}).public_key == keys.public_key
    assert text.split()[1] not in repr(keys)
    file.chmod(0o644)
    with pytest.raises(BadKey, match="others can read the key"):
        load_keys(file, {})
    file.write_text("punto-key-1 12345")
    file.chmod(0o600)
    with pytest.raises(BadKey, match="this is no key") as told:
        load_keys(file, {})
    assert "12345" not in str(told.value)


async def test_a_house_opens_with_its_own_key_only(file: Path, tmp_path: Path) -> None:
    store = SqliteStore(file)
    with pytest.raises(BadKey, match="not the key the database was made with"):
        await House.open(store, make_keys(tmp_path / "other.key"), AT)
    house = await House.open(store, load_keys(file.with_name("punto.db.key"), {}), AT)
    with pytest.raises(ValueError, match="a table's name has letters"):
        await house.create_table("house", RandomPlay("tiger", 1).book, AT)
    await store.close()


def test_what_is_encrypted_is_read_with_the_same_key_about_the_same_only() -> None:
    keys, other = Keys(bytes(32)), Keys(bytes(31) + b"1")
    sealed = keys.encrypt(b"the order of a shoe", b"t1 shoe 1")
    assert keys.decrypt(sealed, b"t1 shoe 1") == b"the order of a shoe"
    assert sealed != keys.encrypt(b"the order of a shoe", b"t1 shoe 1")
    for wrong in (
        (other, sealed, b"t1 shoe 1"),
        (keys, sealed, b"t1 shoe 2"),
        (keys, sealed[:-1] + bytes([sealed[-1] ^ 1]), b"t1 shoe 1"),
    ):
        with pytest.raises(BadKey, match="cannot be read with this key"):
            wrong[0].decrypt(*wrong[1:])


def test_the_hash_covers_everything_that_is_stored() -> None:
    one = EventRecord("Filled", 1, b"{}", 5, "sam", "Dealer")
    hashes = {
        hash_of(before, stream, number, written)
        for before in (bytes(32), b"1" * 32)
        for stream in ("a", "b")
        for number in (1, 2)
        for written in (
            one,
            EventRecord("Filler", 1, b"{}", 5, "sam", "Dealer"),
            EventRecord("Filled", 2, b"{}", 5, "sam", "Dealer"),
            EventRecord("Filled", 1, b"{ }", 5, "sam", "Dealer"),
            EventRecord("Filled", 1, b"{}", 6, "sam", "Dealer"),
            EventRecord("Filled", 1, b"{}", 5, "sa", "mDealer"),
        )
    }
    assert len(hashes) == 48


# --- a store that is served meanwhile --------------------------------------------------------------------------------


class Busy(SqliteStore):
    """A store in which money goes to a table after each time somebody has read in it, once it is served."""

    served = False

    async def read(self, stream: str, after: int = 0, most: int = 1000) -> list[EventRecord]:
        found = await super().read(stream, after, most)
        if self.served:
            await move(self, "t1")
        return found


async def move(store: SqliteStore, table: str) -> None:
    """Somebody buys chips: the table and the cage are written together."""
    ends = await store.heads([table, CAGE])
    moved = {table: BoughtIn("ann", 5_000), CAGE: CashTaken("ann", table, 5_000)}
    written = {stream: [EventRecord.of(event, AT, "sam", "Dealer")] for stream, event in moved.items()}
    await store.append([Append(stream, ends[stream], written[stream]) for stream in moved])


@pytest.mark.parametrize("table", [None, "t1"])
async def test_what_is_stored_meanwhile_is_no_finding(tmp_path: Path, table: str | None) -> None:
    book = load("baccarat")
    store = Busy(tmp_path / "punto.db")
    house = await House.open(store, make_keys(tmp_path / "punto.key"), AT)
    await house.create_table("t1", book, AT)
    opened = TableOpened(book.key, book.digest, practice_setting(book), 100_000_000)
    await store.append([Append("t1", 0, [EventRecord.of(opened, AT, "sam", "Dealer")])])
    await move(store, "t1")
    store.served = True
    audit = StoreAudit(store, games_by_digest(["baccarat"]))
    await audit.run(table)
    await store.close()
    assert audit.findings == []
    assert audit.lengths == audit.ends
    assert audit.lengths["t1"] - 1 == audit.lengths[CAGE] > 0
