"""What someone who can write to the database may do to it, and what finds it: the table in docs/operations.md.

Each change is made to a copy of one house, and audited without and with heads that were exported before.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest
from support.command import punto
from support.past import client_of

from punto.audit.sealed import sealed_log
from punto.server.access.identity import Duty
from punto.server.running.lifecycle import Options, open_serving
from punto.store.codec import encode
from punto.store.events.cage_events import CAGE, Deposited
from punto.store.events.house_events import HOUSE, StoreMade
from punto.store.events.shoe_events import ShoePublished
from punto.store.records import FIRST_HASH, EventRecord, Snapshot, hash_of
from punto.store.sqlite.sqlite_store import SqliteStore
from punto.store.trust.keys import Keys, load_keys
from punto.store.trust.log_rows import LogHead, grow, log_head
from punto.store.trust.sealer import Sealer, log_key
from punto.store.trust.signed_heads import head_message
from punto.store.trust.snapshots import sign_snapshot
from punto.store.trust.verified_points import sign_point
from punto.table.event import Event
from punto.tlog.checkpoint import LogCheckpoint
from punto.tlog.note import sign_note

RECORDED = Path(__file__).parents[1] / "golden" / "house"
T, SHOES = "baccarat", "baccarat.shoes"
PAGE = 4096
Harm = Callable[[apsw.Connection, Path], object]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A house with two tables, published shoes, answers, notes and a new person; its heads are exported."""
    folder = tmp_path_factory.mktemp("house")
    file = folder / "punto.db"
    file.write_bytes(gzip.decompress((RECORDED / "first-house.gz").read_bytes()))
    key = folder / "punto.db.key"
    key.write_text((RECORDED / "first-house-key.txt").read_text())
    key.chmod(0o600)

    async def serve(newcomer: str) -> None:
        serving = await open_serving(
            Options(str(file), log_folder=folder / "punto.db.log", games=("baccarat", "fabulous-4"))
        )
        await serving.people.add(newcomer, Duty.DEALER)
        async with client_of(serving, Duty.AUDITOR) as client:
            noted = await client.post(f"/api/audit/tables/{T}/notes", json={"note": f"beside {newcomer}", "round": 1})
            assert noted.status_code == 200
        await serving.floor.stop()
        assert serving.sealed
        await serving.sealed.seal()
        for served in serving.floor.tables.values():
            await serving.floor.trust.keep_snapshot(served.actor.chain, served.table)
        await serving.close()

    asyncio.run(serve("Bo"))
    shutil.copy(file, folder / "earlier.db")
    asyncio.run(serve("Ann"))
    assert punto("heads", str(file), "-o", str(folder / "heads.json"))[0] == 0
    key = json.loads(punto("log", str(file), "--json")[1])["key"]
    assert punto("witness", str(folder / "witness.db"), "--log", key, "--folder", f"{file}.log/1")[0] == 0
    return file


@pytest.fixture
def copy(house: Path, tmp_path: Path) -> Path:
    for name in ("punto.db", "punto.db.key", "heads.json", "earlier.db", "witness.db"):
        shutil.copy(house.with_name(name), tmp_path / name)
    return tmp_path / "punto.db"


def harm(file: Path, work: Harm) -> None:
    connection = apsw.Connection(str(file))
    connection.execute(
        "pragma synchronous = off; drop trigger if exists event_stays; drop trigger if exists event_is_kept"
    )
    work(connection, file)
    connection.execute("pragma wal_checkpoint(truncate)")
    connection.close()


def audited(file: Path, *arguments: str) -> set[str]:
    """The codes that an audit finds; it never ends in a traceback."""
    code, out, err = punto("audit", str(file), "--json", *arguments)
    found = {each["code"] for each in json.loads(out)["findings"]} if out else {"not audited"}
    assert code == (1 if found else 0) or (code == 2 and err.startswith("punto: ")), err
    return found


def sql(*statements: str) -> Harm:
    return lambda connection, _: [connection.execute(each) for each in statements]


def both(*works: Harm) -> Harm:
    return lambda connection, file: [work(connection, file) for work in works]


