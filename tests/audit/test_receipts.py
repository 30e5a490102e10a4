"""Receipts of settled wagers: the auditor makes them again with its own code, and a program outside checks them."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import msgspec
import pytest
from properties.random_play import RandomPlay
from support.command import punto
from support.playing import asked

from punto.audit.finding import Finding
from punto.audit.sealed.sealed_log import check_log
from punto.notation import parse
from punto.notation.script_player import Player
from punto.server.running.log_keeper import LogKeeper
from punto.store.address import open_store
from punto.store.house import House
from punto.store.protocol import Store
from punto.store.receipts import round_course, settled_wagers
from punto.store.receipts.receipt_file import (
    ReceiptFile,
    SealedReceipt,
    published_logs,
    qr_text,
    recomputed_log,
    sealed_receipts,
)
from punto.store.receipts.wager_receipt import WagerReceipt
from punto.store.records import Append, EventRecord
from punto.store.sqlite.sqlite_store import SqliteStore
from punto.store.trust import log_leaves
from punto.store.trust.keys import Keys, load_keys, make_keys
from punto.table.irregularities.correction import RoundCorrected
from punto.table.irregularities.late_wagers import OverlookedWagerSettled
from punto.table.irregularities.void import RoundVoided
from punto.table.play.settlement import RoundSettled

PROGRAM = Path(__file__).parents[2] / "examples" / "verify_receipt.py"
AT = 1_700_000_000_000
ALL = {RoundSettled, RoundVoided, RoundCorrected, OverlookedWagerSettled}


def played(game: str, seed: int, steps: int) -> list[EventRecord]:
    """Random play with rounds that are settled, void and corrected, and overlooked wagers."""
    play = RandomPlay(game, seed)
    play.play(steps)
    while not set(map(type, play.log)) >= ALL:
        play.play(100)
    return [EventRecord.of(event, AT + 1_000 * at, "sam", "Dealer") for at, event in enumerate(play.log)]


async def seal(file: Path, keys: Keys, *tables: tuple[str, list[EventRecord]]) -> None:
    store = SqliteStore(file)
    await seal_in(store, keys, file.with_name("log"), *tables)
    await store.close()


async def seal_in(store: Store, keys: Keys, log: Path, *tables: tuple[str, list[EventRecord]]) -> None:
    await House.open(store, keys, AT)
    for table, events in tables:
        number, _ = await store.head(table)
        await store.append([Append(table, number, events)])
        await LogKeeper(store, keys, log).seal()


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A house with a table of random play, sealed."""
    file = tmp_path_factory.mktemp("house") / "punto.db"
    keys = make_keys(file.with_name("punto.db.key"))
    asyncio.run(seal(file, keys, ("tiger-1", played("tiger", 8, 300))))
    return file


async def _all(file: Path, table: str = "tiger-1") -> list[SealedReceipt]:
    store = SqliteStore(file)
    found = await _all_in(store, _keys(file), file.with_name("log"), table)
    await store.close()
    return found


async def _all_in(store: Store, keys: Keys, log: Path, table: str = "tiger-1") -> list[SealedReceipt]:
    """Return every receipt of a table, of every patron."""
    found = list[SealedReceipt]()
    (published,) = await published_logs(store, keys.public_key, log)
    for recorded in await store.read(table, most=100_000):
        if recorded.name in settled_wagers.SETTLING:
            patrons = {each.patron for each in await settled_wagers.receipts_of(store, table, recorded.number)}
            for patron in sorted(patrons):
                found += await sealed_receipts(store, published, table, recorded.number, patron) or []
    return found


def _keys(file: Path) -> Keys:
    return load_keys(file.with_name("punto.db.key"), {})


@pytest.fixture(scope="module")
def receipts(house: Path) -> list[SealedReceipt]:
    return asyncio.run(_all(house))


def outside(file: Path, content: str, *keys: str) -> tuple[int, str]:
    """Run the program in ``examples``, which imports nothing of Punto."""
    file.write_text(content, "utf-8")
    command = [sys.executable, "-I", str(PROGRAM), str(file), *keys]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    return done.returncode, done.stdout + done.stderr


