"""``punto verify-self``: compare the program's files with the manifest they were built with."""

from __future__ import annotations

import asyncio
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from punto.cli.main import BadInput, Run
from punto.cli.output import print_json
from punto.server.access.identity import People, Person
from punto.server.access.permissions import MANAGERS
from punto.server.running.lifecycle import Options, clock
from punto.store.address import open_store
from punto.store.codec import UnknownEvent
from punto.store.events.program_events import CheckedWhen, ProgramChecked, ProgramState
from punto.store.house import SYSTEM, record
from punto.store.protocol import Store
from punto.store.records import StoreError
from punto.store.trust.installed_build import Build, checked, expected_build, installation, look_at
from punto.store.trust.keys import BadKey, load_keys
from punto.store.trust.program_files import MANIFEST, PACKAGE, forged_copies

ALTERED = 1
"""The exit code if the program is not as approved."""


def verify_self(parser: ArgumentParser) -> Run:
    """Verify the program."""
    parser.epilog = (
        f"Without any of this software: cd {PACKAGE} && sha256sum -c {MANIFEST}. With a database the build must also "
        "be the one that its house has signed, and the result is recorded there."
    )
    database = "a database file that is not being served, or postgresql://..."
    parser.add_argument("database", metavar="DATABASE", nargs="?", help=database)
    parser.add_argument("--key", metavar="FILE", help="the key (default: beside the file, punto.key, or PUNTO_KEY)")
    install = "sign this build for the house of the database, in the name of a manager; it is then the one served"
    parser.add_argument("--install", metavar="PERSON", help=install)
    return _run


def _run(arguments: Namespace) -> None:
    found = verify(arguments, PACKAGE)
    _tell(found, arguments.json)
    if not found.state.may_play:
        sys.exit(ALTERED)


def verify(arguments: Namespace, folder: Path) -> ProgramChecked:
    """Verify the program in a folder as the arguments say, and return what was found."""
    if arguments.install is not None and not arguments.database:
        raise BadInput("--install: name the database of the house")
    build = look_at(folder)
    if build.manifest and (forged := forged_copies(folder)):
        build = build.with_changed(forged)
    if not arguments.database:
        return checked(build, None, CheckedWhen.DEMAND)
    try:
        return asyncio.run(_in_house(arguments, build))
    except (StoreError, BadKey, UnknownEvent) as error:
        raise BadInput(str(error)) from None


async def _in_house(arguments: Namespace, build: Build) -> ProgramChecked:
    key = Path(arguments.key) if arguments.key else None
    store = await open_store(arguments.database, make=False)
    try:
        keys = load_keys(Options(arguments.database, key).where_the_key_is)
        signed = await expected_build(store, keys, build)
        giver = SYSTEM
        if arguments.install is not None:
            by = await _manager(store, arguments.install)
            if build.differences:
                raise BadInput("files of the program are not as they were built: nothing is signed; see verify-self")
            signed, giver = await installation(store, keys, build, signed), (by.id, by.duty.value)
            await record(store, [signed], clock(), giver)
        found = checked(build, signed, CheckedWhen.DEMAND)
        await record(store, [found], clock(), giver)
        return found
    finally:
        await store.close()


async def _manager(store: Store, text: str) -> Person:
    people = People(store, clock)
    person = await people.find(text) or await people.find_by_name(text)
    if person is None:
        raise BadInput(f"there is no person {text!r}; punto people lists them")
    if person.duty not in MANAGERS or not person.active:
        raise BadInput(f"{text!r}: only a manager installs a build")
    return person


_SENTENCES = {
    ProgramState.INTACT: "{files} files are as they were built",
    ProgramState.ALTERED: "{differences} files are not as they were built",
    ProgramState.ANOTHER_BUILD: "{files} files fit their manifest, but the house has signed another build",
    ProgramState.DEVELOPMENT: "development build: there is no manifest to compare with",
}


def _tell(found: ProgramChecked, as_json: bool) -> None:
    if as_json:
        names = ("version", "manifest", "expected", "files", "differences")
        lists = {name: list(getattr(found, name)) for name in ("changed", "missing", "added")}
        print_json({"state": found.state.value, **{name: getattr(found, name) for name in names}, **lists})
        return
    for kind in ("changed", "missing", "added"):
        for name in getattr(found, kind):
            print(f"{kind}: {name}")  # noqa: T201
    sentence = _SENTENCES[found.state].format(files=found.files, differences=found.differences)
    print(f"Punto {found.version}: {sentence}")  # noqa: T201
    if found.manifest:
        print(f"{MANIFEST}: {found.manifest}")  # noqa: T201