def rehash(*streams: str) -> Harm:
    """Compute the hashes of streams again: that takes no key."""

    def work(connection: apsw.Connection, _: Path) -> None:
        for stream in streams:
            before, columns = FIRST_HASH, "number, name, version, body, at, by, position"
            for number, *stored in list(
                connection.execute(f"select {columns} from event where stream = ? order by number", (stream,))
            ):
                before = hash_of(before, stream, number, EventRecord(*stored))
                change = "update event set hash = ? where stream = ? and number = ?"
                connection.execute(change, (before, stream, number))

    return work


def append(stream: str, event: Event) -> Harm:
    """Append an event whose hash fits."""

    def work(connection: apsw.Connection, _: Path) -> None:
        ((last, before),) = connection.execute(
            "select number, hash from event where stream = ? order by number desc limit 1", (stream,)
        )
        record = EventRecord(*encode(event), 1_800_000_000_000, "punto", "system")
        row = (stream, last + 1, record.name, record.version, record.at, record.by, record.position, record.body)
        connection.execute(
            "insert into event values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (*row, hash_of(before, stream, last + 1, record)),
        )

    return work


def signed_again(keys: Callable[[Path], Keys]) -> Harm:
    """Rewrite the table's log, and sign every head that the house noted, with some key."""

    def work(connection: apsw.Connection, file: Path) -> None:
        key = keys(file)
        connection.execute(f"update event set by = 'sam' where stream = '{T}' and number = 2")
        rehash(T)(connection, file)
        *_, body = encode(StoreMade(key.public_key))
        connection.execute("update event set body = ? where stream = 'house' and number = 1", (body,))
        for number, body in list(
            connection.execute("select number, body from event where stream = 'house' and name = 'HeadNoted'")
        ):
            head = json.loads(body)
            query = "select hash from event where stream = ? and number = ?"
            ((hash_,),) = connection.execute(query, (head["table"], head["number"]))
            head |= {"hash": hash_.hex()}
            head |= {"signature": key.sign(head_message(head["table"], head["number"], head["hash"]))}
            written = json.dumps(head, separators=(",", ":")).encode()
            connection.execute("update event set body = ? where stream = 'house' and number = ?", (written, number))
        rehash(HOUSE)(connection, file)

    return work


def points_signed_again(keys: Callable[[Path], Keys]) -> Harm:
    """Sign every point and snapshot for the log as it is now, with some key."""

    def work(connection: apsw.Connection, file: Path) -> None:
        key = keys(file)
        hashes = {
            (stream, number): hash_
            for stream, number, hash_ in connection.execute("select stream, number, hash from event")
        }
        for stream, number in list(connection.execute("select stream, number from verified_point")):
            point = sign_point(key, stream, number, hashes[stream, number])
            change = "update verified_point set hash = ?, signature = ? where stream = ?"
            connection.execute(change, (point.hash, point.signature, stream))
        for stream, number, *content in list(
            connection.execute("select stream, number, code, body, game from snapshot")
        ):
            snapshot = sign_snapshot(key, Snapshot(stream, number, hashes[stream, number], *content))
            change = "update snapshot set hash = ?, signature = ? where stream = ?"
            connection.execute(change, (snapshot.hash, snapshot.signature, stream))

    return work


def sealed_again(keys: Callable[[Path], Keys]) -> Harm:
    """Make the whole log again for the events as they are now, and sign it with some key."""

    def work(connection: apsw.Connection, file: Path) -> None:
        connection.execute("delete from log_range")
        ((origin,),) = connection.execute("select origin from log_head")
        connection.execute("update log_head set size = 0, edge = x'', note = ''")
        connection.execute("pragma wal_checkpoint(truncate)")
        asyncio.run(_seal(file, keys(file), origin))

    return work


