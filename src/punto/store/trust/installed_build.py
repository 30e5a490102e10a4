"""Which build of the program a house has signed, and whether the files that are here are that build."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from punto import __version__
from punto.shoe.encoding import pack
from punto.store.events.house_events import HOUSE
from punto.store.events.program_events import CheckedWhen, GameServed, ProgramChecked, ProgramInstalled, ProgramState
from punto.store.house import check_key
from punto.store.protocol import Store
from punto.store.trust.keys import Keys, is_signed
from punto.store.trust.program_files import MANIFEST, Differences, Manifest, compare, read_manifest

MOST_NAMED = 20
"""Files of each kind that an event names."""
_NEWEST = "select max(number) from event where stream = $1 and name = $2"


@dataclass(frozen=True, slots=True)
class Build:
    """The files that are here, compared with their manifest."""

    manifest: Manifest | None
    differences: Differences = field(default_factory=Differences)

    @property
    def digest(self) -> str:
        return self.manifest.digest if self.manifest else ""

    @property
    def files(self) -> int:
        return len(self.manifest.files) if self.manifest else 0

    def with_changed(self, names: Sequence[str]) -> Build:
        """Return this build with more files that turned out to be changed."""
        changed = tuple(sorted({*self.differences.changed, *names}))
        return replace(self, differences=replace(self.differences, changed=changed))


def look_at(folder: Path) -> Build:
    """Compare the files of a folder with the manifest in it, if there is one."""
    manifest = read_manifest(folder)
    return Build(manifest, compare(manifest, folder)) if manifest else Build(None)


def state_of(build: Build, signed: ProgramInstalled | None) -> ProgramState:
    """Return whether a build may be served in a house that has signed one, or none yet."""
    if build.differences:
        return ProgramState.ALTERED
    if signed and signed.manifest and signed.manifest != build.digest:
        return ProgramState.ANOTHER_BUILD if build.manifest else ProgramState.ALTERED
    return ProgramState.INTACT if build.manifest else ProgramState.DEVELOPMENT


def checked(
    build: Build, signed: ProgramInstalled | None, when: CheckedWhen, games: Sequence[GameServed] = ()
) -> ProgramChecked:
    """Return what a check has found, as the event that is recorded."""
    state, found = state_of(build, signed), build.differences
    if state is ProgramState.ALTERED and build.manifest is None:
        found = Differences(missing=(MANIFEST,))  # without it nothing could be compared
    kinds = (found.changed, found.missing, found.added)
    changed, missing, added = (each[:MOST_NAMED] for each in kinds)
    expected = signed.manifest if signed else ""
    return ProgramChecked(
        when,
        state,
        __version__,
        build.digest,
        build.files,
        changed,
        missing,
        added,
        sum(map(len, kinds)),
        expected,
        tuple(games),
    )


async def installation(store: Store, keys: Keys, build: Build, signed: ProgramInstalled | None) -> ProgramInstalled:
    """Return a build with the house's signature: from when it is recorded, it is the one that is served."""
    signature = keys.sign(_message(await _house(store), build.digest))
    before = signed.manifest if signed else ""
    return ProgramInstalled(__version__, build.digest, build.files, signature, before)


async def expected_build(store: Store, keys: Keys, build: Build) -> ProgramInstalled | None:
    """Return the build that a house expects here, if any; one for practice takes another one as it comes.

    Raises ``BadKey`` if the house was made with other keys, and ``UnknownEvent`` if it does not say with which.
    """
    made = await check_key(store, keys)
    return None if made.practice and build.manifest else await signed_build(store, keys)


async def signed_build(store: Store, keys: Keys) -> ProgramInstalled | None:
    """Return the build that the house has signed last; one that its key has not signed says nothing."""
    ((number,),) = await store.ask(_NEWEST, HOUSE, ProgramInstalled.__name__)
    if number is None:
        return None
    (recorded,) = await store.read(HOUSE, number - 1, 1)
    event = recorded.event
    assert isinstance(event, ProgramInstalled)
    message = _message(await _house(store), event.manifest)
    return event if is_signed(keys.public_key, message, event.signature) else None


def _message(house: bytes, manifest: str) -> bytes:
    return pack("punto-build-1", house.hex(), manifest)


async def _house(store: Store) -> bytes:
    """Return the hash of the house's first event, by which it is known."""
    return (await store.read(HOUSE, most=1))[0].hash
