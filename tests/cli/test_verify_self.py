"""``punto verify-self``: what it finds in a program's folder, what it records in a house, and who signs a build."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from support.built_program import change, list_files, make_program
from support.command import punto, refused, run, run_json
from support.past import opened, options_of

from punto import __version__
from punto.cli.house.verify_self import verify
from punto.cli.main import BadInput, Parser, add_arguments
from punto.server.access.identity import Duty
from punto.server.running.lifecycle import Options
from punto.store.address import open_reader
from punto.store.events.house_events import HOUSE
from punto.store.events.program_events import CheckedWhen, ProgramChecked, ProgramInstalled, ProgramState
from punto.store.records import EventRecord
from punto.store.sqlite.sqlite_store import SqliteStore
from punto.store.trust.keys import make_keys
from punto.store.trust.program_files import MANIFEST, PACKAGE

MANAGER = Duty.GAMING_SHIFT_MANAGER.value


# --- without a database ----------------------------------------------------------------------------------------------


def test_a_checkout_says_that_it_is_one() -> None:
    assert run("verify-self") == f"Punto {__version__}: development build: there is no manifest to compare with\n"
    told = run_json("verify-self")
    assert (told["state"], told["manifest"], told["expected"], told["files"]) == ("development", "", "", 0)


def as_process(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command of a copy of the program."""
    environment = {**os.environ, "PYTHONPATH": str(folder.parent), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "punto", "verify-self", *arguments]
    return subprocess.run(
        command, cwd=folder.parent, env=environment, capture_output=True, text=True, check=False, timeout=60
    )


def test_a_changed_byte_of_the_program_itself_is_named(tmp_path: Path) -> None:
    """A copy of the whole program, with its manifest, which looks at itself."""
    copy = tmp_path / "punto"
    shutil.copytree(PACKAGE, copy)
    list_files(copy)
    file = copy / "rules" / "games" / "baccarat.toml"
    file.write_bytes(file.read_bytes()[:-1] + b" ")
    done = as_process(copy, "--json")
    assert (done.returncode, done.stderr) == (1, "")
    told = json.loads(done.stdout)
    assert (told["state"], told["differences"], told["missing"], told["added"]) == ("altered", 1, [], [])
    assert told["changed"] == ["rules/games/baccarat.toml"]
    assert told["files"] == len((copy / MANIFEST).read_text("utf-8").splitlines())


@pytest.mark.long
def test_the_program_itself_is_intact_until_a_byte_is_changed(tmp_path: Path) -> None:
    copy = tmp_path / "punto"
    shutil.copytree(PACKAGE, copy)
    list_files(copy)
    done = as_process(copy)
    assert (done.returncode, done.stderr) == (0, "")
    assert "files are as they were built" in done.stdout
    (copy / "py.typed").write_text("x")
    done = as_process(copy)
    assert (done.returncode, done.stderr) == (1, "")
    assert "changed: py.typed\n" in done.stdout
    assert "1 files are not as they were built" in done.stdout


# --- in a house ------------------------------------------------------------------------------------------------------


@dataclass
class FoundHouse:
    """A house that a checkout was started with once, and the arguments that name it."""

    options: Options

    @property
    def named(self) -> list[str]:
        return [self.options.database, "--key", str(self.options.where_the_key_is)]

    def verify(self, folder: Path, *arguments: str) -> ProgramChecked:
        """Do what the command does, for the program in another folder."""
        parser = Parser(prog="punto verify-self")
        add_arguments("verify-self", parser)
        return verify(parser.parse_args([*self.named, *arguments]), folder)

    def refuses(self, folder: Path, *arguments: str) -> str:
        with pytest.raises(BadInput) as told:
            self.verify(folder, *arguments)
        return str(told.value)

    def events(self) -> list[EventRecord]:
        """All that the house's stream says of the program."""
        return asyncio.run(self._read())

    async def _read(self) -> list[EventRecord]:
        reader = await open_reader(self.options.database)
        try:
            found = await reader.read(HOUSE, most=1000)
        finally:
            await reader.close()
        return [each for each in found if isinstance(each.event, ProgramChecked | ProgramInstalled)]


async def _found(options: Options) -> None:
    async with opened(options):
        pass


@pytest.fixture(params=["sqlite", "postgresql"])
def house(request: pytest.FixtureRequest, tmp_path: Path) -> FoundHouse:
    address = request.getfixturevalue("postgresql") if request.param == "postgresql" else None
    options = options_of(tmp_path, address)
    asyncio.run(_found(options))
    return FoundHouse(options)


@pytest.fixture
def on_sqlite(tmp_path: Path) -> FoundHouse:
    options = options_of(tmp_path)
    asyncio.run(_found(options))
    return FoundHouse(options)