async def _seal(file: Path, keys: Keys, origin: str) -> None:
    store = SqliteStore(file)
    sealer = Sealer(store, file.with_name("other.log"), log_key(origin, keys.public_key), 1)
    await sealer.begin()
    key = log_key(origin, keys.public_key)
    while gathered := await sealer.gather():
        before = await log_head(store)
        assert before
        text = LogCheckpoint(origin, gathered.size, gathered.root).text
        note = str(sign_note(text, [(key, lambda message: bytes.fromhex(keys.sign(message)))]))
        after = LogHead(1, origin, before.secret, gathered.size, gathered.edge, note)
        assert await grow(store, gathered.base, after, gathered.ranges)
        await sealer.publish(after, gathered.ranges)
    await store.close()


LAST = f"(select max(number) from event where stream = '{T}')"
CUT = f"delete from event where stream = '{T}' and number = {LAST}"
WHO = f"update event set by = 'sam', at = at + 1 where stream = '{T}' and number = {LAST}"
NO_POINTS = sql("delete from verified_point", "delete from snapshot")
RECORD = f"select body from event where stream = '{SHOES}' and name = 'ShoePublished'"
STOLEN: Callable[[Path], Keys] = lambda file: load_keys(file.with_name("punto.db.key"), {})  # noqa: E731
THIEVES: Callable[[Path], Keys] = lambda _: Keys(bytes(32))  # noqa: E731
STARTED_OVER = "delete from event where not (stream = 'house' and number = 1)"
ALL_ELSE = ("answer", "words", "request", "link_notice", "recovery", "session", "link", "device_token", "person")
COLUMNS = "name, version, at, by, position, body, hash"
INSERTED = (
    f"update event set number = number + 1000000 where stream = '{T}' and number > 9",
    f"update event set number = number - 999999 where stream = '{T}' and number > 1000000",
    f"insert into event select stream, 10, {COLUMNS} from event where stream = '{T}' and number = 9",
)
MOVED = tuple(
    f"update event set number = {after} where stream = '{T}' and number = {before}"
    for before, after in ((9, 1_000_000), (10, 9), (1_000_000, 10))
)
NOTE = "words = 'beside Ann'"


def other_record(connection: apsw.Connection, file: Path) -> None:
    """Publish other cards for a shoe, in place of those that were dealt."""
    ((body,),) = connection.execute(RECORD)
    told = json.loads(body)
    record = json.loads(told["record"])
    record["dealt"] = record["dealt"][:-1]
    written = json.dumps(told | {"record": json.dumps(record)}).encode()
    connection.execute(f"update event set body = ? where stream = '{SHOES}' and name = 'ShoePublished'", (written,))
    rehash(SHOES)(connection, file)
    NO_POINTS(connection, file)
    # The heads that were noted after the shoe had ended would tell, so that these go as well.
    query = "select number, body from event where stream = 'house' and name = 'HeadNoted'"
    for number, noted in list(connection.execute(query)):
        if json.loads(noted)["table"] == SHOES:
            connection.execute("delete from event where stream = 'house' and number = ?", (number,))
    numbers = [row[0] for row in connection.execute("select number from event where stream = 'house' order by number")]
    for number, before in enumerate(numbers, start=1):
        connection.execute("update event set number = ? where stream = 'house' and number = ?", (number, before))
    rehash(HOUSE)(connection, file)


def put_back(connection: apsw.Connection, file: Path) -> None:
    """Put the whole database back to what it was before the last person was added."""
    with connection.backup("main", apsw.Connection(str(file.with_name("earlier.db"))), "main") as backup:
        backup.step()


