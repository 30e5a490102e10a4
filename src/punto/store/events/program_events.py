"""Events of the house's stream about the program that serves it: the build it has, and how checks of it ended."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from punto.table.event import Event


class ProgramState(StrEnum):
    """How a check of the program's files ended."""

    INTACT = "intact"
    """Every file is as it was built, and the build is the one that the house has signed."""
    ALTERED = "altered"
    """A file was changed, removed or added since the program was built."""
    ANOTHER_BUILD = "another-build"
    """The files fit their manifest, but it is not the one that the house has signed."""
    DEVELOPMENT = "development"
    """A checkout without a manifest, in a house that has signed no build: nothing can be compared."""

    @property
    def may_play(self) -> bool:
        """Whether tables may open."""
        return self in (ProgramState.INTACT, ProgramState.DEVELOPMENT)


class CheckedWhen(StrEnum):
    """What brought a check about."""

    START = "start"
    DAILY = "daily"
    DEMAND = "demand"


class GameServed(Struct, frozen=True):
    """A game that is not part of the program: its key, and the SHA-256 of its file."""

    game: str
    digest: str


class ProgramInstalled(Event, frozen=True):
    """The house runs this build from now on, and has signed it with its key."""

    version: str
    manifest: str
    """SHA-256 of the build's manifest; empty for a checkout that a person accepted."""
    files: int
    signature: str
    before: str = ""
    """The manifest of the build until then."""


class ProgramChecked(Event, frozen=True):
    """The program's files were compared with its manifest. After a difference no table is open."""

    when: CheckedWhen
    state: ProgramState
    version: str
    manifest: str
    """SHA-256 of the manifest that was found; empty if there was none."""
    files: int
    """How many files the manifest lists."""
    changed: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    """Paths within the package, the first of each kind."""
    differences: int = 0
    """How many files differ in all."""
    expected: str = ""
    """The manifest that the house has signed."""
    games: tuple[GameServed, ...] = ()
    """The games served besides the program's own."""


KINDS: tuple[type[Event], ...] = (ProgramInstalled, ProgramChecked)