def content(file: ReceiptFile) -> str:
    return msgspec.json.encode(file).decode()


def test_the_program_outside_is_short_and_imports_nothing_of_punto() -> None:
    text = PROGRAM.read_text("utf-8")
    assert text.count("\n") <= 80
    assert "import punto" not in text
    assert "from punto" not in text


def test_receipts_are_checked_outside_from_file_and_qr_code(receipts: list[SealedReceipt], tmp_path: Path) -> None:
    for each in (receipts[0], receipts[-1]):
        for text in (content(each.file), qr_text(each.file)):
            code, said = outside(tmp_path / "receipt", text, each.file.key)
            assert code == 0, said
            assert each.file.receipt in said


def _receipt(change: dict[str, Any]) -> Callable[[dict[str, Any]], dict[str, Any]]:
    def changed(file: dict[str, Any]) -> dict[str, Any]:
        receipt = json.loads(file["receipt"]) | change
        return {**file, "receipt": json.dumps(receipt, separators=(",", ":"))}

    return changed


FALSE: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "another amount": _receipt({"returned": 99_999_999}),
    "another patron": _receipt({"patron": "eve"}),
    "another salt": lambda file: {**file, "salt": "A" * 22 + "=="},
    "another leaf": lambda file: {**file, "proof": file["proof"].replace("index ", "index 1")},
    "a proof that is too short": lambda file: {**file, "proof": _without_a_hash(file["proof"])},
    "a larger log": lambda file: {**file, "proof": file["proof"].replace("\n\n", "\n\nx", 1)},
}


def _without_a_hash(proof: str) -> str:
    lines = proof.split("\n")
    return "\n".join([*lines[:2], *lines[3:]])


@pytest.mark.parametrize("change", FALSE)
def test_the_program_outside_finds_what_was_changed(receipts: list[SealedReceipt], tmp_path: Path, change: str) -> None:
    file = FALSE[change](json.loads(content(receipts[0].file)))
    code, said = outside(tmp_path / "receipt", json.dumps(file))
    assert code == 1
    assert said.startswith("NOT in order")


def test_a_receipt_of_another_house_is_refused_by_its_key(receipts: list[SealedReceipt], tmp_path: Path) -> None:
    file = receipts[0].file
    assert outside(tmp_path / "receipt", content(file), file.key.replace("/1+", "/2+"))[0] == 1


def test_a_receipt_tells_of_one_patron_alone(receipts: list[SealedReceipt]) -> None:
    patrons = {each.receipt.patron for each in receipts}
    assert len(patrons) > 1
    for each in receipts:
        written = content(each.file)
        assert [patron for patron in patrons if f'"{patron}' in written.replace("\\", "")] == [each.receipt.patron]


def test_salts_differ_and_come_from_the_key(receipts: list[SealedReceipt]) -> None:
    """No two leaves share a salt, and another key gives another secret to the same log."""
    salts = {each.file.salt for each in receipts}
    assert len(salts) == len(receipts)
    assert len({Keys(bytes([key]) * 32).log_secret(origin) for key in (1, 2) for origin in ("a", "b")}) == 4


def test_a_corrected_wager_names_the_receipt_it_replaces(receipts: list[SealedReceipt]) -> None:
    by_event: dict[tuple[int, str, int, str], WagerReceipt] = {}
    replaced = 0
    for each in (one.receipt for one in receipts):
        if each.replaces is not None:
            before = by_event[each.replaces, each.patron, each.position, each.wager]
            assert (before.round, before.stake > 0) == (each.round, True)
            replaced += 1
        by_event[each.event, each.patron, each.position, each.wager] = each
    assert replaced
    kinds = {each.kind for each in by_event.values()}
    assert kinds == {kind.__name__ for kind in ALL}
    void = [each for each in by_event.values() if each.kind == "RoundVoided"]
    assert all((each.result, each.returned, each.player) == ("void", each.stake, ()) for each in void)