FOUND: dict[str, tuple[Harm, str]] = {
    "an event of the past": (sql(f"update event set at = at + 1 where stream = '{T}' and number = 9"), "altered"),
    "an event removed": (sql(f"delete from event where stream = '{T}' and number = 9"), "missing"),
    "an event inserted": (sql(*INSERTED), "altered"),
    "an event moved": (sql(*MOVED), "altered"),
    "an event of the past, hashes computed again": (
        both(sql(f"update event set by = 'sam' where stream = '{T}' and number = 9"), rehash(T)), "rewritten"
    ),
    "a table dropped": (sql(f"delete from event where stream = '{T}'"), "gone"),
    "the end of a log cut off": (sql(CUT), "gone-up-to"),
    "who and when changed at the end, hashes computed again": (both(sql(WHO), rehash(T)), "rewritten"),
    "all but the first event deleted": (sql(STARTED_OVER), "gone"),
    "another key, and every head signed with it": (signed_again(THIEVES), "point-not-signed"),
    "signed again with the stolen key": (signed_again(STOLEN), "rewritten"),
    "a made-up record of a shoe": (append(SHOES, ShoePublished("nothing", "{}")), "shoe-out-of-order"),
    "other cards in the record of a shoe": (other_record, "shoe-record-differs"),
    "an answer moved to another event": (sql("update answer set first = first + 1, last = last + 1"), "answer-differs"),
    "an answer given to another actor": (sql("update answer set actor = 'ann' where key = 'k3'"), "answer-differs"),
    "a snapshot with other content": (sql("update snapshot set body = x'00'"), "snapshot-not-signed"),
    "a snapshot of another number": (sql("update snapshot set number = number - 1"), "snapshot-not-signed"),
    "a point of another number": (sql("update verified_point set number = number - 1"), "point-not-signed"),
    "a name": (sql("update person set name = 'Bob' where name = 'Ann'"), "name-altered"),
    "a name deleted": (sql("update person set name = '' where name = 'Ann'"), "name-missing"),
    "a note": (sql(f"update words set words = 'another' where {NOTE}"), "words-altered"),
    "a note deleted": (sql(f"delete from words where {NOTE}"), "words-missing"),
    "a duty": (sql("update person set duty = 'Gaming Shift Manager' where name = 'Ann'"), "duty-altered"),
    "a password": (sql("update person set password = 'another' where name = 'Ann'"), "password-altered"),
    "a second factor": (sql("update person set factor = x'00' where name = 'Ann'"), "second-factor-altered"),
    "who may sign in": (sql("update person set active = 0 where name = 'Ann'"), "active-altered"),
    "a person deleted": (sql("delete from person where name = 'Ann'"), "person-missing"),
    "a person added": (sql("insert into person (id, name, compared, duty, made_at)"
                           " values ('pmadeupaaaa', 'Eve', 'eve', 'Cashier', 1)"), "person-unknown"),
}  # fmt: skip
"""By what was changed: the code that an audit finds without any head from outside."""


@pytest.mark.parametrize("change", FOUND)
def test_what_an_audit_finds(copy: Path, change: str) -> None:
    work, code = FOUND[change]
    harm(copy, work)
    assert code in audited(copy)


WITH_HEADS: dict[str, Harm] = {
    "the end cut off, and the signed points deleted": both(sql(CUT), NO_POINTS),
    "who and when changed at the end, and the points deleted": both(sql(WHO), rehash(T), NO_POINTS),
    "another key, every head signed with it, the points deleted": both(signed_again(THIEVES), NO_POINTS),
    "signed again with the stolen key, the points deleted": both(signed_again(STOLEN), NO_POINTS),
    "another key, every head, point and snapshot signed with it": both(
        signed_again(THIEVES), points_signed_again(THIEVES)
    ),
    "stolen key, points and snapshots signed again": both(signed_again(STOLEN), points_signed_again(STOLEN)),
    "all but the first event deleted, and all else": both(
        sql(STARTED_OVER, *(f"delete from {each}" for each in ALL_ELSE)), NO_POINTS
    ),
    "put back to an earlier state": put_back,
}


NO_LOG = sql("delete from log_head", "delete from log_range")
"""As a database was from before there was a log: then heads are all there is."""


@pytest.mark.parametrize("change", WITH_HEADS)
def test_what_needs_exported_heads(copy: Path, change: str) -> None:
    harm(copy, WITH_HEADS[change])
    harm(copy, NO_LOG)
    assert audited(copy) == set()
    assert audited(copy, "--heads", str(copy.with_name("heads.json"))) & {"gone-up-to", "rewritten", "head-other-key"}
    assert audited(copy, "--witness", str(copy.with_name("witness.db"))) == {"log-gone"}


