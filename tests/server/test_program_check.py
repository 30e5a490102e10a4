"""The program verifies itself: a file that is not as it was built keeps every table from opening."""

from __future__ import annotations

import asyncio
import os
import py_compile
import subprocess
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from unittest.mock import Mock

import pytest
from support.built_program import change, list_files, make_program
from support.past import answer_to, cards, client_of, deal, done, make_table, opened
from support.waiting import until_async

from punto.server.access.identity import Duty
from punto.server.running import program_check
from punto.server.running.lifecycle import Options, Serving, clock
from punto.server.running.program_check import DAY, ProgramCheck
from punto.store.events.house_events import HOUSE
from punto.store.events.program_events import CheckedWhen, ProgramChecked, ProgramInstalled, ProgramState
from punto.store.people import ADD
from punto.store.records import HouseBehind
from punto.store.round_events import every_event
from punto.store.trust.program_files import MANIFEST, PACKAGE, compare, forged_copies, read_manifest
from punto.table.irregularities.referral import Refer
from punto.table.play.chips import BuyIn
from punto.table.play.wagers import PlaceWager
from punto.table.roles import Actor, Role
from punto.table.round import IN_ROUND, Phase

MANAGER = Actor("gsm", Role.GAMING_SHIFT_MANAGER)
DEALER, ANN = Actor("sam", Role.DEALER), Actor("ann", Role.PATRON)


@pytest.fixture
def program(tmp_path: Path) -> Path:
    return make_program(tmp_path / "program")


def options(tmp_path: Path, program: Path, each: float = DAY) -> Options:
    return Options(str(tmp_path / "house.db"), program=program, program_checked_each=each)


async def events_of(serving: Serving) -> list[ProgramChecked | ProgramInstalled]:
    found = [recorded.event async for recorded in every_event(serving.store, HOUSE)]
    return [event for event in found if isinstance(event, ProgramChecked | ProgramInstalled)]


async def is_closed(serving: Serving) -> None:
    """No table takes a command; health, pages and refusals say why."""
    with pytest.raises(HouseBehind, match="program"):
        await answer_to(serving, Refer(MANAGER, matter="something"))
    async with client_of(serving, Duty.GAMING_SHIFT_MANAGER) as client:
        health = await client.get("/healthz")
        assert (health.status_code, health.json()["why"]) == (503, "program-altered")
        answer = await client.post("/api/tables/t1/commands", json={"command": "OpenBets"})
        assert (answer.status_code, answer.json()["code"]) == (503, "program-altered")
        assert 'data-why="program-altered"' in (await client.get("/pit")).text
        assert (await client.get("/api/tables/t1")).status_code == 200


def remove(folder: Path) -> None:
    (folder / "page.js").unlink()


def add(folder: Path) -> None:
    (folder / "sitecustomize.pyc").write_bytes(b"")


def drop_manifest(folder: Path) -> None:
    (folder / MANIFEST).unlink()


def new_manifest(folder: Path) -> None:
    change(folder)
    list_files(folder)


@pytest.mark.parametrize("alter", [change, remove, add, drop_manifest, new_manifest])
async def test_a_file_that_is_not_as_built_is_found_at_start(
    tmp_path: Path, program: Path, alter: Callable[[Path], None]
) -> None:
    async with opened(options(tmp_path, program)) as serving:
        await make_table(serving)
        installed, checked = await events_of(serving)
        assert isinstance(installed, ProgramInstalled)
        assert isinstance(checked, ProgramChecked)
        assert (checked.state, checked.when, checked.files) == (ProgramState.INTACT, CheckedWhen.START, 3)
        assert installed.manifest == checked.manifest == sha256((program / MANIFEST).read_bytes()).hexdigest()
    alter(program)
    async with opened(options(tmp_path, program)) as serving:
        last = (await events_of(serving))[-1]
        assert isinstance(last, ProgramChecked)
        assert not last.state.may_play
        assert last.expected == installed.manifest
        if alter is not new_manifest:
            assert last.differences == 1
        await is_closed(serving)


async def test_a_changed_byte_is_found_by_the_daily_check_and_the_next_start_with_the_build_goes_on(
    tmp_path: Path, program: Path
) -> None:
    async with opened(options(tmp_path, program, each=0.05)) as serving:
        await make_table(serving)
        assert not serving.store.closed
        change(program)
        async with asyncio.timeout(20):
            while not serving.store.closed or (await events_of(serving))[-1].manifest == "":
                await asyncio.sleep(0.02)
            while not isinstance(last := (await events_of(serving))[-1], ProgramChecked) or last.differences == 0:
                await asyncio.sleep(0.02)
        assert (last.when, last.changed) == (CheckedWhen.DAILY, ("rules/game.toml",))
        await is_closed(serving)
    (program / "rules" / "game.toml").write_text("pays = 8\n")
    async with opened(options(tmp_path, program)) as serving:
        assert not serving.store.closed
        assert (await events_of(serving))[-1].manifest == last.manifest