def test_the_result_is_recorded_and_a_build_that_a_manager_signs_is_the_one_expected(
    house: FoundHouse, tmp_path: Path
) -> None:
    program = make_program(tmp_path / "program")
    assert house.verify(program).state is ProgramState.INTACT  # no build is signed yet
    signed = house.verify(program, "--install", MANAGER)
    *_, demanded, installed, checked = house.events()
    assert isinstance(demanded.event, ProgramChecked)
    assert (demanded.event.when, demanded.event.expected, demanded.position) == (CheckedWhen.DEMAND, "", "system")
    assert isinstance(installed.event, ProgramInstalled)
    assert installed.event.manifest == signed.manifest == signed.expected
    assert checked.event == signed
    assert installed.position == checked.position == MANAGER
    change(program)
    found = house.verify(program)
    assert (found.state, found.changed, found.expected) == (ProgramState.ALTERED, ("rules/game.toml",), signed.manifest)
    list_files(program)
    assert house.verify(program).state is ProgramState.ANOTHER_BUILD
    again = house.verify(program, "--install", MANAGER)
    assert (again.state, again.expected) == (ProgramState.INTACT, again.manifest)
    renewed = house.events()[-2].event
    assert isinstance(renewed, ProgramInstalled)
    assert renewed.before == signed.manifest
    told = refused("verify-self", *house.named, "--install", "Pit Manager")
    assert told == "punto: 'Pit Manager': only a manager installs a build\n"


def test_a_checkout_is_not_what_a_house_has_signed(on_sqlite: FoundHouse, tmp_path: Path) -> None:
    assert run_json("verify-self", *on_sqlite.named)["state"] == "development"
    signed = on_sqlite.verify(make_program(tmp_path / "program"), "--install", MANAGER)
    code, out, err = punto("verify-self", *on_sqlite.named)
    assert (code, err) == (1, "")
    assert f"missing: {MANIFEST}" in out
    last = on_sqlite.events()[-1].event
    assert isinstance(last, ProgramChecked)
    assert (last.state, last.missing, last.expected) == (ProgramState.ALTERED, (MANIFEST,), signed.manifest)


def test_nothing_is_signed_or_recorded_for_anyone_else_or_if_files_differ(
    on_sqlite: FoundHouse, tmp_path: Path
) -> None:
    program, before = make_program(tmp_path / "program"), on_sqlite.events()
    assert "there is no person 'Nobody'" in refused("verify-self", *on_sqlite.named, "--install", "Nobody")
    assert "there is no person ''" in refused("verify-self", *on_sqlite.named, "--install", "")
    assert "only a manager" in refused("verify-self", *on_sqlite.named, "--install", "Pit Manager")
    assert "name the database" in refused("verify-self", "--install", MANAGER)
    change(program)
    assert "nothing is signed" in on_sqlite.refuses(program, "--install", MANAGER)
    assert on_sqlite.events() == before


def test_a_key_or_database_that_does_not_fit_is_refused(on_sqlite: FoundHouse, tmp_path: Path) -> None:
    database, before = on_sqlite.options.database, on_sqlite.events()
    make_keys(tmp_path / "other.key")
    assert "not the key the database was made with" in refused(
        "verify-self", database, "--key", f"{tmp_path}/other.key"
    )
    (tmp_path / "no.key").write_text("none")
    (tmp_path / "no.key").chmod(0o600)
    assert "this is no key" in refused("verify-self", database, "--key", str(tmp_path / "no.key"))
    assert "there is no key" in refused("verify-self", database, "--key", str(tmp_path / "absent.key"))
    assert "no such database" in refused("verify-self", str(tmp_path / "none.db"))
    assert not (tmp_path / "none.db").exists()
    assert on_sqlite.events() == before


def test_a_database_without_a_house_is_refused(tmp_path: Path) -> None:
    file, key = tmp_path / "empty.db", tmp_path / "empty.key"
    asyncio.run(SqliteStore(file).close())
    make_keys(key)
    assert "does not say with which key" in refused("verify-self", str(file), "--key", str(key))


def test_a_house_that_is_served_is_left_to_its_server(tmp_path: Path) -> None:
    house = FoundHouse(options_of(tmp_path))

    async def beside() -> str:
        async with opened(house.options):
            return await asyncio.to_thread(refused, "verify-self", *house.named)

    assert "another process" in asyncio.run(beside())


def test_a_house_for_practice_takes_another_build_as_the_server_does(tmp_path: Path) -> None:
    one, other = make_program(tmp_path / "one"), make_program(tmp_path / "other")
    change(other)
    list_files(other)
    options = Options(str(tmp_path / "punto.db"), tmp_path / "house.key", practice=True, program=one)
    asyncio.run(_found(options))
    assert FoundHouse(options).verify(one).state is ProgramState.INTACT
    assert FoundHouse(options).verify(other).state is ProgramState.INTACT