def test_the_amounts_add_up_and_the_cards_are_there(receipts: list[SealedReceipt]) -> None:
    for each in (one.receipt for one in receipts):
        if each.kind == "RoundSettled":
            assert len(each.player) >= 2
            assert len(each.banker) >= 2
            kept = each.stake - each.settled + (0 if each.result == "lose" else each.settled)
            assert each.returned == kept + each.winnings, each


async def test_a_log_recomputed_from_the_database_proves_the_same(house: Path, receipts: list[SealedReceipt]) -> None:
    store = SqliteStore(house)
    log = await recomputed_log(store, _keys(house).public_key)
    await store.close()
    assert log
    assert log.proof(receipts[0].leaf) == receipts[0].file.proof


@pytest.mark.long
def test_receipts_are_the_same_on_postgresql(
    postgresql: str, house: Path, receipts: list[SealedReceipt], tmp_path: Path
) -> None:
    async def made_there() -> list[SealedReceipt]:
        store, log = await open_store(postgresql), tmp_path / "log"
        await seal_in(store, _keys(house), log, ("tiger-1", played("tiger", 8, 300)))
        made = await _all_in(store, _keys(house), log)
        await store.close()
        return made

    there = asyncio.run(made_there())
    assert [each.file.receipt for each in there] == [each.file.receipt for each in receipts]
    for each in (there[0], there[-1]):
        assert outside(tmp_path / "receipt.json", content(each.file))[0] == 0
    assert found(postgresql, "--log", str(tmp_path / "log")) == set()
    asked(postgresql, "alter table event disable trigger event_stays")
    asked(postgresql, "update log_range set receipts = receipts + 1 where receipts > 0")
    assert "receipt-extra" in found(postgresql)


# --- the auditor -----------------------------------------------------------------------------------------------------


def found(database: Path | str, *arguments: str) -> set[str]:
    told = json.loads(punto("audit", str(database), "--json", *arguments)[1])
    return {each["code"] for each in told["findings"] if each["code"].startswith(("receipt-", "log-"))}


def test_the_auditor_makes_the_same_receipts(house: Path) -> None:
    assert found(house, "--log", str(house.with_name("log"))) == set()


@pytest.mark.parametrize("part", [40, pytest.param(1, marks=pytest.mark.long)])
def test_the_auditor_makes_the_same_receipts_for_all_scripts(tmp_path: Path, part: int) -> None:
    """Every order of events that a script shows, in every one of its games."""
    tables = list[tuple[str, list[EventRecord]]]()
    for file in sorted((Path(__file__).parents[1] / "scripts").glob("*.round"))[::part]:
        script = parse(file.read_text("utf-8"))
        for each in script.runs:
            player = Player(script, each)
            player.play()
            events = [EventRecord.of(event, AT + 1_000 * at, "sam", "Dealer") for at, event in enumerate(player.log)]
            tables.append((f"{file.stem}-{each.game}", events))
    asyncio.run(seal(tmp_path / "punto.db", make_keys(tmp_path / "punto.db.key"), *tables))
    assert asyncio.run(_wrong_in_the_log(tmp_path / "punto.db")) == []


async def _wrong_in_the_log(file: Path) -> list[Finding]:
    store = SqliteStore(file)
    wrong = await check_log(store, _keys(file).public_key, {}, None, file.with_name("log"))
    await store.close()
    return wrong


@pytest.mark.long
@pytest.mark.parametrize(("game", "seed"), [("tiger", 29), ("baccarat", 3), ("fabulous-4", 29), ("dragon-tiger", 5)])
def test_the_auditor_makes_the_same_receipts_whatever_is_played(tmp_path: Path, game: str, seed: int) -> None:
    file = tmp_path / "punto.db"
    asyncio.run(seal(file, make_keys(tmp_path / "punto.db.key"), (f"{game}-1", played(game, seed, 2_000))))
    assert found(file, "--log", str(tmp_path / "log")) == set()