KEY_OF: dict[str, Callable[[Path], Keys]] = {
    "another key, every head signed with it, the points deleted": THIEVES,
    "another key, every head, point and snapshot signed with it": THIEVES,
}
WITNESSED = {
    "the end cut off, and the signed points deleted": "log-behind-witness",
    "who and when changed at the end, and the points deleted": "log-not-as-witnessed",
    "another key, every head signed with it, the points deleted": "log-other-key",
    "signed again with the stolen key, the points deleted": "log-not-as-witnessed",
    "another key, every head, point and snapshot signed with it": "log-other-key",
    "stolen key, points and snapshots signed again": "log-not-as-witnessed",
    "all but the first event deleted, and all else": "log-behind-witness",
    "put back to an earlier state": "log-behind-witness",
}
"""By what was changed: what a witness shows, even if the thief has the house's key and makes the log again."""


@pytest.mark.parametrize("change", WITNESSED)
def test_what_only_a_witness_shows_of_a_log_that_was_made_again(copy: Path, change: str) -> None:
    harm(copy, WITH_HEADS[change])
    harm(copy, sealed_again(KEY_OF.get(change, STOLEN)))
    assert audited(copy) == set()
    assert audited(copy, "--witness", str(copy.with_name("witness.db"))) == {WITNESSED[change]}


LOG_FINDS: dict[str, tuple[Harm, str]] = {
    "the end cut off, and the signed points deleted": (both(sql(CUT), NO_POINTS), "log-leaf-missing"),
    "who and when changed at the end, and the points deleted": (both(sql(WHO), rehash(T), NO_POINTS), "log-differs"),
    "the digest of a kept answer": (sql("update answer set digest = x'00'"), "log-differs"),
    "an answer deleted": (sql("delete from answer where key = 'k3'"), "log-differs"),
    "the log's size": (sql("update log_head set size = size - 1"), "log-not-signed"),
    "a range of the log": (sql("update log_range set number = number + 1 where first = 0"), "log-left-out"),
    "the log's checkpoint": (sql("update log_head set note = ''"), "log-not-signed"),
}
"""By what was changed: what the log itself shows, without a witness, as long as the house's key is not stolen."""


@pytest.mark.parametrize("change", LOG_FINDS)
def test_what_the_log_shows_without_a_witness(copy: Path, change: str) -> None:
    work, code = LOG_FINDS[change]
    harm(copy, work)
    assert code in audited(copy)


def test_an_event_that_no_server_has_sealed_is_found_with_a_witness(
    copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sealed_log, "CATCHES_UP", 0)
    harm(copy, append(CAGE, Deposited("ann", 5_000_000)))
    assert audited(copy, "--witness", str(copy.with_name("witness.db"))) == {"log-not-sealed"}
    harm(copy, sealed_again(STOLEN))
    assert audited(copy, "--witness", str(copy.with_name("witness.db"))) & {"log-not-as-witnessed", "log-not-witnessed"}


NOT_FOUND: dict[str, Harm] = {
    "a deposit appended": append(CAGE, Deposited("ann", 5_000_000)),
    "the history of patrons' play": sql("update play_line set net = net + 100", "delete from play_session"),
    "a session, a link and a request": sql(
        "insert into session (token, person, generation, made_at, last_seen, expires_at)"
        " select 'made up', id, generation, 1, 1, 9000000000000 from person where name = 'Ann'",
        "insert into link (token, person, generation, made_at, expires_at)"
        " select 'made up', id, generation, 1, 9000000000000 from person where name = 'Ann'",
        "insert into request select 'r1', 'link', id, id, 1, 9000000000000 from person where name = 'Ann'",
    ),
    "a recovery code, and a token of a device": sql(
        "insert into recovery select id, 'made up' from person where name = 'Ann'",
        "insert into device_token (token, device, generation, made_at, expires_at)"
        " select 'made up', id, generation, 1, 9000000000000 from person where name = 'Ann'",
    ),
    "what no event tells of a person": sql(
        "update person set compared = 'eve', address = 'eve@example', guest = 1, failures = 0, locked_until = 0,"
        " factor_step = 0, entered_at = 1 where name = 'Ann'",
        "insert into patron_choice select id, 0 from person where name = 'Ann'",
    ),
    "snapshots and signed points deleted": NO_POINTS,
}