async def test_a_round_stops_in_the_middle_and_goes_on_with_the_signed_build(tmp_path: Path, program: Path) -> None:
    async with opened(options(tmp_path, program, each=0.05)) as serving:
        await make_table(serving)
        served = serving.floor.tables["t1"]
        while served.table.phase is not Phase.BETTING:
            await deal(serving, 1)
        await serving.store.ask(ADD, "ann", "Ann", "ann", None, "ann", Role.PATRON.value, None, False, clock())
        await done(serving, BuyIn(DEALER, "ann", 100_000))
        await done(serving, PlaceWager(ANN, "ann", 1, "Player", 10_000))
        while not await cards(serving):
            await deal(serving, 1)
        shown, number, before = await cards(serving), served.table.round_number, served.table.round
        assert before.stakes
        change(program)
        async with asyncio.timeout(20):
            while not serving.store.closed:
                await asyncio.sleep(0.02)
        with pytest.raises(HouseBehind, match="program"):
            await deal(serving, 1)
    (program / "rules" / "game.toml").write_text("pays = 8\n")
    async with opened(options(tmp_path, program)) as serving:
        served = serving.floor.tables["t1"]
        assert (served.table.round_number, served.table.round) == (number, before)
        while served.table.round_number == number and served.table.phase in IN_ROUND:
            await deal(serving, 1)
        assert (await cards(serving))[: len(shown)] == shown
        names = [each.name for each in await serving.store.read("t1", most=1000)]
        assert names.count("RoundSettled") == 1


async def test_a_checkout_says_so_once_and_opens(tmp_path: Path, program: Path) -> None:
    drop_manifest(program)
    for _ in range(2):
        async with opened(options(tmp_path, program)) as serving:
            (told,) = await events_of(serving)
            assert isinstance(told, ProgramChecked)
            assert told.state is ProgramState.DEVELOPMENT
            assert not serving.store.closed


def test_a_compiled_copy_that_is_not_of_its_source_is_found(program: Path) -> None:
    source, forged = program / "engine.py", program / "other.py"
    copy = py_compile.compile(str(source), doraise=True)
    assert copy
    assert forged_copies(program) == ()
    forged.write_text("PAYS = 9\n")
    other = py_compile.compile(str(forged), doraise=True)
    assert other
    honest = Path(copy).read_bytes()
    Path(copy).write_bytes(honest[:16] + Path(other).read_bytes()[16:])
    assert forged_copies(program) == (Path(copy).relative_to(program).as_posix(),)


@pytest.mark.parametrize("content", [b"PAYS = (\n", b"\0AYS = 8\n"])
def test_a_source_that_is_no_program_any_more_is_found_beside_its_copy(program: Path, content: bytes) -> None:
    """Of the same size and time, so that Python would run the copy."""
    source = program / "engine.py"
    copy = Path(py_compile.compile(str(source), doraise=True) or "")
    about = source.stat()
    source.write_bytes(content)
    os.utime(source, ns=(about.st_atime_ns, about.st_mtime_ns))
    assert forged_copies(program) == (copy.relative_to(program).as_posix(),)


def test_a_copy_that_cannot_be_read_is_found(program: Path) -> None:
    copy = Path(py_compile.compile(str(program / "engine.py"), doraise=True) or "")
    copy.unlink()
    copy.mkdir()
    assert forged_copies(program) == (copy.relative_to(program).as_posix(),)


def test_a_manifest_that_cannot_be_read_lists_no_file(program: Path) -> None:
    drop_manifest(program)
    (program / MANIFEST).mkdir()
    manifest = read_manifest(program)
    assert manifest
    assert len(compare(manifest, program).added) == 3


def test_the_systems_tool_and_the_check_agree(program: Path) -> None:
    manifest = read_manifest(program)
    assert manifest
    assert not compare(manifest, program)
    change(program)
    assert compare(manifest, program).changed == ("rules/game.toml",)
    done = subprocess.run(["sha256sum", "-c", "--quiet", MANIFEST], cwd=program, capture_output=True, check=False)
    assert done.returncode == 1
    assert b"rules/game.toml" in done.stdout


def test_a_checkout_has_no_manifest() -> None:
    assert read_manifest(PACKAGE) is None


def test_a_house_checks_its_program_daily_unless_told_otherwise(tmp_path: Path) -> None:
    """Also a check of its own, made without saying how often."""
    a_day = 24 * 60 * 60
    assert 0 < Options(str(tmp_path / "house.db")).program_checked_each <= a_day
    assert 0 < ProgramCheck(Mock(), Mock(), clock)._each <= a_day


async def test_every_check_is_recorded_also_where_nothing_was_altered(tmp_path: Path, program: Path) -> None:
    async with opened(options(tmp_path, program, each=0.01)) as serving:
        found = list[ProgramChecked]()
        async with asyncio.timeout(60):
            while len(found) < 2:
                await asyncio.sleep(0.01)
                checked = [each for each in await events_of(serving) if isinstance(each, ProgramChecked)]
                found = [each for each in checked if each.when is CheckedWhen.DAILY]
        assert {each.state for each in found} == {ProgramState.INTACT}
        assert not serving.store.closed


async def test_a_server_that_stops_in_a_check_leaves_no_process(
    tmp_path: Path, program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script, told = tmp_path / "endless.py", tmp_path / "told"
    script.write_text(f"import os, time\nopen({str(told)!r}, 'w').write(f'{{os.getpid()}}.')\ntime.sleep(600)\n")
    monkeypatch.setattr(program_check, "program_files", Mock(__file__=str(script)))
    checking = asyncio.create_task(ProgramCheck(Mock(), Mock(), clock, folder=program)._forged())
    await until_async(lambda: told.exists() and told.read_text().endswith("."))
    checking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await checking
    with pytest.raises(ProcessLookupError):
        os.kill(int(told.read_text()[:-1]), 0)