FALSELY: dict[str, tuple[str, Callable[[list[WagerReceipt]], list[WagerReceipt]]]] = {
    "a receipt left out": ("receipt-missing", lambda made: made[:-1]),
    "a receipt too many": ("receipt-extra", lambda made: [*made, made[0]]),
    "another amount": (
        "receipt-wrong", lambda made: [msgspec.structs.replace(made[0], returned=made[0].returned + 100), *made[1:]]
    ),
    "another patron": ("receipt-wrong", lambda made: [msgspec.structs.replace(made[0], patron="eve"), *made[1:]]),
}  # fmt: skip


@pytest.fixture
def unsealed(house: Path, tmp_path: Path) -> Path:
    """The same house before anything was sealed."""
    for name in ("punto.db", "punto.db.key"):
        shutil.copy(house.with_name(name), tmp_path / name)
    connection = apsw.Connection(str(tmp_path / "punto.db"))
    connection.execute("delete from log_head; delete from log_range")
    connection.close()
    return tmp_path / "punto.db"


@pytest.mark.parametrize("how", FALSELY)
def test_the_auditor_finds_receipts_that_were_sealed_falsely(
    unsealed: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """A sealer that leaves receipts out, adds some, or has other amounts in them signs a log that holds together."""
    code, falsified = FALSELY[how]
    honest = settled_wagers.receipts_of

    async def dishonest(store: Any, stream: str, number: int, *course: Any) -> list[WagerReceipt]:
        made = await honest(store, stream, number, *course)
        return falsified(made) if len(made) > 1 else made

    monkeypatch.setattr(log_leaves, "receipts_of", dishonest)
    asyncio.run(seal(unsealed, _keys(unsealed), ("tiger-1", [])))
    assert code in found(unsealed, "--log", str(unsealed.with_name("log")))
    assert found(unsealed)


def _once_forgotten(names: set[str]) -> frozenset[str]:
    """Return names of which the third that is asked for seems not to be there."""

    class Forgetful(frozenset[str]):
        asked = 0

        def __contains__(self, name: object) -> bool:
            Forgetful.asked += name in names
            return name in names and Forgetful.asked != 3

    return Forgetful(names)


def _altered(course: bytes) -> bytes:
    return course.replace(b'"root":"', b'"root":"0')[:-3] + b'"}'


@pytest.mark.parametrize("how", ["a course of other events", "a course left out"])
def test_the_auditor_finds_courses_that_were_sealed_falsely(
    unsealed: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """The third round of a log of two tables: what was left out before the first course is of an earlier version."""
    honest, ending, made = round_course.course_bytes, set(round_course.ENDING), list[Any]()

    def dishonest(secret: bytes, table: str, events: list[EventRecord]) -> bytes:
        made.append(events)
        return _altered(honest(secret, table, events)) if len(made) == 3 else honest(secret, table, events)

    if how == "a course left out":
        monkeypatch.setattr(log_leaves, "ENDING", _once_forgotten(ending))
    else:
        monkeypatch.setattr(log_leaves, "course_bytes", dishonest)
    asyncio.run(seal(unsealed, _keys(unsealed), ("tiger-1", [])))
    monkeypatch.undo()
    code = "receipt-missing" if how == "a course left out" else "receipt-wrong"
    assert code in found(unsealed, "--log", str(unsealed.with_name("log")))
    assert found(unsealed)


@pytest.mark.long
def test_the_log_may_have_begun_without_receipts(unsealed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was sealed before the first receipt has none, and that is in order."""
    with monkeypatch.context() as patch:
        patch.setattr("punto.store.trust.sealer.SETTLING", frozenset())
        asyncio.run(seal(unsealed, _keys(unsealed), ("tiger-1", [])))
    assert found(unsealed, "--log", str(unsealed.with_name("log"))) == set()
    asyncio.run(seal(unsealed, _keys(unsealed), ("tiger-2", played("tiger", 8, 300))))
    assert found(unsealed, "--log", str(unsealed.with_name("log"))) == set()