@pytest.mark.parametrize("change", NOT_FOUND)
def test_what_an_audit_does_not_find(copy: Path, change: str) -> None:
    """The documents say so: if one of these is found from now on, say that instead."""
    harm(copy, NOT_FOUND[change])
    assert audited(copy) == audited(copy, "--heads", str(copy.with_name("heads.json"))) == set()
    if change != "a deposit appended":  # until a server seals it
        assert audited(copy, "--witness", str(copy.with_name("witness.db"))) == set()


@pytest.mark.parametrize("change", ["the digest of a kept answer", "an answer deleted"])
@pytest.mark.parametrize(("hides", "shown"), [(NO_LOG, "log-gone"), (sealed_again(STOLEN), "log-not-as-witnessed")])
def test_a_kept_answer_is_shown_by_a_witness_alone_if_the_log_is_gone_or_made_again(
    copy: Path, change: str, hides: Harm, shown: str
) -> None:
    harm(copy, LOG_FINDS[change][0])
    harm(copy, hides)
    assert audited(copy) == audited(copy, "--heads", str(copy.with_name("heads.json"))) == set()
    assert audited(copy, "--witness", str(copy.with_name("witness.db"))) == {shown}


def test_a_house_in_order_agrees_with_its_heads_and_its_witness(house: Path) -> None:
    assert audited(house, "--heads", str(house.with_name("heads.json"))) == set()
    assert audited(house, "--witness", str(house.with_name("witness.db"))) == set()


# --- a damaged file --------------------------------------------------------------------------------------------------


def rows(file: Path) -> Iterator[Any]:
    connection = apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READONLY)
    for (table,) in list(connection.execute("select name from sqlite_schema where type = 'table' order by name")):
        yield table, sorted(map(repr, connection.execute(f"select * from {table}")))
    connection.close()


def integrity(file: Path) -> str:
    """What SQLite itself says of the file: "ok", or what is wrong with it."""
    connection = apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        return str(connection.execute("pragma integrity_check(1)").get)
    except apsw.Error as error:
        return type(error).__name__
    finally:
        connection.close()


def damaged(file: Path, seed: int) -> bytes:
    """The file with up to a hundred bytes of noise somewhere."""
    chance, content = random.Random(seed), bytearray(file.read_bytes())
    begin, length = chance.randrange(len(content)), chance.randrange(1, 100)
    content[begin : begin + length] = chance.randbytes(len(content[begin : begin + length]))
    return bytes(content)


@pytest.mark.parametrize("begin", [0, pytest.param(8, marks=pytest.mark.long)])
def test_damage_to_the_file_is_found_or_changes_nothing_that_is_read(house: Path, tmp_path: Path, begin: int) -> None:
    whole = list(rows(house))
    for seed in range(begin, 8 if begin == 0 else 40):
        file = tmp_path / f"{seed}.db"
        file.write_bytes(damaged(house, seed))
        assert audited(file) or (integrity(file) == "ok" and list(rows(file)) == whole), seed


def emptied(house: Path, folder: Path, page: int) -> Path:
    """A copy of the house with zeros in place of one page; the first keeps the header of the file."""
    content = bytearray(house.read_bytes())
    begin = 100 if page == 0 else PAGE * page
    content[begin : PAGE * (page + 1)] = bytes(PAGE * (page + 1) - begin)
    file = folder / "punto.db"
    file.write_bytes(content)
    return file


@pytest.mark.parametrize("page", [0, 1, 2, 5, 20])
def test_a_page_of_nothing_is_told_in_a_sentence(house: Path, tmp_path: Path, page: int) -> None:
    assert audited(emptied(house, tmp_path, page))


def test_an_index_that_is_gone_is_found(house: Path, tmp_path: Path) -> None:
    """What is read in another order is read without it, and would seem whole."""
    connection = apsw.Connection(str(house), flags=apsw.SQLITE_OPEN_READONLY)
    indexes = list(connection.execute("select name, rootpage from sqlite_schema where type = 'index' order by name"))
    connection.close()
    assert indexes
    for name, root in indexes:
        assert audited(emptied(house, tmp_path, root - 1)), name
